"""Fills an empty PostgreSQL database with a world of any size, set-based: minutes for two million NFTs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models

from media.models import CachedImage
from nftsite.bench.world.shape import (
    ETH_USD,
    MARKETS,
    SLOT_STRIDE,
    SLOTS,
    SPAN,
    START,
    ContractShape,
    contracts,
    stride,
)
from tokens.models import (
    Ask,
    Chain,
    Contract,
    Currency,
    EnsName,
    Market,
    Nft,
    NftMarket,
    NftRecent,
    NftTrait,
    NftTraitRecent,
    Owner,
    TraitValue,
)
from tokens.models.trait import label_key, pair_key
from tokens.prices.currency_worths import DueRates, currency_rows, keyed_worths
from tokens.store import rates, renderings, wide_holders
from tokens.store.facts import RateFacts
from transfers.models import Transfer

DAY = 86_400
STATEMENTS = Path(__file__).parent / "statements"
STEPS = ("nfts", "images", "transfers", "holders", "recents", "asks", "wide", "traits", "marks")
FILLED: tuple[type[models.Model], ...] = (
    *(CachedImage, Nft, NftRecent, NftTrait, NftTraitRecent, NftMarket, Ask, Owner, Transfer),
)
"""Tables that are filled without their secondary indexes, which are made once at the end."""


class World:
    """A world of ``nfts`` NFTs in an empty database, told step by step to ``say``.

    Needs PostgreSQL and the right to create functions. Not safe to interrupt: the database is the benchmark's own,
    and a half-filled one is thrown away (:func:`standing` tells a whole one).
    """

    def __init__(self, nfts: int, say: Callable[[str], object]) -> None:
        self.nfts = nfts
        self.say = say
        self.shapes = list(contracts(nfts))

    def build(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "SET work_mem = '512MB'; SET maintenance_work_mem = '1GB'; SET synchronous_commit = off; SET jit = off"
            )
        with self._step("dictionaries"):
            self._write_dictionaries()
            _run("functions", {})
            self._create_price_key()
        definitions = drop_secondary(FILLED)
        parameters = self._parameters()
        for step in STEPS:
            with self._step(step):
                _run(step, parameters)
                with connection.cursor() as cursor:
                    cursor.execute("ANALYZE")
        for definition in definitions:
            with self._step(definition.split(" ON ")[0].split(" (")[0][:70]), connection.cursor() as cursor:
                cursor.execute(definition)
        with self._step("renderings"):
            renderings.refresh_all()
        with self._step("vacuum"):
            self._finish()

    def _write_dictionaries(self) -> None:
        chains = dict(Chain.objects.values_list("slug", "id"))
        Market.objects.bulk_create([Market(slug=slug) for slug in MARKETS], ignore_conflicts=True)
        # A rate counts for two days: one a day, all alike.
        days = range(START - DAY, START + SPAN, DAY)
        usd = {"ETH": ETH_USD, "USDC": 1}
        rates.write([RateFacts(symbol, day, Decimal(rate)) for symbol, rate in usd.items() for day in days])
        rates.rekey()
        Contract.objects.bulk_create([_contract(shape, chains) for shape in self.shapes], batch_size=1_000)
        ids = dict(Contract.objects.values_list("name", "id"))
        values = (
            TraitValue(
                id=ids[f"Bench {shape.number}"] * SLOT_STRIDE + slot,
                contract_id=ids[f"Bench {shape.number}"],
                type=kind,
                value=value,
                label_key=label_key(f"{kind}-{value}"),
                pair_key=pair_key(kind, value),
            )
            for shape in self.shapes
            for slot, (kind, value) in enumerate(SLOTS)
        )
        TraitValue.objects.bulk_create(values, batch_size=2_000)
        EnsName.objects.bulk_create(
            EnsName(name=f"bench{shape.number}.eth", address=shape.address)
            for shape in self.shapes[:1_000]
            if shape.ids != "mint"
        )
        self._write_shapes(ids, chains)

    def _write_shapes(self, ids: Mapping[str | None, int], chains: Mapping[str, int]) -> None:
        """Have what is to be made of each contract in a table, for the statements."""
        rows = [
            (
                *(one.number, ids[f"Bench {one.number}"], chains[one.chain], one.first, one.size),
                *(one.ids, one.multiple, one.rated, one.moves),
            )
            for one in self.shapes
        ]
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE UNLOGGED TABLE bench_contract (number bigint PRIMARY KEY, contract_id bigint, chain_id bigint, "
                "first bigint, size bigint, ids text, multiple boolean, rated boolean, moves double precision)"
            )
            cursor.executemany("INSERT INTO bench_contract VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)", rows)

    def _create_price_key(self) -> None:
        """Have the service's own SQL make the keys of prices."""
        worths = keyed_worths(currency_rows(int(time.time())))
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE FUNCTION bench_price_key(currency_id bigint, price text, price_key text DEFAULT NULL) "
                "RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT "
                f"{DueRates(None, worths).price_key_sql()} $$"
            )

    def _parameters(self) -> dict[str, Any]:
        markets = dict(Market.objects.values_list("slug", "id"))
        currencies = dict(Currency.objects.values_list("symbol", "id"))
        return {
            "nfts": self.nfts,
            "stride": stride(self.nfts),
            "firsts": [shape.first for shape in self.shapes],
            "kinds": [kind for kind, _ in SLOTS],
            "values": [value for _, value in SLOTS],
            "slot_stride": SLOT_STRIDE,
            "start": START,
            "span": SPAN,
            "eth_usd": ETH_USD,
            "markets": list(MARKETS),
            "market_ids": [markets[slug] for slug in MARKETS],
            "currency_ids": [currencies[symbol] for symbol in ("ETH", "WETH", "USDC", "APE")],
            "wide": wide_holders.MANY,
            "largest": Contract.objects.get(name="Bench 1").pk,
        }

    def _finish(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE tokens_contract c SET nft_count = size FROM bench_contract WHERE contract_id = c.id"
            )
            cursor.execute("SELECT oid::regprocedure FROM pg_proc WHERE proname LIKE 'bench\\_%'")
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP FUNCTION {name}")
            cursor.execute("DROP TABLE bench_nft, bench_move, bench_last, bench_contract")
            for statement in connection.ops.sequence_reset_sql(no_style(), [*FILLED, TraitValue]):
                cursor.execute(statement)
            cursor.execute("VACUUM ANALYZE")
            cursor.execute("CREATE TABLE bench_world AS SELECT %s::bigint AS nfts", [self.nfts])

    @contextmanager
    def _step(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.say(f"{name:<72} {time.perf_counter() - started:7.1f} s")


def standing() -> int | None:
    """Return the number of NFTs of the world that stands whole in the database; ``None`` where there is none."""
    if "bench_world" not in connection.introspection.table_names():
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT nfts FROM bench_world")
        return int(cursor.fetchone()[0])


def _contract(shape: ContractShape, chains: dict[str, int]) -> Contract:
    return Contract(
        chain_id=chains[shape.chain],
        address=shape.address,
        folded_address=shape.address.lower(),
        standard="" if shape.ids == "mint" else "ERC1155" if shape.multiple else "ERC721",
        name=f"Bench {shape.number}",
        symbol=f"B{shape.number}",
        ens_name=f"bench{shape.number}.eth" if shape.number <= 1_000 and shape.ids != "mint" else None,
        marked=shape.marked,
        marked_reason="a copy" if shape.marked else None,
    )


def _run(name: str, parameters: dict[str, Any]) -> None:
    text = (STATEMENTS / f"{name}.sql").read_text()
    with connection.cursor() as cursor:
        cursor.execute(text, parameters or None)


def drop_secondary(filled: Sequence[type[models.Model]]) -> list[str]:
    """Drop the indexes and constraints of tables but their primary keys; return the statements that make them again."""
    tables = [model._meta.db_table for model in filled]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE conrelid = ANY(%s::regclass[]) AND contype IN ('f', 'u') ORDER BY contype = 'f', conname",
            [tables],
        )
        constraints = cursor.fetchall()
        for table, name, _ in constraints:
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        cursor.execute(
            "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index "
            "WHERE indrelid = ANY(%s::regclass[]) AND NOT indisprimary ORDER BY 1",
            [tables],
        )
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f"DROP INDEX {name}")
    return [
        *(definition for _, definition in indexes),
        *(
            f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}"
            for table, name, definition in constraints
        ),
    ]
