"""Transfers by Token over HTTP."""

from __future__ import annotations

from core.rest.cards import Card
from core.rest.openapi import documented
from core.rest.records import Record
from core.rest.views import Answer, OperationView
from media.links import Links
from tokens.query.paging import page_of, subject_of, walk_of
from transfers.filters import TransferFilterSet
from transfers.records.cards import transfer_card
from transfers.records.examples import TRANSFER_PAGE
from transfers.records.serializers import TransferPageSerializer, transfer_records
from transfers.walk import TransferWalk


@documented(
    "transfersByToken", "Transfers by Token", TransferFilterSet, TransferPageSerializer, TRANSFER_PAGE
)
class TransfersByToken(OperationView[TransferFilterSet]):
    """All known transfers of a contract, or of one token of it.

    nextCursor is absent on the last page; a cursor belongs to the filters and the order it came from. In an order of
    NFTs (tokenId, asks, rarity) transfers go by their NFT, and within it most recent first.
    """

    name = "Transfers by Token"
    filterset_class = TransferFilterSet

    def answer(self, filterset: TransferFilterSet, now: int) -> Answer:
        """Return the page of transfers that a query asks for."""
        walk = walk_of(TransferWalk, filterset, now)
        page = page_of("transfers", walk, filterset.options)
        records = transfer_records(page.row_ids, links=Links.of_request(self.request))
        return Answer(page, records, subject_of(walk.selection))

    def card(self, record: Record) -> Card:
        """Return what the browsable API shows of a record."""
        return transfer_card(record)
