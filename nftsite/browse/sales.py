"""All sales of a collection, newest first, from a price on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import F
from django.db.models.functions import Coalesce

from core.db.keys import recency_parts
from core.rest.cards import moment
from nftsite.browse import places
from nftsite.browse.collection import sales_of
from nftsite.browse.places import Collection

SIZE = 25
LOOKED_AT = 500
"""Sales that one page looks at; where few of them cost enough, the next page goes on from there."""
_PRICE = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,18})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Found:
    """A page of sales by their ids, where the next one begins (``None``: there is none), and how far back this one
    looked, where it stopped before it was full."""

    ids: list[int]
    behind: str | None
    looked_back_to: str | None


def price_from(text: str) -> Decimal | None:
    """Return the least price in ETH that a form names; ``None`` for a blank one. Raises ``ValueError`` for no price."""
    text = text.strip()
    if not text:
        return None
    if not _PRICE.fullmatch(text):
        raise ValueError("A price is a number such as 1 or 0.25.")
    return Decimal(text)


def found(one: Collection, least: Decimal | None, behind: str) -> Found:
    """Return the sales of a page, of those worth at least ``least`` ETH, by one statement.

    Raises ``ValueError`` for a place that is none.
    """
    rows: Any = sales_of(one)
    if behind:
        rows = places.transfers_behind(rows, behind, "among the sales")
    columns = rows.values_list("recent_key", "id", Coalesce(F("stated_eth_value"), F("eth_value")))
    looked_at = list(columns[: (SIZE if least is None else LOOKED_AT) + 1])
    more = looked_at[-1:] if len(looked_at) > (SIZE if least is None else LOOKED_AT) else []
    looked_at = looked_at[: len(looked_at) - len(more)]
    fitting = [row for row in looked_at if least is None or (row[2] is not None and row[2] >= least)]
    if len(fitting) > SIZE or (more and len(fitting) == SIZE):
        return Found([row[1] for row in fitting[:SIZE]], _place(fitting[SIZE - 1]), None)
    if not more:
        return Found([row[1] for row in fitting], None, None)
    last = looked_at[-1]
    back_to = None if least is None else moment(recency_parts(last[0])[0])
    return Found([row[1] for row in fitting], _place(last), back_to)


def _place(row: Any) -> str:
    return f"{row[0]}{row[1]}"
