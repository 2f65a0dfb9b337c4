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
    valid_from: int = 0
    seen_at: int | None = None
    """When its source last showed it."""
    offered: int | None = None
    """Units that it sells in all, those that were taken included."""
    lot: int | None = None
    """Units that are only sold together."""

    @property
    def seller(self) -> str | None:
        """Who must hold the NFT."""
        return self.holder or self.maker

    @property
    def made_at(self) -> int:
        """When it certainly stood already: it began to be valid, or its source showed it; 0: not known."""
        return self.seen_at or self.valid_from

    @property
    def is_gone(self) -> bool:
        """Whether its source's word that it is not for sale counts.

        Against a validation on the chain it does so only where a zone has to agree to each purchase, which its maker
        may have told not to without a log. (What has no hash is gone by the word of the chain itself.)
        """
        is_validated = self.opened is not None and ":" not in self.order_hash
        return self.gone and not (is_validated and self.wakes)

    def is_before(self, position: Position, timestamp: int) -> bool:
        """Tell whether it certainly was made, and its source last showed it, before something happened."""
        if self.opened is not None:
            return self.opened < position and (self.seen_at or 0) < timestamp
        return 0 < self.made_at < timestamp


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
    delivers: bool | None = None
    """Whether the NFT's contract let the operator move it, when that was tried."""
    taken: tuple[int, int] | None = None
    """How much of the order was taken by then: parts, and of how many."""

    @property
    def position(self) -> Position:
        return self.block, self.log_index


class Fill(NamedTuple):
    """Units of an order that a transaction took."""

    transaction_hash: str
    units: int
    block: int | None = None
    """``None``: not known."""


class Holding(NamedTuple):
    """What is known of who holds the NFT of an ask."""

    is_known: bool
    units: int = 0
    """Of who must hold it."""
    left_since: bool = False
    """Whether they held none of it at some time since the ask was made."""
    moved: Position = (-1, -1)
    """Their last move of it, to them or away."""


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
    told = _told(offer, events)
    if told is not None and told.taken is not None:
        offer = _as_told(offer, fills, told, *told.taken)
    taken = [*fills, *_parts(offer, events)]
    amount = offer.amount
    is_one = amount in (None, 0, 1) if offer.offered is None else offer.offered == 1
    if taken and is_one:
        return amount and 0, FILLED, Reason.FILLED
    if amount is not None:
        left = amount - sum(one.units for one in taken if one.transaction_hash not in offer.reflects)
        amount = max(left, 0)
        if left <= 0 and (taken or (told is not None and told.taken is not None)):
            return amount, FILLED, Reason.FILLED
    ends = sorted((one for one in events if _ends(offer, one)), key=lambda one: one.position)
    if ends:
        is_filled = ends[0].outcome == FILLED
        return amount, FILLED if is_filled else CANCELLED, Reason.FILLED if is_filled else Reason.CANCELLED
    if _is_revoked(offer, events):
        return amount, CANCELLED, Reason.COUNTER
    return amount, OPEN, ""


def _told(offer: Offer, events: Iterable[End]) -> End | None:
    """Return what its exchange said of it last, when it was asked."""
    told = [one for one in events if one.kind == OrderKind.STATUS and _is_named(offer, one)]
    return max(told, key=lambda one: one.position, default=None)


def _as_told(offer: Offer, fills: Iterable[Fill], told: End, parts: int, of: int) -> Offer:
    """Return an order with as many units left as its exchange said, of which later fills are still to be taken."""
    if offer.offered is None and parts < of:
        return offer
    before = (one.transaction_hash for one in fills if one.block is not None and one.block <= told.block)
    return offer._replace(amount=(offer.offered or 0) * (of - parts) // of, reflects=frozenset(before))


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
    return offer.lot or next(
        (one.lot for one in events if one.kind == OrderKind.OPENED and _is_named(offer, one)), 1
    )


def _is_named(offer: Offer, one: End) -> bool:
    return one.order_hash == offer.order_hash and offer.exchange in (None, one.exchange)


def _ends(offer: Offer, one: End) -> bool:
    if one.kind == OrderKind.STATUS:
        return one.outcome is not None and _is_named(offer, one)
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
    told = [one for one in own if one.kind == OrderKind.STATUS and one.nonce is not None]
    counters = [one for one in bulk if one.rule == NonceRule.OTHER] + told
    present = max(counters, key=lambda one: one.position, default=None)
    least = [one.nonce for one in bulk if one.rule == NonceRule.BELOW and one.nonce is not None]
    is_other = present is not None and present.nonce != offer.nonce
    return is_other or (bool(least) and offer.nonce < max(least))


def _is_before(offer: Offer, one: End) -> bool:
    """Tell whether an ask certainly was made before an event."""
    if offer.opened is not None:
        return offer.opened < one.position
    return 0 < offer.made_at < one.timestamp


def _sleeping(offer: Offer, events: Iterable[End], holding: Holding) -> str:
    """Return why an ask that nothing ended cannot be filled now; empty: it can."""
    if offer.is_gone:
        return Reason.GONE
    if offer.taker is not None:
        return Reason.PRIVATE
    has_left = holding.units < _lot(offer, events) or (holding.left_since and not offer.wakes)
    if offer.seller is not None and holding.is_known and has_left:
        return Reason.NOT_OWNER
    said = sorted((one for one in events if one.kind == OrderKind.APPROVED), key=lambda one: one.position)
    # An approval that names an exchange lets that act at all, beside the operator that moves the NFT.
    if [one.is_approved for one in said if one.exchange][-1:] == [False]:
        return Reason.NO_APPROVAL
    if offer.operator is None:
        return ""
    return _undelivered(offer, [one for one in said if not one.exchange], holding)


def _undelivered(offer: Offer, said: Sequence[End], holding: Holding) -> str:
    """Return why the operator cannot move the NFT, as of the last that is known; empty: it can, or nothing is.

    What its contract did when the move was tried counts until the NFT moves or the approval of all changes.
    """
    of_all = [one for one in said if one.token_key is None and one.is_approved is not None]
    taken_back = (one for one in of_all if not one.is_approved and one.transaction_hash)  # a log said so
    if not offer.wakes and any(offer.is_before(one.position, one.timestamp) for one in taken_back):
        return Reason.NO_APPROVAL
    of_one = [one for one in said if one.token_key is not None and one.position > holding.moved]
    single = [one for one in of_one if one.is_approved is not None]
    is_approved = any(some and some[-1].is_approved for some in (of_all, single))
    tried = [one for one in of_one if one.delivers is not None]
    if tried and not _is_changed(of_all, tried[-1].position):
        is_refused = is_approved or not of_all
        return "" if tried[-1].delivers else Reason.REFUSED if is_refused else Reason.NO_APPROVAL
    is_denied = not is_approved if of_all or single else offer.approved is False
    return Reason.NO_APPROVAL if is_denied else ""


def _is_changed(of_all: Sequence[End], since: Position) -> bool:
    """Tell whether the approval of all is another than it was at a moment."""
    before = [one.is_approved for one in of_all if one.position <= since]
    later = [one.is_approved for one in of_all if one.position > since]
    return bool(later) and later[-1] != (before[-1] if before else None)
