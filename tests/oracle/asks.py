"""Live asks of an NFT, and what they are worth."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Context, Decimal
from typing import Any

from tests.oracle.text import plain_address
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


def worth(ask: Line, rates: Rates, now: int) -> Worth:
    """What asks are compared by: their value, or behind all that have one the plain price."""
    rate = ask_rate(rates, currency(ask["currency"]), now)
    price = Decimal(ask["price"])
    return (1, price) if rate is None else (0, EXACT.multiply(price, rate))


def is_live(ask: Line, now: int, holders: Collection[str] | None) -> bool:
    """Neither settled nor private nor outside its time, and of one of the NFT's `holders`, where they are known."""
    if ask.get("status", "open") != "open":
        return False
    if ask.get("validFrom") is not None and ask["validFrom"] > now:
        return False
    if ask.get("validUntil") is not None and ask["validUntil"] <= now:
        return False
    seller = ask.get("holder") or ask.get("maker")
    can_deliver = holders is None or seller is None or plain_address(seller) in holders
    return can_deliver and not ask.get("taker")


def on_markets(asks: list[Line], markets: Collection[str] | None) -> list[Line]:
    """The asks that count: those on the marketplaces asked for, or all."""
    return asks if markets is None else [ask for ask in asks if ask["marketplace"] in markets]


def in_bounds(asks: list[Line], wanted: tuple[str, str, str], rates: Rates, now: int) -> bool:
    """Whether the lowest of the asks in the currency lies within the bounds, both inclusive."""
    symbol, minimum, maximum = currency(wanted[0].strip()), wanted[1].strip(), wanted[2].strip()
    if symbol == "USD":
        prices = [value for tier, value in (worth(ask, rates, now) for ask in asks) if tier == 0]
    else:
        prices = [Decimal(ask["price"]) for ask in asks if _counts_as(currency(ask["currency"]), symbol)]
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
            f"{ask['marketplace']},{currency(ask['currency'])},{plain_decimal(ask['price'])}",
        )
        for ask in asks
    ]
    return sorted(entries)


def plain_decimal(text: str) -> str:
    """`1.50` is `1.5`, `2.0` is `2`; never an exponent."""
    digits = format(Decimal(text), "f")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
