"""Operators' pages of the service itself: who may log in, and who did what."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.html import format_html

from nftsite.backoffice import html
from nftsite.backoffice.changelist import Walk
from nftsite.backoffice.tables import TableAdmin

admin.site.unregister(User)


@admin.register(User)
class OperatorAdmin(UserAdmin):  # type: ignore[type-arg]
    """Django's pages of users. Nobody is deleted, since that would delete what he did from the audit trail."""

    show_facets = admin.ShowFacets.NEVER

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Take "active" away instead."""
        return False


@admin.register(LogEntry)
class LogEntryAdmin(TableAdmin):
    """The audit trail: every change and action, with its reason."""

    list_display = ("action_time", "user", "content_type", "row", "message")
    list_select_related = ("user", "content_type")
    fields = ("action_time", "user", "content_type", "row", "message")
    readonly_fields = ("row", "message")
    links = {"user": Walk(("-id",), "by user {}")}

    @admin.display(description="what")
    def row(self, entry: LogEntry) -> str:
        """The row, as it was called then."""
        address = entry.get_admin_url() if entry.object_id else None
        if address is None or entry.is_deletion():
            return entry.object_repr
        return format_html('<a href="{}">{}</a>', address, entry.object_repr)

    @admin.display(description="change")
    def message(self, entry: LogEntry) -> str:
        """What was done, and why."""
        return html.shortened(entry.get_change_message() or html.NOTHING, 1_000)
