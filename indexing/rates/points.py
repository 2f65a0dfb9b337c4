"""One rate of any source, read with the bounds that all of them have."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any

from core.db.keys import PLACES
from core.values import MAX_SECONDS, WrongValueError, decimal
from tokens.store.facts import RateFacts

_TEXT = re.compile(r"[0-9]{1,60}(\.[0-9]{1,60})?", re.ASCII)
_IN_BOUNDS = decimal(30)
_EXACT = Context(prec=200, rounding=ROUND_HALF_EVEN)


def point(currency: str, timestamp: int, usd: Any, *, places: int = 0) -> RateFacts:
    """Return a rate: Unix seconds, and USD, as text or a number, over ``10**places``; rounded to 18 places.

    Raises :class:`WrongValueError` (the rest of a sentence) for a time that is in milliseconds or before 1970, and for
    a price that is none, is not above 0, or has more than 30 digits before the point.
    """
    if not 0 <= timestamp <= MAX_SECONDS:
        raise WrongValueError("has a time that is no Unix time in seconds.")
    return RateFacts(currency, timestamp, _price(usd, places))


def _price(usd: Any, places: int) -> Decimal:
    if isinstance(usd, bool) or not isinstance(usd, int | str | Decimal):
        raise WrongValueError("has a price that is no number.")
    if isinstance(usd, str) and not _TEXT.fullmatch(usd):
        raise WrongValueError("has a price that is no decimal number.")
    number = Decimal(usd)
    if not number.is_finite() or abs(number.adjusted()) > 100:  # before any work is done on its digits
        raise WrongValueError("has a price that is out of range.")
    shifted = number.scaleb(-places, context=_EXACT)
    rounded = shifted.quantize(Decimal(1).scaleb(-PLACES), context=_EXACT)
    if rounded <= 0:
        raise WrongValueError("has a price that is not above 0.")
    read: Decimal = _IN_BOUNDS(format(rounded, "f"))
    return read
