"""Form fields of the parameters that Alchemy's NFT API takes, on the base of the service's own."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import Any

from core.addresses import is_evm_address, normalise_evm_address
from core.chains import EVM
from core.db.keys import MAX_BLOCK
from core.rest.fields import CursorField, FlagField, ListField, ScalarField, fault, list_schema, text_schema
from core.rest.parameters import quoted
from tokens.query.address_fields import AddressField as NameableField
from tokens.query.fields import token_key_of

ADDRESS = "0[xX][0-9a-fA-F]{40}"
INTEGER = "[0-9]+|0[xX][0-9a-fA-F]+"
MAX_CONTRACTS = 45
"""Contracts that one query may name, as theirs."""


class AddressField(ScalarField):
    """An EVM address in any letter case; the value is in lower case."""

    max_length = 42
    schema = text_schema(ADDRESS, max_length)
    prose = "An address: 0x and 40 hexadecimal digits, in any letter case."
    example = "0xb47e3cd837dDF8e4c57F05d70Ab865de6e193BBB"

    def read(self, text: str) -> str:
        if not is_evm_address(text):
            raise fault(f"{quoted(text)} is no address: 0x and 40 hexadecimal digits.")
        return normalise_evm_address(text)


class OwnerField(NameableField):
    """An owner by address or ENS name; the value is the address, empty for a name that resolves to nothing."""

    max_length = 255
    schema = text_schema(rf"{ADDRESS}|[^,\u0000]*\.[^,\u0000]*", max_length)
    kinds = "address: 0x and 40 hexadecimal digits"
    prose = "The owner: an address in any letter case, or an ENS name (name.eth)."
    example = "0x3c2e8b4f8505107555272713256fdaad019a255d"

    def read(self, text: str) -> str:
        kind, address = self.read_address(text)
        if kind != EVM:
            raise fault(f"{quoted(text)} is no {self.kinds}, or an ENS name.")
        return address or ""


class AddressesField(ListField):
    """A list of EVM addresses; given but empty it counts as not given, as theirs does."""

    max_entries = MAX_CONTRACTS
    schema = list_schema(AddressField.schema, max_entries)
    prose = (
        f"Only NFTs of these contracts: at most {MAX_CONTRACTS} addresses, the parameter repeated for each."
    )
    example = AddressField.example

    def read_all(self, occurrences: list[str]) -> Any:
        """Return the distinct addresses, or ``None`` where there is none."""
        return super().read_all(occurrences) or None

    def read_entry(self, text: str) -> str:
        return AddressField().read(text)


class TokenIdField(ScalarField):
    """A token id, decimal or hexadecimal; the value is its sort key (:func:`core.db.keys.token_key`)."""

    max_length = 200
    schema = text_schema(INTEGER, max_length)
    prose = "A token id: a decimal or 0x hexadecimal integer below 2^256."
    example = "44"

    def read(self, text: str) -> str:
        return token_key_of(text, EVM)


class BlockField(ScalarField):
    """A block: a decimal or hexadecimal number, or `latest`, which is the last that there can be."""

    max_length = 100
    schema = text_schema(f"{INTEGER}|latest", max_length)
    prose = "A block: a decimal or 0x hexadecimal number, or latest."
    example = "0"

    def read(self, text: str) -> int:
        if text == "latest":
            return MAX_BLOCK
        if not re.fullmatch(INTEGER, text):
            raise fault(f"{quoted(text)} is no block: a decimal or 0x hexadecimal number, or latest.")
        return min(int(text, 16 if text[:2].lower() == "0x" else 10), MAX_BLOCK)


class WholeField(ScalarField):
    """A whole number in a range. Nothing is clamped silently."""

    max_length = 20
    most: int

    def read(self, text: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", text) or not 1 <= int(text) <= self.most:
            raise fault(f"A whole number from 1 to {self.most}, not {quoted(text)}.")
        return int(text)


def _whole_schema(most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": most, "default": most}


class HundredField(WholeField):
    """Items of a page, 100 at most."""

    most = 100
    schema = _whole_schema(most)
    prose = "Items a page, from 1 to 100; 100 when not given."
    example = "100"


class ThousandField(WholeField):
    """Items of a page, 1,000 at most."""

    most = 1_000
    schema = _whole_schema(most)
    prose = "Items a page, from 1 to 1000; 1000 when not given."
    example = "1000"


class PatienceField(WholeField):
    """Milliseconds that theirs would wait for a host: nothing is fetched while a request is answered here."""

    most = 2**31 - 1
    schema = {"type": "integer", "minimum": 0, "maximum": most}
    prose = "Taken and without effect: no metadata is fetched while a request is answered."
    example = "0"

    def read(self, text: str) -> int:
        if not re.fullmatch("[0-9]{1,10}", text) or int(text) > self.most:
            raise fault(f"A number of milliseconds, {self.most:,} at most, not {quoted(text)}.")
        return int(text)


class WordField(ScalarField):
    """One of few words in any letter case; the value is the word as it stands in :attr:`words`."""

    words: Sequence[str]

    def read(self, text: str) -> Hashable:
        found = next((word for word in self.words if word.lower() == text.lower()), None)
        if found is None:
            raise fault(f"One of {', '.join(self.words)}, not {quoted(text)}.", "invalid_choice")
        return found


class OrderField(WordField):
    """Which way blocks go."""

    words = ("asc", "desc")
    schema = {"type": "string", "enum": list(words), "default": "asc"}
    prose = "From the first block on (asc), or from the last one back (desc); asc when not given."
    example = "desc"


class TakerField(WordField):
    """Whose order was filled."""

    words = ("BUYER", "SELLER")
    schema = {"type": "string", "enum": list(words)}
    prose = "Only sales in which the buyer, or the seller, took the other's order."
    example = "BUYER"


class MarketplaceField(ScalarField):
    """A marketplace in any letter case; the value is in lower case. One that is not known has no sales."""

    max_length = 64
    schema = text_schema("[^\u0000]+", max_length)
    prose = (
        "Only sales on this marketplace: seaport, wyvern, looksrare, x2y2, blur or cryptopunks as theirs, or any other "
        "that this service knows by name (foundation, zora, …)."
    )
    example = "seaport"

    def read(self, text: str) -> str:
        return text.lower()


class ConfidenceField(WordField):
    """How sure theirs is that something is spam: an operator's mark here is a mark."""

    words = ("VERY_HIGH", "HIGH", "MEDIUM", "LOW")
    schema = {"type": "string", "enum": list(words)}
    prose = "Taken and without effect: an operator's mark has no degrees."
    example = "HIGH"


