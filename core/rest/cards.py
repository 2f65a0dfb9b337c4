"""What a person sees of a record in the browsable API: a card with a picture and a few facts, or a row of a table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from rest_framework.utils.encoders import JSONEncoder

from core.rest.states import printable


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled value; ``whole`` where ``text`` is shortened."""

    label: str
    text: str
    whole: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A record for people. ``image`` is one of the service's own cached files, never a third party's.
    ``collection_url`` is where its subtitle leads.

    ``mark`` says why an operator marked it; ``None`` where nobody did.
    """

    title: str
    url: str
    subtitle: str
    image: str | None
    facts: list[Fact]
    collection_url: str | None = None
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A transfer for people, as a row of a table; an empty text where something is not known."""

    kind: str
    title: str
    url: str
    image: str | None
    when: str
    sender: str
    receiver: str
    price: Sequence[str]
    markets: str
    units: str
    transaction: str


def query_url(path: str, **parameters: str | None) -> str:
    """Return the address of a query; parameters that are ``None`` or blank are left out."""
    given = {name: value for name, value in parameters.items() if value}
    return f"{path}?{urlencode(given, safe=',:')}" if given else path


def moment(seconds: int) -> str:
    """Return Unix seconds as a date and time in UTC; as the number where no calendar reaches."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return str(seconds)


def plain_number(value: float) -> str:
    """Return a number with all its digits, grouped by thousands, and never with an exponent: ``1,234,567.89``."""
    text = f"{Decimal(repr(value)):,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def pretty(data: Any) -> str:
    """Return JSON to read: indented, with characters of all scripts as they are."""
    return printable(json.dumps(data, cls=JSONEncoder, indent=2, ensure_ascii=False))


def text_of(record: Mapping[str, Any], name: str) -> str | None:
    """Return a member that is a text, ``None`` for any other."""
    value = record.get(name)
    return printable(value) if isinstance(value, str) and value.strip() else None
