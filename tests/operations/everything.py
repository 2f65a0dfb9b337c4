"""A world with some of everything, and the filters and orders by which it is asked for."""

from __future__ import annotations

from typing import Any

from core.chains import WELL_KNOWN
from tests.builders import ALICE, APES, BOB, Line, ask, contract, ens, nft, rate, transfer
from tests.operations.promises import COLLECTION, EDITIONS, EVERY_ORDER, MINT, OTHER_MINT, WETH

ORDERS = [order for order in EVERY_ORDER if order != "tokenId-asc"]
CHAINS = [chain.slug for chain in WELL_KNOWN if chain.kind == "evm"]
MARKETS = ["opensea", "blur", *(f"market-{number}" for number in range(8))]
FILTERS = {
    "contractAddress": "apes.eth",
    "tokenId": ",".join(map(str, range(30))),
    "traits": ",".join(
        [*(f"Level-{number}" for number in range(15)), *(f"Hat-{number}" for number in range(15))]
    ),
    "excludedTraits": ",".join(f"Fur-{number}" for number in range(30)),
    "priceFilter": "usd,0,1000000",
    "marketplaces": ",".join(MARKETS),
    "excludedTokenIds": ",".join(str(number) for number in range(40, 70)),
    "excludeMarkedNfts": "true",
}


def everything() -> list[Line]:
    """A world with some of everything: 40 NFTs of one address on two chains, editions, mints, and their history."""
    lines: list[Line] = [
        *(contract(APES, on=slug) for slug in CHAINS[:3]),
        contract(EDITIONS, standard="ERC1155"),
        ens("apes.eth", APES),
        rate("ETH", "2000"),
        rate("USDC", "1"),
    ]
    for number in range(40):
        token_id, slug = str(number), ("ethereum", "polygon")[number % 2]
        traits = [("Hat", number % 15), ("Level", number % 15), ("Level", number % 7), ("Fur", 30 + number)]
        image = f"https://example.com/{number}.png"
        value = {"tokenAddress": WETH, "amount": "1000"}
        leg = {"contractAddress": WETH, "fromAddress": BOB, "toAddress": ALICE, "amount": "5"}
        sold: dict[str, Any] = {"nftValue": value, "swaps": [leg], "markets": [MARKETS[number % 10], "blur"]}
        lines += [
            nft(
                token_id,
                on=slug,
                metadata={"name": token_id, "imageUrl": image},
                traits=traits,
                rarity=number,
            ),
            transfer(token_id, on=slug, block=number, transactionFrom=BOB),
            transfer(token_id, on=slug, block=100 + number, sender=ALICE, receiver=BOB, **sold),
            ask(token_id, on=slug, price=str(number), market=MARKETS[number % 10], maker=BOB),
            ask(token_id, on=slug, price="7", currency="USDC"),
        ]
    for index, holder in enumerate("123456789"):
        receiver = "0x" + holder * 40
        lines.append(
            transfer("1", EDITIONS, block=200 + index, receiver=receiver, amount="5", markets=["blur"])
        )
    lines += [nft(MINT, COLLECTION, "solana", traits=[("Hat", 1)]), nft(OTHER_MINT, None, "solana")]
    return lines
