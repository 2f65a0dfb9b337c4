"""Transfers by Token over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.access.authentication import KeyAuthentication
from core.access.throttling import AllowanceThrottle
from core.rest.facets import Shown
from core.rest.pagination import KeysetPagination
from core.rest.records import Record, Records
from core.rest.states import State
from core.rest.viewsets import OperationViewSet
from media.links import Links
from tokens.browse.counts import named
from tokens.browse.facets import of_collections
from tokens.browse.pages import contract_ids, facets_of_chains, names_of, page_of
from tokens.query.ordering import TITLES
from tokens.query.selection import Query
from tokens.records.serializers import TransferSerializer
from transfers.filters import TransferFilterSet
from transfers.records.cards import transfer_rows
from transfers.records.examples import TRANSFER_PAGE
from transfers.records.transfer import transfer_records
from transfers.walk import TransferWalk


class TransferPagination(KeysetPagination):
    """Pages of transfers."""

    operation = items = "transfers"
    walk_class = TransferWalk


class TransferViewSet(OperationViewSet):
    """All known transfers of a contract, or of one token of it.

    nextCursor is absent on the last page; a cursor belongs to the filters and the order it came from. In an order of
    NFTs (tokenId, asks, rarity) transfers go by their NFT, and within it most recent first.
    """

    query_class = Query
    operation_id = "transfersByToken"
    filterset_class = TransferFilterSet
    pagination_class = TransferPagination
    serializer_class = TransferSerializer
    example = TRANSFER_PAGE
    authentication_classes = [KeyAuthentication]
    throttle_classes = [AllowanceThrottle]
    orders = TITLES
    items_template = "nftsite/transfers.html"
    columns = ("What", "When (UTC)", "From", "To", "Price", "Market")

    def records(self, query: Query, row_ids: Sequence[int]) -> Records:
        """Return the records of a page of a query."""
        return Records(transfer_records(row_ids, links=Links.of_request(self.request)))

    def show(self, state: State, query: Query, row_ids: Sequence[int], records: Sequence[Record]) -> Shown:
        """Return the transfers of a page as rows of a table, and the chains of a contract that lives on several."""
        rows = transfer_rows(row_ids, records, Links.of_request(self.request))
        contracts = named(contract_ids(query, None))
        facets, names = facets_of_chains(state, contracts), names_of(state, contracts)
        return Shown(rows, facets, names, collection=page_of(contracts))

    def without_answer(self, state: State, faults: Mapping[str, Sequence[str]]) -> Shown:
        """Return the collections to choose from where none was named and nothing else is wrong."""
        if set(faults) == {"contractAddress"} and not state.value("contractAddress"):
            return Shown(facets=[of_collections(state, None)])
        return Shown()
