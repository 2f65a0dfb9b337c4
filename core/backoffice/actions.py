"""Actions on chosen rows: choose, give a reason where one is asked for, do and log it together, tell what was done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import helpers
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse

from core.db.writing import writing

MOST_CHOSEN = 5_000
"""Rows that one action may be asked for: fewer than the fields that a form may have."""
MOST_LOGGED = 100
"""Rows that an action is logged for one by one; more of them get one entry for all."""
MOST_ASKED = 20
"""Rows that the page that asks for a reason names."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The ids of the chosen rows, who chose them, and the reason that he gave (empty: none)."""

    ids: list[int]
    user: Any
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """An action, declared as an attribute of an admin's class and named in its ``actions``.

    ``write`` runs in one transaction with the ``entry`` in the audit trail and returns a number; ``after`` runs once
    both are kept, takes that number, and returns what is to be told besides. ``question`` is the title of a page that
    asks for a reason (empty: nothing is asked). In the texts ``{count}`` stands for that number, ``{rows}`` for the
    chosen rows in words ("3 NFTs"), ``{chosen}`` for how many they are, ``{reason}`` for the reason.
    """

    short_description: str
    write: Callable[[Chosen], int]
    entry: str
    told: str
    after: Callable[[Chosen, int], str] = lambda chosen, count: ""
    question: str = ""
    needs_reason: bool = False
    allowed_permissions: tuple[str, ...] = ("operate",)

    def __call__(self, admin: Any, request: HttpRequest, queryset: QuerySet[Any]) -> TemplateResponse | None:
        """Do it, or return the page that asks for the reason; too many rows are refused with a message."""
        ids = list(queryset.order_by().values_list("pk", flat=True)[: MOST_CHOSEN + 1])
        if len(ids) > MOST_CHOSEN:
            text = f"An action takes at most {MOST_CHOSEN:,} rows; nothing was done. A contract is marked as a whole."
            messages.error(request, text)
            return None
        meta = admin.opts
        texts = {
            "chosen": len(ids),
            "rows": f"{len(ids):,} {meta.verbose_name if len(ids) == 1 else meta.verbose_name_plural}",
        }
        reason = ""
        if self.question:
            form = ReasonForm(
                request.POST if "confirmed" in request.POST else None, required=self.needs_reason
            )
            if not form.is_valid():
                return _ask(admin, request, ids, self.question.format(**texts), form)
            reason = form.cleaned_data["reason"]
        chosen = Chosen(ids, request.user, reason)
        with writing():
            # Before it is done, since rows that are deleted have no name afterwards.
            log(admin, chosen, self.entry.format(**texts, reason=reason or "(none given)"))
            count = self.write(chosen)
        messages.success(request, self.told.format(**texts, count=count) + self.after(chosen, count))
        return None


class ReasonForm(forms.Form):
    """Why something is done; kept with the row or in the audit trail."""

    reason = forms.CharField(
        max_length=500, strip=True, widget=forms.Textarea(attrs={"rows": 3, "cols": 60, "autofocus": True})
    )

    def __init__(self, *args: Any, required: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = required


def _ask(
    admin: Any, request: HttpRequest, ids: Sequence[int], question: str, form: ReasonForm
) -> TemplateResponse:
    rows = list(_rows(admin, ids[:MOST_ASKED]))
    context = {
        **admin.admin_site.each_context(request),
        "title": question,
        "opts": admin.opts,
        "form": form,
        "rows": rows,
        "more": len(ids) - len(rows),
        "ids": ids,
        "action": request.POST["action"],
        "checkbox_name": helpers.ACTION_CHECKBOX_NAME,
    }
    return TemplateResponse(request, "backoffice/confirm.html", context)


def log(admin: Any, chosen: Chosen, message: str) -> None:
    """Write an action into the audit trail: an entry a row, or one for all when they are many."""
    ids = chosen.ids
    if len(ids) <= MOST_LOGGED:
        LogEntry.objects.log_actions(chosen.user.pk, _rows(admin, ids), CHANGE, change_message=message)
        return
    LogEntry.objects.create(
        user_id=chosen.user.pk,
        content_type=ContentType.objects.get_for_model(admin.model),
        object_repr=f"{len(ids):,} {admin.opts.verbose_name_plural}, ids {min(ids)} to {max(ids)}",
        action_flag=CHANGE,
        change_message=message,
    )


def _rows(admin: Any, ids: Sequence[int]) -> QuerySet[Any]:
    """Return rows with what their names are made of: what the list reads with them."""
    rows: QuerySet[Any] = admin.model._default_manager.filter(pk__in=ids)
    return rows.select_related(*admin.list_select_related) if admin.list_select_related else rows
