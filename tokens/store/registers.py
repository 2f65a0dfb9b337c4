"""Dictionaries that grow by use: marketplaces and currencies, registered when they are first named."""

from __future__ import annotations

from collections.abc import Iterable

from core.db import bulk
from tokens.models import Currency, Market


def market_ids(slugs: Iterable[str]) -> dict[str, int]:
    """Return the ids of marketplaces by slug (lower case); unknown ones are registered, in alphabetical order."""
    return _ids(Market, "slug", slugs)


def currency_ids(symbols: Iterable[str]) -> dict[str, int]:
    """Return the ids of currencies by symbol (upper case), of what it stands for for an alias.

    Unknown ones are registered.
    """
    wanted = sorted(set(symbols))
    ids = _ids(Currency, "symbol", wanted)
    rows = bulk.rows_by(Currency, ("id",), [(row_id,) for row_id in ids.values()], ("id", "alias_of_id"))
    canonical = {row[0]: row[0] if row[1] is None else row[1] for row in rows}
    return {symbol: canonical[row_id] for symbol, row_id in ids.items()}


def _ids(model: type[Market] | type[Currency], name: str, texts: Iterable[str]) -> dict[str, int]:
    wanted = sorted(set(texts))
    rows = bulk.rows_by(model, (name,), [(text,) for text in wanted], (name, "id"))
    ids: dict[str, int] = {row[0]: row[1] for row in rows}
    missing = [text for text in wanted if text not in ids]
    new = list(zip(bulk.take_ids(model, len(missing)), missing, strict=True))
    bulk.copy_rows(model, ("id", name), new)
    ids.update((text, row_id) for row_id, text in new)
    return ids
