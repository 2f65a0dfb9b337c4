"""The documentation's examples: queries that find something in this database, in three languages, and every error."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from django.urls import reverse

from core.rest.cards import pretty, query_url
from core.rest.cursors import FOREIGN
from core.rest.errors import DETAILS, over_limit
from nftsite.overview import Example, examples

PYTHON = """\
import json
from urllib.parse import urlencode
from urllib.request import urlopen

query = {query}
with urlopen({address} + "?" + urlencode(query)) as answer:
    page = json.load(answer)
{what}
"""
TYPESCRIPT = """\
const query = new URLSearchParams({query});
const answer = await fetch({address} + "?" + query);
if (!answer.ok) throw new Error((await answer.json()).errors[0].detail);
const page = await answer.json();
{what}
"""
WALK_CURL = """\
cursor=
while
    page=$(curl -sG {address} \\
{query}        --data-urlencode "cursor=$cursor")
    printf '%s\\n' "$page"
    cursor=$(printf '%s' "$page" | sed -n 's/.*"nextCursor":"\\([^"]*\\)"}}$/\\1/p')
    [ -n "$cursor" ]
do :; done
"""
WALK_PYTHON = """\
import json
from urllib.parse import urlencode
from urllib.request import urlopen

query = {query}
count = 0
while True:
    with urlopen({address} + "?" + urlencode(query)) as answer:
        page = json.load(answer)
    for nft in page["data"]:
        count += 1
        print(nft["chain"], nft.get("contractAddress"), nft["tokenId"])
    if "nextCursor" not in page:
        break
    query["cursor"] = page["nextCursor"]
