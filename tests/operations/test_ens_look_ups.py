"""How look-ups of ENS names share a process: one at a time, none waits for another, answers are kept for a while."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed

import pytest

from core.logs import request_id
from core.net.rpc.errors import NodeUnavailableError
from tests.net.played import Clock
from tests.operations.names import ADDRESS, Oracle
from tests.patience import PATIENCE
from tokens.ens.names import EnsAnswer
from tokens.ens.node import EnsUnavailableError, LookUps
from tokens.ens.registry import OffchainNameError


@pytest.fixture
def oracle() -> Iterator[Oracle]:
    oracle = Oracle()
    yield oracle
    oracle.may_answer.set()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def test_nobody_waits_for_the_look_up_of_another(oracle: Oracle, pool: ThreadPoolExecutor) -> None:
    """Nor for one of the same name: of the threads that serve requests, one waits, whatever comes."""
    look_ups = LookUps(oracle, patience=PATIENCE)
    first = pool.submit(look_ups.answer, "a.eth")
    oracle.begun.acquire()
    began, threads = time.monotonic(), threading.active_count()
    for name in ("b.eth", "c.eth", "a.eth", "b.eth"):
        with pytest.raises(EnsUnavailableError) as raised:
            look_ups.answer(name)
        assert raised.value.wait == 1
    assert time.monotonic() - began < PATIENCE / 10
    assert threading.active_count() == threads
    oracle.may_answer.set()
    assert first.result(PATIENCE) == EnsAnswer(ADDRESS)
    assert oracle.asked == ["a.eth"]
    assert look_ups.answer("b.eth") == EnsAnswer(ADDRESS)


def test_a_name_that_many_ask_for_at_once_is_looked_up_once(oracle: Oracle, pool: ThreadPoolExecutor) -> None:
    look_ups = LookUps(oracle, patience=PATIENCE)
    asking: list[Future[EnsAnswer]] = [pool.submit(look_ups.answer, "apes.eth") for _ in range(8)]
    done = as_completed(asking, PATIENCE)
    assert {type(next(done).exception()) for _ in range(7)} == {EnsUnavailableError}
    oracle.may_answer.set()
    assert next(done).result() == EnsAnswer(ADDRESS)
    assert oracle.asked == ["apes.eth"]


class Node:
    """Stands for a registry whose node answers, or fails after some seconds of a clock that does not go by itself."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.asked: list[str] = []
        self.fails_after: float | None = None
        self.look_ups = LookUps(self, patience=1.0, clock=self.clock)

    def __call__(self, name: str) -> str | None:
        self.asked.append(name)
        if self.fails_after is None:
            return ADDRESS
        self.clock.now += self.fails_after
        raise NodeUnavailableError("http://node:8545: no answer")

    def refuses(self, name: str) -> float:
        """In how many seconds a refused request may come again."""
        with pytest.raises(EnsUnavailableError) as raised:
            self.look_ups.answer(name)
        return raised.value.wait


def test_a_node_that_let_a_request_wait_in_vain_is_left_alone_for_longer_and_longer() -> None:
    node = Node()
    node.fails_after = 1.0
    silences = []
    for number in range(8):
        silences.append(node.refuses(f"{number}.eth"))
        assert len(node.asked) == number + 1
        for name in ("a.eth", "b.eth", f"{number}.eth"):
            assert node.refuses(name) == silences[-1]
        node.clock.now += silences[-1] - 0.25
        assert node.refuses("a.eth") == 0.25
        assert len(node.asked) == number + 1, "it is left alone"
        node.clock.now += 0.25
    assert silences == [1, 2, 4, 8, 16, 32, 60, 60]


def test_what_is_remembered_is_told_while_the_node_is_left_alone() -> None:
    node = Node()
    assert node.look_ups.answer("apes.eth") == EnsAnswer(ADDRESS)
    node.fails_after = 1.0
    node.refuses("b.eth")
    assert node.look_ups.answer("apes.eth") == EnsAnswer(ADDRESS)


def test_a_node_that_answers_again_is_asked_as_before() -> None:
    node = Node()
    node.fails_after = 1.0
    for _ in range(3):
        silence = node.refuses("apes.eth")
        node.clock.now += silence
    node.fails_after = None
    assert node.look_ups.answer("apes.eth") == EnsAnswer(ADDRESS)
    node.fails_after = 1.0
    assert node.refuses("b.eth") == 1


def test_one_look_up_tries_a_node_that_was_left_alone(oracle: Oracle, pool: ThreadPoolExecutor) -> None:
    clock = Clock()
    look_ups = LookUps(oracle, patience=PATIENCE, clock=clock)
    look_ups._silences.failed("the node", is_dear=True)
    with pytest.raises(EnsUnavailableError):
        look_ups.answer("a.eth")
    clock.now += 1.0
    probe = pool.submit(look_ups.answer, "b.eth")
    oracle.begun.acquire()
    for name in ("c.eth", "b.eth"):
        with pytest.raises(EnsUnavailableError):
            look_ups.answer(name)
    oracle.may_answer.set()
    assert probe.result(PATIENCE) == EnsAnswer(ADDRESS)
    assert oracle.asked == ["b.eth"]


def test_failures_that_cost_nobody_time_leave_the_node_alone_when_they_go_on() -> None:
    node = Node()
    node.fails_after = 0.0
    assert [node.refuses("a.eth") for _ in range(3)] == [1, 1, 1]
    assert node.refuses("a.eth") == 1
    assert len(node.asked) == 3
    node.clock.now += 1
    assert node.refuses("a.eth") == 2


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


def test_a_fault_of_ours_is_no_failure_of_the_node_and_keeps_nobody_out() -> None:
    """It reaches the request, which is a 500."""

    def resolve(name: str) -> str | None:
        return ADDRESS if name == "apes.eth" else str(1 // 0)

    look_ups = LookUps(resolve, patience=PATIENCE)
    with pytest.raises(ZeroDivisionError):
        look_ups.answer("odd.eth")
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
