"""Several workers at the queue of metadata, and one that is killed: each NFT is one worker's, and none is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from core.db.leases import Lease, claim
from tests import machine
from tests.builders import load_lines, nft
from tests.patience import PATIENCE
from tests.waiting import a_refresh
from tokens.models import Contract, MetadataFetch, MetadataRefresh, Nft
from tokens.store import fetches

pytestmark = pytest.mark.django_db(transaction=True)

KILLED_MIDWAY = """
import django, os, signal
django.setup()
from django.utils import timezone
from tokens.store import fetches
request = fetches.request
def request_and_die(*given, **options):
    assert request(*given, **options) == 3
    os.kill(os.getpid(), signal.SIGKILL)
fetches.request = request_and_die
fetches.expand(3, timezone.now())
"""


def database_url() -> str:
    """The test database, for a process of its own."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["TEST_DATABASE_URL"])._replace(path=f"/{name}").geturl()


def elsewhere(run: Callable[[], None]) -> None:
    """Run something in a connection of its own, to its end."""

    def job() -> None:
        try:
            run()
        finally:
            connection.close()

    thread = threading.Thread(target=job)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive(), "it waits for a lock"


def test_a_worker_that_is_killed_while_it_turns_a_range_into_work_leaves_it_whole() -> None:
    load_lines([nft(str(token)) for token in range(1, 8)])
    a_refresh(Contract.objects.get())
    variables = machine.bare(
        DATABASE_URL=database_url(), SECRET_KEY="k" * 50, DJANGO_SETTINGS_MODULE="nftsite.settings"
    )
    root = Path(settings.BASE_DIR)
    done = subprocess.run([sys.executable, "-c", KILLED_MIDWAY], cwd=root, env=variables, check=False)
    assert done.returncode == -signal.SIGKILL
    assert not MetadataFetch.objects.exists()
    assert MetadataRefresh.objects.get().next_key == "011"
    assert [fetches.expand(3, timezone.now()) for _ in range(4)] == [3, 3, 1, 0]
    assert MetadataFetch.objects.count() == 7
    assert not MetadataRefresh.objects.exists()


@pytest.mark.postgresql
def test_two_workers_claim_different_nfts_and_neither_waits_for_the_other() -> None:
    """The second claims while the transaction of the first one's claim is still open."""
    load_lines([nft(str(token)) for token in range(1, 8)])
    now = timezone.now()
    fetches.request(Nft.objects.values_list("id", flat=True), now)
    other: list[Lease] = []
    with transaction.atomic():
        one = claim(MetadataFetch.objects.all(), 4, 60, now)
        elsewhere(lambda: other.append(claim(MetadataFetch.objects.all(), 4, 60, now)))
    assert len(one.keys) == 4
    assert len(other[0].keys) == 3
    assert not set(one.keys) & set(other[0].keys)


@pytest.mark.postgresql
def test_a_range_that_another_worker_has_locked_is_passed_over() -> None:
    load_lines([nft("1"), nft("1", "0x" + "2b" * 20)])
    for contract in Contract.objects.order_by("id"):
        a_refresh(contract)
    found: list[int] = []
    with transaction.atomic():
        locked = MetadataRefresh.objects.select_for_update().order_by("id")[0]
        elsewhere(lambda: found.append(fetches.expand(10, timezone.now())))
    assert found == [1]
    assert MetadataRefresh.objects.get() == locked


def test_what_a_dead_worker_had_claimed_is_due_again_when_its_lease_ends() -> None:
    load_lines([nft("1")])
    now = timezone.now()
    fetches.request(Nft.objects.values_list("id", flat=True), now)
    assert len(claim(MetadataFetch.objects.all(), 5, 60, now).keys) == 1
    assert claim(MetadataFetch.objects.all(), 5, 60, now + timedelta(seconds=59)).keys == []
    assert len(claim(MetadataFetch.objects.all(), 5, 60, now + timedelta(seconds=60)).keys) == 1
