"""The world whose plans are read, made up by SQL in seconds: large enough that a wrong plan reads far too much."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from core.db.keys import uint_key
from nftsite.bench.world.build import drop_secondary
from tokens.models import (
    Ask,
    Chain,
    Contract,
    Currency,
    Nft,
    NftMarket,
    NftRecent,
    NftTrait,
    NftTraitRecent,
    Owner,
    TraitValue,
)
from tokens.models.trait import label_key, pair_key
from tokens.prices.currency_worths import currency_rows, keyed_worths
from tokens.store import rates
from tokens.store.facts import RateFacts
from transfers.models import Transfer

STATEMENTS = Path(__file__).with_name("world.sql")
FILLED = (Nft, NftRecent, NftTrait, NftTraitRecent, NftMarket, Ask, Owner, Transfer)
FACES = "0xface" + "0" * 36
"""The contract that most plans are read of: 100,000 NFTs of no rarity, which are all ties in its order."""
ESCROW = "0xe5c" + "0" * 37
"""Holds a quarter of all NFTs, all lists of which are long."""
FEW = "0x" + f"{1:040d}"
"""Holds a few."""
PRICES = [10**16 * number + 5 * 10**15 for number in range(997)]
"""What asks ask for, in wei: from 0.005 to 9.965 ETH, and none at the bounds of a filter."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Values of which an NFT has one at most, with their shares of 10,000; ``""`` for those that have none.

    An NFT throws a dice once, whatever the slot: values of two slots with one dice exclude or imply each other.
    """

    dice: int
    kind: str
    shares: dict[str, int]


@dataclass(frozen=True, slots=True)
class Shape:
    """A contract with the token ids ``first``, ``first + step``, …"""

    address: str
    chain: str
    size: int
    slots: tuple[Slot, ...]
    rated: bool = True
    first: int = 0
    step: int = 1


def _evenly(dice: int, kind: str, number: int) -> Slot:
    return Slot(dice, kind, {f"{kind} {place}": 10_000 // number for place in range(number)})


FACE_SLOTS = (
    Slot(1, "Type", {"Human": 9_879, "Zombie": 88, "Ape": 24, "Alien": 9}),
    Slot(2, "Gender", {"Male": 6_160, "Female": 3_840}),
    Slot(2, "Accessory", {"": 9_729, "Green Eye Shadow": 271}),  # female all
    Slot(3, "Accessory", {"Earring": 2_459}),
    Slot(4, "Accessory", {"Mohawk": 441, "Cap": 351, **{f"Hat {place}": 300 for place in range(20)}}),
    Slot(5, "Skin", {"Medium": 3_031, "Light": 3_006, "Dark": 2_824, "Albino": 1_018}),
)
BAG_SLOTS = (_evenly(1, "Head", 20), _evenly(2, "Neck", 20))


def shapes() -> Iterator[Shape]:
    """Yield the contracts: a big one, two that are smaller, one of these on another chain, and a hundred small ones."""
    yield Shape(FACES, "ethereum", 100_000, FACE_SLOTS, rated=False)
    yield Shape("0xba6" + "0" * 37, "ethereum", 50_000, BAG_SLOTS)
    yield Shape("0xca2" + "0" * 37, "polygon", 20_000, (_evenly(1, "Colour", 4),), step=5)
    for number in range(100):
        slots = (_evenly(1, "Colour", 4),)
        yield Shape(f"0x5a11{number:036x}", "ethereum", 100, slots, first=number * 10, step=1_000)


def fill() -> None:
    """Fill the empty tables of a PostgreSQL database, and gather statistics; all or nothing."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL work_mem = '256MB'; SET LOCAL maintenance_work_mem = '256MB'")
        _write_prices()
        _write_contracts()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        definitions = drop_secondary(FILLED)
        cursor.execute(STATEMENTS.read_text())
        for definition in definitions:
            cursor.execute(definition)
        # A plan must not hang on when the server looks at a table by itself, or at which of its rows.
        for model in FILLED:
            cursor.execute(f"ALTER TABLE {model._meta.db_table} SET (autovacuum_enabled = off)")
    with connection.cursor() as cursor:
        cursor.execute("SET vacuum_cost_delay = 0")
        cursor.execute("VACUUM (ANALYZE)")


def _write_prices() -> None:
    """Write a rate, and plans_price with the keys that prices have at it."""
    rates.write([RateFacts("ETH", 1_600_000_000, Decimal(2_000))])
    rates.rekey()
    ether = Currency.objects.get(symbol="ETH").pk
    worth = keyed_worths(currency_rows(int(time.time())))[ether]
    _write(
        "plans_price (number integer, currency_id bigint, price text, price_key text)",
        [(number, ether, uint_key(price), worth.price_key(price)) for number, price in enumerate(PRICES)],
    )


def _write_contracts() -> None:
    """Write the contracts and their trait values, plans_contract and plans_slot."""
    chains = dict(Chain.objects.values_list("slug", "id"))
    contracts: list[Contract] = []
    values: list[TraitValue] = []
    rows: list[tuple[Any, ...]] = []
    slots: list[tuple[Any, ...]] = []
    for contract_id, shape in enumerate(shapes(), 1):
        chain_id = chains[shape.chain]
        names = {"address": shape.address, "folded_address": shape.address}
        contracts.append(Contract(id=contract_id, chain_id=chain_id, nft_count=shape.size, **names))
        rows.append((contract_id, chain_id, shape.size, shape.rated, shape.first, shape.step))
        for slot in shape.slots:
            trait_ids: list[int | None] = []
            for value in slot.shares:
                if value:
                    values.append(
                        TraitValue(
                            id=len(values) + 1,
                            contract_id=contract_id,
                            type=slot.kind,
                            value=value,
                            label_key=label_key(f"{slot.kind}-{value}"),
                            pair_key=pair_key(slot.kind, value),
                        )
                    )
                trait_ids.append(len(values) if value else None)
            slots.append((contract_id, slot.dice, list(accumulate(slot.shares.values())), trait_ids))
    Contract.objects.bulk_create(contracts)
    TraitValue.objects.bulk_create(values)
    _write(
        "plans_contract (id bigint, chain_id bigint, size bigint, rated boolean, first bigint, step bigint)",
        rows,
    )
    _write("plans_slot (contract_id bigint, dice integer, ends integer[], trait_ids bigint[])", slots)


def _write(table: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Make a table for the statements, gone with the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMPORARY TABLE {table} ON COMMIT DROP")
        places = ", ".join(["%s"] * len(rows[0]))
        cursor.executemany(f"INSERT INTO {table.split(maxsplit=1)[0]} VALUES ({places})", rows)
