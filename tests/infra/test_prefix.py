"""A prefix in PUBLIC_BASE_URL is in every address that the service writes, and its proxy may take it off or not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.infra.serving import Server, environment, serving
from tests.processes import ROOT, run

# No database has a part in it; the service is started once.
pytestmark = [pytest.mark.sqlite, pytest.mark.xdist_group("prefix")]

PREFIX = "/nft/service"
BASE = f"https://api.example.org{PREFIX}"
LINES = [
    {
        "record": "contract",
        "chain": "ethereum",
        "contractAddress": "0x" + "1a" * 20,
        "contractStandard": "ERC721",
    },
    *(
        {"record": "nft", "chain": "ethereum", "contractAddress": "0x" + "1a" * 20, "tokenId": str(token)}
        for token in range(3)
    ),
]
SHOWN = """
import django; django.setup()
from media.models import CachedImage
from media.links import Links, file_url
from django.test import RequestFactory
print(Links.of_request(RequestFactory().get("/")).rendition("ab/c.png"))
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service below a prefix, with a few NFTs."""
    folder = tmp_path_factory.mktemp("prefixed")
    with serving(folder, PUBLIC_BASE_URL=BASE, ALLOWED_HOSTS="127.0.0.1,localhost") as running:
        lines = folder / "lines.jsonl"
        lines.write_text("\n".join(map(json.dumps, LINES)))
        loaded = run(f"sqlite:///{folder}/db.sqlite3", "manage.py", "load", str(lines))
        assert loaded.returncode == 0, loaded.stderr
        yield running


def links(html: str) -> list[str]:
    return re.findall(r'(?:href|src|action)="([^"#?][^"]*)"', html)


@pytest.mark.parametrize("passed", ["", PREFIX], ids=["taken off", "passed on"])
@pytest.mark.parametrize(
    "address",
    ["/", "/api/v1/nfts/by-token?limit=1", "/api/v1/docs", "/admin/login/", "/api/v1/nfts/by-token?limit=99"],
)
def test_every_link_of_every_page_leads_below_the_prefix(server: Server, passed: str, address: str) -> None:
    response, body = server.ask(passed + address, Accept="text/html")
    assert response.status in {200, 400}
    own = [link for link in links(body.decode()) if link.startswith("/") or "example.org" in link]
    assert len(own) >= 3
    for link in own:
        assert urlsplit(link).path.startswith(PREFIX + "/"), link
    for link in own:
        path = urlsplit(link).path
        if path.startswith(PREFIX + "/static/"):  # as it arrives with the prefix, and without it
            assert server.ask(path)[0].status == server.ask(path.removeprefix(PREFIX))[0].status == 200


@pytest.mark.parametrize("passed", ["", PREFIX], ids=["taken off", "passed on"])
@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("/admin", "/admin/"),
        ("/admin/", "/admin/login/"),
        ("/api/v1/schema/", "/api/v1/schema"),
        ("/api/v1/nfts/by-token?form=&chain=", "/api/v1/nfts/by-token"),
    ],
)
def test_redirects(server: Server, passed: str, address: str, target: str) -> None:
    response, _ = server.ask(passed + address, Accept="text/html")
    if "form=" in address and response.status == 400:
        return
    assert response.status in {301, 302}
    assert urlsplit(response.headers["Location"]).path == PREFIX + target


def test_cursors_and_cookies_and_the_document(server: Server) -> None:
    _, body = server.ask("/api/v1/nfts/by-token?limit=1")
    cursor = json.loads(body)["nextCursor"]
    _, body = server.ask(f"{PREFIX}/api/v1/nfts/by-token?limit=1&cursor={cursor}")
    assert len(json.loads(body)["data"]) == 1
    response, _ = server.ask("/admin/login/")
    assert f"Path={PREFIX}/" in response.headers["Set-Cookie"]
    _, body = server.ask("/api/v1/schema")
    document = json.loads(body)
    assert document["servers"] == [{"url": BASE}]
    assert "/api/v1/nfts/by-token" in document["paths"]
    assert "/healthz" in document["paths"]
    _, script = server.ask("/api/v1/docs?script=", Accept="*/*")
    assert f"{PREFIX}/api/v1/schema" in script.decode()


def test_a_page_of_another_name_is_none(server: Server) -> None:
    assert server.ask("/nft/services/api/v1/schema")[0].status == 404
    assert server.ask(f"{PREFIX}/healthz")[0].status == server.ask("/healthz")[0].status == 200
    assert server.ask(PREFIX, Accept="text/html")[0].status == 200


def test_pictures(tmp_path: Path) -> None:
    for public, expected in (
        (BASE, f"{BASE}/files/ab/c.png"),
        ("", "http://testserver/files/ab/c.png"),
    ):
        variables = environment(
            tmp_path,
            PUBLIC_BASE_URL=public,
            DJANGO_SETTINGS_MODULE="nftsite.settings",
            ALLOWED_HOSTS="testserver",
        )
        shown = subprocess.run(
            [sys.executable, "-c", SHOWN], cwd=ROOT, env=variables, capture_output=True, text=True, check=True
        )
        assert shown.stdout.strip() == expected
