"""Short forms for tests that read like promises: what a client asks, what it is shown, what it is refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.builders import START, Line, load_lines
from tests.conftest import Api

NOW = START + 1_000_000
"""Where the fixture `clock` stops the clock."""

WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
EDITIONS = "0x" + "e1" * 20
COLLECTION = "Ax7EjwgRaerUacfCAptcMnkckmf8Wiee5T9KLqSzsF6"
MINT = "3iSn5Jw53iy8UZrJBgk1Si4Z74TRUemuDempJXr957fa"
OTHER_MINT = "75dAQ5DHjXipu9s1cv4LD3Kz3Yhxn9sER2CDUHMu7Lip"

Record = dict[str, Any]
Page = dict[str, Any]

EVERY_ORDER = ("", "lowestAsk", "highestAsk", "tokenId", "tokenId-asc", "tokenId-desc", "rarity")


def given(*lines: Line | str) -> None:
    """Load lines, every one of which must be good."""
    report = load_lines(lines)
    assert not report.faults, report.faults


def ids(records: Page | Iterable[Record]) -> list[str]:
    """Token ids of a page, or of records, as they stand."""
    return [record["tokenId"] for record in (records["data"] if isinstance(records, dict) else records)]


def only(page: Page) -> Record:
    """The one record of a page."""
    (record,) = page["data"]
    assert "nextCursor" not in page
    return dict(record)


def page_of(api: Api, operation: str, **parameters: Any) -> Page:
    """A page of either operation."""
    return api.nfts(**parameters) if operation == "nfts" else api.transfers(**parameters)


def pages(api: Api, operation: str = "nfts", **parameters: Any) -> list[list[Record]]:
    """All pages of a query, the cursors followed to the end."""
    ask = api.nfts if operation == "nfts" else api.transfers
    page = ask(**parameters)
    found = [page["data"]]
    while "nextCursor" in page:
        assert len(found) < 1000, "the walk does not end"
        page = ask(**parameters, cursor=page["nextCursor"])
        found.append(page["data"])
    return found


def walked(api: Api, operation: str = "nfts", **parameters: Any) -> list[Record]:
    """All records of a query, in order."""
    return [record for page in pages(api, operation, **parameters) for record in page]


def refused(
    api: Api, query: str | None = None, /, operation: str = "nfts", **parameters: Any
) -> list[tuple[str, str]]:
    """(parameter, code) of each fault of a query, which must be refused with 400."""
    response = api.get(f"{api.base}/{operation}/by-token", query if query is not None else parameters)
    assert response.status_code == 400, response.content
    body = response.json()
    assert body["type"] == "validation_error"
    return [(error["attr"], error["code"]) for error in body["errors"]]
