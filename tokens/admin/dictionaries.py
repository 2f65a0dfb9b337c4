"""Operators' pages of the dictionaries that they may add to: chains, currencies, their contracts, marketplaces."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest

from core import spellings
from core.addresses import is_base58, is_evm_address
from core.backoffice import columns
from core.backoffice.changelist import Walk
from core.backoffice.tables import EditableTableAdmin
from core.chains import EVM
from core.db.writing import writing
from tokens.models import Ask, Chain, Contract, Currency, CurrencyToken, Market, Nft, Rate
from tokens.prices.pricing import MOST_DECIMALS
from tokens.store import chains as chain_store
from tokens.store import currencies
from tokens.store.facts import ChainFacts, CurrencyFacts

_SLUG = re.compile(r"[a-z0-9][a-z0-9._-]*", re.ASCII)


def slug_of(text: str) -> str:
    """Return a slug in lower case; raises ``ValidationError`` for what is none."""
    slug = text.strip().lower()
    if not _SLUG.fullmatch(slug):
        raise ValidationError("Letters, digits, dots, hyphens and underscores only, a letter or digit first.")
    return slug


def symbol_of(text: str) -> str:
    """Return a currency's symbol in upper case; raises ``ValidationError`` for what is none."""
    symbol = text.strip().upper()
    if not spellings.SYMBOL.fullmatch(symbol):
        raise ValidationError("No white space, no comma and no quote.")
    return symbol


class MarketForm(forms.ModelForm):  # type: ignore[type-arg]
    """A marketplace, whose slug is in lower case."""

    def clean_slug(self) -> str:
        return slug_of(self.cleaned_data["slug"])


class CurrencyForm(forms.ModelForm):  # type: ignore[type-arg]
    """A currency, whose symbol is in upper case, and what it stands for or wraps."""

    def clean_symbol(self) -> str:
        return symbol_of(self.cleaned_data["symbol"])

    def clean_alias_of(self) -> Currency | None:
        """An alias stands for a currency directly."""
        return self._other("alias_of", "alias_of_id", "That currency is itself an alias.")

    def clean_wraps(self) -> Currency | None:
        """What is wrapped wraps nothing."""
        return self._other("wraps", "wraps_id", "That currency itself wraps another.")

    def clean(self) -> dict[str, Any]:
        """Check the relations together, by the rule of loading."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        symbol = data.get("symbol") or self.instance.symbol
        named = (str(one) if one else None for one in (data.get("alias_of"), data.get("wraps")))
        fault = currencies.fault(symbol, *named)
        if fault:
            raise ValidationError(fault)
        return data

    def _other(self, name: str, forbidden: str, fault: str) -> Currency | None:
        other: Currency | None = self.cleaned_data[name]
        if other is None:
            return None
        if other.pk == self.instance.pk:
            raise ValidationError("A currency cannot name itself.")
        if getattr(other, forbidden) is not None:
            raise ValidationError(fault)
        if self.instance.pk and Currency.objects.filter(**{name: self.instance}).exists():
            raise ValidationError("Other currencies name this one in the same way.")
        return other


class CurrencyTokenForm(forms.ModelForm):  # type: ignore[type-arg]
    """A currency's contract on a chain."""

    def clean_decimals(self) -> int:
        decimals: int = self.cleaned_data["decimals"]
        if decimals > MOST_DECIMALS:
            raise ValidationError(f"At most {MOST_DECIMALS}.")
        return decimals

    def clean(self) -> dict[str, Any]:
        """Check the address by the rules of the chain."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        chain, address = data.get("chain"), data.get("address")
        if chain is None or not address:
            return data
        if chain.kind == EVM:
            if not is_evm_address(address):
                raise ValidationError({"address": "On this chain: 0x and 40 hexadecimal digits."})
            data["address"] = address.lower()
        elif not (is_base58(address) and 32 <= len(address) <= 44):
            raise ValidationError({"address": "On this chain: 32 to 44 base58 characters."})
        return data


class ChainForm(forms.ModelForm):  # type: ignore[type-arg]
    """A chain; its native currency is registered with it."""

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"].strip().lower()
        if not spellings.CHAIN.fullmatch(slug):
            raise ValidationError("Letters, digits, dots, hyphens and underscores only, a letter first.")
        return slug

    def clean_native_currency(self) -> str:
        return symbol_of(self.cleaned_data["native_currency"])

    def clean(self) -> dict[str, Any]:
        """Check the chain beside those that exist, by the rule of loading."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            facts, known = self.facts(), chain_store.known()
            numbers = {row.chain_id: row.slug for row in known.values() if row.chain_id is not None}
            fault = chain_store.fault(facts, known.get(facts.slug))
            fault = fault or chain_store.taken(facts.slug, data.get("chain_id"), numbers)
            if fault:
                raise ValidationError(fault)
        return data

    def facts(self) -> ChainFacts:
        """The chain as the writer takes it."""
        data = self.cleaned_data
        return ChainFacts(
            slug=data.get("slug") or self.instance.slug,
            kind=data.get("kind") or self.instance.kind,
            chain_id=data.get("chain_id"),
            native_currency=data["native_currency"],
        )


