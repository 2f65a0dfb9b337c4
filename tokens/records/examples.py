"""An example of an answer of NFTs by Token, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

NFT: dict[str, Any] = {
    "chain": "ethereum",
    "contractAddress": "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb",
    "contractStandard": "CryptoPunks",
    "tokenId": "635",
    "metadata": {
        "name": "CryptoPunk #635",
        "traits": [
            {
                "traitType": "Type",
                "traitValue": "Alien",
                "traitRarity": 1111.111111111111,
                "traitFrequency": 9,
                "traitPercentFrequency": 0.09,
            }
        ],
    },
    "owner": "0x" + "2b" * 20,
    "owners": [
        {
            "address": "0x" + "2b" * 20,
            "amount": "1",
            "enteredAtBlock": 14000000,
            "enteredAt": 1642000000,
            "updatedAtBlock": 14000000,
            "updatedAt": 1642000000,
        }
    ],
    "markets": ["cryptopunks"],
    "orderbook": ["cryptopunks,ETH,120.5"],
}
CURSOR = "WzEsIm5mdHMiLCIiXQ.q0mB7c1x"
NFT_PAGE = {"data": [NFT], "nextCursor": CURSOR}
