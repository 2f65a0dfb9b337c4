"""What becomes of one NFT, one worker or one host touches no other: leases, broken documents, dead hosts, time."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from core.net.http.fetch import FetchError, FetchKind
from tests.builders import APES
from tests.offchain.apes import BASE, GOLD, World, again, ape, row, wait
from tests.offchain.played_contracts import TOKEN_URI, text
from tests.patience import PATIENCE
from tokens.metadata import reading
from tokens.metadata.outcomes import State
from tokens.metadata.worker import Scope, Worker
from tokens.models import MetadataDocument, MetadataFetch
from tokens.store import nfts

pytestmark = pytest.mark.django_db


class Interrupted(Worker):
    """A worker during whose fetches something else happens."""

    meanwhile: Callable[[], object]

    def _results(self, *args: Any) -> Any:
        found = super()._results(*args)
        self.meanwhile()
        return found


def test_a_change_announced_during_a_fetch_is_not_lost_and_neither_is_what_was_read(world: World) -> None:
    """It may be of before the change, so it is read once more; a contract that never pauses has it written still."""
    world.pages.found[f"{BASE}1"] = GOLD
    world.mint()
    with Interrupted(world.nodes, world.pages) as worker:  # type: ignore[arg-type]
        worker.meanwhile = again
        for _ in range(3):
            assert worker.step()
            assert json.loads(ape().metadata or "")["name"] == "Ape"
            assert MetadataDocument.objects.exists()
            found = row()
            assert (found.state, found.attempts, found.lease) == (State.PENDING, 0, "")
            assert not found.asked_again
            assert found.next_attempt_at is not None
            assert found.next_attempt_at <= timezone.now()
        assert worker.tally.states == {State.READY: 3}
    world.run()
    assert row().state == State.READY


def test_a_host_found_down_is_not_asked_at_once_because_a_change_was_announced_meanwhile(
    world: World,
) -> None:
    world.pages.found[f"{BASE}1"] = FetchError("No answer in time.", FetchKind.UNREACHABLE)
    world.mint()
    with Interrupted(world.nodes, world.pages) as worker:  # type: ignore[arg-type]
        worker.meanwhile = again
        worker.step()
    assert (row().state, row().attempts, row().asked_again) == (State.UNREACHABLE, 1, False)
    assert wait() >= timedelta(seconds=45)


def test_an_overtaken_lease_changes_nothing(world: World) -> None:
    world.pages.found[f"{BASE}1"] = GOLD
    world.mint()

    def overtake() -> None:
        MetadataFetch.objects.update(next_attempt_at=timezone.now())
        world.pages.found[f"{BASE}1"] = {"name": "Newer"}
        world.run()

    with Interrupted(world.nodes, world.pages) as slow:  # type: ignore[arg-type]
        slow.meanwhile = overtake
        assert slow.step()
        assert slow.tally.states == {}
    assert json.loads(ape().metadata or "") == {"name": "Newer"}


def test_one_document_that_breaks_the_reader_costs_its_nft_alone(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fragile(body: bytes, *rest: Any) -> Any:
        if b"poison" in body:
            raise RecursionError
        return json.loads(body)

    monkeypatch.setattr(reading, "metadata_of", fragile)
    world.pages.found |= {f"{BASE}1": b"poison", f"{BASE}2": {"name": "Ape"}}
    world.mint(2)
    world.run()
    assert [row(1).state, row(2).state] == [State.GONE, State.READY]
    assert row(1).fault == "It cannot be read (RecursionError); the log says more."
    assert "RecursionError" in caplog.text


def test_few_large_documents_are_parsed_at_a_time_and_any_number_of_small_ones(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of millions of zeros takes many times its bytes: sixteen at once would take gigabytes."""
    under_way, most = Counter[bool](), Counter[bool]()
    lock, small_ones = threading.Lock(), threading.Barrier(3)

    def counting(body: bytes, *rest: Any) -> Any:
        is_large = len(body) > reading.LARGE
        with lock:
            under_way[is_large] += 1
            most[is_large] = max(most[is_large], under_way[is_large])
        if not is_large:
            small_ones.wait(PATIENCE)  # three at a time, else it breaks
        found = json.loads(body)
        with lock:
            under_way[is_large] -= 1
        return found

    monkeypatch.setattr(reading, "metadata_of", counting)
    large = {"name": "x" * reading.LARGE}
    world.pages.found |= {f"{BASE}{one}": large if one <= 12 else {"name": "Ape"} for one in range(1, 16)}
    world.mint(15)
    world.run()
    assert MetadataFetch.objects.filter(state=State.READY).count() == 15
    assert most[True] <= reading.LARGE_AT_ONCE
    assert most[False] == 3


def test_one_document_that_the_database_refuses_costs_its_nft_alone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = nfts.write

    def fragile(facts: Any, *rest: Any, **options: Any) -> Any:
        facts = list(facts)
        if any(one.metadata and "poison" in one.metadata for one in facts):
            raise ValueError("A string literal cannot contain NUL (0x00) characters.")
        return write(facts, *rest, **options)

    monkeypatch.setattr(nfts, "write", fragile)
    world.pages.found |= {f"{BASE}{one}": {"name": "poison" if one == 2 else "Ape"} for one in (1, 2, 3)}
    world.mint(3)
    world.run()
    assert [row(one).state for one in (1, 2, 3)] == [State.READY, State.GONE, State.READY]
    assert row(2).fault == "It cannot be written (ValueError); the log says more."


def test_a_host_that_does_not_answer_is_asked_no_more_for_a_while(world: World) -> None:
    dead = FetchError("No answer in time.", FetchKind.UNREACHABLE)
    world.pages.found |= {f"{BASE}{one}": dead for one in range(1, 61)}
    world.mint(60)
    with Worker(world.nodes, world.pages) as worker:  # type: ignore[arg-type]
        while worker.step():
            pass
    assert MetadataFetch.objects.filter(state=State.UNREACHABLE).count() == 60
    assert len(world.pages.asked) < 20
    passed_over = MetadataFetch.objects.filter(fault="meta.example did not answer a moment ago.")
    assert passed_over.count() == 60 - len(world.pages.asked)
    assert set(passed_over.values_list("attempts", flat=True)) == {0}, "they were not asked"


def test_what_was_not_begun_when_time_is_up_is_given_back(world: World) -> None:
    now = 0.0

    def pass_time(uri: str) -> None:
        nonlocal now
        now += 1_000

    world.pages.before = pass_time
    world.mint(40)
    world.step(clock=lambda: now)
    left = MetadataFetch.objects.filter(lease="", state=State.PENDING, attempts=0)
    assert 0 < left.filter(next_attempt_at__lte=timezone.now()).count() == 40 - len(world.pages.asked)


def test_a_scope_leaves_the_others_alone(world: World) -> None:
    world.mint(2)
    assert world.step(Scope(nft_ids=[ape(2).pk]))
    assert [row(1).state, row(2).state] == [State.PENDING, State.UNREVEALED]
    assert not world.step(Scope(contract_ids=[0]))
    assert world.step(Scope(chain_id=ape(1).chain_id))
    assert row(1).state == State.UNREVEALED


def test_a_long_data_uri_is_kept_as_a_document_only(world: World) -> None:
    long = "data:application/json," + json.dumps({"name": "x" * 10_000})
    world.contracts.give(APES, TOKEN_URI, text(long))
    world.pages.found[long] = {"name": "Drawn"}
    world.mint()
    world.run()
    assert (row().state, ape().uri) == (State.READY, None)
    assert len(MetadataDocument.objects.get().url) <= 2_000
