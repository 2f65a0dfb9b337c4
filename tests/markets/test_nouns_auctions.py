"""Auction houses of the kind of Nouns: known ones, their many clones, and what only looks like one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indexing.judge.classify import classify
from indexing.judge.markets.reading import Deployment
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Fault, Judgement, Leg, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, ZERO, log, words
from tests.markets.building import Case, ape, erc20, erc721, judged, moves_of, of_transaction, sold, verdict
from tests.markets.currencies import ETHER, ONE_ETHER, USDC, WETH
from tests.markets.emitting import Emitted

NOUNS = "0x830bd73e4184cef73443c15111a1df14e495c706"
HOUSE = "0x" + "40" * 20
"""An auction house of unknown address."""

TREASURY = "0x" + "7e" * 20

# Nouns Builder does not index the number.
_SETTLED = {
    one: Emitted(f"AuctionSettled(uint256{indexed} token_id, address winner, uint256 amount)", HOUSE)
    for one, indexed in ((True, " indexed"), (False, ""))
}
_CREATED = {
    one: Emitted(f"AuctionCreated(uint256{indexed} token_id, uint256 start, uint256 end)", HOUSE)
    for one, indexed in ((True, " indexed"), (False, ""))
}

# ERC-5805: somebody's votes changed.
votes = Emitted(
    "DelegateVotesChanged(address indexed delegate, uint256 before, uint256 after)",
    APES,
    "delegate before after",
)


def settled(
    token_id: int,
    winner: str,
    amount: int,
    *,
    index: int = LATER,
    house: str = HOUSE,
    is_indexed: bool = True,
) -> RawLog:
    """The end of an auction; the amount is in wei."""
    told = {"token_id": token_id, "winner": winner, "amount": amount}
    return _SETTLED[is_indexed](**told, index=index, contract=house)


def created(token_id: int, *, index: int = LATER, house: str = HOUSE, is_indexed: bool = True) -> RawLog:
    """The beginning of an auction, with its first and last second."""
    told = {"token_id": token_id, "start": 1_660_662_159, "end": 1_660_663_059}
    return _CREATED[is_indexed](**told, index=index, contract=house)


def whole_settlement(
    *, amount: int = 150, winner: str = ALICE, house: str = HOUSE, is_indexed: bool = True
) -> list[RawLog]:
    """All that `settleCurrentAndCreateNewAuction` logs where #7 was won and #8 is next."""
    return [
        votes(house, 1, 0, index=1),
        votes(winner, 2, 3, index=2),
        erc721(APES, 7, house, winner, index=3),
        settled(7, winner, amount, index=4, house=house, is_indexed=is_indexed),
        votes(house, 0, 1, index=5),
        erc721(APES, 8, ZERO, TREASURY, index=6),
        erc721(APES, 8, TREASURY, house, index=7),
        created(8, index=8, house=house, is_indexed=is_indexed),
    ]


@pytest.mark.parametrize("amount", [150, 2**256 - 1])
def test_what_a_clone_of_unknown_address_says_that_ether_was_paid_is_no_price_until_it_is_added(
    amount: int,
) -> None:
    """Its collection may be of the deceiver's own making, and no log bears out ether."""
    transaction = of_transaction(whole_settlement(amount=amount), target=HOUSE)
    found = verdict(transaction)
    assert found.judgements[0] == Judgement("sale", swaps=(Leg(APES, 7, HOUSE, ALICE, 1, "nouns-auction"),))
    reason = (
        "The auction house is not known, so that its price is not believed: an operator may add the contract."
    )
    assert found.faults == (Fault("nouns-auction", 4, reason, ETHER, amount),)
    added = registry(1, [Deployment(HOUSE, "nouns-auction", "nouns-auction")])
    found = classify(transaction, moves_of(transaction), added)
    assert (found.judgements[0], found.faults) == (sold(amount), ())


def _without(index: int = LATER) -> Callable[[], list[RawLog]]:
    return lambda: [one for one in whole_settlement() if one.log_index != index]


def _but(*others: RawLog) -> Callable[[], list[RawLog]]:
    places = {one.log_index for one in others}
    return lambda: [*(one for one in whole_settlement() if one.log_index not in places), *others]


LOOK_ALIKES = {
    "the collection mints nothing for it": lambda: whole_settlement()[:5],
    "no next auction is begun": _without(8),
    "the next auction is of another NFT": _but(created(9, index=8)),
    "the next NFT is not with it in the end": _without(7),
    "the next NFT is none that was minted": _but(erc721(APES, 8, BOB, TREASURY, index=6)),
    "another collection mints": _but(
        erc721(CAROL, 8, ZERO, TREASURY, index=6), erc721(CAROL, 8, TREASURY, HOUSE, index=7)
    ),
    "the collection keeps no votes": _without(1),
    "it has no fewer votes than before": _but(votes(HOUSE, 1, 1, index=1)),
    "its own log says that it has fewer votes": _but(votes(HOUSE, 1, 0, index=1, contract=HOUSE)),
    "two auctions begin": _but(created(8, index=8), created(9, index=9)),
}


