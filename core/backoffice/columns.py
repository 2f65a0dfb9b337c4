"""Columns that an admin's class declares as attributes: a head, and what is shown of a row under it.

``path`` is an attribute of the row, or one behind a relation (``nft.token_id``).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from django.db.models import Model

from core.backoffice import html, tables
from core.rest.cards import plain_number


class Column:
    """What Django calls for a cell: no method, so that it is given the row alone."""

    def __init__(self, head: str, show: Callable[[Any], Any]) -> None:
        self.short_description = head
        self.show = show

    def __call__(self, row: Any) -> Any:
        """Return the cell; nothing to show is a dash."""
        shown = self.show(row)
        return html.NOTHING if shown is None or shown == "" else shown


def short(path: str, head: str) -> Column:
    """Return a column of an address or hash with its middle left out."""
    return _of(path, head, html.short)


def plain(path: str, head: str) -> Column:
    """Return a column of a value as it is, under another head than the field's and without its help text."""
    return _of(path, head, lambda value: value)


def cut(path: str, head: str, most: int = html.MOST_SHOWN) -> Column:
    """Return a column of a text's first characters."""
    return _of(path, head, lambda text: html.shortened(text or "", most))


def moment(path: str, head: str) -> Column:
    """Return a column of Unix seconds as date and time; the head says that it is UTC."""
    return _of(path, f"{head} (UTC)", lambda seconds: html.together(html.moment(seconds)))


def number(path: str, head: str) -> Column:
    """Return a column of a float, without a fraction where it is whole."""
    return _of(path, head, lambda found: None if found is None else plain_number(found))


def json(path: str, head: str) -> Column:
    """Return a column of stored JSON, indented and shortened."""
    return _of(path, head, html.json_text)


def external(path: str, head: str, at: Callable[[str], str] = str) -> Column:
    """Return a column of a third party's address, as a link to where a browser finds it (``at``)."""
    return _of(path, head, lambda url: html.external(url, at(url)) if url else None)


def link(model: type[Model], path: str, head: str, text: Callable[[Any], str]) -> Column:
    """Return a column that links to the page of a row of another table, whose id is at ``path``."""
    row_id = attrgetter(path)
    return Column(head, lambda row: html.row_link(model, row_id(row), text(row)))


def lists_by(parameter: str) -> Column:
    """Return a column of links to all lists that can be narrowed to the row."""
    return Column("see also", lambda row: tables.lists_by(parameter, row.pk))


def lists(parameter: str, path: str, *shown: tuple[type[Model], str]) -> Column:
    """Return a column of links to these models' lists, each with its text, narrowed to what is at ``path``."""
    value = attrgetter(path)
    return Column(
        "see also",
        lambda row: html.together(
            *(html.list_link(model, text, **{parameter: value(row)}) for model, text in shown)
        ),
    )


def _of(path: str, head: str, show: Callable[[Any], Any]) -> Column:
    value = attrgetter(path)
    return Column(head, lambda row: show(value(row)))
