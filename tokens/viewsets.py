"""NFTs by Token over HTTP."""

from __future__ import annotations

from core.rest.cards import Card
from core.rest.openapi import documented
from core.rest.records import Record
from core.rest.views import Answer, OperationView
from media.links import Links
from tokens.engine.walk import NftWalk
from tokens.query.filters import NftFilterSet
from tokens.query.paging import page_of, subject_of, walk_of
from tokens.records.cards import nft_card
from tokens.records.examples import NFT_PAGE
from tokens.records.serializers import NftPageSerializer, nft_records


@documented("nftsByToken", "NFTs by Token", NftFilterSet, NftPageSerializer, NFT_PAGE)
class NftsByToken(OperationView[NftFilterSet]):
    """NFTs of a contract, by token id, trait, marketplace or price, with their metadata, owners and last transfer.

    All filters given must hold; a list that is given but empty gives no item. nextCursor is absent on the last page;
    a cursor belongs to the filters and the order it came from. An NFT whose place in the order does not change
    meanwhile appears in a walk exactly once; one that is transferred, or whose asks open or end, may appear again or
    not at all.
    """

    name = "NFTs by Token"
    filterset_class = NftFilterSet

    def answer(self, filterset: NftFilterSet, now: int) -> Answer:
        """Return the page of NFTs that a query asks for."""
        options, walk = filterset.options, walk_of(NftWalk, filterset, now)
        page = page_of("nfts", walk, options)
        found = nft_records(
            page.row_ids,
            now=now,
            links=Links.of_request(self.request),
            last_transfers=options.include_last_transfer,
            due=walk.due,
        )
        return Answer(page, found.records, subject_of(walk.selection), found.first_end)

    def card(self, record: Record) -> Card:
        """Return what the browsable API shows of a record."""
        return nft_card(record)