@pytest.mark.parametrize("logs", LOOK_ALIKES.values(), ids=LOOK_ALIKES)
def test_a_look_alike_that_the_collection_does_not_know_publishes_no_price(
    logs: Callable[[], list[RawLog]],
) -> None:
    found = verdict(of_transaction(logs(), target=HOUSE))
    assert "sale" not in {one.transfer_type for one in found.judgements}
    assert (found.markets, found.is_commercial, found.fills) == ((), False, ())
    assert [(one.protocol, one.log_index, one.price) for one in found.faults] == [("nouns-auction", 4, 0)]


NOTHING = {
    "the NFT leaves another contract": _but(erc721(APES, 7, BOB, ALICE, index=3)),
    "the NFT goes to somebody else": _but(erc721(APES, 7, HOUSE, BOB, index=3)),
    "the number is not the NFT's": _but(settled(3, ALICE, 150, index=4)),
    "it moves after the event": lambda: [settled(7, ALICE, 150, index=1), *whole_settlement()[2:3]],
    "it settles twice": lambda: [*whole_settlement(), settled(7, ALICE, ONE_ETHER, index=9)],
    "the event is cut off": _but(settled(7, ALICE, 150, index=4)._replace(data=b"\0" * 63)),
    "the event has too many topics": _but(
        log("AuctionSettled(uint256,address,uint256)", [7, ALICE], words(150), contract=HOUSE, index=4)
    ),
}


@pytest.mark.parametrize("logs", NOTHING.values(), ids=NOTHING)
def test_an_event_of_an_unknown_contract_that_does_not_fit_says_nothing(
    logs: Callable[[], list[RawLog]],
) -> None:
    found = verdict(of_transaction(logs(), target=HOUSE))
    assert "sale" not in {one.transfer_type for one in found.judgements}
    assert (found.fills, found.faults, found.is_commercial) == ((), (), False)


def _round(at: int) -> list[RawLog]:
    return [erc20(USDC, 30, HOUSE, BOB, index=at), erc20(USDC, 30, BOB, HOUSE, index=at + 1)]


CASES = {
    **{
        f"a clone of unknown address sells the NFT it held and mints the next: {label}": Case(
            whole_settlement(is_indexed=is_indexed), to=HOUSE
        ).was(
            "sale",
            "mint",
            "transfer",
            at="nouns-auction",
            deal=(Side.AUCTION, HOUSE, ALICE),
            log_index=4,
            faults=(4,),
        )
        for label, is_indexed in zip(["Nouns", "Nouns Builder"], [True, False], strict=True)
    },
    "a known auction house needs no more than its own logs": Case(
        ape(NOUNS, ALICE), settled(7, ALICE, 150, house=NOUNS), to=NOUNS
    ).was(sold(150)),
    "an auction that nobody bid in burns the NFT": Case(
        ape(NOUNS, ZERO), settled(7, ZERO, 0, house=NOUNS), to=NOUNS
    ).was("burn", commercial=False),
    "ether that the treasury refuses and gets as WETH is ether all the same": Case(
        whole_settlement(house=NOUNS), erc20(WETH, 150, NOUNS, TREASURY, index=9)
    ).was(sold(150, ETHER), "mint", "transfer"),
    "an auction in a token is priced in it where the house pays out as much": Case(
        whole_settlement(), erc20(USDC, 120, HOUSE, TREASURY, index=9), erc20(USDC, 30, HOUSE, BOB, index=10)
    ).was(sold(150, USDC), "mint", "transfer"),
    "a known house that pays out another amount of a token than it tells has no price": Case(
        ape(NOUNS, ALICE), erc20(USDC, 140, NOUNS, TREASURY), settled(7, ALICE, 150, house=NOUNS), to=NOUNS
    ).was("sale", faults=[(3, 150)]),
    "an auction won for nothing is no sale": Case(ape(NOUNS, ALICE), settled(7, ALICE, 0, house=NOUNS)).was(
        "transfer"
    ),
    "an event beside a foreign NFT does not price it": Case(
        ape(BOB, ALICE), settled(7, ALICE, 10**24, house=CAROL)
    ).was("transfer"),
    "a little of a token that goes round does not bear out a large amount": Case(
        whole_settlement(), [one for at in range(9, 19, 2) for one in _round(at)]
    ).was("transfer", "mint", "transfer", faults=1),
    "a token that stays where it is does not bear out an amount": Case(
        whole_settlement(), erc20(USDC, 150, HOUSE, HOUSE)
    ).was("transfer", "mint", "transfer", faults=1),
    "an unknown house that pays out less of a token than it tells is not believed": Case(
        whole_settlement(), erc20(USDC, 1, HOUSE, BOB)
    ).was("transfer", "mint", "transfer", faults=1),
    "a known house whose event moves nothing is a fault": Case(
        ape(NOUNS, ALICE), settled(7, ALICE, 150, house=NOUNS), settled(9, ALICE, 90, house=NOUNS), to=NOUNS
    ).was(sold(150), faults=[(3, 90)]),
    "a transaction full of unknown houses is not gone through": Case(
        whole_settlement(), [settled(7, ALICE, 1, house=f"0x{0x1000 + number:040x}") for number in range(21)]
    ).was("transfer", "mint", "transfer", fills=0),
}

test_nouns_auctions = judged(CASES)
