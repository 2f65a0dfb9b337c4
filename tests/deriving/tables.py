"""What is stored after a load, by identities instead of ids, so that two databases can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction

from tests.builders import analyze
from tokens.models import (
    Ask,
    Contract,
    Currency,
    Nft,
    NftMarket,
    NftRecent,
    NftTraitRecent,
    Owner,
    Rate,
    StatedOwnership,
)
from tokens.models.market import ANYWHERE
from transfers.models import Transfer

NFT = ("nft__chain__slug", "nft__contract__address", "nft__token_key")
TRANSFER = (
    *("transaction_hash", "log_index", "batch_index", "chain__slug", "contract__address", "recent_key"),
    *("from_address", "to_address", "transaction_from", "amount", "value", "markets", "swaps", "native"),
    *("nft_value_token", "nft_value_name", "nft_value_amount", "usd_value", "eth_value", "stated_usd_value"),
    *("stated_eth_value", "is_commercial", "transfer_type", "judged", "block_number", "timestamp"),
)
RECENT = ("token_key", "recent_key", "markets", "owners_total", "marked")
MANY = 2_000
COPIES = ("contract__address", "chain__slug")


def everything() -> dict[str, list[Any]]:
    """All that follows from lines, in an order of its own."""
    if Nft.objects.count() > MANY:
        # In the transaction that loaded them the planner has no statistics of so many rows: minutes of nested loops.
        analyze()
    places = {row[0]: row[1:] for row in Transfer.objects.values_list("id", *TRANSFER[:4])}
    recent = NftRecent.objects.values_list(*NFT, *COPIES, *RECENT)
    last = NftRecent.objects.values_list(*NFT, "last_transfer_id")
    return {
        "contracts": _sorted(Contract.objects.values_list(*COPIES[1:], "address", "standard", "nft_count")),
        "nfts": _sorted(
            Nft.objects.values_list("chain__slug", "contract__address", "token_key", "transferred", "minter")
        ),
        "transfers": _sorted(Transfer.objects.values_list(*NFT, *TRANSFER)),
        "recent": _sorted(recent),
        "last": _sorted((*row[:3], places.get(row[3])) for row in last),
        "traits": _sorted(NftTraitRecent.objects.values_list(*NFT, "trait__pair_key", "recent_key")),
        "owners": _sorted(
            Owner.objects.values_list(
                *(*NFT, "address", "amount", "entered_key"),
                *("entered_at_block", "entered_at", "updated_at_block", "updated_at"),
            )
        ),
        "postings": _sorted(
            NftMarket.objects.values_list(
                *(*NFT, *COPIES, "market__slug", "traded", "recent_key", "token_key", "rarity_key")
            )
        ),
        "asked": _sorted(
            NftMarket.objects.filter(market_id=ANYWHERE).values_list(
                *(*NFT, *COPIES, "traded", "recent_key", "token_key", "rarity_key")
            )
        ),
        "asks": _sorted(
            Ask.objects.values_list(
                *(
                    *NFT,
                    *COPIES,
                    "market__slug",
                    "order_hash",
                    "currency__symbol",
                    "price",
                    "amount",
                    "maker",
                ),
                *("valid_from", "valid_until", "status", "active", "sole"),
            )
        ),
        "keys": _sorted(Ask.objects.filter(status="open").values_list("order_hash", "price_key")),
        "rates": _sorted(Rate.objects.values_list("currency__symbol", "timestamp", "usd")),
        "keyed": _sorted(Currency.objects.values_list("symbol", "keyed_usd")),
        "stated": _sorted(
            StatedOwnership.objects.values_list(*NFT, "owners", "as_of_block", "as_of", "pending")
        ),
    }


@contextmanager
def rolled_back() -> Iterator[None]:
    """Take back all that is written within."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _sorted(rows: Any) -> list[Any]:
    return sorted((tuple(row) for row in rows), key=repr)
