"""What the browsable API shows of a page of NFTs: cards, and the facets of the query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse

from core.rest.facets import Facet, Shown
from core.rest.states import Link, State, shown
from tokens.browse.counts import Collection, named, offers
from tokens.browse.facets import of_chains, of_collections, of_contract, of_marks, of_prices, usual_currency
from tokens.query.resolving import Resolved
from tokens.query.scopes import resolve_contracts
from tokens.query.selection import Query, Selection


def shown_nfts(
    state: State,
    query: Query,
    resolved: Resolved | None,
    cards: Sequence[object],
    records: Sequence[Mapping[str, Any]] | None,
) -> Shown:
    """Return the cards of a page with the facets of its query, by six statements at most.

    ``records`` are those of the page where it holds all that matches: facets then count among these.
    """
    if query.contract is None:
        return Shown(cards, [of_collections(state, query.chain), of_marks(state)])
    ids = contract_ids(query, resolved)
    contracts = named(ids)
    names = names_of(state, contracts)
    if len(ids) != 1:
        return Shown(cards, [*facets_of_chains(state, contracts), of_marks(state)], names)
    is_all = query.fingerprint() == Selection(query.chain, query.contract).fingerprint()
    found = offers(ids[0], query.now)
    facets = list(of_contract(state, ids[0], query.now, None if is_all else records))
    if found:
        facets.insert(0, of_prices(state, found))
    return Shown(cards, [*facets, of_marks(state)], names, usual_currency(found), page_of(contracts))


def contract_ids(query: Query, resolved: Resolved | None) -> Sequence[int]:
    """Return the contracts that a query names, also where nothing of them matches."""
    if resolved is not None and resolved.scope.field == "contract_id":
        return resolved.scope.ids
    return resolve_contracts(query.contract, query.chain) if query.contract else ()


def names_of(state: State, contracts: Sequence[Collection]) -> dict[str, str]:
    """Return what people call the contract of a query, by how the query names it."""
    if not contracts or contracts[0].name == contracts[0].address:
        return {}
    return {state.value("contractAddress").lower(): shown(contracts[0].name)}


def page_of(contracts: Sequence[Collection]) -> Link | None:
    """Return the link to the page of the collection of a query that names just one."""
    if len(contracts) != 1 or not contracts[0].address:
        return None
    one = contracts[0]
    return Link(shown(one.name), reverse("collection", args=[one.chain, one.address]))


def facets_of_chains(state: State, contracts: Sequence[Collection]) -> list[Facet]:
    """Return the chains of an address that is a contract on several."""
    return [of_chains(state, contracts)] if len(contracts) > 1 else []
