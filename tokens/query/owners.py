"""From the owner that a query names to the NFTs that it holds: their ids, or, of very many, the list of them."""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from core.db.keys import uint_key
from core.db.reading import fetched
from tokens.models import Contract, NftMarket, Owner, WideHolder
from tokens.models.market import held_by
from tokens.store.wide_holders import MANY

_NOTHING = uint_key(0)
_WIDE = f"SELECT w.id FROM {WideHolder._meta.db_table} w WHERE w.address = %s"


class HeldList(NamedTuple):
    """The list of the NFTs that a wide holder has: what stands in place of a marketplace, and how many they are."""

    id: int
    size: int


def held_nfts(
    address: str, contract_ids: Sequence[int] = (), chain_ids: Sequence[int] = ()
) -> tuple[int, ...] | HeldList:
    """Return the ids of the NFTs that an address is known to hold, of some contracts or chains or of all.

    Where they are more than are read whole the list of them, of all contracts and chains. One query.
    """
    place = ""
    if contract_ids:
        place = f"AND o.contract_id IN ({_marks(contract_ids)})"
    elif chain_ids:
        one = f"SELECT 1 FROM {Contract._meta.db_table} c WHERE c.id = o.contract_id"
        place = f"AND EXISTS ({one} AND c.chain_id IN ({_marks(chain_ids)}))"
    parts = [
        f"SELECT w.id, w.nfts FROM {WideHolder._meta.db_table} w WHERE w.address = %s",
        f"SELECT 0, o.nft_id FROM {Owner._meta.db_table} o WHERE o.address = %s AND o.amount > '{_NOTHING}' "
        f"AND o.known {place} AND NOT EXISTS ({_WIDE})",
    ]
    parameters: list[Any] = [address, address, *(contract_ids or chain_ids), address]
    if contract_ids:
        there = f"p.market_id = -2 * ({_WIDE}) AND p.contract_id IN ({_marks(contract_ids)})"
        some = f"SELECT p.nft_id FROM {NftMarket._meta.db_table} p WHERE {there} LIMIT {MANY + 1}"
        parts.append(f"SELECT -1, listed.nft_id FROM ({some}) listed")
        parameters += [address, *contract_ids]
    rows = fetched(" UNION ALL ".join(parts), parameters)
    wide = [HeldList(held_by(number), row) for number, row in rows if number > 0]
    ids = tuple(sorted(row for number, row in rows if number <= 0))
    return wide[0] if wide and (not contract_ids or len(ids) > MANY) else ids


def _marks(values: Sequence[int]) -> str:
    return ", ".join(["%s"] * len(values))
