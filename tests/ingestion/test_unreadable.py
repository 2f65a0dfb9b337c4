"""What no log can be, or what no table can hold: asked for again, kept where operators see it, and never the end."""

from __future__ import annotations

from typing import Any

import pytest

from indexing.models import IndexedChain, UndecodedLog
from indexing.node.source import UNREADABLE_ATTEMPTS
from tests.ingestion.chain import COINS, Chain, FakeNode
from tests.ingestion.encoding import ALICE, APES, BOB
from tests.ingestion.indexing import in_one_go, index, next_block, owners, tables
from tests.ingestion.short import GIFT, EndedError, mint_sale_gift

pytestmark = pytest.mark.django_db

BROKEN: dict[str, dict[str, Any]] = {
    "data": {"data": "0xabc"},
    "topics": {"topics": [["0x"]]},
    "a topic": {"topics": [{"a": 1}, None]},
    "contract": {"address": "\ud800\0"},
    "no transaction": {"transactionHash": None},
    "too many": {"topics": ["0x" + "0" * 64] * 5},
    "a number beyond all": {"logIndex": hex(2**200)},
}


@pytest.fixture
def chain() -> Chain:
    return mint_sale_gift()


def spoilt(changes: dict[str, Any], naps: list[float], until: float) -> Any:
    """Spoil the coins' log of block 3, wherever it is sent, until there were so many naps."""

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        logs = answer["logs"] if method == "eth_getTransactionReceipt" else answer
        if method in ("eth_getLogs", "eth_getTransactionReceipt") and len(naps) < until:
            for log in logs:
                if log["address"] == COINS:
                    log.update(changes)
        return answer

    return alter


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_no_log_for_a_moment_is_none_the_less_read(chain: Chain, case: str) -> None:
    naps: list[float] = []
    index(FakeNode(chain, alter=spoilt(BROKEN[case], naps, 2)), sleep=naps.append)
    assert len(naps) == 2
    assert tables() == in_one_go(FakeNode(chain))


@pytest.mark.parametrize("case", BROKEN)
def test_what_stays_no_log_is_kept_for_the_operator_and_the_rest_goes_on(chain: Chain, case: str) -> None:
    naps: list[float] = []
    index(FakeNode(chain, alter=spoilt(BROKEN[case], naps, 99)), sleep=naps.append)
    assert len(naps) == UNREADABLE_ATTEMPTS
    assert (next_block(), owners()) == (4, {(APES, 1): {BOB: 1}})
    kept = UndecodedLog.objects.get()
    assert kept.block_number == 3
    assert kept.transaction_hash == (GIFT.hash if case != "no transaction" else "block 3")
    assert kept.log_index == (0 if case != "a number beyond all" else 2**31 - 1)
    assert kept.address == (COINS if case != "contract" else "")
    assert kept.reason.startswith("The node sent what is no log: the log")


@pytest.mark.parametrize("index_of_it", [2**24, 2**28 - 1])
def test_a_log_index_that_no_order_holds_is_kept_undecoded(chain: Chain, index_of_it: int) -> None:
    node = FakeNode(chain, alter=spoilt({"logIndex": hex(index_of_it)}, [], 99))
    index(node)
    assert (next_block(), owners()) == (4, {(APES, 1): {BOB: 1}})
    kept = UndecodedLog.objects.get()
    assert (kept.transaction_hash, kept.log_index, kept.address) == (GIFT.hash, index_of_it, COINS)
    assert "more than the order of transfers holds" in kept.reason


def test_the_last_log_index_that_the_order_holds_is_a_transfer(chain: Chain) -> None:
    index(FakeNode(chain, alter=spoilt({"logIndex": hex(2**24 - 1)}, [], 99)))
    assert owners() == chain.holders() == {(APES, 1): {BOB: 1}, (COINS, 7): {ALICE: 9}}


HEADERS: dict[str, dict[str, Any]] = {
    "a time beyond all": {"timestamp": hex(2**37)},
    "a block beyond all": {"number": hex(2**43)},
    "null": {"hash": None},
    "nested": {"parentHash": [[[]]]},
    "not hexadecimal": {"hash": "\ud800\0" * 33},
}


@pytest.mark.parametrize("case", HEADERS)
def test_a_follower_waits_for_headers_that_can_be(chain: Chain, case: str) -> None:
    naps: list[float] = []

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        return {**answer, **HEADERS[case]} if method == "eth_getBlockByNumber" and len(naps) < 30 else answer

    run_to_the_head(chain, alter, naps)


@pytest.mark.parametrize("number", [2**43, 2**63, 2**255])
def test_a_head_beyond_all_blocks_is_no_head(chain: Chain, number: int) -> None:
    naps: list[float] = []

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        return hex(number) if method == "eth_blockNumber" and len(naps) < 30 else answer

    run_to_the_head(chain, alter, naps)


def run_to_the_head(chain: Chain, alter: Any, naps: list[float]) -> None:
    """Follow a node until all is indexed, which must be as in a calm run."""

    def wait(seconds: float) -> None:
        naps.append(seconds)
        if next_block() == 4:
            raise EndedError

    with pytest.raises(EndedError):
        index(FakeNode(chain, alter=alter), follow=True, sleep=wait)
    assert len(naps) >= 30
    assert IndexedChain.objects.get().fault
    assert tables() == in_one_go(FakeNode(chain))
