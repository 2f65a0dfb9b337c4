"""Money in the sample: days, rates, and the tokens that prices are paid in."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from core.addresses import SYSTEM_PROGRAM, ZERO_ADDRESS

Line = dict[str, Any]

DAY = 86_400
START = 1_704_067_200
"""Unix time at which the sample's history begins: 2024-01-01. No clock is read, so that it is the same every day."""
DAYS = 366
END = START + DAYS * DAY


class Money(NamedTuple):
    """A currency on a chain: its symbol, its token's address and name, its decimals, and one native unit in it."""

    symbol: str
    token: str
    name: str
    decimals: int
    per_native: float

    def units(self, price: float) -> int:
        """Return a price in native units as an amount in base units, of at most four digits that are not zero."""
        return int(float(f"{price * self.per_native:.4g}") * 10**4) * int(10 ** (self.decimals - 4))


_ETHER = Money("ETH", ZERO_ADDRESS, "Ether", 18, 1)
MONEY: dict[str, tuple[Money, ...]] = {
    "ethereum": (
        _ETHER,
        Money("WETH", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", "Wrapped Ether", 18, 1),
        Money("USDC", "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "USD Coin", 6, 2_600),
    ),
    "base": (
        _ETHER,
        Money("WETH", "0x4200000000000000000000000000000000000006", "Wrapped Ether", 18, 1),
        Money("USDC", "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", "USD Coin", 6, 2_600),
    ),
    "solana": (Money("SOL", SYSTEM_PROGRAM, "Sol", 9, 1),),
}
"""What is paid in on each chain; the first is its native currency."""


def rates() -> Iterator[Line]:
    """Yield a rate a day for each currency: made up, in the range of those years."""
    for symbol, start, swing in (("ETH", 2_400.0, 0.025), ("SOL", 100.0, 0.04), ("USDC", 1.0, 0.0)):
        random = Random(f"rates of {symbol}")  # noqa: S311 - a sample's data, not a secret
        usd = start
        for day in range(DAYS):
            line: Line = {
                "record": "rate",
                "currency": symbol,
                "timestamp": START + day * DAY,
                "usd": f"{usd:.2f}",
            }
            yield line
            # Drawn back to where it began, so that a year of chance does not run away.
            usd *= 1 + random.uniform(-swing, swing) + (start - usd) / start * 0.02
