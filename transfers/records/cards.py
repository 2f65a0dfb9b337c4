"""Transfers as rows of a table of the browsable API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.rest.cards import Row, moment, plain_number, text_of
from core.rest.states import shown
from media.links import Links
from tokens.browse.beside import NOTHING, Beside, beside_rows, identity
from tokens.records.cards import nft_url
from transfers.models import Transfer


def transfer_rows(ids: Sequence[int], records: Sequence[Mapping[str, Any]], links: Links) -> list[Row]:
    """Return the records of transfers as lines of a table; by one statement."""
    # From the transfers on: of NFTs that a subquery names PostgreSQL takes the few for many, and reads all there are.
    found = beside_rows(Transfer.objects.filter(pk__in=ids), links, "nft__")
    return [transfer_row(record, found.get(identity(record), NOTHING)) for record in records]


def transfer_row(record: Mapping[str, Any], own: Beside) -> Row:
    """Return the row of a Transfer record."""
    chain, contract, token_id = record["chain"], text_of(record, "contractAddress"), record["tokenId"]
    return Row(
        kind=text_of(record, "transferType") or "transfer",
        title=f"#{shown(token_id)}",
        url=nft_url(chain, contract, token_id),
        image=own.thumbnail,
        when=moment(record["timestamp"]),
        sender=text_of(record, "fromAddress") or "",
        receiver=text_of(record, "toAddress") or "",
        price=_prices(record),
        markets=", ".join(record.get("markets") or ()),
        units="" if record["amount"] == "1" else f"{int(record['amount']):,}",
        transaction=f"block {record['blockNumber']}, transaction {record['transactionHash']}",
    )


def _prices(record: Mapping[str, Any]) -> list[str]:
    """Return what was paid, a line each: its value in ETH and USD, or base units; and what an exchange had."""
    parts = []
    if record.get("ethValue") is not None:
        parts.append(f"{plain_number(record['ethValue'])} ETH")
    if record.get("usdValue") is not None:
        usd = record["usdValue"]
        parts.append(f"{usd:,.2f} USD" if usd >= 0.01 or not usd else f"{plain_number(usd)} USD")
    if not parts and record.get("nftValue"):
        value = record["nftValue"]
        parts.append(f"{value['amount']} base units of {value.get('tokenName') or value['tokenAddress']}")
    if record.get("swaps"):
        parts.append(_legs(record["swaps"]))
    return parts


def _legs(swaps: Sequence[Mapping[str, Any]]) -> str:
    """Return how many NFTs and payments an exchange had: ``3 NFTs, 1 payment``."""
    nfts = sum("tokenId" in leg for leg in swaps)
    counts = ((nfts, "NFT"), (len(swaps) - nfts, "payment"))
    return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for count, name in counts if count)
