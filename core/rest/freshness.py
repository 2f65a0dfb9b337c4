"""Up to where the data reaches that an answer was made of: the headers `X-Indexed-Block` and `X-Indexed-At`.

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
    """What a query concerns: a chain (its slug) and a contract (its address on EVM chains), as far as it names them."""

    chain: str | None = None
    contract: str | None = None


class Reach(NamedTuple):
    """The last block that is indexed, and its time in Unix seconds where that is known."""

    block: int
    at: int | None


def freshness_headers(subject: Subject) -> dict[str, str]:
    """Return the headers that say up to where a query's one chain is indexed; none where no node is followed.

    Takes one query of the database, or none where the subject names neither chain nor contract.
    """
    if subject == Subject():
        return {}
    reach = cast(Callable[[Subject], Reach | None], import_string(settings.API_FRESHNESS))(subject)
    if reach is None:
        return {}
    headers = {"X-Indexed-Block": str(reach.block)}
    if reach.at is not None:
        headers["X-Indexed-At"] = str(reach.at)
    return headers
