"""The lines of what operators decide beside the facts: chains, currencies, marketplaces, and what is not served.

Of the tables that every database begins with, only what differs from that is written, and what is missing of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, cast

from core.chains import MINT, WELL_KNOWN, ChainKind, nobody
from core.db.keys import token_id_from_key
from interchange.out import NULL, line, pages
from media.models import CachedImage, WithheldContent
from tokens.models import Chain, Contract, Currency, CurrencyToken, Market, Nft
from tokens.models.well_known import ALIASES, CURRENCIES, NATIVE_DECIMALS, TOKENS, WRAPPED, market_names
from transfers.models import MarketContract


def dictionaries() -> Iterator[Iterator[str]]:
    """Yield the tables that other lines rest on, each as its lines."""
    yield _chains()
    yield _currencies()
    yield _currency_tokens()
    yield _markets()
    yield _market_contracts()


def takedowns() -> Iterator[Iterator[str]]:
    """Yield what is kept from being served, each kind as its lines."""
    yield _withheld_contracts()
    yield _withheld_nfts()
    yield _withheld_contents()
    yield _withheld_urls()


def _chains() -> Iterator[str]:
    built_in = {one.slug: (one.kind, one.chain_id, one.native_currency) for one in WELL_KNOWN}
    rows = Chain.objects.order_by("slug").values_list("slug", "kind", "chain_id", "native_currency")
    for slug, kind, chain_id, currency in rows:
        known = built_in.get(slug)
        if (kind, chain_id, currency) != known:
            yield line(
                "chain",
                ("chain", slug),
                ("kind", kind),
                ("chainId", _or_null(chain_id, known and known[1])),
                ("nativeCurrency", currency or None),
            )


def _currencies() -> Iterator[str]:
    built_in: dict[str, tuple[str | None, str | None]] = dict.fromkeys(CURRENCIES, (None, None))
    built_in |= {symbol: (other, None) for symbol, other in ALIASES.items()}
    built_in |= {symbol: (None, native) for symbol, native in WRAPPED.items()}
    # What others name is what it shall be before they name it: a name that stands for another is resolved by then.
    kinds = (
        {"alias_of": None, "wraps": None},
        {"alias_of": None, "wraps__isnull": False},
        {"alias_of__isnull": False},
    )
    columns = ("symbol", "alias_of__symbol", "wraps__symbol")
    for symbol, alias_of, wraps in chain.from_iterable(pages(Currency, columns, **kind) for kind in kinds):
        known = built_in.get(symbol)
        if (alias_of, wraps) != known:
            yield line(
                "currency",
                ("currency", symbol),
                ("aliasOf", _or_null(alias_of, known and known[0])),
                ("wraps", _or_null(wraps, known and known[1])),
            )


def _currency_tokens() -> Iterator[str]:
    stands_for = {
        symbol: alias_of or symbol
        for symbol, alias_of in Currency.objects.values_list("symbol", "alias_of__symbol")
    }
    columns = ("chain__slug", "address", "currency__symbol", "decimals")
    stored = {row[:2]: row[2:] for row in CurrencyToken.objects.values_list(*columns)}
    known = {}
    for slug, kind, native in Chain.objects.values_list("slug", "kind", "native_currency"):
        if native:
            known[slug, nobody(cast(ChainKind, kind))] = (
                stands_for.get(native, native),
                NATIVE_DECIMALS.get(native, 18),
            )
        for address, symbol, decimals in TOKENS.get(slug, ()):
            known[slug, address] = (stands_for.get(symbol, symbol), decimals)
    for slug, address in sorted(stored.keys() | known.keys()):
        currency, decimals = stored.get((slug, address), (NULL, None))
        if (currency, decimals) != known.get((slug, address)):
            yield line(
                "currencyToken",
                ("chain", slug),
                ("contractAddress", address),
                ("currency", currency),
                ("decimals", decimals),
            )


def _markets() -> Iterator[str]:
    known = market_names()
    for slug, name in pages(Market, ("slug", "name")):
        if name != known.get(slug):
            yield line("market", ("marketplace", slug), ("name", _or_null(name or None, known.get(slug))))


def _market_contracts() -> Iterator[str]:
    columns = ("chain__slug", "address", "market__slug", "protocol")
    for slug, address, market, protocol in MarketContract.objects.order_by(
        "chain__slug", "address"
    ).values_list(*columns):
        yield line(
            "marketContract",
            ("chain", slug),
            ("contractAddress", address),
            ("marketplace", market),
            ("protocol", protocol or None),
        )


def _withheld_contracts() -> Iterator[str]:
    columns = ("id", "chain__slug", "address", "withheld_reason")
    for _, slug, address, reason in pages(Contract, columns, media_withheld=True):
        yield line("takedown", ("chain", slug), ("contractAddress", address), ("reason", reason or ""))


def _withheld_nfts() -> Iterator[str]:
    columns = ("id", "chain__slug", "chain__kind", "contract__address", "token_key", "withheld_reason")
    for _, slug, kind, address, token_key, reason in pages(Nft, columns, media_withheld=True):
        yield line(
            "takedown",
            ("chain", slug),
            ("contractAddress", None if kind == MINT else address),
            ("tokenId", token_id_from_key(token_key)),
            ("reason", reason or ""),
        )


def _withheld_contents() -> Iterator[str]:
    for sha256, reason in pages(WithheldContent, ("hash", "reason")):
        yield line("takedown", ("contentHash", sha256), ("reason", reason))


def _withheld_urls() -> Iterator[str]:
    for _, url, reason in pages(CachedImage, ("key", "url", "withheld_reason"), own_withheld=True):
        yield line("takedown", ("url", url), ("reason", reason or ""))


def _or_null(value: Any, known: Any) -> Any:
    """Return a value as a member of a line: ``null`` for none where every database begins with one."""
    return NULL if value is None and known is not None else value
