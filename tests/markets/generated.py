"""Transactions of several sales among much else, with what they truly sold."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st

from indexing.judge.markets.registry import registry
from indexing.node.transactions import ChainTransaction
from tests.ingestion.encoding import ALICE, BOB, CAROL, ZERO
from tests.markets.building import erc721, of_transaction
from tests.markets.currencies import ETHER, WETH
from tests.markets.writers import WRITERS, Deal, Sale, Writer

ROUTER = "0x" + "40" * 20
GIFTS = "0x" + "61" * 20
DEAD = "0x" + "0" * 36 + "dead"
LOOK_ALIKE = "0x" + "1a" * 20
MARKETS = registry(1)

Noise = Callable[[Writer, str], None]
"""Writes something that sells nothing, by a stranger."""


class Made(NamedTuple):
    """A transaction, the sales in it in log order, and how many events of it cannot be read."""

    transaction: ChainTransaction
    sales: list[Sale]
    malformed: int


def person(number: int) -> str:
    """An address of nobody else's."""
    return f"0x{number + 2**150:040x}"


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """A sale of an ape, a punk or units of the one coin, on any market, direct or through the router."""
    how = draw(st.sampled_from(sorted(WRITERS)))
    writer = WRITERS[how]
    return Deal(
        how,
        net=draw(st.integers(1, 10**20)),
        fee=draw(st.just(0) | st.integers(1, 10**18)),
        currency=draw(st.sampled_from(writer.currencies)),
        token_id=draw(st.integers(1, 3)),
        units=draw(st.integers(1, 3)) if writer.has_units else 1,
        is_routed=draw(st.booleans()) and how != "punk",
    )


@st.composite
def transactions(draw: st.DrawFn) -> Made:
    """Up to eight sales: the same NFT sold again, the same id by many, through a router, and noise between them."""
    to = Writer()
    holders: dict[tuple[str, int], str] = {}
    chosen = draw(st.lists(deals(), min_size=1, max_size=8))
    for number, deal in enumerate(chosen):
        _sell(to, deal, number, holders)
        _NOISE[draw(st.sampled_from(sorted(_NOISE)))](to, person(500 + number))
    native = sum(deal.price for deal in chosen if deal.currency == ETHER)
    contracts = {one.address for one in to.logs} & MARKETS.markets.keys()
    direct = len(contracts) == 1 and not any(deal.is_routed for deal in chosen)
    direct = direct and (len(chosen) == 1 or chosen[0].how != "wyvern")  # which matches one pair a call
    transaction = of_transaction(
        to.logs,
        sender=ALICE,
        target=min(contracts) if direct else ROUTER,
        value=native + draw(st.integers(0, 5)),
    )
    return Made(transaction, to.sales, to.malformed)


def _sell(to: Writer, deal: Deal, number: int, holders: dict[tuple[str, int], str]) -> None:
    thing = ("coin", number) if deal.units > 1 else ("punk" if deal.how == "punk" else "ape", deal.token_id)
    seller = holders.get(thing, person(number))
    buyer = next(one for one in (ALICE, CAROL) if one != seller)
    first = buyer
    if deal.is_routed:
        first = ROUTER
        to.pay(deal.currency, deal.price + 7, buyer, ROUTER)  # it keeps a margin
    at = WRITERS[deal.how].write(to, deal, seller, first)
    to.sales.append(Sale(at, deal.price, deal.currency, WRITERS[deal.how].slug))
    if deal.is_routed:
        to.move(deal, ROUTER, buyer)
    holders[thing] = buyer


def _malformed(to: Writer, _: str) -> None:
    events = [one for one in to.logs if one.address in MARKETS.markets and len(one.data) > 40]
    if events:
        to.logs.append(events[-1]._replace(data=events[-1].data[:40], log_index=to.index))
        to.malformed += 1


def _look_alike(to: Writer, _: str) -> None:
    events = [one for one in to.logs if one.address in MARKETS.markets and len(one.data) > 40]
    if events:
        to.logs.append(events[-1]._replace(address=LOOK_ALIKE, log_index=to.index))


def _gift(sender: str | None, receiver: str | None) -> Noise:
    def write(to: Writer, stranger: str) -> None:
        token_id = int(stranger, 16) % 1000
        to.write(erc721, GIFTS, token_id, sender or stranger, receiver or stranger)

    return write


_NOISE: dict[str, Noise] = {
    "nothing": lambda to, stranger: None,
    "money of others": lambda to, stranger: to.pay(WETH, 10**30, stranger, BOB),
    "a gift": _gift(None, BOB),
    "a mint": _gift(ZERO, None),
    "a burn": _gift(None, DEAD),
    "an event that cannot be read": _malformed,
    "an event of no market": _look_alike,
}
