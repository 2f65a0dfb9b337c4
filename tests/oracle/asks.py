"""Live asks of an NFT, and what they are worth."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from math import ceil
from typing import Any

from tests.oracle.text import SYSTEM_PROGRAM, ZERO, plain_address
from tests.oracle.world import Line, currency

WRAPPED = {"WETH": "ETH", "WPOL": "POL", "WMATIC": "POL", "WSOL": "SOL", "WAPE": "APE"}
EXACT = Context(prec=400)

Rates = Mapping[tuple[str, int], Decimal]
Worth = tuple[int, Decimal]  # (0, value in USD), or (1, plain price) behind them where no rate is known


def newest_rate(rates: Rates, symbol: str, now: int, oldest: int | None = None) -> Decimal | None:
    """USD of one unit: the newest rate at or before `now`, not older than `oldest`."""
    known = [
        (at, usd)
        for (name, at), usd in rates.items()
        if name == symbol and at <= now and (oldest is None or at >= oldest)
    ]
    return max(known)[1] if known else None


def ask_rate(rates: Rates, symbol: str, now: int) -> Decimal | None:
    """A wrapped native token has the native one's rate, and its own only where there is none."""
    if symbol in WRAPPED:
        native = newest_rate(rates, WRAPPED[symbol], now)
        if native is not None:
            return native
    return newest_rate(rates, symbol, now)


def price_at(ask: Line, now: int) -> Decimal:
    """The price at this second: on a straight line between two moments, at its ends before and after, rounded up."""
    start, end = Decimal(ask["price"]), ask.get("endPrice")
    since, until = ask.get("priceFrom"), ask.get("priceUntil")
    if end is None or since is None or until is None or now <= since:
        return start
    if now >= until:
        return Decimal(end)
    exact = Fraction(start) + (Fraction(end) - Fraction(start)) * Fraction(now - since, until - since)
    return EXACT.scaleb(Decimal(ceil(exact * 10**18)), -18)


def worth(ask: Line, rates: Rates, now: int) -> Worth:
    """What asks are compared by: their value, or behind all that have one the plain price."""
    rate = ask_rate(rates, currency(ask["currency"]), now)
    price = price_at(ask, now)
    return (1, price) if rate is None else (0, EXACT.multiply(price, rate))


def is_live(ask: Line, now: int, holders: Collection[str] | None, moves: Collection[Line] = ()) -> bool:
    """Neither settled nor private nor outside its time, and of one of the NFT's `holders`, where they are known.

    One that does not wake is gone once its seller no longer held the NFT, of which `moves` are the transfers, after it
    was made. It was certainly made when it began to be valid.
    """
    if ask.get("status", "open") != "open" or _buyer(ask) is not None:
        return False
    if ask.get("validFrom") is not None and ask["validFrom"] > now:
        return False
    if ask.get("validUntil") is not None and ask["validUntil"] <= now:
        return False
    seller = plain_address(ask.get("holder") or ask.get("maker") or "")
    if holders is None or not seller:
        return True
    made = ask.get("validFrom")
    after = [move for move in moves if made and move["timestamp"] > made and ask.get("wakes") is False]
    return seller in holders and all(plain_address(move.get("toAddress") or "") == seller for move in after)


def _buyer(ask: Line) -> str | None:
    """The only one who may buy; the address of nobody is no buyer."""
    taker = plain_address(ask.get("taker") or "")
    return None if taker in ("", ZERO, SYSTEM_PROGRAM) else taker


def on_markets(asks: list[Line], markets: Collection[str] | None) -> list[Line]:
    """The asks that count: those on the marketplaces asked for, or all."""
    return asks if markets is None else [ask for ask in asks if ask["marketplace"] in markets]


def in_bounds(asks: list[Line], wanted: tuple[str, str, str], rates: Rates, now: int) -> bool:
    """Whether the lowest of the asks in the currency lies within the bounds, both inclusive."""
    symbol, minimum, maximum = currency(wanted[0].strip()), wanted[1].strip(), wanted[2].strip()
    if symbol == "USD":
        prices = [value for tier, value in (worth(ask, rates, now) for ask in asks) if tier == 0]
    else:
        prices = [price_at(ask, now) for ask in asks if _counts_as(currency(ask["currency"]), symbol)]
    if not prices:
        return False
    lowest = min(prices)
    return not (minimum and lowest < Decimal(minimum)) and not (maximum and lowest > Decimal(maximum))


def _counts_as(symbol: str, wanted: str) -> bool:
    return symbol == wanted or WRAPPED.get(symbol) == wanted


def orderbook(asks: list[Line], rates: Rates, now: int) -> list[tuple[Any, str]]:
    """(worth, text) of each ask, cheapest first; those worth the same may stand in any order."""
    entries = [
        (
            worth(ask, rates, now),
            f"{ask['marketplace']},{currency(ask['currency'])},{plain_decimal(price_at(ask, now))}",
        )
        for ask in asks
    ]
    return sorted(entries)


def plain_decimal(number: Decimal) -> str:
    """`1.50` is `1.5`, `2.0` is `2`; never an exponent."""
    digits = format(number, "f")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
