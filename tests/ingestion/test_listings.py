"""Sales that name a listing by its number: what earlier blocks said of it, and who bid, decides them."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from indexing.follow import order_history
from indexing.models import IndexedChain, MarketFault
from indexing.write import listings
from tests.ingestion.chain import Chain, FakeNode, nft, tx
from tests.ingestion.encoding import ALICE, BOB, CAROL, ZERO
from tests.ingestion.indexing import ethereum, in_one_go, index, narrow, tables
from tests.ingestion.offers import told
from tests.markets import order_logs as logs
from tests.markets.currencies import USDC
from tests.markets.manifold_events import MANIFOLD, bid, finalized
from tokens.models import Ask
from transfers.models import OrderEvent, Transfer

pytestmark = pytest.mark.django_db


@pytest.fixture
def auction() -> Chain:
    """Bob has ape 7 and puts it up in block 2; Carol bids 50 in block 3, Alice 75 in block 4."""
    chain = Chain()
    chain.mine(tx(nft(7, ZERO, BOB)))
    made = told(logs.listing_created(kind=1, amount=10, currency=USDC)), told(logs.listing_details())
    chain.mine(tx(nft(7, BOB, MANIFOLD), *made, sender=BOB, target=MANIFOLD))
    chain.mine(tx(told(bid(CAROL, 50)), sender=CAROL, target=MANIFOLD))
    chain.mine(tx(told(bid(ALICE, 75)), target=MANIFOLD))
    return chain


def end(chain: Chain, receiver: str) -> None:
    """The listing ends in a block of its own, and the ape leaves custody."""
    chain.mine(tx(nft(7, MANIFOLD, receiver), told(finalized()), target=MANIFOLD))


def last() -> tuple[str | None, str | None, int | None]:
    """Type, currency and price of the newest transfer."""
    one = Transfer.objects.order_by("-block_number", "-log_index")[0]
    price = one.nft_value_amount
    return one.transfer_type, one.nft_value_token, None if price is None else int(price)


WON = ("sale", USDC, 75)


@pytest.mark.parametrize("blocks", [1, 2, 100])
def test_an_auction_is_sold_for_the_last_bid_in_whatever_windows_it_is_read(
    auction: Chain, monkeypatch: pytest.MonkeyPatch, blocks: int
) -> None:
    narrow(monkeypatch, blocks)
    end(auction, ALICE)
    index(FakeNode(auction))
    assert last() == WON
    assert not MarketFault.objects.exists()
    made = OrderEvent.objects.get(kind="listing")
    assert made.maker == BOB, "who sent the ape into custody"
    before = tables()
    call_command("classify", verbosity=0)
    assert tables() == before


def test_what_earlier_runs_read_of_a_listing_is_known_to_later_ones(auction: Chain) -> None:
    index(FakeNode(auction))
    end(auction, ALICE)
    index(FakeNode(auction))
    assert last() == WON


def test_an_auction_is_no_ask_and_a_bid_ends_and_reprices_none(auction: Chain) -> None:
    fixed = (
        told(logs.listing_created(listing=1, amount=10**18)),
        told(logs.listing_details(listing=1, token_id=8)),
    )
    auction.mine(tx(nft(8, ZERO, BOB)), tx(nft(8, BOB, MANIFOLD), *fixed, sender=BOB, target=MANIFOLD))
    auction.mine(tx(told(bid(ALICE, 5, listing=1)), target=MANIFOLD))
    index(FakeNode(auction))
    one = Ask.objects.get()
    assert (one.nft.token_id, one.price, one.active, one.maker) == ("8", 1, True, BOB)


def test_a_reorganisation_that_takes_the_last_bid_away_has_the_one_before_win(auction: Chain) -> None:
    end(auction, ALICE)
    index(FakeNode(auction))
    auction.fork(back=2)
    auction.mine()
    end(auction, CAROL)
    auction.mine()
    index(FakeNode(auction))
    assert last() == ("sale", USDC, 50)
    assert tables() == in_one_go(FakeNode(auction))


def test_a_reorganisation_that_takes_all_bids_away_gives_the_nft_back(auction: Chain) -> None:
    end(auction, ALICE)
    index(FakeNode(auction))
    auction.fork(back=3)
    auction.mine_empty(3)
    end(auction, BOB)
    index(FakeNode(auction))
    assert last() == ("transfer", None, None)
    assert not MarketFault.objects.exists()


def test_an_auction_from_before_indexing_began_is_told_by_its_history(auction: Chain) -> None:
    end(auction, ALICE)
    index(FakeNode(auction), from_block=4)
    assert last() == ("transfer", None, None)
    assert "only the bids of earlier transactions tell" in MarketFault.objects.get().reason
    order_history.begin(ethereum(), 0)
    call_command("classify", verbosity=0)
    assert last() == ("transfer", None, None), "bids may be missing as long as the history is not read"
    index(FakeNode(auction), from_block=4)
    call_command("classify", verbosity=0)
    assert last() == WON
    assert not MarketFault.objects.exists()


def test_listings_are_left_out_while_bids_in_them_may_be_missing(auction: Chain) -> None:
    index(FakeNode(auction))
    chain = ethereum()
    order_history.begin(chain, 0)
    assert listings.load(chain.id).before(f"{MANIFOLD}:5400", finalized()) is not None
    IndexedChain.objects.filter(chain_id=chain.id).update(orders_next=3)
    assert listings.load(chain.id).before(f"{MANIFOLD}:5400", finalized()) is None
