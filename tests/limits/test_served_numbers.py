"""`/metrics` counts over all workers, dead ones included, and the log says the same of each request."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.infra.serving import Server, serving
from tests.patience import comes

# No table has a part in it; the service is started once.
pytestmark = [pytest.mark.sqlite, pytest.mark.xdist_group("numbers")]

PAGE = "/api/v1/nfts/by-token?limit=1"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Two workers, which limit requests by the day."""
    folder = tmp_path_factory.mktemp("numbers")
    with serving(
        folder, WEB_CONCURRENCY="2", RATE_LIMIT="1000000/day", VAR_DIR=str(folder / "var")
    ) as server:
        yield server


def figures(server: Server, name: str, **labels: str) -> float:
    """The sum of the samples of a name that have these labels."""
    total = 0.0
    for line in server.ask("/metrics")[1].decode().splitlines():
        found = re.fullmatch(rf"{name}(?:\{{(.*)\}})? (\S+)", line)
        if found and labels.items() <= dict(re.findall(r'(\w+)="([^"]*)"', found[1] or "")).items():
            total += float(found[2])
    return total


def workers(server: Server) -> set[int]:
    """The processes that serve."""
    listed = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text()
    return {int(number) for number in listed.split()}


def test_requests_are_counted_by_operation_status_cost_and_database(service: Server) -> None:
    before = figures(service, "nft_http_requests_total", operation="nftsByToken")
    asked = {"nftsByToken": (PAGE, 200), "transfersByToken": ("/api/v1/transfers/by-token", 400)}
    for address, status in asked.values():
        for _ in range(10):
            assert service.ask(address)[0].status == status
    assert figures(service, "nft_http_requests_total", operation="nftsByToken") == before + 10
    for operation, (_, status) in asked.items():
        labels = {"operation": operation, "status": str(status), "cost": "cheap"}
        assert figures(service, "nft_http_requests_total", database="sqlite", **labels) >= 10
        count = figures(service, "nft_http_request_duration_seconds_count", **labels)
        assert (
            count == figures(service, "nft_http_request_duration_seconds_bucket", le="+Inf", **labels) >= 10
        )
        assert figures(service, "nft_http_request_duration_seconds_sum", **labels) > 0
    service.ask(PAGE, Accept="text/html")
    assert figures(service, "nft_http_requests_total", cost="moderate", status="200") == 1
    service.ask(PAGE, **{"X-API-Key": "x"})
    assert figures(service, "nft_http_refused_total", operation="nftsByToken", reason="key") == 1
    service.ask("/nothing")
    assert figures(service, "nft_http_requests_total", operation="other", status="404", database="none") == 1


def test_what_a_killed_worker_counted_is_not_lost_nor_what_is_told_broken(service: Server) -> None:
    for _ in range(3):
        for _ in range(20):
            service.ask(PAGE)
        before = figures(service, "nft_http_requests_total", operation="nftsByToken")
        assert before >= 20
        killed = workers(service)
        for number in killed:
            os.kill(number, signal.SIGKILL)
        assert comes(lambda killed=killed: len(workers(service) - killed) == 2, service.process)  # type: ignore[misc]
        assert figures(service, "nft_http_requests_total", operation="nftsByToken") == before
    folders = list((service.log.parent / "var" / "metrics").glob("web-*"))
    sizes = sorted(file.stat().st_size for file in folders[0].glob("*.db"))
    assert len(folders) == 1
    assert sum(size > 65_536 for size in sizes) == 6, (
        "the master's and two workers': the dead take next to nothing"
    )


def test_a_line_of_the_log_has_the_same_facts(service: Server) -> None:
    service.ask(PAGE, **{"X-Request-ID": "told-here"})

    def line() -> dict[str, object]:
        lines = (text for text in service.log.read_text().splitlines() if "told-here" in text)
        found: dict[str, object] = json.loads(next(lines, "{}"))
        return found

    assert comes(line)
    told = {name: line()[name] for name in ("operation", "cost", "database", "limited", "status")}
    assert told == {
        "operation": "nftsByToken",
        "cost": "cheap",
        "database": "sqlite",
        "limited": False,
        "status": 200,
    }


def test_a_new_service_begins_at_nothing_and_clears_away_what_a_killed_one_left(tmp_path: Path) -> None:
    variables = {"VAR_DIR": str(tmp_path / "var")}
    with serving(tmp_path, **variables) as server:
        server.ask(PAGE)
        left = set((tmp_path / "var" / "metrics").glob("web-*"))
        with serving(tmp_path, **variables) as beside:
            assert figures(beside, "nft_http_requests_total", operation="nftsByToken") == 0
            beside.ask(PAGE)
            assert figures(server, "nft_http_requests_total", operation="nftsByToken") == 1, "each its own"
            left |= set((tmp_path / "var" / "metrics").glob("web-*"))
            assert len(left) == 2
            children = workers(server) | workers(beside)
            for process in (server.process, beside.process):
                process.kill()
                process.wait()
            for number in children:
                os.kill(number, signal.SIGKILL)
    with serving(tmp_path, **variables) as server:
        assert figures(server, "nft_http_requests_total", operation="nftsByToken") == 0
        (own,) = (tmp_path / "var" / "metrics").glob("web-*")
        assert own not in left


def test_a_service_that_finds_no_room_to_count_answers_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "metrics").write_text("a file in its place")
    with serving(tmp_path, VAR_DIR=str(tmp_path / "var")) as server:
        assert server.ask(PAGE)[0].status == 200
        assert figures(server, "nft_http_requests_total", operation="nftsByToken") == 1
        assert "Web processes count apart" in server.log.with_name("errors").read_text()
