"""Fields of declared records with the rule of their text, so that the OpenAPI document states it as a pattern.

Records are built, not validated: a pattern says how what is stored looks, since loading takes nothing else.
"""

from __future__ import annotations

from typing import Any

from django.core.validators import RegexValidator, URLValidator
from rest_framework import serializers

_DIGITS = "(0|[1-9][0-9]*)"
_BASE58 = "[1-9A-HJ-NP-Za-km-z]"


def text(pattern: str, help_text: str, **options: Any) -> serializers.CharField:
    """Return a field whose text has this form."""
    return serializers.CharField(validators=[RegexValidator(f"^{pattern}$")], help_text=help_text, **options)


def quantity(help_text: str, **options: Any) -> serializers.CharField:
    """Return a field of an integer from 0 to 2^256 − 1, as an exact decimal string."""
    return text(_DIGITS, help_text, max_length=78, **options)


def token_id(help_text: str, **options: Any) -> serializers.CharField:
    """Return a field of a token id: an exact decimal string, or a base58 mint."""
    return text(f"({_DIGITS}|{_BASE58}{{32,44}})", help_text, max_length=78, **options)


def address(help_text: str, **options: Any) -> serializers.CharField:
    """Return a field of an address: lower case on EVM chains, as it is written on mint-identified ones."""
    return text("(0x[0-9a-f]{40}|[0-9A-Za-z]{32,44})", help_text, **options)


def transaction(help_text: str, **options: Any) -> serializers.CharField:
    """Return a field of a transaction: its hash in lower case, or the signature on a mint-identified chain."""
    return text("(0x[0-9a-f]{64}|[0-9A-Za-z]{1,90})", help_text, **options)


def whole(help_text: str, **options: Any) -> serializers.IntegerField:
    """Return a field of an integer that is not negative: a block, a time in Unix seconds, a count."""
    return serializers.IntegerField(min_value=0, help_text=help_text, **options)


def url(help_text: str, **options: Any) -> serializers.CharField:
    """Return a field of an absolute URL of this service."""
    return serializers.CharField(
        validators=[URLValidator(schemes=["http", "https"])], help_text=help_text, **options
    )


def records(
    child: serializers.Serializer[Any], most: int, help_text: str, **options: Any
) -> serializers.ListSerializer[Any]:
    """Return a field of a list of at most so many records."""
    return serializers.ListSerializer(child=child, max_length=most, help_text=help_text, **options)
