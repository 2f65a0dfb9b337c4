"""One snapshot a request, with a real second connection that writes meanwhile, on both engines."""

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connection, connections, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.test.utils import CaptureQueriesContext
from rest_framework.response import Response
from rest_framework.views import APIView

from core.db.statements import rows_where
from core.db.writing import writing
from core.rest.snapshot import between_snapshots, snapshot
from tests.patience import PATIENCE
from tokens.models import Chain

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    """A table of this module's own, so that nothing here depends on the models."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE snapshot_probe (n integer NOT NULL)")
        cursor.execute("INSERT INTO snapshot_probe VALUES (1)")
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE snapshot_probe")


def rows() -> int:
    """How many rows this thread's connection sees."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM snapshot_probe")
        return int(cursor.fetchone()[0])


def insert() -> None:
    """Write one row over this thread's connection."""
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO snapshot_probe VALUES (2)")


def elsewhere(work: Callable[[], object]) -> None:
    """Run `work` to its end in another thread, which has a connection of its own; what it raises is raised here."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as fault:
            raised.append(fault)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    if raised:
        raise raised[0]


def test_a_commit_between_two_reads_is_not_seen() -> None:
    with snapshot():
        assert rows() == 1
        elsewhere(insert)
        assert rows() == 1
    assert rows() == 2


def test_without_a_snapshot_it_is_seen() -> None:
    """The counterpart: the test above would notice a snapshot that is none."""
    assert rows() == 1
    elsewhere(insert)
    assert rows() == 2


def test_the_next_snapshot_is_a_new_one() -> None:
    for expected in (1, 2, 3):
        with snapshot():
            assert rows() == expected
        elsewhere(insert)


def test_between_snapshots_nothing_is_open_and_the_next_one_is_new() -> None:
    with snapshot():
        assert rows() == 1
        elsewhere(insert)
        with between_snapshots():
            assert connection.get_autocommit()
            assert not connection.in_atomic_block
            insert()  # nor is it read only
        assert rows() == 3
        elsewhere(insert)
        assert rows() == 3
        assert not connection.get_autocommit()
    assert connection.get_autocommit()


def test_what_is_raised_between_snapshots_leaves_none_open() -> None:
    def fail() -> None:
        with snapshot():
            rows()
            with between_snapshots():
                1 // 0  # noqa: B018

    with pytest.raises(ZeroDivisionError):
        fail()
    assert connection.get_autocommit()
    with snapshot():
        assert rows() == 1


def test_outside_of_a_snapshot_there_is_nothing_to_interrupt() -> None:
    with between_snapshots():
        assert rows() == 1
    with transaction.atomic(), between_snapshots():
        assert connection.in_atomic_block


def test_a_reader_is_not_blocked_by_a_writer() -> None:
    """A loader holds the write lock, uncommitted, while a request reads."""
    with transaction.atomic():
        insert()

        def read() -> None:
            with connection.cursor() as cursor:
                if connection.vendor == "sqlite":
                    cursor.execute("PRAGMA busy_timeout = 0")
            with snapshot():
                assert rows() == 1

        elsewhere(read)
    assert rows() == 2


def test_a_writer_is_not_blocked_by_a_reader() -> None:
    with snapshot():
        assert rows() == 1
        elsewhere(insert)


@pytest.mark.sqlite
def test_two_writers_wait_for_each_other() -> None:
    """A transaction takes SQLite's write lock when it begins: read, then write, never fails half way."""

    def read_then_write() -> None:
        for _ in range(20):
            with transaction.atomic():
                rows()
                insert()

    threads = [threading.Thread(target=elsewhere, args=[read_then_write]) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows() == 61


@pytest.mark.postgresql
def test_a_write_is_refused() -> None:
    with pytest.raises(DatabaseError, match="read-only transaction"), snapshot():
        insert()
    assert rows() == 1


@pytest.mark.postgresql
def test_it_costs_no_query_and_leaves_the_session_as_it_was() -> None:
    """The first statement begins; afterwards the connection is an ordinary one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        before = cursor.fetchone()
    with CaptureQueriesContext(connection) as captured, snapshot():
        rows()
        with connection.cursor() as cursor:
            cursor.execute("SHOW transaction_isolation")
            assert cursor.fetchone() == ("repeatable read",)
    first, second = (query["sql"] for query in captured.captured_queries)
    assert first.startswith("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT count")
    assert second.startswith("SHOW")
    with connection.cursor() as cursor:
        for setting, value in [("transaction_isolation", "read committed"), ("transaction_read_only", "off")]:
            cursor.execute(f"SHOW {setting}")
            assert cursor.fetchone() == (value,)
            cursor.execute(f"SHOW default_{setting}")
            assert cursor.fetchone() == (value,)
        cursor.execute("SELECT pg_backend_pid()")
        assert cursor.fetchone() == before
    assert connection.get_autocommit()
    with transaction.atomic():
        insert()
    assert rows() == 2


@pytest.mark.postgresql
def test_rows_of_ids_are_joined_as_written_until_the_snapshot_ends() -> None:
    """Planning seven joins took six times as long as reading the rows; other requests' plans are as they were."""

    def limit() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW join_collapse_limit")
            return str(cursor.fetchone()[0])

    ordinary = limit()
    chain = Chain.objects.get(slug="base").pk
    with snapshot():
        assert rows_where(_slugs, ids=[chain]) == [("base",)]
        assert limit() == "1" != ordinary
    assert limit() == ordinary
    assert rows_where(_slugs, ids=[chain]) == [("base",)]
    assert limit() == ordinary


def _slugs(ids: Sequence[int]) -> QuerySet[Any, Any]:
    return Chain.objects.filter(pk__in=ids).values_list("slug")


@pytest.mark.postgresql
def test_a_connection_that_breaks_is_replaced() -> None:
    def read_after_the_server_hung_up() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            pid = cursor.fetchone()[0]
        elsewhere(lambda: terminate(pid))
        rows()

    def terminate(pid: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])

    with pytest.raises(OperationalError), snapshot():
        read_after_the_server_hung_up()
    with snapshot():
        assert rows() == 1


