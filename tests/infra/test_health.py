"""Liveness and readiness."""

import pytest
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import DjangoAssertNumQueries

from tests.conftest import Api


def test_alive_without_a_database(api: Api) -> None:
    """No database mark: pytest-django would refuse any query."""
    response = api.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_probes_are_answered_at_any_host(api: Api, path: str) -> None:
    """Containers and balancers name the address that they reach, and ALLOWED_HOSTS need not have it."""
    assert api.get(path, host="10.88.0.7:8000").status_code == 200
    assert api.get("/api/v1/nfts/by-token", host="10.88.0.7:8000").status_code == 400


@pytest.mark.django_db
def test_ready(api: Api) -> None:
    response = api.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"status": "ready"})


@pytest.mark.django_db
def test_readiness_reads_the_code_once_and_takes_one_query(
    api: Api, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    api.get("/readyz")
    monkeypatch.delattr(MigrationLoader, "load_disk")
    with django_assert_num_queries(1):
        assert api.get("/readyz").status_code == 200


def check_not_ready(api: Api, word: str) -> None:
    """503 in the standard shape, which says why."""
    response = api.get("/readyz")
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    (error,) = response.json()["errors"]
    assert (error["code"], error["attr"]) == ("service_unavailable", None)
    assert word in error["detail"]


@pytest.mark.django_db
def test_not_ready_without_the_migrations(api: Api) -> None:
    for app, migration in MigrationLoader(connection).graph.leaf_nodes("tokens"):
        MigrationRecorder(connection).record_unapplied(app, migration)
    check_not_ready(api, "migrate")


@pytest.mark.django_db
def test_not_ready_without_any_table(api: Api) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE django_migrations RENAME TO hidden")
    check_not_ready(api, "never migrated")


@pytest.mark.django_db
def test_not_ready_without_the_database(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError("could not connect to 10.0.0.7")

    monkeypatch.setattr(connection, "cursor", refuse)
    check_not_ready(api, "database")
    assert b"10.0.0.7" not in api.get("/readyz").content
