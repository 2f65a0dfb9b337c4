"""Operators' pages of the cache of images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.template.response import TemplateResponse

from core.backoffice import actions, html, work
from core.backoffice.changelist import Walk
from core.backoffice.site import Page, add_page
from core.backoffice.tables import TableAdmin, lists_by
from core.db.writing import writing
from core.net.http.shown_uris import shown_uri
from media import overview, store, withholding
from media.links import file_url
from media.models import CachedImage, DoomedFile, WithheldContent, url_key
from media.renditions import TYPES_BY_EXTENSION
from media.serving import NAME

add_page(
    Page(
        name="images",
        title="Images",
        permission="media.view_cachedimage",
        template=work.TEMPLATE,
        context=overview.context,
        summary=overview.summary,
    )
)


@admin.register(CachedImage)
class CachedImageAdmin(TableAdmin):
    """Images by URL, with the state of their files."""

    list_display = (
        *("id", "thumbnail", "address", "state", "attempts", "next_attempt_at"),
        *("media_type", "size", "fault_text"),
    )
    fields = (
        *("thumbnail", "address", "state", "attempts", "tried_at", "next_attempt_at", "fault_text"),
        *(
            "withheld_reason",
            "media_type",
            "byte_size",
            "disk_size",
            "width",
            "height",
            "source_hash",
            "content_hash",
        ),
        *("original_path", "preview_path", "thumbnail_path", "shown_by"),
    )
    readonly_fields = ("thumbnail", "address", "fault_text", "shown_by", "size")
    lists = {
        "due": Walk(("next_attempt_at", "id"), "to be fetched", {"next_attempt_at__isnull": False}),
        **{state.value: Walk(("-id",), state.value, {"state": state.value}) for state in CachedImage.State},
    }
    searchable = "the image's URL, the hash or address of a cached file, or its id here"
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

    @admin.display(description="image")
    def thumbnail(self, image: CachedImage) -> str:
        """The cached thumbnail."""
        return html.picture(file_url(image.thumbnail_path) if image.thumbnail_path else "")

    @admin.display(description="URL")
    def address(self, image: CachedImage) -> str:
        """The third party's URL, as a link if it is one."""
        return html.external(image.url, shown_uri(image.url))

    @admin.display(description="on disk")
    def size(self, image: CachedImage) -> str:
        """Bytes of its files."""
        return filesizeformat(image.disk_size) if image.disk_size else html.NOTHING

    @admin.display(description="fault")
    def fault_text(self, image: CachedImage) -> str:
        """Why the last attempt failed."""
        return html.shortened(image.fault) or html.NOTHING

    @admin.display(description="shown by")
    def shown_by(self, image: CachedImage) -> str:
        """The NFTs that show it."""
        return lists_by("image", image.pk)

    @admin.action(description="Fetch the image again", permissions=["operate"])
    def request_again(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Set the images to pending."""
        entry, told = "Asked for the image to be fetched again.", "{count:,} image(s) will be fetched again."
        actions.carry_out(request, queryset, store.request_again, entry, told)

    @admin.action(description="Keep from being served…", permissions=["operate"])
    def withhold(self, request: HttpRequest, queryset: QuerySet[Any]) -> TemplateResponse | None:
        """Take the bytes down, under whatever URL they are, with a reason; their files are deleted at once."""
        ids = actions.chosen(request, queryset)
        if ids is None:
            return None
        question = f"Keep the content of {len(ids):,} image(s) from being served"
        answer = actions.ask_reason(self, request, ids, "withhold", question, required=True)
        if isinstance(answer, TemplateResponse):
            return answer
        with writing():
            count = withholding.withhold_content(ids, answer)
            actions.log(request, CachedImage, ids, f"Kept from being served. Reason: {answer}")
        files = withholding.delete_doomed()
        messages.success(
            request, f"{count:,} image(s) are kept from being served; {files:,} file(s) were deleted."
        )
        return None

    @admin.action(description="Serve again", permissions=["operate"])
    def release(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Let the bytes be served again: they are fetched anew."""

        def write(ids: Sequence[int]) -> int:
            return withholding.release_content(ids)

        actions.carry_out(
            request, queryset, write, "Let be served again.", "{count:,} image(s) will be fetched again."
        )


def _with_file(rows: QuerySet[Any], names: Sequence[str]) -> QuerySet[Any]:
    """Images of which one of these files is the original, else the preview, else the thumbnail."""
    found = [
        rows.filter(**{f"{path}__in": names, f"{path}__gt": ""}).order_by(path, "id")
        for path in withholding.PATHS
    ]
    return next((images for images in found if images.exists()), found[0])


@admin.register(WithheldContent)
class WithheldContentAdmin(TableAdmin):
    """Bytes that are kept from being served."""

    list_display = ("hash", "reason", "withheld_at")
    fields = ("hash", "reason", "withheld_at")
    everything = Walk(("hash",))


@admin.register(DoomedFile)
class DoomedFileAdmin(TableAdmin):
    """Files that are to be deleted."""

    list_display = ("name", "due_at", "deleted_at")
    fields = ("name", "due_at", "deleted_at")
    everything = Walk(("name",))
