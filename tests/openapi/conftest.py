"""The world that the description is tried on: some of everything, small. Whoever has a better one changes it here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, transaction
from pytest_django.plugin import DjangoDbBlocker

from nftsite.sample.loading import load_sample
from tests.operations.everything import everything
from tests.operations.promises import given


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Import schemathesis where it is used alone, which is on SQLite: it takes seconds."""
    is_elsewhere = connection.vendor != "sqlite" and collection_path.name.startswith("test_schemathesis")
    return is_elsewhere or None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> None:
    """Register schemathesis's plugin (`-p no:schemathesis`) for the file that it makes tests of."""
    manager = parent.config.pluginmanager
    if file_path.name.startswith("test_schemathesis") and not manager.hasplugin(
        "schemathesis of tests/openapi"
    ):
        manager.register(
            importlib.import_module("schemathesis.pytest.plugin"), "schemathesis of tests/openapi"
        )


@pytest.fixture
def world(db: None) -> None:
    """Records of every kind in the test's database."""
    given(*everything())


@pytest.fixture(scope="module")
def world_and_sample(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The bundled sample, and the records of every kind beside it, for a module whose tests all read and none writes.

    No test of it asks for ``db``, which would close the connection behind it, and end the transaction of all.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        assert load_sample().fault_count == 0
        given(*everything())
        yield
        transaction.set_rollback(True)


@pytest.fixture
def kept_connection() -> Iterator[None]:
    """Keep the test's connection, and its transaction, when requests come by WSGI, as Django's own client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)
