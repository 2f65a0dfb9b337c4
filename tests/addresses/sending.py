"""Sends requests to the service in this process, and judges the answers by their status and their form."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_to_bytes

from django.test import Client

FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Sent:
    """A request, its parts as they stand on the wire; text of latin-1, as WSGI has it."""

    path: str
    query: str = ""
    method: str = "GET"
    accept: str = ""
    body: str = ""

    def __str__(self) -> str:
        """On one line, in ASCII."""
        parts = f"{self.method} {self.path}?{self.query} accept={self.accept} body={self.body}"
        return ascii(parts)[1:-1]


@dataclass(slots=True)
class Tally:
    """Answers by kind and status, and what was wrong."""

    counts: Counter[tuple[str, int]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


Judge = Callable[[Sent, Any], str | None]
"""Tells what is wrong with the answer to a request; ``None`` when nothing is."""


def answer(client: Client, sent: Sent) -> Any:
    """The service's response."""
    parts: dict[str, Any] = {"PATH_INFO": decoded(sent.path), "QUERY_STRING": sent.query}
    if sent.accept:
        parts["HTTP_ACCEPT"] = sent.accept
    body = sent.body.encode("latin-1")
    return client.generic(sent.method, "/", body, content_type=FORM, **parts)


def decoded(text: str) -> str:
    """Percent-encoded text decoded to the bytes that it stands for, as latin-1."""
    return unquote_to_bytes(text.encode("latin-1")).decode("latin-1")


def send_all(client: Client, requests: Iterable[Sent], judge: Judge) -> Tally:
    """Send all, each on its own; no exception of the service ends it."""
    tally = Tally()
    for sent in requests:
        response = answer(client, sent)
        tally.counts[sent.method, response.status_code] += 1
        fault = judge(sent, response)
        if fault:
            tally.wrong.append(f"{response.status_code} {fault}: {sent}")
    return tally


ADMIN_STATUSES = {200, 301, 302, 400, 403, 404, 405}


def admin_fault(sent: Sent, response: Any) -> str | None:
    """A page, a redirect or a refusal is right; a lock after failed logins too."""
    locked = sent.path == "/admin/login/" and response.status_code == 429
    if response.status_code == 406 and sent.path in {"/api/v1/schema", "/api/v1/docs"}:
        return refusal_fault(json.loads(response.content)) if response.content else None
    if response.status_code == 406 and sent.path.startswith("/alchemy/"):
        errors = json.loads(response.content)["error"]["errors"] if response.content else []
        return refusal_fault({"type": "client_error", "errors": errors}) if response.content else None
    if response.status_code in ADMIN_STATUSES or locked:
        return None
    return told(response)


CODES = {
    *("required", "invalid", "invalid_choice", "max_length", "unknown_parameter"),
    *("cursor_invalid", "cursor_mismatch", "ens_unavailable", "ens_unsupported"),
    *("method_not_allowed", "not_acceptable"),
}


def api_fault(sent: Sent, response: Any) -> str | None:
    """A page, or a refusal with the documented body, is right; a form that marks itself is redirected."""
    status = response.status_code
    if status == 302:
        return None if "_form" in decoded(sent.query) else "redirected"
    right = {"OPTIONS": {200, 400, 406}, "POST": {405, 400, 406}}.get(sent.method, {200, 400, 406})
    if status not in right:
        return told(response)
    if sent.method == "HEAD":
        return "a body" if response.content else None
    if not response.headers["Content-Type"].startswith("application/json"):
        html = response.headers["Content-Type"].startswith("text/html")
        asked = "text/" in sent.accept or "format" in decoded(sent.query)
        return None if html and asked else "another type than asked for"
    body = json.loads(response.content)
    if status == 200:
        return None if sent.method == "OPTIONS" or isinstance(body["data"], list) else "no data"
    return refusal_fault(body)


def refusal_fault(body: dict[str, Any]) -> str | None:
    """What is wrong with the body of a refusal."""
    if set(body) != {"type", "errors"} or body["type"] not in {"validation_error", "client_error"}:
        return f"a body that is not documented: {body}"
    for error in body["errors"]:
        if set(error) != {"code", "detail", "attr"} or error["code"] not in CODES or not error["detail"]:
            return f"an error that is not documented: {error}"
    return None if body["errors"] else "no error"


def told(response: Any) -> str:
    """What is known of an answer that should not have come."""
    raised = getattr(response, "exc_info", None)
    return repr(raised[1])[:300] if raised else ascii(response.content[:200])
