"""Whatever logs a transaction has: each move is judged once, and what is said of it is borne out by the logs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from indexing.decode.decode import decode
from indexing.decode.moves import Move
from indexing.decode.signatures import Event
from indexing.judge.classify import classify
from indexing.judge.markets import (
    blend,
    blur,
    blur_2,
    cryptopunks,
    loans,
    looksrare,
    nftx,
    seaport,
    sudoswap,
    wyvern,
    x2y2,
)
from indexing.judge.markets.orders import APPROVAL_FOR_ALL, order_events
from indexing.judge.markets.registry import POOLS, PROTOCOLS
from indexing.judge.money import money_moves
from indexing.judge.verdicts import Fault, Verdict
from indexing.node.logs import RawLog
from indexing.node.transactions import ChainTransaction
from tests.ingestion.encoding import (
    ALICE,
    APES,
    BLOCK,
    BOB,
    CAROL,
    TRANSACTION,
    UNHURRIED,
    ZERO,
    topic0,
    word,
)
from tests.markets.blur_events import BLEND
from tests.markets.building import erc20, erc721, of_transaction, verdict
from tests.markets.changed_logs import WORDS, changed
from tests.markets.currencies import ETHER, POOL_ETHER, USDC, WETH
from tests.markets.explained import hold_together
from tests.markets.generated import MARKETS, Made, transactions
from tests.markets.loan_events import ARCADE, BENDDAO, NFTFI_2
from tests.markets.nftx_events import NFTX_1, VAULT, ZAP_2
from tests.markets.sudoswap_events import POOL
from transfers.ledger.order_facts import OrderEvent, OrderKind

TYPES = {"mint", "transfer", "sale", "swap", "burn"}
EVENTS = sorted(
    {
        *(
            value.topic
            for module in (blur, blur_2, cryptopunks, looksrare, seaport, wyvern, x2y2)
            for value in vars(module).values()
            if isinstance(value, Event)
        ),
        topic0("Transfer(address,address,uint256)"),
        topic0("TransferBatch(address,address,address,uint256[],uint256[])"),
        topic0("Withdrawal(address,uint256)"),
    }
)

PEOPLE = st.sampled_from([ALICE, BOB, CAROL, ZERO])

DATA = st.lists(WORDS, max_size=24).map(lambda some: b"".join(one.to_bytes(32, "big") for one in some))


@st.composite
def any_log(draw: st.DrawFn, index: int = 0) -> RawLog:
    """A log of a market or a currency with a known event's hash, and anything behind it."""
    topics = [f"0x{one:064x}" for one in draw(st.lists(WORDS, max_size=3))]
    contract = draw(st.sampled_from(sorted({*MARKETS.markets, WETH, USDC})))
    data = draw(st.binary(max_size=400) | DATA)
    event = draw(st.sampled_from(EVENTS))
    return RawLog(contract, (event, *topics), data, BLOCK, "0x" + "bb" * 32, TRANSACTION, 5, index)


def _judged(transaction: ChainTransaction) -> tuple[list[Move], Verdict]:
    moves = decode(transaction.logs, 1).moves
    return moves, classify(transaction, moves, MARKETS)


def _check(transaction: ChainTransaction) -> None:
    moves, found = _judged(transaction)
    assert len(found.judgements) == len(moves)
    assert _judged(transaction)[1] == found
    hold_together(transaction, moves, found)
    happened = {(one.contract, one.token_id, one.sender, one.receiver, one.amount) for one in moves}
    for one in found.judgements:
        assert one.transfer_type in TYPES
        assert not (one.swaps and one.currency)
        assert {leg[:5] for leg in one.swaps if leg.token_id is not None} <= happened
    prices: Counter[str] = Counter()
    for one in found.judgements:
        if one.currency is not None and one.currency != ETHER:
            prices[one.currency] += one.price
    assert prices <= _sent(transaction, moves)


def _sent(transaction: ChainTransaction, moves: Sequence[Move]) -> Counter[str]:
    sent: Counter[str] = Counter()
    for one in money_moves(transaction.logs, {move.log_index for move in moves}):
        sent[one.currency] += one.amount
    return sent


@UNHURRIED
@given(st.lists(any_log(), max_size=8))
def test_no_logs_of_markets_stop_the_judging(logs: list[RawLog]) -> None:
    _check(of_transaction([one._replace(log_index=place) for place, one in enumerate(logs)]))


@st.composite
def _any_log_of_orders(draw: st.DrawFn) -> RawLog:
    """A log of a market whose orders are read, or of a stranger, with the hash of an event of orders."""
    contract = draw(st.sampled_from([*MARKETS.books, WETH]))
    reader = PROTOCOLS[MARKETS.books[contract].protocol] if contract in MARKETS.books else None
    own = [event.topic for event in reader.order_events] if reader is not None else []
    event = draw(st.sampled_from([*own, *own, *own, *POOLS, APPROVAL_FOR_ALL.topic]))
    return draw(any_log())._replace(address=contract, topics=(event, *draw(any_log()).topics[1:]))


