"""What market events say, and what it makes of the transfers of a transaction. Plain values, no database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import Move
from indexing.judge.money import MoneyMove
from indexing.judge.trace import MIXED, Check, Remark, failed

NATIVE = ZERO_ADDRESS
"""The native currency, where a currency's contract is asked for."""


class Side(StrEnum):
    """Whose order was filled: the seller's, the buyer's, or what an auction came to."""

    ASK = "ask"
    BID = "bid"
    AUCTION = "auction"


class Item(NamedTuple):
    """Units of one NFT that an order gives, as its event names them."""

    contract: str
    token_id: int
    amount: int = 1


class Payment(NamedTuple):
    """Money that an event says was paid to one receiver, in base units."""

    currency: str
    """Contract; the zero address is the native currency."""
    amount: int
    receiver: str


class Role(StrEnum):
    """What a receiver of money is to a sale."""

    SELLER = "seller"
    PROTOCOL = "protocol"
    ROYALTY = "royalty"
    OTHER = "other"


class Share(NamedTuple):
    """A part of the price of a sale, in base units of its currency."""

    role: Role
    amount: int
    receiver: str | None
    """``None``: the event tells the part, but not who got it."""


class Fill(NamedTuple):
    """An order that a market filled, by its event. Addresses are lower case; money is in base units.

    ``seller`` and ``buyer`` are ``None`` where the event does not name them: the NFT's logs tell.
    """

    protocol: str
    """By its name, with its version: ``seaport-1.5``."""
    market: str
    """Slug of the market."""
    log_index: int
    """Of the event; of the buyer's one where two events are one fill."""
    side: Side
    seller: str | None = None
    buyer: str | None = None
    items: tuple[Item, ...] = ()
    """What the seller gives."""
    currency: str = NATIVE
    price: int = 0
    """Gross: all that the buyer's side pays for the items, fees and royalties included. 0: nothing is paid, unless
    the fill is ``unpriced``."""
    payments: tuple[Payment, ...] = ()
    """How the price is split, as far as the event says so; each is to be found among the money logs."""
    order_hashes: tuple[str, ...] = ()
    """Of the orders that it filled, 32 bytes each."""
    returned: tuple[Item, ...] = ()
    """NFTs that the buyer gives: an exchange, not a sale."""
    unpriced: bool = False
    """It was sold, but no log says for how much: ``price`` is 0 and means nothing."""
    mixed: bool = False
    """The event tells no one sum that was paid for the items alone: there are several currencies, the seller gives
    money along, or an auction's house paid out another sum than its price comes to."""
    moves: tuple[int, ...] = ()
    """Places of the moves that it sold, where the market's own rules tell; else they are looked for by ``items``."""
    escrowed: bool = False
    """The market held the money since before this transaction, so that no payment by the buyer shows in it."""
    is_loan: bool = False
    """A loan was taken, given back or sold on: it is no sale, and not commercial (decisions, section 6)."""
    surcharges: tuple[int, ...] = ()
    """Fees that the buyer may have paid on top of a price in native money, in basis points, 0 for none: which one it
    was, only the transaction's value tells. Empty: the price is gross."""
    roles: tuple[tuple[str, Role], ...] = ()
    """What receivers of payments are to the sale, as far as the event or the market's contract says."""
    shares: tuple[Share, ...] = ()
    """Parts of the price that the event tells without a receiver."""
    rest: Role | None = None
    """Whose the part of the price is that payments and shares do not name, by the market's contract."""

    @property
    def is_paid(self) -> bool:
        """Whether anything is paid for the items, however much."""
        return self.price > 0 or self.unpriced


@dataclass(slots=True)
class Match:
    """A fill with the places of the moves that delivered what it sold, and what it got for them in NFTs."""

    fill: Fill
    moves: tuple[int, ...]
    returned: tuple[int, ...]
    missing: int
    """Items that no move delivered."""
    checks: list[Check] = field(default_factory=list)
    """What it was held against (:mod:`indexing.judge.checks`), and why not against the rest."""

    @property
    def fault(self) -> Check | None:
        """The check for which it is not believed; ``None`` where it is borne out."""
        return failed(self.checks)

    @property
    def no_price(self) -> Check | None:
        """Why what it sold has no price of one transfer's own; ``None`` where it has."""
        if self.fault is not None:
            return self.fault
        if len(self.moves) > 1:
            return Remark(f"One price for {len(self.moves)} transfers is not split.", None)
        return MIXED if self.fill.mixed else None


class Fault(NamedTuple):
    """A market event that could not be read, or a fill that the rest of the transaction does not bear out."""

    protocol: str
    log_index: int
    reason: str
    currency: str = NATIVE
    price: int = 0


class Leg(NamedTuple):
    """A part of an exchange, as the ``swaps`` of a transfer show it (specification, Swap entry)."""

    contract: str
    """Of the NFT or the currency."""
    token_id: int | None
    sender: str
    receiver: str
    amount: int
    market: str | None = None


class Judgement(NamedTuple):
    """What one transfer was (decisions, section 6)."""

    transfer_type: str
    currency: str | None = None
    """Of its price: contract, the zero address for the native one. ``None``: it has no price of its own."""
    price: int = 0
    swaps: tuple[Leg, ...] = ()


class Trace(NamedTuple):
    """How a verdict was reached, as the rules noted it; moves are named by their places."""

    matches: Sequence[Match]
    """The fills, but for loans, with what delivered them and what was checked of each."""
    sold: Mapping[int, Sequence[Match]]
    """Moves that fills made a sale or an exchange, each with these fills."""
    paid: Collection[int]
    """Moves that a payment made a sale, without any market event."""
    payers: Collection[tuple[str, str]]
    """Sellers and buyers between whom such payments were seen, whether or not they paid for an NFT."""
    money: Sequence[MoneyMove]
    """The transaction's money logs."""


class Verdict(NamedTuple):
    """What a transaction was: a judgement for each of its moves, in their order, and what all of them share."""

    moves: Sequence[Move]
    judgements: tuple[Judgement, ...]
    markets: tuple[str, ...]
    """Slugs of the markets that the transaction interacts with, in the order of their events."""
    is_commercial: bool
    fills: tuple[Fill, ...]
    faults: tuple[Fault, ...]
    trace: Trace
    shares: Mapping[int, tuple[Share, ...]] = {}
    """The parts of the prices of sales, by the places of their moves: all of a price, to the wei, where it is known."""
