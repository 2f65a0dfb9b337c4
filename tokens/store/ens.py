"""Writes ENS names."""

from __future__ import annotations

from collections.abc import Iterable

from core.db import bulk
from tokens.models import EnsName
from tokens.store.facts import EnsFacts


def write(facts: Iterable[EnsFacts]) -> None:
    """Write names; the last fact of a name counts."""
    stated = {one.name: one.address for one in facts}
    rows = bulk.rows_by(EnsName, ("name",), [(name,) for name in stated], ("id", "name", "address"))
    stored = {name: (row_id, address) for row_id, name, address in rows}
    bulk.update_rows(
        EnsName,
        ("id", "address"),
        [(row_id, stated[name]) for name, (row_id, address) in stored.items() if address != stated[name]],
    )
    new = [name for name in stated if name not in stored]
    ids = bulk.take_ids(EnsName, len(new))
    bulk.copy_rows(
        EnsName,
        ("id", "name", "address"),
        [(row_id, name, stated[name]) for row_id, name in zip(ids, new, strict=True)],
    )
