"""The chains, currencies and marketplaces that every database knows from the start.

Operators and loaded lines add more; what is here is written by a migration, and again after a flush.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.conf import settings
from django.utils.module_loading import import_string

from core.addresses import ZERO_ADDRESS
from core.chains import WELL_KNOWN

CURRENCIES = (
    *("ETH", "POL", "SOL", "BNB", "AVAX", "APE", "XDAI", "RON"),
    *("USDC", "USDT", "DAI", "BLUR", "SAND", "MANA", "RARE", "PRIME", "USDC.E"),
)
WRAPPED = {
    "WETH": "ETH",
    "BETH": "ETH",  # Blur's pool ether
    "WPOL": "POL",
    "WSOL": "SOL",
    "WBNB": "BNB",
    "WAVAX": "AVAX",
    "WAPE": "APE",
    "WXDAI": "XDAI",
    "WRON": "RON",
}
ALIASES = {"MATIC": "POL", "WMATIC": "WPOL"}

# Contracts of currencies by chain: address, symbol, decimals.
TOKENS: dict[str, tuple[tuple[str, str, int], ...]] = {
    "ethereum": (
        ("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", "WETH", 18),
        ("0x0000000000a39bb272e79075ade125fd351887ac", "BETH", 18),
        ("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "USDC", 6),
        ("0xdac17f958d2ee523a2206206994597c13d831ec7", "USDT", 6),
        ("0x6b175474e89094c44da98b954eedeac495271d0f", "DAI", 18),
        ("0x4d224452801aced8b2f0aebe155379bb5d594381", "APE", 18),
        ("0x5283d291dbcf85356a21ba090e6db59121208b44", "BLUR", 18),
        ("0x3845badade8e6dff049820680d1f14bd3903a5d0", "SAND", 18),
        ("0x0f5d2fb29fb7d3cfee444a200298f468908cc942", "MANA", 18),
        ("0x7d1afa7b718fb893db30a3abc0cfc608aacfebb0", "POL", 18),
    ),
    "polygon": (
        ("0x7ceb23fd6bc0add59e62ac25578270cff1b9f619", "WETH", 18),
        ("0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270", "WPOL", 18),
        ("0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", "USDC", 6),
        ("0x2791bca1f2de4661ed88a30c99a7a9449aa84174", "USDC.E", 6),
        ("0xc2132d05d31c914a87c6611c10748aeb04b58e8f", "USDT", 6),
        ("0x8f3cf7ad23cd3cadbd9735aff958023239c6a063", "DAI", 18),
        ("0xa1c57f48f0deb89f569dfbe6e2b7f46d33606fd4", "MANA", 18),
    ),
    "base": (
        ("0x4200000000000000000000000000000000000006", "WETH", 18),
        ("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", "USDC", 6),
    ),
    "optimism": (("0x4200000000000000000000000000000000000006", "WETH", 18),),
    "zora": (("0x4200000000000000000000000000000000000006", "WETH", 18),),
    "arbitrum": (
        ("0x82af49447d8a07e3bd95bd0d56f35241523fbab1", "WETH", 18),
        ("0xaf88d065e77c8cc2239327c5edb3a432268e5831", "USDC", 6),
    ),
    "blast": (
        ("0x4300000000000000000000000000000000000004", "WETH", 18),
        ("0xb772d5c5f4a2eef67dfbc89aa658d2711341b8e5", "BETH", 18),
    ),
    "avalanche": (("0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7", "WAVAX", 18),),
    "bsc": (("0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c", "WBNB", 18),),
    "apechain": (("0x48b62137edfa95a428d35c09e44256a739f6b557", "WAPE", 18),),
    "solana": (("So11111111111111111111111111111111111111112", "WSOL", 9),),
}
NATIVE_DECIMALS = {"SOL": 9}

CURRENCY_NAMES = {
    "ETH": "Ether",
    "WETH": "Wrapped Ether",
    "BETH": "Blur Pool",
    "USDC": "USD Coin",
    "USDT": "Tether USD",
    "DAI": "Dai Stablecoin",
    "APE": "ApeCoin",
    "BLUR": "Blur",
    "SAND": "SAND",
    "MANA": "Decentraland MANA",
}
"""What the contracts of currencies call them, where that is not their symbol."""


def market_names() -> Mapping[str, str]:
    """Return the display names of markets by slug, as the setting ``MARKET_NAMES`` names them."""
    return cast(Mapping[str, str], import_string(settings.MARKET_NAMES))


def write_known(chain: Any, currency: Any, currency_token: Any, market: Any) -> None:
    """Write what is missing of the well-known rows; the arguments are the four models, current or historical.

    Safe to repeat; rows that exist are left as they are.
    """
    _write_missing(
        chain,
        "slug",
        {
            info.slug: {
                "kind": info.kind,
                "chain_id": info.chain_id,
                "native_currency": info.native_currency,
            }
            for info in WELL_KNOWN
        },
    )
    _write_missing(currency, "symbol", {symbol: {} for symbol in CURRENCIES})
    known = currency.objects.in_bulk(CURRENCIES, field_name="symbol")
    _write_missing(
        currency, "symbol", {symbol: {"wraps": known[native]} for symbol, native in WRAPPED.items()}
    )
    known |= currency.objects.in_bulk(WRAPPED, field_name="symbol")
    _write_missing(
        currency, "symbol", {symbol: {"alias_of": known[canonical]} for symbol, canonical in ALIASES.items()}
    )
    _write_tokens(chain, currency, currency_token)
    _write_missing(market, "slug", {slug: {"name": name} for slug, name in market_names().items()})


def _write_missing(model: Any, key: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
    """Write those of some rows that are not there, by the value of a unique field."""
    known = model.objects.in_bulk(rows, field_name=key)
    model.objects.bulk_create(
        model(**{key: value}, **more) for value, more in rows.items() if value not in known
    )


def _write_tokens(chain: Any, currency: Any, currency_token: Any) -> None:
    """Write what is missing of what currencies are on each chain."""
    currencies = currency.objects.in_bulk(field_name="symbol")
    there = set(currency_token.objects.values_list("chain", "address"))
    missing = []
    for row in chain.objects.all():
        nowhere = ZERO_ADDRESS if row.kind == "evm" else "1" * 32
        native = (nowhere, row.native_currency, NATIVE_DECIMALS.get(row.native_currency, 18))
        for address, symbol, decimals in (native, *TOKENS.get(row.slug, ())):
            if symbol in currencies and (row.pk, address) not in there:
                missing.append(
                    currency_token(chain=row, address=address, currency=currencies[symbol], decimals=decimals)
                )
    currency_token.objects.bulk_create(missing)
