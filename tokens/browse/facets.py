"""The facets of a query for NFTs: what narrows it, as links that add a value or take it away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.utils.html import format_html

from core.rest.facets import Facet
from core.rest.parameters import FORM_MARKER
from core.rest.states import Link, State, shown
from core.rest.widgets import PartsInput
from tokens.browse.counts import (
    COUNTED,
    KINDS,
    SOUGHT,
    VALUES,
    Collection,
    Offer,
    Trait,
    by_count,
    collections,
    containing,
    frequent,
    kinds,
    markets,
)
from tokens.metadata.trait_texts import label, value_text
from tokens.query.fields import TraitsField
from tokens.records.traits import type_text

LINKS = 40
"""Values of traits that one page links to; kinds beyond it are unfolded one by one."""
OPEN = 24
"""Values up to which kinds of traits are open by themselves."""
_OF_COLLECTION = "Of the whole collection."


def of_collections(state: State, chain: str | None) -> Facet:
    """Return the largest collections, which a query that names no contract may ask for."""
    found = [
        Link(shown(one.name), _of_collection(state, one), note=f"{one.nfts:,}") for one in collections(chain)
    ]
    note = "The largest, by NFTs." if found else "There are none yet."
    return Facet("Collections", found, note, is_open=True)


def of_chains(state: State, found: Sequence[Collection]) -> Facet:
    """Return the chains on which an address is a contract."""
    links = [Link(one.chain, state.address({"chain": one.chain}), note=f"{one.nfts:,}") for one in found]
    return Facet("Chains", links, "This address lives on several.", is_open=True)


def of_contract(
    state: State, contract_id: int, now: int, records: Sequence[Mapping[str, Any]] | None
) -> Iterator[Facet]:
    """Yield the facets of one contract: its types of traits, and marketplaces at ``now``.

    ``records`` are those of the whole selection, where they are on the page.
    """
    yield from _traits(state, contract_id, records)
    yield _markets(state, markets(contract_id, now))


def usual_currency(found: Sequence[Offer]) -> str:
    """Return the currency that most asks are in, a wrapped one counting as what it wraps."""
    counts = Counter[str]()
    for one in found:
        counts[one.family] += one.asks
    return counts.most_common(1)[0][0].lower() if counts else "eth"


def _of_collection(state: State, one: Collection) -> str:
    return state.address({"chain": one.chain, "contractAddress": one.address})


def _traits(state: State, contract_id: int, records: Sequence[Mapping[str, Any]] | None) -> Iterator[Facet]:
    unfolded = state.of_the_page.get("_facet")
    if unfolded is not None:
        yield _unfolded(state, contract_id, unfolded)
        return
    beginnings = kinds(contract_id)
    by_kind: dict[str, list[Trait]] = {}
    for trait in by_count(frequent(contract_id, beginnings[:KINDS])) if beginnings else ():
        by_kind.setdefault(trait.kind, []).append(trait)
    chosen = set(state.entries("traits"))
    selected = None if records is None else _counted(records)
    left, open_left = LINKS, OPEN
    for kind in sorted(by_kind, key=lambda one: (not _has_chosen(one, chosen), one.casefold())):
        values, note = by_kind[kind], _OF_COLLECTION
        if selected is not None and not _has_chosen(kind, chosen):
            values = by_count(one for one in selected if one.kind == kind)
            note = f"Of the {len(records or ()):,} NFTs found."
            if not values:
                continue
        more = len(values) > VALUES
        values = values[:VALUES]
        is_open = _has_chosen(kind, chosen) or len(values) <= open_left
        open_left -= len(values)
        left -= len(values)
        if left < 0 and not _has_chosen(kind, chosen):
            yield Facet(_title(kind), [], more=_unfold(state, kind, "Show its values"))
            continue
        yield Facet(
            _title(kind),
            list(_trait_links(state, values, chosen)),
            note,
            _unfold(state, kind, "Find others") if more else None,
            is_open,
        )
    if len(beginnings) > KINDS:
        yield Facet(
            "More traits", [], f"The first {KINDS} types are shown; any other can be named in the form."
        )


def _unfolded(state: State, contract_id: int, kind: str) -> Facet:
    """Return one kind of traits with a search within it."""
    text = state.of_the_page.get("_find", "").strip()
    if text:
        found = containing(contract_id, kind, text)
        note = f"Looked for in the {SOUGHT} most frequent; any other is found by its whole text."
    else:
        found = [one for one in by_count(frequent(contract_id, [kind[:60]])) if one.kind == kind]
        note = f"The {VALUES} most frequent. {_OF_COLLECTION}" if len(found) > VALUES else _OF_COLLECTION
    links = list(_trait_links(state, found[:VALUES], set(state.entries("traits"))))
    return Facet(
        _title(kind),
        links,
        note if links else f"Nothing found. {note}",
        Link("All types", state.address(anchor="filters")),
        is_open=True,
        hidden=[*state.pairs(), ("_facet", kind)],
        controls=format_html(
            '<input type="search" name="_find" value="{}" aria-label="Find a value">', shown(text)
        ),
    )


def _trait_links(state: State, traits: Iterable[Trait], chosen: set[str]) -> Iterator[Link]:
    for trait in traits:
        entry = label(trait.kind, trait.value)
        if len(entry) <= TraitsField.max_entry_length:  # what is longer no query can name
            text = shown(trait.value) or "(blank)"
            yield Link(text, state.toggled("traits", entry), entry in chosen, f"{trait.nfts:,}")


def _counted(records: Sequence[Mapping[str, Any]]) -> list[Trait]:
    """Return how many of some NFTs have each trait."""
    counts = Counter[tuple[str, str]]()
    for record in records:
        traits = (record.get("metadata") or {}).get("traits") or ()
        counts.update(
            {
                (type_text(one.get("traitType")), value_text(one["traitValue"]))
                for one in traits
                if "traitValue" in one
            }
        )
    return [Trait(*pair, count) for pair, count in counts.items()]


def _has_chosen(kind: str, chosen: set[str]) -> bool:
    return any(entry.startswith(f"{kind}-") for entry in chosen)


def _title(kind: str) -> str:
    return shown(kind, 40) or "Untyped"


def _unfold(state: State, kind: str, text: str) -> Link:
    return Link(text, state.address(of_the_page={"_facet": kind}, anchor="filters"))


def _markets(state: State, slugs: Sequence[str]) -> Facet:
    chosen = {entry.lower() for entry in state.entries("marketplaces")}
    names = sorted({*slugs, *chosen})
    links = [Link(slug, state.toggled("marketplaces", slug), slug in chosen) for slug in names]
    return Facet("Marketplaces", links, "" if links else "None is known.", is_open=bool(chosen))


def of_prices(state: State, found: Sequence[Offer]) -> Facet:
    """Return what is for sale by currency, with the ends of the prices of the one that most asks are in."""
    families: dict[str, list[Offer]] = {}
    for one in found:
        families.setdefault(one.family, []).append(one)
    current = state.value("priceFilter").partition(",")[0].lower()
    links = []
    for family, group in families.items():
        count = sum(one.asks for one in group)
        number = f"{count:,}" if all(one.asks < COUNTED for one in group) else f"{COUNTED}+"
        number += " ask" if number == "1" else " asks"
        asked = None if current == family.lower() else f"{family.lower()},,"
        links.append(Link(f"In {family}", state.address({"priceFilter": asked}), asked is None, number))
    usual = families[usual_currency(found).upper()]
    lowest = min((one.lowest for one in usual if one.lowest is not None), default=None)
    highest = max((one.highest for one in usual if one.highest is not None), default=None)
    note = (
        f"From {_plain(lowest)} to {_plain(highest)} {usual[0].family}. {_OF_COLLECTION}"
        if lowest and highest
        else ""
    )
    bounds = PartsInput()
    bounds.usual = usual[0].family.lower()
    return Facet(
        "For sale",
        links,
        note,
        is_open=True,
        hidden=[(FORM_MARKER, "1"), *(pair for pair in state.pairs() if pair[0] != "priceFilter")],
        controls=bounds.render("priceFilter", [state.value("priceFilter")], {"id": "bounds"}),
    )


def _plain(number: Decimal | None) -> str:
    return "" if number is None else f"{number.normalize():,f}"


def of_marks(state: State) -> Facet:
    is_set = state.value("excludeMarkedNfts").lower() in ("true", "1") or (
        state.is_given("excludeMarkedNfts") and not state.value("excludeMarkedNfts")
    )
    address = state.address({"excludeMarkedNfts": None if is_set else "true"})
    return Facet("Marked by the operator", [Link("Leave them out", address, is_set)], is_open=is_set)
