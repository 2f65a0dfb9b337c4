"""Chainlink's feeds of prices in USD, by chain: the proxies, whose addresses stay when what is behind them changes.

From the published list, https://docs.chain.link/data-feeds/price-feeds/addresses. Each feed tells by its
``description`` what it is of, which is held against this table before anything is read from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Feed(NamedTuple):
    """A feed: symbol of the currency in upper case, address of the proxy in lower case."""

    currency: str
    address: str


FEEDS: Mapping[str, tuple[Feed, ...]] = {
    "ethereum": (
        Feed("ETH", "0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419"),
        Feed("USDC", "0x8fffffd4afb6115b954bd326cbe7b4ba576818f6"),
        Feed("USDT", "0x3e7d1eab13ad0104d2750b8863b489d65364e32d"),
        Feed("DAI", "0xaed0c38402a5d19df6e4c03f4e2dced6e29c1ee9"),
        Feed("APE", "0xd10abbc76679a20055e167bb80a24ac851b37056"),
        Feed("POL", "0x7bac85a8a13a4bcd8abb3eb7d6b4d632c5a57676"),
        Feed("BNB", "0x14e613ac84a31f709eadbdf89c6cc390fdc9540a"),
        Feed("AVAX", "0xff3eeb22b5e3de6e705b44749c2559d704923fd7"),
        Feed("SOL", "0x4ffc43a60e009b551865a93d232e33fce9f01507"),
    ),
    "polygon": (
        Feed("POL", "0xab594600376ec9fd91f8e885dadf0ce036862de0"),
        Feed("ETH", "0xf9680d99d6c9589e2a93a78a04a279e509205945"),
    ),
    "base": (Feed("ETH", "0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70"),),
    "arbitrum": (Feed("ETH", "0x639fe6ab55c921f74e7fac1ee960c0b6293ba612"),),
    "optimism": (Feed("ETH", "0x13e3ee699d1909e989722e753853ae30b17e08c5"),),
    "bsc": (Feed("BNB", "0x0567f2323251f0aab15c8dfb1967e4e8a7d42aee"),),
    "avalanche": (Feed("AVAX", "0x0a77230d17318075983913bc2145db16c7366156"),),
}
"""Well-known feeds by slug of the chain; the chain with most of them first."""

OLD_NAMES = {"POL": "MATIC"}
"""What feeds may call a currency that has been renamed since."""


def chosen(chains: Iterable[str], currencies: Iterable[str]) -> list[tuple[str, Feed]]:
    """Return a feed a currency with its chain, the first that has one; of some currencies only where any are named."""
    wanted = set(currencies)
    found: dict[str, tuple[str, Feed]] = {}
    configured = set(chains)
    for chain, feeds in FEEDS.items():
        for feed in feeds if chain in configured else ():
            if not wanted or feed.currency in wanted:
                found.setdefault(feed.currency, (chain, feed))
    return list(found.values())