@UNHURRIED
@given(st.lists(_any_log_of_orders(), max_size=8))
def test_no_logs_stop_the_reading_of_orders_and_each_is_told_as_it_stands(logs: list[RawLog]) -> None:
    logs = [one._replace(log_index=place) for place, one in enumerate(logs)]
    found = order_events(logs, MARKETS)
    places = [one.log_index for one in found]
    assert places == sorted(places)
    for log in logs:
        alone = [one for one in order_events([log], MARKETS) if isinstance(one, Fault)]
        assert [one for one in found if isinstance(one, Fault) and one.log_index == log.log_index] in (
            alone,
            [],
        )
        assert len(alone) <= 1
    for one in found:
        if isinstance(one, OrderEvent):
            addresses = (one.contract, one.maker, one.taker, one.holder, one.operator, one.currency)
            assert all(re.fullmatch("0x[0-9a-f]{40}", text) for text in addresses if text is not None)
            assert (one.contract is None) == (one.token_id is None) or one.kind is OrderKind.APPROVED


@UNHURRIED
@given(transactions(), st.data())
def test_no_change_of_a_real_event_stops_the_judging(made: Made, data: st.DataObject) -> None:
    logs = tuple(data.draw(changed(one)) for one in made.transaction.logs)
    _check(replace(made.transaction, logs=logs))


@st.composite
def _gifts_and_payments(draw: st.DrawFn) -> ChainTransaction:
    """NFTs and tokens that go between four parties anyhow, without any market."""
    logs: list[RawLog] = []
    for index in range(draw(st.integers(1, 9))):
        sender, receiver = draw(PEOPLE), draw(PEOPLE)
        if draw(st.booleans()):
            contract = draw(st.sampled_from(["0x" + "61" * 20, "0x" + "62" * 20]))
            logs.append(erc721(contract, draw(st.integers(1, 2)), sender, receiver, index=index))
        else:
            currency = draw(st.sampled_from([WETH, USDC]))
            logs.append(erc20(currency, draw(st.integers(1, 9)), sender, receiver, index=index))
    return of_transaction(logs, value=draw(st.integers(0, 9)))


@UNHURRIED
@given(_gifts_and_payments())
def test_without_a_market_no_wei_is_in_two_prices_or_in_the_legs_of_two_sales(
    transaction: ChainTransaction,
) -> None:
    _check(transaction)
    moves, found = _judged(transaction)
    told: Counter[str] = Counter()
    for judged in found.judgements:
        if judged.currency is not None and judged.currency != ETHER:
            told[judged.currency] += judged.price
    for legs in {one.swaps for one in found.judgements}:
        for leg in legs:
            if leg.token_id is None:
                told[leg.contract] += leg.amount
    assert told <= _sent(transaction, moves)


@UNHURRIED
@given(_gifts_and_payments())
def test_in_an_exchange_each_side_gives_and_gets(transaction: ChainTransaction) -> None:
    for one in _judged(transaction)[1].judgements:
        if one.transfer_type == "swap":
            nfts = [leg for leg in one.swaps if leg.token_id is not None]
            assert {leg.sender for leg in nfts} == {leg.receiver for leg in nfts}


_EVENTS = [
    *sudoswap.EVENTS,
    *(*nftx.VAULT_EVENTS, *nftx.NUMBERED_EVENTS, *nftx.ZAP_EVENTS),
    *(blend.LOAN_OFFER_TAKEN, blend.REPAY, blend.REFINANCE, blend.SEIZE, blend.BUY_LOCKED),
    *(*loans.NFTFI, *loans.ARCADE, *loans.BENDDAO, loans.LIQUIDATE),
]
_TOPICS = [event.topic for event in _EVENTS]
_CONTRACTS = [POOL, VAULT, ZAP_2, NFTX_1, BLEND, NFTFI_2, ARCADE, BENDDAO, APES, ALICE]
_PARTIES = st.sampled_from([*_CONTRACTS, BOB])
_WORDS = st.sampled_from([*(word(one) for one in (0, 1, 7, 32, 64, 96, 2**255)), *map(word, _CONTRACTS)])


@st.composite
def _log(draw: st.DrawFn) -> RawLog:
    sender, receiver = draw(_PARTIES), draw(_PARTIES)
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return erc721(APES, draw(st.sampled_from([1, 7])), sender, receiver, index=0)
    if kind == 1:
        currency = draw(st.sampled_from([WETH, POOL_ETHER, VAULT]))
        return erc20(currency, draw(st.integers(0, 2)), sender, receiver, index=0)
    topics = ["0x" + one for one in draw(st.lists(_WORDS, max_size=3))]
    data = bytes.fromhex("".join(draw(st.lists(_WORDS, max_size=12))))[: draw(st.integers(0, 384))]
    plain = erc20(draw(_PARTIES), 1, ALICE, BOB, index=0)
    return plain._replace(topics=(draw(st.sampled_from(_TOPICS)), *topics), data=data)


@UNHURRIED
@given(st.lists(_log(), max_size=15), _PARTIES, st.integers(0, 2))
def test_any_of_their_logs_make_a_verdict_and_no_price_that_nobody_brought(
    logs: list[RawLog], target: str, value: int
) -> None:
    placed = [one._replace(log_index=place) for place, one in enumerate(logs)]
    found = verdict(of_transaction(placed, target=target, value=value))
    native = [
        fill for fill in found.fills if fill.protocol == "sudoswap" and fill.currency == "0x" + "0" * 40
    ]
    assert sum(fill.price for fill in native) <= value
