"""NFTfi, Arcade and BendDAO: pledges are custody, whatever money moves; only what an auction sold is a sale."""

from __future__ import annotations

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import Case, ape, erc20, erc721, judged, sold, weth
from tests.markets.currencies import ONE_ETHER, WETH
from tests.markets.loan_events import ARCADE, ARCADE_EVENTS, BEND_EVENTS, BENDDAO, NFTFI, bend_liquidate

BOUND_APES, LENT = "0x" + "db" * 20, "0x" + "1e" * 20


def _liquidated(*, debt: int, rest: int) -> list[RawLog]:
    """Carol bid most for Bob's ape: it leaves the wrapper, then BendDAO."""
    logs = [
        erc721(BOUND_APES, 7, BOB, ZERO, index=1),
        erc721(APES, 7, BOUND_APES, BENDDAO, index=2),
        erc20(WETH, debt, BENDDAO, LENT, index=3),
        erc721(APES, 7, BENDDAO, CAROL, index=6),
        bend_liquidate(BOB, debt=debt, rest=rest, index=7),
    ]
    return [*logs, erc20(WETH, rest, BENDDAO, BOB, index=4)] if rest else logs


CASES = {
    "the notes of a loan are minted and burned beside its pledge": Case(
        erc721("0x" + "0e" * 20, 1, ZERO, BOB),
        ape(BOB, ARCADE),
        weth(5, CAROL, ARCADE),
        weth(5, ARCADE, BOB),
        ARCADE_EVENTS["started"](),
    ).was("mint", "transfer"),
    "what an auction sold is a sale of the borrower by the leg that reaches the bidder": Case(
        _liquidated(debt=80, rest=20), to=BENDDAO
    ).was("burn", "transfer", sold(100, WETH), at="benddao", deal=(Side.AUCTION, BOB, CAROL), fills=1),
    # Money from the one who gets the NFT to the one who gives it would be its price without a loan.
    **{
        f"a pledge is custody although its holder may move the money: {market}, {name}, {way}": Case(
            ape(giver, taker), weth(ONE_ETHER, taker, giver), event(), to=event.contract
        ).was("transfer", markets=(market,), commercial=False)
        for market, events in (("nftfi", NFTFI), ("arcade", ARCADE_EVENTS))
        for name, event in events.items()
        for way, giver, taker in (("given", BOB, event.contract), ("back", event.contract, BOB))
    },
    **{
        f"a pledge at benddao is custody: {name}": Case(
            ape(BOB, BOUND_APES),
            erc721(BOUND_APES, 7, ZERO, BOB),
            weth(ONE_ETHER, BOUND_APES, BOB),
            event(),
            to=BENDDAO,
        ).was("transfer", "mint", markets=("benddao",), commercial=False)
        for name, event in BEND_EVENTS.items()
    },
    "a bid below the debt is made up to it by who ends the auction": Case(
        _liquidated(debt=80, rest=0), erc20(WETH, 30, ALICE, BENDDAO, index=5), to=BENDDAO
    ).was("burn", "transfer", sold(80, WETH)),
    "an auction whose rest the borrower did not get has no price": Case(
        [log for log in _liquidated(debt=80, rest=20) if log.log_index != 4], to=BENDDAO
    ).was("burn", "transfer", "sale", faults=1),
}

test_loans = judged(CASES)

MALFORMED = {
    "BendDAO: cut off": bend_liquidate(BOB)._replace(data=bytes(127)),
    "BendDAO: no address": bend_liquidate(BOB, nft=2**255),
}
