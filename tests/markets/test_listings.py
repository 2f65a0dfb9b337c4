"""What is remembered of listings, by their names: as they stood before a log, in whatever order they became known."""

from __future__ import annotations

from itertools import permutations

from indexing.judge.markets.listings import Bid, Listing, Listings, Noted, names_in, numbered
from indexing.judge.verdicts import NATIVE
from tests.ingestion.encoding import ALICE, BLOCK, BOB, CAROL
from tests.markets.manifold_events import LISTING, MANIFOLD, finalized

NAME = numbered(MANIFOLD, LISTING)
MADE = Noted(NAME, BLOCK - 2, 5, is_bid=False, who=BOB, currency=NATIVE, amount=None)
FIRST = Noted(NAME, BLOCK - 1, 9, is_bid=True, who=ALICE, currency=None, amount=5)
SECOND = Noted(NAME, BLOCK, 3, is_bid=True, who=CAROL, currency=None, amount=7)


def test_a_listing_is_as_it_stood_before_a_log_in_whatever_order_it_became_known() -> None:
    for order in permutations([MADE, FIRST, SECOND, FIRST]):
        known = Listings(order)
        for index, bid in ((3, Bid(ALICE, 5)), (4, Bid(CAROL, 7))):
            assert known.before(NAME, finalized(index=index)) == Listing(BOB, NATIVE, bid)


def test_a_listing_whose_making_was_not_seen_or_comes_later_is_not_known() -> None:
    end = finalized(index=4)
    assert Listings([FIRST, SECOND]).before(NAME, end) is None
    assert Listings([MADE._replace(block_number=BLOCK), FIRST]).before(NAME, end) is None
    assert Listings([MADE]).before(numbered(MANIFOLD, 1), end) is None


def test_logs_name_all_listings_that_they_may_be_of() -> None:
    bare = finalized()._replace(topics=())
    odd = finalized()._replace(topics=("0x", "0x"))
    assert names_in([finalized(), finalized(listing=1, contract=CAROL), bare, odd]) == {
        NAME,
        numbered(CAROL, 1),
    }
