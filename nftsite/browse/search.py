"""Collections by words of their names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.db import connection
from django.db.models import QuerySet

from core.db.reading import fetched
from tokens.models import Contract

MOST = 300
"""Collections that a search finds at most; who has more to choose from types more."""
_PAST = 20_000
"""Names that SQLite, which has no index of words, looks at, those of the largest collections first."""
_APART = "-_./:@&"
"""Characters that part words, as the index has them (migration ``0002_well_known`` of ``tokens``)."""
_FOUND = f"""
    SELECT id FROM tokens_contract
    WHERE to_tsvector('simple', translate(coalesce(name, ''), '{_APART}', '{" " * len(_APART)}'))
        @@ to_tsquery('simple', %s) AND address > '' LIMIT {MOST}
"""  # noqa: S608 - built from constants


def named(rows: QuerySet[Contract], text: str) -> QuerySet[Contract]:
    """Return those of the collections that have all words of a text in their names, or their beginnings; or that
    address, where the text is one."""
    if len(text) >= 32 and text.isascii() and text.isalnum():
        return rows.filter(folded_address=text.lower())
    words = words_of(text)[:8]
    if not words:
        return rows.none()
    return rows.filter(pk__in=_by_index(words) if connection.vendor == "postgresql" else _by_reading(words))


def words_of(text: str) -> list[str]:
    """Return the words of a name, in lower case."""
    return [word.casefold() for word in re.split(rf"[\s{re.escape(_APART)}]+", text) if word]


def _by_index(words: Sequence[str]) -> list[int]:
    # Quoted, a word is taken as it is, whatever it holds.
    parts = ["'{}':*".format(word.replace("\\", "\\\\").replace("'", "''")) for word in words]
    return [row_id for (row_id,) in fetched(_FOUND, [" & ".join(parts)])]


def _by_reading(words: Sequence[str]) -> list[int]:
    names = Contract.objects.filter(address__gt="", name__gt="").order_by("-nft_count", "-id")
    found = []
    for row_id, name in names.values_list("id", "name")[:_PAST]:
        own = words_of(name or "")
        if all(any(one.startswith(word) for one in own) for word in words):
            found.append(row_id)
    return found[:MOST]
