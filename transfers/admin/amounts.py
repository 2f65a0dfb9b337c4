"""Amounts of money as operators read them: exact, in whole units, with the currency."""

from __future__ import annotations

from collections.abc import Iterable

from core.backoffice import html
from tokens.models import CurrencyToken
from tokens.prices.pricing import MOST_DECIMALS
from transfers.models import PaidToken

MOST_SYMBOL = 20
"""Characters shown of what a stranger's token calls itself."""


class Amounts:
    """Writes amounts in some currencies of a chain, which are looked up once: two queries."""

    def __init__(self, chain_id: int, addresses: Iterable[str]) -> None:
        wanted = sorted(set(addresses))
        known = CurrencyToken.objects.filter(chain_id=chain_id, address__in=wanted)
        self._known = {
            address: (symbol, decimals)
            for address, symbol, decimals in known.values_list("address", "currency__symbol", "decimals")
        }
        others = PaidToken.objects.filter(chain_id=chain_id, address__in=set(wanted) - set(self._known))
        self._told = {
            address: (symbol or name or "", decimals)
            for address, symbol, name, decimals in others.values_list("address", "symbol", "name", "decimals")
        }

    def written(self, currency: str, amount: int) -> str:
        """Return an amount in base units as text: ``1.5 ETH``.

        What is no known currency keeps its contract beside the name, since anyone may name a token WETH.
        """
        if currency in self._known:
            symbol, decimals = self._known[currency]
            return f"{_whole(amount, decimals)} {symbol}"
        symbol, told = self._told.get(currency, ("", None))
        if told is None or told > MOST_DECIMALS:
            return f"{amount:,} base units of {currency}"
        named = html.shortened(symbol, MOST_SYMBOL) or "units"
        return f"{_whole(amount, told)} {named} ({html.short(currency)})"


def _whole(amount: int, decimals: int) -> str:
    """Return base units in whole units, all places that are not zero."""
    whole, rest = divmod(amount, 10**decimals)
    places = f"{rest:0{decimals}d}".rstrip("0") if rest else ""
    return f"{whole:,}{'.' if places else ''}{places}"
