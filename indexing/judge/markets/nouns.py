"""Auction houses of the kind of Nouns, which sell one NFT of their collection after the other.

``AuctionSettled(uint256 indexed nounId, address winner, uint256 amount)``; in Nouns Builder and some others
the number is not indexed. The auction house, which holds the NFT since it was minted, moves it to the winner
just before, or has it burned where nobody bid (the winner is then the zero address, the amount 0). The amount
is in wei, and was paid in when it was bid, as a rule in an earlier transaction. ``AuctionCreated(uint256
indexed nounId, uint256 startTime, uint256 endTime)``, indexed or not likewise, follows in the same call
(``settleCurrentAndCreateNewAuction``) once the next NFT is minted to the auction house. Specified by
``NounsAuctionHouse.sol`` (versions 1 to 3) of the published nouns-monorepo and ``Auction.sol`` of the
published nouns-protocol (Nouns Builder).

Anybody may deploy an auction house, so that its address says little. One that is no known deployment is
believed when

- it is itself the contract that the NFT leaves, for the winner, by a log before the event: an event beside a
  foreign sale, or one about an NFT that it never had, sells nothing;
- the NFT's own contract mints the next NFT in the same transaction, that NFT is with the auction house in the
  end, and ``AuctionCreated`` names it: the collection lets this contract mint;
- the NFT's own contract keeps votes (``DelegateVotesChanged`` of ERC-5805) and takes those of the sold NFT
  from the auction house: collections that anybody may mint keep none, as a rule.

Whoever buys a token of somebody else's collection in order to "sell" it from a look-alike can bring about
neither of the latter two. What is left is a collection that is of the deceiver's own making. Its sales are
sales, but their price is any number that the deceiver likes: an unknown auction house has one only in a
token, of which it pays out as much. No log bears out native money: it has no price until an operator, whom
a fault tells, adds the contract. What is not believed is no sale, and a fault as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import Move
from indexing.decode.words import UndecodableError, address, number, topic_number
from indexing.judge.markets.deliveries import nearest
from indexing.judge.markets.reading import Around
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Side
from indexing.node.logs import RawLog

AUCTION_SETTLED = "0xc9f72b276a388619c6d185d146697036241880c36654b1a3ffdad07c24038d99"
AUCTION_CREATED = "0xd6eddd1118d71820909c1197aa966dbc15ed6f508554252169cc3d5ccac756ca"
# event DelegateVotesChanged(address indexed delegate, uint256 previousVotes, uint256 newVotes)
DELEGATE_VOTES_CHANGED = "0xdec2bacdd2f05b59de34da9b523dff8be42e5e38e818c82fdb0bae774387a724"


class _Settled(NamedTuple):
    token_id: int
    winner: str
    amount: int


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what an auction house sold, one fill an auction; an auction that nobody bid in is none.

    The events of a contract that is no known deployment say nothing where they do not fit: many contracts have an event
    of this hash.
    """
    is_known = deployment.address in around.registry.markets
    taken: set[int] = set()
    ended = [log for log in logs if log.topics[:1] == (AUCTION_SETTLED,)]
    if not is_known and len(ended) > 1:
        return  # one call ends one auction, and one begins then
    for log in ended:
        try:
            settled = _settled(log)
        except UndecodableError as fault:
            if is_known:
                yield Fault(deployment.protocol, log.log_index, str(fault))
            continue
        if settled.winner == ZERO_ADDRESS:
            continue
        place = nearest(
            around.moves,
            log.log_index,
            taken,
            sender=log.address,
            receiver=settled.winner,
            token_id=settled.token_id,
        )
        if place is not None:
            taken.add(place)
            yield from _judged(settled, log, place, deployment, around, is_known=is_known)
        elif is_known:
            reason = "The NFT does not leave the auction house for the winner."
            yield Fault(deployment.protocol, log.log_index, reason, NATIVE, settled.amount)


