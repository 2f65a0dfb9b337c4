"""Headers that requests to nodes and to strangers have in common."""

from __future__ import annotations

import base64
from urllib.parse import unquote

import urllib3
from urllib3.exceptions import InvalidHeader

USER_AGENT = "nftsite"


def basic_authorization(user: str, password: str) -> str:
    """Return the Authorization for a URL's user and password, percent-encoded as in it: RFC 7617 with UTF-8.

    urllib3's own `make_headers` cannot do others than Latin-1.
    """
    userinfo = f"{unquote(user)}:{unquote(password)}"
    return f"Basic {base64.b64encode(userinfo.encode()).decode()}"


def seconds_of_retry_after(value: str | None, longest: int) -> float | None:
    """Return the seconds, `longest` at most, that a Retry-After asks for (RFC 9110, 10.2.3: seconds or a date)."""
    if value is None:
        return None
    try:
        return urllib3.Retry(retry_after_max=longest).parse_retry_after(value)
    except (InvalidHeader, ValueError, OverflowError):
        return None
