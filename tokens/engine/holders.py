"""The index of present holders, read: what an address holds, in which contracts, and who holds any of a contract.

Each read is a keyset walk of one index, at the cost of a page however much an address holds. NFTs of which it is not
known who holds them are nobody's here, as in the records. NFTs by Token with ``ownerAddress`` is the same question with
filters and orders (``Query.owned_by``).
"""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.db.keys import uint_from_key, uint_key
from core.db.reading import fetched
from tokens.models import NftMarket, Owner, WideHolder
from tokens.models.market import held_by

_OWNERS, _POSTINGS = (model._meta.db_table for model in (Owner, NftMarket))
# The amount of nothing is a literal, so that SQLite too sees that the partial index serves.
_HELD = f"FROM {_OWNERS} o WHERE o.address = %s AND o.amount > '{uint_key(0)}' AND o.known"
_SINCE = "COALESCE(o.updated_at, 0)"


class Held(NamedTuple):
    """Units of an NFT that an address holds, since when (Unix seconds; 0: not known), and since which block.

    Since: of the transfer by which its units last changed, or as was stated. So it is the moment at which it got an NFT
    of one unit.
    """

    nft_id: int
    contract_id: int
    amount: int
    since: int
    since_block: int | None


def held_lately(
    address: str, start: tuple[int, int] | None, size: int, contract_ids: Sequence[int] = ()
) -> list[Held]:
    """Return the first ``size`` NFTs that an address holds behind a (since, NFT id), newest first.

    With ``contract_ids`` of these contracts alone; others are passed then, in the index.
    """
    where, parameters = _HELD, [address, *contract_ids]
    if contract_ids:
        where += f" AND o.contract_id IN ({_marks(contract_ids)})"
    if start is not None:
        # Twice, since SQLite starts an index with an expression at no comparison of rows.
        where += f" AND {_SINCE} <= %s AND ({_SINCE}, o.nft_id) < (%s, %s)"
        parameters += [start[0], *start]
    found = f"SELECT o.nft_id, o.contract_id, {_SINCE} AS since {where} ORDER BY {_SINCE} DESC, o.nft_id DESC LIMIT %s"
    rows = fetched(
        f"SELECT f.nft_id, f.contract_id, w.amount, f.since, w.updated_at_block FROM ({found}) f "
        f"CROSS JOIN {_OWNERS} w WHERE w.nft_id = f.nft_id AND w.address = %s ORDER BY f.since DESC, f.nft_id DESC",
        [*parameters, size, address],
    )
    return [Held(row[0], row[1], uint_from_key(row[2]), *row[3:]) for row in rows]


def contracts_held(address: str, start: int, size: int) -> list[tuple[int, int]]:
    """Return the first ``size`` contracts behind one, by id, of which an address holds NFTs, and how many it holds."""
    wide = WideHolder.objects.filter(address=address).values_list("id", flat=True).first()
    if wide is None:
        counted = f"SELECT o.contract_id, count(*) {_HELD} AND o.contract_id > %s GROUP BY o.contract_id"
        return _pairs(f"{counted} ORDER BY o.contract_id LIMIT %s", [address, start, size])
    there = f"FROM {_POSTINGS} p WHERE p.market_id = {held_by(int(wide))}"
    return _pairs(
        f"WITH RECURSIVE found(id) AS (SELECT min(p.contract_id) {there} AND p.contract_id > %s UNION ALL "
        f"SELECT (SELECT min(p.contract_id) {there} AND p.contract_id > found.id) FROM found "
        "WHERE found.id IS NOT NULL) "
        f"SELECT id, (SELECT count(*) {there} AND p.contract_id = found.id) FROM found WHERE id IS NOT NULL LIMIT %s",
        [start, size],
    )


def owners_of(contract_id: int, start: str, size: int) -> list[str]:
    """Return the first ``size`` addresses behind one, in byte order, that hold any NFT of a contract."""
    there = f"FROM {_OWNERS} o WHERE o.contract_id = %s AND o.amount > '{uint_key(0)}' AND o.known"
    rows = fetched(
        f"WITH RECURSIVE found(address) AS (SELECT min(o.address) {there} AND o.address > %s UNION ALL "
        f"SELECT (SELECT min(o.address) {there} AND o.address > found.address) FROM found "
        "WHERE found.address IS NOT NULL) SELECT address FROM found WHERE address IS NOT NULL LIMIT %s",
        [contract_id, start, contract_id, size],
    )
    return [address for (address,) in rows]


def _pairs(statement: str, parameters: Sequence[Any]) -> list[tuple[int, int]]:
    return [(first, second) for first, second in fetched(statement, list(parameters))]


def _marks(values: Sequence[Any]) -> str:
    return ", ".join(["%s"] * len(values))
