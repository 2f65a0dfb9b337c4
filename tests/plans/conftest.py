"""The world whose plans are read: on PostgreSQL, the real data tenfold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from interchange.load import load_files
from tests.plans.explain import plan_for_pages
from tests.plans.tenfold import multiply
from tokens.models import Chain, Currency, CurrencyToken, Market, Nft, NftRecent
from tokens.models.market import ANYWHERE
from tokens.models.well_known import write_known

REAL = Path(__file__).parents[2] / ".." / "shared" / "data" / "real.jsonl.gz"
PUNKS_ADDRESS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"

needs_real_data = [
    pytest.mark.postgresql,
    pytest.mark.django_db,
    pytest.mark.xdist_group("tenfold"),  # one worker makes the world
    pytest.mark.skipif(not REAL.exists(), reason="the real data is not here"),
]


@pytest.fixture(scope="package")
def tenfold(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """All punks and loot bags ten times: 180,000 NFTs; a tenth marked in a cluster, asks open, all transferred."""
    # Committed, and removed afterwards: a load sets the planner's switches for the length of its transaction, and an
    # open one would check its millions of foreign keys again with each test.
    with django_db_blocker.unblock():
        connection.close()  # a session of its own: an older one has planned foreign key checks for empty tables
        try:
            assert load_files([str(REAL)]).faults == []
            with transaction.atomic():
                _mark_newest()
                _open_asks()
                _transfer_everything()
                multiply()
            plan_for_pages()
            yield
        finally:
            connection.close()
            call_command("flush", interactive=False, verbosity=0)
            write_known(Chain, Currency, CurrencyToken, Market)


def _mark_newest() -> None:
    newest = list(Nft.objects.order_by("-id").values_list("id", flat=True)[:1_800])
    Nft.objects.filter(id__in=newest).update(own_marked=True, marked=True)
    NftRecent.objects.filter(nft_id__in=newest).update(marked=True)


def _open_asks() -> None:
    """Put every tenth punk on sale on opensea and blur: real asks are all filled by now."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tokens_ask (chain_id, contract_id, nft_id, market_id, order_hash, currency_id, price,"
            " price_key, valid_from, valid_until, status, active, sole)"
            " SELECT n.chain_id, n.contract_id, n.id, m.id, 'ask-' || n.id || m.slug, c.id,"
            " lpad(length(p.p::text)::text, 2, '0') || p.p, '0' || lpad(length(p.p || '000000000000')::text, 2, '0')"
            " || p.p || '000000000000', 0, 4611686018427387904, 'open', true, false"
            " FROM tokens_nft n JOIN tokens_contract k ON k.id = n.contract_id"
            " JOIN tokens_market m ON m.slug IN ('opensea', 'blur') JOIN tokens_currency c ON c.symbol = 'ETH',"
            " LATERAL (SELECT 1000000000000000::numeric * (1 + n.id %% 9973) AS p) p"
            " WHERE k.address = %s AND n.id %% 10 = 3",
            [PUNKS_ADDRESS],
        )
        cursor.execute(
            "INSERT INTO tokens_nftmarket (nft_id, market_id, contract_id, chain_id, traded, recent_key, token_key,"
            " rarity_key) SELECT n.id, m.id, n.contract_id, n.chain_id, n.id %% 2 = 0, r.recent_key, n.token_key,"
            " n.rarity_key FROM tokens_nft n JOIN tokens_nftrecent r ON r.nft_id = n.id"
            " JOIN tokens_market m ON m.slug IN ('opensea', 'blur') ON CONFLICT DO NOTHING",
            [],
        )
        cursor.execute(
            "INSERT INTO tokens_nftmarket (nft_id, market_id, contract_id, chain_id, traded, recent_key, token_key,"
            " rarity_key) SELECT n.id, %s, n.contract_id, n.chain_id, false, r.recent_key, n.token_key, n.rarity_key"
            " FROM tokens_nft n JOIN tokens_nftrecent r ON r.nft_id = n.id"
            " WHERE n.id IN (SELECT nft_id FROM tokens_ask WHERE active)",
            [ANYWHERE],
        )


def _transfer_everything() -> None:
    """Give every NFT a transfer, spread over time, as in a fully indexed contract."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO transfers_transfer (chain_id, contract_id, nft_id, block_number, transaction_hash, log_index,"
            " batch_index, timestamp, recent_key, amount, markets, swaps, judged)"
            " SELECT chain_id, contract_id, id, id, 'mint-' || id, 0, 0, id,"
            " 'y' || lpad((1000000 - (id * 7919) % 1000000)::text, 21, '0'), '011', '[]', '[]', false FROM tokens_nft"
        )
        cursor.execute("UPDATE tokens_nft SET transferred = true")
        cursor.execute(
            "UPDATE tokens_nftrecent r SET recent_key = t.recent_key, last_transfer_id = t.id"
            " FROM transfers_transfer t WHERE t.nft_id = r.nft_id AND r.recent_key = '~'"
        )
        cursor.execute(
            "UPDATE tokens_nfttraitrecent p SET recent_key = r.recent_key FROM tokens_nftrecent r"
            " WHERE r.nft_id = p.nft_id"
        )
        cursor.execute(
            "UPDATE tokens_nftmarket p SET recent_key = r.recent_key FROM tokens_nftrecent r WHERE r.nft_id = p.nft_id"
        )
