"""What prices are worth: sort keys of asks, and values in USD and ETH. Pure and exact, in integers only.

Prices and rates are integers scaled by 10**18 (``core.db.keys.scaled``), amounts are in base units of a token.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.db.keys import PLACES, uint_key

KEY_PLACES = 30
"""Decimal places of a price key: more than prices have, since a rate of another currency divides them."""

USD_PLACES = 6
ETH_PLACES = 18
MOST = 10**99 - 1
MOST_DECIMALS = 77
"""Places of a token's base unit: no more than 256 bits have digits."""
_ONE = 10**PLACES


@dataclass(frozen=True, slots=True)
class Worth:
    """What one unit of a currency counts when asks are compared.

    ``rate`` is in USD, scaled; ``None`` where no rate is known. ``eth_rate`` likewise for ETH. ``is_eth`` for ETH and
    what wraps it: worth exactly one ETH, whatever the rates.
    """

    rate: int | None
    eth_rate: int | None
    is_eth: bool = False

    def ratio(self) -> tuple[int, int] | None:
        """Return the multiplier of a price as (numerator, denominator), or ``None`` for an unrated currency."""
        if self.rate is None:
            return None
        if not self.eth_rate:
            return self.rate, _ONE
        return (1, 1) if self.is_eth else (self.rate, self.eth_rate)

    def same_key(self, other: Worth) -> bool:
        """Tell whether every price has one key under both."""
        mine, theirs = self.ratio(), other.ratio()
        if mine is None or theirs is None:
            return mine is theirs
        return mine[0] * theirs[1] == theirs[0] * mine[1]

    def price_key(self, price: int) -> str:
        """Return the sort key of a scaled price; see :func:`price_key`."""
        return price_key(price, self.ratio())


def price_key(price: int, ratio: tuple[int, int] | None) -> str:
    """Return the sort key of a scaled price: ``0`` and its value in ETH, ``1`` and the price where unrated.

    In ETH rather than USD so that a new rate of ETH leaves nearly all keys as they are (with no rate of ETH: in USD).
    ``ratio`` is what :meth:`Worth.ratio` returns. Values beyond 99 digits share the last place.
    """
    numerator, denominator = ratio or (1, 1)
    value = half_even(price * numerator * 10 ** (KEY_PLACES - PLACES), denominator)
    return ("1" if ratio is None else "0") + uint_key(min(value, MOST))


def half_even(numerator: int, denominator: int) -> int:
    """Return the quotient of two non-negative integers, rounded half to even."""
    quotient, rest = divmod(numerator, denominator)
    twice = 2 * rest
    return quotient + (twice > denominator or (twice == denominator and quotient & 1))


def usd_value(amount: int, decimals: int, rate: int) -> int | None:
    """Return the USD value, 6 places half to even, of base units of a token at a scaled rate; scaled by 10**18.

    ``None`` when it is too large to store.
    """
    value = half_even(amount * rate, 10 ** (decimals + PLACES - USD_PLACES)) * 10 ** (PLACES - USD_PLACES)
    return value if value <= MOST else None


def eth_value(amount: int, decimals: int, rate: int, eth_rate: int) -> int | None:
    """Return the ETH value, 18 places half to even, of base units at scaled rates of the token and of ETH.

    With equal rates it is the amount itself. ``None`` when ETH is worth nothing or the value is too large to store.
    """
    if eth_rate == 0:
        return None
    shift = ETH_PLACES - decimals
    above, below = (10**shift, 1) if shift >= 0 else (1, 10**-shift)
    value = half_even(amount * rate * above, eth_rate * below)
    return value if value <= MOST else None
