"""The world whose plans are read: one database of PostgreSQL, filled once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker

from tests.plans.explain import plan_for_pages
from tests.plans.world import fill
from tokens.models import Chain, Currency, CurrencyToken, Market
from tokens.models.well_known import write_known


@pytest.fixture(scope="package")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Have the made-up world in the database, and plan as web processes do."""
    # Committed, and removed afterwards: an open transaction would check its foreign keys again with each test.
    with django_db_blocker.unblock():
        connection.close()  # a session of its own: an older one has planned foreign key checks for empty tables
        try:
            fill()
            plan_for_pages()
            yield
        finally:
            connection.close()
            call_command("flush", interactive=False, verbosity=0)
            write_known(Chain, Currency, CurrencyToken, Market)
