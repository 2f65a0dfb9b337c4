"""What an ask is at a moment of the chain, as a pure function of stated facts, fills, events, ownership and approvals.

Nothing is patched: whatever came first, and whatever a reorganisation took away, the same facts give the same state
(decisions, section 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tokens.models import Ask
from transfers.ledger.order_facts import NonceRule, OrderKind

OPEN, FILLED, CANCELLED = (str(one) for one in (Ask.Status.OPEN, Ask.Status.FILLED, Ask.Status.CANCELLED))
Reason = Ask.Reason

Position = tuple[int, int]
"""Block and log index."""


class Offer(NamedTuple):
    """An ask as it was stated, or opened by a log. Amounts in units, moments in Unix seconds, addresses as stored."""

    order_hash: str
    amount: int | None
    """Units left as stated; ``None``: not told, so the first fill ends it."""
    status: str
    reflects: frozenset[str]
    """Transactions whose fills the amount is less already."""
    maker: str | None = None
    taker: str | None = None
    holder: str | None = None
    operator: str | None = None
    approved: bool | None = None
    """Whether the operator is, as was stated."""
    exchange: str | None = None
    nonce: int | None = None
    wakes: bool = True
    gone: bool = False
    """Its source shows it no more."""
    opened: Position | None = None
    """Of the log that opened it."""
    made_at: int = 0
    """When it certainly stood already: it began to be valid, or its source showed it; 0: not known."""

    @property
    def seller(self) -> str | None:
        """Who must hold the NFT."""
        return self.holder or self.maker


class End(NamedTuple):
    """An order event that may end an ask, or say something of an approval."""

    kind: str
    exchange: str
    block: int
    log_index: int
    timestamp: int
    order_hash: str | None = None
    taker: str | None = None
    outcome: str | None = None
    units: int | None = None
    transaction_hash: str = ""
    rule: str | None = None
    nonce: int | None = None
    lot: int = 1
    """Units of the token that are sold together."""
    replaces: bool = False
    per_taker: bool = False
    """It concerns only the order of its own ``taker``."""
    is_approved: bool | None = None
    token_key: str | None = None
    """Of the NFT that it names: an approval without one is for all."""

    @property
    def position(self) -> Position:
        """Its place on the chain."""
        return self.block, self.log_index


class Fill(NamedTuple):
    """Units of an order that a transaction took."""

    transaction_hash: str
    units: int


class Holding(NamedTuple):
    """What is known of who holds the NFT of an ask."""

    is_known: bool
    units: int = 0
    """Of who must hold it."""
    left_since: bool = False
    """Whether they held none of it at some time since the ask was made."""
    moved: Position = (-1, -1)
    """Their last move of it away."""


class State(NamedTuple):
    """What follows: units left, status, why it is not live (empty: it is, within its time), and whether it is.

    Of one that is live no more units are left than its seller has.
    """

    amount: int | None
    status: str
    reason: str
    active: bool


def state(offer: Offer, fills: Sequence[Fill], events: Sequence[End], holding: Holding) -> State:
    """Return what an ask is. ``events``: those of its hash, its NFT, its maker at its exchange, and its approvals."""
    amount, status, reason = _ended(offer, fills, events)
    if status == OPEN:
        reason = _sleeping(offer, events, holding)
        if amount == 0:
            reason = reason or Reason.FILLED
        if amount is not None and not reason and offer.seller is not None and holding.is_known:
            amount = min(amount, holding.units)
    return State(amount, status, str(reason), status == OPEN and not reason)


def _ended(offer: Offer, fills: Sequence[Fill], events: Sequence[End]) -> tuple[int | None, str, str]:
    if offer.status != OPEN:
        return offer.amount, offer.status, Reason.FILLED if offer.status == FILLED else Reason.CANCELLED
    taken = [*fills, *_parts(offer, events)]
    amount = offer.amount
    if taken and amount in (None, 0, 1):
        return amount and 0, FILLED, Reason.FILLED
    if amount is not None:
        left = amount - sum(one.units for one in taken if one.transaction_hash not in offer.reflects)
        amount = max(left, 0)
        if taken and left <= 0:
            return amount, FILLED, Reason.FILLED
    ends = sorted((one for one in events if _ends(offer, one)), key=lambda one: one.position)
    if ends:
        is_filled = ends[0].outcome == FILLED
        return amount, FILLED if is_filled else CANCELLED, Reason.FILLED if is_filled else Reason.CANCELLED
    if _is_revoked(offer, events):
        return amount, CANCELLED, Reason.COUNTER
    return amount, OPEN, ""


def _parts(offer: Offer, events: Iterable[End]) -> list[Fill]:
    """Return what events of the order say was taken of it, where they tell how many lots."""
    lot = _lot(offer, events)
    return [
        Fill(one.transaction_hash, one.units * lot)
        for one in events
        if one.kind == OrderKind.ENDED and one.units is not None and _is_named(offer, one)
    ]


def _lot(offer: Offer, events: Iterable[End]) -> int:
    """Return how many units of the token it sells together."""
    return next((one.lot for one in events if one.kind == OrderKind.OPENED and _is_named(offer, one)), 1)


def _is_named(offer: Offer, one: End) -> bool:
    return one.order_hash == offer.order_hash and offer.exchange in (None, one.exchange)


def _ends(offer: Offer, one: End) -> bool:
    if one.kind == OrderKind.ENDED and one.order_hash is not None:
        return one.units is None and _is_named(offer, one)
    if one.exchange != offer.exchange or offer.opened is None or one.position <= offer.opened:
        return False  # of its NFT, and so of whichever order stood for it then
    is_meant = not one.per_taker or offer.taker == one.taker
    return is_meant and (one.kind == OrderKind.ENDED or (one.kind == OrderKind.OPENED and one.replaces))


def _is_revoked(offer: Offer, events: Iterable[End]) -> bool:
    """Tell whether its maker ended it with others, by a counter or a nonce."""
    own = [one for one in events if one.exchange == offer.exchange]
    if any(one.kind == OrderKind.NONCE_ENDED and one.nonce == offer.nonce is not None for one in own):
        return True
    bulk = sorted((one for one in own if one.kind == OrderKind.BULK_ENDED), key=lambda one: one.position)
    if any(_is_before(offer, one) for one in bulk if one.rule == NonceRule.ALL or offer.nonce is None):
        return True
    if offer.nonce is None:
        return False
    counters = [one.nonce for one in bulk if one.rule == NonceRule.OTHER]
    least = [one.nonce for one in bulk if one.rule == NonceRule.BELOW and one.nonce is not None]
    return (bool(counters) and counters[-1] != offer.nonce) or (bool(least) and offer.nonce < max(least))


def _is_before(offer: Offer, one: End) -> bool:
    """Tell whether an ask certainly was made before an event."""
    if offer.opened is not None:
        return offer.opened < one.position
    return 0 < offer.made_at < one.timestamp


def _sleeping(offer: Offer, events: Iterable[End], holding: Holding) -> str:
    """Return why an ask that nothing ended cannot be filled now; empty: it can."""
    if offer.gone:
        return Reason.GONE
    if offer.taker is not None:
        return Reason.PRIVATE
    has_left = holding.units < _lot(offer, events) or (holding.left_since and not offer.wakes)
    if offer.seller is not None and holding.is_known and has_left:
        return Reason.NOT_OWNER
    said = [one for one in events if one.kind == OrderKind.APPROVED and one.is_approved is not None]
    said.sort(key=lambda one: one.position)
    # An approval that names an exchange lets that act at all, beside the operator that moves the NFT.
    of_exchange = [one.is_approved for one in said if one.exchange]
    is_shut_out = of_exchange[-1:] == [False]
    if is_shut_out or (offer.operator is not None and _is_approved(offer, said, holding) is False):
        return Reason.NO_APPROVAL
    return ""


def _is_approved(offer: Offer, said: Iterable[End], holding: Holding) -> bool | None:
    """Tell whether the maker lets the operator move the NFT, as of the last that is known; ``None``: nothing is."""
    said = [one for one in said if not one.exchange]
    of_all = [one.is_approved for one in said if one.token_key is None]
    of_one = [one.is_approved for one in said if one.token_key and one.position > holding.moved]
    if any(of_all[-1:]) or any(of_one[-1:]):
        return True
    return False if of_all or of_one else offer.approved
