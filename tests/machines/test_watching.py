"""Replicas as they really are: idle, behind, paused, ended, promoted; and pages that one of them cannot finish."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import environ
import psycopg2
import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from pytest_django.plugin import DjangoDbBlocker

from core.db import replicas
from core.db.proofs import QUESTION, Told
from core.db.reading import fetched, server
from core.db.replicas import Watch
from core.rest import servers
from core.rest.servers import of_one_server
from tests.machines.cluster import Cluster, cluster
from tests.patience import comes

pytestmark = pytest.mark.postgresql
LAG = 1.0


@pytest.fixture(scope="module")
def two() -> Iterator[Cluster]:
    with cluster() as made:
        made.primary.query("CREATE TABLE facts (n integer)", "INSERT INTO facts VALUES (1)")
        assert comes(made.caught_up)
        yield made


class Clock:
    """The time of the watch, which passes only where a test has it pass: a busy machine makes nothing old."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        """Seconds."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(replicas, "time", clock)
    return clock


def watching(two: Cluster) -> Watch:
    return Watch({DEFAULT_DB_ALIAS: {"dsn": two.primary.url}, "replica_1": {"dsn": two.replica.url}}, LAG)


@pytest.fixture
def watch(two: Cluster, clock: Clock) -> Watch:
    """One that is asked by hand."""
    return watching(two)


def becomes(watch: Watch, clock: Clock, fresh: list[str]) -> bool:
    """Ask until these are fresh."""

    def is_so() -> bool:
        clock.now += LAG / 4
        watch.check()
        return watch.fresh() == fresh

    return comes(is_so)


def write(two: Cluster) -> None:
    two.primary.query("INSERT INTO facts VALUES (2)")


def test_a_replica_is_read_however_long_nothing_was_written(two: Cluster, watch: Watch, clock: Clock) -> None:
    assert comes(two.caught_up)
    for _ in range(10):
        clock.now += LAG / 2
        watch.check()
        assert watch.fresh() == ["replica_1"]


def test_one_that_replays_no_more_is_read_until_something_was_written_that_long_ago(
    two: Cluster, watch: Watch, clock: Clock
) -> None:
    assert becomes(watch, clock, ["replica_1"])
    two.replica.query("SELECT pg_wal_replay_pause()")
    try:
        watch.check()
        assert watch.fresh() == ["replica_1"]  # there is nothing to replay
        write(two)
        assert becomes(watch, clock, [])
        two.replica.query("SELECT pg_wal_replay_resume()")
        assert becomes(watch, clock, ["replica_1"])
    finally:
        two.replica.query("SELECT pg_wal_replay_resume()")


def test_one_that_does_not_hear_the_primary_is_found_out_though_it_replayed_all_that_it_received(
    two: Cluster, watch: Watch, clock: Clock
) -> None:
    assert becomes(watch, clock, ["replica_1"])
    ((kept,),) = two.replica.query("SHOW primary_conninfo")
    try:
        two.replica.query("ALTER SYSTEM SET primary_conninfo = 'host=/nowhere'", "SELECT pg_reload_conf()")
        assert comes(
            lambda: not two.replica.query("SELECT 1 FROM pg_stat_wal_receiver WHERE status = 'streaming'")
        )
        write(two)
        assert becomes(watch, clock, [])
        assert two.replica.query("SELECT pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn()") == [(True,)]
    finally:
        back = kept.replace("'", "''")
        two.replica.query(f"ALTER SYSTEM SET primary_conninfo = '{back}'", "SELECT pg_reload_conf()")
    assert becomes(watch, clock, ["replica_1"])


def test_one_that_stands_still_as_a_process_is_not_read_and_who_waits_for_it_is_freed(
    two: Cluster, watch: Watch, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replicas, "DEADLINE", 0.3)
    freed: list[str] = []
    monkeypatch.setattr(replicas, "hang_up", lambda alias, since: freed.append(alias))
    assert becomes(watch, clock, ["replica_1"])
    with two.replica.paused():
        watch.check()
        assert watch.fresh() == []
    assert freed[-1] == "replica_1"
    assert becomes(watch, clock, ["replica_1"])


