"""A query whose client has gone ends, and no other does; on SQLite, one that takes too long ends as well."""

from __future__ import annotations

import threading

import pytest
from django.db import OperationalError, connection
from pytest_django import DjangoDbBlocker

from core.db import cancelling, time_limit
from core.rest.snapshot import snapshot
from tests.patience import PATIENCE

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


class Reader(threading.Thread):
    """A request of a client, in a thread of its own."""

    def __init__(self, blocker: DjangoDbBlocker, client: object) -> None:
        super().__init__(daemon=True)
        self.blocker = blocker
        self.client = client
        self.reads = threading.Event()
        self.fault: Exception | None = None

    def run(self) -> None:
        """Read without end."""
        with self.blocker.unblock(), cancelling.on_behalf_of(self.client):
            try:
                with snapshot(), connection.cursor() as cursor:
                    cursor.execute("SELECT 1")
                    self.reads.set()
                    cursor.execute(ENDLESS)
            except OperationalError as error:
                self.fault = error
            finally:
                connection.close()


@pytest.mark.django_db(transaction=True)
def test_the_query_of_a_client_that_has_gone_ends(django_db_blocker: DjangoDbBlocker) -> None:
    client, other = object(), object()
    reader = Reader(django_db_blocker, client)
    reader.start()
    assert reader.reads.wait(PATIENCE)
    cancelling.cancel(other)  # nothing is at work for that one
    assert reader.is_alive()
    while reader.is_alive():  # it may be between two queries when it is told
        cancelling.cancel(client)
        reader.join(0.05)
    assert isinstance(reader.fault, OperationalError)


@pytest.mark.django_db(transaction=True)
def test_a_query_of_sqlite_ends_when_the_time_of_its_request_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL ends statements itself")
    connection.ensure_connection()
    connection.connection.set_progress_handler(time_limit.is_over, 1_000)
    looks = iter([False] * 5)
    monkeypatch.setattr(
        time_limit, "time", type("Clock", (), {"monotonic": lambda: next(looks, True) and float("inf")})
    )
    token = time_limit._ends.set(1.0)
    try:
        with pytest.raises(OperationalError, match="interrupted"), connection.cursor() as cursor:
            cursor.execute(ENDLESS)
    finally:
        time_limit._ends.reset(token)
        connection.connection.set_progress_handler(None, 0)
