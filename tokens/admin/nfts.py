"""Operators' pages of NFTs, their owners and what sources stated of them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html

from core.addresses import is_evm_address
from core.backoffice import columns, html
from core.backoffice.actions import Action, Chosen
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.tables import TableAdmin
from core.net.http.data_uris import is_data_uri
from core.net.http.shown_uris import shown_uri
from media import store as image_store
from media.links import file_url
from media.models import CachedImage, url_key
from media.withholding import delete_doomed
from tokens.admin import sections, terms
from tokens.admin.actions import marking, withholding
from tokens.admin.columns import OfNft, nft_title, to_contract
from tokens.models import Nft, Owner, StatedOwnership, WideHolder
from tokens.store import fetches, marks
from tokens.store import withholding as takedowns

_BY_CONTRACT = ("token_key",)


def _thumbnail(nft: Nft) -> str:
    path = "" if nft.image is None else nft.image.thumbnail_path
    return html.picture(file_url(path) if path else "")


def _image_link(nft: Nft) -> str:
    """Return a link to the image's row and its third-party URL."""
    if nft.image is None:
        return html.NOTHING
    row = html.row_link(CachedImage, nft.image.pk, nft.image.state)
    return format_html("{} · {}", row, html.external(nft.image.url, shown_uri(nft.image.url)))


def _mark_text(nft: Nft) -> str:
    """Return whether it is marked, and through what."""
    if nft.own_marked:
        return "itself: " + html.shortened(nft.marked_reason or "no reason given", 60)
    return "through its contract" if nft.marked else html.NOTHING


def _still_marked(chosen: Chosen, still: int) -> str:
    return f" {still:,} of them stay marked through their contracts." if still else ""


def _withhold(chosen: Chosen, withheld: bool) -> int:
    if withheld:
        return takedowns.withhold_nfts(chosen.ids, chosen.reason)
    return takedowns.release_nfts(chosen.ids)


def _request_images(chosen: Chosen) -> int:
    images = Nft.objects.filter(id__in=chosen.ids, image__isnull=False).values_list("image_id", flat=True)
    return image_store.request_again(sorted({image for image in images if image is not None}))


@admin.register(Nft)
class NftAdmin(TableAdmin):
    """NFTs, with what is known of each.

    Come here to mark one, to take its media down, or to have its metadata or image fetched again.
    """

    name = Column("NFT", nft_title)
    token = columns.plain("token_id", "token id")
    token_short = columns.short("token_id", "token id")
    thumbnail = Column("image", _thumbnail)
    image_link = Column("image source", _image_link)
    contract_link = to_contract()
    mark_text = Column("marked", _mark_text)
    elsewhere = columns.lists_by("nft")
    owner_rows = Column("owners", sections.owners)
    rarity_text = columns.number("rarity", "rarity")
    rank_text = columns.number("rank", "rank")
    trait_rows = Column("traits", sections.traits)
    market_rows = Column("marketplaces", sections.markets)
    fetch_state = Column("state", sections.fetch_state)
    uri_link = columns.external("uri", "token URI", shown_uri)
    metadata_text = columns.json("metadata", "metadata")
    document_text = Column("document as it came", lambda nft: sections.document(nft.pk))
    native_text = columns.json("native", "native")
    list_display = (
        "name",
        "token_short",
        "thumbnail",
        "contract_link",
        "chain",
        "mark_text",
        "rank_text",
        "elsewhere",
    )
    list_display_links = ("name",)
    list_select_related = ("contract", "chain", "image")
    list_deferred = ("uri", "native", "stated_markets")
    fieldsets = (
        (None, {"fields": ("token", "contract_link", "chain", "thumbnail", "image_link", "elsewhere")}),
        (
            "Mark and takedown",
            {"fields": ("mark_text", "marked_reason", "media_withheld", "withheld_reason")},
        ),
        ("Owners", {"fields": ("owner_rows",)}),
        ("Traits and marketplaces", {"fields": ("rarity_text", "rank_text", "trait_rows", "market_rows")}),
        (
            "Metadata",
            {"fields": ("fetch_state", "uri_link", "metadata_text", "document_text", "native_text")},
        ),
        ("Also", {"fields": ("minter", "stated_minter", "transferred")}),
    )
    links = {
        "contract": Walk(_BY_CONTRACT, "of contract {}"),
        "chain": Walk(("token_key", "id"), "of chain {}"),
        "image": Walk(("image_id",), "with image {}"),
    }
    lists = {"marked": Walk(("-id",), "marked themselves", {"own_marked": True})}
    searchable = (
        "a token id (decimal or 0x hexadecimal), contract/token id, a mint, a contract's address or ENS name, "
        "the URL of an image"
    )

    mark, unmark = marking(
        lambda chosen, marked: marks.mark_nfts(chosen.ids, marked, chosen.reason), _still_marked
    )
    withhold, release = withholding(_withhold, lambda *_: f" {delete_doomed():,} file(s) were deleted.")
    request_image = Action(
        short_description="Fetch the image again",
        write=_request_images,
        entry="Asked for the image to be fetched again.",
        told="{count:,} image(s) will be fetched again.",
    )
    request_metadata = Action(
        short_description="Fetch the metadata again",
        write=lambda chosen: fetches.request(chosen.ids, timezone.now(), by_hand=True),
        entry="Asked for the metadata to be fetched again.",
        told="The metadata of {count:,} NFT(s) will be fetched again.",
    )
    actions = ("mark", "unmark", "request_image", "request_metadata", "withhold", "release")

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
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

    def title_of(self, row: Nft) -> str:
        """The NFT's name, or what it is known by."""
        return nft_title(row)


@admin.register(Owner)
class OwnerAdmin(OfNft):
    """Who holds each NFT, and who held it before. Look here when an owner, or a balance, looks wrong."""

    since = columns.moment("entered_at", "since")
    list_display = ("address", "amount", "nft_link", "contract_link", "since")
    fields = (
        *("address", "amount", "nft_link", "contract_link", "since"),
        *("entered_at_block", "updated_at_block"),
    )
    links = {"nft": Walk(("address",), "of NFT {}")}
    found_in = ("nft_id", "address")


@admin.register(WideHolder)
class WideHolderAdmin(TableAdmin):
    """Addresses that hold, or once held, very many NFTs: escrows, collectors. Come here to see how many."""

    list_display = ("address", "nfts")
    fields = list_display
    searchable = "the address"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return rows.filter(address=text.lower() if is_evm_address(text) else text).order_by("id")


@admin.register(StatedOwnership)
class StatedOwnershipAdmin(OfNft):
    """Owners as loaded files stated them. Look here when an owner does not follow from the transfers that are known."""

    owners_text = columns.cut("owners", "owners")
    list_display = ("nft_link", "contract_link", "owners_text", "as_of_block", "as_of", "pending")
    list_display_links = None
    fields = list_display
    lists = {"pending": Walk(("nft_id",), "not yet applied", {"pending": True})}
