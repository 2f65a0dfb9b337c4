"""Operators' pages of the service itself: who may log in, and who did what."""

from __future__ import annotations

from typing import Any

from axes.models import AccessAttempt
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import Q
from django.http import HttpRequest
from django.utils.html import format_html

from core.backoffice import html
from core.backoffice.actions import Action, Chosen
from core.backoffice.changelist import Walk
from core.backoffice.columns import Column
from core.backoffice.tables import TableAdmin

admin.site.unregister([User, Group])


@admin.register(Group)
class OperatorsGroupAdmin(GroupAdmin):
    """Django's pages of groups, whose list is narrowed by nothing."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """None. Django allows every one of every field, some of which fail at what no form of its own sends."""
        return False


@admin.register(User)
class OperatorAdmin(UserAdmin):  # type: ignore[type-arg]
    """Django's pages of users. Nobody is deleted, since that would delete what he did from the audit trail."""

    show_facets = admin.ShowFacets.NEVER

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only those of the filters in the sidebar."""
        flags = {f"{name}__exact" for name in self.list_filter if name != "groups"}
        return lookup in flags | {"groups__id__exact", "groups__isnull"}

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Take "active" away instead."""
        return False


def _forget(chosen: Chosen) -> int:
    """Let the addresses of the chosen rows try again."""
    rows = AccessAttempt.objects.filter(pk__in=chosen.ids)
    addresses = list(rows.values_list("ip_address", flat=True))
    return int(AccessAttempt.objects.filter(Q(pk__in=chosen.ids) | Q(ip_address__in=addresses)).delete()[0])


def _what(entry: LogEntry) -> str:
    """Return the row, as it was called then."""
    address = entry.get_admin_url() if entry.object_id else None
    if address is None or entry.is_deletion():
        return entry.object_repr
    return format_html('<a href="{}">{}</a>', address, entry.object_repr)


@admin.register(AccessAttempt)
class AccessAttemptAdmin(TableAdmin):
    """Failed logins that still count. Come here when somebody is locked out.

    An address is locked out by the sum of its failures, whatever names it tried.
    """

    list_display = ("attempt_time", "ip_address", "username", "failures_since_start", "user_agent")
    fields = ("attempt_time", "ip_address", "username", "failures_since_start", "user_agent", "path_info")
    lift = Action(
        short_description="Forget failed logins, all of these addresses",
        write=_forget,
        entry="Lifted the lock of logins.",
        told="Forgot {count} entries of failed logins.",
    )
    actions = ("lift",)


@admin.register(LogEntry)
class LogEntryAdmin(TableAdmin):
    """What operators did, and why. Look here when you wonder who changed something."""

    row = Column("what", _what)
    message = Column("change", lambda entry: html.shortened(entry.get_change_message(), 1_000))
    list_display = ("action_time", "user", "content_type", "row", "message")
    list_select_related = ("user", "content_type")
    fields = list_display
    links = {"user": Walk(("-id",), "by user {}")}
