"""The key of a request: who it is counted for, and whether it is answered at all."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, Throttled
from rest_framework.request import Request

from core.access.allowance import Allowance
from core.access.keys import Key, key_of
from core.clients import client_address
from core.rest.errors import DETAILS
from core.rest.facts import current

HEADER = "X-API-Key"
CHALLENGE = 'Bearer realm="NFT API"'
REFUSED = "This API key is not known here, was revoked, or has expired."


class KeyAuthentication(BaseAuthentication):
    """Recognises the key of ``Authorization: Bearer`` or ``X-API-Key``: ``request.auth`` is a `Key`, or ``None``.

    API_KEYS says whether there must be one (`required`), may be one (`optional`), or none is looked at (`off`). A key
    that is no good is refused with 401 in either case; that takes of the allowance of the address.
    """

    def authenticate(self, request: Request) -> tuple[Any, Key] | None:
        """Return the key. Raises 401 without a good one; 429 where the address has done that too often."""
        token = "" if settings.API_KEYS == "off" else self.token(request)
        if not token:
            if settings.API_KEYS == "required":
                raise _refused(request, NotAuthenticated(DETAILS[401]))
            return None
        key = key_of(token)
        if key is None:
            raise _refused(request, AuthenticationFailed(REFUSED))
        current().key = key.id
        return None, key

    def token(self, request: Request) -> str:
        """Return what was sent as a key; nothing where none was."""
        return sent_token(request)

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge of a 401."""
        return CHALLENGE


def sent_token(request: Any) -> str:
    """Return what was sent as a key; two that differ are one that is not known."""
    scheme, _, credentials = request.headers.get("Authorization", "").partition(" ")
    sent = {
        request.headers.get(HEADER, "").strip(),
        credentials.strip() if scheme.lower() == "bearer" else "",
    }
    return " ".join(sorted(sent - {""}))


def allowance_of(request: HttpRequest | Request, key: Key | None) -> Allowance | None:
    """Return the allowance of a key, else of the address that a request came from; ``None`` where none is limited."""
    quota = (key and key.quota) or settings.RATE_LIMIT
    if quota is None:
        return None
    if key is not None:
        return Allowance.of(f"key:{key.id}", quota)
    return Allowance.of(f"address:{client_address(request)}", quota)


def _refused(request: Request, fault: NotAuthenticated | AuthenticationFailed) -> Exception:
    """Return what is raised for want of a good key, counted for the address."""
    facts = current()
    facts.allowance = allowance = allowance_of(request, None)
    if allowance is not None and not allowance.take(facts.cost):
        facts.refused = "limit"
        return Throttled(allowance.wait)
    facts.refused = "key"
    return fault
