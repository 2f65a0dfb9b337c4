"""The parameters of NFTs by Token, and what both operations share of them (specification, Endpoints).

``NftFilterSet(query_string).qs`` is the :class:`~tokens.query.selection.Query` that a query string asks. It raises
``ValidationError`` with every fault of it. What a parameter takes is said by its field.
"""

from __future__ import annotations

from typing import Any

from django.forms import Field

from core.rest.fields import CursorField, FlagField, LimitField
from core.rest.filters import QueryFilter, QueryFilterSet
from tokens.query.address_fields import ContractField, NamingField, OwnerField
from tokens.query.fields import ChainField, MarketsField, PriceField, SortField, TokenIdsField, TraitsField
from tokens.query.names import Names
from tokens.query.selection import Query

EVERYTHING = Query()


class NamingFilterSet(QueryFilterSet):
    """Has the look-ups of names in the query (``_names``)."""

    _names: Names

    def prepare(self, field: Field) -> None:
        """Give a field that names something the look-ups of this query."""
        if isinstance(field, NamingField):
            field.names = self._names

    def look_up(self) -> None:
        """Ask the node for the ENS name of the query. Raises ``ServiceUnavailable`` when it does not tell in time."""
        self._names.look_up()


class OperationFilterSet(NamingFilterSet):
    """What both operations have: chain, cursor, limit and order."""

    chain = QueryFilter(ChainField, Query.on_chain)
    cursor = QueryFilter(CursorField, Query.behind)
    limit = QueryFilter(LimitField, Query.at_most)
    sortBy = QueryFilter(SortField, Query.ordered_by)

    def __init__(self, data: Any = None, queryset: Query = EVERYTHING, **kwargs: Any) -> None:
        super().__init__(data, queryset, **kwargs)
        self._names = Names(self.parameters)


class NftFilterSet(OperationFilterSet):
    """NFTs by Token."""

    includeLastTransfer = QueryFilter(
        FlagField,
        Query.with_last_transfers,
        title="Last transfer",
        brief="true shows that of each NFT.",
        prose="Adds lastTransfer to each NFT. A flag: true, 1, false or 0; bare, it is true.",
    )
    contractAddress = QueryFilter(ContractField, Query.for_contract)
    tokenId = QueryFilter(TokenIdsField, Query.with_token_ids)
    traits = QueryFilter(TraitsField, Query.with_traits)
    excludedTraits = QueryFilter(
        TraitsField,
        Query.without_traits,
        title="Without traits",
        prose="Traits not to have, written as in traits, at most 30; an NFT that has any of them is dropped. "
        "Given but empty: no item.",
        example="Fur-Brown",
    )
    priceFilter = QueryFilter(PriceField, Query.priced)
    marketplaces = QueryFilter(MarketsField, Query.trading_on)
    excludedTokenIds = QueryFilter(
        TokenIdsField,
        Query.without_token_ids,
        title="Without token ids",
        prose="Token ids to drop, written as in tokenId, at most 30 different ones. Given but empty: no item.",
        example="7",
    )
    excludeMarkedNfts = QueryFilter(
        FlagField,
        Query.without_marked,
        title="Drop marked NFTs",
        brief="true drops what the operator marked.",
        prose="Drops NFTs that the operator marked (spam, stolen, delisted, …), themselves or through their "
        "contract. A flag: true, 1, false or 0; bare, it is true.",
    )
    ownerAddress = QueryFilter(OwnerField, Query.owned_by)
