"""The service as gunicorn serves it: a real process, a real socket."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings

from tests import machine
from tests.patience import PATIENCE, comes

ROOT = Path(settings.BASE_DIR)


@dataclass(frozen=True)
class Server:
    """A running gunicorn and where its log goes."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    def ask(
        self, address: str, method: str = "GET", **headers: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """One request over a connection of its own."""
        with contextlib.closing(
            http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        ) as connection:
            connection.request(method, address, headers=headers)
            response = connection.getresponse()
            return response, response.read()


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Variables for a service of its own in `folder`."""
    database = f"sqlite:///{folder}/db.sqlite3"
    return machine.bare(**{"SECRET_KEY": "k" * 50, "DATABASE_URL": database, **more})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service that the tests of this file share."""
    with serving(tmp_path_factory.mktemp("service")) as running:
        yield running


@contextlib.contextmanager
def serving(folder: Path, **more: str) -> Iterator[Server]:
    """A service on a free port, with an empty, migrated database; its standard error goes to `errors` in the folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    variables = environment(folder, PORT=str(port), WEB_CONCURRENCY="1", API_MAX_AGE="60", **more)
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(migrate, cwd=ROOT, env=variables, check=True)
    log = folder / "log"
    with log.open("wb") as output, (folder / "errors").open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn"], cwd=ROOT, env=variables, stdout=output, stderr=errors
        )
    running = Server(process, port, log)
    try:
        wait_for(running)
        yield running
    finally:
        process.kill()
        process.wait()


def wait_for(server: Server) -> None:
    """Return once the service answers."""

    def answers() -> bool:
        with contextlib.suppress(OSError):
            return bool(server.ask("/healthz"))
        return False

    if not comes(answers, server.process):
        pytest.fail(
            f"gunicorn did not start:\n{server.log.read_text()}{server.log.with_name('errors').read_text()}"
        )


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("name", ["charset", "CharSet", " charset", "charset*", "boundary*"])
@pytest.mark.parametrize("charset", ["rot13", "hex", "utf-16", "no-such-charset", '"rot13"', "rot13''x"])
def test_a_charset_in_the_content_type_does_not_reach_the_query_string(
    server: Server, charset: str, name: str, method: str
) -> None:
    """Django would fail to decode by one that is no text, before any of our code could answer."""
    for kind in ("text/html", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"):
        sent = {"Content-Type": f"{kind};{name}={charset}"}
        response, body = server.ask("/api/v1/nfts/by-token?limit=1", method, **sent)
        if method in {"GET", "HEAD", "OPTIONS"}:
            assert response.status == 200
            assert method != "GET" or json.loads(body) == {"data": []}
        else:
            assert (response.status, json.loads(body)["errors"][0]["code"]) == (405, "method_not_allowed")


@pytest.mark.parametrize("unit", ["a;a*0=b;", "text/html;a=b;", ";charset=", ";"])
def test_a_content_type_that_is_too_long_has_no_meaning(tmp_path: Path, unit: str) -> None:
    """Django parses it while it makes the request; one of 790 kB took seconds. Other servers than gunicorn take it."""
    code = (
        "import sys; from nftsite.wsgi import made_readable; "
        "made_readable(lambda environ, _: print(environ['CONTENT_TYPE']))"
        "({'CONTENT_TYPE': sys.argv[1] * 8_000}, None)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, unit],
        cwd=ROOT,
        env=environment(tmp_path, DJANGO_SETTINGS_MODULE="nftsite.settings"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "application/octet-stream"


def test_it_is_ready(server: Server) -> None:
    response, body = server.ask("/readyz")
    assert (response.status, json.loads(body)) == (200, {"status": "ready"})


def test_an_answer(server: Server) -> None:
    response, body = server.ask("/api/v1/nfts/by-token", Origin="https://app.example")
    assert (response.status, json.loads(body)) == (200, {"data": []})
    assert response.headers["Cache-Control"] == "public, max-age=60"
    assert response.headers["Access-Control-Allow-Origin"] == "*"


def test_head(server: Server) -> None:
    got, body = server.ask("/api/v1/schema")
    head, nothing = server.ask("/api/v1/schema", method="HEAD")
    assert (head.status, nothing) == (200, b"")
    assert head.headers["Content-Length"] == got.headers["Content-Length"] == str(len(body))


def test_the_longest_valid_query_is_accepted(server: Server) -> None:
    query = "tokenId=" + ",".join(str(2**255 + n) for n in range(30))
    query += "&excludedTokenIds=" + ",".join(str(2**254 + n) for n in range(30))
    query += "&traits=" + ",".join(f"Type-{n:065}" for n in range(30))
    assert 6500 < len(query) < 8100
    response, body = server.ask(f"/api/v1/nfts/by-token?{query}")
    assert (response.status, json.loads(body)) == (200, {"data": []})


def test_a_longer_one_is_refused(server: Server) -> None:
    response, _ = server.ask("/api/v1/nfts/by-token?traits=a-" + "b" * 9000)
    assert response.status == 414


def test_the_log_is_json_with_request_ids(server: Server) -> None:
    server.ask("/healthz", **{"X-Request-ID": "find-me"})
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    (line,) = [line for line in lines if line["request_id"] == "find-me"]
    assert (line["logger"], line["method"], line["path"], line["status"]) == (
        "access",
        "GET",
        "/healthz",
        200,
    )
    assert "gunicorn.error" in {line["logger"] for line in lines}


def test_ctrl_c_stops_it_cleanly(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(PATIENCE) == 0


@pytest.mark.postgresql
def test_statements_of_web_processes_are_limited(tmp_path: Path) -> None:
    script = (
        "import django, {module}; from django.db import connection; django.setup(); c = connection.cursor(); "
        "c.execute('SHOW statement_timeout'); print(c.fetchone()[0])"
    )
    variables = environment(tmp_path, DATABASE_URL=os.environ["TEST_DATABASE_URL"])
    variables["DJANGO_SETTINGS_MODULE"] = "nftsite.settings"

    def shown(module: str) -> str:
        command = [sys.executable, "-c", script.format(module=module)]
        return subprocess.run(
            command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True
        ).stdout

    assert shown("nftsite.wsgi") == "15s\n"
    assert shown("nftsite.settings") == "0\n"


def test_the_log_goes_to_standard_output_and_nothing_else(tmp_path: Path) -> None:
    """Also lines of gunicorn itself, and of Django; commands keep theirs off it, since their output may be data."""
    with serving(tmp_path) as server:
        server.ask("/healthz", **{"X-Request-ID": "find-me"})
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(PATIENCE)
        lines = [json.loads(line) for line in server.log.read_text().splitlines()]
        assert {"access", "gunicorn.error"} <= {line["logger"] for line in lines}
        assert server.log.with_name("errors").read_text() == ""


def test_a_command_logs_to_standard_error(tmp_path: Path) -> None:
    script = "import django; django.setup(); import logging; logging.getLogger('nftsite').info('a line')"
    variables = environment(tmp_path, DJANGO_SETTINGS_MODULE="nftsite.settings")
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=variables, capture_output=True, text=True, check=True
    )
    assert done.stdout == ""
    assert json.loads(done.stderr)["message"] == "a line"


@pytest.mark.parametrize(("believed", "status"), [("10.9.8.7", 403), ("127.0.0.0/8", 200), ("*", 200)])
def test_a_proxy_named_in_the_env_file_is_believed(tmp_path: Path, believed: str, status: int) -> None:
    """A login that came by https is refused as foreign where the proxy that says so is not believed."""
    (tmp_path / "settings").write_text(f"FORWARDED_ALLOW_IPS = {believed}\n")
    with serving(tmp_path, ENV_FILE=str(tmp_path / "settings")) as server:
        response, body = server.ask("/admin/login/")
        token = re.search('name="csrfmiddlewaretoken" value="([^"]+)"', body.decode())
        assert token is not None
        sent = {"Cookie": response.headers["Set-Cookie"].partition(";")[0], "X-CSRFToken": token[1]}
        sent |= {"X-Forwarded-Proto": "https", "Origin": f"https://127.0.0.1:{server.port}"}
        response, _ = server.ask("/admin/login/", method="POST", **sent)
        assert response.status == status
