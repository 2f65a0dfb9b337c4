"""Operators make and revoke keys; a key is shown once, to who made it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client

from core.access.keys import digest_of
from core.access.models import ApiKey
from tests.admin.conftest import PASSWORD, Operator, operator  # noqa: F401 - a fixture
from tests.conftest import Api

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uses")]

ADD, NFTS = "/admin/access/apikey/add/", "/api/v1/nfts/by-token"
NO_EXPIRY = {"expires_at_0": "", "expires_at_1": ""}


def made(operator: Operator, **fields: str) -> tuple[Any, str]:  # noqa: F811
    """Fill in the form; the page that follows, and the key on it."""
    answer = operator.client.post(ADD, {"name": "Acme", "quota": "", **NO_EXPIRY, **fields})
    assert answer.status_code == 200
    found = re.search(r'<code id="key">(\w[\w-]+)</code>', answer.content.decode())
    return answer, found[1] if found else ""


def test_a_key_is_shown_once_to_who_made_it_and_kept_nowhere(operator: Operator, api: Api) -> None:  # noqa: F811
    answer, token = made(operator, quota="100 / min")
    key = ApiKey.objects.get()
    assert (key.digest, key.quota) == (digest_of(token), "100/minute")
    assert token.startswith(key.prefix)
    assert "no-store" in answer["Cache-Control"]
    assert not any(token in str(cookie) for cookie in answer.cookies.values())
    assert api.get(NFTS, x_api_key=token).status_code == 200
    everywhere = [operator.page("access/apikey/"), operator.page(f"access/apikey/{key.pk}/change/")]
    everywhere.append(operator.page(f"access/apikey/{key.pk}/history/"))
    everywhere.extend(LogEntry.objects.values_list("change_message", flat=True))
    assert not any(token[len(key.prefix) :] in text for text in everywhere)
    assert key.prefix in everywhere[0], "to recognise it"
    assert digest_of(token) not in "".join(everywhere)


def test_a_revoked_key_is_refused_and_stays_in_the_list_with_the_reason_in_the_history(
    operator: Operator,  # noqa: F811
    api: Api,
) -> None:
    _, token = made(operator)
    key = ApiKey.objects.get()
    assert "Reason" in operator.act("access/apikey", "revoke", key.pk)
    assert api.get(NFTS, x_api_key=token).status_code == 200, "not before the reason is given"
    told = operator.act(
        "access/apikey", "revoke", key.pk, confirmed="1", reason="It was in a public repository."
    )
    assert "Revoked 1" in told
    assert api.get(NFTS, x_api_key=token).status_code == 401
    assert "public repository" in operator.page(f"access/apikey/{key.pk}/history/")
    assert "revoked" in operator.page("access/apikey/")
    first = ApiKey.objects.get().revoked_at
    operator.act("access/apikey", "revoke", key.pk, confirmed="1", reason="Again.")
    assert ApiKey.objects.get().revoked_at == first
    assert operator.client.post(f"/admin/access/apikey/{key.pk}/delete/", {"post": "yes"}).status_code == 403


def test_what_was_decided_can_be_changed_and_the_key_stays_what_it_is(operator: Operator, api: Api) -> None:  # noqa: F811
    _, token = made(operator)
    key = ApiKey.objects.get()
    sent = {"name": "Acme's crawler", "quota": "1/h", "expires_at_0": "", "expires_at_1": ""}
    operator.client.post(f"/admin/access/apikey/{key.pk}/change/", sent)
    changed = ApiKey.objects.get()
    assert (changed.name, changed.quota, changed.digest) == ("Acme's crawler", "1/hour", key.digest)
    assert api.get(NFTS, x_api_key=token)["RateLimit-Limit"] == "1"


def test_a_limit_that_is_none_is_refused_with_what_would_be(operator: Operator) -> None:  # noqa: F811
    answer, token = made(operator, quota="often")
    assert (token, "such as 600/minute" in answer.content.decode()) == ("", True)
    assert not ApiKey.objects.exists()


def test_keys_are_found_by_their_beginning_or_name_also_by_a_whole_one(operator: Operator) -> None:  # noqa: F811
    _, token = made(operator)
    made(operator, name="Other")
    key = ApiKey.objects.get(name="Acme")
    for term in (key.prefix, token, "Acme"):
        assert operator.found("access/apikey", term) == [key.pk]
    assert operator.found("access/apikey", "nft_") == []


def test_whoever_may_only_view_makes_and_revokes_none(operator: Operator) -> None:  # noqa: F811
    made(operator)
    vera = User.objects.create_user("vera", password=PASSWORD, is_staff=True)
    vera.user_permissions.add(Permission.objects.get(codename="view_apikey"))
    viewer = Client()
    viewer.force_login(vera)
    assert viewer.get("/admin/access/apikey/").status_code == 200
    assert viewer.post(ADD, {"name": "x", "quota": "", **NO_EXPIRY}).status_code == 403
    viewer.post("/admin/access/apikey/", {"action": "revoke", "_selected_action": ApiKey.objects.get().pk})
    assert ApiKey.objects.get().revoked_at is None
