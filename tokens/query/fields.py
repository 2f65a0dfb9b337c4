"""Form fields of the parameters that know the domain: chains, contracts, token ids, traits, prices, marketplaces."""

from __future__ import annotations

import re
from collections.abc import Hashable
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError

from core.addresses import is_collection_address, is_evm_address, is_mint, normalise_evm_address
from core.chains import EVM, MINT
from core.db.keys import UINT256_MAX, token_key
from core.rest.fields import ChoiceSelect, ListField, ParameterField, Postponed, ScalarField, fault
from core.rest.parameters import quoted
from tokens.ens import names as ens
from tokens.ens import node as ens_node
from tokens.query.names import Names
from tokens.query.selection import ContractRef, PriceBounds

MAX_ENTRIES = 30
MAX_TOKEN_ID_LENGTH = 200
MAX_TRAIT_LENGTH = 1000
MAX_BOUND_LENGTH = 100

_DECIMAL = re.compile("[0-9]+")
_HEXADECIMAL = re.compile("0[xX][0-9a-fA-F]+")
_BOUND = re.compile(r"[0-9]+(\.[0-9]+)?")


class NamingField(ParameterField):
    """A field whose values name rows of small tables; the filter set gives it the look-ups of its query."""

    names: Names


class ChainField(ScalarField, NamingField):
    """A chain by slug, numeric chain id or CAIP-2 name; the value is the slug."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=1000, widget=ChoiceSelect(), **kwargs)

    def read(self, text: str) -> str:
        """Return the slug."""
        chain = self.names.chain(text)
        if chain is None:
            known = ", ".join(known.slug for known in self.names.chains)
            message = f"{quoted(text)} is no known chain. Known: {known}; an EVM chain also by its id (1, eip155:1)."
            raise fault(message, "invalid_choice")
        return chain.slug

    def get_bound_field(self, form: Any, field_name: str) -> Any:
        """Let the form's select list the chains, looked up when it is drawn."""
        self.widget.list_options = lambda: [known.slug for known in self.names.chains]
        self.widget.canonical = lambda text: getattr(self.names.chain(text), "slug", None)
        return super().get_bound_field(form, field_name)


class ContractField(ScalarField, NamingField):
    """A contract by EVM address, by collection address, or by ENS name."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=ens.MAX_NAME_LENGTH, **kwargs)

    def read(self, text: str) -> ContractRef:
        """Return the contract meant. Whether it is known is no matter of syntax: an unknown one has no NFTs."""
        if is_evm_address(text):
            return ContractRef(normalise_evm_address(text), EVM)
        if ens.is_name(text):
            return ContractRef(self._address_of(text), EVM)
        # Base58 has no zero, so what starts like an EVM address is one with a typing error.
        if is_collection_address(text) and text[:2].lower() != "0x":
            return ContractRef(text, MINT)
        raise fault(
            f"{quoted(text)} is no contract address: 0x and 40 hexadecimal digits, a collection's address "
            "of 32 to 44 letters and digits, or an ENS name."
        )

    def _address_of(self, text: str) -> str | None:
        try:
            name = ens.normalised(text)
        except ValueError as error:
            raise fault(f"{quoted(text)} is no ENS name: {error}.") from None
        answer = self.names.ens_answer(name)
        if answer is None:
            raise self._unanswered(name)
        if answer.is_offchain:
            message = (
                f"The ENS name {quoted(name)} is resolved by a server (CCIP-Read, EIP-3668), "
                "which is not asked: give the address."
            )
            raise fault(message, "ens_unsupported")
        return answer.address

    def _unanswered(self, name: str) -> ValidationError:
        if not ens_node.is_configured():
            message = (
                f"The ENS name {quoted(name)} is not known here, and no node is configured to resolve it."
            )
            return fault(message, "ens_unavailable")
        if len(self.names.open_names) > 1:
            return fault(f"The ENS name {quoted(name)} is one of several that are not known here: give one.")
        return Postponed(f"The ENS name {quoted(name)} has not been looked up.")


class _TokenIdReading(NamingField):
    """Reads a token id as the chain of the query has them; the value is its sort key."""

    def _key(self, text: str) -> str:
        kind = self.names.kind
        if kind != MINT and (_DECIMAL.fullmatch(text) or _HEXADECIMAL.fullmatch(text)):
            number = int(text, 10 if _DECIMAL.fullmatch(text) else 16)
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


class TokenIdField(ScalarField, _TokenIdReading):
    """One token id; the value is its sort key."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MAX_TOKEN_ID_LENGTH, **kwargs)

    def read(self, text: str) -> str:
        """Return the token id's sort key."""
        return self._key(text)


class TokenIdsField(ListField, _TokenIdReading):
    """A list of token ids; the value is the set of their sort keys."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_entries=MAX_ENTRIES, max_entry_length=MAX_TOKEN_ID_LENGTH, **kwargs)

    def read_entry(self, text: str) -> str:
        """Return the token id's sort key."""
        return self._key(text)


class TraitsField(ListField):
    """A list of traits, taken as written: case and inner white space matter."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_entries=MAX_ENTRIES, max_entry_length=MAX_TRAIT_LENGTH, **kwargs)

    def read_entry(self, text: str) -> str:
        """Return the entry."""
        if "-" not in text:
            raise fault(
                f"{quoted(text)} is no trait, which is type, dash, value (Fur-Brown); the type may be empty."
            )
        return text


class MarketsField(ListField):
    """A list of marketplaces in any letter case; unknown ones match nothing."""

    def read_entry(self, text: str) -> str:
        """Return the slug."""
        return text.lower()


class PriceField(ScalarField, NamingField):
    """``currency,min,max``: bounds of the lowest live ask. Blank is a fault, since the commas are missing."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=3 * MAX_BOUND_LENGTH, **kwargs)

    def counted(self, occurrences: list[str]) -> list[str]:
        """Return all occurrences, blank ones too."""
        return occurrences

    def read(self, text: str) -> Hashable:
        """Return the bounds."""
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
            elif not _BOUND.fullmatch(part):
                faults.append(fault(f"The {which} is a plain decimal like 0.5, not {quoted(part)}."))
            else:
                bounds.append(Decimal(part))
        if len(bounds) == 2 and bounds[0] is not None and bounds[1] is not None and bounds[0] > bounds[1]:
            faults.append(fault(f"The minimum {quoted(parts[1])} is above the maximum {quoted(parts[2])}."))
        if faults or currency is None:
            raise ValidationError(faults)
        return PriceBounds(currency, bounds[0], bounds[1])
