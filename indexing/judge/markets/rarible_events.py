"""What the events of Rarible's second exchange say: asset types, transfers of assets, and matches in three layouts.

The class of an asset is the beginning of the hash of its name.
"""

from __future__ import annotations

from typing import NamedTuple

from indexing.decode.signatures import Event, Fields
from indexing.decode.words import UndecodableError, address, number
from indexing.judge.markets.reading import Told
from indexing.judge.verdicts import NATIVE, Item

_ASSET_TYPE = "(bytes4 assetClass, bytes data)"
_HASHES, _AMOUNTS = "bytes32 leftHash, bytes32 rightHash", "uint256 newLeftFill, uint256 newRightFill"
_MAKERS = "address leftMaker, address rightMaker"
TRANSFER = Event(
    f"Transfer(({_ASSET_TYPE} assetType, uint256 value) asset, address from, address to, "
    "bytes4 transferDirection, bytes4 transferType)"
)
MATCH = Event(f"Match({_HASHES}, {_MAKERS}, {_AMOUNTS}, {_ASSET_TYPE} leftAsset, {_ASSET_TYPE} rightAsset)")
MATCH_FIRST = Event(f"Match({_HASHES}, {_MAKERS}, {_AMOUNTS})")
MATCH_BARE = Event(f"Match({_HASHES}, {_AMOUNTS})")

_ETHER, _ERC20 = "0xaaaebeba", "0x8ae85d84"
# ERC721, ERC1155, CRYPTO_PUNKS: (address, uint256).
_NFTS = frozenset({"0x73ad2146", "0x973bb640", "0x3e6b89d4"})
_LAZY_NFTS = frozenset({"0xd8f960c1", "0x1cdfaa40"})  # ERC721_LAZY, ERC1155_LAZY: (address, (uint256, …))
_LOCKS = frozenset({"0xfc530b24", "0x12755a21"})  # LOCK, UNLOCK


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


def moved(told: Told) -> Moved | None:
    """Read a ``TRANSFER``. ``None``: money that was only locked or unlocked."""
    sender, receiver = told["from"], told["to"]
    if told["transferType"] in _LOCKS:
        return None
    asset = told["asset"]
    return Moved(_asset(asset["assetType"]), asset["value"], sender, receiver)


def matched(told: Told) -> Matched:
    """Read a match in the layout that has the assets."""
    return matched_by_makers(told)._replace(assets=(_asset(told["leftAsset"]), _asset(told["rightAsset"])))


def matched_by_makers(told: Told) -> Matched:
    """Read a match in the first layout, which had no assets."""
    return matched_barely(told)._replace(makers=(told["leftMaker"], told["rightMaker"]))


def matched_barely(told: Told) -> Matched:
    """Read a match in the last layout."""
    return Matched((told["leftHash"], told["rightHash"]), told["newLeftFill"], told["newRightFill"])


def _asset(kind: Fields) -> Asset:
    name, content = kind["assetClass"], kind["data"]
    if name == _ETHER:
        return Asset(NATIVE)
    if name == _ERC20:
        return Asset(address(content, 0))
    if name in _NFTS:
        return Asset(None, address(content, 0), number(content, 32))
    if name in _LAZY_NFTS:
        return Asset(None, address(content, 0), number(content, number(content, 32)))
    raise UndecodableError(f"An asset of the class {name}, which is not known.")
