"""No room names what stands below it as text: relations, columns, tables, modules and pages of the admin."""

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from django.apps import apps
from django.db.models import ForeignObjectRel

from tests.rooms import APPS, ROOMS, graph, nodes, sources

pytestmark = pytest.mark.xdist_group("architecture")  # what is read of the sources is kept by a process


@cache
def texts_of(source: str) -> list[str]:
    """Every text of a module that is no docstring, and the name of every argument, which may be one of a query."""
    said = {id(node.value) for node in nodes(source) if isinstance(node, ast.Expr)}
    found = []
    for node in nodes(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            found.append(node.value)
        elif isinstance(node, ast.keyword) and node.arg is not None and "__" in node.arg:
            found.append(node.arg)
    return found


def models_of(rooms: Sequence[str]) -> list[Any]:
    """The models of some rooms."""
    return [model for room in rooms if room in APPS for model in apps.get_app_config(room).get_models()]


def names_of_fields(rooms: Sequence[str]) -> set[str]:
    """What models of some rooms call their columns."""
    fields = [field for model in models_of(rooms) for field in model._meta.get_fields()]
    return {field.name for field in fields if not isinstance(field, ForeignObjectRel)}


@cache
def names_of_values(rooms: Sequence[str]) -> set[str]:
    """What plain values that some rooms declare call their attributes."""
    own = [source for file, source in sources().items() if file.partition("/")[0] in rooms]
    declared = [node for source in own for node in nodes(source) if isinstance(node, ast.AnnAssign)]
    return {node.target.id for node in declared if isinstance(node.target, ast.Name)}


def relations_from(rooms: Sequence[str], into: Sequence[str]) -> set[str]:
    """By what names models of some rooms are reached from those of others that they refer to."""
    relations = [
        field
        for model in models_of(into)
        for field in model._meta.get_fields()
        if isinstance(field, ForeignObjectRel)
    ]
    return {one.name for one in relations if one.related_model in models_of(rooms)}


@dataclass(frozen=True)
class Higher:
    """What of higher rooms a room's texts may not name."""

    rooms: Sequence[str]
    tables: set[str]
    dotted: set[str]
    """Modules and models."""
    names: set[str]
    """Relations and columns."""

    def is_named_in(self, text: str) -> bool:
        """Whether a text is a lookup, module, model or page of the admin of theirs, or has one of their tables."""
        if re.fullmatch(r"-?\w+", text) and not self.names.isdisjoint(text.removeprefix("-").split("__")):
            return True
        if text.startswith(tuple(f"admin:{room}_" for room in self.rooms)):
            return True
        parts = text.split(".")
        if any(".".join(parts[:number]) in self.dotted for number in range(2, len(parts) + 1)):
            return True
        return not self.tables.isdisjoint(re.findall(r"\w+", text))


@cache
def higher(room: str) -> Higher:
    """What stands below a room: relations, columns, tables, modules and pages of the admin."""
    place = ROOMS.index(room)
    here, above = ROOMS[: place + 1], ROOMS[place + 1 :]
    # The ground floor has no tables: columns that it names (of leases) are a convention for those above.
    columns = {name for name in names_of_fields(above) if "_" in name} if room in APPS else set()
    own = names_of_fields(here) | relations_from(here, here) | names_of_values(here)
    modules = {name for name in graph() if "." in name and name.partition(".")[0] in above}
    return Higher(
        rooms=above,
        tables={model._meta.db_table for model in models_of(above)},
        dotted=modules | {model._meta.label for model in models_of(above)},
        names=(columns | relations_from(above, here)) - own,
    )


@pytest.mark.parametrize("room", ROOMS[:-1])
def test_no_room_names_what_stands_below_it_as_text(room: str) -> None:
    """``get_field("nfts")`` in ``media`` would be an arrow that no import shows."""
    forbidden = higher(room)
    found = [
        (file, text)
        for file, source in sources().items()
        if file.startswith(f"{room}/") and "/migrations/" not in file
        for text in texts_of(source)
        if forbidden.is_named_in(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("room", "text"),
    [
        ("media", "nfts"),
        ("media", "nfts__isnull"),
        ("media", "contract__media_withheld"),
        ("media", "tokens.store.withholding"),
        ("media", "SELECT 1 FROM tokens_nft"),
        ("tokens", "transfers"),
        ("tokens", "nft__transfers__timestamp"),
        ("tokens", "transaction_from"),
        ("tokens", "admin:transfers_transfer_changelist"),
        ("transfers", "indexing.Evidence"),
    ],
)
def test_such_a_text_would_be_seen(room: str, text: str) -> None:
    assert higher(room).is_named_in(text)
