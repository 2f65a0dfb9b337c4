"""Copies of tables in schemas of their own, partitioned: with such a schema first in its path, a session's queries find
them in place of the tables, as they are."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from django.db import connection

from core.db import bulk

HOT = (
    "tokens_nft",
    "tokens_nftrecent",
    "tokens_nftmarket",
    "tokens_ask",
    "tokens_traitvalue",
    "transfers_transfer",
)
"""Tables with a chain and a contract in each row."""
BY_TRAIT = ("tokens_nfttrait", "tokens_nfttraitrecent")
BY_NFT = ("tokens_owner", "tokens_nftrendering")
SHARDS = 8


@dataclass
class Layout:
    """A schema with its tables' partition keys; ``column`` None: the tables as they are."""

    name: str
    columns: dict[str, str] = field(default_factory=dict)
    is_list: bool = False
    weaker: list[str] = field(default_factory=list)
    """Unique constraints that do not hold over partitions: their columns lack the key."""

    def make(self) -> None:
        """Copy the tables, with their indexes."""
        _run(f"CREATE SCHEMA {self.name}")
        for table, column in self.columns.items():
            kind = "LIST" if self.is_list else "HASH"
            _run(f"CREATE TABLE {self.name}.{table} (LIKE public.{table}) PARTITION BY {kind} ({column})")
            for number, bound in enumerate(self._bounds(table, column)):
                part = f"{self.name}.{table}_{number}"
                _run(f"CREATE TABLE {part} PARTITION OF {self.name}.{table} FOR VALUES {bound}")
            _run(f"INSERT INTO {self.name}.{table} SELECT * FROM public.{table}")
            self._index(table, column)
            _run(f"VACUUM (FREEZE, ANALYZE) {self.name}.{table}")

    def _bounds(self, table: str, column: str) -> list[str]:
        if not self.is_list:
            return [f"WITH (MODULUS {SHARDS}, REMAINDER {number})" for number in range(SHARDS)]
        chains = bulk.fetch(f"SELECT DISTINCT {column} FROM public.{table} ORDER BY 1", [])
        return [f"IN ({chain or 'NULL'})" for (chain,) in chains]

    def _index(self, table: str, column: str) -> None:
        rows = bulk.fetch(
            "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = %s", [table]
        )
        for (text,) in rows:
            found = re.fullmatch(r"CREATE (UNIQUE )?INDEX (\S+) ON public\.\S+ (USING .*)", text, re.DOTALL)
            assert found, text
            unique, name, rest = found.groups()
            keys = re.split(" WHERE | INCLUDE ", rest.partition("(")[2])[0].rstrip(")")
            if unique and column not in keys.split(", "):
                self.weaker.append(f"{table} ({keys})")
                unique = ""
            _run(f"CREATE {unique or ''}INDEX {name} ON {self.name}.{table} {rest}")


def layouts() -> list[Layout]:
    """The tables as they are, by chain, and by contract."""
    by_contract = (
        dict.fromkeys(HOT, "contract_id")
        | dict.fromkeys(BY_TRAIT, "trait_id")
        | dict.fromkeys(BY_NFT, "nft_id")
    )
    by_contract["tokens_traitvalue"] = "contract_id"
    return [
        Layout("public"),
        Layout("by_chain", dict.fromkeys(HOT, "chain_id"), is_list=True),
        Layout("by_contract", by_contract),
    ]


def _run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
