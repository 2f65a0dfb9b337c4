"""The service on a primary and a replica, by gunicorn: who is read, what the headers say, what a walk finds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nftsite.sample.loading import SAMPLE
from tests.machines.cluster import Cluster, cluster
from tests.machines.serving import Service, manage, serving, variables
from tests.patience import comes

pytestmark = [pytest.mark.postgresql, pytest.mark.xdist_group("replicas")]  # one worker starts the servers
NFTS = "/api/v1/nfts/by-token?chain=ethereum"
MARK = "UPDATE transfers_indexedcontract SET next_block = {} WHERE address = ''"
INDEXED = """
from indexing.models import IndexedChain, IndexedContract
from tokens.models import Chain
chain = Chain.objects.get(slug="ethereum")
IndexedChain.objects.create(chain=chain)
IndexedContract.objects.create(chain=chain, address="", first_block=0, next_block=101, reached_at=1_700_000_000)
"""


@pytest.fixture(scope="module")
def two() -> Iterator[Cluster]:
    with cluster() as made:
        yield made


def reading(two: Cluster, folder: Path, lag: int) -> dict[str, str]:
    """The variables of a service that reads of a replica which is so many seconds behind at most."""
    more = {"DATABASE_REPLICA_URLS": two.replica.url, "REPLICA_MAX_LAG": str(lag), "LOG_LEVEL": "INFO"}
    return variables(folder, two.primary.url, **more)


@pytest.fixture(scope="module")
def service(two: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service on the two, with the sample, and a chain whose last block tells which state an answer is of."""
    folder = tmp_path_factory.mktemp("service")
    environment = reading(two, folder, 2)
    for words in (("migrate", "-v0"), ("load", str(SAMPLE), "-v0"), ("shell", "-v0", "-c", INDEXED)):
        done = manage(environment, *words)
        assert done.returncode == 0, done.stderr
    assert comes(two.caught_up)
    with serving(environment, folder) as running:
        assert comes(lambda: block(running) == 100 and is_read(two))
        yield running


@pytest.fixture(scope="module")
def patient(two: Cluster, service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Another one that reads of a replica which is a minute behind: longer than any of these tests takes."""
    folder = tmp_path_factory.mktemp("patient")
    with serving(reading(two, folder, 60), folder) as running:
        block(running)  # the first page has it look at the servers
        yield running


def block(service: Service) -> int:
    """The block that an answer says it is of."""
    status, headers, body = service.get(NFTS)
    assert status == 200, body
    return int(headers["X-Indexed-Block"])


def is_read(two: Cluster) -> bool:
    """Whether pages have been read of the replica, by a session that is kept."""
    rows = two.replica.query(
        "SELECT query FROM pg_stat_activity WHERE query = 'ROLLBACK' AND datname = 'postgres'"
    )
    return bool(rows)


@contextmanager
def replaying_nothing(two: Cluster) -> Iterator[None]:
    two.replica.query("SELECT pg_wal_replay_pause()")
    try:
        yield
    finally:
        two.replica.query("SELECT pg_wal_replay_resume()")
        assert comes(two.caught_up)


def test_pages_are_read_of_the_replica_which_is_of_another_moment_and_says_so(
    two: Cluster, service: Service
) -> None:
    with replaying_nothing(two):
        two.primary.query(MARK.format(201))
        assert comes(lambda: block(service) == 200)  # after REPLICA_MAX_LAG of the primary, whose state it is
    two.primary.query(MARK.format(301))
    assert comes(lambda: block(service) == 300)


def test_a_replica_that_is_not_behind_by_too_much_answers_what_it_has(
    two: Cluster, service: Service, patient: Service
) -> None:
    assert comes(patient.reads_of_replica)
    with replaying_nothing(two):
        before = block(patient)
        two.primary.query(MARK.format(before + 11))
        assert block(patient) == before
        assert comes(lambda: block(service) == before + 10), "it is behind by more than two seconds"


def test_the_tag_of_a_page_is_its_content_whoever_answers(two: Cluster, service: Service) -> None:
    _, of_replica, body = service.get(NFTS)
    two.replica.stop()
    try:
        status, of_primary, same = service.get(NFTS)
    finally:
        two.replica.start()
    assert (status, of_primary["ETag"], same) == (200, of_replica["ETag"], body)
    assert comes(lambda: service.get("/readyz")[0] == 200)


def test_each_page_is_answered_while_the_replica_comes_and_goes(two: Cluster, service: Service) -> None:
    whole = service.walk(f"{NFTS}&limit=7&sortBy=tokenId")
    two.replica.stop()
    try:
        assert service.walk(f"{NFTS}&limit=7&sortBy=tokenId") == whole
    finally:
        two.replica.start()
    assert service.walk(f"{NFTS}&limit=7&sortBy=tokenId") == whole
    assert len(whole) > 100


def test_a_walk_goes_on_from_one_server_to_the_other(two: Cluster, service: Service) -> None:
    """A cursor holds no place in a server: what the replica began, the primary goes on with."""
    first = json.loads(service.get(f"{NFTS}&limit=3")[2])
    two.replica.stop()
    try:
        second = json.loads(service.get(f"{NFTS}&limit=3&cursor={first['nextCursor']}")[2])
    finally:
        two.replica.start()
    both = json.loads(service.get(f"{NFTS}&limit=6")[2])["data"]
    assert [*first["data"], *second["data"]] == both


def test_a_replica_that_stands_still_keeps_nobody_waiting_for_longer_than_it_takes_to_find_out(
    two: Cluster, service: Service
) -> None:
    with two.replica.paused():
        for _ in range(3):
            assert service.get(NFTS)[0] == 200
        assert service.get("/readyz")[0] == 200


def test_while_the_primary_is_away_the_replica_answers_for_as_long_as_it_may_be_behind(
    two: Cluster, service: Service, patient: Service
) -> None:
    assert comes(patient.reads_of_replica)
    two.primary.stop()
    try:
        assert comes(lambda: service.get(NFTS)[0] == 503)
        assert int(service.get(NFTS)[1]["Retry-After"]) > 0
        assert patient.get(NFTS)[0] == 200
        assert patient.get("/readyz")[0] == 200
    finally:
        two.primary.start()
    assert comes(lambda: service.get(NFTS)[0] == 200)


def test_the_admin_and_the_operators_figures_are_the_primary_s(two: Cluster, service: Service) -> None:
    with replaying_nothing(two):
        two.primary.query(MARK.format(7_778))
        _, _, told = service.get("/metrics")
        assert b'nft_indexer_checkpoint_block{chain="ethereum",contract="all"} 7777.0' in told
        assert service.get("/admin/login/")[0] == 200
