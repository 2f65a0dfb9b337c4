"""What the events of Rarible's second exchange say: asset types, transfers of assets, and matches in three layouts.

An asset type is ``(bytes4 assetClass, bytes data)``; the class is the beginning of the hash of its name.
"""

from __future__ import annotations

from typing import NamedTuple

from indexing.decode.words import UndecodableError, address, expect_topics, number, octets
from indexing.judge.sales import NATIVE, Item
from indexing.node.logs import RawLog

_ETHER, _ERC20 = "aaaebeba", "8ae85d84"
_NFTS = frozenset({"73ad2146", "973bb640", "3e6b89d4"})  # ERC721, ERC1155, CRYPTO_PUNKS: (address, uint256)
_LAZY_NFTS = frozenset({"d8f960c1", "1cdfaa40"})  # ERC721_LAZY, ERC1155_LAZY: (address, (uint256, …))
_LOCKS = frozenset({0xFC530B24, 0x12755A21})  # LOCK, UNLOCK


class Asset(NamedTuple):
    """An asset type: a currency's contract, or an NFT."""

    currency: str | None
    contract: str = ""
    token_id: int = 0

    def item(self, units: int) -> Item:
        """Return so many units of an NFT."""
        return Item(self.contract, self.token_id, units)


class Moved(NamedTuple):
    """An asset that the exchange moved from one to another, as its ``Transfer`` says."""

    asset: Asset
    amount: int
    sender: str
    receiver: str


class Matched(NamedTuple):
    """Two orders that were matched, as far as the layout says; ``left`` got ``left_got`` of what ``right`` gave."""

    hashes: tuple[str, str]
    left_got: int
    right_got: int
    makers: tuple[str, str] | None = None
    assets: tuple[Asset, Asset] | None = None
    """What the left one gave, and the right one."""


def moved(log: RawLog) -> Moved | None:
    """Read ``Transfer(Asset asset, address from, address to, bytes4 transferDirection, bytes4 transferType)``.

    ``Asset`` is ``(AssetType assetType, uint256 value)``. ``None``: money that was only locked or unlocked.
    """
    expect_topics(log, 1, "An event of Rarible's exchange")
    data = log.data
    sender, receiver = address(data, 32), address(data, 64)
    if number(data, 128) >> 224 in _LOCKS:
        return None
    asset = data[number(data, 0) :]
    return Moved(_asset(asset, 0), number(asset, 32), sender, receiver)


def matched(log: RawLog) -> Matched:
    """Read ``Match(bytes32 leftHash, bytes32 rightHash, address leftMaker, address rightMaker, uint256 newLeftFill,
    uint256 newRightFill, AssetType leftAsset, AssetType rightAsset)``.
    """
    found = matched_by_makers(log)
    return found._replace(assets=(_asset(log.data, 192), _asset(log.data, 224)))


def matched_by_makers(log: RawLog) -> Matched:
    """Read the first layout, which had no assets."""
    expect_topics(log, 1, "An event of Rarible's exchange")
    data = log.data
    makers = address(data, 64), address(data, 96)
    return Matched(_hashes(data), number(data, 128), number(data, 160), makers)


def matched_barely(log: RawLog) -> Matched:
    """Read ``Match(bytes32 leftHash, bytes32 rightHash, uint256 newLeftFill, uint256 newRightFill)``, the last one."""
    expect_topics(log, 1, "An event of Rarible's exchange")
    return Matched(_hashes(log.data), number(log.data, 64), number(log.data, 96))


def _asset(data: bytes, head: int) -> Asset:
    """Read the asset type whose offset stands at the byte ``head``."""
    kind = data[number(data, head) :]
    name, content = f"{number(kind, 0) >> 224:08x}", octets(kind, 32)
    if name == _ETHER:
        return Asset(NATIVE)
    if name == _ERC20:
        return Asset(address(content, 0))
    if name in _NFTS:
        return Asset(None, address(content, 0), number(content, 32))
    if name in _LAZY_NFTS:
        return Asset(None, address(content, 0), number(content, number(content, 32)))
    raise UndecodableError(f"An asset of the class 0x{name}, which is not known.")


def _hashes(data: bytes) -> tuple[str, str]:
    return f"0x{number(data, 0):064x}", f"0x{number(data, 32):064x}"
