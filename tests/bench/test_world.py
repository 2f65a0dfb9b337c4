"""The benchmark's world is what loading it would have made: else what is measured is nothing that a service meets."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from django.core.management import call_command
from django.db import connection

from interchange.load import load_files
from nftsite.bench.world.build import World, standing
from nftsite.bench.world.shape import ESCROW, contracts
from tokens.models import Chain, Contract, Currency, CurrencyToken, Market, Nft
from tokens.models.well_known import write_known
from tokens.store import wide_holders
from transfers.models import Transfer

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]
SIZE = 1_000

NFT = (
    "SELECT n.id, h.slug || c.address || n.token_key AS name FROM tokens_nft n "
    "JOIN tokens_contract c ON c.id = n.contract_id JOIN tokens_chain h ON h.id = n.chain_id"
)
DERIVED = {
    "owners": "SELECT name, address, amount, entered_key, entered_at_block, updated_at_block, updated_at "
    "FROM tokens_owner o JOIN named ON named.id = o.nft_id",
    "recency": "SELECT name, r.token_key, recent_key, markets, owners_total, marked FROM tokens_nftrecent r "
    "JOIN named ON named.id = r.nft_id",
    "sales": "SELECT named.name, m.slug, recent_key, p.token_key, rarity_key FROM tokens_nftmarket p "
    "JOIN named ON named.id = p.nft_id JOIN tokens_market m ON m.id = p.market_id WHERE traded",
    "traits": "SELECT name, v.type, v.value, v.count, p.token_key, rarity_key, recent_key FROM tokens_nfttrait p "
    "JOIN tokens_nfttraitrecent USING (nft_id, trait_id) "
    "JOIN named ON named.id = p.nft_id JOIN tokens_traitvalue v ON v.id = p.trait_id",
    "asks": "SELECT name, order_hash, price_key, active, sole FROM tokens_ask a JOIN named ON named.id = a.nft_id",
    "nfts": "SELECT name, minter, transferred, own_marked, marked, rarity_key FROM tokens_nft JOIN named USING (id)",
    "values": "SELECT name, recent_key, usd_value, eth_value, transfer_type, is_commercial FROM transfers_transfer t "
    "JOIN named ON named.id = t.nft_id",
    "held": "SELECT w.address, p.market_id + 2 * w.id, name FROM tokens_nftmarket p "
    "JOIN named ON named.id = p.nft_id JOIN tokens_wideholder w ON w.id = (1 - p.market_id) / 2 WHERE p.market_id < 0",
    "contracts": "SELECT address, nft_count, marked FROM tokens_contract WHERE address <> ''",
}


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A small world, in which the escrow is wide; the helper table that tells of it goes with it."""
    monkeypatch.setattr(wide_holders, "MANY", 10)
    monkeypatch.setattr(wide_holders, "LOOKS", 1)
    World(SIZE, lambda line: None).build()
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS bench_world")


def derived() -> dict[str, list[tuple[object, ...]]]:
    """All that is derived, by names that do not depend on row ids."""
    found = {}
    with connection.cursor() as cursor:
        for name, query in DERIVED.items():
            cursor.execute(f"WITH named AS ({NFT}) {query} ORDER BY 1, 2, 3")
            found[name] = cursor.fetchall()
    return found


_CASTS = re.compile(r"::[a-z ]+(?:\[\])?|[()]")


def indexes() -> set[str]:
    """The definitions of all indexes, without casts and brackets: PostgreSQL moves them when it reads its own words."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'")
        return {
            _CASTS.sub("", definition) for (definition,) in cursor.fetchall() if "bench" not in definition
        }


def test_a_world_holds_what_loading_its_dump_derives(world: None, tmp_path: object) -> None:
    path = f"{tmp_path}/world.jsonl"
    call_command("dump", output=path, stderr=io.StringIO())
    made = derived()
    call_command("flush", interactive=False, verbosity=0)
    write_known(Chain, Currency, CurrencyToken, Market)
    assert load_files([path], strict=True).faults == []
    loaded = derived()
    assert {row[0] for row in made["held"]} == {ESCROW}
    for name, rows in made.items():
        assert rows == loaded[name], name


def test_a_world_has_the_size_and_the_uneven_contracts_it_names_and_the_indexes_that_migrations_made() -> (
    None
):
    before = indexes()
    World(SIZE, lambda line: None).build()
    assert standing() == SIZE == Nft.objects.count()
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE bench_world")
    assert indexes() == before
    assert Contract.objects.get(name="Bench 1").nft_count == SIZE // 5
    assert 4.5 < Transfer.objects.count() / SIZE < 6
    assert Contract.objects.filter(address=Contract.objects.get(name="Bench 2").address).count() == 2


def test_contracts_share_all_places_among_them() -> None:
    for nfts in (400, 2_000, 20_000, 2_000_000):
        shapes = list(contracts(nfts))
        assert shapes[-1].first + shapes[-1].size == nfts
        assert all(one.first + one.size == other.first for one, other in pairwise(shapes))
