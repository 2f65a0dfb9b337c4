"""Transactions of which both chain and statements tell, or a statement without log index: worked out as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from tokens.models import Nft
from tokens.store.facts import UNSET
from tokens.store.nfts import NftRow
from transfers.ledger.resolving import Told, resolve
from transfers.ledger.statements import Statement, Transaction
from transfers.ledger.transfer_facts import TransferFacts, VerdictColumns
from transfers.ledger.transfer_rows import (
    APART,
    CHAIN,
    LOOSE,
    Key,
    Place,
    Row,
    beneath,
    blank,
    chain_part,
    cleared_by,
    merge,
    rejudged,
)


class UnwritableError(Exception):
    """Facts that cannot be written, and why in a sentence."""


class LackingError(UnwritableError):
    """Facts of an unknown transfer that lack what a row needs."""


def lacking(one: TransferFacts, nft: NftRow | None) -> LackingError:
    """Return what facts of an unknown transfer lack."""
    names = (
        ("tokenId and its contract", nft is None),
        ("blockNumber", one.block_number is UNSET),
        ("timestamp", one.timestamp is UNSET),
    )
    needed = ", ".join(name for name, lacks in names if lacks) or "what other lines of it leave out"
    return LackingError(f"A transfer that is not yet known needs {needed}.")


def applied(row: Row, one: TransferFacts, nft: NftRow | None) -> Row:
    """Return a row with facts applied. Raises :class:`UnwritableError`."""
    merged = merge(row, one, nft)
    if merged is None:
        raise UnwritableError("The block number, time, log index or batch index is out of range.")
    return merged


class Mixed:
    """One transaction: the rows and statements that are stored of it, and what is told of it now."""

    def __init__(self, transaction: Transaction, apart: Iterable[Statement] = ()) -> None:
        self.transaction = transaction
        self.held: list[Row] = []
        self.apart = list(apart)
        self.told = Told()
        for one in self.apart:
            self.told.state(one)

    def hold(self, row: Row) -> None:
        self.held.append(row)
        if row.origin == CHAIN:
            self.told.tell(chain_part(row))
        elif row.origin != APART:
            self.told.state(Statement(None if row.origin == LOOSE else row.place, row))

    def take(self, one: TransferFacts, nft: NftRow | None) -> None:
        """Take facts. Raises :class:`UnwritableError` for those of an unknown transfer that lack what a row needs."""
        if one.judged is not None:
            self._tell(one, nft)
        elif one.log_index is None:
            self._join(one, nft)
        else:
            self._state(one, (one.log_index, one.batch_index), nft)

    def judge(self, place: Place, judged: VerdictColumns) -> None:
        """Take what the rules make of an indexed transfer now."""
        self.told.tell(rejudged(self.told.chain[place], judged))

    def _tell(self, one: TransferFacts, nft: NftRow | None) -> None:
        assert one.log_index is not None
        assert nft is not None
        row = one.prepared
        if not isinstance(row, Row):
            row = applied(blank(self._key((one.log_index, one.batch_index))), one, None)
        before = self.told.chain.get(row.place)
        row_id = 0 if before is None else before.id
        self.told.tell(Row._make((row_id, self.transaction[1], nft.contract_id, nft.id, *row[4:])))

    def _state(self, one: TransferFacts, place: Place, nft: NftRow | None) -> None:
        before = self.told.stated.get(place)
        if before is None and nft is None and place not in self.told.chain:
            before = self._loose_at(place)
        old = before or Statement(place, blank(self._key(place)))
        new = self._stated(old, one, nft)
        loose = None if new.place is None else self.told.loose.get(new.row.nft_id)
        if loose is not None:
            new = Statement(new.place, beneath(loose.row, new.row), loose.cleared | new.cleared)
        if before is None and not (self.told.on_chain(new) or new.row.is_whole):
            raise lacking(one, nft)
        if loose is not None:
            del self.told.loose[new.row.nft_id]
        self.told.state(new)

    def _join(self, one: TransferFacts, nft: NftRow | None) -> None:
        if nft is None:
            raise UnwritableError("A transfer must name its token.")
        before = self.told.newest_of(nft.id) or self.told.loose.get(nft.id)
        new = self._stated(before or Statement(None, blank(self._key((0, 0)))), one, nft)
        if before is None and not (self.told.on_chain(new) or new.row.is_whole):
            raise lacking(one, nft)
        self.told.state(new)

    def _stated(self, before: Statement, one: TransferFacts, nft: NftRow | None) -> Statement:
        after = Statement(before.place, applied(before.row, one, nft))
        on_chain = self.told.on_chain(after)
        return after._replace(cleared=cleared_by(one, before.cleared, on_chain=on_chain))

    def _loose_at(self, place: Place) -> Statement | None:
        """Return the statement without a log index whose row stands at a place."""
        shown = next((row for row in self.held if row.origin == LOOSE and row.place == place), None)
        return None if shown is None else self.told.loose.get(shown.nft_id)

    def _key(self, place: Place) -> Key:
        return self.transaction[0], *place, self.transaction[1]


@dataclass(slots=True)
class Changes:
    """What is to be written of transactions.

    ``new``: rows, with id 0 where they have none yet. ``gone``: stored rows; a new row may have the id of one that is
    at another place now. ``changed``: rows at the place where they are stored, as they shall be. ``before`` and
    ``after``: all statements that are kept apart.
    """

    new: list[Row] = field(default_factory=list)
    gone: list[Row] = field(default_factory=list)
    changed: list[tuple[Row, Row]] = field(default_factory=list)
    before: list[tuple[Transaction, Statement]] = field(default_factory=list)
    after: list[tuple[Transaction, Statement]] = field(default_factory=list)


def changes_of(mixed: Collection[Mixed]) -> Changes:
    """Return what transactions come to, against what is stored of them."""
    changes = Changes()
    for one in mixed:
        found = resolve(one.told, _in_order)
        changes.before += ((one.transaction, statement) for statement in one.apart)
        changes.after += ((one.transaction, statement) for statement in found.apart)
        left = {row.id: row for row in one.held}
        for row in _identified(found.rows, left):
            stored = left.pop(row.id, None)
            if stored is None:
                changes.new.append(row)
            elif stored.place != row.place:
                changes.gone.append(stored)
                changes.new.append(row)
            elif row._replace(usd_value=stored.usd_value, eth_value=stored.eth_value) != stored:
                changes.changed.append((stored, row))
        changes.gone += left.values()
    return changes


def _identified(rows: list[Row], held: Mapping[int, Row]) -> list[Row]:
    """Return rows with the ids of those that are stored of the same NFTs: at their places, else anywhere."""
    taken = {row.id for row in rows if row.id}
    free = [row for row in held.values() if row.id not in taken]
    for same in (lambda row: (row.nft_id, row.place), lambda row: row.nft_id):
        ids: dict[object, list[int]] = {}
        for row in free:
            ids.setdefault(same(row), []).append(row.id)
        rows = [
            row._replace(id=ids[same(row)].pop()) if not row.id and ids.get(same(row)) else row
            for row in rows
        ]
        taken = {row.id for row in rows}
        free = [row for row in free if row.id not in taken]
    return rows


def _in_order(nft_ids: Iterable[int]) -> list[int]:
    """Return NFTs in the order of contract and token id, which does not depend on what came first."""
    found = Nft.objects.filter(id__in=list(nft_ids)).order_by("contract__address", "token_key")
    return list(found.values_list("id", flat=True))
