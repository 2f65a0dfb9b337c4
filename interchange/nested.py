"""Readers of the values that are lists or objects themselves: owners, swap legs, the NFT's price."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from core import values
from core.addresses import SYSTEM_PROGRAM, ZERO_ADDRESS
from core.db.keys import token_id_from_key
from core.values import Reader, WrongValueError
from tokens.store.facts import OwnerFacts
from transfers.ledger.transfer_facts import NftValueFacts

T = TypeVar("T")

_NOBODY = (ZERO_ADDRESS, SYSTEM_PROGRAM)
_OWNER_TIMES = {
    "enteredAtBlock": ("entered_at_block", values.block),
    "enteredAt": ("entered_at", values.seconds),
    "updatedAtBlock": ("updated_at_block", values.block),
    "updatedAt": ("updated_at", values.seconds),
}


def owner_of(account: Reader) -> Reader:
    """An address; ``None`` for the one that stands for nobody."""

    def read(value: Any) -> str | None:
        address: str = account(value)
        return None if address in _NOBODY else address

    return read


def owner_list(account: Reader) -> Reader:
    """The owners of an NFT. Entries for nobody, or of no units, say nothing; an address may stand there once."""

    def read(value: Any) -> list[OwnerFacts]:
        found: dict[str, OwnerFacts] = {}
        for owner in _entries(value, lambda entry: _owner(entry, account)):
            if owner.address in found:
                raise WrongValueError(f"has the address {owner.address} twice.")
            if owner.amount and owner.address not in _NOBODY:
                found[owner.address] = owner
        return list(found.values())

    return read


def _owner(entry: Mapping[str, Any], account: Reader) -> OwnerFacts:
    owner = OwnerFacts(_member(entry, "address", account), _member(entry, "amount", values.uint256))
    for name, (attribute, reader) in _OWNER_TIMES.items():
        if entry.get(name) is not None:
            setattr(owner, attribute, _member(entry, name, reader))
    return owner


def nft_value(account: Reader) -> Reader:
    """The price of an NFT: what its record shows as ``nftValue``."""

    def read(value: Any) -> NftValueFacts:
        if not isinstance(value, dict):
            raise WrongValueError("must be an object.")
        name = None if value.get("tokenName") is None else _member(value, "tokenName", values.text(1000))
        return NftValueFacts(
            _member(value, "tokenAddress", account), _member(value, "amount", values.uint256), name
        )

    return read


def swap_list(account: Reader, token: Reader) -> Reader:
    """The legs of a swap, as the JSON list that the column holds. A leg of money has no token id."""

    def read_leg(entry: Mapping[str, Any]) -> dict[str, str]:
        leg = {"contractAddress": _member(entry, "contractAddress", account)}
        if entry.get("tokenId") not in (None, ""):
            leg["tokenId"] = token_id_from_key(_member(entry, "tokenId", token))
        leg["fromAddress"] = _member(entry, "fromAddress", account)
        leg["toAddress"] = _member(entry, "toAddress", account)
        leg["amount"] = str(_member(entry, "amount", values.uint256))
        if entry.get("market") not in (None, ""):
            leg["market"] = _member(entry, "market", values.slug)
        return leg

    def read(value: Any) -> str:
        if value == []:
            return "[]"
        return json.dumps(_entries(value, read_leg), separators=(",", ":"), ensure_ascii=False)

    return read


def _entries(value: Any, read: Callable[[dict[str, Any]], T]) -> list[T]:
    if not isinstance(value, list):
        raise WrongValueError("must be a list.")
    found = []
    for place, entry in enumerate(value, start=1):
        if not isinstance(entry, dict):
            raise WrongValueError(f"must be a list of objects, which entry {place} is not.")
        try:
            found.append(read(entry))
        except WrongValueError as fault:
            raise WrongValueError(f"is wrong in entry {place}: {fault}") from None
    return found


def _member(entry: Mapping[str, Any], name: str, read: Reader) -> Any:
    if entry.get(name) in (None, ""):
        raise WrongValueError(f"has no {name}.")
    try:
        return read(entry[name])
    except WrongValueError as fault:
        raise WrongValueError(f"{name} {fault}") from None
