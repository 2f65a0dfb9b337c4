"""A query in the oracle's terms, and the trait rule, which is the one filter that needs the data to be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tests.oracle.text import is_evm_address, plain_token_id, split_list
from tests.oracle.world import World

Params = Mapping[str, str | Sequence[str]]
Pair = tuple[str, str]  # trait type, text of the value

CHAIN_IDS = {"1": "ethereum", "137": "polygon", "8453": "base", "7777777": "zora"}
ORDERS = {
    "": "recent",
    "lowestask": "lowestAsk",
    "highestask": "highestAsk",
    "tokenid": "tokenId",
    "tokenid-asc": "tokenId",
    "tokenid-desc": "tokenId-desc",
    "rarity": "rarity",
}


@dataclass(frozen=True)
class Query:
    """Parsed parameters; None is "not given". `empty`: a list filter is defined but holds no entry."""

    chain: str | None
    contract: str | None
    tokens: frozenset[str] | None
    excluded_tokens: frozenset[str] | None
    traits: tuple[str, ...] | None
    excluded_traits: tuple[str, ...] | None
    markets: frozenset[str] | None
    price: tuple[str, str, str] | None
    unmarked: bool
    owner: str | None
    last_transfer: bool
    order: str
    empty: bool


def parse(params: Params) -> Query:
    """Read valid parameters of NFTs by Token."""
    lists = {
        name: tuple(split_list(params[name]))
        for name in ("tokenId", "excludedTokenIds", "traits", "excludedTraits", "marketplaces")
        if name in params
    }

    def ids(name: str) -> frozenset[str] | None:
        return frozenset(map(plain_token_id, lists[name])) if name in lists else None

    price = scalar(params, "priceFilter")
    currency, minimum, maximum = price.split(",") if price else ("", "", "")
    return Query(
        chain=chain_slug(scalar(params, "chain")),
        contract=scalar(params, "contractAddress") or None,
        tokens=ids("tokenId"),
        excluded_tokens=ids("excludedTokenIds"),
        traits=lists.get("traits"),
        excluded_traits=lists.get("excludedTraits"),
        markets=frozenset(slug.lower() for slug in lists["marketplaces"])
        if "marketplaces" in lists
        else None,
        price=(currency, minimum, maximum) if price else None,
        unmarked=flag(params, "excludeMarkedNfts"),
        owner=scalar(params, "ownerAddress") or None,
        last_transfer=flag(params, "includeLastTransfer"),
        order=ORDERS[scalar(params, "sortBy").lower()],
        empty=any(not entries for entries in lists.values()),
    )


def parse_transfers(params: Params) -> Query:
    """Read valid parameters of Transfers by Token, where `tokenId` is a scalar."""
    token = scalar(params, "tokenId")
    rest = {name: value for name, value in params.items() if name != "tokenId"}
    return parse({**rest, "tokenId": token} if token else rest)


def scalar(params: Params, name: str) -> str:
    """The value of a scalar, repeated ones being equal, blank ones ignored."""
    given = params.get(name, "")
    values = [given] if isinstance(given, str) else list(given)
    return next((value.strip() for value in values if value.strip()), "")


def flag(params: Params, name: str) -> bool:
    """A flag: blank or bare is true, absent is false."""
    return name in params and scalar(params, name).lower() in ("", "true", "1")


def chain_slug(text: str) -> str | None:
    """`1`, `eip155:1` and `Ethereum` are `ethereum`."""
    name = text.lower().removeprefix("eip155:")
    return CHAIN_IDS.get(name, name) or None


def named_contracts(world: World, text: str) -> set[tuple[str, str]]:
    """The stored contracts (chain, address) that a text names."""
    if is_evm_address(text):
        addresses = {text.lower()}
    elif "." in text:
        addresses = _resolve(world, text.lower())
    else:
        return _collections(world, text)
    return {key for key in world.contracts if world.kinds[key[0]] == "evm" and key[1] in addresses}


def named_owners(world: World, text: str) -> set[str]:
    """The addresses that a text names, whoever holds what."""
    if is_evm_address(text):
        return {text.lower()}
    return _resolve(world, text.lower()) if "." in text else {text}


def _resolve(world: World, name: str) -> set[str]:
    """A name's own line wins over a contract that states it."""
    if name in world.ens:
        return {world.ens[name]}
    return {
        key[1] for key, fields in world.contracts.items() if (fields.get("ensName") or "").lower() == name
    }


def _collections(world: World, text: str) -> set[tuple[str, str]]:
    """An exact match wins; one that differs in case alone only when it is the only one."""
    stored = {key for key in world.contracts if world.kinds[key[0]] == "mint"}
    exact = {key for key in stored if key[1] == text}
    folded = {key for key in stored if key[1].lower() == text.lower()}
    return exact or (folded if len(folded) == 1 else set())


def readings(entry: str) -> set[Pair]:
    """All splits of an entry at a dash."""
    return {(entry[: dash.start()], entry[dash.end() :]) for dash in re.finditer("-", entry)}


def trait_groups(entries: Iterable[str], existing: set[Pair]) -> list[set[str]]:
    """Entries that share a possible type, transitively, are alternatives; one group of entries each.

    The readings that exist in the data count, or all of them when none does.
    """
    groups: list[tuple[set[str], set[str]]] = []
    for entry in entries:
        counting = (readings(entry) & existing) or readings(entry)
        types, members = {kind for kind, _ in counting}, {entry}
        apart = []
        for other_types, other_members in groups:
            if other_types & types:
                types, members = types | other_types, members | other_members
            else:
                apart.append((other_types, other_members))
        groups = [*apart, (types, members)]
    return [members for _, members in groups]


def has_any(traits: set[Pair], entries: Iterable[str]) -> bool:
    """Whether one trait, type and value together, reads as one of the entries."""
    wanted = set(entries)
    return any(f"{kind}-{text}" in wanted for kind, text in traits)
