"""Operators' pages of contracts and of the traits that their NFTs have."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from core.backoffice import columns, html
from core.backoffice.actions import Action, Chosen
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.site import Line, add_section
from core.backoffice.tables import TableAdmin
from tokens.admin import terms
from tokens.admin.actions import marking, withholding
from tokens.admin.columns import contract_text, to_contract
from tokens.admin.rarity import summary
from tokens.models import Contract, Nft, TraitValue
from tokens.models.trait import label_key
from tokens.rarity import computing as rarity
from tokens.store import fetches, marks
from tokens.store import withholding as takedowns

AT_ONCE = 2_000
"""NFTs that a mark reaches within the request; more of them are left to `apply_marks`."""


MOST_PENDING = 5
"""Contracts of which something is being applied that the first page names."""
COUNTED = 10_000
"""Marked rows up to which they are counted."""


def _mark_text(contract: Contract) -> str:
    text = html.NOTHING
    if contract.marked:
        text = html.shortened(contract.marked_reason or "no reason given", 60)
    return f"{text} (being applied)" if contract.marks_pending else text


def _mark(chosen: Chosen, marked: bool) -> int:
    marks.mark_contracts(chosen.ids, marked, chosen.reason)
    return len(chosen.ids)


def _marked(chosen: Chosen, count: int) -> str:
    """Have the NFTs follow as far as they are few; the rest is told."""
    pending = Contract.objects.filter(id__in=chosen.ids, marks_pending=True).order_by("nft_count", "id")
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


def _withhold(chosen: Chosen, withheld: bool) -> int:
    if withheld:
        takedowns.withhold_contracts(chosen.ids, chosen.reason)
    else:
        takedowns.release_contracts(chosen.ids)
    return len(chosen.ids)


def _withheld(chosen: Chosen, count: int) -> str:
    """Have the cached images follow as far as they are few; the rest is told."""
    pending = Contract.objects.filter(id__in=chosen.ids, media_pending=True)
    takedowns.apply_pending(pending.filter(nft_count__lte=AT_ONCE).values_list("id", flat=True))
    left = pending.count()
    if not left:
        return ""
    return (
        f" The NFTs of {left:,} of them are many: their files are deleted by `cache_images` when it runs, or now "
        "by `manage.py apply_marks`."
    )


def _request_metadata(chosen: Chosen) -> int:
    """Have the metadata of the contracts' NFTs read again, whatever was found before."""
    for contract_id in chosen.ids:
        reason = f"{chosen.user} asked for it."
        fetches.request_range(contract_id, *fetches.WHOLE, reason, timezone.now(), by_hand=True)
    return sum(Contract.objects.filter(id__in=chosen.ids).values_list("nft_count", flat=True))


def lines() -> list[Line]:
    """Return the contracts whose mark or takedown has not reached all of their NFTs yet."""
    found = []
    for flag, what in (("marks_pending", "mark"), ("media_pending", "takedown")):
        rows = Contract.objects.filter(**{flag: True}).select_related("chain").order_by("id")
        for row in rows[:MOST_PENDING]:
            named = html.row_link(Contract, row.pk, contract_text(row))
            stands = f"its {what} is being applied to {row.nft_count:,} NFTs: manage.py apply_marks ends it"
            found.append(Line(named, stands, True, html.row_link(Contract, row.pk, "contract")))
    marked = Contract.objects.filter(marked=True).order_by()[:COUNTED].count()
    own = Nft.objects.filter(own_marked=True).order_by()[:COUNTED].count()
    if marked:
        found.append(
            Line("marked contracts", f"{marked:,}", act=html.list_link(Contract, "list", show="marked"))
        )
    if own:
        found.append(Line("marked NFTs", f"{own:,}", act=html.list_link(Nft, "list", show="marked")))
    return found


add_section("Marks and takedowns", "tokens.view_contract", lines)


@admin.register(Contract)
class ContractAdmin(TableAdmin):
    """Contracts and collections of NFTs.

    Come here to mark or take down a whole collection, or to have its metadata or rarity done again.
    """

    address_text = Column("address", str)
    address_short = Column(
        "address", lambda contract: html.short(contract.address) if contract.address else str(contract)
    )
    name_text = columns.cut("name", "name", 60)
    mark_text = Column("marked", _mark_text)
    elsewhere = columns.lists_by("contract")
    rarity_text = Column("rarity", lambda contract: summary(getattr(contract, "computed_rarity", None)))
    list_display = ("address_short", "chain", "name_text", "standard", "nft_count", "mark_text", "elsewhere")
    list_select_related = ("chain",)
    fieldsets = (
        (None, {"fields": ("address_text", "chain", "name", "symbol", "standard", "ens_name", "elsewhere")}),
        ("Mark", {"fields": ("mark_text", "marked_reason", "marks_pending")}),
        ("Takedown", {"fields": ("media_withheld", "withheld_reason", "media_pending")}),
        ("Numbers", {"fields": ("nft_count", "rarity_text")}),
    )
    links = {"chain": Walk(("id",), "of chain {}")}
    lists = {
        "marked": Walk(("-id",), "marked", {"marked": True}),
        "withheld": Walk(("-id",), "media not served", {"media_withheld": True}),
        "applying": Walk(("id",), "marks being applied", {"marks_pending": True}),
    }
    searchable = "an address, or an ENS name"

    mark, unmark = marking(_mark, _marked)
    withhold, release = withholding(_withhold, _withheld)
    request_metadata = Action(
        short_description="Fetch the metadata of all NFTs again",
        write=_request_metadata,
        entry="Asked for the metadata of all NFTs to be fetched again.",
        told="The metadata of {count:,} NFT(s) will be fetched again.",
    )
    request_rarity = Action(
        short_description="Compute rarity",
        write=lambda chosen: rarity.request(chosen.ids, timezone.now()),
        entry="Asked for the rarity to be computed.",
        told="The rarity of {count:,} contract(s) is to be computed: by fetch_metadata when it runs, or else by "
        "`manage.py compute_rarity --due`.",
    )
    actions = ("mark", "unmark", "request_metadata", "request_rarity", "withhold", "release")

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return terms.of_contracts(rows, text)

    def title_of(self, row: Contract) -> str:
        """The contract's name, or else its address."""
        return html.shortened(row.name or str(row))


@admin.register(TraitValue)
class TraitValueAdmin(TableAdmin):
    """Traits, with the number of a contract's NFTs that have each. Look here when a query by a trait finds nothing."""

    type_text = Column("type", lambda trait: html.shortened(trait.type or "(untyped)", 80))
    value_text = columns.cut("value", "value", 80)
    contract_link = to_contract()
    list_display = ("type_text", "value_text", "count", "contract_link")
    list_select_related = ("contract",)
    fields = ("type", "value", "count", "contract_link")
    links = {"contract": Walk(("pair_key",), "of contract {}")}
    searchable = "a trait as queries name it, type-value"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Those of contracts; a chain's are theirs once more."""
        return super().get_queryset(request).filter(contract__isnull=False)

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return rows.filter(label_key=label_key(text)).order_by("contract_id") if "-" in text else None
