"""What contracts say of orders, as facts: opened, repriced, ended one by one or in bulk, approved, a pool touched."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class OrderKind(StrEnum):
    """What an event says."""

    OPENED = "opened"
    REPRICED = "repriced"
    """An order that goes on, at what this event says; what it does not say stays."""
    ENDED = "ended"
    """One order, by its hash, or whichever stands for an NFT at this exchange."""
    BULK_ENDED = "bulk-ended"
    """Orders of a maker at this exchange, by a rule for their nonces."""
    NONCE_ENDED = "nonce-ended"
    """The order of a maker at this exchange with this nonce: how what is ``LISTED`` is kept."""
    APPROVED = "approved"
    """An operator may move the NFTs of a maker from now on, or no longer."""
    POOL = "pool"
    """The state of a pool changed: it is to be asked for its price."""
    QUOTED = "quoted"
    """What a pool asks for each NFT that it holds, as it said itself."""
    LISTING = "listing"
    """What sales by a listing's number are in, and who sells. It is no ask: what is one besides, has opened too."""
    BID = "bid"
    """Somebody bid in a listing. It ends and reprices nothing."""
    STATUS = "status"
    """What its exchange says of an order, as of this block: how much of it is taken, whether it was cancelled, and the
    counter of its maker. Nobody logs that: the exchange was asked."""


class NonceRule(StrEnum):
    """Which orders of a maker an event ends in bulk."""

    OTHER = "other"
    """All whose nonce (a counter) is another than this one: Seaport's counter, Blur's nonce."""
    BELOW = "below"
    """All whose nonce is less than this one."""
    LISTED = "listed"
    """Those whose nonce is among these."""
    ALL = "all"
    """All that were made before, whatever their own nonce: this one counts apart from those of single orders."""
    SUBSET = "subset"
    """Those whose subset nonce (LooksRare 2) is among these."""


class OrderEvent(NamedTuple):
    """One thing that a log says of orders. Addresses in lower case, the zero address for native money; seconds.

    What a log does not say is ``None``, and nothing is made up for it.
    """

    kind: OrderKind
    market: str
    """Slug."""
    exchange: str
    """The contract that keeps the order, or whose nonces these are; of an approval the one that is let act by it, where
    a market wants that beside its operator, else the empty text."""
    log_index: int
    place: int = 0
    """Among those that one log says."""
    contract: str | None = None
    token_id: int | None = None
    order_hash: str | None = None
    """The exchange's own name of the order: a hash, or ``<exchange>:<id>`` of a numbered one; ``None``: it has none."""
    maker: str | None = None
    """Seller, bidder, owner of the nonces, or who approves; ``None``: who holds the NFT as of this log or, where it is
    in escrow, who sent it to its holder last."""
    taker: str | None = None
    """The only one who may buy; a contract that lets buyers in, where it chooses them."""
    holder: str | None = None
    """Who must hold the NFT, where it is in escrow."""
    operator: str | None = None
    """Who must be approved by the maker, or is."""
    currency: str | None = None
    price: int | None = None
    """Base units of the currency that a buyer pays, fees on top included, for one lot: one unit of the token as a
    rule."""
    units: int | None = None
    """Lots offered or, of an order that ended in part, taken; ``None``: one, of an NFT of which there is one."""
    end_price: int | None = None
    price_from: int | None = None
    price_until: int | None = None
    """The price goes in a line from ``price`` to ``end_price`` between these moments, and stays."""
    valid_from: int | None = None
    """``None``: from the event's block on."""
    valid_until: int | None = None
    nonce: int | None = None
    """Of an order that opens."""
    rule: NonceRule | None = None
    nonces: tuple[int, ...] = ()
    outcome: str | None = None
    """How it ended: ``filled`` or ``cancelled``."""
    replaces: bool = False
    """It ends what stood for this NFT at this exchange before."""
    is_approved: bool | None = None
    wakes: bool = True
    """The exchange would sell by it again once the NFT or the approval came back to its maker."""
    lot: int = 1
    """Units of the token that are sold together, never fewer."""
    price_seconds: int | None = None
    """How long the price goes in that line, from the event's block on, where the log does not say the moments."""
    lasts: int | None = None
    """Seconds that it stays open from its first purchase on, and without end before; instead of ``valid_until``."""
    per_taker: bool = False
    """Orders for an NFT stand side by side here, one for each ``taker`` and one for all: it ends or replaces only the
    one of its own ``taker``."""
    is_vague: bool = False
    """An end that does not say of which of these orders: the exchange is to be asked which of them are left."""
    delivers: bool | None = None
    """Whether the NFT's contract let the operator move it from its maker, where that was tried."""
    taken: tuple[int, int] | None = None
    """How much of the order is taken: parts, and of how many."""
    factory: str | None = None
    """Who made the pool, by this very event: from here on what the pool says counts."""
