"""What gunicorn refuses by itself has the documented body, and its log quotes no query string."""

import contextlib
import json
import socket
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from gunicorn.http import errors

from nftsite.server import refusals
from tests.infra.serving import Server
from tests.patience import PATIENCE

pytestmark = [pytest.mark.sqlite, pytest.mark.xdist_group("service")]  # no database has a part in it


def raw(server: Server, sent: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of the answer to some bytes."""
    with contextlib.closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE)) as connection:
        connection.sendall(sent)
        received = b""
        while block := connection.recv(65536):
            received += block
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return int(first.split()[1]), headers, body


REFUSED = [
    (
        b"GET /api/v1/nfts/by-token?q=secret-word" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        414,
        "uri_too_long",
    ),
    (
        b"GET /?q=secret-word HTTP/1.1\r\nHost: localhost\r\n" + b"X: " + b"a" * 9000 + b"\r\n\r\n",
        431,
        "headers_too_large",
    ),
    (b"GET /?q=secret-word HTTP/3.7\r\nHost: localhost\r\n\r\n", 505, "version_not_supported"),
    (b"GET /?q=secret-word\r\nHost: localhost\r\n\r\n", 400, "invalid"),
    (b"GET /?q=secret word HTTP/1.1\r\nHost: localhost\r\n\r\n", 505, "version_not_supported"),
    (b"get /?q=secret-word HTTP/1.1\r\nHost: localhost\r\n\r\n", 501, "not_implemented"),
    (
        b"GET /?q=secret-word HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: secret-word\r\n\r\n",
        501,
        "not_implemented",
    ),
    (
        b"GET /?q=secret-word HTTP/1.1\r\nHost: localhost\r\nContent-Length: secret-word\r\n\r\n",
        400,
        "invalid",
    ),
    (b"GET /?q=secret-word HTTP/1.1\r\nHost: localhost\r\nsecret-word\r\n\r\n", 400, "invalid"),
    (b"\x16\x03\x01\x02\x00secret-word\r\n\r\n", 400, "invalid"),
]


@pytest.mark.parametrize(("sent", "status", "code"), REFUSED, ids=range(len(REFUSED)))
def test_what_gunicorn_refuses_has_the_documented_body(
    server: Server, sent: bytes, status: int, code: str
) -> None:
    found, headers, body = raw(server, sent)
    assert found == status
    assert headers["Content-Type"] == "application/json"
    assert headers["Cache-Control"] == "no-store"
    told = json.loads(body)
    assert told["type"] == ("server_error" if status >= 500 else "client_error")
    (error,) = told["errors"]
    assert (error["code"], error["attr"]) == (code, None)
    assert headers["X-Request-ID"] in server.log.read_text()
    assert "secret-word" not in server.log.read_text() + server.log.with_name("errors").read_text()


@pytest.mark.parametrize("word", ["Béret", "帽子", "🦖"])
def test_letters_that_are_typed_as_they_are_mean_the_same_as_encoded_ones(server: Server, word: str) -> None:
    target = f"/api/v1/nfts/by-token?tokenIdd={word}".encode()
    status, _, body = raw(
        server, b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    assert status == 400
    assert json.loads(body)["errors"][0]["code"] == "unknown_parameter"
    target = f"/api/v1/nfts/by-token?traits=Hat-{word}".encode()
    status, _, body = raw(
        server, b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    assert (status, json.loads(body)) == (200, {"data": []})
    assert word not in server.log.read_text()


def test_bytes_that_are_no_utf_8_are_a_fault_of_their_parameter(server: Server) -> None:
    sent = (
        b"GET /api/v1/nfts/by-token?traits=Hat-\xe9 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    status, _, body = raw(server, sent)
    assert status in {200, 400}
    assert json.loads(body)


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (errors.LimitRequestLine(9, 8), 414),
        (errors.LimitRequestHeaders("x"), 431),
        (errors.InvalidHeader("x"), 400),
        (errors.InvalidResponseHeader("x"), 500),
        (errors.ObsoleteFolding("x"), 400),
        (errors.InvalidChunkSize(b"x"), 400),
        (errors.ForbiddenProxyRequest("x"), 403),
        (errors.ExpectationFailed("x"), 417),
        (ValueError("secret"), 500),
    ],
)
def test_each_fault_has_its_status(fault: Exception, status: int) -> None:
    assert refusals.status_of(fault) == status
    head, _, body = refusals.answer(HTTPStatus(status), "an-id").partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ".encode())
    assert f"Content-Length: {len(body)}".encode() in head
    assert json.loads(body)["errors"][0]["detail"]
    assert b"secret" not in body


def test_the_log_of_a_failure_names_no_query(tmp_path: Path) -> None:
    class Log:
        lines: list[str] = []

        def exception(self, text: str, *values: Any) -> None:
            self.lines.append(text % values)

    class Fake:
        log = Log()
        path = "/api"
        uri = "/api?secret"

    one, other = socket.socketpair()
    with one, other:
        refusals.handle_error(Fake(), Fake(), one, ("127.0.0.1", 1), RuntimeError("x"))
        assert other.recv(9999).startswith(b"HTTP/1.1 500 ")
    assert "secret" not in Log.lines[0]
