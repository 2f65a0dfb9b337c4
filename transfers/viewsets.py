"""Transfers by Token over HTTP."""

from __future__ import annotations

from collections.abc import Sequence

from core.access.authentication import KeyAuthentication
from core.access.throttling import AllowanceThrottle
from core.rest.cards import Card
from core.rest.pagination import KeysetPagination
from core.rest.records import Record, Records
from core.rest.viewsets import OperationViewSet
from media.links import Links
from tokens.query.selection import Query
from tokens.records.serializers import TransferSerializer
from transfers.filters import TransferFilterSet
from transfers.records.cards import transfer_card
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

    def records(self, query: Query, row_ids: Sequence[int]) -> Records:
        """Return the records of a page of a query."""
        return Records(transfer_records(row_ids, links=Links.of_request(self.request)))

    def card(self, record: Record) -> Card:
        """Return what the browsable API shows of a record."""
        return transfer_card(record)
