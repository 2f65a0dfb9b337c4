"""NFTs as cards of the browsable API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

from core.rest.cards import Card, Fact, moment, plain_number, text_of
from core.rest.states import shown
from tokens.browse.beside import Beside


def nft_card(record: Mapping[str, Any], beside: Beside) -> Card:
    """Return the card of an NFT record."""
    metadata = record.get("metadata") or {}
    chain, contract, token_id = record["chain"], text_of(record, "contractAddress"), record["tokenId"]
    return Card(
        title=text_of(metadata, "name") or f"#{shown(token_id)}",
        url=nft_url(chain, contract, token_id),
        subtitle=f"{beside.collection} · {chain}",
        image=text_of(metadata, "imageCachePreviewUrl") or text_of(metadata, "imageCacheThumbnailUrl"),
        facts=_facts(record),
        collection_url=reverse("collection", args=[chain, contract]) if contract else None,
        mark=beside.mark,
    )


def nft_url(chain: str, contract: str | None, token_id: str) -> str:
    """Return the address of an NFT's page; one that is in no collection has its mint in place of a contract."""
    return reverse("nft", args=[chain, contract or token_id, token_id])


def _facts(record: Mapping[str, Any]) -> list[Fact]:
    facts = []
    if record.get("orderbook"):
        market, currency, price = record["orderbook"][0].split(",")
        facts.append(Fact("Ask", f"{price} {currency} on {market}"))
    if record.get("rank") is not None:
        facts.append(Fact("Rank", plain_number(record["rank"])))
    total = record.get("ownersTotal") or len(record.get("owners") or ())
    if total > 1:
        facts.append(Fact("Owners", f"{total:,}"))
    elif record.get("owner") and total:
        facts.append(Fact("Owner", shown(record["owner"]), whole=record["owner"]))
    if record.get("lastTransfer"):
        facts.append(Fact("Moved", moment(record["lastTransfer"]["timestamp"])))
    return facts
