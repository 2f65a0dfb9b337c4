"""Facets: what a page offers to narrow its results by, as links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.safestring import SafeString

from core.rest.states import Link


@dataclass(frozen=True, slots=True)
class Facet:
    """Values of one kind, each a link that adds it to the query or takes it away again.

    ``note`` says what the counts are of. ``more`` leads to the page where this facet is unfolded. ``controls`` are
    those of a form of its own, whose other parameters are ``hidden`` in it: a search within, bounds.
    """

    title: str
    values: Sequence[Link]
    note: str = ""
    more: Link | None = None
    is_open: bool = False
    hidden: Sequence[tuple[str, str]] = ()
    controls: SafeString | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows of its results, for people: ``items`` in the form that its template draws, and facets.

    ``names`` are what people call values of the query (a contract's address, in lower case).
    """

    items: Sequence[object] = ()
    facets: Sequence[Facet] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    currency: str = "eth"
    """In which price bounds are meant where none is named."""
    collection: Link | None = None
    """The page of the one collection that all of it is of."""
