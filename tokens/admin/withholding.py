"""The actions that keep media from being served, and that let it be served again, with a reason in the audit trail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse

from core.backoffice import actions
from core.db.writing import writing


class Withholding:
    """Mixed into an admin, whose ``write_withheld`` does the work and whose ``finish_withheld`` what follows it."""

    @admin.action(description="Keep media from being served…", permissions=["operate"])
    def withhold(self, request: HttpRequest, queryset: QuerySet[Any]) -> TemplateResponse | None:
        """Take the rows' media down, with a reason."""
        return self._serve(request, queryset, "withhold", "Keep from being served")

    @admin.action(description="Serve media again…", permissions=["operate"])
    def release(self, request: HttpRequest, queryset: QuerySet[Any]) -> TemplateResponse | None:
        """Let the rows' media be served again."""
        return self._serve(request, queryset, "release", "Serve again")

    def write_withheld(self, ids: Sequence[int], withheld: bool, reason: str) -> None:
        """Write it, within the transaction."""
        raise NotImplementedError

    def finish_withheld(self, ids: Sequence[int]) -> str:
        """Do what follows once it is written, and return what is to be told of it."""
        raise NotImplementedError

    def _serve(
        self, request: HttpRequest, queryset: QuerySet[Any], action: str, verb: str
    ) -> TemplateResponse | None:
        model: Any = self.model  # type: ignore[attr-defined]
        ids = actions.chosen(request, queryset)
        if ids is None:
            return None
        names = model._meta.verbose_name if len(ids) == 1 else model._meta.verbose_name_plural
        withheld = action == "withhold"
        answer = actions.ask_reason(
            self, request, ids, action, f"{verb}: the media of {len(ids):,} {names}", required=withheld
        )
        if isinstance(answer, TemplateResponse):
            return answer
        with writing():
            self.write_withheld(ids, withheld, answer)
            actions.log(request, model, ids, f"{verb}. Reason: {answer or '(none given)'}")
        told = self.finish_withheld(ids)
        messages.success(request, f"{verb}: {len(ids):,} {names}.{told}")
        return None
