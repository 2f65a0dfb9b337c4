"""How look-ups of ENS names share a process: one at a time, nobody waits for long, answers are kept for a while."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from nftsite.logs import request_id
from nftsite.net.rpc_errors import NodeUnavailableError
from tests.net.played import Clock
from tests.patience import PATIENCE, comes
from tokens.ens import EnsAnswer
from tokens.ens_node import EnsUnavailableError, LookUps
from tokens.ens_registry import OffchainNameError

ADDRESS = "0x" + "1a" * 20
HURRIED = 0.02
"""Seconds: so short that a test may wait for it."""


class Oracle:
    """Stands for the registry: answers when it is let, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.begun = threading.Semaphore(0)
        self.may_answer = threading.Event()
        self.at_once = 0
        self.most_at_once = 0

    def __call__(self, name: str) -> str | None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.asked.append(name)
        self.begun.release()
        self.may_answer.wait(PATIENCE)
        self.at_once -= 1
        return ADDRESS


@pytest.fixture
def oracle() -> Iterator[Oracle]:
    oracle = Oracle()
    yield oracle
    oracle.may_answer.set()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def test_nobody_waits_for_longer_than_the_patience_whatever_the_node_does(oracle: Oracle) -> None:
    """The look-up still runs when its request has its answer."""
    look_ups = LookUps(oracle, patience=HURRIED)
    with pytest.raises(EnsUnavailableError):
        look_ups.answer("apes.eth")
    oracle.begun.acquire()
    assert oracle.at_once == 1


def test_a_look_up_in_flight_keeps_others_waiting_for_their_own_patience(oracle: Oracle) -> None:
    """However many come, there is one thread: a node that hangs cannot make them pile up."""
    look_ups = LookUps(oracle, patience=HURRIED)
    before = threading.active_count()
    for name in ("a.eth", "b.eth", "c.eth", "a.eth"):
        with pytest.raises(EnsUnavailableError):
            look_ups.answer(name)
    oracle.begun.acquire()
    assert oracle.asked == ["a.eth"]
    assert threading.active_count() <= before + 1


def test_an_answer_that_comes_late_is_there_for_whoever_asks_again(oracle: Oracle) -> None:
    look_ups = LookUps(oracle, patience=HURRIED)
    with pytest.raises(EnsUnavailableError):
        look_ups.answer("apes.eth")
    oracle.may_answer.set()
    assert comes(lambda: look_ups._memory.get("apes.eth"), every=0.001)
    assert look_ups.answer("apes.eth") == EnsAnswer(ADDRESS)
    assert oracle.asked == ["apes.eth"]


def test_requests_for_one_name_share_a_look_up(oracle: Oracle, pool: ThreadPoolExecutor) -> None:
    look_ups = LookUps(oracle, patience=PATIENCE)
    waiting: list[Future[EnsAnswer]] = [pool.submit(look_ups.answer, "apes.eth") for _ in range(8)]
    oracle.begun.acquire()
    oracle.may_answer.set()
    assert {one.result(PATIENCE) for one in waiting} == {EnsAnswer(ADDRESS)}
    assert oracle.asked == ["apes.eth"]


def test_look_ups_of_several_names_take_turns(oracle: Oracle, pool: ThreadPoolExecutor) -> None:
    look_ups = LookUps(oracle, patience=PATIENCE)
    oracle.may_answer.set()
    names = [f"{number}.eth" for number in range(8)]
    assert list(pool.map(look_ups.answer, names)) == [EnsAnswer(ADDRESS)] * 8
    assert sorted(oracle.asked) == names
    assert oracle.most_at_once == 1


@pytest.mark.parametrize(
    ("address", "seconds"), [(ADDRESS, 300), (None, 60)], ids=["an address", "no address"]
)
def test_what_was_found_is_believed_for_a_while(address: str | None, seconds: int) -> None:
    """F48: names expire and move, so that the cache has a time limit; a new name is soon seen."""
    clock, asked = Clock(), []

    def resolve(name: str) -> str | None:
        asked.append(name)
        return address

    look_ups = LookUps(resolve, patience=PATIENCE, clock=clock)
    for moment in (0, seconds - 1):
        clock.now = 1000.0 + moment
        assert look_ups.answer("apes.eth") == EnsAnswer(address)
    assert len(asked) == 1
    clock.now = 1000.0 + seconds
    look_ups.answer("apes.eth")
    assert len(asked) == 2


def test_a_name_that_a_server_resolves_is_believed_like_one_without_an_address() -> None:
    asked = []

    def resolve(name: str) -> str | None:
        asked.append(name)
        raise OffchainNameError

    clock = Clock()
    look_ups = LookUps(resolve, patience=PATIENCE, clock=clock)
    for _ in range(2):
        assert look_ups.answer("example.com") == EnsAnswer(None, is_offchain=True)
    clock.now += 60
    look_ups.answer("example.com")
    assert len(asked) == 2


def test_memory_is_bounded_and_the_oldest_answer_gives_way() -> None:
    asked: list[str] = []

    def resolve(name: str) -> str | None:
        asked.append(name)
        return None

    look_ups = LookUps(resolve, patience=PATIENCE)
    for number in range(1025):
        look_ups.answer(f"{number}.eth")
    assert len(look_ups._memory._kept) == 1024
    look_ups.answer("1024.eth")
    look_ups.answer("1.eth")
    assert len(asked) == 1025
    look_ups.answer("0.eth")
    assert len(asked) == 1026


def test_a_node_that_fails_is_asked_again_at_once_by_the_next_request(
    caplog: pytest.LogCaptureFixture,
) -> None:
    answers: list[str | Exception] = [NodeUnavailableError("http://node:8545: no connection"), ADDRESS]

    def resolve(name: str) -> str | None:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    look_ups = LookUps(resolve, patience=PATIENCE)
    with pytest.raises(EnsUnavailableError):
        look_ups.answer("apes.eth")
    assert "http://node:8545: no connection" in caplog.text
    assert look_ups.answer("apes.eth") == EnsAnswer(ADDRESS)


def test_a_fault_of_ours_is_no_failure_of_the_node_and_keeps_nobody_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It reaches the request, which is a 500, and the log, since nobody may wait any more."""

    def resolve(name: str) -> str | None:
        return ADDRESS if name == "apes.eth" else str(1 // 0)

    look_ups = LookUps(resolve, patience=PATIENCE)
    with pytest.raises(ZeroDivisionError):
        look_ups.answer("odd.eth")
    assert "ZeroDivisionError" in caplog.text
    assert look_ups.answer("apes.eth") == EnsAnswer(ADDRESS)


def test_where_no_thread_can_be_had_the_turn_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    look_ups = LookUps(lambda name: ADDRESS, patience=PATIENCE)

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError):
            look_ups.answer("apes.eth")
    assert look_ups.answer("apes.eth") == EnsAnswer(ADDRESS)


def test_what_the_look_up_logs_belongs_to_its_request() -> None:
    seen = []

    def resolve(name: str) -> str | None:
        seen.append(request_id.get())
        return None

    token = request_id.set("find-me.1")
    try:
        LookUps(resolve, patience=PATIENCE).answer("apes.eth")
    finally:
        request_id.reset(token)
    assert seen == ["find-me.1"]
