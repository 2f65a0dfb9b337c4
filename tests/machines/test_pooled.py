"""All of the service over Debian's PgBouncer in transaction mode, which keeps nothing of a session."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psycopg2
import pytest

from core.db.planning import PAGES
from nftsite.sample.loading import SAMPLE
from tests.machines.cluster import Cluster, cluster, free_port, pgbouncer
from tests.machines.serving import manage, serving, variables
from tests.orders.made_up import APES, item, listing, parameters
from tests.orders.stand_in import KEY, StandIn
from tests.patience import comes
from tests.processes import ROOT, started

pytestmark = [pytest.mark.postgresql, pytest.mark.xdist_group("pooled")]  # one worker starts the servers
NFTS = "/api/v1/nfts/by-token"
SETTINGS = [word.split("=", 1) for word in PAGES.split() if word != "-c"]


@pytest.fixture(scope="module")
def two() -> Iterator[Cluster]:
    with cluster() as made:
        yield made


@pytest.fixture(scope="module")
def pooler(two: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The primary behind two sessions that all share, its role with the options that a pooler takes from none."""
    made = ["CREATE ROLE web LOGIN SUPERUSER", "ALTER ROLE web SET statement_timeout = '15s'"]
    two.primary.query(*made, *(f"ALTER ROLE web SET {name} = {value}" for name, value in SETTINGS))
    with pgbouncer(two.primary, tmp_path_factory.mktemp("pooler"), "server_reset_query_always = 0") as url:
        yield url.replace("postgres@", "web@")


