"""Rarible's events, encoded from their published layouts."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import APES, ZERO, log, topic0, word, words

RARIBLE_1 = "0xcd4ec7b66fbc029c116ba9ffb3e59351c20b5b06"
ERC721_SALE = "0x131aebbfe55bca0c9eaad4ea24d386c5c082dd58"
ERC1155_SALE = "0x93f2a75d771628856f37f256da95e99ea28aafbe"
RARIBLE_2 = "0x9757f2d2b135150bbeb65308d4a91804107cd8d6"
LEFT, RIGHT = "0x" + "1e" * 32, "0x" + "2f" * 32


def buy(
    owner: str,
    taker: str,
    *,
    index: int,
    sold: tuple[str, int] = (APES, 7),
    bought: tuple[str, int] = (ZERO, 0),
    selling: int = 1,
    buying: int,
    amount: int = 1,
    contract: str = RARIBLE_1,
) -> RawLog:
    """`Buy` of the first exchange: `amount` of what the owner sells went to the taker."""
    signature = "Buy(address,uint256,uint256,address,address,uint256,uint256,address,uint256,uint256)"
    data = words(selling, owner, bought[0], bought[1], buying, taker, amount, 99)
    return log(signature, list(sold), data, contract=contract, index=index)


def erc721_sale(seller: str, buyer: str, price: int, *, index: int, contract: str = ERC721_SALE) -> RawLog:
    """`Buy` of a sale contract for ERC-721."""
    signature = "Buy(address,uint256,address,address,uint256,uint256)"
    return log(signature, [APES, 7], words(seller, buyer, price, 1), contract=contract, index=index)


def erc1155_sale(seller: str, buyer: str, each: int, units: int, *, index: int) -> RawLog:
    """`Buy` of a sale contract for ERC-1155: the price is for one unit."""
    signature = "Buy(address,uint256,address,uint256,address,uint256)"
    return log(signature, [APES, 7], words(seller, each, buyer, units), contract=ERC1155_SALE, index=index)


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


def moved(asset: str, amount: int, sender: str, receiver: str, *, index: int, why: str = "PAYOUT") -> RawLog:
    """The exchange's own `Transfer` of an asset."""
    signature = "Transfer(((bytes4,bytes),uint256),address,address,bytes4,bytes4)"
    data = words(160, sender, receiver) + first_bytes("TO_TAKER") + first_bytes(why)
    data += words(64, amount) + asset
    return log(signature, data=data, contract=RARIBLE_2, index=index)


def match(makers: tuple[str, str], fills: tuple[int, int], assets: tuple[str, str], *, index: int) -> RawLog:
    """`Match` of 2021 and 2022, with makers and assets."""
    signature = "Match(bytes32,bytes32,address,address,uint256,uint256,(bytes4,bytes),(bytes4,bytes))"
    data = LEFT[2:] + RIGHT[2:] + words(*makers, *fills, 256, 256 + len(assets[0]) // 2)
    return log(signature, data=data + assets[0] + assets[1], contract=RARIBLE_2, index=index)


def match_first(makers: tuple[str, str], fills: tuple[int, int], *, index: int) -> RawLog:
    """`Match` of 2021, with makers only."""
    signature = "Match(bytes32,bytes32,address,address,uint256,uint256)"
    data = LEFT[2:] + RIGHT[2:] + words(*makers, *fills)
    return log(signature, data=data, contract=RARIBLE_2, index=index)


def match_bare(left_got: int, right_got: int, *, index: int, contract: str = RARIBLE_2) -> RawLog:
    """`Match` since 2022: hashes and what each side got."""
    data = LEFT[2:] + RIGHT[2:] + words(left_got, right_got)
    return log("Match(bytes32,bytes32,uint256,uint256)", data=data, contract=contract, index=index)
