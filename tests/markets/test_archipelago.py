"""Archipelago: a `Trade` with its `RoyaltyPayment`s before and its `TokenTrade` behind, as they are published."""

from __future__ import annotations

from functools import partial

from indexing.judge.verdicts import Payment, Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, log, words
from tests.markets.building import Case, ape, judged, sold, weth
from tests.markets.currencies import WETH

ARCHIPELAGO = "0x555598409fe9a72f0a5e423245c34555f6445555"
CREATOR = "0x" + "c4" * 20
AGENT = "0x" + "a6" * 20
TRADE = int("7d" * 32, 16)


def trade(
    buyer: str,
    seller: str,
    price: int,
    proceeds: int,
    cost: int,
    *,
    index: int = LATER,
    trade_id: int = TRADE,
    contract: str = ARCHIPELAGO,
) -> RawLog:
    """`Trade`, whose cost is all that the buyer pays."""
    signature = "Trade(bytes32,address,address,uint256,uint256,uint256,address)"
    data = words(price, proceeds, cost, WETH)
    return log(signature, [trade_id, buyer, seller], data, contract=contract, index=index)


def token(token_id: int, *, index: int = LATER, trade_id: int = TRADE) -> RawLog:
    """`TokenTrade`."""
    topics: list[int | str] = [trade_id, APES, token_id]
    return log("TokenTrade(bytes32,address,uint256)", topics, contract=ARCHIPELAGO, index=index)


def royalty(payer: str, receiver: str, amount: int, *, index: int = LATER) -> RawLog:
    """`RoyaltyPayment`."""
    signature = "RoyaltyPayment(bytes32,address,address,uint256,uint256,address)"
    data = words(25_000, amount, WETH)
    return log(signature, [TRADE, payer, receiver], data, contract=ARCHIPELAGO, index=index)


def bid_with_an_agent_on_top() -> list[RawLog]:
    """Bob sells Alice an ape for 1000, of which 100 go to its creator; Alice pays her agent 20 on top."""
    return [
        weth(100, ALICE, CREATOR),
        royalty(BOB, CREATOR, 100),
        weth(20, ALICE, AGENT),
        royalty(ALICE, AGENT, 20),
        ape(BOB, ALICE),
        weth(900, ALICE, BOB),
        trade(ALICE, BOB, 1000, 900, 1020),
        token(7),
    ]


_sent = partial(Case, to=ARCHIPELAGO)
CASES = {
    "the price is the cost royalties on top included": _sent(bid_with_an_agent_on_top(), sender=BOB).was(
        sold(1020, WETH),
        at="archipelago",
        deal=(Side.BID, BOB, ALICE),
        payments=(Payment(WETH, 100, CREATOR), Payment(WETH, 20, AGENT)),
    ),
    "the buyer who calls takes an ask": _sent(bid_with_an_agent_on_top()).was(
        sold(1020, WETH), side=Side.ASK
    ),
    "a seller may be approved for what another holds": _sent(
        ape(CAROL, ALICE), weth(100, ALICE, BOB), trade(ALICE, BOB, 100, 100, 100), token(7)
    ).was(sold(100, WETH)),
    "several tokens of one trade are a bundle": _sent(
        ape(BOB, ALICE),
        ape(BOB, ALICE, 8),
        weth(100, ALICE, BOB),
        trade(ALICE, BOB, 100, 100, 100),
        token(7),
        token(8),
    ).was(*["sale"] * 2),
    "a royalty that was not paid is a fault": _sent(
        bid_with_an_agent_on_top()[:2], bid_with_an_agent_on_top()[3:]
    ).was("sale", faults=1),
    "a trade at no cost is no sale": _sent(ape(BOB, ALICE), trade(ALICE, BOB, 0, 0, 0), token(7)).was(
        "transfer"
    ),
    "a cancelled nonce says nothing": _sent(
        log("NonceCancellation(address,uint256)", [BOB, 4], contract=ARCHIPELAGO), ape(BOB, ALICE)
    ).was("transfer", fills=0, markets=()),
}

test_archipelago = judged(CASES)

MALFORMED = {
    "the seller gets more than the price": trade(ALICE, BOB, 10, 11, 12, trade_id=1),
    "the buyer pays less than the seller gets": trade(ALICE, BOB, 12, 11, 10, trade_id=2),
    "of no token": trade(ALICE, BOB, 10, 10, 10, trade_id=3),
}
