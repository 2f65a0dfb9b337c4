"""Django's middlewares for logins and forms, at work under `/admin/` alone.

Everywhere else no session is opened, no cookie read or set and no `Vary: Cookie` sent, whatever a page's template
asks for: the pages of the browsable API name a CSRF token, which would set its cookie on API answers.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import middleware as auth
from django.contrib.messages import middleware as messages
from django.contrib.sessions import middleware as sessions
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseForbidden
from django.middleware import csrf
from django.utils.deprecation import MiddlewareMixin

from core.rest.middleware import Middleware

ADMIN_PREFIX = "/admin/"

if TYPE_CHECKING:
    _Middleware = MiddlewareMixin
else:
    _Middleware = object


class AdminElsewhereMiddleware(Middleware):
    """Where the admin is switched off, or is answered at an address of its own, all other addresses know nothing of it.

    Which address a request came to is asked of its connection: whatever it says itself may be made up.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer; 404 for the admin where it is not."""
        if f"{request.path_info}/".startswith(ADMIN_PREFIX) and not _is_here(request):
            raise Http404
        return self.get_response(request)


def _is_here(request: HttpRequest) -> bool:
    """Tell whether the admin is answered where a request came in."""
    if not settings.ADMIN or not settings.ADMIN_BIND:
        return bool(settings.ADMIN)
    connection = request.META.get("gunicorn.socket")
    name = None if connection is None else connection.getsockname()
    kind, _, place = settings.ADMIN_BIND.partition(":")
    if kind == "unix" or not isinstance(name, tuple):
        return bool(kind == "unix" and name == place)
    host, _, port = settings.ADMIN_BIND.rpartition(":")
    wanted = ipaddress.ip_address(host.strip("[]"))
    came_to = ipaddress.ip_address(name[0].partition("%")[0])
    came_to = getattr(came_to, "ipv4_mapped", None) or came_to
    return name[1] == int(port) and (wanted.is_unspecified or came_to == wanted)


class AdminOnly(_Middleware):
    """Lets a request pass untouched unless it is for the admin."""

    def __call__(self, request: HttpRequest) -> Any:
        """Answer, with the middleware's work only where it is wanted."""
        if request.path_info.startswith(ADMIN_PREFIX):
            return super().__call__(request)
        return self.get_response(request)


class SessionMiddleware(AdminOnly, sessions.SessionMiddleware):
    """Sessions of operators."""


class CsrfViewMiddleware(AdminOnly, csrf.CsrfViewMiddleware):
    """Refuses forms that were not sent by our own pages."""

    def process_view(
        self, request: HttpRequest, callback: Any, callback_args: Any, callback_kwargs: Any
    ) -> HttpResponseForbidden | None:
        """Check the token of an admin form; outside there are no forms."""
        if not request.path_info.startswith(ADMIN_PREFIX):
            return None
        return super().process_view(request, callback, callback_args, callback_kwargs)


class AuthenticationMiddleware(AdminOnly, auth.AuthenticationMiddleware):
    """Who is logged in."""


class MessageMiddleware(AdminOnly, messages.MessageMiddleware):
    """What an operator is told after an action."""