class TokenTypeField(WordField):
    """A token's standard, which would make theirs faster."""

    words = ("ERC721", "ERC1155")
    schema = {"type": "string", "enum": list(words)}
    prose = "Taken and without effect: the standard is known."
    example = "ERC721"


class OrderByField(WordField):
    """How an owner's NFTs are ordered."""

    words = ("transferTime",)
    schema = {"type": "string", "enum": list(words)}
    prose = "transferTime: newest first, by when they came to the owner. Else by contract and token id."
    example = "transferTime"

    def read(self, text: str) -> bool:
        return bool(super().read(text))


class FiltersField(ListField):
    """Kinds of NFTs by their filters' names; the value tells whether SPAM is among them, ``None`` where none is."""

    schema = list_schema({"type": "string", "enum": ["SPAM"]})
    prose = "SPAM: NFTs that the operator marked, themselves or through their contract."
    example = "SPAM"

    def read_all(self, occurrences: list[str]) -> Any:
        """Return whether SPAM is named."""
        return bool(super().read_all(occurrences)) or None

    def read_entry(self, text: str) -> Hashable:
        """Return the filter. Raises ``ValidationError`` for one that cannot be told here, such as AIRDROPS."""
        if text.upper() != "SPAM":
            raise fault(f"SPAM is the only filter here, not {quoted(text)}.", "invalid_choice")
        return "SPAM"


class SwitchField(FlagField):
    """A flag that is on when not given."""

    schema = {"type": "boolean", "default": True}
    example = "false"


class PageKeyField(CursorField):
    """The `pageKey` of an earlier page; the value is the :class:`~core.rest.cursors.Cursor`."""

    prose = "The pageKey of the page before, unchanged. It belongs to one method and its other parameters."
    refusal = "no pageKey of this method: pass that"


class RefusedField(ScalarField):
    """A parameter of theirs whose meaning cannot be had here: to leave it out of account would answer wrongly."""

    max_length = 2000
    schema = {"type": "string", "maxLength": 0}
    prose = "Not known here: refused, since to ignore it would answer another question."

    def read(self, text: str) -> Hashable:
        """Refuse it."""
        raise fault(f"{quoted(text)}: this parameter cannot be told here.")
