"""What the standards of tokens declare, and what a contract says and logs of it."""

from typing import Any

from tests.evm.chain import Deployed, topic, word

TRANSFER = topic("Transfer(address,address,uint256)")
BATCH = topic("TransferBatch(address,address,address,uint256[],uint256[])")
NOBODY = word(0)
SUPPORTS = "supportsInterface(bytes4)"
ERC165, ERC721, ERC721_METADATA, ERC4906, ERC1155, ERC1155_METADATA = (
    bytes.fromhex(text) for text in ("01ffc9a7", "80ac58cd", "5b5e139f", "49064906", "d9b67a26", "0e89341c")
)


def raw(receipt: dict[str, Any]) -> list[tuple[list[str], str]]:
    """Topics and data of a receipt's logs."""
    return [(log["topics"], log["data"]) for log in receipt["logs"]]


def words(*values: int | str) -> str:
    """ABI-encoded words, as hex with 0x."""
    return "0x" + "".join(word(value)[2:] for value in values)


def supported(contract: Deployed) -> list[bool]:
    """What the contract says of ERC-165, ERC-721, ERC-1155, ERC-4906, and of the forbidden 0xffffffff."""
    asked = (ERC165, ERC721, ERC1155, ERC4906, b"\xff" * 4)
    return [contract.call(SUPPORTS, interface) for interface in asked]
