"""What templates of the operators' pages need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

register = template.Library()


@register.filter
def labelled(cells: Iterable[SafeString], headers: Iterable[Mapping[str, Any]]) -> Iterator[SafeString]:
    """Yield the cells of a row of a list with the names of their columns, which a phone shows beside them."""
    for cell, header in zip(cells, headers, strict=True):
        tag, rest = cell[:3], cell[3:]  # "<td" or "<th"
        name = "" if "action-checkbox" in rest[:30] else capfirst(str(header["text"]))
        yield mark_safe(tag + format_html(' data-label="{}"', name) + rest)  # noqa: S308 - Django's, and escaped
