"""Form fields of the parameters that know the domain: chains, orders, token ids, traits, prices, marketplaces.

That a chain is known, a mint decodes to 32 bytes, a name has a normal form or a minimum is not above its maximum, no
pattern of a schema can say; the prose tells.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from decimal import Decimal

from django.core.exceptions import ValidationError

from core.addresses import is_mint
from core.chains import EVM, MINT, ChainKind
from core.db.keys import UINT256_MAX, token_key
from core.rest.fields import ListField, OptionField, ScalarField, fault, list_schema, text_schema
from core.rest.parameters import quoted
from core.rest.widgets import PartsInput
from tokens.query.address_fields import NamingField
from tokens.query.ordering import ORDERS, TOKEN_ID
from tokens.query.selection import PriceBounds

MAX_ENTRIES = 30
MAX_BOUND_LENGTH = 100

_INTEGER = "[0-9]+|0[xX][0-9a-fA-F]+"
_MINT = "[1-9A-HJ-NP-Za-km-z]{32,44}"
_BOUND = r"[0-9]+(\.[0-9]+)?"
# As in CSV: an entry that begins with a quote runs to the closing one; any other ends at a comma.
_PLAIN, _QUOTED = r"[^\u0000,]", r"([^\u0000\u0022]|\u0022\u0022)"
_TRAIT = rf'([^\u0000,\u0022]{_PLAIN}*)?-{_PLAIN}*|"{_QUOTED}*-{_QUOTED}*"'
_WORD = rf'([^\u0000,\u0022]{_PLAIN}*)?|"{_QUOTED}*"'


class ChainField(OptionField, NamingField):
    """A chain by slug, numeric chain id or CAIP-2 name; the value is the slug."""

    max_length = 1000
    title, brief = "Chain", "Only what lives on it."
    schema = text_schema(r"[^\u0000]+", max_length)
    prose = (
        "Only this chain: its identifier (ethereum, polygon, solana, …), or of an EVM chain its numeric id or CAIP-2 "
        "name (1, eip155:1), in any letter case. One that is not known is an error, which lists those that are."
    )
    example = "ethereum"

    def options(self) -> list[str]:
        return [known.slug for known in self.names.chains]

    def read(self, text: str) -> str:
        chain = self.names.chain(text)
        if chain is None:
            known = ", ".join(self.options())
            message = f"{quoted(text)} is no known chain. Known: {known}; an EVM chain also by its id (1, eip155:1)."
            raise fault(message, "invalid_choice")
        return chain.slug


class SortField(OptionField):
    """The name of an order, in any letter case; the value is its canonical name."""

    max_length = 10_000
    spellings = {name: name for name in ORDERS if name} | {f"{TOKEN_ID.name}-asc": TOKEN_ID.name}
    title, brief = "Order", "Most recent transfer first when not set."
    schema = {"type": "string", "enum": list(spellings)}
    prose = (
        "Not given: most recent transaction first. lowestAsk, highestAsk: by the lowest or highest live ask in USD, "
        "ascending, what has none behind, and at most 10,000 items. tokenId (or tokenId-asc), tokenId-desc: by the "
        "number, mints behind all numbers. rarity: by the score, descending, which may differ from rank."
    )
    example = TOKEN_ID.name

    def options(self) -> list[str]:
        return list(dict.fromkeys(self.spellings.values()))

    def read(self, text: str) -> str:
        for spelling, name in self.spellings.items():
            if spelling.lower() == text.lower():
                return name
        raise fault(f"{quoted(text)} is not one of: {', '.join(self.spellings)}.", "invalid_choice")


def token_key_of(text: str, kind: ChainKind | None) -> str:
    """Return the sort key of a token id as chains of a kind have them (``None``: either), or raise its fault."""
    if kind != MINT and re.fullmatch(_INTEGER, text):
        number = int(text, 16 if text[:2].lower() == "0x" else 10)
        if number > UINT256_MAX:
            raise fault(f"The token id {quoted(text)} is not below 2^256.")
        return token_key(str(number))
    if kind != EVM and is_mint(text):
        return token_key(text)
    allowed = {
        EVM: "a decimal or 0x hexadecimal integer below 2^256",
        MINT: "a base58 mint of 32 bytes",
        None: "a decimal or 0x hexadecimal integer below 2^256, or a base58 mint of 32 bytes",
    }[kind]
    raise fault(f"{quoted(text)} is no token id here, which is {allowed}.")


class TokenIdField(ScalarField, NamingField):
    """One token id, as the chain of the query has them; the value is its sort key."""

    max_length = 200
    title, brief = "Token id", "A number, or a mint."
    schema = text_schema(f"{_INTEGER}|{_MINT}", max_length)
    prose = "One token id: a decimal or 0x hexadecimal integer below 2^256, or a base58 mint."
    example = "635"

    def read(self, text: str) -> str:
        return token_key_of(text, self.names.kind)


class TokenIdsField(ListField, NamingField):
    """A list of token ids; the value is the set of their sort keys."""

    max_entries = MAX_ENTRIES
    max_entry_length = TokenIdField.max_length
    title, brief = "Token ids", "Numbers or mints, with commas."
    schema = list_schema(TokenIdField.schema, max_entries)
    prose = (
        "Token ids, comma separated, at most 30 different ones: decimal or 0x hexadecimal integers below 2^256, or "
        "base58 mints. Given but empty: no item."
    )
    example = "1,0x2a"

    def read_entry(self, text: str) -> str:
        return token_key_of(text, self.names.kind)


class TraitsField(ListField):
    """A list of traits, taken as written: case and inner white space matter."""

    max_entries = MAX_ENTRIES
    max_entry_length = 1000
    title, brief = "Traits", "Type-Value, with commas."
    schema = list_schema(text_schema(_TRAIT, max_entry_length), max_entries)
    prose = (
        "Traits to have, each as type, dash, value, case sensitive (-Gold when it has no type); comma separated, at "
        "most 30. Several of one type: any of them; across types: all. An entry that holds a comma is written in "
        "double quotes. Given but empty: no item."
    )
    example = "Type-Alien"

    def read_entry(self, text: str) -> str:
        if "-" not in text:
            raise fault(
                f"{quoted(text)} is no trait, which is type, dash, value (Fur-Brown); the type may be empty."
            )
        return text


class MarketsField(ListField):
    """A list of marketplaces in any letter case; unknown ones match nothing."""

    title, brief = "Marketplaces", "Sold or listed there; with commas."
    schema = list_schema(text_schema(_WORD, ListField.max_entry_length))
    prose = (
        "Marketplaces, comma separated, in any letter case: keeps what was transferred on one of them or has a live "
        "ask there; with priceFilter or an order by asks, only asks there count. Given but empty: no item."
    )
    example = "opensea,blur"

    def read_entry(self, text: str) -> str:
        return text.lower()


class PriceField(ScalarField, NamingField):
    """``currency,min,max``: bounds of the lowest live ask. Blank is a fault, since the commas are missing."""

    max_length = 3 * MAX_BOUND_LENGTH
    title, brief = "Price", "Of the lowest live ask, both included."
    widget = PartsInput
    schema = text_schema(rf"[^\u0000,]+,({_BOUND})?,({_BOUND})?", max_length)
    prose = (
        "Bounds of the lowest live ask: currency, minimum, maximum, with exactly two commas; either bound may be "
        "blank, both are inclusive, plain decimals in whole units of the currency. A wrapped native token counts as "
        "the native one (eth also finds asks in WETH). usd compares the value in US dollars."
    )
    example = "eth,0.5,2"

    def counted(self, occurrences: list[str]) -> list[str]:
        """Return all occurrences, blank ones too."""
        return occurrences

    def read(self, text: str) -> Hashable:
        parts = [part.strip() for part in text.split(",")]
        if len(parts) != 3:
            raise fault(
                f"Exactly two commas are needed, as in eth,0.5,2 or eth,,2 or eth,0.5, — not {quoted(text)}."
            )
        faults = []
        currency = self.names.currency(parts[0]) if parts[0] else None
        if not parts[0]:
            faults.append(fault("The currency before the first comma is missing."))
        elif currency is None:
            message = f"{quoted(parts[0])} is no known currency; known are for example eth, weth, usdc, sol, and usd."
            faults.append(fault(message, "invalid_choice"))
        bounds: list[Decimal | None] = []
        for which, part in zip(("minimum", "maximum"), parts[1:], strict=True):
            if not part:
                bounds.append(None)
            elif len(part) > MAX_BOUND_LENGTH:
                faults.append(
                    fault(f"The {which} has more than {MAX_BOUND_LENGTH} characters.", "max_length")
                )
            elif not re.fullmatch(_BOUND, part):
                faults.append(fault(f"The {which} is a plain decimal like 0.5, not {quoted(part)}."))
            else:
                bounds.append(Decimal(part))
        if len(bounds) == 2 and bounds[0] is not None and bounds[1] is not None and bounds[0] > bounds[1]:
            faults.append(fault(f"The minimum {quoted(parts[1])} is above the maximum {quoted(parts[2])}."))
        if faults or currency is None:
            raise ValidationError(faults)
        return PriceBounds(currency, bounds[0], bounds[1])
