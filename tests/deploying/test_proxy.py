"""`deploy/nginx.conf` in front of the service with the settings of `deploy/env.example`."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from email.message import Message
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests import machine
from tests.deploying.site import HOST, NGINX, Site, serving
from tests.patience import comes
from tests.processes import ROOT

pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.xdist_group("deploying"),
    pytest.mark.skipif(not NGINX, reason="nginx is not installed"),
]
PAGE = "/api/v1/nfts/by-token?limit=1"
STRANGER = "127.0.0.2"
"""An address that nginx.conf does not name."""
PICTURE = "ab/" + "c" * 62 + ".png"
BYTES = b"\x89PNG of so many bytes"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("site")) as running:
        place = running.folder / "var" / "files" / PICTURE
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(BYTES)
        yield running


@pytest.fixture
def loaded(site: Site, tmp_path: Path) -> Path:
    """A copy of what is served there, for services with other settings."""
    copy = tmp_path / "loaded.sqlite3"
    with (
        closing(sqlite3.connect(site.folder / "var" / "db.sqlite3")) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
    return copy


def test_a_page_comes_over_tls_with_links_to_https_and_the_proxys_headers(site: Site) -> None:
    response, body = site.ask(PAGE, X_Request_ID="mine-1")
    assert response.status == 200
    assert response.headers["X-Request-ID"] == "mine-1"
    assert response.headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "nginx/" not in response.headers["Server"]
    page = json.loads(body)
    again, _ = site.ask(f"{PAGE}&cursor={page['nextCursor']}")
    assert again.status == 200
    home, _ = site.ask("/", Accept="text/html")
    assert home.status == 200
    _, body = site.ask("/api/v1/schema")
    assert json.loads(body)["servers"] == [{"url": f"https://{HOST}"}]


def test_a_strange_request_id_is_replaced_and_the_new_one_is_in_both_logs(site: Site) -> None:
    response, _ = site.ask(PAGE, X_Request_ID="no <id>")
    given = response.headers["X-Request-ID"]
    assert re.fullmatch("[0-9a-f]{32}", given)

    def lines(name: str) -> list[dict[str, object]]:
        return [json.loads(line) for line in (site.folder / name).read_text().splitlines()]

    def is_told() -> bool:
        ours = [
            line for name in ("web-1.log", "web-2.log") for line in lines(name) if line["request_id"] == given
        ]
        theirs = [line for line in lines("access.log") if line["request_id"] == given]
        return len(ours) == len(theirs) == 1

    assert comes(is_told), "all that the service says is JSON on standard output"
    assert (site.folder / "errors").read_text() == ""


def test_the_image_tells_its_health_by_the_place_that_it_listens_at(site: Site) -> None:
    def code(bind: str) -> int:
        command = [sys.executable, "deploy/healthy.py"]
        return subprocess.run(
            command, cwd=ROOT, env=machine.bare(BIND=bind), capture_output=True, check=False
        ).returncode

    assert code(f"unix:{site.folder}/run/web-1.sock") == 0
    assert code(f"unix:{site.folder}/run/nobody.sock") == code("127.0.0.1:1") == 1
    assert code(f"127.0.0.1:{site.plain}") == 1, "what answers there has no /healthz"


def test_http_goes_to_https(site: Site) -> None:
    connection = HTTPConnection("127.0.0.1", site.plain)
    connection.request("GET", PAGE, headers={"Host": HOST})
    response = connection.getresponse()
    connection.close()
    assert response.status == 301
    assert response.headers["Location"] == f"https://{HOST}{PAGE}"


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_http_2(site: Site) -> None:
    words = ["--http2", "--cacert", f"{site.folder}/tls/ca.pem", "--resolve", f"{HOST}:{site.port}:127.0.0.1"]
    command = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_version} %{http_code}", *words]
    done = subprocess.run(
        [*command, f"https://{HOST}:{site.port}{PAGE}"], capture_output=True, text=True, check=False
    )
    assert done.stdout == "2 200", done.stderr


@pytest.mark.parametrize(
    "address", ["/metrics", "/admin", "/admin/", "/admin/login/", "//metrics", "/x/../admin/login/"]
)
def test_what_is_for_operators_is_shut_from_outside(site: Site, address: str) -> None:
    response, body = site.ask(address, source=STRANGER)
    assert response.status == 403
    assert json.loads(body)["errors"][0]["code"] == "permission_denied"
    assert site.ask(address)[0].status != 403


def test_images_are_sent_from_the_disk_and_kept_by_clients(site: Site) -> None:
    response, body = site.ask(f"/files/{PICTURE}")
    assert (response.status, body) == (200, BYTES)
    assert response.headers["Content-Type"] == "image/png"
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert response.headers["ETag"]
    assert site.ask(f"/files/{PICTURE}", If_None_Match=response.headers["ETag"])[0].status == 304
    part, body = site.ask(f"/files/{PICTURE}", Range="bytes=1-3")
    assert (part.status, body) == (206, BYTES[1:4])
    lost, _ = site.ask(f"/files/{PICTURE.replace('c', 'd')}")
    assert lost.status == 404
    assert "Cache-Control" not in lost.headers
    assert site.ask(f"/protected-files/{PICTURE}")[0].status == 404, (
        "the service's own 404: the place is internal"
    )


def test_a_login_by_https_is_taken(site: Site) -> None:
    """Its form is refused where the proxy's X-Forwarded-Proto is not believed."""
    form, body = site.ask("/admin/login/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', body.decode())
    assert token is not None
    cookie = form.headers["Set-Cookie"].partition(";")[0]
    assert "Secure" in form.headers["Set-Cookie"]
    sent = {
        "Cookie": cookie,
        "Referer": f"https://{HOST}/admin/login/",
        "Content_Type": "application/x-www-form-urlencoded",
    }
    body_sent = f"csrfmiddlewaretoken={token[1]}&username=a&password=b"
    response, body = site.ask("/admin/login/", method="POST", body=body_sent, **sent)
    assert response.status == 200
    assert "correct username and password" in body.decode()


def test_too_many_requests_at_once_are_told_as_all_errors_are(site: Site) -> None:
    """From an address of its own, so that no other test pays for it."""
    with site.connected("127.0.0.3") as connection:

        def ask() -> bool:
            connection.request("GET", "/healthz")
            response = connection.getresponse()
            said.append((response.status, response.headers, response.read()))
            return response.status == HTTPStatus.TOO_MANY_REQUESTS

        said: list[tuple[int, Message, bytes]] = []
        assert comes(ask, every=0)
    assert {status for status, _, _ in said[:200]} == {200}
    _, headers, body = said[-1]
    assert json.loads(body)["errors"][0]["code"] == "throttled"
    assert headers["Retry-After"] == "1"


def test_web_processes_are_replaced_one_by_one_and_no_request_fails(site: Site) -> None:
    seen: Counter[str] = Counter()
    stop = threading.Event()

    def ask() -> None:
        while not stop.wait(0.03):  # below nginx's limit
            try:
                seen[str(site.ask(PAGE, source="127.0.0.4")[0].status)] += 1
            except (OSError, HTTPException) as fault:
                seen[repr(fault)] += 1

    def has_seen(enough: int) -> bool:
        return seen["200"] > enough or len(seen) > 1

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        for number in (1, 2):
            enough = seen["200"] + 3
            site.stop(number)
            assert comes(partial(has_seen, enough))
            site.start(number)
    finally:
        stop.set()
        asker.join()
    assert seen.keys() == {"200"}, seen


def test_while_none_answers_a_client_is_told_when_to_try_again(site: Site) -> None:
    for number in (1, 2):
        site.stop(number)
    response, body = site.ask(PAGE)
    assert response.status == 503
    assert response.headers["Retry-After"] == "5"
    assert json.loads(body)["errors"][0]["code"] == "service_unavailable"
    site.start(1)
    assert site.ask(PAGE)[0].status == 200, "one is enough"


def test_without_the_disk_nginx_keeps_images_for_ten_minutes(tmp_path: Path, loaded: Path) -> None:
    """A takedown is heeded then: it asks again, whatever the service says of a year."""
    with serving(tmp_path, database=loaded, numbers=[1], MEDIA_ACCEL_PREFIX="") as site:
        place = tmp_path / "var" / "files" / PICTURE
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(BYTES)
        for kept in ("MISS", "HIT"):
            response, body = site.ask(f"/files/{PICTURE}")
            assert (response.status, body, response.headers["X-Cache"]) == (200, BYTES, kept)
            assert response.headers.get_all("X-Request-ID") is not None
            assert len(response.headers.get_all("X-Request-ID") or []) == 1
            assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def below_a_path() -> str:
    """The words for sed that docs/deploying.md gives for a service below a path."""
    found = re.search(r"^sed -E -i '(.+)' /etc/nginx/conf.d/nft.conf$", DOCUMENT, re.MULTILINE)
    assert found is not None
    return found[1]


DOCUMENT = (ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")


def test_below_a_path_all_links_have_it_and_what_is_shut_stays_shut(tmp_path: Path, loaded: Path) -> None:
    public = f"https://{HOST}/nfts"
    with serving(tmp_path, below_a_path(), database=loaded, numbers=[1], PUBLIC_BASE_URL=public) as site:
        response, body = site.ask(f"/nfts{PAGE}")
        assert response.status == 200
        cursor = json.loads(body)["nextCursor"]
        assert site.ask(f"/nfts{PAGE}&cursor={cursor}")[0].status == 200
        assert site.ask(PAGE)[0].status == 404, "nginx has nothing else there"
        for address in ("/", PAGE, "/api/v1/docs", "/admin/login/"):
            _, body = site.ask(f"/nfts{address}", Accept="text/html")
            links = re.findall(r'(?:href|src|action)="(/[^"#]*|https://nft[^"#]*)"', body.decode())
            assert len(links) >= 3
            assert all(urlsplit(link).path.startswith("/nfts/") for link in links), links
            for link in links:
                if "/static/" in link:
                    assert site.ask(urlsplit(link).path)[0].status == 200, link
        moved, _ = site.ask("/nfts/api/v1/schema/")
        assert urlsplit(moved.headers["Location"]).path == "/nfts/api/v1/schema"
        for address in ("/nfts/metrics", "/nfts/admin/", "/nfts/admin"):
            assert site.ask(address, source=STRANGER)[0].status == 403
        assert site.ask("/nfts/admin/login/")[0].status == 200
        place = tmp_path / "var" / "files" / PICTURE
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(BYTES)
        assert site.ask(f"/nfts/files/{PICTURE}")[1] == BYTES
