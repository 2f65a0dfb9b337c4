"""Owner rows: bringing them into line with the transfers of their NFTs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.db import bulk
from core.db.keys import uint_from_key, uint_key
from tokens.models import Owner
from tokens.store.wide_holders import Moved
from transfers.ledger.ledger import Event, Held, Holding, StatedOwner, Statement
from transfers.ledger.owners import Appended, NeedsReplayError, append, has_one_owner, replay

_COLUMNS = (
    *("id", "nft_id", "address", "amount", "known", "entered_key"),
    *("entered_at_block", "entered_at", "updated_at_block", "updated_at"),
)
Plain = tuple[str, bool, str, int | None, int | None, int | None, int | None]
"""The columns of a row that can change, from ``amount`` on."""
NOTHING = uint_key(0)
Stored = dict[int, dict[str, tuple[int, Plain]]]
"""Rows by NFT and address: id, and what can change."""


@dataclass(slots=True)
class Case:
    """An NFT whose owners are to be brought up to date."""

    nft_id: int
    contract_id: int
    standard: str
    statement: Statement | None
    total: int | None
    """Holders as stored; ``None``: not known."""
    events: Sequence[Event]
    """In chain order: all transfers, or those that lie after what was applied."""
    openings: Sequence[Held] = ()
    """All of them, or those that are new."""


def statement_of(
    owners: str | None, as_of_block: int | None, as_of: int | None, pending: bool
) -> Statement | None:
    """Return a stored statement of ownership; ``owners`` is its JSON, ``None`` where there is none."""
    if owners is None:
        return None
    entries = tuple(
        StatedOwner(
            entry["address"],
            int(entry["amount"]),
            entry.get("enteredAtBlock"),
            entry.get("enteredAt"),
            entry.get("updatedAtBlock"),
            entry.get("updatedAt"),
        )
        for entry in json.loads(owners)
    )
    return Statement(entries, as_of_block, as_of, pending)


def replay_all(cases: Sequence[Case], moved: dict[int, Moved], new: bool = False) -> dict[int, int | None]:
    """Bring owners into line by all transfers of their NFTs; ``new``: no rows are stored yet.

    Returns the number of holders by NFT, ``None`` where it is not known. Notes in ``moved`` who holds each.
    """
    stored = {} if new else _read(("nft_id",), [(case.nft_id,) for case in cases])
    changes = _Changes(stored, moved)
    totals = {}
    for case in cases:
        ledger = replay(case.events, case.standard, case.statement, case.openings)
        totals[case.nft_id] = ledger.total()
        known = totals[case.nft_id] is not None
        changes.take(case, ledger.holdings, known=known, whole=True)
        moved[case.nft_id] = Moved(ledger.holders if known else frozenset(), whole=True)
    changes.save()
    return totals


def append_all(cases: Sequence[Case], moved: dict[int, Moved]) -> tuple[dict[int, Appended], list[int]]:
    """Bring owners up to date by new transfers that lie after all that were applied.

    Returns what they come to by NFT, and the NFTs that must be replayed instead, which are left as they are. Notes
    in ``moved`` who came to hold some and who ceased to. The cost depends on the new transfers alone, not on how many
    an NFT had or how many hold it.
    """
    stored = _relevant(cases)
    changes = _Changes(stored, moved)
    found: dict[int, Appended] = {}
    left = []
    for case in cases:
        rows = stored.get(case.nft_id, {})
        holdings = {address: _holding(plain) for address, (_, plain) in rows.items()}
        try:
            found[case.nft_id] = append(
                holdings, case.total, case.events, case.standard, case.statement, case.openings
            )
        except NeedsReplayError:
            left.append(case.nft_id)
            continue
        changes.take(case, holdings)
    changes.save()
    return found, left


class _Changes:
    """Collects the rows that differ from what is stored, and who holds some or none now, and writes them."""

    def __init__(self, stored: Stored, moved: dict[int, Moved]) -> None:
        self.stored = stored
        self.moved = moved
        self.new: list[tuple[int, int, str, *Plain]] = []
        self.changed: list[tuple[int, *Plain]] = []
        self.gone: list[tuple[int]] = []

    def take(
        self, case: Case, holdings: Mapping[str, Holding], known: bool = True, whole: bool = False
    ) -> None:
        """Note the differences of one NFT; ``known``: who holds it is; ``whole``: rows not in ``holdings`` go."""
        before = self.stored.get(case.nft_id, {})
        holding_now, left = set[str](), set[str]()
        for address, holding in holdings.items():
            plain = _plain(holding, known)
            row = before.get(address)
            if row is None:
                self.new.append((case.nft_id, case.contract_id, address, *plain))
            elif row[1] != plain:
                self.changed.append((row[0], *plain))
            if (plain[0] == NOTHING) != (row is None or row[1][0] == NOTHING):
                (holding_now if holding.amount else left).add(address)
        if not whole:
            if holding_now or left:
                self.moved[case.nft_id] = Moved(holding_now, left)
        else:
            self.gone += [(row[0],) for address, row in before.items() if address not in holdings]

    def save(self) -> None:
        """Write the differences."""
        bulk.delete_rows(Owner, ("id",), self.gone)
        bulk.update_rows(Owner, ("id", *_COLUMNS[3:]), self.changed)
        bulk.copy_rows(Owner, ("nft_id", "contract_id", *_COLUMNS[2:]), self.new)


def _relevant(cases: Sequence[Case]) -> Stored:
    """Read the rows that new transfers and openings name, and all holders where ``append`` wants them."""
    named = {
        (event.nft_id, address)
        for case in cases
        for event in case.events
        for address in (event.sender, event.receiver)
        if address is not None
    }
    named.update((case.nft_id, one.address) for case in cases for one in case.openings)
    stored = _read(("nft_id", "address"), list(named))
    few = [case.nft_id for case in cases if case.total and (case.total == 1 or has_one_owner(case.standard))]
    if few:
        sql, ids = bulk.id_list(few)
        columns = ", ".join(f"o.{name}" for name in _COLUMNS)
        rows = bulk.fetch(
            f"SELECT {columns} FROM {sql} wanted CROSS JOIN {Owner._meta.db_table} o "  # noqa: S608
            "WHERE o.nft_id = wanted.id AND o.amount > %s",
            [ids, uint_key(0)],
        )
        _sort_in(stored, rows)
    return stored


def _read(keys: Sequence[str], values: Sequence[tuple[int | str, ...]]) -> Stored:
    stored: Stored = {}
    _sort_in(stored, bulk.rows_by(Owner, keys, values, _COLUMNS))
    return stored


def _sort_in(stored: Stored, rows: Iterable[bulk.Row]) -> None:
    for row in rows:
        stored.setdefault(row[1], {})[row[2]] = (row[0], (row[3], bool(row[4]), *row[5:]))


def _holding(plain: Plain) -> Holding:
    return Holding(uint_from_key(plain[0]), *plain[2:])


def _plain(holding: Holding, known: bool) -> Plain:
    return (
        uint_key(holding.amount),
        known,
        holding.entered_key,
        holding.entered_at_block,
        holding.entered_at,
        holding.updated_at_block,
        holding.updated_at,
    )