def _judged(
    settled: _Settled, log: RawLog, place: int, deployment: Deployment, around: Around, *, is_known: bool
) -> Iterator[Fill | Fault]:
    move = around.moves[place]
    currency = _currency(settled.amount, log.address, around)
    if not is_known and (doubt := _doubt(move, currency, log, around)):
        yield Fault(deployment.protocol, log.log_index, doubt)
        return
    reason = _reason(currency, is_known=is_known) if settled.amount else None
    yield Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=Side.AUCTION,
        seller=log.address,
        buyer=settled.winner,
        items=(Item(move.contract, move.token_id, move.amount),),
        currency=currency or NATIVE,
        price=settled.amount if reason is None else 0,
        moves=(place,),
        escrowed=True,
        unpriced=reason is not None,
    )
    if reason is not None:
        yield Fault(deployment.protocol, log.log_index, reason, currency or NATIVE, settled.amount)


def _reason(currency: str | None, *, is_known: bool) -> str | None:
    """Return why the amount that an auction house tells is no price."""
    if currency is None:
        return "The auction house pays out a token, but not as much as it says that the NFT went for."
    if currency == NATIVE and not is_known:
        return "The auction house is not known, so that its price is not believed: an operator may add the contract."
    return None


def _doubt(sold: Move, currency: str | None, log: RawLog, around: Around) -> str | None:
    """Return why an unknown auction house is not believed."""
    if not (_mints_the_next(sold, log, around) and _took_votes(sold, log, around)):
        return "An unknown auction house: nothing ties the NFT's contract to it."
    if currency is None:
        return "An unknown auction house pays out a token, but not as much as it says that the NFT went for."
    return None


def _mints_the_next(sold: Move, log: RawLog, around: Around) -> bool:
    """Whether the NFT that the next auction is of was minted after the sale, and is with the auction house."""
    created = [
        one
        for one in around.transaction.logs
        if one.address == log.address
        and one.log_index > log.log_index
        and one.topics[:1] == (AUCTION_CREATED,)
    ]
    if len(created) != 1 or (token_id := _first_number(created[0])) is None:
        return False
    moves = [
        move
        for move in around.moves
        if (move.contract, move.token_id) == (sold.contract, token_id) and move.log_index > sold.log_index
    ]
    return bool(moves) and moves[0].sender == ZERO_ADDRESS and moves[-1].receiver == log.address


def _took_votes(sold: Move, log: RawLog, around: Around) -> bool:
    delegate = "0x" + log.address[2:].rjust(64, "0")
    return any(
        one.address == sold.contract
        and one.topics == (DELEGATE_VOTES_CHANGED, delegate)
        and one.log_index < log.log_index
        and len(one.data) == 64
        and one.data[:32] > one.data[32:]
        for one in around.transaction.logs
    )


def _currency(amount: int, house: str, around: Around) -> str | None:
    """Return the token that the auction house paid so much of; ``None`` where it paid out another amount of one.

    What comes back to it does not count: else a little that goes round would be any amount. Ether that a receiver
    refuses is paid as WETH: the bid was in ether all the same.
    """
    paid: dict[str, int] = defaultdict(int)
    for one in around.money:
        if one.sender == house and one.currency not in around.registry.wrapped_native:
            paid[one.currency] += one.amount
        if one.receiver == house and one.currency in paid:
            paid[one.currency] = max(0, paid[one.currency] - one.amount)
    if not paid:
        return NATIVE
    return next((currency for currency, total in paid.items() if total == amount), None)


def _settled(log: RawLog) -> _Settled:
    start = _data_start(log)
    return _Settled(_number_of(log), address(log.data, start), number(log.data, start + 32))


def _first_number(log: RawLog) -> int | None:
    try:
        return _number_of(log)
    except UndecodableError:
        return None


def _number_of(log: RawLog) -> int:
    return topic_number(log.topics, 1) if _data_start(log) == 0 else number(log.data, 0)


def _data_start(log: RawLog) -> int:
    if len(log.topics) not in (1, 2):
        raise UndecodableError(f"An auction's event has 1 or 2 topics, this log {len(log.topics)}.")
    return 0 if len(log.topics) == 2 else 32
