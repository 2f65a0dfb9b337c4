"""Transfers as cards of the browsable API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.rest.cards import Card, Fact, moment, plain_number, pretty, text_of
from tokens.records.cards import links_of


def transfer_card(record: Mapping[str, Any]) -> Card:
    """Return the card of a Transfer record."""
    chain, contract, token_id = record["chain"], text_of(record, "contractAddress"), record["tokenId"]
    kind = text_of(record, "transferType") or "transfer"
    return Card(
        title=f"{kind.capitalize()} of #{token_id}",
        subtitle=f"{chain} · {moment(record['timestamp'])}",
        image=text_of(record, "imageCacheUrl"),
        facts=_facts(record),
        links=links_of(chain, contract, token_id, own=True),
        json=pretty(record),
    )


def _facts(record: Mapping[str, Any]) -> list[Fact]:
    facts = [
        Fact(label, record[name])
        for label, name in (("From", "fromAddress"), ("To", "toAddress"))
        if record.get(name)
    ]
    if record["amount"] != "1":
        facts.append(Fact("Units", record["amount"]))
    price = _price(record)
    if price:
        facts.append(Fact("Price", price))
    if record.get("swaps"):
        facts.append(Fact("In exchange", _legs(record["swaps"])))
    if record.get("markets"):
        facts.append(Fact("On", ", ".join(record["markets"])))
    facts.append(Fact("Block", str(record["blockNumber"])))
    facts.append(Fact("Transaction", record["transactionHash"]))
    return facts


def _legs(swaps: Sequence[Mapping[str, Any]]) -> str:
    """Return how many NFTs and payments an exchange had: ``3 NFTs, 1 payment``."""
    nfts = sum("tokenId" in leg for leg in swaps)
    counts = ((nfts, "NFT"), (len(swaps) - nfts, "payment"))
    return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for count, name in counts if count)


def _price(record: Mapping[str, Any]) -> str:
    parts = []
    if record.get("ethValue") is not None:
        parts.append(f"{plain_number(record['ethValue'])} ETH")
    if record.get("usdValue") is not None:
        usd = record["usdValue"]
        parts.append(f"{usd:,.2f} USD" if usd >= 0.01 or not usd else f"{plain_number(usd)} USD")
    if not parts and record.get("nftValue"):
        value = record["nftValue"]
        parts.append(f"{value['amount']} base units of {value.get('tokenName') or value['tokenAddress']}")
    return " · ".join(parts)
