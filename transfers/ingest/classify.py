"""What each transfer of a transaction was (decisions, section 6). Pure: evidence in, verdict out."""

from __future__ import annotations

from collections.abc import Container, Sequence

from nftsite.net.addresses import DEAD_ADDRESS, ZERO_ADDRESS
from transfers.ingest.checks import unpaid
from transfers.ingest.exchanges import exchanged
from transfers.ingest.markets.protocols import read
from transfers.ingest.markets.reading import Around
from transfers.ingest.markets.registry import Registry
from transfers.ingest.matching import Match, match
from transfers.ingest.money import Purse, money_moves
from transfers.ingest.moves import Move
from transfers.ingest.payments import paid_between
from transfers.ingest.punk_bids import PunkBids
from transfers.ingest.sales import NATIVE, Fault, Fill, Judgement, Leg, Verdict
from transfers.ingest.transactions import ChainTransaction

MINT, TRANSFER, SALE, SWAP, BURN = "mint", "transfer", "sale", "swap", "burn"


def classify(
    transaction: ChainTransaction, moves: Sequence[Move], registry: Registry, bids: PunkBids | None = None
) -> Verdict:
    """Say what the moves of a transaction were; never raises, whatever its logs hold.

    ``bids`` are those for punks that earlier transactions entered.

    Sales are what market events sold and the logs bear out; without any, a payment in a token from the receiver of an
    NFT to its sender. What is left is a mint, a burn, an exchange or a plain transfer.
    """
    money = money_moves(transaction.logs, {move.log_index for move in moves})
    around = Around(transaction, moves, money, registry, bids=bids or PunkBids())
    fills, faults = read(around)
    matches = match([fill for fill in fills if not fill.is_loan], moves, registry)
    purse = Purse(around.money, registry.markets)
    unsound = unpaid(matches, around, purse)
    faults += [
        Fault(one.fill.protocol, one.fill.log_index, unsound[place], one.fill.currency, one.fill.price)
        for place, one in enumerate(matches)
        if place in unsound
    ]
    faults += [_undelivered(one) for one in matches if one.missing and one.fill.is_paid]
    judged = _sold(matches, moves, unsound)
    if not fills:
        judged |= paid_between(moves, around.money, purse)
    judged |= exchanged(moves, judged)
    alone = len(moves) == 1 and not fills
    return Verdict(
        judgements=tuple(
            judged.get(place) or _plain(move, transaction if alone else None)
            for place, move in enumerate(moves)
        ),
        markets=_markets(fills, transaction, registry),
        is_commercial=any(not fill.is_loan for fill in fills),
        fills=tuple(fills),
        faults=tuple(faults),
    )


def _sold(matches: Sequence[Match], moves: Sequence[Move], unsound: Container[int]) -> dict[int, Judgement]:
    """Return what the moves were that fills sold or exchanged, by their places.

    A market may deliver what several fills sold in one transfer: its units are one item with the whole price.
    """
    found: dict[int, list[tuple[Match, Judgement]]] = {}
    for place, one in enumerate(matches):
        for at, judgement in _judge_fill(one, moves, sound=place not in unsound).items():
            found.setdefault(at, []).append((one, judgement))
    return {at: _together(some, moves) for at, some in found.items()}


def _together(some: Sequence[tuple[Match, Judgement]], moves: Sequence[Move]) -> Judgement:
    """Return what one move was of which each fill sold some units."""
    first = some[0][1]
    if len(some) == 1:
        return first
    if first.currency is not None and {one.currency for _, one in some} == {first.currency}:
        return Judgement(SALE, first.currency, sum(one.price for _, one in some))
    legs = [leg for match, _ in some for leg in _legs(match, moves)]
    nfts = dict.fromkeys(leg for leg in legs if leg.token_id is not None)
    return first._replace(
        currency=None, price=0, swaps=(*nfts, *(leg for leg in legs if leg.token_id is None))
    )


def _judge_fill(one: Match, moves: Sequence[Move], *, sound: bool) -> dict[int, Judgement]:
    """Return what the moves of a fill were; nothing where nothing was paid for them."""
    fill = one.fill
    if not one.moves:
        return {}
    if fill.returned:
        legs = _legs(one, moves)
        there = (*one.moves, *one.returned)
        # What was minted or burned for the exchange is a mint or a burn before it is a swap.
        return {place: Judgement(SWAP, swaps=legs) for place in there if not _is_plain(moves[place])}
    if not fill.is_paid:
        return {}
    if sound and len(one.moves) == 1 and not (one.missing or fill.mixed or fill.unpriced):
        return {one.moves[0]: Judgement(SALE, fill.currency, fill.price)}
    legs = _legs(one, moves)
    return {place: Judgement(SALE, swaps=legs) for place in one.moves}


def _legs(one: Match, moves: Sequence[Move]) -> tuple[Leg, ...]:
    """Return every leg of a fill: the NFTs as they moved, and the money as the event tells it."""
    fill = one.fill
    legs = [
        Leg(
            moves[place].contract,
            moves[place].token_id,
            moves[place].sender,
            moves[place].receiver,
            moves[place].amount,
            fill.market,
        )
        for place in (*one.moves, *one.returned)
    ]
    first = moves[one.moves[0]]
    seller, buyer = fill.seller or first.sender, fill.buyer or first.receiver
    rest = fill.price
    for payment in fill.payments:
        # Money that the buyer receives is the seller's, offered along with the NFTs.
        payer = seller if payment.receiver == buyer else buyer
        legs.append(Leg(payment.currency, None, payer, payment.receiver, payment.amount, fill.market))
        if payment.currency == fill.currency and payer == buyer:
            rest -= payment.amount
    if rest > 0:
        legs.append(Leg(fill.currency, None, buyer, seller, rest, fill.market))
    return tuple(legs)


def _undelivered(one: Match) -> Fault:
    fill = one.fill
    return Fault(
        fill.protocol,
        fill.log_index,
        f"No NFT log delivers {one.missing} of the items that the event says were sold.",
        fill.currency,
        fill.price,
    )


def _plain(move: Move, paid: ChainTransaction | None) -> Judgement:
    """Return what a move was that nobody sold; ``paid`` is the transaction where this is all that it did."""
    if move.sender == ZERO_ADDRESS:
        if paid is not None and paid.value:
            return Judgement(MINT, NATIVE, paid.value)
        return Judgement(MINT)
    if move.receiver in (ZERO_ADDRESS, DEAD_ADDRESS):
        return Judgement(BURN)
    return Judgement(TRANSFER)


def _is_plain(move: Move) -> bool:
    """Whether it is a mint or a burn."""
    return _plain(move, None).transfer_type != TRANSFER


def _markets(fills: Sequence[Fill], transaction: ChainTransaction, registry: Registry) -> tuple[str, ...]:
    slugs = [fill.market for fill in fills]
    named = None if transaction.target is None else registry.targets.get(transaction.target)
    return tuple(dict.fromkeys([*slugs, named] if named else slugs))
