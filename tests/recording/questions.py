"""Questions to both operations, made from what the database is found to hold. The same seed asks the same."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any
from urllib.parse import quote

from tests.operations.bad_queries import BAD_QUERIES
from tests.recording.service import Answer, Request

NFTS, TRANSFERS = "/api/v1/nfts/by-token", "/api/v1/transfers/by-token"
SCHEMA = "/api/v1/schema"
ORDERS = ["", "lowestAsk", "highestAsk", "tokenId", "tokenId-asc", "tokenId-desc", "rarity"]
CHAIN_NAMES = {"ethereum": ["1", "eip155:1"], "base": ["8453", "eip155:8453"]}
UNKNOWN = "0x" + "12" * 20
BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"
ACCEPTS = ["application/json"] * 30 + [
    "application/json;q=0.5,*/*;q=0.1",
    "application/xml",
    BROWSER,
    "text/*;q=0",
]
METHODS = ["GET"] * 60 + ["HEAD", "HEAD", "OPTIONS", "POST", "DELETE"]

Ask = Callable[[Request], Answer]
Pairs = list[tuple[str, str]]
Asked = tuple[Request, Answer]


@dataclass
class Found:
    """Records of NFTs by contract, with what else can be asked for; names of ENS by the contracts they stand for."""

    names: dict[str | None, str]
    nfts: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    chains: dict[str, None] = field(default_factory=dict)
    prices: list[list[str]] = field(default_factory=list)
    markets: dict[str, None] = field(default_factory=dict)
    pages: list[tuple[str, Pairs, str]] = field(default_factory=list)
    """Path, parameters and next cursor of pages that were answered."""

    def some(self, random: Random, wanted: str) -> dict[str, Any]:
        """Some NFT, rather one with that field; half the time small contracts are as likely as large ones."""
        nft: dict[str, Any] = {}
        for _ in range(4):
            if wanted not in nft:
                contract = random.choice(list(self.nfts))
                if random.random() < 0.5:
                    contract = random.choice([key for key, nfts in self.nfts.items() for _ in nfts])
                nft = random.choice(self.nfts[contract])
        return nft


def look_around(ask: Ask, names: dict[str | None, str], pages: int = 30) -> Found:
    """Read the first pages of each order, also of each chain that is met there."""
    found, seen = Found(names), set()
    starts: list[Pairs] = [[("sortBy", order)] for order in ORDERS]
    for start in starts:
        for record in islice(_walk(ask, [*start, ("includeLastTransfer", "1")]), pages * 30):
            if record["chain"] not in found.chains:
                found.chains[record["chain"]] = None
                starts += [[("chain", record["chain"])], [("chain", record["chain"]), ("sortBy", "rarity")]]
            asks = [one.split(",") for one in record.get("orderbook", [])]
            found.prices += asks
            found.markets |= dict.fromkeys([*record.get("markets", []), *(one[0] for one in asks)])
            identity = (record["chain"], record.get("contractAddress", ""), record["tokenId"])
            if identity not in seen:
                seen.add(identity)
                found.nfts[identity[1]].append(record)
    return found


def _walk(ask: Ask, pairs: Pairs) -> Iterator[dict[str, Any]]:
    cursor: Pairs = []
    while True:
        body = json.loads(ask(get(NFTS, _text([*pairs, *cursor])))["body"])
        yield from body["data"]
        if "nextCursor" not in body:
            return
        cursor = [("cursor", body["nextCursor"])]


def questions(seed: int, found: Found, ask: Ask) -> Iterator[Asked]:
    """Ask without end; each question with its answer."""
    for form in ("", "?format=json", "?format=yaml"):
        path, _, query = (SCHEMA + form).partition("?")
        yield from _conditional(get(path, query), ask)
    for number in range(10**9):
        random = Random(f"{seed} {number}")
        if random.random() < 0.28:
            request = _bad(random, found)
            yield request, ask(request)
            continue
        path, make = random.choice([(NFTS, _of_nfts), (NFTS, _of_nfts), (TRANSFERS, _of_transfers)])
        yield from _asked(random, found, ask, path, make(random, found))


def _asked(random: Random, found: Found, ask: Ask, path: str, pairs: Pairs) -> Iterator[Asked]:
    """A question; often the pages behind it too, and what a client asks that has the answer already."""
    cursor: Pairs = []
    for _ in range(random.choice([1, 1, 1, 2, 3, 4])):
        request = get(path, _text([*pairs, *cursor]))
        _disguise(random, request)
        if random.random() < 0.03:
            yield from _conditional(request, ask)
            return
        answer = ask(request)
        yield request, answer
        if request["method"] != "GET" or answer["status"] != 200 or answer["body"][:1] != "{":
            return
        following = json.loads(answer["body"]).get("nextCursor")
        if following is None:
            return
        found.pages.append((path, pairs, following))
        pairs = [*(one for one in pairs if one[0] != "limit"), ("limit", str(random.randint(1, 30)))]
        cursor = [("cursor", following)]


def _conditional(request: Request, ask: Ask) -> Iterator[Asked]:
    """A question, and what is answered to one who has that answer, or another one."""
    answer = ask(request)
    yield request, answer
    tag = dict(answer["headers"]).get("ETag")
    if tag:
        for held in (tag, f'"other", W/{tag}', '"other"', "*"):
            again: Request = {**request, "headers": {**request["headers"], "If-None-Match": held}}
            yield again, ask(again)


def get(path: str, query: str) -> Request:
    """A request that just reads."""
    return {"method": "GET", "path": path, "query": query, "headers": {"X-Request-ID": "recording"}}


def _text(pairs: Pairs) -> str:
    return "&".join(f"{name}={quote(value, safe=':,')}" for name, value in pairs)


def _disguise(random: Random, request: Request) -> None:
    """The question as another client asks it."""
    request["method"] = random.choice(METHODS)
    if random.random() < 0.3:
        request["headers"]["Accept"] = random.choice(ACCEPTS)
    if random.random() < 0.15:
        request["headers"]["Accept-Encoding"] = random.choice(["gzip", "gzip, br", "*", "gzip;q=0", "br"])
    if request["method"] == "OPTIONS" and random.random() < 0.5:
        request["headers"] |= {"Origin": "https://a.example", "Access-Control-Request-Method": "GET"}
    if random.random() < 0.01:
        request["path"] += "/"
    if random.random() < 0.02:
        request["query"] += random.choice(["&format=json", "&format=api", "&format=xml"])


def _of_nfts(random: Random, found: Found) -> Pairs:
    """Some filters around some NFT, most of which it passes."""
    nft = found.some(random, random.choice(["", "metadata", "orderbook", "markets"]))
    pairs = _place(random, found, nft, [0.5, 0.7, 0.9])
    kinds = [_token_ids, _traits, _markets, _price, _excluded_ids, _excluded_traits, _flags, _owner]
    kinds += [_price, _markets] if "orderbook" in nft else [_traits]
    for kind in random.sample(kinds, k=random.choice([0, 1, 1, 2, 2, 3])):
        pairs += kind(random, found, nft)
    pairs += _order(random)
    random.shuffle(pairs)
    return pairs


def _of_transfers(random: Random, found: Found) -> Pairs:
    nft = found.some(random, "lastTransfer")
    pairs = _place(random, found, nft, [0.7, 1.0, 1.0])
    if random.random() < 0.6:
        pairs.append(("tokenId", _token_id(random, nft)))
    if random.random() < 0.2:
        pairs += _owner(random, found, nft)
    return [*pairs, *_order(random)]


def _place(random: Random, found: Found, nft: dict[str, Any], shares: list[float]) -> Pairs:
    """The contract of an NFT, its contract and chain, its chain, or neither."""
    chance, chain, contract = random.random(), nft["chain"], nft.get("contractAddress", "")
    pairs: Pairs = []
    if chance < shares[1]:
        spelled = [contract] * 8 + [UNKNOWN, found.names.get(contract, contract)]
        if contract[:2] == "0x":
            spelled += [
                contract.upper().replace("X", "x", 1),
                contract[:20].upper().replace("X", "x") + contract[20:],
            ]
        pairs.append(("contractAddress", random.choice(spelled)))
    if shares[0] <= chance < shares[2]:
        names = [chain] * 5 + [chain.upper(), *CHAIN_NAMES.get(chain, []), *found.chains]
        pairs.append(("chain", random.choice(names)))
    return pairs


def _order(random: Random) -> Pairs:
    pairs: Pairs = []
    if random.random() < 0.7:
        order = random.choice(ORDERS)
        pairs.append(("sortBy", random.choice([order, order, order.lower()])))
    if random.random() < 0.7:
        pairs.append(("limit", str(random.choice([1, 2, 3, 5, 10, random.randint(1, 30)]))))
    return pairs


def _token_id(random: Random, nft: dict[str, Any]) -> str:
    token_id: str = nft["tokenId"]
    if not token_id.isdecimal():
        return token_id
    return random.choice([token_id, token_id, f"00{token_id}", hex(int(token_id))])


def _near(random: Random, found: Found, nft: dict[str, Any]) -> list[dict[str, Any]]:
    """The NFT and some others of its contract."""
    others = found.nfts[nft.get("contractAddress", "")]
    return [nft, *random.sample(others, k=min(random.choice([0, 0, 1, 2, 4, 20]), len(others)))]


def _token_ids(random: Random, found: Found, nft: dict[str, Any], name: str = "tokenId") -> Pairs:
    ids = [_token_id(random, one) for one in _near(random, found, nft)]
    if random.random() < 0.05:
        return [(name, "")]
    return [(name, one) for one in ids] if random.random() < 0.2 else [(name, ",".join(ids))]


def _excluded_ids(random: Random, found: Found, nft: dict[str, Any]) -> Pairs:
    return _token_ids(
        random, found, random.choice(found.nfts[nft.get("contractAddress", "")]), "excludedTokenIds"
    )


def _traits(random: Random, found: Found, nft: dict[str, Any], name: str = "traits") -> Pairs:
    entries = []
    for one in _near(random, found, nft)[:3]:
        had = one.get("metadata", {}).get("traits", [])
        for trait in random.sample(had, k=min(random.choice([1, 1, 2]), len(had))):
            value = trait["traitValue"]
            shown = value if isinstance(value, str) else json.dumps(value)
            text = f"{trait.get('traitType', '')}-{shown}"
            odd = "," in text or text[:1] == '"' or text != text.strip() or random.random() < 0.05
            entries.append('"' + text.replace('"', '""') + '"' if odd else text)
    if random.random() < 0.03:
        entries = [random.choice(["", "Type-Nobody has it", "-"])]
    return [(name, ",".join(entries))] if entries else []


def _excluded_traits(random: Random, found: Found, nft: dict[str, Any]) -> Pairs:
    return _traits(random, found, random.choice(found.nfts[nft.get("contractAddress", "")]), "excludedTraits")


def _price(random: Random, found: Found, nft: dict[str, Any]) -> Pairs:
    asks = [one.split(",") for one in nft.get("orderbook", [])]
    _, currency, price = random.choice(asks or found.prices or [["", "eth", "1"]])
    scale = 1.0
    if random.random() < 0.3:
        currency, scale = random.choice([("usd", 3000.0), ("USD", 90000.0), ("usdc", 3000.0), ("sol", 20.0)])
    low = random.choice(["", "0", price, f"{float(price) * scale * random.random():.6f}"])
    high = random.choice(["", price, f"{float(price) * scale * (1 + random.random() * 3):.6f}"])
    if low and high and float(low) > float(high):
        low, high = high, low
    return [("priceFilter", f"{random.choice([currency, currency.lower()])},{low},{high}")]


def _markets(random: Random, found: Found, nft: dict[str, Any]) -> Pairs:
    own = [*nft.get("markets", []), *(one.split(",")[0] for one in nft.get("orderbook", []))]
    names = random.choices([*own * 5, *found.markets, "nowhere"], k=random.choice([1, 1, 2, 3]))
    text = ",".join(names)
    return [("marketplaces", random.choice([text] * 6 + [text.upper(), text.title(), ""]))]


def _owner(random: Random, found: Found, nft: dict[str, Any]) -> Pairs:
    owner = nft.get("owner", UNKNOWN)
    return [("ownerAddress", random.choice([owner] * 6 + [owner.upper().replace("X", "x", 1), UNKNOWN]))]


def _flags(random: Random, found: Found, nft: dict[str, Any]) -> Pairs:
    flags = [
        ("includeLastTransfer", ["true", "1", "True", ""]),
        ("excludeMarkedNfts", ["true", "1", "false", ""]),
    ]
    return [(name, random.choice(values)) for name, values in random.sample(flags, k=random.choice([1, 2]))]


def _bad(random: Random, found: Found) -> Request:
    """A query that is refused, alone or within a good one; or a cursor that is not its own, or was changed."""
    operation, bad, _ = random.choice(BAD_QUERIES)
    path, make = (NFTS, _of_nfts) if operation == "nfts" else (TRANSFERS, _of_transfers)
    if random.random() < 0.3 and found.pages:
        path, pairs, cursor = random.choice(found.pages)
        place = random.randrange(len(cursor))
        changed = cursor[:place] + random.choice("AZaz09_-") + cursor[place + 1 :]
        other = [*pairs, *_flags(random, found, {})][random.randrange(2) :]
        return get(
            path, _text([*random.choice([pairs, other]), ("cursor", random.choice([cursor, changed]))])
        )
    if random.random() < 0.4:
        bad = f"{_text(make(random, found))}&{bad}"
    return get(path, bad)