@pytest.fixture(scope="module")
def environment(pooler: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Of processes on an empty database behind it, where the tables are made and the sample is loaded through it."""
    made = variables(
        tmp_path_factory.mktemp("pooled"), pooler, DISABLE_SERVER_SIDE_CURSORS="true", STATEMENT_TIMEOUT="0"
    )
    for words in (("migrate", "-v0"), ("load", str(SAMPLE), "-v0", "--strict")):
        done = manage(made, *words)
        assert done.returncode == 0, done.stderr
    return made


def test_pages_over_it_are_those_over_a_direct_connection(
    two: Cluster, environment: dict[str, str], tmp_path: Path
) -> None:
    direct = environment | {"DATABASE_URL": two.primary.url, "DISABLE_SERVER_SIDE_CURSORS": "false"}
    queries = [
        f"{NFTS}?limit=7",
        f"{NFTS}?limit=9&sortBy=tokenId-desc&chain=ethereum",
        f"{NFTS}?limit=9&sortBy=lowestAsk&priceFilter=eth,,&includeLastTransfer=true",
    ]
    found = []
    for number, given in enumerate((environment, direct)):
        folder = tmp_path / str(number)
        folder.mkdir()
        with serving(given, folder) as service:
            found.append([service.walk(query) for query in queries])
            assert service.get("/readyz")[0] == service.get("/metrics")[0] == service.get("/")[0] == 200
    assert found[0] == found[1]
    assert all(len(items) > 20 for items in found[0])


def test_what_a_pooler_takes_from_no_connection_its_role_has(
    environment: dict[str, str], tmp_path: Path
) -> None:
    asked = ", ".join(f"current_setting('{name}')" for name in ("statement_timeout", *dict(SETTINGS)))
    with closing(psycopg2.connect(environment["DATABASE_URL"])) as session, session.cursor() as cursor:
        cursor.execute(f"SELECT {asked}")
        assert cursor.fetchone() == ("15s", *dict(SETTINGS).values())


def test_a_role_without_a_limit_of_time_is_told_in_the_log(
    environment: dict[str, str], tmp_path: Path
) -> None:
    unlimited = environment | {
        "DATABASE_URL": environment["DATABASE_URL"].replace("web@", "postgres@"),
        "STATEMENT_TIMEOUT": "15",
    }
    with serving(unlimited, tmp_path) as service:
        assert service.get(NFTS)[0] == 200
    assert "has no limit of time" in (tmp_path / "log").read_text()


def test_a_dump_reads_over_it_what_was_loaded(two: Cluster, environment: dict[str, str]) -> None:
    pooled, direct = (
        manage(environment, "dump"),
        manage(environment | {"DATABASE_URL": two.primary.url}, "dump"),
    )
    assert pooled.returncode == 0, pooled.stderr
    assert pooled.stdout == direct.stdout
    assert pooled.stdout.count("\n") > 1_000


HOLD = """
import sys
import django
django.setup()
from django.db import connection
from indexing.follow.lock import AlreadyIndexedError, is_held, only_indexer
from tokens.store import chains
chain = chains.known()["ethereum"]
try:
    with only_indexer(chain):
        print(is_held(chain), flush=True)
        sys.stdin.readline()
        print(is_held(chain), flush=True)
except AlreadyIndexedError as fault:
    print(fault, flush=True)
"""


def holding(environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLD],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_one_indexer_a_chain_also_where_sessions_are_shared(
    two: Cluster, environment: dict[str, str]
) -> None:
    """And whether it comes over the pooler or past it: it is one lock."""
    direct = environment | {"DATABASE_URL": two.primary.url}
    for first, second in ((environment, environment), (environment, direct), (direct, environment)):
        with holding(first) as holder:
            assert said(holder) == "True"
            with holding(second) as refused:
                assert said(refused) == "Another process indexes ethereum into this database."
            holder.kill()
        with holding(second) as next_one:  # the lock went with who held it
            assert comes(lambda: True)
            assert said(next_one) == "True"
            next_one.communicate("\n")


def test_an_indexer_whose_session_the_server_ended_holds_no_lock(
    two: Cluster, environment: dict[str, str]
) -> None:
    with holding(environment) as holder:
        assert said(holder) == "True"
        two.primary.query(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"
        )
        told, _ = holder.communicate("\n")
    assert told.strip() == "False"


def test_a_lock_that_is_held_for_hours_holds_back_no_vacuum_and_ends_by_no_limit(
    two: Cluster, environment: dict[str, str]
) -> None:
    two.primary.query("ALTER ROLE web SET idle_in_transaction_session_timeout = '1s'")
    with holding(environment) as holder:
        assert said(holder) == "True"
        rows = two.primary.query(
            "SELECT backend_xmin, backend_xid FROM pg_locks JOIN pg_stat_activity USING (pid) "
            "WHERE locktype = 'advisory' AND objsubid = 2"
        )
        assert rows == [(None, None)]
        two.primary.query("SELECT pg_sleep(1.5)")
        told, _ = holder.communicate("\n")
    assert told.strip() == "True"
    two.primary.query("ALTER ROLE web RESET idle_in_transaction_session_timeout")


def test_windows_of_blocks_are_indexed_over_it(environment: dict[str, str]) -> None:
    port = str(free_port())
    with started(environment, "-m", "nftsite.bench.made_up_node", port, "40") as node:
        assert comes(lambda: listens(int(port)), node)
        words = (
            "index",
            "--chain",
            "ethereum",
            "--rpc-url",
            f"http://127.0.0.1:{port}",
            "--to-block",
            "40",
            "-v0",
        )
        done = manage(environment, *words)
    assert done.returncode == 0, done.stderr
    assert "800 transfers" in done.stdout


def listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def test_other_commands_work_over_it(environment: dict[str, str], tmp_path: Path) -> None:
    rates = tmp_path / "rates.csv"
    rates.write_text("date,usd\n2024-12-30,3352.5\n")
    for words in (
        ("sync_rates", str(rates), "--currency", "ETH", "-v0"),
        ("compute_rarity", "-v0"),
        ("tick_asks",),
        ("render_nfts", "-v0"),
    ):
        done = manage(environment, *words)
        assert done.returncode == 0, (words, done.stderr)


def test_asks_are_read_from_outside_over_it(two: Cluster, environment: dict[str, str]) -> None:
    with StandIn(apes=[listing(parameters(offer=[item(2, APES, 1, 1)]))]) as source:
        given = environment | {"OPENSEA_API_URL": source.url, "OPENSEA_API_KEY": KEY}
        done = manage(given, "sync_asks", "--source", "opensea", "--chain", "ethereum", "--contract", APES)
    assert done.returncode == 0, done.stderr
    assert two.primary.query("SELECT read_at IS NOT NULL FROM indexing_bookwalk") == [(True,)]


def test_without_the_setting_cursors_are_kept_by_no_server_all_the_same(environment: dict[str, str]) -> None:
    """That a pooler is in between is noticed by the session's number."""
    code = (
        "from django.db import connection; connection.ensure_connection(); "
        "print(connection.settings_dict['DISABLE_SERVER_SIDE_CURSORS'])"
    )
    done = manage(environment | {"DISABLE_SERVER_SIDE_CURSORS": "false"}, "shell", "-v0", "-c", code)
    assert done.stdout.strip() == "True", done.stderr
