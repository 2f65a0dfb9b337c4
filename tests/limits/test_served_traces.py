"""OpenTelemetry, where a setting names a collector: spans that say what the log says. Else none of it is imported."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.infra.serving import environment, serving
from tests.patience import PATIENCE, comes
from tests.processes import ROOT

# No table has a part in it.
pytestmark = pytest.mark.sqlite
PAGE = "/api/v1/nfts/by-token?limit=1"
KEY = "nft_" + "k" * 43


class Collector:
    """Takes what is exported by OTLP over HTTP."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        kept = self.bodies

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                kept.append(gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body)
                self.send_response(200)
                self.send_header("Content-Type", "application/x-protobuf")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def spans(self) -> list[tuple[str, dict[str, Any]]]:
        """The spans that came so far: names, and attributes with those of their resource."""
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        found = []
        for body in self.bodies:
            for group in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in group.scope_spans:
                    for span in scope.spans:
                        pairs = [*group.resource.attributes, *span.attributes]
                        values = {
                            one.key: getattr(one.value, one.value.WhichOneof("value") or "") for one in pairs
                        }
                        found.append((span.name, values))
        return found


@pytest.fixture
def collector() -> Iterator[Collector]:
    """A collector on this machine."""
    if find_spec("opentelemetry.instrumentation.wsgi") is None:
        pytest.skip("OpenTelemetry (requirements-otel.txt) is not installed")
    made = Collector()
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_each_request_is_a_span_with_what_the_log_says_and_no_query_string(
    tmp_path: Path, collector: Collector
) -> None:
    settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_BSP_SCHEDULE_DELAY": "50"}
    with serving(tmp_path, WEB_CONCURRENCY="2", **settings) as server:
        trace = "0af7651916cd43dd8448eb211c80319c"
        sent = {"traceparent": f"00-{trace}-b7ad6b7169203331-01", "X-Request-ID": "told"}
        assert server.ask(PAGE, **sent)[0].status == 200
        assert server.ask("/api/v1/transfers/by-token?limit=1", **{"X-API-Key": KEY})[0].status == 401
        assert server.ask("/nothing", Host="elsewhere.example:port")[0].status == 400
        assert comes(lambda: len(collector.spans()) >= 3, server.process)
    spans = dict(collector.spans())
    assert set(spans) == {"GET nftsByToken", "GET transfersByToken", "GET other"}, "and none of /healthz"
    page = spans["GET nftsByToken"]
    assert (page["nft.operation"], page["nft.cost"], page["nft.database"]) == (
        "nftsByToken",
        "cheap",
        "sqlite",
    )
    assert (page["nft.limited"], page["nft.request_id"], page["service.name"]) == (False, "told", "nft-api")
    assert page["http.status_code"] == 200
    assert any(bytes.fromhex(trace) in body for body in collector.bodies), (
        "it goes on with the trace it was sent"
    )
    assert b"limit=1" not in b"".join(collector.bodies)
    assert KEY.encode() not in b"".join(collector.bodies)


def test_a_collector_that_is_away_costs_no_page(tmp_path: Path) -> None:
    if find_spec("opentelemetry.instrumentation.wsgi") is None:
        pytest.skip("OpenTelemetry (requirements-otel.txt) is not installed")
    with serving(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9") as server:
        assert [server.ask(PAGE)[0].status for _ in range(20)] == [200] * 20


def started(tmp_path: Path, code: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run Python code beside the service's WSGI entry."""
    variables = environment(tmp_path, VAR_DIR=str(tmp_path / "var"), **settings)
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False, timeout=PATIENCE
    )


def test_nothing_of_it_is_imported_unless_a_collector_is_named(tmp_path: Path) -> None:
    code = "import sys, nftsite.wsgi; print({'opentelemetry', 'redis'} & set(sys.modules))"
    done = started(tmp_path, code)
    assert done.stdout.splitlines()[-1] == "set()", done.stderr


def test_a_start_without_its_packages_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['opentelemetry'] = None; import nftsite.wsgi"
    done = started(tmp_path, code, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:4318")
    assert done.returncode != 0
    assert "pip install -r requirements-otel.txt" in done.stderr.splitlines()[-1]
