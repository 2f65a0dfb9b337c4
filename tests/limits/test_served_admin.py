"""The admin can be switched off, or be answered at an address of its own, which no request can pretend to."""

from __future__ import annotations

import contextlib
import http.client
import socket
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from tests.infra.serving import serving
from tests.patience import PATIENCE

# No table has a part in it.
pytestmark = pytest.mark.sqlite
PAGES = ("/admin/", "/admin", "/admin/login/", "/admin/tokens/nft/")


@pytest.mark.parametrize("address", PAGES)
def test_a_service_without_an_admin_knows_nothing_of_it(settings: LazySettings, address: str) -> None:
    settings.ADMIN = False
    client = Client()
    for answer in (client.get(address), client.post(address, {"username": "a"}), client.get("/nothing")):
        assert (answer.status_code, answer.json()["errors"][0]["code"]) == (404, "not_found")
    assert not client.cookies


def test_a_server_that_does_not_say_where_a_request_came_in_has_no_such_admin(settings: LazySettings) -> None:
    settings.ADMIN_BIND = "127.0.0.1:80"
    answer = Client(SERVER_NAME="127.0.0.1", SERVER_PORT="80").get(
        "/admin/", headers={"host": "127.0.0.1:80"}
    )
    assert answer.status_code == 404


class Came:
    """A connection that was made to an address."""

    def __init__(self, name: object) -> None:
        self.name = name

    def getsockname(self) -> object:
        return self.name


@pytest.mark.parametrize(
    ("bind", "name", "status"),
    [
        ("127.0.0.1:8001", ("127.0.0.1", 8001), 302),
        ("127.0.0.1:8001", ("127.0.0.1", 8000), 404),
        ("127.0.0.1:8001", ("10.0.0.5", 8001), 404),
        ("127.0.0.1:8001", "/run/nft.sock", 404),
        ("0.0.0.0:8001", ("10.0.0.5", 8001), 302),
        ("[::]:8001", ("::ffff:10.0.0.5", 8001, 0, 0), 302),
        ("10.0.0.5:8001", ("::ffff:10.0.0.5", 8001, 0, 0), 302),
        ("[fe80::1]:8001", ("fe80::1%eth0", 8001, 0, 2), 302),
        ("[::1]:8001", ("::1", 8001, 0, 0), 302),
        ("unix:/run/admin.sock", "/run/admin.sock", 302),
        ("unix:/run/admin.sock", "/run/nft.sock", 404),
        ("unix:/run/admin.sock", ("127.0.0.1", 8000), 404),
    ],
)
def test_the_address_is_the_connections(settings: LazySettings, bind: str, name: object, status: int) -> None:
    settings.ADMIN_BIND = bind
    defaults: dict[str, Any] = {"gunicorn.socket": Came(name)}
    assert Client(**defaults).get("/admin/").status_code == status


def test_the_admin_is_answered_at_its_own_address_and_nowhere_else(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    def status(at: int, address: str, **headers: str) -> int:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", at, timeout=PATIENCE)) as connection:
            connection.request("GET", address, headers=headers)
            return connection.getresponse().status

    with serving(tmp_path, ADMIN_BIND=f"127.0.0.1:{port}") as server:
        assert status(port, "/admin/login/") == 200
        assert status(port, "/healthz") == 200
        assert status(server.port, "/healthz") == 200
        for address in PAGES:
            assert status(server.port, address) == 404
        pretended = {
            "Host": f"127.0.0.1:{port}",
            "X-Forwarded-Port": str(port),
            "X-Forwarded-Host": "127.0.0.1",
        }
        assert status(server.port, "/admin/login/", **pretended) == 404
