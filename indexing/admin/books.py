"""Operators' pages of the order books that are read from outside, and of who keeps them."""

from __future__ import annotations

import time
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest

from core.addresses import is_evm_address, normalise_evm_address
from core.backoffice import columns, html
from core.backoffice.actions import Action
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.site import Line, add_section
from core.backoffice.tables import EditableTableAdmin, TableAdmin
from core.chains import EVM
from core.db import bulk
from core.db.states import COUNTED
from indexing.admin.progress import contract_page
from indexing.models import BookPage, BookSource, BookWalk
from indexing.orders import queue
from tokens.admin import terms
from tokens.models import Ask, Contract

LONGEST_SLUG = 200
MOST_FAILED = 5
"""Books that could not be read which the first page names."""
_REASONS = dict(Ask.Reason.choices)


def sources() -> list[tuple[str, str]]:
    """Return the sources that books are read from, as choices."""
    # Only this page needs it: what serves the API stays free of the indexer.
    from indexing.orders.sources import OpenSea, Reservoir

    return [(name, name) for name in (OpenSea.name, Reservoir.name)]


class BookForm(forms.ModelForm):  # type: ignore[type-arg]
    """A contract of which asks are to be read from a source."""

    source = forms.ChoiceField(choices=sources, help_text="Who keeps the book.")
    named = forms.CharField(
        required=False,
        label="further collections",
        help_text="What the source calls collections of the contract, beside the one that it names itself; by commas.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["named"] = ", ".join(self.instance.named)

    def clean_address(self) -> str:
        """Fold the address of an EVM chain."""
        address: str = self.cleaned_data["address"].strip()
        return normalise_evm_address(address) if is_evm_address(address) else address

    def clean_named(self) -> list[str]:
        """Take the list apart."""
        found = list(dict.fromkeys(one.strip() for one in self.cleaned_data["named"].split(",")))
        if any(len(one) > LONGEST_SLUG for one in found):
            raise ValidationError(f"Each has at most {LONGEST_SLUG} characters.")
        return [one for one in found if one]

    def clean(self) -> dict[str, Any]:
        """Hold the address against the chain."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        chain = data.get("chain")
        if chain is not None and chain.kind == EVM and not is_evm_address(data.get("address", "")):
            raise ValidationError({"address": "0x and 40 hexadecimal digits."})
        return data


def _counts(walk: BookWalk) -> list[tuple[str, str]]:
    """Return how many asks the source told of are live or not, and why, counted up to a limit, in one query."""
    contracts = list(
        Contract.objects.filter(chain=walk.chain_id, address=walk.address).values_list("id", flat=True)
    )
    if not contracts:
        return []
    looked_at = (
        f"SELECT active, valid_until <= %s AS is_over, reason FROM {Ask._meta.db_table} "  # noqa: S608 - our own name
        "WHERE contract_id = %s AND source = %s AND seen_at IS NOT NULL LIMIT %s"
    )
    rows = bulk.fetch(
        f"SELECT active, is_over, reason, count(*) FROM ({looked_at}) found GROUP BY active, is_over, reason",  # noqa: S608
        [int(time.time()), contracts[0], walk.source, COUNTED + 1],
    )
    found: dict[str, int] = {}
    for active, is_over, reason, count in rows:
        why = _REASONS.get(reason, reason) if not active else "its time is over" if is_over else ""
        name = f"not live: {why}" if why else "live"
        found[name] = found.get(name, 0) + count
    told = [(name, f"{count:,}") for name, count in sorted(found.items())]
    if sum(found.values()) > COUNTED:
        told.append(("in all", f"more than {COUNTED:,}, of which so many were looked at"))
    return told


def lines() -> list[Line]:
    """Return the books whose last reading failed, or that are stopped, and how many there are in all."""
    total = BookWalk.objects.order_by()[: COUNTED + 1].count()
    if not total:
        return []
    now = int(time.time())
    oldest = BookWalk.objects.exclude(state=BookWalk.State.STOPPED).order_by("read_at").first()
    stands = f"{total:,}"
    if oldest is not None and oldest.read_at is not None:
        stands += f", the one read longest ago {html.span(now - oldest.read_at)} ago"
    found = [Line("order books", stands, act=html.list_link(BookWalk, "list"))]
    for row in BookWalk.objects.filter(state=BookWalk.State.FAILED).select_related("chain")[:MOST_FAILED]:
        why = f"could not be read, {row.attempts:,} times in a row: {html.shortened(row.fault)}"
        named = html.row_link(BookWalk, row.pk, f"{row.chain} {html.short(row.address)}")
        found.append(Line(named, why, True, html.list_link(BookWalk, "read again", show="failed")))
    stopped = BookWalk.objects.filter(state=BookWalk.State.STOPPED).count()
    if stopped:
        found.append(
            Line(
                "stopped", f"{stopped:,} by an operator", act=html.list_link(BookWalk, "list", show="stopped")
            )
        )
    return found


add_section("Order books", "indexing.view_bookwalk", lines)


@admin.register(BookWalk)
class BookWalkAdmin(EditableTableAdmin):
    """Order books that are read from outside, a row a contract and source. Come here when asks are missing or stale.

    What a source shows no more is gone once a walk has come to its end. Books that are added here, or asked for, are
    read before all others by sync_asks --follow.
    """

    form = BookForm
    book = columns.short("address", "contract")
    read = columns.moment("read_at", "last whole walk began")
    completed = columns.moment("completed_at", "and ended")
    began = columns.moment("began_at", "walk at work began")
    changes = columns.moment("changes_at", "new listings known up to")
    next = Column("due (UTC)", lambda row: html.moment(row.next_at) if row.next_at else "now")
    asked_for = columns.moment("requested_at", "asked for")
    empty = columns.moment("empty_since", "shows nothing where it did since")
    fault_seen = columns.moment("fault_at", "last fault at")
    fault_text = columns.cut("fault", "last fault", 80)
    left = Column("left to be walked", lambda row: ", ".join(row.collections))
    state_text = Column("state", lambda row: f"{row.state}: {row.get_state_display()}")
    by_collection = Column(
        "orders by collection", lambda row: ", ".join(f"{one}: {n:,}" for one, n in row.last_shown_of.items())
    )
    why = Column(
        "refused because it", lambda row: "; ".join(f"{one}: {n:,}" for one, n in row.refusals.items()) or "–"
    )
    elsewhere = Column("see also", lambda row: contract_page(row.chain_id, row.address))
    list_display = (*("book", "chain", "source", "state", "read", "last_shown", "next", "fault_text"),)
    list_select_related = ("chain",)
    readonly_fields = (
        *("state_text", "asked_for", "next", "attempts", "sales"),
        *("read", "completed", "last_shown", "by_collection", "ended", "changes", "empty"),
        *(
            "began",
            "left",
            "pages",
            "shown",
            "refused",
            "why",
            "differing",
            "fault",
            "fault_seen",
            "elsewhere",
        ),
    )
    fixed = ("chain", "source", "address")
    fields = (*fixed, "named", *readonly_fields)
    change_form_template = "backoffice/explained_form.html"
    links = {"chain": Walk(("address",), "of chain {}")}
    lists = {
        state.value: Walk(("next_at", "id"), of_state, {"state": state.value})
        for state, of_state in (
            (BookWalk.State.WAITING, "that are read once they are due"),
            (BookWalk.State.WALKING, "that are being read"),
            (BookWalk.State.FAILED, "of which the last reading failed"),
            (BookWalk.State.STOPPED, "that an operator has stopped"),
        )
    }
    searchable = "a contract's address"

    walk_again = Action(
        short_description="Read again, before all others",
        write=lambda chosen: queue.request(chosen.ids, int(time.time())),
        entry="Asked for it to be read again.",
        told="{count:,} book(s) will be read next.",
    )
    stop = Action(
        short_description="Do not read any more",
        write=lambda chosen: queue.stop(chosen.ids),
        entry="Stopped from being read.",
        told="{count:,} book(s) will not be read any more, until somebody asks for them.",
    )
    actions = ("walk_again", "stop")

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        return terms.at_address(rows, text, "chain_id", "source")

    def get_fields(self, request: HttpRequest, obj: BookWalk | None = None) -> Any:
        """A new one has only what is to be read."""
        return self.fields if obj is not None else (*self.fixed, "named")

    def save_model(self, request: HttpRequest, obj: BookWalk, form: Any, change: bool) -> None:
        """Save what is to be read, beside the worker that may be at it; a new one is read first."""
        if change:
            obj.save(update_fields=["named"])
            return
        now = int(time.time())
        obj.pk = queue.add(obj.chain_id, obj.source, obj.address, obj.named, now).pk
        queue.request([obj.pk], now)

    explanation_title = "Its asks"

    def explanation_of(self, row: BookWalk) -> Any:
        """How many of its asks are live, and why the others are not."""
        return _counts(row)


@admin.register(BookPage)
class BookPageAdmin(TableAdmin):
    """Pages that walks at work have read; they go with the walk's end. Look here for how far a long walk has come."""

    walk_link = columns.link(BookWalk, "walk_id", "order book", lambda row: str(row.walk))
    count = Column("asks on it", lambda row: len(row.asks) // 8)
    list_display = ("walk_link", "place", "count")
    list_select_related = ("walk",)
    fields = list_display
    everything = Walk(("walk_id", "place"))


def _used(row: BookSource) -> str:
    """Return the share of the limit that was used when the source last told of it."""
    if not row.limit_most or row.limit_left is None:
        return "not told of"
    used = row.limit_most - row.limit_left
    anew = "" if row.limit_resets_at is None else f", anew at {html.moment(row.limit_resets_at)} UTC"
    return f"{used:,} of {row.limit_most:,} requests ({used / row.limit_most:.0%}){anew}"


@admin.register(BookSource)
class BookSourceAdmin(TableAdmin):
    """Who keeps the order books that are read, a row a chain.

    Look here for whether a reader is at work, and how much of its limit is used.
    """

    beat = columns.moment("beat_at", "last told of itself")
    used = Column("limit used", _used)
    elsewhere = columns.lists("chain", "chain_id", (BookWalk, "order books"))
    list_display = ("source", "chain", "beat", "used", "pages_total", "faults_total", "elsewhere")
    list_select_related = ("chain",)
    fields = list_display
    everything = Walk(("chain_id", "source"))
