"""The actions that mark rows and take marks away: a page that asks for the reason, then one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse

from core.backoffice import actions
from core.db.writing import writing


class Marking:
    """Mixed into an admin, whose ``write_marks`` does the work and says what else is to be told."""

    write_marks: Callable[[Sequence[int], bool, str], str]

    @admin.action(description="Mark…", permissions=["operate"])
    def mark(self, request: HttpRequest, queryset: QuerySet[Any]) -> TemplateResponse | None:
        """Mark the rows, with a reason."""
        return self._change(request, queryset, True)

    @admin.action(description="Unmark…", permissions=["operate"])
    def unmark(self, request: HttpRequest, queryset: QuerySet[Any]) -> TemplateResponse | None:
        """Take the rows' own marks away."""
        return self._change(request, queryset, False)

    def finish_marks(self, ids: Sequence[int]) -> str:
        """What follows once the marks are written, and what is to be told of it."""
        return ""

    def _change(self, request: HttpRequest, queryset: QuerySet[Any], marked: bool) -> TemplateResponse | None:
        model: Any = self.model  # type: ignore[attr-defined]
        ids = actions.chosen(request, queryset)
        if ids is None:
            return None
        verb = "Mark" if marked else "Unmark"
        names = model._meta.verbose_name if len(ids) == 1 else model._meta.verbose_name_plural
        question = f"{verb} {len(ids):,} {names}"
        answer = actions.ask_reason(self, request, ids, verb.lower(), question, required=marked)
        if isinstance(answer, TemplateResponse):
            return answer
        with writing():
            told = self.write_marks(ids, marked, answer)
            actions.log(request, model, ids, f"{verb}ed. Reason: {answer or '(none given)'}")
        told += self.finish_marks(ids)
        messages.success(request, f"{verb}ed {len(ids):,} {names}.{told}")
        return None
