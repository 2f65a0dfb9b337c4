"""Asks that the chain alone tells of: opened, repriced and ended by what contracts of markets log."""

from __future__ import annotations

import pytest

from core.net.rpc.abi import GET_APPROVED
from indexing.follow import order_history
from indexing.follow.rewind import rewind
from indexing.judge.markets.seaport_books import validated
from indexing.judge.markets.seaport_parameters import order_hash
from indexing.models import UndecodedLog
from tests.builders import ask, load_lines
from tests.ingestion.chain import COINS, START, Chain, Emitted, FakeNode, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, word
from tests.ingestion.indexing import ethereum, index
from tests.ingestion.offers import ETH, approving, live, reasons, told, validated_for
from tests.markets import order_logs as logs
from tests.markets.foundation_events import FOUNDATION
from tests.markets.manifold_events import MANIFOLD
from tests.markets.punk_events import PUNKS
from tests.markets.seaport_events import SEAPORT_16
from tokens.models import Ask
from tokens.models.ask import FOREVER
from transfers.models import OrderEvent

pytestmark = pytest.mark.django_db
COUNTER = "CounterIncremented(uint256,address)"


def offered(chain: Chain, price: int, taker: str = ZERO) -> None:
    chain.mine(tx(told(logs.punk_offered(7, price * ETH, taker)), target=PUNKS))


def test_a_punk_is_offered_again_at_another_price_and_taken_off(punk: Chain) -> None:
    offered(punk, 70)
    index(FakeNode(punk))
    assert live() == ["cryptopunks 7 70"]
    assert Ask.objects.get().maker == ALICE
    offered(punk, 60)
    index(FakeNode(punk))
    assert (live(), reasons()) == (["cryptopunks 7 60"], {"70": "cancelled"})
    punk.mine(tx(told(logs.punk_no_longer(7)), target=PUNKS))
    index(FakeNode(punk))
    assert (live(), reasons()) == ([], {"70": "cancelled", "60": "cancelled"})


def test_a_private_offer_of_a_punk_ends_the_one_for_everybody_and_is_never_live(punk: Chain) -> None:
    offered(punk, 70)
    offered(punk, 0, BOB)
    index(FakeNode(punk))
    assert (live(), reasons()) == ([], {"70": "cancelled", "0": "private"})


def test_a_reorganisation_brings_back_what_the_lost_blocks_ended(punk: Chain) -> None:
    offered(punk, 70)
    offered(punk, 60)
    index(FakeNode(punk))
    punk.fork(back=1)
    punk.mine()
    punk.mine()
    index(FakeNode(punk))
    assert live() == ["cryptopunks 7 70"]
    rewind(ethereum(), 1)
    assert not Ask.objects.exists()
    assert not OrderEvent.objects.exists()


def test_an_ask_that_was_opened_before_indexing_began_is_read_by_its_history(punk: Chain) -> None:
    offered(punk, 70)
    punk.mine_empty(3)
    index(FakeNode(punk), from_block=4)
    assert live() == []
    order_history.begin(ethereum(), 0)
    index(FakeNode(punk), from_block=4)
    assert live() == ["cryptopunks 7 70"]
    assert Ask.objects.get().maker is None, "who held it then is not known"


def test_an_ask_sleeps_while_its_seller_has_not_the_nft_and_wakes_where_the_contract_sells_again(
    ape: Chain,
) -> None:
    ape.mine(tx(told(logs.ask_created(price=2 * ETH))))
    ape.mine(tx(nft(7, BOB, CAROL)))
    index(FakeNode(ape))
    assert (live(), reasons()) == ([], {"2": "not-owner"})
    ape.mine(tx(nft(7, CAROL, BOB)))
    index(FakeNode(ape))
    assert live() == ["zora 7 2"]
    ape.mine(tx(told(logs.ask_updated(price=3 * ETH))))
    index(FakeNode(ape))
    assert live() == ["zora 7 3"]
    ape.fork(back=1)
    ape.mine(tx(told(logs.ask_canceled(price=2 * ETH))))
    index(FakeNode(ape))
    assert (live(), reasons()) == ([], {"2": "cancelled"})