@pytest.mark.postgresql
def test_a_kept_connection_that_the_server_has_closed_is_replaced_before_it_is_used() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()

    def terminate() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [pid])

    elsewhere(terminate)
    with snapshot():
        assert rows() == 1


def test_one_in_which_nothing_is_read_leaves_nothing_behind() -> None:
    with snapshot():
        pass
    assert connection.get_autocommit()
    assert not connection.execute_wrappers
    insert()
    assert rows() == 2


def test_within_a_transaction_it_does_nothing() -> None:
    with transaction.atomic():
        with snapshot():
            insert()
        assert rows() == 2
    assert rows() == 2


def test_nested_ones_are_one() -> None:
    with snapshot():
        assert rows() == 1
        with snapshot(), transaction.atomic():
            elsewhere(insert)
            assert rows() == 1
        assert rows() == 1
    assert rows() == 2


def test_after_a_fault_the_connection_is_usable() -> None:
    with pytest.raises(ZeroDivisionError), snapshot():
        assert rows() / 0
    with pytest.raises(DatabaseError), snapshot(), connection.cursor() as cursor:
        cursor.execute("SELECT nothing FROM nowhere")
    insert()
    assert rows() == 2


class ProbeView(APIView):
    """Counts twice, while somebody writes."""

    @snapshot()
    def get(self, request: HttpRequest) -> Response:
        """The two counts."""
        first = rows()
        elsewhere(insert)
        return Response([first, rows()])


def test_as_decorator_of_a_view() -> None:
    request = HttpRequest()
    request.method = "GET"
    response: HttpResponse = ProbeView.as_view()(request)
    assert response.data == [1, 1]  # type: ignore[attr-defined]
    assert rows() == 2


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_second_writer_waits_for_the_first() -> None:
    """Else two could each look a row up, not find it, and insert it. On SQLite every transaction takes the lock."""

    def write() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '10ms'")
        with pytest.raises(OperationalError, match="lock timeout"), writing():
            pass

    with writing():
        elsewhere(write)