def test_while_the_primary_is_away_a_replica_is_read_for_as_long_as_it_may_be_behind(
    two: Cluster, watch: Watch, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer nobody can know: a primary that is cut off from here alone goes on committing."""
    monkeypatch.setattr(replicas, "DEADLINE", 0.2)
    monkeypatch.setattr(replicas, "hang_up", lambda alias, since: 0)
    assert becomes(watch, clock, ["replica_1"])
    with two.primary.paused():
        watch.check()
        assert watch.fresh() == ["replica_1"]
        assert becomes(watch, clock, [])
    assert becomes(watch, clock, ["replica_1"])


def test_a_replica_that_ended_is_read_again_when_it_is_back(two: Cluster, watch: Watch, clock: Clock) -> None:
    assert becomes(watch, clock, ["replica_1"])
    two.replica.stop()
    watch.check()
    assert watch.fresh() == []
    two.replica.start()
    assert becomes(watch, clock, ["replica_1"])


def test_a_replica_that_was_promoted_is_of_another_past_until_it_follows_again(
    two: Cluster, watch: Watch, clock: Clock
) -> None:
    """The primary lives: what is written to the other one now, the primary does not have."""
    assert becomes(watch, clock, ["replica_1"])
    two.replica.query("SELECT pg_promote()", "INSERT INTO facts VALUES (3)")
    watch.check()
    assert watch.fresh() == []
    two.replicate()
    assert becomes(watch, clock, ["replica_1"])


@pytest.fixture
def aliases(
    two: Cluster, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """The two as Django knows them, in place of the tests' own database, tried in turn: the replica first."""
    given = connections.databases["default"]
    with django_db_blocker.unblock():
        for alias, one in (("replica_1", two.replica), ("first", two.primary)):
            connections.databases[alias] = given | {**environ.Env.db_url_config(one.url)}
        monkeypatch.setattr(servers, "servers", lambda: iter(["replica_1", "first"]))
        yield
        for alias in ("replica_1", "first"):
            connections[alias].close()
            del connections[alias]
            del connections.databases[alias]


def asked(view: Callable[[None], Any]) -> Any:
    return of_one_server(view)(None)


@pytest.mark.usefixtures("aliases")
def test_a_page_is_read_of_one_server_in_one_snapshot(two: Cluster) -> None:
    def page(_: None) -> list[Any]:
        before = fetched("SELECT count(*) FROM facts", None)
        write(two)
        assert comes(two.caught_up)
        assert fetched("SELECT count(*) FROM facts", None) == before
        return fetched("SELECT pg_is_in_recovery()", None)

    assert asked(page) == [(True,)]
    assert server() == DEFAULT_DB_ALIAS


@pytest.mark.usefixtures("aliases")
def test_a_replica_that_ends_in_the_middle_of_a_page_has_it_asked_again_whole(two: Cluster) -> None:
    tried = []

    def page(_: None) -> list[Any]:
        tried.append(server())
        fetched("SELECT 1", None)
        if server() == "replica_1":
            two.replica.stop()
        return fetched("SELECT pg_is_in_recovery()", None)

    try:
        assert asked(page) == [(False,)]
        assert tried == ["replica_1", "first"]
        tried.clear()
        assert asked(page) == [(False,)]  # it is not there at all
    finally:
        two.replica.start()


def test_a_replica_that_was_started_anew_is_not_read_until_it_is_as_far_as_it_was(
    two: Cluster, aliases: None, watch: Watch, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins with what it had written to its disk, however fresh it was a moment before."""

    def page(_: None) -> tuple[str, Any]:
        return server(), fetched("SELECT count(*) FROM facts", None)

    assert comes(two.caught_up)
    two.primary.query("CHECKPOINT")
    two.replica.query("CHECKPOINT")
    write(two)
    monkeypatch.setattr(replicas, "_watch", watch)
    assert becomes(watch, clock, ["replica_1"])
    alias, before = asked(page)
    assert alias == "replica_1"
    two.replica.stop()
    two.replica.start(recovery_min_apply_delay="1d")
    try:
        assert two.replica.query("SELECT count(*) FROM facts") != before
        assert watch.fresh() == ["replica_1"], "nobody has asked it since"
        assert asked(page) == ("first", before)
    finally:
        two.replica.stop()
        two.replica.start()
    assert becomes(watch, clock, ["replica_1"])
    assert asked(page) == ("replica_1", before)


@pytest.mark.usefixtures("aliases")
def test_a_query_that_is_in_the_way_of_what_the_replica_replays_is_asked_of_another(two: Cluster) -> None:
    """`max_standby_streaming_delay` is over: the statement is cancelled, or between two of them the session ended."""

    def page(_: None) -> list[Any]:
        found = fetched("SELECT count(*) FROM facts", None)
        if server() == "replica_1":
            two.primary.query("DELETE FROM facts", "VACUUM facts", "INSERT INTO facts VALUES (1)")
            comes(lambda: fetched("SELECT count(*) FROM facts, pg_sleep(0.1)", None) and False)
        return found

    assert asked(page) == [(1,)]
    assert "due to conflict with recovery" in (two.replica.folder / "log").read_text()


@pytest.mark.usefixtures("aliases")
def test_one_that_lacks_the_newest_migration_for_a_moment_has_the_page_asked_of_another(two: Cluster) -> None:
    assert comes(two.caught_up)
    two.replica.query("SELECT pg_wal_replay_pause()")
    try:
        two.primary.query("CREATE TABLE newer (n integer)")
        assert asked(lambda _: fetched("SELECT n FROM newer", None)) == []
    finally:
        two.replica.query("SELECT pg_wal_replay_resume()")


@pytest.mark.usefixtures("aliases")
def test_a_query_that_takes_too_long_is_not_asked_of_all_servers_in_turn() -> None:
    tried = []

    def page(_: None) -> Any:
        tried.append(server())
        fetched("SELECT set_config('statement_timeout', '10ms', true)", None)
        return fetched("SELECT pg_sleep(60)", None)

    with pytest.raises(OperationalError, match="statement timeout"):
        asked(page)
    assert tried == ["replica_1"]


def test_who_waits_for_a_server_that_is_silent_gets_an_answer_of_another(
    two: Cluster, aliases: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The watch notices, and frees the thread, which waited for what never comes."""
    monkeypatch.setattr(replicas, "DEADLINE", 0.3)
    monkeypatch.setattr(replicas, "EVERY", 0.1)
    watching(two).start()

    def page(_: None) -> list[Any]:
        fetched("SELECT 1", None)
        if server() == "replica_1":
            with two.replica.paused():
                fetched("SELECT 1", None)
        return fetched("SELECT pg_is_in_recovery()", None)

    assert asked(page) == [(False,)]


def test_a_replica_is_asked_first_and_then_the_primary_and_nobody_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replicas, "_fresh", lambda: ["replica_1"])
    found = replicas.servers()
    assert list(found) == ["replica_1", DEFAULT_DB_ALIAS]


def test_a_role_without_privileges_may_ask_a_server_how_it_stands(two: Cluster) -> None:
    two.primary.query("DROP ROLE IF EXISTS reader", "CREATE ROLE reader LOGIN")
    assert comes(two.caught_up)
    for one, is_replica in ((two.primary, False), (two.replica, True)):
        as_reader = psycopg2.connect(one.url.replace("postgres@", "reader@"))
        with closing(as_reader), as_reader.cursor() as cursor:
            cursor.execute(QUESTION)
            told = Told(*cursor.fetchone())
        assert told.is_replica is is_replica
        assert told.place
        assert told.timeline == (None if is_replica else 1)
