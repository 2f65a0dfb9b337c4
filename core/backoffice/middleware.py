"""Django's middlewares for logins and forms, at work under `/admin/` alone.

Everywhere else no session is opened, no cookie read or set and no `Vary: Cookie` sent, whatever a page's template
asks for: the pages of the browsable API name a CSRF token, which would set its cookie on API answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth import middleware as auth
from django.contrib.messages import middleware as messages
from django.contrib.sessions import middleware as sessions
from django.http import HttpRequest, HttpResponseForbidden
from django.middleware import csrf
from django.utils.deprecation import MiddlewareMixin

ADMIN_PREFIX = "/admin/"

if TYPE_CHECKING:
    _Middleware = MiddlewareMixin
else:
    _Middleware = object


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
