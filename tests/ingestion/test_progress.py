"""What an indexer tells of its own progress: logs counted exactly once, the time reached, and its pace."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from indexing.follow.pace import Pace
from indexing.follow.rewind import rewind
from indexing.models import Block, IndexedChain, IndexedContract
from indexing.node.transactions import Header
from indexing.write import checkpoints
from indexing.write.apply import OvertakenError, apply, prepare
from indexing.write.checkpoints import EVERY
from indexing.write.judging import of_chain
from indexing.write.window import Window
from tests.builders import APES, transaction_hash
from tokens.store import chains


def a_window(first: int, last: int, logs: int) -> Window:
    """Blocks without NFT logs, twelve seconds apart, of which a node gave some logs of other tokens."""
    hashes = [transaction_hash(number) for number in range(first - 1, last + 1)]
    headers: Sequence[Header] = [
        Header(number, hashes[place + 1], hashes[place], number * 12)
        for place, number in enumerate(range(first, last + 1))
    ]
    return Window(first, last, hashes[0], headers, [], asked_logs=logs)


def write(window: Window, keep_blocks: int = 100, contract: str = EVERY, on: str = "ethereum") -> None:
    """Write a window as the indexer does; what it writes first of a contract is where that begins."""
    chain = chains.known()[on]
    checkpoints.begin(chain, [contract], None, {contract: window.first})
    apply(chain, prepare(window, of_chain(chain), lambda calls: []), [contract], keep_blocks=keep_blocks)


@pytest.mark.django_db
def test_logs_are_counted_with_the_window_that_they_came_in() -> None:
    write(a_window(1, 10, logs=70))
    write(a_window(11, 12, logs=5))
    assert IndexedChain.objects.get().logs_total == 75


@pytest.mark.django_db
def test_a_window_that_is_not_written_counts_for_nothing() -> None:
    write(a_window(1, 10, logs=70))
    with pytest.raises(OvertakenError):
        write(a_window(5, 12, logs=5))
    assert IndexedChain.objects.get().logs_total == 70


@pytest.mark.django_db
def test_after_a_rewind_the_time_reached_is_that_of_the_last_good_block() -> None:
    write(a_window(1, 10, logs=0))
    rewind(chains.known()["ethereum"], 7)
    point = IndexedContract.objects.get()
    assert (point.next_block, point.reached_at) == (8, 84)
    assert IndexedChain.objects.get().rewinds == 1


@pytest.mark.django_db
def test_the_time_of_a_block_that_is_no_longer_kept_is_not_known() -> None:
    write(a_window(1, 10, logs=0), keep_blocks=2)
    rewind(chains.known()["ethereum"], 5)
    point = IndexedContract.objects.get()
    assert (point.next_block, point.reached_at) == (6, None)


@pytest.mark.django_db
def test_a_rewind_to_before_a_contract_began_goes_back_to_where_it_began() -> None:
    """Else blocks would be indexed of it that nobody asked for."""
    write(a_window(1, 10, logs=0))
    write(a_window(5, 10, logs=0), contract=APES)
    rewind(chains.known()["ethereum"], 2)
    assert dict(IndexedContract.objects.values_list("address", "next_block")) == {EVERY: 3, APES: 5}


def test_the_pace_is_that_of_the_last_minute() -> None:
    """An indexer that read a million blocks fast and now follows the head goes at the pace of the chain."""
    now = [1_000.0]
    pace = Pace(lambda: now[0])
    for second in range(100):
        now[0] = 1_001.0 + second
        rates = pace.rates(1_000 * (second + 1), 5_000 * (second + 1))
    assert rates == (1_000.0, 5_000.0)
    for beat in range(1, 41):
        now[0] = 1_100.0 + 3 * beat
        rates = pace.rates(100_000 + beat // 4, 500_000)
    assert rates[0] == pytest.approx(5 / 60)
    assert rates[1] == 0.0


def test_the_pace_of_the_first_moment_is_no_division_by_nothing() -> None:
    assert Pace(lambda: 5.0).rates(0, 0) == (0.0, 0.0)


@pytest.mark.django_db
def test_hashes_that_are_forgotten_are_those_of_the_chain_that_went_on() -> None:
    write(a_window(1, 3, logs=0), on="polygon")
    write(a_window(1, 50, logs=0), keep_blocks=2)
    assert Block.objects.filter(chain_id=chains.known()["polygon"].id).count() == 3
