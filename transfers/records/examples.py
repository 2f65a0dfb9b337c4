"""An example of an answer of Transfers by Token, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

TRANSFER: dict[str, Any] = {
    "contractAddress": "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb",
    "tokenId": "635",
    "chain": "ethereum",
    "blockNumber": 14000000,
    "transactionHash": "0x" + "5e" * 32,
    "fromAddress": "0x" + "1a" * 20,
    "toAddress": "0x" + "2b" * 20,
    "value": "65000000000000000000",
    "nftValue": {
        "tokenAddress": "0x0000000000000000000000000000000000000000",
        "tokenName": "Ether",
        "amount": "65000000000000000000",
    },
    "swaps": [],
    "usdValue": 210304.25,
    "ethValue": 65,
    "isCommercial": True,
    "amount": "1",
    "timestamp": 1642000000,
    "markets": ["cryptopunks"],
    "transferType": "sale",
}
CURSOR = "WzEsInRyYW5zZmVycyIsIiJd.3Bq5vJq0"
TRANSFER_PAGE = {"data": [TRANSFER], "nextCursor": CURSOR}
