"""Query strings of both operations, few of which are good."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from urllib.parse import quote, urlencode

from tests.addresses.sending import Sent
from tests.addresses.values import HOSTILE, RAW, altered, sent, value_of
from tests.builders import ALICE, APES
from tests.conftest import Api
from tests.operations.bad_queries import BAD_QUERIES, NFTS, TRANSFERS
from tests.operations.promises import COLLECTION, EDITIONS, EVERY_ORDER, MINT
from tokens.query.filters import NftFilterSet
from transfers.filters import TransferFilterSet

NAMES = {NFTS: [*NftFilterSet.base_filters, "format"], TRANSFERS: [*TransferFilterSet.base_filters, "format"]}
TEXTS = {
    NFTS: [
        "tokenId",
        "excludedTokenIds",
        "traits",
        "excludedTraits",
        "marketplaces",
        "priceFilter",
        "contractAddress",
    ],
    TRANSFERS: ["tokenId", "contractAddress"],
}
"""Parameters of which much that is odd is right, and reaches the database."""
GOOD = {
    "contractAddress": [APES, EDITIONS, "apes.eth", ALICE],
    "tokenId": [*map(str, range(40)), str(2**256 - 1), "0x1"],
    "traits": ["Hat-1", "Hat-1,Hat-2,Level-3", "Hat-red", '"Hat-1"', "Fur-30,Level-1"],
    "priceFilter": ["eth,,", "eth,0,5", "usd,0,1000000", "usdc,,7", "weth,1,1"],
    "marketplaces": ["opensea", "blur,opensea", "market-1"],
    "sortBy": [*EVERY_ORDER],
    "chain": ["ethereum", "polygon", "1", "eip155:137"],
    "limit": ["1", "2", "30"],
    "includeLastTransfer": ["true", "false", "1"],
    "excludeMarkedNfts": ["true", "false"],
    "format": ["json"],
    "cursor": [""],
}
GOOD |= {"excludedTokenIds": GOOD["tokenId"], "excludedTraits": GOOD["traits"]}
OTHER = [COLLECTION, MINT, "nobody.eth", "solana", "-", "1,2,3", "xml"]
"""Good too, but not beside every other."""
ACCEPTS = ["", "*/*", "application/json", "text/html", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"] * 16
ACCEPTS += [
    "application/xml",
    "text/*;q=0",
    "nonsense",
    ",",
    ";",
    "a/b;c=d;e",
    "text/html;charset=\xff",
    "*/*;q=1e999",
]
METHODS = ["GET"] * 16 + ["HEAD", "HEAD", "OPTIONS", "POST"]
Cursors = list[tuple[str, str, str]]
"""An operation, a query of it, and the cursor of its next page."""


def real_cursors() -> Cursors:
    """Cursors of both operations in every order, with filters and without."""
    api, found = Api(), []
    for order in EVERY_ORDER:
        for operation, query in (
            (NFTS, {"limit": 1, "sortBy": order}),
            (NFTS, {"limit": 1, "sortBy": order, "contractAddress": APES, "excludedTokenIds": "4"}),
            (NFTS, {"limit": 1, "sortBy": order, "traits": "Hat-1,Hat-2"}),
            (NFTS, {"limit": 1, "sortBy": order, "priceFilter": "eth,,"}),
            (TRANSFERS, {"limit": 1, "sortBy": order, "contractAddress": APES}),
            (TRANSFERS, {"limit": 1, "sortBy": order, "contractAddress": APES, "tokenId": "1"}),
        ):
            body = api.get(f"{api.base}/{operation}/by-token", query).json()
            if "nextCursor" in body:
                found.append((operation, urlencode(query), body["nextCursor"]))
    return found


def api_requests(seed: int, count: int, cursors: Cursors) -> Iterator[Sent]:
    """Requests of anybody: the `count` are the same for a seed and cursors."""
    for number in range(count):
        random = Random(f"{seed} query {number}")
        operation = random.choice([NFTS, TRANSFERS])
        path = f"/api/v1/{operation}/by-token"
        query = random.choice([*[_of_parameters] * 7, _long, _noise])(random, operation)
        if random.randrange(4) == 0:
            operation, query = _of_a_cursor(random, cursors)
            path = f"/api/v1/{operation}/by-token"
        yield Sent(path, query, random.choice(METHODS), random.choice(ACCEPTS))


def _of_parameters(random: Random, operation: str) -> str:
    names = random.sample(NAMES[operation], k=random.randint(0, 3))
    names.insert(0, random.choice(TEXTS[operation] * 4 + NAMES[operation]))
    if operation == TRANSFERS and random.randrange(4):
        names.append("contractAddress")
    # One is odd and the others are good, so that what it does is not hidden behind their refusal.
    pairs = [f"{name}={quote(random.choice(GOOD.get(name, [''])))}" for name in names]
    pairs[0] = f"{_name(random, names[0])}={_value(random, names[0])}"
    if random.randrange(12) == 0:
        pairs.append(random.choice(pairs))
    if random.randrange(25) == 0:
        pairs.append(random.choice([row[1] for row in BAD_QUERIES]))
    if random.randrange(25) == 0:
        pairs.append("_form=1")
    random.shuffle(pairs)
    return random.choice(["&"] * 12 + ["&&", ";"]).join(pairs)


def _name(random: Random, name: str) -> str:
    return sent(random, altered(random, name)) if random.randrange(25) == 0 else name


def _value(random: Random, name: str) -> str:
    """Something in the form that the parameter wants, or not even that."""
    good = [*GOOD.get(name, ["1"]), *OTHER]
    number = str(random.choice([random.randrange(2**256), random.randrange(50), 10 ** random.randrange(100)]))
    shaped = {
        "tokenId": number,
        "excludedTokenIds": ",".join([number, hex(random.randrange(2**256)), "0" * random.randrange(70)]),
        "traits": f"Hat-{value_of(random, good)}",
        "excludedTraits": f"{value_of(random, good)}-{value_of(random, ['1', 'red'])}",
        "priceFilter": f"eth,{number}.{random.randrange(10**18)},",
        "marketplaces": value_of(random, good),
        "contractAddress": f"0x{random.randrange(2**160):040x}",
    }
    if name == "marketplaces" or (name in shaped and random.randrange(2)):
        return shaped[name]
    parts = [value_of(random, good) for _ in range(random.choice([1, 1, 1, 2, 5]))]
    return random.choice([",", ",", "%2C", "-", '"']).join(parts)


def _long(random: Random, operation: str) -> str:
    """A list of very many, or one parameter very often."""
    name = random.choice(NAMES[operation])
    entry, times = _value(random, name), random.choice([30, 31, 100, 1_000, 3_000])
    head = f"contractAddress={APES}&" if operation == TRANSFERS else ""
    if random.randrange(2):
        return head + f"{name}=" + ",".join([entry] * times)[:20_000]
    return head + "&".join([f"{name}={entry}"] * times)[:20_000]


def _noise(random: Random, operation: str) -> str:
    """No query at all."""
    letters = "&=%+;,.?#[]\"'0aAfF\x00\x01\n\xff\xed\xa0\x80 -_"
    parts = [random.choice(RAW), random.choice(HOSTILE).encode("utf-8", "surrogatepass").decode("latin-1")]
    parts.append("".join(random.choices(letters, k=random.randrange(60))))
    return "".join(random.sample(parts, k=random.randint(0, 3)))


def _of_a_cursor(random: Random, cursors: Cursors) -> tuple[str, str]:
    """A real cursor gone wrong, or with a query that is not its own."""
    operation, query, cursor = random.choice(cursors)
    _, other_query, other = random.choice(cursors)
    head, _, tail = cursor.rpartition(".")
    place = random.randrange(len(cursor))
    flipped = cursor[:place] + chr(ord(cursor[place]) ^ (1 << random.randrange(8))) + cursor[place + 1 :]
    changed = random.choice(
        [
            *(cursor, flipped, flipped, flipped, altered(random, cursor), altered(random, cursor), other),
            *(
                f"{head}.{other.rpartition('.')[2]}",
                f"{tail}.{head}",
                f"{head}",
                f".{tail}",
                f"{head}=.{tail}",
            ),
            *(f"{cursor}.{tail}", cursor.upper(), cursor + "=" * random.randrange(1, 5), cursor + "\x00"),
        ]
    )
    asked = random.choice(
        [query, query, query, other_query, query + "&limit=3", query.replace("limit=1", "limit=0")]
    )
    pairs = [
        asked,
        f"cursor={sent(random, changed)}",
        *([f"cursor={cursor}"] if random.randrange(9) == 0 else []),
    ]
    return operation, "&".join(pairs)
