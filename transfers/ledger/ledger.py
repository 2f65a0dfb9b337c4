"""The ledger of an NFT: who holds how much of it since when, and how transfers change that. Pure.

It keeps former holders with an amount of 0, so that the first block and time of an owner survive selling and buying
back, and so that a later transfer can be applied on top of what is stored instead of replaying all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from core.addresses import SYSTEM_PROGRAM, ZERO_ADDRESS
from core.db.keys import NEVER, position_key

NOBODY = frozenset((ZERO_ADDRESS, SYSTEM_PROGRAM))
"""Addresses that are no owner: what is sent there is burnt. ``0x…dEaD`` is an owner."""


class Held(NamedTuple):
    """What an address held at the start of a block, before its transfers, as the chain itself says.

    ``amount`` in units; ``None``: nobody could tell.
    """

    address: str
    amount: int | None
    block: int


class Event(NamedTuple):
    """What ownership and the other derived values need to know of a transfer."""

    nft_id: int
    recent_key: str
    id: int
    block: int
    timestamp: int
    log_index: int
    batch_index: int
    sender: str | None
    receiver: str | None
    amount: int
    kind: str | None
    transaction_from: str | None
    markets: str

    @property
    def is_mint(self) -> bool:
        """Whether it comes from the zero address, or is said to be a mint."""
        return self.sender in NOBODY or (self.kind == "mint" and self.sender is None)


def chain_order(events: Iterable[Event]) -> list[Event]:
    """Return events oldest first: the exact reverse of how a list of transfers shows them, ties included."""
    found = list(events)
    if len(found) > 1:
        found.sort(key=lambda event: (event.recent_key, event.id), reverse=True)
    return found


class StatedOwner(NamedTuple):
    """An entry of a stated list of owners; blocks, and Unix seconds."""

    address: str
    amount: int
    entered_at_block: int | None = None
    entered_at: int | None = None
    updated_at_block: int | None = None
    updated_at: int | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """Owners as a source stated them, as of the end of a block or of a second; ``pending``: as of now."""

    owners: tuple[StatedOwner, ...]
    as_of_block: int | None = None
    as_of: int | None = None
    pending: bool = False

    def covers(self, event: Event) -> bool:
        """Tell whether the stated owners already reflect this transfer."""
        if self.pending:
            return True
        if self.as_of_block is not None:
            return event.block <= self.as_of_block
        return self.as_of is not None and event.timestamp <= self.as_of

    def covers_block(self, block: int) -> bool:
        """Tell whether the stated owners are of this block's end or later."""
        return self.pending or (self.as_of_block is not None and block <= self.as_of_block)

    @property
    def shows_balances(self) -> bool:
        """Whether no single owner of a single unit could be stated so."""
        return len(self.owners) > 1 or any(owner.amount != 1 for owner in self.owners)


@dataclass(slots=True)
class Holding:
    """How many units an address holds, when it first received one and when it last sent or received any."""

    amount: int = 0
    entered_key: str = NEVER
    entered_at_block: int | None = None
    entered_at: int | None = None
    updated_at_block: int | None = None
    updated_at: int | None = None


