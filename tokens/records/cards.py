"""NFTs as cards of the browsable API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

from core.rest.cards import Card, Fact, moment, plain_number, pretty, query_url, text_of


def nft_card(record: Mapping[str, Any]) -> Card:
    """Return the card of an NFT record."""
    metadata = record.get("metadata") or {}
    chain, contract, token_id = record["chain"], text_of(record, "contractAddress"), record["tokenId"]
    standard = text_of(record, "contractStandard")
    return Card(
        title=text_of(metadata, "name") or f"#{token_id}",
        subtitle=" · ".join(filter(None, (chain, standard))),
        image=text_of(metadata, "imageCacheThumbnailUrl"),
        facts=_facts(record, chain, contract),
        links=links_of(chain, contract, token_id, own=False),
        json=pretty(record),
    )


def links_of(chain: str, contract: str | None, token_id: str, *, own: bool) -> list[Fact]:
    """Return the links between the operations for one token; ``own``: to its NFT record rather than its collection.

    A token of a mint-identified chain that is in no collection is asked for by its mint.
    """
    nfts, transfers = reverse("nfts-by-token"), reverse("transfers-by-token")
    token = {"chain": chain, "contractAddress": contract, "tokenId": token_id}
    history = Fact(
        "Transfers", "Transfers", query_url(transfers, **token | {"contractAddress": contract or token_id})
    )
    if own:
        return [Fact("NFT", "NFT", query_url(nfts, **token)), history]
    found = [Fact("Only this NFT", "Only this NFT", query_url(nfts, **token)), history]
    if contract:
        found.append(Fact("Collection", "Collection", query_url(nfts, chain=chain, contractAddress=contract)))
    return found


def _facts(record: Mapping[str, Any], chain: str, contract: str | None) -> list[Fact]:
    facts = [Fact("Token id", record["tokenId"])]
    if contract:
        nfts = reverse("nfts-by-token")
        facts.append(Fact("Contract", contract, query_url(nfts, chain=chain, contractAddress=contract)))
    if record.get("owner"):
        facts.append(Fact("Owner", record["owner"]))
    if len(record.get("owners") or ()) > 1:
        facts.append(Fact("Owners shown", str(len(record["owners"]))))
    if record.get("orderbook"):
        market, currency, price = record["orderbook"][0].split(",")
        facts.append(Fact("Lowest ask", f"{price} {currency} on {market}"))
    if record.get("rank") is not None:
        facts.append(Fact("Rarity rank", plain_number(record["rank"])))
    if record.get("lastTransfer"):
        facts.append(Fact("Last transfer", moment(record["lastTransfer"]["timestamp"])))
    return facts
