"""The API pays nothing for the admin: no cookie, no session, no query; and the admin's cookies are kept safe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.admin.conftest import Operator
from tests.builders import load_lines, nft, transfer
from tests.conftest import Api
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *("/api/v1/nfts/by-token", "/api/v1/transfers/by-token?contractAddress=0x" + "1a" * 20),
    *("/api/v1/docs", "/api/v1/schema", "/healthz"),
]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("accept", ["application/json", "text/html"])
def test_api_answers_set_no_cookie_and_do_not_vary_by_one(
    api: Api, operator: Operator, path: str, accept: str
) -> None:
    load_lines([nft("1"), transfer("1")])
    api.client.force_login(operator.user)
    for client in (api.client, Api().client):
        response = client.get(path, headers={"accept": accept})
        assert not response.cookies
        assert "cookie" not in response.get("Vary", "").lower()


@pytest.mark.parametrize("path", PAGES[:2])
def test_an_operators_cookie_costs_the_api_no_query(api: Api, operator: Operator, path: str) -> None:
    load_lines([nft("1"), transfer("1")])
    counts = []
    for login in (False, True):
        if login:
            api.client.force_login(operator.user)
        with CaptureQueriesContext(connection) as queries:
            assert api.client.get(path).status_code == 200
        counts.append(len(queries))
        tables = " ".join(query["sql"] for query in queries.captured_queries)
        assert not any(name in tables for name in ("django_session", "auth_user", "django_content_type"))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/nfts/by-token"])
def test_a_post_is_answered_as_a_wrong_method_not_as_a_forged_form(api: Api, path: str) -> None:
    assert api.client.post(path).status_code == 405


def test_admin_pages_may_not_be_framed_and_are_not_kept(operator: Operator) -> None:
    response = operator.client.get("/admin/")
    assert response["X-Frame-Options"] == "DENY"
    assert "no-store" in response["Cache-Control"]


def _settings(public: str) -> dict[str, object]:
    names = ["SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "CSRF_TRUSTED_ORIGINS"]
    code = f"import json; from nftsite import settings; print(json.dumps({{n: getattr(settings, n) for n in {names}}}))"
    env = {**os.environ, "PUBLIC_BASE_URL": public, "SECRET_KEY": settings.SECRET_KEY, "DATABASE_URL": ""}
    command = [sys.executable, "-c", code]
    output = subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    read: dict[str, object] = json.loads(output.stdout)
    return read


@pytest.mark.parametrize(
    ("public", "secure", "origins"),
    [
        ("https://api.example.org/nfts", True, ["https://api.example.org"]),
        ("http://localhost:8000", False, ["http://localhost:8000"]),
        ("", False, []),
    ],
)
def test_cookies_are_secure_where_the_service_is_reached_by_https(
    public: str, secure: bool, origins: list[str]
) -> None:
    assert _settings(public) == {
        "SESSION_COOKIE_SECURE": secure,
        "CSRF_COOKIE_SECURE": secure,
        "CSRF_TRUSTED_ORIGINS": origins,
    }
