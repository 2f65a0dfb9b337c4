"""Actions on chosen rows: how many may be chosen, the page that asks for a reason, and the audit trail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import helpers
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse

from core.db.writing import writing

MOST_CHOSEN = 5_000
"""Rows that one action may be asked for: fewer than the fields that a form may have."""
MOST_LOGGED = 100
"""Rows that an action is logged for one by one; more of them get one entry for all."""


class ReasonForm(forms.Form):
    """Why something is done; kept with the row or in the audit trail."""

    reason = forms.CharField(
        max_length=500, strip=True, widget=forms.Textarea(attrs={"rows": 3, "cols": 60, "autofocus": True})
    )

    def __init__(self, *args: Any, required: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = required


def chosen(request: HttpRequest, queryset: QuerySet[Any]) -> list[int] | None:
    """Return the ids of the chosen rows; ``None``, and a message, when they are too many."""
    ids = list(queryset.order_by().values_list("pk", flat=True)[: MOST_CHOSEN + 1])
    if len(ids) > MOST_CHOSEN:
        text = f"An action takes at most {MOST_CHOSEN:,} rows; nothing was done. A contract is marked as a whole."
        messages.error(request, text)
        return None
    return ids


def ask_reason(
    admin: Any, request: HttpRequest, ids: Sequence[int], action: str, question: str, required: bool
) -> TemplateResponse | str:
    """Return the reason that was given, or the page that asks for it."""
    form = ReasonForm(request.POST if "confirmed" in request.POST else None, required=required)
    if form.is_valid():
        reason: str = form.cleaned_data["reason"]
        return reason
    rows = list(admin.model._default_manager.filter(pk__in=ids[:20]))
    context = {
        **admin.admin_site.each_context(request),
        "title": question,
        "opts": admin.model._meta,
        "form": form,
        "rows": rows,
        "more": len(ids) - len(rows),
        "ids": ids,
        "action": action,
        "checkbox_name": helpers.ACTION_CHECKBOX_NAME,
    }
    return TemplateResponse(request, "backoffice/confirm.html", context)


def carry_out(
    request: HttpRequest, queryset: QuerySet[Any], write: Callable[[list[int]], int], entry: str, told: str
) -> None:
    """Do something to the chosen rows, in one transaction with its ``entry`` in the audit trail.

    ``write`` takes their ids and returns a number, which stands for ``{count}`` in what the operator is ``told``.
    """
    ids = chosen(request, queryset)
    if ids is None:
        return
    with writing():
        log(
            request, queryset.model, ids, entry
        )  # before, since rows that are deleted have no name afterwards
        count = write(ids)
    messages.success(request, told.format(count=count))


def log(request: HttpRequest, model: type[Model], ids: Sequence[int], message: str) -> None:
    """Write an action into the audit trail: an entry a row, or one for all when they are many."""
    user: Any = request.user
    if len(ids) <= MOST_LOGGED:
        rows = model._default_manager.filter(pk__in=ids)
        LogEntry.objects.log_actions(user.pk, rows, CHANGE, change_message=message)
        return
    name = model._meta.verbose_name_plural
    LogEntry.objects.create(
        user_id=user.pk,
        content_type=ContentType.objects.get_for_model(model),
        object_repr=f"{len(ids):,} {name}, ids {min(ids)} to {max(ids)}",
        action_flag=CHANGE,
        change_message=message,
    )
