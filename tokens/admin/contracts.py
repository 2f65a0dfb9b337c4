"""Operators' pages of contracts and of the trait values that their NFTs have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from core.backoffice import actions, html
from core.backoffice.changelist import Walk
from core.backoffice.tables import TableAdmin, lists_by
from tokens.admin import terms
from tokens.admin.columns import contract_text
from tokens.admin.marking import Marking
from tokens.admin.rarity import summary
from tokens.admin.withholding import Withholding
from tokens.models import Contract, TraitValue
from tokens.models.trait import label_key
from tokens.rarity import computing as rarity
from tokens.store import fetches, marks, withholding

AT_ONCE = 2_000
"""NFTs that a mark reaches within the request; more of them are left to `apply_marks`."""


@admin.register(Contract)
class ContractAdmin(Marking, Withholding, TableAdmin):
    """Contracts and collections: found by address or ENS name, and marked."""

    list_display = ("address_text", "chain", "name_text", "standard", "nft_count", "mark_text", "elsewhere")
    list_select_related = ("chain",)
    fieldsets = (
        (None, {"fields": ("address_text", "chain", "name", "symbol", "standard", "ens_name", "elsewhere")}),
        ("Mark", {"fields": ("mark_text", "marked_reason", "marks_pending")}),
        ("Takedown", {"fields": ("media_withheld", "withheld_reason", "media_pending")}),
        ("Numbers", {"fields": ("nft_count", "rarity_text")}),
    )
    readonly_fields = ("address_text", "mark_text", "elsewhere", "rarity_text")
    links = {"chain": Walk(("id",), "of chain {}")}
    lists = {
        "marked": Walk(("-id",), "marked", {"marked": True}),
        "withheld": Walk(("-id",), "media not served", {"media_withheld": True}),
        "applying": Walk(("id",), "marks being applied", {"marks_pending": True}),
    }
    searchable = "an address, or an ENS name"
    actions = ("mark", "unmark", "request_metadata", "request_rarity", "withhold", "release")

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by address or ENS name."""
        if not terms.is_contract_name(text):
            return None
        return rows.filter(id__in=[one.pk for one in terms.contracts_named(text)]).order_by("id")

    @admin.display(description="address")
    def address_text(self, contract: Contract) -> str:
        """The address; a chain's mints of no collection have none."""
        return str(contract)

    @admin.display(description="name")
    def name_text(self, contract: Contract) -> str:
        """The name, shortened."""
        return html.shortened(contract.name or html.NOTHING, 60)

    @admin.display(description="marked")
    def mark_text(self, contract: Contract) -> str:
        """Whether it is marked, and whether its NFTs have yet to follow."""
        text = html.NOTHING
        if contract.marked:
            text = html.shortened(contract.marked_reason or "no reason given", 60)
        return f"{text} (being applied)" if contract.marks_pending else text

    @admin.display(description="see also")
    def elsewhere(self, contract: Contract) -> str:
        """Lists of what belongs to it."""
        return lists_by("contract", contract.pk)

    @admin.display(description="rarity")
    def rarity_text(self, contract: Contract) -> str:
        """What the rarity of its NFTs rests on."""
        return summary(getattr(contract, "computed_rarity", None))

    @admin.action(description="Compute rarity", permissions=["operate"])
    def request_rarity(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Have the rarity computed, which takes longer than a request may."""
        actions.carry_out(
            request,
            queryset,
            lambda ids: rarity.request(ids, timezone.now()),
            "Asked for the rarity to be computed.",
            "The rarity of {count:,} contract(s) is to be computed: by fetch_metadata when it runs, or else by "
            "`manage.py compute_rarity --due`.",
        )

    @admin.action(description="Fetch the metadata of all NFTs again", permissions=["operate"])
    def request_metadata(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Have the metadata of the contracts' NFTs read again, whatever was found before."""

        def write(ids: list[int]) -> int:
            for contract_id in ids:
                reason = f"{request.user} asked for it."
                fetches.request_range(contract_id, *fetches.WHOLE, reason, timezone.now(), by_hand=True)
            return sum(Contract.objects.filter(id__in=ids).values_list("nft_count", flat=True))

        entry = "Asked for the metadata of all NFTs to be fetched again."
        actions.carry_out(
            request, queryset, write, entry, "The metadata of {count:,} NFT(s) will be fetched again."
        )

    def write_marks(self, ids: Sequence[int], marked: bool, reason: str) -> str:
        """Set the contracts' marks; the NFTs follow."""
        marks.mark_contracts(ids, marked, reason)
        return ""

    def write_withheld(self, ids: Sequence[int], withheld: bool, reason: str) -> None:
        """Take down, or let go, the media of all their NFTs."""
        if withheld:
            withholding.withhold_contracts(ids, reason)
        else:
            withholding.release_contracts(ids)

    def finish_withheld(self, ids: Sequence[int]) -> str:
        """Have the cached images follow as far as they are few; the rest is told."""
        pending = Contract.objects.filter(id__in=ids, media_pending=True)
        withholding.apply_pending(pending.filter(nft_count__lte=AT_ONCE).values_list("id", flat=True))
        left = pending.count()
        if not left:
            return ""
        return (
            f" The NFTs of {left:,} of them are many: their files are deleted by `cache_images` when it runs, or now "
            "by `manage.py apply_marks`."
        )

    def finish_marks(self, ids: Sequence[int]) -> str:
        """Have the NFTs follow as far as they are few; the rest is told."""
        pending = Contract.objects.filter(id__in=ids, marks_pending=True).order_by("nft_count", "id")
        total, small = 0, []
        for row_id, count in pending.values_list("id", "nft_count"):
            total += count
            if total > AT_ONCE:
                break
            small.append(row_id)
        marks.apply_pending(small)
        left = pending.count()
        if not left:
            return ""
        return (
            f" The NFTs of {left:,} of them are many: run `manage.py apply_marks` to have them follow now; "
            "the next load does it too."
        )


@admin.register(TraitValue)
class TraitValueAdmin(TableAdmin):
    """Trait values of contracts, with the number of NFTs that have them."""

    list_display = ("type_text", "value_text", "count", "contract_link")
    list_select_related = ("contract",)
    fields = ("type", "value", "count", "contract_link")
    readonly_fields = ("contract_link",)
    links = {"contract": Walk(("pair_key",), "of contract {}")}
    searchable = "a trait as queries name it, type-value"

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Find by the label's key."""
        return rows.filter(label_key=label_key(text)).order_by("contract_id") if "-" in text else None

    @admin.display(description="type")
    def type_text(self, trait: TraitValue) -> str:
        """The type; an untyped trait has none."""
        return html.shortened(trait.type or "(untyped)", 80)

    @admin.display(description="value")
    def value_text(self, trait: TraitValue) -> str:
        """The value, shortened."""
        return html.shortened(trait.value, 80)

    @admin.display(description="contract")
    def contract_link(self, trait: TraitValue) -> str:
        """The contract's page."""
        return html.row_link(Contract, trait.contract_id, contract_text(trait.contract))
