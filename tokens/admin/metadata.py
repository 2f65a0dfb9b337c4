"""Operators' pages of metadata from off-chain: what is to be read and what came of it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from core.backoffice import columns, html, queues
from core.backoffice.actions import Action
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.site import Page, add_page, add_section
from core.backoffice.tables import TableAdmin
from core.db.keys import token_id_from_key
from tokens.admin import metadata_overview, sections
from tokens.admin.columns import OfNft, to_contract
from tokens.models import MetadataDocument, MetadataFetch, MetadataRefresh
from tokens.store import fetches

_DUE = {"next_attempt_at__isnull": False}

add_page(
    Page(
        name="metadata",
        title="Metadata",
        permission="tokens.view_metadatafetch",
        template=queues.TEMPLATE,
        context=metadata_overview.context,
    )
)
add_section("Metadata", "tokens.view_metadatafetch", metadata_overview.lines)


@admin.register(MetadataFetch)
class MetadataFetchAdmin(OfNft):
    """NFTs whose metadata was read, or is to be read. Look here when an NFT has no metadata, or an old one."""

    state_text = columns.plain("state", "state")
    fault_text = columns.cut("fault", "reason")
    list_display = (
        *("nft_link", "contract_link", "state_text", "attempts", "fault_text", "tried_at", "next_attempt_at"),
    )
    list_display_links = None
    fields = (
        *("nft_link", "contract_link", "chain", "state", "fault", "attempts", "tried_at"),
        *("next_attempt_at", "lease", "asked_again"),
    )
    links = {"contract": Walk(("next_attempt_at",), "to be read, of contract {}", _DUE, "nft.contract")}
    lists = {
        "due": Walk(("next_attempt_at", "nft"), "to be read, the next first", _DUE),
        **{state.value: Walk(("nft",), state.value, {"state": state.value}) for state in MetadataFetch.State},
    }
    request_again = Action(
        short_description="Read again now",
        write=lambda chosen: fetches.request(chosen.ids, timezone.now(), by_hand=True),
        entry="Asked for the metadata to be read again.",
        told="{count:,} NFT(s) will be read again.",
    )
    actions = ("request_again",)


@admin.register(MetadataDocument)
class MetadataDocumentAdmin(OfNft):
    """The documents with metadata as they came. Look here when what is shown differs from them."""

    url_link = columns.external("url", "URL")
    body_text = Column("document", lambda row: sections.document(row.pk))
    list_display = ("nft_link", "contract_link", "url_link", "media_type", "block_number", "fetched_at")
    list_display_links = ("media_type",)
    fields = (
        "nft_link",
        "contract_link",
        "url_link",
        "media_type",
        "block_number",
        "fetched_at",
        "body_text",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Rows without their bodies, of which a page shows a part."""
        return super().get_queryset(request).defer("body")


def _tokens(refresh: MetadataRefresh) -> str:
    """Return the range, in token ids."""
    last = "the last" if refresh.last_key >= fetches.LAST_KEY else token_id_from_key(refresh.last_key)
    first = token_id_from_key(refresh.next_key) or "the first"
    return f"{html.shortened(first, 40)} to {html.shortened(last, 40)}"


@admin.register(MetadataRefresh)
class MetadataRefreshAdmin(TableAdmin):
    """Ranges of tokens whose metadata is to be read again, as far as it is not in the queue yet.

    Come here to stop a large refresh that a contract, or somebody, asked for.
    """

    tokens = Column("tokens still to come", _tokens)
    contract_link = to_contract()
    reason_text = columns.cut("reason", "reason")
    list_display = ("tokens", "contract_link", "reason_text", "requested_at")
    list_select_related = ("contract",)
    fields = ("contract_link", "tokens", "reason", "requested_at")
    links = {"contract": Walk(("id",), "of contract {}")}
    forget = Action(
        short_description="Do not read these again",
        write=lambda chosen: MetadataRefresh.objects.filter(id__in=chosen.ids).delete()[0],
        entry="Deleted.",
        told="{count:,} range(s) will not be read again.",
    )
    actions = ("forget",)

    def title_of(self, row: MetadataRefresh) -> str:
        """The contract and the range."""
        return f"metadata of {row.contract}: {_tokens(row)}"
