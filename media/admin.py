"""Operators' pages of the cache of images."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from media import store
from media.models import CachedImage, url_key
from nftsite.backoffice import actions, html
from nftsite.backoffice.changelist import Walk
from nftsite.backoffice.tables import TableAdmin
from nftsite.net.shown_uris import shown_uri


@admin.register(CachedImage)
class CachedImageAdmin(TableAdmin):
    """Images by URL, with the state of their files."""

    list_display = (
        "id",
        "thumbnail",
        "address",
        "state",
        "attempts",
        "next_attempt_at",
        "media_type",
        "fault_text",
    )
    fields = (
        *("thumbnail", "address", "state", "attempts", "next_attempt_at", "lease_until", "fault_text"),
        *("media_type", "byte_size", "width", "height", "content_hash"),
        *("original_path", "preview_path", "thumbnail_path", "shown_by"),
    )
    readonly_fields = ("thumbnail", "address", "fault_text", "shown_by")
    lists = {
        "pending": Walk(("next_attempt_at", "id"), "to be fetched", {"state": "pending"}),
        "failed": Walk(("-id",), "failed for good", {"state": "failed"}),
    }
    searchable = "the image's URL, or its id here"
    actions = ("request_again",)

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by the key of the URL, or by id."""
        if ":" in text:
            return rows.filter(key=url_key(text)).order_by("key")
        is_id = text.isascii() and text.isdigit() and len(text) < 19
        return rows.filter(id=int(text)).order_by("id") if is_id else None

    @admin.display(description="image")
    def thumbnail(self, image: CachedImage) -> str:
        """The cached thumbnail."""
        return html.picture(image.state, image.thumbnail_path)

    @admin.display(description="URL")
    def address(self, image: CachedImage) -> str:
        """The third party's URL, as a link if it is one."""
        return html.external(image.url, shown_uri(image.url))

    @admin.display(description="fault")
    def fault_text(self, image: CachedImage) -> str:
        """Why the last attempt failed."""
        return html.shortened(image.fault) or html.NOTHING

    @admin.display(description="shown by")
    def shown_by(self, image: CachedImage) -> str:
        """The NFTs that show it."""
        return html.list_link(CachedImage._meta.get_field("nfts").related_model, "NFTs", image=image.pk)

    @admin.action(description="Fetch the image again", permissions=["operate"])
    def request_again(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Set the images to pending."""
        entry, told = "Asked for the image to be fetched again.", "{count:,} image(s) will be fetched again."
        actions.carry_out(request, queryset, store.request_again, entry, told)
