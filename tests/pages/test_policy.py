"""No page has a script or a style of its own, and each says so to the browser."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client

from nftsite.pages import policy
from tests.admin.conftest import Operator
from tests.admin.every_table import a_world

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # pages are not of an engine
HTML = {"accept": "text/html"}
PUBLIC = [
    *(
        "/",
        "/api/v1/nfts/by-token",
        "/api/v1/nfts/by-token?limit=99",
        "/api/v1/docs",
        "/api/v1/docs/walk",
        "/api/v1/docs/errors",
        "/nothing",
        "/admin/login/",
    ),
    *(
        "/api/v1/transfers/by-token",
        "/api/v1/transfers/by-token?contractAddress=0x" + "1a" * 20,
        "/admin/?x=%00",
    ),
]


@pytest.fixture
def operator(db: None) -> Operator:
    """Olga, in a world in which there is something of everything."""
    a_world()
    return Operator()


class Inline(HTMLParser):
    """Finds what a policy without 'unsafe-inline' forbids; data blocks (JSON) are no scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one element."""
        given = dict(attrs)
        if tag == "script" and "src" not in given and given.get("type", "") != "application/json":
            self.found.append("script")
        if tag == "style":
            self.found.append("style")
        for name, value in attrs:
            if (
                name == "style"
                or name.startswith("on")
                or (value or "").strip().lower().startswith("javascript:")
            ):
                self.found.append(f"{tag} {name}={value}")


def check(response: Any, address: str) -> None:
    told = response["Content-Security-Policy"]
    assert "script-src 'self';" in told
    assert "frame-ancestors 'none'" in told
    assert "unsafe" not in told
    parser = Inline()
    parser.feed(response.content.decode())
    assert parser.found == [], address


def test_public_pages(operator: Operator) -> None:
    for address in PUBLIC:
        response = Client().get(address, headers=HTML)
        assert response["Content-Type"].startswith("text/html") or address == "/nothing", address
        if response["Content-Type"].startswith("text/html"):
            check(response, address)


def test_every_page_of_the_admin(operator: Operator) -> None:
    addresses = [
        "/admin/",
        "/admin/indexer/",
        "/admin/metadata/",
        "/admin/images/",
        "/admin/password_change/",
    ]
    for model, table in admin.site._registry.items():
        base = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        addresses.append(base)
        row = model._default_manager.first()
        if row is not None:
            addresses += [f"{base}{row.pk}/change/", f"{base}{row.pk}/history/"]
        addresses += [f"{base}?show={name}" for name in getattr(table, "lists", {})]
        addresses += [f"{base}add/"]
    seen = 0
    for address in addresses:
        response = operator.client.get(address, headers=HTML)
        if response.status_code == 200:
            check(response, address)
            seen += 1
    assert seen > 60


def test_the_docs_script_is_a_file(operator: Operator) -> None:
    page = Client().get("/api/v1/docs", headers=HTML).content.decode()
    assert len(re.findall(r"<script src=", page)) == page.count("<script") == 3


def test_pictures_may_come_from_where_they_are_served() -> None:
    told = policy("https://api.example.org/nfts", "https://images.example.org/a/")
    assert "img-src 'self' data: https://api.example.org https://images.example.org;" in told
    assert "connect-src 'self' https://api.example.org;" in told
    assert "script-src 'self';" in told
    assert "img-src 'self' data:;" in policy("", "")


def test_a_cached_image_keeps_its_stricter_policy() -> None:
    assert Client().get("/files/nothing", headers={"accept": "*/*"}).get("Content-Security-Policy", "") == ""
