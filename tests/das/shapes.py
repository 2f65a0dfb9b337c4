"""Assets as the Digital Asset Standard API shows them, one maker a kind; values are made up, shapes documented.

Metaplex's own servers and the big providers differ in what they leave out: each maker is of what most have.
"""

from __future__ import annotations

import hashlib
from typing import Any

from core.addresses import BASE58_ALPHABET

Shape = dict[str, Any]

TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
NOBODY = "1" * 32
CID = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
"""Content of IPFS, as it is named there."""


def account(name: object) -> str:
    """The base58 text of 32 bytes that the same name always gives."""
    raw = hashlib.sha256(repr(name).encode()).digest()
    number, text = int.from_bytes(raw, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = BASE58_ALPHABET[digit] + text
    return "1" * (len(raw) - len(raw.lstrip(b"\0"))) + text


LADS, OTHERS, ALICE, BOB = (account(name) for name in ("lads", "others", "alice", "bob"))


def group(collection: str = LADS, **more: Any) -> Shape:
    """Membership of a collection. Servers that show verified groups alone do not say so."""
    return {"group_key": "collection", "group_value": collection, **more}


def asset(name: object, **fields: Any) -> Shape:
    """A programmable NFT (Token Metadata) of LADS that ALICE holds, its document read by the server."""
    return {
        "interface": "ProgrammableNFT",
        "id": account(name),
        "content": {
            "$schema": "https://schema.metaplex.com/nft1.0.json",
            "json_uri": f"https://lads.example/{name}.json",
            "files": [
                {"uri": f"https://lads.example/{name}.png", "cdn_uri": "https://cdn.x/1", "mime": "image/png"}
            ],
            "metadata": {
                "attributes": [{"value": "Male", "trait_type": "Gender"}, {"value": 7, "trait_type": "Level"}],
                "description": "A lad.",
                "name": f"Lad #{name}",
                "symbol": "LAD",
                "token_standard": "ProgrammableNonFungible",
            },
            "links": {"image": f"https://lads.example/{name}.png", "external_url": "https://lads.example"},
        },
        "authorities": [{"address": account("authority"), "scopes": ["full"]}],
        "compression": _uncompressed(),
        "grouping": [group()],
        "royalty": {"royalty_model": "creators", "target": None, "percent": 0.042, "basis_points": 420,
                    "primary_sale_happened": True, "locked": False},
        "creators": [{"address": account("creator"), "share": 100, "verified": True}],
        "ownership": owned_by(ALICE) | {"frozen": True},
        "supply": {"print_max_supply": 0, "print_current_supply": 0, "edition_nonce": 255},
        "mutable": True,
        "burnt": False,
        "token_info": {"supply": 1, "decimals": 0, "token_program": TOKEN_PROGRAM},
        **fields,
    }  # fmt: skip


def owned_by(owner: str | None) -> Shape:
    """An owner; ``None``: the server has not seen the token account."""
    held = {} if owner is None else {"owner": owner}
    return {"frozen": False, "delegated": False, "delegate": None, "ownership_model": "single", **held}


def compressed(name: object, **fields: Any) -> Shape:
    """A leaf of a tree (Bubblegum): it has no mint account, and so no `token_info`."""
    leaf = _uncompressed() | {
        "compressed": True,
        "data_hash": account("data"),
        "asset_hash": account("hash"),
        "tree": account("tree"),
        "seq": 3,
        "leaf_id": 11,
    }
    return _without(asset(name, interface="V1_NFT", compression=leaf, **fields), "token_info")


def core(name: object, **fields: Any) -> Shape:
    """An asset of Metaplex Core: an account of its own, no mint, no prints."""
    info = {"plugins_json_version": 1}
    made = asset(name, interface="MplCoreAsset", plugins={}, mpl_core_info=info, **fields)
    return _without(made, "token_info", "supply")


def core_collection(name: object) -> Shape:
    """The account of a collection of Metaplex Core."""
    info = {"num_minted": 10_000, "current_supply": 9_000, "plugins_json_version": 1}
    return core(name) | {"interface": "MplCoreCollection", "grouping": [], "mpl_core_info": info}


def token_2022(name: object, **fields: Any) -> Shape:
    """An NFT of the Token-2022 program, which has no interface of its own."""
    info = {"supply": 1, "decimals": 0, "token_program": TOKEN_2022}
    return asset(name, interface="Custom", token_info=info, mint_extensions={"metadata": {}}, **fields)


def print_of(name: object, **fields: Any) -> Shape:
    """A numbered print of a master edition, of which there may be many: each is a mint of its own."""
    supply = {"print_max_supply": 69, "print_current_supply": 61, "edition_nonce": 254, "edition_number": 12}
    return asset(name, interface="V1_PRINT", supply=supply, **fields)


def unread(name: object, **fields: Any) -> Shape:
    """An NFT whose document the server has not read: it tells what the chain holds, and where the document is."""
    content = {
        "$schema": "https://schema.metaplex.com/nft1.0.json",
        "json_uri": f"ipfs://bafy/{name}.json",
        "files": [],
        "metadata": {"name": f"Lad #{name}", "symbol": "LAD", "token_standard": "NonFungible"},
        "links": {},
    }
    return asset(name, interface="V1_NFT", content=content, **fields)


def collection_nft(address_of: object, name: str = "The Lads") -> Shape:
    """The NFT that stands for a collection of Token Metadata."""
    return asset(address_of, content={"metadata": {"name": name, "symbol": "LADS"}}, grouping=[])


def _uncompressed() -> Shape:
    empty = dict.fromkeys(("data_hash", "creator_hash", "asset_hash", "tree"), "")
    return {"eligible": False, "compressed": False, "seq": 0, "leaf_id": 0, **empty}


def _without(made: Shape, *names: str) -> Shape:
    return {name: value for name, value in made.items() if name not in names}
