"""How a price was split stands and falls with the price that the chain's own evidence tells."""

from __future__ import annotations

import json

from transfers.ledger.transfer_rows import Row, blank, chain_part, overlaid, rejudged, verdict_of

KEY = ("0x" + "1" * 64, 3, 0, 1)
PRICE = {"nft_value_token": "0x" + "0" * 40, "nft_value_amount": "03100", "transfer_type": "sale"}
SHARES = '[["seller","90",null],["protocol","10",null]]'
NOTHING = frozenset[str]()


def row(**fields: object) -> Row:
    return blank(KEY)._replace(**fields)  # type: ignore[arg-type]


SOLD = row(**PRICE, shares=SHARES, judged=True, origin=0)


def test_another_price_that_is_stated_has_no_parts_and_the_chain_keeps_its_own() -> None:
    both = overlaid(SOLD, row(**{**PRICE, "nft_value_amount": "03101"}), NOTHING)
    assert (both.shares, both.judged) == (None, False)
    assert chain_part(both) == SOLD


def test_the_same_price_that_is_stated_has_the_parts_that_were_judged() -> None:
    both = overlaid(SOLD, row(**PRICE), NOTHING)
    assert (both.shares, both.judged, both.overruled) == (SHARES, True, None)


def test_a_price_that_is_cleared_takes_its_parts_along() -> None:
    both = overlaid(SOLD, row(), frozenset({"nft_value"}))
    assert (both.nft_value_amount, both.shares) == (None, None)
    assert chain_part(both) == SOLD


def test_judging_again_fills_in_the_parts_of_what_was_judged_before_they_were_kept() -> None:
    before = SOLD._replace(shares=None)
    assert rejudged(before, verdict_of(SOLD)) == SOLD


def test_what_was_overruled_before_parts_were_kept_can_still_be_had_back() -> None:
    stated = overlaid(SOLD, row(**{**PRICE, "nft_value_amount": "03101"}), NOTHING)
    old = json.dumps(json.loads(stated.overruled or "")[:-1])
    assert chain_part(stated._replace(overruled=old)) == SOLD._replace(shares=None)
