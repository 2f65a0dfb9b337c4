"""Operators' pages of metadata from off-chain: what is to be read and what came of it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from core.backoffice import actions, html, work
from core.backoffice.changelist import Walk
from core.backoffice.site import Page, add_page
from core.backoffice.tables import TableAdmin
from core.db.keys import token_id_from_key
from tokens.admin import metadata_overview, sections, terms
from tokens.admin.columns import OfNft, contract_text
from tokens.models import Contract, MetadataDocument, MetadataFetch, MetadataRefresh
from tokens.store import fetches

_WIDE = ("nft__uri", "nft__metadata", "nft__native", "nft__stated_markets")

add_page(
    Page(
        name="metadata",
        title="Metadata",
        permission="tokens.view_metadatafetch",
        template=work.TEMPLATE,
        context=metadata_overview.context,
        summary=metadata_overview.summary,
    )
)


class OfContract:
    """A column of a table whose rows belong to a contract."""

    @admin.display(description="contract")
    def contract_link(self, row: Any) -> str:
        """The contract's page."""
        return html.row_link(Contract, row.contract_id, contract_text(row.contract))


@admin.register(MetadataFetch)
class MetadataFetchAdmin(OfNft, TableAdmin):
    """NFTs whose metadata has been read or is to be, by what came of it."""

    list_display = (
        *("nft_link", "contract_link", "state", "attempts", "fault_text", "tried_at", "next_attempt_at"),
    )
    list_display_links = None
    list_select_related = ("nft", "contract")
    list_deferred = _WIDE
    fields = (
        *("nft_link", "contract_link", "chain", "state", "fault", "attempts", "tried_at"),
        *("next_attempt_at", "lease", "asked_again"),
    )
    readonly_fields = ("nft_link", "contract_link")
    links = {
        "contract": Walk(
            ("next_attempt_at",), "to be read, of contract {}", {"next_attempt_at__isnull": False}
        )
    }
    lists = {
        "due": Walk(
            ("next_attempt_at", "nft"), "to be read, the next first", {"next_attempt_at__isnull": False}
        ),
        **{state.value: Walk(("nft",), state.value, {"state": state.value}) for state in MetadataFetch.State},
    }
    searchable = "contract/token id, or a token id"
    actions = ("request_again",)

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by NFT."""
        return terms.of_nfts(rows, text, ("nft_id",))

    @admin.display(description="reason")
    def fault_text(self, row: MetadataFetch) -> str:
        """Why the last attempt gave no document, shortened."""
        return html.shortened(row.fault) or html.NOTHING

    @admin.action(description="Read again now", permissions=["operate"])
    def request_again(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Have the metadata read as if for the first time."""
        entry, told = "Asked for the metadata to be read again.", "{count:,} NFT(s) will be read again."

        def write(ids: list[int]) -> int:
            return fetches.request(ids, timezone.now(), by_hand=True)

        actions.carry_out(request, queryset, write, entry, told)


@admin.register(MetadataDocument)
class MetadataDocumentAdmin(OfNft, TableAdmin):
    """Documents as they came."""

    list_display = ("nft_link", "url_link", "media_type", "block_number", "fetched_at")
    list_display_links = ("media_type",)
    list_select_related = ("nft",)
    list_deferred = _WIDE
    fields = ("nft_link", "url_link", "media_type", "block_number", "fetched_at", "body_text")
    readonly_fields = ("nft_link", "url_link", "body_text")
    searchable = "contract/token id, or a token id"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Rows without their bodies, of which a page shows a part."""
        return super().get_queryset(request).defer("body")

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by NFT."""
        return terms.of_nfts(rows, text, ("nft_id",))

    @admin.display(description="URL")
    def url_link(self, document: MetadataDocument) -> str:
        """Where it was found."""
        return html.external(document.url)

    @admin.display(description="document")
    def body_text(self, document: MetadataDocument) -> str:
        """Its first part."""
        return sections.document(document.pk)


@admin.register(MetadataRefresh)
class MetadataRefreshAdmin(OfContract, TableAdmin):
    """Ranges of tokens that are to be read again, as far as they have not become work yet."""

    list_display = ("tokens", "contract_link", "reason_text", "requested_at")
    list_select_related = ("contract",)
    fields = ("contract_link", "tokens", "reason", "requested_at")
    readonly_fields = ("contract_link", "tokens")
    links = {"contract": Walk(("id",), "of contract {}")}
    actions = ("forget",)

    @admin.display(description="tokens still to come")
    def tokens(self, refresh: MetadataRefresh) -> str:
        """The range, in token ids."""
        last = "the last" if refresh.last_key >= fetches.LAST_KEY else token_id_from_key(refresh.last_key)
        first = token_id_from_key(refresh.next_key) or "the first"
        return f"{html.shortened(first, 40)} to {html.shortened(last, 40)}"

    @admin.display(description="reason")
    def reason_text(self, refresh: MetadataRefresh) -> str:
        """Who asked for it, shortened."""
        return html.shortened(refresh.reason) or html.NOTHING

    @admin.action(description="Do not read these again", permissions=["operate"])
    def forget(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Delete ranges; what has become work already stays."""

        def write(ids: list[int]) -> int:
            return MetadataRefresh.objects.filter(id__in=ids).delete()[0]

        actions.carry_out(request, queryset, write, "Deleted.", "{count:,} range(s) will not be read again.")