@admin.register(Market)
class MarketAdmin(EditableTableAdmin):
    """Marketplaces, as asks and transfers name them. Come here to add one, or to change what people know it by.

    A slug stays as it is, since transfers hold it as text.
    """

    form = MarketForm
    list_display = ("slug", "name")
    fields = list_display
    fixed = ("slug",)
    everything = Walk(("slug",))
    searchable = "a slug"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return rows.filter(slug=text.lower()).order_by("slug")


@admin.register(Currency)
class CurrencyAdmin(EditableTableAdmin):
    """Currencies, what they stand for and what they wrap. Come here when prices in one are not valued.

    One that becomes an alias gives its asks, rates and contracts to the other for good.
    """

    form = CurrencyForm
    worth = columns.plain("keyed_usd", "worth in USD")
    elsewhere = columns.lists("currency", "pk", (CurrencyToken, "contracts"), (Rate, "rates"), (Ask, "asks"))
    list_display = ("symbol", "alias_of", "wraps", "worth", "elsewhere")
    list_select_related = ("alias_of", "wraps")
    fields = ("symbol", "alias_of", "wraps", "keyed_usd", "elsewhere")
    readonly_fields = ("keyed_usd", "elsewhere")
    raw_id_fields = ("alias_of", "wraps")
    fixed = ("symbol",)
    everything = Walk(("symbol",))
    searchable = "a symbol"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return rows.filter(symbol=text.upper()).order_by("symbol")

    def save_model(self, request: HttpRequest, obj: Currency, form: Any, change: bool) -> None:
        """Save, and key the asks anew at what the currency is worth now."""
        alias_of, wraps = (str(one) if one else None for one in (obj.alias_of, obj.wraps))
        currencies.write([CurrencyFacts(obj.symbol, alias_of, wraps)])
        obj.pk = Currency.objects.values_list("pk", flat=True).get(symbol=obj.symbol)


@admin.register(CurrencyToken)
class CurrencyTokenAdmin(EditableTableAdmin):
    """Where a currency is on each chain, with its decimals. Come here when what was paid in a token is not valued.

    Values of the transfers that were paid in it follow.
    """

    form = CurrencyTokenForm
    list_display = ("address", "chain", "currency", "decimals")
    list_select_related = ("chain", "currency")
    fields = ("chain", "address", "currency", "decimals")
    raw_id_fields = ("chain", "currency")
    everything = Walk(("chain_id", "address"))
    links = {"currency": Walk(("currency_id",), "of currency {}"), "chain": Walk(("address",), "on chain {}")}
    searchable = "an address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by address, in a table of hundreds of rows."""
        if is_evm_address(text):
            return rows.filter(address=text.lower()).order_by("chain_id")
        return rows.filter(address=text).order_by("chain_id") if is_base58(text) else None

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing hangs on a row: one that was entered wrongly may go."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)

    def save_model(self, request: HttpRequest, obj: CurrencyToken, form: Any, change: bool) -> None:
        """Save, for what a currency stands for where it is an alias; values follow."""
        obj.currency = obj.currency.alias_of or obj.currency
        with currencies.following():
            super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: CurrencyToken) -> None:
        """Delete; values follow."""
        with writing(), currencies.following():
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Delete; values follow."""
        with writing(), currencies.following():
            super().delete_queryset(request, queryset)


@admin.register(Chain)
class ChainAdmin(EditableTableAdmin):
    """Chains. Come here before NFTs of a new one are loaded or indexed.

    Slug and kind stay as they are, since all identities rest on them.
    """

    form = ChainForm
    elsewhere = columns.lists(
        "chain", "pk", (Contract, "contracts"), (Nft, "NFTs"), (CurrencyToken, "currencies")
    )
    list_display = ("slug", "kind", "chain_id", "native_currency", "elsewhere")
    fields = list_display
    readonly_fields = ("elsewhere",)
    fixed = ("slug", "kind")
    everything = Walk(("slug",))
    searchable = "a slug"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return rows.filter(slug=text.lower()).order_by("slug")

    def save_model(self, request: HttpRequest, obj: Chain, form: Any, change: bool) -> None:
        """Write the chain as loading does: with its native currency and that currency's address."""
        chain_store.write([form.facts()])
        obj.pk = Chain.objects.values_list("pk", flat=True).get(slug=obj.slug)
