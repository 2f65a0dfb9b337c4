"""Two services on one database: with a Redis they count together, and a revoked key is refused by both at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.access.keys import digest_of, new_token
from tests.infra.serving import Server, serving
from tests.limits import redis_server
from tests.patience import comes
from tests.processes import databases, outcome, run

PAGE = "/api/v1/nfts/by-token?limit=1"


@dataclass(frozen=True)
class Pair:
    """Two services, and what they share."""

    first: Server
    second: Server
    url: str

    def statuses(self, number: int, **headers: str) -> list[int]:
        """The statuses of so many requests, sent to both in turn."""
        turns = [(self.first, self.second)[turn % 2] for turn in range(number)]
        return [server.ask(PAGE, **headers)[0].status for server in turns]

    def execute(self, statement: str) -> object:
        """Run an expression on the database, in a process of its own, as the admin might be."""
        code = f"import json; from core.access.models import ApiKey; print(json.dumps({statement}))"
        return outcome(run(self.url, "manage.py", "shell", "--no-imports", "--command", code))


MakePair = Callable[..., Pair]


@pytest.fixture
def made_pair(tmp_path: Path) -> Iterator[MakePair]:
    """Makes them, with the caches of both and settings."""
    with ExitStack() as stack:

        def make(first: str, second: str, **settings: str) -> Pair:
            (url,) = stack.enter_context(databases(tmp_path, ["one"]))
            servers = []
            for name, cache in (("one", first), ("two", second)):
                (folder := tmp_path / name).mkdir()
                own = {"DATABASE_URL": url, "VAR_DIR": str(folder / "var"), "CACHE_URL": cache, **settings}
                servers.append(stack.enter_context(serving(folder, **own)))
            return Pair(servers[0], servers[1], url)

        yield make


def with_key(pair: Pair, token: str) -> None:
    made = f"name='Acme', prefix={token[:10]!r}, digest={digest_of(token)!r}"
    pair.execute(f"ApiKey.objects.create({made}).pk and {{}}")


@pytest.mark.sqlite  # no table has a part in it
def test_processes_count_together_over_a_redis_by_tcp_and_by_a_socket_and_survive_its_end(
    tmp_path: Path, made_pair: MakePair
) -> None:
    with redis_server.running(tmp_path) as (process, by_tcp, by_socket):
        pair = made_pair(by_tcp, by_socket, RATE_LIMIT="20/day", LOG_LEVEL="INFO")
        with ThreadPoolExecutor(4) as pool:
            together = [status for part in pool.map(lambda _: pair.statuses(8), range(4)) for status in part]
        assert (together.count(200), together.count(429)) == (20, 12), (
            "exactly as many as one would have allowed"
        )
        answer, _ = pair.second.ask(PAGE)
        assert (answer.status, answer.headers["RateLimit-Remaining"]) == (429, "0")
        assert 0 < int(answer.headers["Retry-After"]) <= 86_400

        process.kill()
        process.wait()
        assert pair.statuses(6) == [200] * 6, "each counts for itself meanwhile"
        answer, _ = pair.first.ask(PAGE)
        assert (answer.status, answer.headers["RateLimit-Remaining"]) == (200, "16")
        figures = pair.first.ask("/metrics")[1].decode()
        found = re.search(r"^nft_limit_cache_faults_total (\S+)$", figures, re.MULTILINE)
        assert found is not None
        assert float(found[1]) >= 1, "after five seconds it is asked again"
        logs = pair.first.log.read_text() + pair.first.log.with_name("errors").read_text()
        assert "limits are counted here" in logs
        assert redis_server.PASSWORD not in logs


@pytest.mark.sqlite  # nor in this
def test_without_a_shared_cache_each_process_counts_for_itself_and_the_log_says_so(
    made_pair: MakePair,
) -> None:
    pair = made_pair("", "", RATE_LIMIT="3/day", WEB_CONCURRENCY="2")
    statuses = pair.statuses(40)
    assert 6 <= statuses.count(200) <= 12, "three each of four processes at most"
    assert "Each of 2 web processes counts RATE_LIMIT by itself" in pair.first.log.read_text()


def test_a_revoked_key_is_refused_at_once_by_every_process_and_its_last_use_is_known(
    made_pair: MakePair,
) -> None:
    pair = made_pair("", "", API_KEYS="required", WEB_CONCURRENCY="2")
    assert pair.statuses(4) == [401] * 4
    token = new_token()
    sent = {"Authorization": f"Bearer {token}"}
    assert pair.statuses(4, **sent) == [401] * 4
    with_key(pair, token)
    assert pair.statuses(16, **sent) == [200] * 16, "known at once, too"
    used = "{'used': ApiKey.objects.exclude(last_used_at=None).count()}"
    assert comes(lambda: pair.execute(used) == {"used": 1}), "written behind the answers"
    pair.execute("{'revoked': ApiKey.objects.update(revoked_at='2026-01-01T00:00Z')}")
    assert pair.statuses(16, **sent) == [401] * 16
    logs = pair.first.log.read_text() + pair.second.log.read_text()
    assert token[4:10] not in logs
