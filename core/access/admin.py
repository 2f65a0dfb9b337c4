"""Operators' pages of API keys."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from core.access.keys import SHOWN, digest_of, new_token
from core.access.models import ApiKey
from core.backoffice.actions import Action, Chosen
from core.backoffice.columns import Column
from core.backoffice.tables import EditableTableAdmin
from core.quotas import quota_of


def _revoke(chosen: Chosen) -> int:
    """Revoke the chosen keys that are not revoked yet."""
    return ApiKey.objects.filter(pk__in=chosen.ids, revoked_at=None).update(revoked_at=timezone.now())


def _state(key: ApiKey) -> str:
    """Return whether a key is answered, in a word."""
    if key.revoked_at is not None:
        return "revoked"
    if key.expires_at is not None and key.expires_at <= timezone.now():
        return "expired"
    return "good"


class ApiKeyForm(forms.ModelForm):  # type: ignore[type-arg]
    """What an operator decides about a key."""

    def clean_quota(self) -> str:
        """Write the limit in one form: `100/min` is `100/minute`."""
        text: str = self.cleaned_data["quota"]
        try:
            return str(quota_of(text)) if text else ""
        except ValueError as fault:
            raise ValidationError(f"Must be {fault}.") from None


@admin.register(ApiKey)
class ApiKeyAdmin(EditableTableAdmin):
    """Keys by which clients are counted, whatever address they come from, each with a limit of its own if need be.

    Come here to make one for a client: it is shown once, when it is made, and never again. Or to revoke one that others
    may know: it is refused from that moment on.
    """

    form = ApiKeyForm
    state = Column("state", _state)
    list_display = ("name", "prefix", "state", "quota", "last_used_at", "created_at", "expires_at")
    searchable = "how a key begins, or its whole name"
    readonly_fields = ("prefix", "state", "created_at", "last_used_at", "revoked_at")
    revoke = Action(
        short_description="Revoke",
        question="Revoke {rows}?",
        write=_revoke,
        entry="Revoked. Reason: {reason}",
        told="Revoked {count}: refused from now on.",
    )
    actions = ("revoke",)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return what an operator decides, and of a key that there is what became of it."""
        decided = ("name", "quota", "expires_at")
        return decided if obj is None else (*decided, *self.readonly_fields)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """The form of a new key, with one way on: to the key."""
        one_way = {"show_save_and_add_another": False, "show_save_and_continue": False}
        return super().add_view(request, form_url, {**(extra_context or {}), **one_way})

    def find(self, request: HttpRequest, rows: QuerySet[Any], text: str) -> QuerySet[Any] | None:
        """Return the keys that begin so, or have that name; of a key that was pasted only its beginning is used."""
        return rows.filter(prefix=text[:SHOWN]) | rows.filter(name=text)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save; a new one gets its key, which is kept nowhere but in the answer to this request."""
        if not change:
            obj.token = new_token()
            obj.prefix, obj.digest = obj.token[:SHOWN], digest_of(obj.token)
        super().save_model(request, obj, form, change)

    def response_add(
        self, request: HttpRequest, obj: Any, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the key, this once. A redirect would have to keep it somewhere."""
        context = {
            **self.admin_site.each_context(request),
            "title": f"The key of {obj.name}",
            "opts": self.opts,
            "key": obj,
        }
        return TemplateResponse(request, "backoffice/key_made.html", context)