print(count, "NFTs")
"""
WALK_TYPESCRIPT = """\
const query = new URLSearchParams({query});
let count = 0;
for (;;) {{
  const answer = await fetch({address} + "?" + query);
  if (!answer.ok) throw new Error((await answer.json()).errors[0].detail);
  const page = await answer.json();
  for (const nft of page.data) {{
    count += 1;
    console.log(nft.chain, nft.contractAddress, nft.tokenId);
  }}
  if (!page.nextCursor) break;
  query.set("cursor", page.nextCursor);
}}
console.log(count, "NFTs");
"""


class Snippet(NamedTuple):
    """A program: its language, and its text."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """An example as a page shows it: what it asks for, its address there, and programs that ask the same."""

    text: str
    url: str
    snippets: list[Snippet]


def shown_examples(base: str) -> list[Shown]:
    """Return examples that find something here; ``base`` is scheme and host as clients reach the service."""
    return [Shown(one.text, one.url, _snippets(one, base)) for one in examples()]


def walk(base: str) -> list[Snippet]:
    """Return programs that read all NFTs of the largest collection, page by page; of everything where there is none."""
    found = examples()
    of_one = next(
        (one.url for one in found if "contractAddress" in one.url), query_url(reverse("nfts-by-token"))
    )
    given = dict(parse_qsl(urlsplit(of_one).query))
    query = {name: given[name] for name in ("chain", "contractAddress") if name in given} | {
        "sortBy": "tokenId"
    }
    address = base + reverse("nfts-by-token")
    lines = "".join(
        f"        --data-urlencode {shlex.quote(f'{name}={value}')} \\\n" for name, value in query.items()
    )
    quoted = {"query": _written(query), "address": _written(address)}
    return [
        Snippet("curl", WALK_CURL.format(address=shlex.quote(address), query=lines)),
        Snippet("Python", WALK_PYTHON.format(**quoted)),
        Snippet("TypeScript", WALK_TYPESCRIPT.format(**quoted)),
    ]


def _snippets(example: Example, base: str) -> list[Snippet]:
    parts = urlsplit(example.url)
    query, is_nfts = dict(parse_qsl(parts.query)), parts.path == reverse("nfts-by-token")
    values = {"query": _written(query), "address": _written(base + parts.path)}
    python = 'for nft in page["data"]:\n    print(nft["tokenId"], nft["owner"])'
    typescript = "for (const nft of page.data) console.log(nft.tokenId, nft.owner);"
    if not is_nfts:
        python = 'for transfer in page["data"]:\n    print(transfer["tokenId"], transfer["transferType"])'
        typescript = "for (const one of page.data) console.log(one.tokenId, one.transferType);"
    return [
        Snippet("curl", f"curl {shlex.quote(base + example.url)}\n"),
        Snippet("Python", PYTHON.format(**values, what=python)),
        Snippet("TypeScript", TYPESCRIPT.format(**values, what=typescript)),
    ]


def _written(value: Any) -> str:
    """Return a text or an object as Python and TypeScript both write it."""
    return json.dumps(value, ensure_ascii=False)


class ErrorShown(NamedTuple):
    """An error: its status and code, when it comes, a request that gets it (blank: none is sure to), and its body."""

    status: int
    code: str
    when: str
    request: str
    body: str


def errors() -> list[ErrorShown]:
    """Return what each error looks like."""
    nfts, transfers = reverse("nfts-by-token"), reverse("transfers-by-token")
    many = ",".join(map(str, range(31)))
    return [
        _of(400, "required", "A parameter that must be given is not.", transfers, "contractAddress",
            "This parameter is required."),
        _of(400, "invalid", "A value is malformed, out of bounds, or too expensive together with the others.",
            f"{nfts}?limit=99", "limit", 'The limit is a whole number from 1 to 30, not "99".'),
        _of(400, "invalid_choice", "A value is none of those that there are.", f"{nfts}?sortBy=price", "sortBy",
            '"price" is not one of: lowestAsk, highestAsk, tokenId, tokenId-desc, rarity, tokenId-asc.'),
        _of(400, "max_length", "A value is too long, or a list has too many entries.", f"{nfts}?tokenId={many}",
            "tokenId", "At most 30 distinct entries are allowed; 31 were sent."),
        _of(400, "unknown_parameter", "A parameter is not known. It is never ignored, as a filter that is mistyped "
            "would quietly return everything.", f"{transfers}?contractAddress=0x{'0' * 40}&limt=1", "limt",
            'Unknown parameter "limt". Did you mean "limit"? Known parameters: chain, cursor, limit, sortBy, '
            "contractAddress, tokenId, ownerAddress."),
        _of(400, "cursor_invalid", "What was passed as cursor is none, or was changed.", f"{nfts}?cursor=abc",
            "cursor", '"abc" is not a cursor of this operation: pass nextCursor of an earlier page unchanged.'),
        _of(400, "cursor_mismatch", "The cursor came from a page with other filters, another order or the other "
            "operation.", "", "cursor", FOREIGN),
        _of(400, "ens_unavailable", "A name is not known here, and no node is configured that could tell. With a node "
            "that does not answer in time the status is 503.", "", "contractAddress", 'The ENS name "nobody.eth" is '
            "not known here, and no node is configured to resolve it."),
        _of(400, "ens_unsupported", "A name is resolved by a server off the chain, which is not asked.", "",
            "contractAddress", 'The ENS name "nobody.cb.id" is resolved by a server (CCIP-Read, EIP-3668), which is '
            "not asked: give the address."),
        _of(401, "not_authenticated", "The service answers keys only, or the key that was sent is none of its own.", "",
            None, DETAILS[401]),
        _of(404, "not_found", "There is no such address.", f"{nfts}s", None, DETAILS[404]),
        _of(405, "method_not_allowed", "The method is not GET, HEAD or OPTIONS.", "", None,
            'Method "POST" not allowed.'),
        _of(406, "not_acceptable", "The Accept header takes none of the formats.", "", None,
            "Could not satisfy the request Accept header."),
        _of(414, "uri_too_long", "The request line is longer than the server reads.", "", None,
            DETAILS[414]),
        _of(429, "throttled", "More was asked than the limit allows: try again after Retry-After seconds.", "", None,
            over_limit(12)),
        _of(431, "headers_too_large", "The headers of a request are larger than the server reads.", "", None,
            DETAILS[431]),
        _of(500, "error", "A fault of the service. The log has it, under the X-Request-ID of the answer.", "", None,
            "A server error occurred."),
        _of(503, "service_unavailable", "The service is busy or its database away: try again after Retry-After "
            "seconds.", "", None, DETAILS[503]),
    ]  # fmt: skip


def _of(status: int, code: str, when: str, request: str, attr: str | None, detail: str) -> ErrorShown:
    kind = "server_error" if status >= 500 else "validation_error" if attr else "client_error"
    body: Mapping[str, Any] = {"type": kind, "errors": [{"code": code, "detail": detail, "attr": attr}]}
    return ErrorShown(status, code, when, request, pretty(body))
