"""Rarible's events, encoded from their published layouts."""

from __future__ import annotations

from typing import Any

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, LATER, ZERO, log, topic0, word, words
from tests.markets.emitting import Emitted

RARIBLE_1 = "0xcd4ec7b66fbc029c116ba9ffb3e59351c20b5b06"
ERC721_SALE = "0x131aebbfe55bca0c9eaad4ea24d386c5c082dd58"
ERC1155_SALE = "0x93f2a75d771628856f37f256da95e99ea28aafbe"
RARIBLE_2 = "0x9757f2d2b135150bbeb65308d4a91804107cd8d6"
LEFT, RIGHT = "0x" + "1e" * 32, "0x" + "2f" * 32


# `amount` of what the owner sells went to the taker.
_BUY = Emitted(
    "Buy(address indexed nft, uint256 indexed token_id, uint256 selling, address owner, address currency, "
    "uint256 bought_id, uint256 buying, address taker, uint256 amount, uint256 salt)",
    RARIBLE_1,
    "owner taker",
    selling=1,
    amount=1,
)


def buy(
    owner: str,
    taker: str,
    *,
    sold: tuple[str, int] = (APES, 7),
    bought: tuple[str, int] = (ZERO, 0),
    **of: Any,
) -> RawLog:
    """`Buy` of the first exchange."""
    told: dict[str, Any] = {
        "nft": sold[0],
        "token_id": sold[1],
        "currency": bought[0],
        "bought_id": bought[1],
    }
    return _BUY(owner, taker, **told, **of)


# `Buy` of the sale contracts; the price of units is for one of them.
erc721_sale = Emitted(
    "Buy(address indexed nft, uint256 indexed token_id, address seller, address buyer, uint256 price, uint256 nonce)",
    ERC721_SALE,
    "seller buyer price",
)
erc1155_sale = Emitted(
    "Buy(address indexed nft, uint256 indexed token_id, address seller, uint256 each, address buyer, uint256 units)",
    ERC1155_SALE,
    "seller buyer each units",
)


def kind(name: str, content: str = "") -> str:
    """An asset type of the named class: `(bytes4, bytes)`."""
    padded = content.ljust(-(-len(content) // 64) * 64, "0")
    return first_bytes(name) + word(64) + word(len(content) // 2) + padded


def first_bytes(name: str) -> str:
    """The first four bytes of the hash of a name, in a word."""
    return topic0(name)[2:10].ljust(64, "0")


def nft(token_id: int, contract: str = APES, name: str = "ERC721") -> str:
    """The asset type of an NFT."""
    return kind(name, words(contract, token_id))


def lazy(token_id: int) -> str:
    """The asset type of an NFT that is minted when it is sold: `(address, (uint256, string, …))`."""
    return kind("ERC721_LAZY", words(APES, 64, token_id, 96))


def erc20_kind(currency: str) -> str:
    """The asset type of a token."""
    return kind("ERC20", word(currency))


_HASHES = {"left": LEFT, "right": RIGHT}
# `Match` of 2021 and 2022 with makers and assets, of 2021 with makers only, and since 2022 with what each side got.
_MATCH = (
    "Match(bytes32 left, bytes32 right, address left_maker, address right_maker, uint256 left_got, "
    "uint256 right_got"
)
match_bare = Emitted(
    "Match(bytes32 left, bytes32 right, uint256 left_got, uint256 right_got)",
    RARIBLE_2,
    "left_got right_got",
    **_HASHES,
)


def moved(
    asset: str, amount: int, sender: str, receiver: str, *, index: int = LATER, why: str = "PAYOUT"
) -> RawLog:
    """The exchange's own `Transfer` of an asset."""
    signature = "Transfer(((bytes4,bytes),uint256),address,address,bytes4,bytes4)"
    data = words(160, sender, receiver) + first_bytes("TO_TAKER") + first_bytes(why)
    data += words(64, amount) + asset
    return log(signature, data=data, contract=RARIBLE_2, index=index)


def match(
    makers: tuple[str, str], fills: tuple[int, int], assets: tuple[str, str], *, index: int = LATER
) -> RawLog:
    """`Match` with makers and assets."""
    signature = "Match(bytes32,bytes32,address,address,uint256,uint256,(bytes4,bytes),(bytes4,bytes))"
    data = LEFT[2:] + RIGHT[2:] + words(*makers, *fills, 256, 256 + len(assets[0]) // 2)
    return log(signature, data=data + assets[0] + assets[1], contract=RARIBLE_2, index=index)


def match_first(makers: tuple[str, str], fills: tuple[int, int], *, index: int = LATER) -> RawLog:
    """`Match` with makers only."""
    return Emitted(f"{_MATCH})", RARIBLE_2, "left_maker right_maker left_got right_got", **_HASHES)(
        *makers, *fills, index=index
    )
