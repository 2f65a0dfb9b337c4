"""Addresses that hold so many NFTs that these have postings of their own, in all orders."""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from typing import Final, NamedTuple

from django.db.models import F

from core.db import bulk
from core.db.keys import uint_key
from tokens.models import Nft, NftMarket, NftRecent, Owner, WideHolder
from tokens.models.market import ANYWHERE, held_by

MANY: Final = 1_000
"""NFTs up to which those of an address are read whole. One that is found to have more becomes wide, and stays so."""

LOOKS: Final = 64
"""Of so many NFTs that an address gets, one has its NFTs counted: with each one a transfer would cost a look more."""

_NOTHING = uint_key(0)


class Moved(NamedTuple):
    """Who came to hold some of an NFT, and who holds none any more.

    ``whole``: those that hold some are all that are known to.
    """

    holding: Set[str]
    left: Set[str] = frozenset()
    whole: bool = False


def lists_of(moved: Mapping[int, Moved]) -> dict[str, int]:
    """Return those of the addresses that are wide, with what stands in place of a marketplace in their postings."""
    if not moved or not WideHolder.objects.exists():
        return {}
    addresses = set[str]().union(*(one.holding | one.left for one in moved.values()))
    rows = bulk.rows_by(WideHolder, ("address",), [(one,) for one in addresses], ("address", "id"))
    return {address: held_by(row_id) for address, row_id in rows}


def held(before: Set[int], one: Moved | None, lists: Mapping[str, int]) -> set[int]:
    """Return the lists of wide holders that an NFT is in, which was in those of ``before``."""
    before = {list_id for list_id in before if list_id % 2 == 0}
    if one is None:
        return before
    holding = {lists[address] for address in one.holding if address in lists}
    return holding if one.whole else (before | holding) - {lists.get(address, 0) for address in one.left}


def count(changes: Mapping[int, int]) -> None:
    """Note by how many NFTs the lists of wide holders among some lists have grown; called within ``writing()``."""
    for list_id, change in changes.items():
        if change and list_id < ANYWHERE and list_id % 2 == 0:
            WideHolder.objects.filter(id=-list_id // 2).update(nfts=F("nfts") + change)


def widen(moved: Mapping[int, Moved], known: Set[str]) -> None:
    """Make addresses wide that are found to hold more than :data:`MANY` NFTs now; those of ``known`` are so already.

    To be called when all that follows of these NFTs is written, within ``writing()``.
    """
    gained = Counter(address for one in moved.values() for address in one.holding)
    looked = {address for nft_id, one in moved.items() if nft_id % LOOKS == 0 for address in one.holding} | {
        address for address, times in gained.items() if times >= LOOKS
    }
    if looked <= known:
        return
    some, addresses = bulk.id_list(sorted(looked - known), "text")
    owners = Owner._meta.db_table
    counted = bulk.fetch(
        "SELECT given.id, (SELECT count(*) FROM (SELECT 1 AS one "
        f"FROM {owners} o WHERE o.address = given.id AND o.amount > '{_NOTHING}' AND o.known LIMIT {MANY + 1}) found) "
        f"FROM {some} given",
        [addresses],
    )
    wide = [address for address, number in counted if number > MANY]
    if wide:
        bulk.copy_rows(WideHolder, ("address",), [(address,) for address in wide])
        _post(wide)


def _post(addresses: list[str]) -> None:
    """Write the postings of all NFTs that new wide holders have, as far as it is known who has them."""
    wide, posted = WideHolder._meta.db_table, NftMarket._meta.db_table
    some, given = bulk.id_list(addresses, "text")
    bulk.run(
        f"INSERT INTO {posted} "
        "(nft_id, market_id, contract_id, chain_id, traded, recent_key, token_key, rarity_key) "
        "SELECT r.nft_id, -2 * w.id - lists.asked, r.contract_id, r.chain_id, %s, "
        "r.recent_key, r.token_key, n.rarity_key "
        f"FROM {some} given CROSS JOIN {wide} w CROSS JOIN {Owner._meta.db_table} o "
        f"CROSS JOIN {NftRecent._meta.db_table} r CROSS JOIN {Nft._meta.db_table} n "
        "CROSS JOIN (SELECT 0 AS asked UNION ALL SELECT 1) lists "
        f"WHERE w.address = given.id AND o.address = w.address AND o.amount > '{_NOTHING}' AND o.known "
        "AND r.nft_id = o.nft_id AND n.id = r.nft_id AND (lists.asked = 0 "
        f"OR EXISTS (SELECT 1 FROM {posted} p WHERE p.nft_id = r.nft_id AND p.market_id = {ANYWHERE}))",
        [False, given],
    )
    bulk.run(
        f"UPDATE {wide} SET nfts = (SELECT count(*) FROM {posted} p WHERE p.market_id = -2 * {wide}.id) "
        f"WHERE address IN (SELECT given.id FROM {some} given)",
        [given],
    )
