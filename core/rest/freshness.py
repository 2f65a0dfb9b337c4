"""Up to where the data reaches that an answer was made of: `X-Indexed-Block`, `X-Indexed-At` and `X-Asks-At`.

Where the data comes from is not known here: the setting `API_FRESHNESS` names the function that can tell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, cast

from django.conf import settings
from django.utils.module_loading import import_string


@dataclass(frozen=True, slots=True)
class Subject:
    """What a query concerns: a chain (its slug) and a contract (its address), as far as it names them."""

    chain: str | None = None
    contract: str | None = None


class Reach(NamedTuple):
    """The last block that is indexed, its time, and when the last whole reading of the contract's asks began.

    Times are in Unix seconds; what is ``None`` is not known, or does not concern the query.
    """

    block: int | None
    at: int | None
    asks_at: int | None = None


def freshness_headers(subject: Subject) -> dict[str, str]:
    """Return the headers that say up to where a query's one chain is indexed, and how fresh its contract's asks are.

    Takes one query of the database, or none where the subject names neither.
    """
    return headers_of(reach_of(subject))


def reach_of(subject: Subject) -> Reach:
    """Return up to where the data reaches that a query concerns, by one query of the database, or none."""
    if subject == Subject():
        return Reach(None, None)
    return cast(Callable[[Subject], Reach], import_string(settings.API_FRESHNESS))(subject)


def headers_of(reach: Reach) -> dict[str, str]:
    """Return the headers that tell it."""
    told = {"X-Indexed-Block": reach.block, "X-Indexed-At": reach.at, "X-Asks-At": reach.asks_at}
    return {name: str(value) for name, value in told.items() if value is not None}
