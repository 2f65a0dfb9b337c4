"""What each transfer of a transaction was (decisions, section 6). Pure: evidence in, verdict out."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from indexing.decode.moves import MAX_UINT256, Move
from indexing.decode.punks import PunkBids
from indexing.judge.checks import check
from indexing.judge.exchanges import exchanged
from indexing.judge.legs import legs_of, shortened
from indexing.judge.markets.listings import Listings
from indexing.judge.markets.protocols import read, tells
from indexing.judge.markets.reading import Around, Registry
from indexing.judge.matching import match
from indexing.judge.money import MoneyMove, money_moves
from indexing.judge.payments import bought, payments
from indexing.judge.shares import shares
from indexing.judge.trace import TOO_MUCH_TOGETHER, plain
from indexing.judge.verdicts import NATIVE, Fault, Fill, Judgement, Match, Trace, Verdict
from indexing.node.transactions import ChainTransaction
from transfers.ledger.plain import plain_type

_NOTHING_SAID = Trace((), {}, (), (), ())
MINT, TRANSFER, SALE, SWAP, BURN = "mint", "transfer", "sale", "swap", "burn"


def classify(
    transaction: ChainTransaction,
    moves: Sequence[Move],
    registry: Registry,
    bids: PunkBids | None = None,
    listings: Listings | None = None,
) -> Verdict:
    """Say what the moves of a transaction were; never raises, whatever its logs hold.

    ``bids`` are those for punks that earlier transactions entered, ``listings`` what they said of listings.

    Sales are what market events sold and the logs bear out; without any, a payment in a token from the receiver of an
    NFT to its sender. What is left is a mint, a burn, an exchange or a plain transfer.
    """
    money = money_moves(transaction.logs, {move.log_index for move in moves})
    if not money and not tells(transaction.logs, registry):
        return _quiet(transaction, moves, registry)
    bids, listings = bids or PunkBids(), listings or Listings()
    around = Around(transaction, moves, money, registry, bids=bids, listings=listings)
    fills, faults = read(around)
    matches = match([fill for fill in fills if not fill.is_loan], moves, registry)
    check(matches, around, faults)
    faults += _unbelieved(matches, {one.log_index for one in faults})
    judged, sold, beyond = _sold(matches, moves)
    faults += beyond
    paid = {} if fills else payments(moves, money)
    without_events = bought(moves, paid)
    judged |= without_events
    judged |= exchanged(moves, judged, () if fills else money)
    judged = shortened(judged, moves)
    minted = _mint_value(transaction, moves, money) if not fills else 0
    return Verdict(
        moves=moves,
        judgements=tuple(judged.get(place) or _plain(move, minted) for place, move in enumerate(moves)),
        markets=_markets(fills, transaction, registry),
        is_commercial=any(not fill.is_loan for fill in fills),
        fills=tuple(fills),
        faults=tuple(faults),
        trace=Trace(matches, sold, without_events.keys(), paid.keys(), money),
        shares=shares(sold, judged, registry.sources),
    )


def _quiet(transaction: ChainTransaction, moves: Sequence[Move], registry: Registry) -> Verdict:
    """Say what the moves of a transaction were in which no market says anything and no token is paid, as in most."""
    judged = {} if len(moves) < 2 else shortened(exchanged(moves, ()), moves)
    minted = _mint_value(transaction, moves, ())
    return Verdict(
        moves=moves,
        judgements=tuple([judged.get(place) or _plain(move, minted) for place, move in enumerate(moves)]),
        markets=_markets((), transaction, registry),
        is_commercial=False,
        fills=(),
        faults=(),
        trace=_NOTHING_SAID,
    )


def _sold(
    matches: Sequence[Match], moves: Sequence[Move]
) -> tuple[dict[int, Judgement], dict[int, list[Match]], list[Fault]]:
    """Return what the moves were that fills sold or exchanged, by their places, and the fills that did, likewise.

    A market may deliver what several fills sold in one transfer: its units are one item with the whole price. Those
    that cannot be are noted with the checks of each, and returned as faults.
    """
    faults = []
    found: dict[int, list[Match]] = {}
    alone: dict[int, list[Judgement]] = {}
    for one in matches:
        for at, judgement in _judge_fill(one, moves).items():
            found.setdefault(at, []).append(one)
            alone.setdefault(at, []).append(judgement)
    together: dict[tuple[int, ...], Judgement] = {}
    judged: dict[int, Judgement] = {}
    for at, own in found.items():
        if len(own) == 1:
            (judged[at],) = alone[at]
            continue
        key = tuple(map(id, own))
        if key not in together:
            together[key] = _together(alone[at], own, moves)
            total = _total(alone[at])
            if total is not None and total > MAX_UINT256:
                first, reason = own[0].fill, TOO_MUCH_TOGETHER.text(plain)
                faults.append(Fault(first.protocol, first.log_index, reason, first.currency, total))
                for one in own:
                    one.checks.append(TOO_MUCH_TOGETHER)
        judged[at] = together[key]
    return judged, found, faults


def _unbelieved(matches: Sequence[Match], known: Container[int]) -> Iterator[Fault]:
    """Yield a fault for each fill that is not borne out, unless one is ``known`` of its event, by log index."""
    for one in matches:
        if one.fault is not None and one.fill.log_index not in known:
            fill = one.fill
            yield Fault(fill.protocol, fill.log_index, one.fault.text(plain), fill.currency, fill.price)


def _together(judgements: Sequence[Judgement], matches: Sequence[Match], moves: Sequence[Move]) -> Judgement:
    """Return what one move was of which each fill sold some units."""
    first, total = judgements[0], _total(judgements)
    if total is not None and total <= MAX_UINT256:
        return Judgement(SALE, first.currency, total)
    return first._replace(currency=None, price=0, swaps=legs_of(matches, moves))


def _total(judgements: Sequence[Judgement]) -> int | None:
    """Return the sum of prices in one currency; ``None`` where there is more than one, or a price is missing."""
    if judgements[0].currency is None or len({one.currency for one in judgements}) > 1:
        return None
    return sum(one.price for one in judgements)


def _judge_fill(one: Match, moves: Sequence[Move]) -> dict[int, Judgement]:
    """Return what the moves of a fill were; nothing where nothing was paid for them."""
    fill = one.fill
    if not one.moves:
        return {}
    if one.returned:
        legs = legs_of([one], moves)
        there = (*one.moves, *one.returned)
        # What was minted or burned for the exchange is a mint or a burn before it is a swap.
        return {place: Judgement(SWAP, swaps=legs) for place in there if not _is_plain(moves[place])}
    if not fill.is_paid:
        return {}
    if one.no_price is None:
        return {one.moves[0]: Judgement(SALE, fill.currency, fill.price)}
    legs = legs_of([one], moves)
    return {place: Judgement(SALE, swaps=legs) for place in one.moves}


def _mint_value(transaction: ChainTransaction, moves: Sequence[Move], money: Sequence[MoneyMove]) -> int:
    """Return what a mint in this transaction was paid, in wei; 0 where it was not one NFT that was bought alone."""
    if len(moves) != 1 or not moves[0].amount:
        return 0
    buyers = {transaction.sender, moves[0].receiver}
    return 0 if any(one.receiver in buyers for one in money) else transaction.value


def _plain(move: Move, paid: int = 0) -> Judgement:
    """Return what a move was that nobody sold; ``paid`` is what it is worth if it is a mint."""
    kind = plain_type(move.sender, move.receiver)
    return Judgement(MINT, NATIVE, paid) if kind == MINT and paid else Judgement(kind or TRANSFER)


def _is_plain(move: Move) -> bool:
    """Whether it is a mint or a burn."""
    return _plain(move).transfer_type != TRANSFER


def _markets(fills: Sequence[Fill], transaction: ChainTransaction, registry: Registry) -> tuple[str, ...]:
    slugs = [fill.market for fill in fills]
    named = None if transaction.target is None else registry.targets.get(transaction.target)
    return tuple(dict.fromkeys([*slugs, named] if named else slugs))
