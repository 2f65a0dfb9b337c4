"""The service as gunicorn serves it: a real process, a real socket."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.infra.serving import Server, environment, serving
from tests.patience import PATIENCE
from tests.processes import ROOT

# No database has a part in it; the service is started once.
pytestmark = [pytest.mark.sqlite, pytest.mark.xdist_group("service")]

CHARSETS = ["rot13", "hex", "utf-16", "no-such-charset", '"rot13"', "rot13''x"]
NAMES = ["charset", "CharSet", " charset", "charset*", "boundary*"]


@pytest.mark.parametrize(
    ("charset", "name", "method"),
    [
        *((charset, name, method) for charset in CHARSETS for name in NAMES for method in ("GET", "POST")),
        *(("rot13", "charset", method) for method in ("PUT", "DELETE", "HEAD", "OPTIONS", "TRACE")),
    ],
)
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


def test_a_content_type_that_is_too_long_has_no_meaning(tmp_path: Path) -> None:
    """Django parses it while it makes the request; one of 790 kB took seconds. Other servers than gunicorn take it."""
    code = (
        "import sys; from nftsite.wsgi import made_readable\n"
        "for unit in sys.argv[1:]:\n"
        "    made_readable(lambda environ, _: print(environ['CONTENT_TYPE']))({'CONTENT_TYPE': unit * 8_000}, None)"
    )
    units = ["a;a*0=b;", "text/html;a=b;", ";charset=", ";"]
    done = subprocess.run(
        [sys.executable, "-c", code, *units],
        cwd=ROOT,
        env=environment(tmp_path, DJANGO_SETTINGS_MODULE="nftsite.settings"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-len(units) :] == ["application/octet-stream"] * len(units)


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
