"""A deterministic world in the interchange format, of any size, made line by line in constant memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from core.addresses import ZERO_ADDRESS

START = 1_600_000_000
"""Unix time of the first transfer."""

BLOCK_SECONDS = 12
TRANSFERS_PER_NFT = 5
HOLDERS = 20_000
WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
TRAITS: dict[str, list[Any]] = {
    "Background": ["Blue", "Gold", "Gray", "Green", "Army", "Orange", "Purple", "Teal"],
    "Fur": ["Brown", "Black", "Cheetah", "Cream", "Golden Brown", "Noise", "Trippy", "Solid Gold"],
    "Eyes": ["Bored", "Sleepy", "Wide", "3d", "Heart", "Laser"],
    "Mouth": ["Bored", "Grin", "Phoneme Oh", "Dumbfounded", "Rage"],
    "Clothes": ["Striped Tee", "Tweed Suit", "Smoking Jacket", "Lab Coat", "Toga", "Bone Tee"],
    "Hat": ["Beanie", "Halo", "King's Crown", "Fez", "Party Hat"],
    "Level": [1, 2, 3, 5, 8],
}
MARKETS = ("opensea", "opensea", "opensea", "blur", "blur", "looksrare", "x2y2")


def world(transfers: int, seed: int = 1) -> Iterator[bytes]:
    """Yield the lines of a world with that many transfers: rates, contracts, NFTs with traits, transfers by block.

    Contracts are of uneven size (the largest has a third of all NFTs); one in twenty is an ERC-1155.
    """
    random = Random(seed)  # noqa: S311 - a benchmark's data
    nfts = max(transfers // TRANSFERS_PER_NFT, 1)
    contracts = [(f"0x{number:040x}", number % 20 == 19) for number in range(1, max(nfts // 2_000, 2) + 1)]
    days = transfers * BLOCK_SECONDS // 10 // 86_400 + 2
    for day in range(days):
        yield _line(
            record="rate", currency="ETH", timestamp=START + (day - 1) * 86_400, usd=str(1_000 + day % 3_000)
        )
    for address, multiple in contracts:
        standard = "ERC1155" if multiple else "ERC721"
        yield _line(record="contract", chain="ethereum", contractAddress=address, contractStandard=standard)
    owned = [_place(number, len(contracts)) for number in range(nfts)]
    for number, (contract, token) in enumerate(owned):
        yield _nft(random, contracts[contract][0], token, number)
    holders: list[str] = []
    for number in range(transfers):
        mint = number < nfts
        place = number if mint else random.randrange(nfts)
        contract, token = owned[place]
        giver, taker = ZERO_ADDRESS if mint else holders[place], _holder(random)
        if mint:
            holders.append(taker)
        holders[place] = taker
        yield _transfer(random, contracts[contract][0], token, number, giver, taker)


def _place(number: int, contracts: int) -> tuple[int, int]:
    """Spread NFTs unevenly: a third to the first contract, the rest by turns."""
    return (0, number) if number % 3 == 0 else (1 + number // 3 % max(contracts - 1, 1), number)


def _nft(random: Random, address: str, token: int, number: int) -> bytes:
    traits = [{"traitType": kind, "traitValue": random.choice(TRAITS[kind])} for kind in TRAITS]
    metadata = {"name": f"Bench #{number}", "imageUrl": f"ipfs://bench/{number}.png", "traits": traits}
    identity = {"chain": "ethereum", "contractAddress": address, "tokenId": str(token)}
    return _line(record="nft", **identity, metadata=metadata, rarity=round(random.random() * 3, 6))


def _transfer(random: Random, address: str, token: int, number: int, giver: str, taker: str) -> bytes:
    block = number // 10
    mint = giver == ZERO_ADDRESS
    sale = not mint and random.random() < 0.4
    price = random.randrange(1, 5_000) * 10**15
    fields: dict[str, Any] = {}
    if sale:
        currency = random.choice([ZERO_ADDRESS, ZERO_ADDRESS, WETH])
        fields["nftValue"] = {"tokenAddress": currency, "amount": str(price)}
    return _line(
        record="transfer",
        chain="ethereum",
        contractAddress=address,
        tokenId=str(token),
        blockNumber=10_000_000 + block,
        transactionHash=f"0x{number:064x}",
        logIndex=number % 10,
        fromAddress=giver,
        toAddress=taker,
        transactionFrom=taker,
        value=str(price) if sale else "0",
        amount="1",
        timestamp=START + block * BLOCK_SECONDS,
        swaps=[],
        markets=[random.choice(MARKETS)] if sale else [],
        transferType="mint" if mint else "sale" if sale else "transfer",
        isCommercial=sale,
        **fields,
    )


def _holder(random: Random) -> str:
    return f"0x{random.randrange(HOLDERS) + 2**100:040x}"


def _line(**fields: Any) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"
