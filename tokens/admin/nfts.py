"""Operators' pages of NFTs, their owners and what sources stated of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html

from core.backoffice import actions, html
from core.backoffice.changelist import Walk
from core.backoffice.tables import TableAdmin, lists_by
from core.net.http.data_uris import is_data_uri
from core.net.http.shown_uris import shown_uri
from media import store as image_store
from media.links import file_url
from media.models import CachedImage, url_key
from media.withholding import delete_doomed
from tokens.admin import sections, terms
from tokens.admin.columns import OfNft, contract_text
from tokens.admin.marking import Marking
from tokens.admin.withholding import Withholding
from tokens.models import Contract, Nft, Owner, StatedOwnership
from tokens.store import fetches, marks, withholding

_BY_CONTRACT = ("token_key",)


@admin.register(Nft)
class NftAdmin(Marking, Withholding, TableAdmin):
    """NFTs: found by token id or contract, marked, and their metadata and images asked for again."""

    list_display = (
        *("token", "thumbnail", "contract_link", "chain", "mark_text", "rarity"),
        "elsewhere",
    )
    list_display_links = ("token",)
    list_select_related = ("contract", "chain", "image")
    list_deferred = ("uri", "metadata", "native", "stated_markets")
    fieldsets = (
        (None, {"fields": ("token", "contract_link", "chain", "thumbnail", "image_link", "elsewhere")}),
        ("Mark", {"fields": ("mark_text", "marked_reason", "media_withheld", "withheld_reason")}),
        ("Owners", {"fields": ("owner_rows",)}),
        ("Traits and marketplaces", {"fields": ("rarity", "rank", "trait_rows", "market_rows")}),
        (
            "Metadata",
            {"fields": ("fetch_state", "uri_link", "metadata_text", "document_text", "native_text")},
        ),
        ("Also", {"fields": ("minter", "stated_minter", "transferred")}),
    )
    readonly_fields = (
        *("token", "contract_link", "thumbnail", "image_link", "elsewhere", "mark_text", "owner_rows"),
        *("trait_rows", "market_rows", "uri_link", "metadata_text", "native_text"),
        *("fetch_state", "document_text"),
    )
    links = {
        "contract": Walk(_BY_CONTRACT, "of contract {}"),
        "chain": Walk(("token_key", "id"), "of chain {}"),
        "image": Walk(("image_id",), "with image {}"),
    }
    lists = {
        "marked": Walk(("-id",), "marked themselves", {"own_marked": True}),
    }
    searchable = (
        "a token id (decimal or 0x hexadecimal), contract/token id, a mint, a contract's address or ENS name, "
        "the URL of an image"
    )
    actions = ("mark", "unmark", "request_image", "request_metadata", "withhold", "release")

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by contract, by token id, by both, or by image."""
        if terms.is_contract_name(text):
            contract = terms.contract_of(request, text, Nft)
            if contract is not None:
                return rows.filter(contract_id=contract.pk).order_by(*_BY_CONTRACT)
        named = terms.nfts_named(text)
        if named is not None:
            order = ("contract_id", "token_key") if "/" in text else ("token_key", "id")
            return rows.filter(named).order_by(*order)
        if "://" in text or is_data_uri(text):
            found = CachedImage.objects.filter(key=url_key(text)).values_list("id", flat=True)
            return rows.filter(image_id__in=list(found)).order_by("image_id")
        return rows.none() if terms.is_contract_name(text) else None

    @admin.display(description="token id")
    def token(self, nft: Nft) -> str:
        """The token id, in canonical form."""
        return nft.token_id

    @admin.display(description="image")
    def thumbnail(self, nft: Nft) -> str:
        """The cached thumbnail."""
        path = "" if nft.image is None else nft.image.thumbnail_path
        return html.picture(file_url(path) if path else "")

    @admin.display(description="image source")
    def image_link(self, nft: Nft) -> str:
        """The image's row and its third-party URL."""
        if nft.image is None:
            return html.NOTHING
        row = html.row_link(CachedImage, nft.image.pk, nft.image.state)
        return format_html("{} · {}", row, html.external(nft.image.url, shown_uri(nft.image.url)))

    @admin.display(description="contract")
    def contract_link(self, nft: Nft) -> str:
        """The contract's page."""
        return html.row_link(Contract, nft.contract_id, contract_text(nft.contract))

    @admin.display(description="marked")
    def mark_text(self, nft: Nft) -> str:
        """Whether it is marked, and through what."""
        if nft.own_marked:
            return "itself: " + html.shortened(nft.marked_reason or "no reason given", 60)
        return "through its contract" if nft.marked else html.NOTHING

    @admin.display(description="see also")
    def elsewhere(self, nft: Nft) -> str:
        """Lists of what belongs to it."""
        return lists_by("nft", nft.pk)

    @admin.display(description="owners")
    def owner_rows(self, nft: Nft) -> str:
        """The first holders."""
        return sections.owners(nft)

    @admin.display(description="traits")
    def trait_rows(self, nft: Nft) -> str:
        """The first traits."""
        return sections.traits(nft)

    @admin.display(description="marketplaces")
    def market_rows(self, nft: Nft) -> str:
        """The first marketplaces."""
        return sections.markets(nft)

    @admin.display(description="token URI")
    def uri_link(self, nft: Nft) -> str:
        """Where the metadata lies."""
        return html.external(nft.uri, nft.uri and shown_uri(nft.uri))

    @admin.display(description="metadata")
    def metadata_text(self, nft: Nft) -> str:
        """The metadata, indented."""
        return sections.json_text(nft.metadata)

    @admin.display(description="state")
    def fetch_state(self, nft: Nft) -> str:
        """What came of the last attempt to read the metadata, and when the next one is."""
        return sections.fetch_state(nft)

    @admin.display(description="document as it came")
    def document_text(self, nft: Nft) -> str:
        """What the metadata was read from."""
        return sections.document(nft.pk)

    @admin.display(description="native")
    def native_text(self, nft: Nft) -> str:
        """The native facts, indented."""
        return sections.json_text(nft.native)

    def write_withheld(self, ids: Sequence[int], withheld: bool, reason: str) -> None:
        """Take down, or let go, the media of NFTs."""
        if withheld:
            withholding.withhold_nfts(ids, reason)
        else:
            withholding.release_nfts(ids)

    def finish_withheld(self, ids: Sequence[int]) -> str:
        """Delete the files that were cached for them alone."""
        return f" {delete_doomed():,} file(s) were deleted."

    def write_marks(self, ids: Sequence[int], marked: bool, reason: str) -> str:
        """Mark NFTs, at once."""
        still = marks.mark_nfts(ids, marked, reason)
        return f" {still:,} of them stay marked through their contracts." if still else ""

    @admin.action(description="Fetch the image again", permissions=["operate"])
    def request_image(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Set the images of the NFTs to pending."""

        def write(ids: list[int]) -> int:
            images = Nft.objects.filter(id__in=ids, image_id__isnull=False).values_list("image_id", flat=True)
            return image_store.request_again(sorted({image for image in images if image is not None}))

        entry, told = "Asked for the image to be fetched again.", "{count:,} image(s) will be fetched again."
        actions.carry_out(request, queryset, write, entry, told)

    @admin.action(description="Fetch the metadata again", permissions=["operate"])
    def request_metadata(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Put the NFTs into the queue of metadata."""

        def write(ids: list[int]) -> int:
            return fetches.request(ids, timezone.now(), by_hand=True)

        entry, told = (
            "Asked for the metadata to be fetched again.",
            "The metadata of {count:,} NFT(s) will be fetched again.",
        )
        actions.carry_out(request, queryset, write, entry, told)


@admin.register(Owner)
class OwnerAdmin(TableAdmin):
    """Holders of NFTs, and former ones."""

    list_display = ("address", "amount", "nft_link", "contract_link", "since")
    list_select_related = ("nft__contract",)
    list_deferred = ("nft__uri", "nft__metadata", "nft__native", "nft__stated_markets")
    fields = (
        "address",
        "amount",
        "nft_link",
        "contract_link",
        "since",
        "entered_at_block",
        "updated_at_block",
    )
    readonly_fields = ("nft_link", "contract_link", "since")
    links = {"nft": Walk(("address",), "of NFT {}")}
    searchable = "contract/token id, or a token id"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by NFT."""
        return terms.of_nfts(rows, text, ("nft_id", "address"))

    @admin.display(description="NFT")
    def nft_link(self, owner: Owner) -> str:
        """The NFT's page."""
        return html.row_link(Nft, owner.nft_id, html.shortened(owner.nft.token_id, 24))

    @admin.display(description="contract")
    def contract_link(self, owner: Owner) -> str:
        """The contract's page."""
        return html.row_link(Contract, owner.nft.contract_id, contract_text(owner.nft.contract))

    @admin.display(description="since (UTC)")
    def since(self, owner: Owner) -> str:
        """When it first held the NFT."""
        return html.moment(owner.entered_at)


@admin.register(StatedOwnership)
class StatedOwnershipAdmin(OfNft, TableAdmin):
    """Owners as sources stated them."""

    list_display = ("nft_link", "owners_text", "as_of_block", "as_of", "pending")
    list_display_links = None
    list_select_related = ("nft",)
    list_deferred = ("nft__uri", "nft__metadata", "nft__native", "nft__stated_markets")
    fields = ("nft_link", "owners_text", "as_of_block", "as_of", "pending")
    readonly_fields = ("nft_link", "owners_text")
    lists = {"pending": Walk(("nft_id",), "not yet applied", {"pending": True})}
    searchable = "contract/token id, or a token id"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by NFT."""
        return terms.of_nfts(rows, text, ("nft_id",))

    @admin.display(description="owners")
    def owners_text(self, stated: StatedOwnership) -> str:
        """The JSON list, shortened."""
        return html.shortened(stated.owners)
