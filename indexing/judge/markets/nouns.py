"""Auction houses of the kind of Nouns, which sell one NFT of their collection after the other.

``AuctionSettled``: the auction house, which holds the NFT since it was minted, moves it to the winner just before, or
has it burned where nobody bid (the winner is then the zero address, the amount 0). The amount is in wei, and was paid
in when it was bid, as a rule in an earlier transaction. ``AuctionCreated`` follows in the same call
(``settleCurrentAndCreateNewAuction``) once the next NFT is minted to the auction house. In Nouns Builder and some
others the number is not indexed. Specified by
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
from indexing.decode.signatures import Event, Fields
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.deliveries import nearest
from indexing.judge.markets.reading import Around, Deployment, items
from indexing.judge.verdicts import NATIVE, Fault, Fill, Side
from indexing.node.logs import RawLog

AUCTION_SETTLED = Event("AuctionSettled(uint256 indexed nounId, address winner, uint256 amount)")
_SETTLED_PLAIN = Event("AuctionSettled(uint256 nounId, address winner, uint256 amount)")
AUCTION_CREATED = Event("AuctionCreated(uint256 indexed nounId, uint256 startTime, uint256 endTime)")
_CREATED_PLAIN = Event("AuctionCreated(uint256 nounId, uint256 startTime, uint256 endTime)")
DELEGATE_VOTES_CHANGED = Event(
    "DelegateVotesChanged(address indexed delegate, uint256 previousVotes, uint256 newVotes)"
)


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
    ended = [log for log in logs if log.topics[:1] == (AUCTION_SETTLED.topic,)]
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
        deployment.protocol,
        deployment.market,
        log.log_index,
        Side.AUCTION,
        seller=log.address,
        buyer=settled.winner,
        items=items([move]),
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
        and one.topics[:1] == (AUCTION_CREATED.topic,)
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
        and one.topics == (DELEGATE_VOTES_CHANGED.topic, delegate)
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
    fields = _read(log, AUCTION_SETTLED, _SETTLED_PLAIN)
    return _Settled(fields["nounId"], fields["winner"], fields["amount"])


def _first_number(log: RawLog) -> int | None:
    try:
        number: int = _read(log, AUCTION_CREATED, _CREATED_PLAIN)["nounId"]
    except UndecodableError:
        return None
    return number


def _read(log: RawLog, indexed: Event, plain: Event) -> Fields:
    if len(log.topics) not in (1, 2):
        raise UndecodableError(f"An auction's event has 1 or 2 topics, this log {len(log.topics)}.")
    return (indexed if len(log.topics) == 2 else plain).read(log)


_HOUSES = (
    "0x830bd73e4184cef73443c15111a1df14e495c706",  # Nouns
    "0x55e0f7a3bb39a28bd7bcc458e04b3cf00ad3219e",  # Lil Nouns
)

MARKET = Market(
    "nouns-auction",
    "Nouns auction",
    (Protocol("nouns-auction", fills, {ETHEREUM: _HOUSES}, unlisted=(AUCTION_SETTLED,)),),
)
