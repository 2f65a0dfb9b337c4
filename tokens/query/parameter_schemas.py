"""JSON Schemas of the query parameters, as the OpenAPI document shows them.

Patterns say what a regular expression can say. That a chain is known, a mint decodes to 32 bytes, a name has a normal
form or a minimum is not above its maximum, takes more; the descriptions tell.
"""

from __future__ import annotations

from typing import Any

from core.rest.fields import MAX_CURSOR_LENGTH
from core.rest.pagination import MAX_LIMIT
from tokens.ens import names as ens
from tokens.query.fields import MAX_BOUND_LENGTH, MAX_ENTRIES, MAX_TOKEN_ID_LENGTH, MAX_TRAIT_LENGTH
from tokens.query.ordering import ORDERS, TOKEN_ID

SORT_SPELLINGS = {name: name for name in ORDERS if name} | {f"{TOKEN_ID.name}-asc": TOKEN_ID.name}
"""What ``sortBy`` may say, and the order meant."""

_INTEGER = "[0-9]+|0[xX][0-9a-fA-F]+"
_MINT = "[1-9A-HJ-NP-Za-km-z]{32,44}"
_NAME = r"[^,\u0000]*\.[^,\u0000]*"
_BOUND = r"([0-9]+(\.[0-9]+)?)?"
# As in CSV: an entry that begins with a quote runs to the closing one; any other ends at a comma.
_PLAIN, _QUOTED = r"[^\u0000,]", r"([^\u0000\u0022]|\u0022\u0022)"
_TRAIT = rf'([^\u0000,\u0022]{_PLAIN}*)?-{_PLAIN}*|"{_QUOTED}*-{_QUOTED}*"'
_WORD = rf'([^\u0000,\u0022]{_PLAIN}*)?|"{_QUOTED}*"'


def _text(pattern: str, longest: int) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^({pattern})$", "maxLength": longest}


def _comma_list(items: dict[str, Any], most: int | None = None) -> dict[str, Any]:
    return {"type": "array", "items": items, **({"maxItems": most} if most else {})}


FLAG = {"type": "boolean", "default": False}
CHAIN = _text(r"[^\u0000]+", 1000)
CONTRACT = _text(f"0[xX][0-9a-fA-F]{{40}}|[0-9A-Za-z]{{32,44}}|{_NAME}", ens.MAX_NAME_LENGTH)
TOKEN = _text(f"{_INTEGER}|{_MINT}", MAX_TOKEN_ID_LENGTH)
TOKENS = _comma_list(TOKEN, MAX_ENTRIES)
TRAITS = _comma_list(_text(_TRAIT, MAX_TRAIT_LENGTH), MAX_ENTRIES)
MARKETPLACES = _comma_list(_text(_WORD, 100))
PRICE = _text(rf"[^\u0000,]+,{_BOUND},{_BOUND}", 3 * MAX_BOUND_LENGTH)
CURSOR = _text(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+", MAX_CURSOR_LENGTH)
LIMIT = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": MAX_LIMIT}
SORT = {"type": "string", "enum": list(SORT_SPELLINGS)}
