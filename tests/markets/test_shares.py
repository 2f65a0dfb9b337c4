"""How prices were split: seller, market, royalties and others come to the price, to the wei, or nothing is said."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import pytest

from indexing.judge.shares import shares
from indexing.judge.verdicts import NATIVE, Fill, Judgement, Match, Payment, Role, Share, Side, Verdict
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import ape, erc20, erc721, of_transaction, verdict
from tests.markets.currencies import WETH
from tests.markets.foundation_events import FOUNDATION, buy_price_accepted
from tests.markets.looksrare_events import LOOKSRARE_2, trade_2
from tests.markets.recorded import sales, verdicts

FEE = "0x0000a26b00c1f0df003000390027140000faa719"
DAVE = "0x" + "dd" * 20


def split(*fills: Fill) -> tuple[Share, ...]:
    """The parts of what some fills sold in one move."""
    matches = [Match(one, (0,), (), 0) for one in fills]
    judged = Judgement("sale", fills[0].currency, sum(one.price for one in fills))
    return shares({0: matches}, {0: judged}, {FEE}).get(0, ())


def fill(price: int = 100, *payments: tuple[int, str], **fields: object) -> Fill:
    parts = tuple(Payment(NATIVE, amount, receiver) for amount, receiver in payments)
    one = Fill("any", "opensea", 1, Side.ASK, seller=BOB, buyer=ALICE, price=price, payments=parts)
    return one._replace(**fields)  # type: ignore[arg-type]


OTHER = fill(100, (93, BOB), (7, CAROL))
WHOLE = fill(100, (100, BOB))
SPLITS: dict[str, tuple[Sequence[Fill], Sequence[Share]]] = {
    "the seller is who gives the NFT, and a declared receiver of fees the market": (
        [fill(100, (90, BOB), (3, FEE), (7, CAROL), roles=((CAROL, Role.ROYALTY),))],
        [Share(Role.SELLER, 90, BOB), Share(Role.PROTOCOL, 3, FEE), Share(Role.ROYALTY, 7, CAROL)],
    ),
    "a receiver of whom nothing tells is just another": (
        [OTHER],
        [Share(Role.SELLER, 93, BOB), Share(Role.OTHER, 7, CAROL)],
    ),
    "what comes to less than the price is not known": ([fill(100, (7, CAROL))], []),
    "of nothing that was paid nothing is known": ([fill(100)], []),
    "what comes to more than the price is not known": ([fill(100, (101, BOB))], []),
    "all of the rest is whose the market says": (
        [fill(100, rest=Role.SELLER)],
        [Share(Role.SELLER, 100, BOB)],
    ),
    "the rest is whose the market says": (
        [fill(100, (7, CAROL), rest=Role.SELLER)],
        [Share(Role.OTHER, 7, CAROL), Share(Role.SELLER, 93, BOB)],
    ),
    "money in another currency is not split": (
        [OTHER._replace(payments=(*OTHER.payments, Payment(WETH, 1, CAROL)))],
        [],
    ),
    "money for several things is not split": ([OTHER._replace(mixed=True)], []),
    "money that nobody knows is not split": ([OTHER._replace(unpriced=True)], []),
    "parts of several orders that one transfer fills stand together": (
        [WHOLE, WHOLE],
        [Share(Role.SELLER, 100, BOB)] * 2,
    ),
    "parts of several orders of which one is not known are not split": ([WHOLE, fill(100)], []),
}


@pytest.mark.parametrize(("fills", "parts"), SPLITS.values(), ids=SPLITS)
def test_a_price_is_split_as_far_as_its_parts_come_to_it(
    fills: Sequence[Fill], parts: Sequence[Share]
) -> None:
    assert split(*fills) == tuple(parts)


def roles(found: Verdict) -> list[tuple[str, int, str | None]]:
    """The parts of the one price of a transaction."""
    (parts,) = found.shares.values()
    return [(part.role.value, part.amount, part.receiver) for part in parts]


@pytest.mark.parametrize("currency", [NATIVE, WETH])
def test_looksrare_tells_all_three_parts_even_where_no_log_shows_who_got_its_fee(currency: str) -> None:
    event = trade_2(
        "TakerBid", ALICE, ALICE, proceeds=(BOB, 990), creator=(CAROL, 5), fee=5, currency=currency
    )
    money = (
        []
        if currency == NATIVE
        else [erc20(WETH, 990, ALICE, BOB, index=1), erc20(WETH, 5, ALICE, CAROL, index=2)]
    )
    fee = [] if currency == NATIVE else [erc20(WETH, 5, ALICE, DAVE, index=9)]
    logs = [*money, erc721(APES, 7, BOB, ALICE, index=3), event._replace(log_index=8), *fee]
    found = verdict(of_transaction(logs, target=LOOKSRARE_2, value=1000 if currency == NATIVE else 0))
    to = LOOKSRARE_2 if currency == NATIVE else DAVE
    assert roles(found) == [("seller", 990, BOB), ("royalty", 5, CAROL), ("protocol", 5, to)]


@pytest.mark.parametrize(
    ("creator", "rest", "parts"),
    [
        (10, 85, [("seller", 85, BOB), ("protocol", 5, None), ("royalty", 10, None)]),
        (95, 0, [("protocol", 5, None), ("seller", 95, BOB)]),
    ],
)
def test_foundation_tells_parts_without_receivers(
    creator: int, rest: int, parts: list[tuple[str, int, str | None]]
) -> None:
    """A creator who sells gets the rest as the creator's part."""
    event = buy_price_accepted(seller=BOB, buyer=ALICE, fees=5, creator=creator, rest=rest)
    logs = [ape(FOUNDATION, ALICE), event]
    assert roles(verdict(of_transaction(logs, target=FOUNDATION, value=100))) == parts


@pytest.mark.shared
def test_the_parts_of_each_recorded_sale_come_to_its_price() -> None:
    """Of 691 sales, as far as events tell; sellers get nothing but the seller's part, and no part is negative."""
    told: dict[str, Counter[bool]] = defaultdict(Counter)
    for hash_ in sales():
        _, found = verdicts()[hash_]
        for place, judged in enumerate(found.judgements):
            if judged.transfer_type != "sale" or not judged.price:
                continue
            parts = found.shares.get(place, ())
            for match in found.trace.sold.get(place, ()):
                told[match.fill.protocol][bool(parts)] += 1
            if parts:
                assert sum(part.amount for part in parts) == judged.price, hash_
                assert all(part.amount > 0 for part in parts), hash_
                sellers = {match.fill.seller for match in found.trace.sold[place]}
                assert {part.receiver for part in parts if part.role is Role.SELLER} <= sellers | {None}
    assert {name for name, counts in told.items() if not counts[False]} >= {
        "seaport-1.1",
        "seaport-1.5",
        "x2y2",
    }
