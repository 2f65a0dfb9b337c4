"""Operators' pages of the cache of images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat

from core.backoffice import columns, html, queues
from core.backoffice.actions import Action
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.site import Page, add_page, add_section
from core.backoffice.tables import TableAdmin
from core.net.http.shown_uris import shown_uri
from media import overview, store, withholding
from media.files import TYPES_BY_EXTENSION
from media.links import file_url
from media.models import CachedImage, DoomedFile, WithheldContent, url_key
from media.serving import NAME

add_page(
    Page(
        name="images",
        title="Images",
        permission="media.view_cachedimage",
        template=queues.TEMPLATE,
        context=overview.context,
    )
)
add_section("Images", "media.view_cachedimage", overview.lines)
add_section("Disk", "media.view_cachedimage", overview.disk_lines)


def _thumbnail(image: CachedImage) -> str:
    return html.picture(file_url(image.thumbnail_path) if image.thumbnail_path else "")


def _size(image: CachedImage) -> str | None:
    return filesizeformat(image.disk_size) if image.disk_size else None


@admin.register(CachedImage)
class CachedImageAdmin(TableAdmin):
    """Images that NFTs show, by URL, with the state of their files.

    Come here when a picture is missing, and to keep one from being served.
    """

    thumbnail = Column("image", _thumbnail)
    address = columns.external("url", "URL", shown_uri)
    state_text = columns.plain("state", "state")
    size = Column("on disk", _size)
    fault_text = columns.cut("fault", "fault")
    shown_by = columns.lists_by("image")
    list_display = (
        *("id", "thumbnail", "address", "state_text", "attempts", "next_attempt_at"),
        *("media_type", "size", "fault_text"),
    )
    fields = (
        *("thumbnail", "address", "state", "attempts", "tried_at", "next_attempt_at", "fault_text"),
        *("withheld_reason", "media_type", "byte_size", "size", "width", "height"),
        *("source_hash", "content_hash", "original_path", "preview_path", "thumbnail_path", "shown_by"),
    )
    lists = {
        "due": Walk(("next_attempt_at", "id"), "to be fetched", {"next_attempt_at__isnull": False}),
        **{state.value: Walk(("-id",), state.value, {"state": state.value}) for state in CachedImage.State},
    }
    searchable = "the image's URL, the hash or address of a cached file, or its id here"

    request_again = Action(
        short_description="Fetch the image again",
        write=lambda chosen: store.request_again(chosen.ids),
        entry="Asked for the image to be fetched again.",
        told="{count:,} image(s) will be fetched again.",
    )
    withhold = Action(  # under whatever URL the bytes are; their files are deleted at once
        short_description="Keep from being served…",
        question="Keep the content of {chosen:,} image(s) from being served",
        needs_reason=True,
        write=lambda chosen: withholding.withhold_content(chosen.ids, chosen.reason),
        entry="Kept from being served. Reason: {reason}",
        told="{count:,} image(s) are kept from being served;",
        after=lambda *_: f" {withholding.delete_doomed():,} file(s) were deleted.",
    )
    release = Action(
        short_description="Serve again",
        write=lambda chosen: withholding.release_content(chosen.ids),
        entry="Let be served again.",
        told="{count:,} image(s) will be fetched again.",
    )
    actions = ("request_again", "withhold", "release")

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by the key of the URL, by the name of a file, by the hash of what was fetched or is served, or by id."""
        name = NAME.search(text)
        if name is not None:
            return _with_file(rows, [name[0]])
        if ":" in text:
            return rows.filter(key=url_key(text)).order_by("key")
        if len(text) == 64:
            sha256 = text.lower()
            fetched = rows.filter(source_hash=sha256, source_hash__gt="").order_by("source_hash", "id")
            served = [f"{sha256[:2]}/{sha256[2:]}.{extension}" for extension in TYPES_BY_EXTENSION]
            return fetched if fetched.exists() else _with_file(rows, served)
        is_id = text.isascii() and text.isdigit() and len(text) < 19
        return rows.filter(id=int(text)).order_by("id") if is_id else None


def _with_file(rows: QuerySet[Any], names: Sequence[str]) -> QuerySet[Any]:
    """Images of which one of these files is the original, else the preview, else the thumbnail."""
    found = [
        rows.filter(**{f"{path}__in": names, f"{path}__gt": ""}).order_by(path, "id")
        for path in withholding.PATHS
    ]
    return next((images for images in found if images.exists()), found[0])


@admin.register(WithheldContent)
class WithheldContentAdmin(TableAdmin):
    """Contents that are kept from being served, wherever they are found. Look here for what was taken down, and why."""

    list_display = ("hash", "reason", "withheld_at")
    fields = list_display
    everything = Walk(("hash",))


@admin.register(DoomedFile)
class DoomedFileAdmin(TableAdmin):
    """Cached files that nothing shows any more. Look here when the disk does not shrink.

    They are deleted once answers that still link to them are out of use; what was deleted is listed for another day.
    """

    list_display = ("name", "due_at", "deleted_at")
    fields = list_display
    everything = Walk(("name",))
