"""Walks through the assets of a collection to their end, whatever a DAS server makes of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.utils import timezone

from core.net.rpc.errors import BadAnswerError, Kind, NodeError, RpcError
from core.net.rpc.jsonrpc import Node
from indexing.das.assets import slot_of

MOST: Final = 1000
"""Assets of a page at most: no server gives more."""

LEAST: Final = 10
"""Assets of a page, below which it is not the size of the page that a server complains of."""

PATIENCE: Final = 3
"""Pages in a row without a new asset, after which nothing more is expected."""

_LESS = frozenset((Kind.TOO_MANY, Kind.LIMIT, Kind.BATCH, Kind.TIMEOUT))
_LIMIT = re.compile(r"\blimit\b|\bpage size\b|\btoo (?:many|large|big)\b|\bmax(?:imum)?\b", re.IGNORECASE)


class Page(NamedTuple):
    """Assets as they came; ``slot``: up to which the node had read the chain, where it says so.

    ``asked_at``: when it was asked, so that what they show is not older; ``refused``: what the node could not show.
    """

    asked_at: datetime
    items: list[Any]
    slot: int | None
    refused: list[Any]


def asks_for_less(fault: NodeError) -> bool:
    """Tell whether a smaller question may cure a fault: providers put their limits into words of their own."""
    limited = isinstance(fault, RpcError) and fault.kind is Kind.FINAL and _LIMIT.search(fault.message)
    return fault.kind in _LESS or bool(limited)


class Listing:
    """The assets of one collection, by ``getAssetsByGroup``.

    Goes by cursors where the server gives them, else by numbers of pages. Neither the limit nor ``total`` is believed:
    a page may be short, empty or come twice without being the last. ``seen``: the ids so far; ``whole``: whether the
    server said that there are no more, by a last page without cursor or by pages without assets, once all are read.
    """

    def __init__(self, node: Node, collection: str, limit: int = MOST) -> None:
        self.seen: set[str] = set()
        self.whole = False
        self._node = node
        self._collection = collection
        self._limit = limit
        self._sort = "id"
        self._where: dict[str, Any] = {}

    def pages(self) -> Iterator[Page]:
        """Yield pages, each asset once, none empty. Raises ``NodeError`` when the server cannot be read."""
        idle = 0
        while idle < PATIENCE:
            asked_at = timezone.now()
            answer = self._ask()
            before = len(self.seen)
            items = [one for one in answer["items"] if self._is_new(one)]
            idle = 0 if len(self.seen) > before else idle + 1
            refused = answer.get("errors")
            page = Page(asked_at, items, slot_of(answer), refused if isinstance(refused, list) else [])
            if page.items or page.refused:
                yield page
            if not self._move_on(answer.get("cursor")):
                self.whole = True
                return
        self.whole = not answer["items"]

    def _is_new(self, item: Any) -> bool:
        """Tell whether an asset has not come before, and take note of it; one without id may be any."""
        mint = item.get("id") if isinstance(item, dict) else None
        if not isinstance(mint, str):
            return True
        if mint in self.seen:
            return False
        self.seen.add(mint)
        return True

    def _move_on(self, cursor: Any) -> bool:
        """Turn to the next page; false when the server says that there is none."""
        if "page" not in self._where and isinstance(cursor, str) and cursor:
            self._where = {"cursor": cursor}
        elif "cursor" in self._where:
            return False
        else:
            self._where = {"page": self._where.get("page", 1) + 1}
        return True

    def _ask(self) -> Any:
        while True:
            try:
                return self._node.named(
                    "getAssetsByGroup",
                    {
                        "groupKey": "collection",
                        "groupValue": self._collection,
                        "limit": self._limit,
                        "sortBy": {"sortBy": self._sort, "sortDirection": "asc"},
                        **self._where,
                    },
                    check=_check,
                    can_shrink=self._limit > LEAST,
                )
            except NodeError as fault:
                if self._limit > LEAST and asks_for_less(fault):
                    self._halve()
                elif not self._is_old_server(fault):
                    raise

    def _halve(self) -> None:
        """Ask for less from the same place on; pages that then overlap do no harm."""
        before = (self._where.get("page", 1) - 1) * self._limit
        self._limit = max(LEAST, self._limit // 2)
        if "page" in self._where:
            self._where = {"page": before // self._limit + 1}

    def _is_old_server(self, fault: NodeError) -> bool:
        """Whether the first question may have been too new: before cursors, assets were not sorted by id."""
        if (
            self._where
            or self._sort != "id"
            or not isinstance(fault, RpcError)
            or fault.kind is not Kind.FINAL
        ):
            return False
        self._where, self._sort = {"page": 1}, "created"
        return True


def _check(name: str, answer: Any) -> None:
    if not isinstance(answer, dict) or not isinstance(answer.get("items"), list):
        raise BadAnswerError(f"{name}: what is no list of assets in the answer to getAssetsByGroup")
