"""An asset as a DAS node tells of it, read into what the tables hold. Pure.

The shapes are those of Metaplex's Digital Asset Standard API (``getAsset``), of which every server leaves out or adds
something: what is not there is not known. Base58 is taken as it is written, never in another letter case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from core.addresses import SYSTEM_PROGRAM, is_mint
from core.chains import MINT
from core.db.keys import MAX_BLOCK, mint_key
from indexing.das.content import Content, content_of
from tokens.store.facts import UNSET, NftFacts, OwnerFacts, Unset, identity

STANDARD: Final = "Metaplex"
"""Standard of the collections: of plain, programmable, compressed and Core assets alike."""

_FUNGIBLE_INTERFACES = frozenset(("FungibleToken", "FungibleAsset"))
_FUNGIBLE_STANDARDS = frozenset(("Fungible", "FungibleAsset"))
_COLLECTIONS = frozenset(("MplCoreCollection",))
_WHOLE = re.compile("[0-9]{1,40}", re.ASCII)


class BadAssetError(ValueError):
    """Why an asset cannot be taken, as a sentence; ``mint``: which it is, see :func:`shown_id`."""

    def __init__(self, mint: str, reason: str) -> None:
        super().__init__(reason)
        self.mint = mint


@dataclass(frozen=True, slots=True)
class Asset:
    """What a node tells of one mint.

    ``collections``: those that it is a verified member of, in the node's order; ``None``: the node does not say.
    ``owner``: ``None`` when nobody holds it, since it is burnt. ``slot``: up to which the node had read the chain.
    """

    mint: str
    is_fungible: bool
    is_collection: bool
    is_burnt: bool
    collections: tuple[str, ...] | None
    owner: str | None | Unset
    slot: int | None
    content: Content = field(default_factory=Content)

    def home(self, listed_in: str | None) -> str | None | Unset:
        """Return the collection that it belongs to; ``None``: to none. ``listed_in``: whose list it stood in.

        A node leaves the groups out of an answer, and takes them from what is burnt: then the list says it, or nobody.
        """
        if self.collections is None or (self.is_burnt and not self.collections):
            return UNSET if listed_in is None else listed_in
        if listed_in in self.collections:
            return listed_in
        return self.collections[0] if self.collections else None


def read(asset: Any, slot: int | None = None) -> Asset:
    """Read an asset; ``slot`` is that of the answer it stood in, for one that names none itself.

    Raises :class:`BadAssetError` for what identifies no NFT or contradicts the shape of an asset. What its author
    wrote (``content``) never raises: whatever is no good of it is passed over.
    """
    if not isinstance(asset, dict):
        raise BadAssetError(shown_id(None), "It is no object.")
    mint = asset.get("id")
    if not isinstance(mint, str) or not is_mint(mint):
        reason = "Its `id` is no mint: 32 to 44 base58 characters that stand for 32 bytes."
        raise BadAssetError(shown_id(mint), reason)
    try:
        return _read(mint, asset, slot)
    except _WrongError as fault:
        raise BadAssetError(mint, str(fault)) from None


def nft_facts(chain: str, asset: Asset, address: str | None | Unset) -> NftFacts:
    """Return what an asset states of its NFT, but for metadata and the moment that its owner is as of."""
    key = mint_key(asset.mint)
    facts = NftFacts(chain, key, identity(MINT, chain, address, key), address, uri=asset.content.uri)
    if asset.owner is not UNSET:
        facts.owners = [] if asset.owner is None else [OwnerFacts(asset.owner, 1)]
    return facts


def slot_of(answer: Mapping[str, Any]) -> int | None:
    """Return the slot up to which a node had read the chain for an answer or an asset, where it says so."""
    found = answer.get("last_indexed_slot")
    return found if type(found) is int and 0 < found <= MAX_BLOCK else None


def shown_id(stated: Any) -> str:
    """Return what a message may show of the id of an asset: a server can put anything there."""
    return stated[:60] if isinstance(stated, str) and stated.isascii() and stated.isalnum() else "(no id)"


class _WrongError(ValueError):
    """The reason why an asset is malformed."""


def _read(mint: str, asset: Mapping[str, Any], slot: int | None) -> Asset:
    interface = asset.get("interface")
    if interface is not None and not isinstance(interface, str):
        raise _WrongError("Its `interface` is no text.")
    stated = asset.get("content")
    content = content_of(stated)
    if slot_of(asset) is not None:
        slot = slot_of(asset)
    elif isinstance(stated, dict) and slot_of(stated) is not None:  # where one server puts it in batches
        slot = slot_of(stated)
    decimals, supply = _units(asset)
    burnt = _flag(asset, "burnt") or supply == 0
    return Asset(
        mint,
        is_fungible=interface in _FUNGIBLE_INTERFACES
        or content.token_standard in _FUNGIBLE_STANDARDS
        or decimals > 0
        or supply > 1,
        is_collection=interface in _COLLECTIONS,
        is_burnt=burnt,
        collections=_collections(asset.get("grouping")),
        owner=None if burnt else _owner(asset.get("ownership")),
        slot=slot,
        content=content,
    )


def _units(asset: Mapping[str, Any]) -> tuple[int, int]:
    """Return decimals and supply of the mint; of one that has no mint account (compressed, Core) 0 and 1.

    Not to be confused with ``supply``, which counts the prints of a master edition.
    """
    compression = _object(asset, "compression")
    info = _object(asset, "token_info")
    if info is None or (compression is not None and _flag(compression, "compressed")):
        return 0, 1
    return _count(info, "decimals", 0), _count(info, "supply", 1)


def _count(entry: Mapping[str, Any], name: str, default: int) -> int:
    value = entry.get(name)
    if value is None:
        return default
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    if type(value) is not int:
        raise _WrongError(f"Its `token_info` has a `{name}` that is no number of units.")
    return value


def _collections(grouping: Any) -> tuple[str, ...] | None:
    """Return the collections in the groups of an asset. An unverified one is what anybody may claim."""
    if grouping is None:
        return None
    if not isinstance(grouping, list) or not all(isinstance(group, dict) for group in grouping):
        raise _WrongError("Its `grouping` is no list of groups.")
    found = []
    for group in grouping:
        if group.get("group_key") != "collection" or group.get("group_value") in (None, ""):
            continue
        if group.get("verified") not in (None, True):
            continue
        if not isinstance(group["group_value"], str) or not is_mint(group["group_value"]):
            raise _WrongError("Its `grouping` names a collection by what is no address.")
        found.append(group["group_value"])
    return tuple(found)


def _owner(ownership: Any) -> str | None | Unset:
    if ownership is None:
        return UNSET
    if not isinstance(ownership, dict):
        raise _WrongError("Its `ownership` is no object.")
    owner = ownership.get("owner")
    if owner in (None, ""):  # the node has not seen its token account yet
        return UNSET
    if not isinstance(owner, str) or not is_mint(owner):
        raise _WrongError("Its `owner` is no account: 32 to 44 base58 characters that stand for 32 bytes.")
    return None if owner == SYSTEM_PROGRAM else owner


def _object(entry: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    value = entry.get(name)
    if value is not None and not isinstance(value, dict):
        raise _WrongError(f"Its `{name}` is no object.")
    return value


def _flag(entry: Mapping[str, Any], name: str) -> bool:
    value = entry.get(name)
    if value not in (None, True, False) or (isinstance(value, int | float) and not isinstance(value, bool)):
        raise _WrongError(f"Its `{name}` is neither true nor false.")
    return bool(value)
