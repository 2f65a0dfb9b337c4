"""A node that knows fewer blocks than are indexed says nothing of them: only another hash takes a block back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from core.net.rpc.errors import LaggingNodeError
from indexing.follow.reorganisations import LOOKS, DeepReorganisationError
from indexing.models import Block, IndexedChain
from tests.ingestion.chain import Chain, FakeNode, nft, tx
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.indexing import in_one_go, index, next_block, owners, tables
from tests.ingestion.short import EndedError, mint_sale_gift

pytestmark = pytest.mark.django_db


@pytest.fixture
def chain() -> Chain:
    return mint_sale_gift()


def rewinds() -> int:
    return IndexedChain.objects.get().rewinds


def fault() -> str:
    return str(IndexedChain.objects.get().fault)


def steps(*acts: Callable[[], object], every: int = LOOKS + 1) -> Callable[[float], None]:
    """Something to do each time that an indexer has waited a while; when all is done it is ended."""
    left, naps = list(acts), []

    def wait(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) % every == 0:
            if not left:
                raise EndedError
            left.pop(0)()

    return wait


@pytest.mark.parametrize("back", [1, 2, 3])
def test_a_run_ends_with_nothing_taken_back_where_the_node_stays_behind(chain: Chain, back: int) -> None:
    index(FakeNode(chain))
    before = tables()
    chain.fork(back=back)
    naps: list[float] = []
    index(FakeNode(chain), sleep=naps.append)
    assert len(naps) == LOOKS
    assert tables() == before
    assert rewinds() == 0
    assert fault() == f"The node is at block {3 - back}, 3 is indexed: waiting for it."


@pytest.mark.parametrize("back", [1, 7])
def test_a_follower_waits_for_a_node_that_is_behind_however_far(chain: Chain, back: int) -> None:
    """Behind the oldest kept block, too: 256 blocks are a minute of some chains."""
    chain.mine_empty(5)
    index(FakeNode(chain), keep_blocks=2)
    assert min(Block.objects.values_list("number", flat=True)) == 6
    lost = chain.fork(back=back)
    told: list[str] = []

    def come_back() -> None:
        told.append(fault())
        chain.blocks.extend(lost)
        chain.mine(tx(nft(1, BOB, CAROL)))

    with pytest.raises(EndedError):
        index(FakeNode(chain), keep_blocks=2, follow=True, sleep=steps(lambda: None, come_back))
    assert told == [f"The node is at block {8 - back}, 8 is indexed: waiting for it."]
    assert rewinds() == 0
    assert owners()[APES, 1] == {CAROL: 1}
    assert tables() == in_one_go(FakeNode(chain), keep_blocks=2)


def test_a_second_node_that_is_behind_takes_nothing_back(chain: Chain) -> None:
    """The first URL died; the second stands four blocks behind, and goes on from there."""
    chain.mine_empty(4)
    index(FakeNode(chain))
    behind = Chain()
    behind.blocks = chain.blocks[:4]
    index(FakeNode(behind))
    assert (rewinds(), next_block()) == (0, 8)
    behind.blocks = [*chain.blocks]
    behind.mine(tx(nft(1, BOB, CAROL)))
    index(FakeNode(behind))
    assert (rewinds(), next_block()) == (0, 9)
    assert owners() == behind.holders()


NOT_TOLD = {"none": None, "an error": LaggingNodeError("played", -32000, "header not found")}


@pytest.mark.parametrize("answer", NOT_TOLD.values(), ids=NOT_TOLD)
def test_a_block_that_the_node_does_not_tell_of_still_stands(chain: Chain, answer: Any) -> None:
    """Its head says that it has them: some of several nodes behind one URL do."""
    index(FakeNode(chain))

    def keep_silent(method: str, params: list[Any], told: Any) -> Any:
        return answer if method == "eth_getBlockByNumber" else told

    chain.mine_empty(1)
    index(FakeNode(chain, alter=keep_silent))
    assert (rewinds(), next_block()) == (0, 4)
    assert "does not tell of block 3" in fault()


def test_how_deep_a_reorganisation_goes_is_not_guessed_from_silence(chain: Chain) -> None:
    """Block 3 is another; whether block 2 is, the node does not say: it is asked again, not taken back."""
    index(FakeNode(chain))
    chain.fork(back=1)
    chain.mine()
    naps: list[float] = []

    def keep_silent(method: str, params: list[Any], told: Any) -> Any:
        silent = method == "eth_getBlockByNumber" and params[0] == "0x2" and len(naps) < 3
        return None if silent else told

    index(FakeNode(chain, alter=keep_silent), sleep=naps.append)
    assert len(naps) == 3
    assert tables() == in_one_go(FakeNode(chain))
    assert owners() == {(APES, 1): {BOB: 1}}


def test_a_shorter_chain_with_another_block_is_followed_down(chain: Chain) -> None:
    index(FakeNode(chain))
    chain.fork(back=2)
    chain.mine(tx(nft(1, ALICE, CAROL)))
    index(FakeNode(chain))
    assert rewinds() == 1
    assert tables() == in_one_go(FakeNode(chain))


def test_a_header_of_another_block_is_no_contradiction(chain: Chain) -> None:
    """A proxy that answers each question with the newest block."""
    index(FakeNode(chain))
    chain.mine_empty(1)
    naps: list[float] = []

    def newest(method: str, params: list[Any], told: Any) -> Any:
        return {**told, "number": "0x4"} if method == "eth_getBlockByNumber" and len(naps) < 3 else told

    index(FakeNode(chain, alter=newest), sleep=naps.append)
    assert (rewinds(), next_block()) == (0, 5)


def test_two_nodes_that_disagree_in_turn_end_with_the_chain_they_agree_on(chain: Chain) -> None:
    fork = Chain()
    fork.blocks = chain.blocks[:2]
    fork.fork(back=0)
    fork.mine(tx(nft(1, ALICE, CAROL)))
    fork.mine(tx(nft(2, ZERO, CAROL)))
    node = FakeNode(chain)
    turns = [partial(setattr, node, "chain", chosen) for chosen in (fork, chain, fork, chain)]
    with pytest.raises(EndedError):
        index(node, follow=True, sleep=steps(*turns, every=2))
    assert rewinds() == 4
    assert tables() == in_one_go(FakeNode(chain))


def test_a_change_deeper_than_hashes_are_kept_is_waited_on_by_a_follower(chain: Chain) -> None:
    """The next node may have the right chain; who ends its process has nobody to ask it."""
    chain.mine_empty(5)
    index(FakeNode(chain), keep_blocks=2)
    other = Chain()
    other.blocks = chain.blocks[:1]
    other.fork(back=0)
    other.mine_empty(9)
    node = FakeNode(other)
    told: list[str] = []

    def come_back() -> None:
        told.append(fault())
        node.chain = chain
        chain.mine(tx(nft(1, BOB, CAROL)))

    with pytest.raises(EndedError):
        index(node, keep_blocks=2, follow=True, sleep=steps(come_back))
    assert "not even block 6 stands" in told[0]
    assert rewinds() == 0
    assert owners()[APES, 1] == {CAROL: 1}
    with pytest.raises(DeepReorganisationError):
        index(FakeNode(other), keep_blocks=2)
