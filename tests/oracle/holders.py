"""Who holds an NFT: what was stated, with later transfers on top, or what follows from the transfers alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.oracle.text import SYSTEM_PROGRAM, ZERO, plain_address
from tests.oracle.world import Line, Position, position

NOBODY = (ZERO, SYSTEM_PROGRAM)


@dataclass
class Holder:
    """One owner. `entered` and `updated` are (time, block, log index, batch index); -1 for a part nobody knows."""

    address: str
    amount: int
    entered: Position | None = None
    updated: Position | None = None

    def order(self) -> tuple[Any, ...]:
        """Most first, then the one that entered first (unknown last), then by address."""
        return -self.amount, self.entered is None, self.entered or (), self.address

    def entry(self) -> Line:
        """The element of `owners`."""
        fields: Line = {"address": self.address, "amount": str(self.amount)}
        for name, place in (("entered", self.entered), ("updated", self.updated)):
            if place is not None and place[1] >= 0:
                fields[name + "AtBlock"] = place[1]
            if place is not None and place[0] >= 0:
                fields[name + "At"] = place[0]
        return fields


def holders(
    nft: Line, as_of: tuple[str, int] | Position | None, transfers: list[Line], standard: str | None
) -> list[Holder] | None:
    """The owners in order, or None when nobody knows. `transfers` are those of the NFT, oldest first."""
    stated = _stated(nft)
    if stated is None and not transfers:
        return None
    later = transfers if stated is None else [t for t in transfers if is_after(t, as_of)]
    balances = {holder.address: holder.amount for holder in stated or []}
    for transfer in later:
        balances = _move(balances, transfer, single=(standard or "").upper() == "ERC721")
    known = {holder.address: holder for holder in stated or []}
    found = [
        _dated(address, amount, known.get(address), transfers, later)
        for address, amount in balances.items()
        if amount > 0 and address not in NOBODY
    ]
    return sorted(found, key=Holder.order)


def _stated(nft: Line) -> list[Holder] | None:
    if nft.get("owners") is not None:
        return [_stated_holder(entry) for entry in nft["owners"]]
    if nft.get("owner") is not None:
        return [Holder(plain_address(nft["owner"]), 1)]
    return None


def _stated_holder(entry: Line) -> Holder:
    def place(name: str) -> Position | None:
        time, block = entry.get(name + "At"), entry.get(name + "AtBlock")
        if time is None and block is None:
            return None
        return (-1 if time is None else time, -1 if block is None else block, -1, -1)

    return Holder(plain_address(entry["address"]), int(entry["amount"]), place("entered"), place("updated"))


def is_after(transfer: Line, as_of: tuple[str, int] | Position | None) -> bool:
    """Whether stated owners do not reflect a transfer yet."""
    if as_of is None:
        return True
    if as_of[0] == "block":
        return bool(transfer["blockNumber"] > as_of[1])
    if as_of[0] == "time":
        return bool(transfer["timestamp"] > as_of[1])
    return position(transfer) > as_of


def _move(balances: dict[str, int], transfer: Line, single: bool) -> dict[str, int]:
    """Balances after a transfer. An ERC-721 has one holder, the last receiver, whatever else was heard of it."""
    sender, receiver, amount = transfer.get("fromAddress"), transfer.get("toAddress"), int(transfer["amount"])
    if single:
        return {plain_address(receiver): 1} if receiver else {}
    moved = dict(balances)
    if sender:
        moved[plain_address(sender)] = max(moved.get(plain_address(sender), 0) - amount, 0)
    if receiver:
        moved[plain_address(receiver)] = moved.get(plain_address(receiver), 0) + amount
    return moved


def _dated(
    address: str, amount: int, stated: Holder | None, transfers: list[Line], later: list[Line]
) -> Holder:
    """First and last dealings: as stated, else by the known transfers; a later transfer moves the last one on."""
    received = [position(t) for t in transfers if plain_address(t.get("toAddress") or "") == address]
    touched = [
        position(t)
        for t in transfers
        if address in (plain_address(t.get("toAddress") or ""), plain_address(t.get("fromAddress") or ""))
    ]
    entered, updated = min(received, default=None), max(touched, default=None)
    if stated is not None and stated.entered is not None:
        entered = stated.entered
    if stated is not None and stated.updated is not None and not any(position(t) == updated for t in later):
        updated = stated.updated
    return Holder(address, amount, entered, updated)