class Ledger:
    """Holdings of one NFT by address, and how transfers change them."""

    def __init__(self, one_owner: bool, holdings: dict[str, Holding] | None = None) -> None:
        self.one_owner = one_owner
        self.holdings: dict[str, Holding] = {} if holdings is None else holdings
        self.holders = {address for address, holding in self.holdings.items() if holding.amount}
        self.known = False
        """Whether nobody holding it is knowledge (a burn, a statement) rather than the lack of it."""
        self.is_stated = False
        """Whether it begins with stated owners, who are all there were: nobody else held any before, unseen."""
        self._untold: set[str] = set()
        """Addresses that may hold more than transfers brought them."""
        self._open: set[str] = set()
        """Those of them that gave more: what they hold now is not known, and so not who holds it."""

    def state(self, statement: Statement) -> None:
        """Make the stated owners the only ones; what they state of dates wins over what transfers told."""
        self._nobody_holds()
        for owner in statement.owners:
            holding = self._holding(owner.address)
            holding.amount = owner.amount
            self._count(owner.address, holding)
            if owner.entered_at is not None or owner.entered_at_block is not None:
                holding.entered_key = _stated_key(owner)
                holding.entered_at, holding.entered_at_block = owner.entered_at, owner.entered_at_block
            if owner.updated_at is not None or owner.updated_at_block is not None:
                holding.updated_at, holding.updated_at_block = owner.updated_at, owner.updated_at_block
        self.known = self.is_stated = True

    def set_right(self, held: Held) -> None:
        """Have an address hold what the chain says that it held where the ledger is now, whatever transfers brought.

        Where that is more, units came of which no transfer tells: when it first held some is not known, but it was
        before. Where it is less, units went so.
        """
        address, amount, _ = held
        if self.one_owner:
            return
        if amount is None:
            self._untold.add(address)
            return
        self._untold.discard(address)
        self._open.discard(address)
        if not amount and address not in self.holdings:
            return
        holding = self._holding(address)
        if amount > holding.amount and (holding.entered_key == NEVER or not self.is_stated):
            holding.entered_key, holding.entered_at, holding.entered_at_block = "", None, None
        holding.amount = amount
        self._count(address, holding)

    def witness(self, event: Event, keep_updated: frozenset[str] = frozenset()) -> None:
        """Take dates, not balances, from a transfer; not the last date of the addresses in ``keep_updated``."""
        for address in (event.sender, event.receiver):
            if address is None or address in NOBODY:
                continue
            holding = self._holding(address)
            if address not in keep_updated:
                holding.updated_at, holding.updated_at_block = event.timestamp, event.block
        if event.receiver is None or event.receiver in NOBODY or not event.amount:
            return
        holding = self.holdings[event.receiver]
        if holding.entered_key == NEVER:
            holding.entered_key = position_key(
                event.timestamp, event.block, event.log_index, event.batch_index
            )
            holding.entered_at, holding.entered_at_block = event.timestamp, event.block

    def apply(self, event: Event) -> None:
        """Move the units of a transfer. A sender never goes below 0: the list of transfers may start in mid-history."""
        self.witness(event)
        sender, receiver = event.sender, event.receiver
        if self.one_owner:
            self._nobody_holds()
            if receiver is not None and receiver not in NOBODY:
                self.holdings[receiver].amount = 1
                self.holders.add(receiver)
        else:
            if sender is not None and sender not in NOBODY:
                holding = self.holdings[sender]
                if event.amount > holding.amount and sender in self._untold:
                    self._open.add(sender)
                holding.amount = max(holding.amount - event.amount, 0)
                self._count(sender, holding)
            if receiver is not None and receiver not in NOBODY:
                holding = self.holdings[receiver]
                holding.amount += event.amount
                self._count(receiver, holding)
        self.known = receiver is not None

    def total(self) -> int | None:
        """Return the number of holders; ``None`` when who holds it is not known."""
        if self._open:
            return None
        return len(self.holders) if self.holders or self.known else None

    def _holding(self, address: str) -> Holding:
        holding = self.holdings.get(address)
        if holding is None:
            holding = self.holdings[address] = Holding()
        return holding

    def _nobody_holds(self) -> None:
        for address in self.holders:
            self.holdings[address].amount = 0
        self.holders.clear()

    def _count(self, address: str, holding: Holding) -> None:
        if holding.amount:
            self.holders.add(address)
        else:
            self.holders.discard(address)


def _stated_key(owner: StatedOwner) -> str:
    """Return the entry key of a stated date: cut where it knows no more, it sorts before the events of its block."""
    key = position_key(owner.entered_at or 0, owner.entered_at_block or 0)
    return key[:7] if owner.entered_at_block is None else key[:14]
