"""What becomes of one NFT, one worker or one host touches no other: leases, broken documents, dead hosts, time."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from nftsite.net.fetch import FetchError, FetchKind
from tests.builders import APES
from tests.offchain.apes import BASE, GOLD, World, again, ape, row
from tests.offchain.played_contracts import TOKEN_URI, text
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


def test_a_request_during_a_fetch_is_not_lost(world: World) -> None:
    """What is read then may be of before the change: it does not count, and the NFT is read once more."""
    world.pages.found[f"{BASE}1"] = GOLD
    world.mint()
    with Interrupted(world.nodes, world.pages) as worker:  # type: ignore[arg-type]
        worker.meanwhile = again
        assert worker.step()
    assert (row().state, ape().metadata) == (State.PENDING, None)
    world.run()
    assert row().state == State.READY


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


def test_one_document_that_the_database_refuses_costs_its_nft_alone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = nfts.write

    def fragile(facts: Any, *rest: Any) -> Any:
        facts = list(facts)
        if any(one.metadata and "poison" in one.metadata for one in facts):
            raise ValueError("A string literal cannot contain NUL (0x00) characters.")
        return write(facts, *rest)

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
