"""NFTs by Token over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from core.access.authentication import KeyAuthentication
from core.access.throttling import AllowanceThrottle
from core.rest.facets import Shown
from core.rest.pagination import KeysetPagination
from core.rest.records import Record, Records
from core.rest.rendering import PageRenderer
from core.rest.states import State
from core.rest.viewsets import OperationViewSet
from media.links import Links
from tokens.browse.beside import NOTHING, beside, identity
from tokens.browse.pages import shown_nfts
from tokens.engine.walk import NftWalk
from tokens.query.filters import NftFilterSet
from tokens.query.ordering import TITLES
from tokens.query.selection import Query
from tokens.records.cards import nft_card
from tokens.records.examples import NFT_PAGE
from tokens.records.nft import nft_records
from tokens.records.serializers import NftSerializer


class NftPagination(KeysetPagination):
    """Pages of NFTs."""

    operation = "nfts"
    items = "NFTs"
    walk_class = NftWalk


class NftViewSet(OperationViewSet):
    """NFTs of a contract, by token id, trait, marketplace or price, with their metadata, owners and last transfer.

    All filters given must hold; a list that is given but empty gives no item. nextCursor is absent on the last page;
    a cursor belongs to the filters and the order it came from. An NFT whose place in the order does not change
    meanwhile appears in a walk exactly once; one that is transferred, or whose asks open or end, may appear again or
    not at all.
    """

    query_class = Query
    operation_id = "nftsByToken"
    filterset_class = NftFilterSet
    pagination_class = NftPagination
    serializer_class = NftSerializer
    example = NFT_PAGE
    authentication_classes = [KeyAuthentication]
    throttle_classes = [AllowanceThrottle]
    orders = TITLES
    items_template = "nftsite/nfts.html"

    def records(self, query: Query, row_ids: Sequence[int]) -> Records:
        """Return the records of a page of a query."""
        return nft_records(
            row_ids,
            now=query.now,
            links=Links.of_request(self.request),
            with_last=query.last_transfers,
            due=cast(NftPagination, self.paginator).walk.due,
            as_rendered=isinstance(self.request.accepted_renderer, PageRenderer),
        )

    def show(self, state: State, query: Query, row_ids: Sequence[int], records: Sequence[Record]) -> Shown:
        """Return the NFTs of a page as cards, and the facets of the query."""
        found = beside(row_ids, Links.of_request(self.request))
        cards = [nft_card(record, found.get(identity(record), NOTHING)) for record in records]
        pages = cast(NftPagination, self.paginator)
        is_whole = query.cursor is None and pages.next_cursor is None and not pages.is_cut
        return shown_nfts(state, query, pages.walk.resolved, cards, records if is_whole else None)