def test_an_ask_in_escrow_is_live_while_the_market_holds_the_nft(ape: Chain) -> None:
    ape.mine(tx(nft(7, BOB, FOUNDATION), told(logs.price_set(price=ETH))))
    index(FakeNode(ape))
    assert live() == ["foundation 7 1"]
    ape.mine(tx(told(logs.price_canceled()), nft(7, FOUNDATION, BOB)))
    index(FakeNode(ape))
    assert (live(), reasons()) == ([], {"1": "cancelled"})


def test_a_kitty_s_seller_is_who_sent_it_into_custody(ape: Chain) -> None:
    chain = Chain()
    kitty = emitted(
        "Transfer(address,address,uint256)", [], word(BOB) + word(logs.KITTY_SALES) + word(7), logs.KITTIES
    )
    mint = emitted("Transfer(address,address,uint256)", [], word(ZERO) + word(BOB) + word(7), logs.KITTIES)
    chain.mine(tx(mint))
    chain.mine(tx(kitty, told(logs.auction_created(start=2 * ETH, end=ETH, duration=86_400))))
    index(FakeNode(chain))
    one = Ask.objects.get()
    assert (one.maker, one.holder, one.active) == (BOB, logs.KITTY_SALES, True)
    assert (one.start_price, one.end_price) == (2, 1)
    assert one.price_until is not None
    assert one.price_from == START + 24 == one.price_until - 86_400


def test_who_takes_the_approval_back_stops_the_sale_and_who_gives_it_again_resumes_it(ape: Chain) -> None:
    ape.mine(tx(told(logs.ask_created(price=2 * ETH))))
    node = FakeNode(ape)
    index(node)
    operator = Ask.objects.get().operator
    assert operator is not None
    assert live() == ["zora 7 2"], "the contract could not tell, so nothing is known"

    def approval(flag: int) -> Emitted:
        return emitted("ApprovalForAll(address,address,bool)", [BOB, operator or ""], word(flag), APES)

    ape.mine(tx(approval(0)))
    index(FakeNode(ape))
    assert (live(), reasons()) == ([], {"2": "no-approval"})
    ape.mine(tx(approval(1)))
    index(FakeNode(ape))
    assert live() == ["zora 7 2"]


def test_an_ask_whose_maker_never_approved_the_market_is_not_live(ape: Chain) -> None:
    ape.mine(tx(told(logs.ask_created(price=2 * ETH))))
    node = FakeNode(ape, {APES: approving(0)})
    index(node)
    assert (live(), reasons()) == ([], {"2": "no-approval"})
    calls = sum(
        method == "eth_call" and params[0]["data"].startswith("0xe985e9c5") for method, params in node.asked
    )
    index(FakeNode(ape))
    assert calls == 1


def test_a_validated_order_is_dead_for_ever_once_its_makers_counter_is_another(ape: Chain) -> None:
    ape.mine(tx(validated_for(0)))
    index(FakeNode(ape))
    assert live() == ["opensea 7 1"]
    ape.mine(tx(emitted(COUNTER, [BOB], word(5), SEAPORT_16)))
    index(FakeNode(ape))
    assert (live(), reasons()) == ([], {"1": "counter"})
    ape.mine(tx(validated_for(5)))
    index(FakeNode(ape))
    assert live() == ["opensea 7 1"]
    assert Ask.objects.get(active=True).nonce == 5


def test_a_validated_order_whose_hash_cannot_be_had_is_not_opened_and_told_of(ape: Chain) -> None:
    ape.mine(tx(validated_for(9)))
    index(FakeNode(ape))
    assert not Ask.objects.exists()
    assert "does not come out" in UndecodedLog.objects.get().reason


def test_a_cancellation_ends_an_order_that_is_loaded_after_it(ape: Chain) -> None:
    ape.mine(tx(emitted("OrderCancelled(bytes32,address,address)", [BOB, ZERO], "ab" * 32, SEAPORT_16)))
    index(FakeNode(ape))
    load_lines([ask("7", APES, order="0x" + "ab" * 32, maker=BOB)])
    assert (live(), reasons()) == ([], {"1": "cancelled"})


