"""Valid queries that mostly find something, and other spellings of the same query."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.builders import APES, Line
from tests.oracle.asks import plain_decimal, price_at
from tests.oracle.model import Oracle
from tests.oracle.query import CHAIN_IDS
from tests.oracle.world import NftKey, nobody
from tests.strategies import pools
from tests.strategies.worlds import worlds

Draw = Callable[..., Any]
Query = dict[str, str | list[str]]

ORDERS = ["", "lowestAsk", "highestAsk", "tokenId", "tokenId-asc", "tokenId-desc", "rarity"]
LISTS = ("tokenId", "excludedTokenIds", "traits", "excludedTraits", "marketplaces")
LIMITS = st.lists(st.integers(1, 6), min_size=1, max_size=5)
ENTRIES = [
    "Type-Alien",
    "Type-Nope",
    "Hi-Top-Red",
    "Hi-Top-Nope",
    "Level-5",
    "Level--1",
    "Hat-Nope",
    "-Red",
    "A--",
]
PRICES = [
    *(
        "eth,,",
        "ETH,0.07,0.07",
        "weth,0,1",
        "eth,,1",
        "eth,0.070000000000000001,",
        "usdc,1000,2000.5",
        "ape,0.5,",
    ),
    *("usd,,", "usd,1,2000", "USD,2000,2000", "matic,,", "pol,0.5,2000", "xyz,,", "eth,1000,"),
]


@st.composite
def scenarios(draw: Draw, most: int = 8, queries: int = 3) -> tuple[list[Line], list[Query]]:
    """A world, and queries of NFTs by Token about it."""
    lines = draw(worlds(most))
    oracle = Oracle(lines)
    return lines, [draw_query(draw, oracle) for _ in range(queries)]


@st.composite
def transfer_scenarios(draw: Draw, most: int = 8, queries: int = 3) -> tuple[list[Line], list[Query]]:
    """A world, and queries of Transfers by Token about it."""
    lines = draw(worlds(most))
    oracle = Oracle(lines)
    return lines, [draw_transfer_query(draw, oracle) for _ in range(queries)]


def draw_query(draw: Draw, oracle: Oracle) -> Query:
    """A query of NFTs by Token: none, one or several filters, around an NFT that is there."""
    nft = draw(st.sampled_from(sorted(oracle.world.nfts, key=repr)))
    query: Query = {}
    order = draw(st.sampled_from(ORDERS))
    if order or draw(st.booleans()):
        query["sortBy"] = order
    several = draw(st.sampled_from([0, 1, 1, 2, 3]))
    for name in draw(
        st.lists(st.sampled_from(sorted(FILTERS)), min_size=several, max_size=several, unique=True)
    ):
        value = FILTERS[name](draw, oracle, nft)
        if value is not None:
            query[name] = value
    if draw(st.integers(0, 15)) == 0:
        query[draw(st.sampled_from(LISTS))] = draw(st.sampled_from(["", ",", '""']))
    return query


def draw_transfer_query(draw: Draw, oracle: Oracle) -> Query:
    """A query of Transfers by Token."""
    moved = [nft for nft in sorted(oracle.world.nfts, key=repr) if oracle.transfers_of(nft)]
    nft = draw(st.sampled_from(moved or sorted(oracle.world.nfts, key=repr)))
    contract = _contract(draw, oracle, nft)
    if contract is None or (oracle.is_mint(nft) and draw(st.booleans())):
        contract = nft[2] if oracle.is_mint(nft) else APES
    query: Query = {"contractAddress": contract, "sortBy": draw(st.sampled_from(ORDERS))}
    if draw(st.integers(0, 3)) == 0:
        query["tokenId"] = nft[2]
    if draw(st.integers(0, 3)) == 0:
        query["chain"] = nft[0]
    if draw(st.integers(0, 2)) == 0:
        query["ownerAddress"] = draw_owner(draw, oracle, nft)
    return query


def draw_owner(draw: Draw, oracle: Oracle, nft: NftKey) -> str:
    """Who holds this NFT; else who holds others of its kind of chain, or nobody."""
    own = [one.address for one in oracle.holders(nft) or ()]
    if own and draw(st.integers(0, 3)):
        return str(draw(st.sampled_from(own)))
    others = {
        one.address
        for other in oracle.world.nfts
        if oracle.is_mint(other) == oracle.is_mint(nft)
        for one in oracle.holders(other) or ()
    }
    return str(draw(st.sampled_from(sorted(others | {nobody(oracle.world.kinds[nft[0]])}))))


def _chain(draw: Draw, oracle: Oracle, nft: NftKey) -> str:
    return nft[0]


def _contract(draw: Draw, oracle: Oracle, nft: NftKey) -> str | None:
    address = oracle.collection(nft)
    if address == APES and "apes.eth" in oracle.world.ens and draw(st.booleans()):
        return "apes.eth"
    if oracle.contract(nft).get("ensName") and draw(st.booleans()):
        return "editions.eth"
    if address is not None and oracle.is_mint(nft) and draw(st.integers(0, 3)) == 0:
        return address.lower()
    return address


def _token_ids(draw: Draw, oracle: Oracle, nft: NftKey) -> str:
    same_kind = sorted(
        {other[2] for other in oracle.world.nfts if oracle.is_mint(other) == oracle.is_mint(nft)}
    )
    unknown = [] if oracle.is_mint(nft) else ["99"]
    return ",".join([nft[2], *draw(st.lists(st.sampled_from([*same_kind, *unknown]), max_size=3))])


def _excluded_token_ids(draw: Draw, oracle: Oracle, nft: NftKey) -> str:
    same_kind = sorted(
        {other[2] for other in oracle.world.nfts if oracle.is_mint(other) == oracle.is_mint(nft)}
    )
    return ",".join(draw(st.lists(st.sampled_from(same_kind), min_size=1, max_size=3)))


def _entries(draw: Draw, oracle: Oracle, nft: NftKey) -> str | None:
    """Trait entries of this NFT, or of others and of nobody; entries with NUL cannot be asked for."""
    own = sorted(f"{kind}-{text}" for kind, text in oracle.traits(nft) if "\x00" not in text)
    if own and draw(st.integers(0, 2)):
        return as_list(draw(st.lists(st.sampled_from(own), min_size=1, max_size=2)))
    return _excluded_entries(draw, oracle, nft)


def _excluded_entries(draw: Draw, oracle: Oracle, nft: NftKey) -> str:
    others = sorted({f"{kind}-{text}" for other in oracle.world.nfts for kind, text in oracle.traits(other)})
    pool = [entry for entry in [*others, *ENTRIES] if "\x00" not in entry]
    return as_list(draw(st.lists(st.sampled_from(pool), min_size=1, max_size=3)))


def _markets(draw: Draw, oracle: Oracle, nft: NftKey) -> str:
    own = sorted(oracle.markets(nft) | {ask["marketplace"] for ask in oracle.live_asks(nft, pools.NOW)})
    entries = [draw(st.sampled_from(own))] if own and draw(st.integers(0, 2)) else []
    more = draw(st.lists(st.sampled_from([*pools.MARKETS, "nowhere"]), min_size=not entries, max_size=2))
    return ",".join([*entries, *more])


def _price(draw: Draw, oracle: Oracle, nft: NftKey) -> str | None:
    asks = oracle.live_asks(nft, pools.NOW)
    if asks and draw(st.integers(0, 2)):
        ask = draw(st.sampled_from(asks))
        price = plain_decimal(price_at(ask, pools.NOW + draw(st.sampled_from([0, 0, 1, 60]))))
        bounds = [",", "0,", f"{ask['price']},", f"{price},", f",{price}", f"{price},{price}"]
        return f"{ask['currency']},{draw(st.sampled_from(bounds))}"
    text: str = draw(st.sampled_from(PRICES))
    registered = {ask["currency"].lower() for ask in oracle.world.asks.values()}
    registered |= {symbol.lower() for symbol, _ in oracle.world.rates}
    return None if text.startswith("xyz") and "xyz" not in registered else text


def _flag(draw: Draw, oracle: Oracle, nft: NftKey) -> str:
    return str(draw(st.sampled_from(["", "true", "1", "false"])))


FILTERS: dict[str, Callable[[Draw, Oracle, NftKey], str | None]] = {
    "chain": _chain,
    "contractAddress": _contract,
    "tokenId": _token_ids,
    "excludedTokenIds": _excluded_token_ids,
    "traits": _entries,
    "excludedTraits": _excluded_entries,
    "marketplaces": _markets,
    "priceFilter": _price,
    "excludeMarkedNfts": _flag,
    "ownerAddress": draw_owner,
}


def as_list(entries: list[str]) -> str:
    """Join entries as a list parameter, in quotes where an entry needs them."""
    written = io.StringIO()
    csv.writer(written, lineterminator="").writerow(entries)
    return written.getvalue()


def respelled(draw: Draw, query: Query, lists: tuple[str, ...] = LISTS) -> Query:
    """The same query written otherwise: case, aliases, hexadecimal, order and repetition of entries.

    What is none of the `lists` is a scalar; it may be repeated, but not be a list.
    """
    other: Query = {}
    for name, value in draw(st.permutations(sorted(query.items()))):
        assert isinstance(value, str)
        other[name] = _respell(draw, name, value, name in lists)
    return other


def _respell(draw: Draw, name: str, value: str, is_list: bool) -> str | list[str]:
    if name == "chain":
        number = next((number for number, slug in CHAIN_IDS.items() if slug == value), None)
        return str(draw(st.sampled_from([value.upper(), *([number, f"eip155:{number}"] if number else [])])))
    if name in ("sortBy", "priceFilter"):
        return str(draw(st.sampled_from([value, value.upper(), value.lower()])))
    if name in ("contractAddress", "ownerAddress"):
        return (
            value
            if not value.startswith("0x") and "." not in value
            else "0x" * value.startswith("0x") + (value.removeprefix("0x").upper())
        )
    if name == "tokenId" and not is_list:
        return [_respell_entry(draw, value), _respell_entry(draw, value)]
    if name in ("tokenId", "excludedTokenIds", "marketplaces") and value.strip(',"'):
        entries = [_respell_entry(draw, entry) for entry in value.split(",")]
        entries = draw(st.permutations([*entries, entries[0]]))
        return draw(st.sampled_from([",".join(entries), entries]))  # type: ignore[no-any-return]
    return value


def _respell_entry(draw: Draw, entry: str) -> str:
    if entry.isdigit():
        return str(draw(st.sampled_from([entry, f"00{entry}", hex(int(entry)), f" {entry} "])))
    return entry.upper() if entry in pools.MARKETS else entry
