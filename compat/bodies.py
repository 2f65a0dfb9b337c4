"""The bodies that batch methods take, as declared."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from compat.fields import ADDRESS, INTEGER, AddressField, TokenIdField
from core.rest import record_fields as fields

MOST_TOKENS = 100
"""Tokens, or contracts, of one body."""


class _FormField(serializers.Field[Any, Any, Any, Any]):
    """A member of a body that is read as the parameter of that name is."""

    form_field: type[Any]

    def to_internal_value(self, data: Any) -> Any:
        """Return the value. Raises ``ValidationError``."""
        text = self.text_of(data)
        try:
            value = self.form_field(required=True).clean([text])
        except Exception as error:
            raise serializers.ValidationError(getattr(error, "messages", [str(error)])) from None
        return value

    def text_of(self, data: Any) -> str:
        """Return the text of a member. Raises ``ValidationError``."""
        if not isinstance(data, str):
            raise serializers.ValidationError("A text is wanted.")
        return data


@extend_schema_field({"type": "string", "pattern": f"^({ADDRESS})$"})
class BodyAddressField(_FormField):
    """An address."""

    form_field = AddressField


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "pattern": f"^({INTEGER})$", "maxLength": 78},
            {"type": "integer", "minimum": 0, "maximum": 2**53 - 1},
        ]
    }
)
class BodyTokenIdField(_FormField):
    """A token id: a text, a number, or ethers' BigNumber as it writes itself."""

    form_field = TokenIdField

    def text_of(self, data: Any) -> str:
        """Return the text of a token id."""
        if isinstance(data, dict) and data.get("type") == "BigNumber":
            data = data.get("hex")
        if isinstance(data, float) and data.is_integer():
            data = int(data)  # 1.0 is an integer to JSON Schema, and 1 to JavaScript
        if isinstance(data, int) and not isinstance(data, bool) and 0 <= data < 2**256:
            return str(data)
        return super().text_of(data)


class TokenBody(serializers.Serializer[Any]):
    """One token."""

    contractAddress = BodyAddressField(help_text="The contract, in any letter case.")
    tokenId = BodyTokenIdField(help_text="The token id, decimal or hexadecimal.")


class TokensBody(serializers.Serializer[Any]):
    """Tokens that metadata is asked of; other members are taken and without effect."""

    tokens = fields.records(TokenBody(), MOST_TOKENS, f"At most {MOST_TOKENS}.")


class ContractsBody(serializers.Serializer[Any]):
    """Contracts that metadata is asked of."""

    contractAddresses = serializers.ListField(
        child=BodyAddressField(), max_length=MOST_TOKENS, help_text=f"At most {MOST_TOKENS} addresses."
    )