def test_an_ask_that_is_repriced_in_what_is_no_known_currency_is_gone_until_it_is_in_one(ape: Chain) -> None:
    ape.mine(tx(told(logs.ask_created(price=2 * ETH))))
    ape.mine(tx(told(logs.ask_updated(price=3 * ETH, currency=CAROL))))
    index(FakeNode(ape))
    assert (live(), reasons()) == ([], {"2": "gone-from-source"})
    ape.mine(tx(told(logs.ask_updated(price=4 * ETH))))
    index(FakeNode(ape))
    assert live() == ["zora 7 4"]
    ape.fork(back=2)
    ape.mine_empty(3)
    index(FakeNode(ape))
    assert live() == ["zora 7 2"]


def test_who_lets_the_module_act_no_more_sells_nothing_by_it_until_it_may_again(ape: Chain) -> None:
    ape.mine(tx(told(logs.ask_created(price=2 * ETH))))
    ape.mine(tx(told(logs.module_approved(approved=0))))
    index(FakeNode(ape))
    assert (live(), reasons()) == ([], {"2": "no-approval"})
    ape.mine(tx(told(logs.module_approved(approved=1))))
    index(FakeNode(ape))
    assert live() == ["zora 7 2"]


def listed(number: int, amount: int) -> tuple[Emitted, Emitted, Emitted]:
    """Bob's ape 7 at Manifold's marketplace, which takes it, from block 3 on for ever."""
    opened = logs.listing_created(listing=number, amount=amount, start=START + 36, end=2**40)
    return nft(7, BOB, MANIFOLD), told(opened), told(logs.listing_details(listing=number))


def test_a_listing_that_is_changed_keeps_its_terms_when_the_nft_is_listed_again(ape: Chain) -> None:
    """Changed into one that begins with its first purchase, it is open at once."""
    ape.mine(tx(*listed(1, 2 * ETH)))
    ape.mine(tx(told(logs.listing_modified(listing=1, amount=3 * ETH, start=0, end=60))))
    index(FakeNode(ape))
    one = Ask.objects.get()
    assert (one.price, one.valid_from, one.valid_until) == (3, START + 24, FOREVER)
    ape.mine(tx(nft(7, MANIFOLD, BOB), *listed(2, 5 * ETH)))
    index(FakeNode(ape))
    assert sorted(Ask.objects.values_list("price", flat=True)) == [3, 5]


def test_units_that_are_only_sold_together_are_not_offered_by_who_has_fewer(ape: Chain) -> None:
    ape.mine(tx(units(9, ZERO, BOB, 3)))
    offer, asked = [(3, COINS, 9, 3, 3)], [((0, ZERO, 0, 3 * ETH, 3 * ETH), BOB)]
    log = logs.validated(offer, asked, contract=SEAPORT_16)
    name = order_hash(validated(log)[1], 0)
    ape.mine(tx(told(log._replace(data=bytes.fromhex(name[2:]) + log.data[32:]))))
    index(FakeNode(ape))
    assert live() == ["opensea 9 1"]
    ape.mine(tx(units(9, BOB, CAROL, 1)))
    index(FakeNode(ape))
    assert (live(), reasons()) == ([], {"1": "not-owner"})


def test_an_approval_of_one_nft_counts_once_that_of_all_is_taken_back(ape: Chain) -> None:
    ape.mine(tx(validated_for(0)))
    index(FakeNode(ape, {APES: lambda address, data, block: "0x" + word(_approved(data))}))
    assert live() == ["opensea 7 1"]
    taken = emitted("ApprovalForAll(address,address,bool)", [BOB, SEAPORT_16], word(0), APES)
    ape.mine(tx(taken))
    index(FakeNode(ape))
    assert live() == ["opensea 7 1"]


def _approved(data: str) -> int | str:
    """All of Bob's apes are approved, and ape 7 by itself."""
    return SEAPORT_16 if data.startswith(GET_APPROVED) else 1
