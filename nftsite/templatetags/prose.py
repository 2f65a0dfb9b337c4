"""Texts that stand in the OpenAPI document too, drawn as HTML."""

from __future__ import annotations

import re

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from core.rest.states import shown

register = template.Library()
register.filter("short", shown)
_CODE = re.compile(r"`([^`]+)`")


@register.filter
def inline(text: str) -> SafeString:
    """Return a text with what stands between backticks as code."""
    return mark_safe(_CODE.sub(r"<code>\1</code>", conditional_escape(text)))  # noqa: S308 - escaped before


@register.filter
def prose(text: str) -> SafeString:
    """Return paragraphs, which blank lines divide; single line breaks are none."""
    parts = re.split(r"\n\s*\n", text.strip())
    return mark_safe("".join(f"<p>{inline(' '.join(part.split()))}</p>" for part in parts))  # noqa: S308 - escaped
