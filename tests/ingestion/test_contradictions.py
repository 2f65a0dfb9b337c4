"""Nodes that contradict themselves, send what is none, or are down: asked again for a while, and nothing is guessed."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from core.net.rpc.errors import LaggingNodeError, NodeUnavailableError
from indexing.follow.runner import PATIENCE
from indexing.management.commands import index as command
from indexing.models import IndexedChain
from indexing.node.agreement import InconsistentAnswersError
from tests.ingestion.chain import Chain, FakeNode
from tests.ingestion.indexing import index, next_block, owners
from tests.ingestion.short import EndedError, mint_sale_gift
from transfers.models import Transfer

pytestmark = pytest.mark.django_db


@pytest.fixture
def chain() -> Chain:
    return mint_sale_gift()


RECEIPTS = ("eth_getTransactionReceipt", "eth_getBlockReceipts")
TRANSACTIONS = ("eth_getTransactionByHash", "eth_getBlockByNumber")
CONTRADICTIONS: dict[str, Any] = {
    "a receipt of another block": (
        "eth_getTransactionReceipt",
        lambda answer: {**answer, "logs": [{**log, "blockHash": "0x" + "dd" * 32} for log in answer["logs"]]},
        "is of another block",
    ),
    "a receipt without its logs": ("eth_getTransactionReceipt", lambda answer: {**answer, "logs": []}, "lacks logs"),
    "no receipt": (RECEIPTS, lambda answer: None, "but not the rest of it"),
    "no transaction": (
        TRANSACTIONS,
        lambda answer: {**answer, "transactions": []} if "transactions" in answer else None,
        "but not the rest of it",
    ),
    "another transaction": (
        "eth_getTransactionByHash",
        lambda answer: {**answer, "hash": "0x" + "dd" * 32},
        "sent another",
    ),
    "no block": (
        "eth_getBlockByNumber",
        lambda answer: None if answer["number"] == "0x2" else answer,
        "but no block 2",
    ),
    "another block": (
        "eth_getBlockByNumber",
        lambda answer: {**answer, "number": "0x1"} if answer["number"] == "0x2" else answer,
        "the node sent block 1",
    ),
    "another hash of a block": (
        "eth_getBlockByNumber",
        lambda answer: {**answer, "hash": "0x" + "dd" * 32} if answer["number"] == "0x2" else answer,
        "different hashes",
    ),
    "a block that follows another": (
        "eth_getBlockByNumber",
        lambda answer: {**answer, "parentHash": "0x" + "dd" * 32} if answer["number"] == "0x2" else answer,
        "does not follow block 1",
    ),
    "a log that was removed": (
        "eth_getLogs",
        lambda answer: [{**log, "removed": True} for log in answer],
        "removed from the chain",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_an_answer_that_contradicts_others_is_asked_for_again(chain: Chain, case: str) -> None:
    method_of_it, spoil, reason = CONTRADICTIONS[case]
    naps: list[float] = []

    def contradict(method: str, params: list[Any], answer: Any) -> Any:
        methods = (method_of_it,) if isinstance(method_of_it, str) else method_of_it
        return spoil(answer) if method in methods and len(naps) < 2 else answer

    index(FakeNode(chain, alter=contradict), sleep=naps.append)
    assert naps == [0.2, 0.4]
    assert reason in IndexedChain.objects.get().fault
    assert owners() == chain.holders()


def test_a_node_that_goes_on_contradicting_itself_is_given_up(chain: Chain) -> None:
    def contradict(method: str, params: list[Any], answer: Any) -> Any:
        return None if method in RECEIPTS else answer

    naps: list[float] = []
    with pytest.raises(InconsistentAnswersError):
        index(FakeNode(chain, alter=contradict), sleep=naps.append)
    assert len(naps) == PATIENCE
    assert max(naps) == 60
    assert not Transfer.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("value", "0x" + "f" * 65),
        ("value", "0x-5"),
        ("value", "0x_1"),
        ("blockNumber", None),
        ("from", "0x12"),
    ],
)
def test_a_transaction_that_is_none_is_a_fault_and_no_crash(chain: Chain, field: str, value: Any) -> None:
    naps: list[float] = []

    def spoil(method: str, params: list[Any], answer: Any) -> Any:
        return {**answer, field: value} if method == "eth_getTransactionByHash" and not naps else answer

    index(FakeNode(chain, alter=spoil), sleep=naps.append)
    assert IndexedChain.objects.get().fault.startswith(field)
    assert owners() == chain.holders()


@pytest.mark.parametrize(
    "fault", [NodeUnavailableError("no node answers"), LaggingNodeError("played", -32000, "header not found")]
)
def test_following_outlives_a_node_that_is_down(chain: Chain, fault: Exception) -> None:
    naps: list[float] = []

    def fail(method: str, params: list[Any]) -> None:
        if method == "eth_getLogs" and len(naps) < PATIENCE + 5:
            raise fault

    def wait(seconds: float) -> None:
        naps.append(seconds)
        if next_block() == 4:
            raise EndedError

    with pytest.raises(EndedError):
        index(FakeNode(chain, interfere=fail), follow=True, sleep=wait)
    assert owners() == chain.holders()
    assert str(fault) in IndexedChain.objects.get().fault


def test_without_following_a_node_that_is_down_ends_the_run_with_its_reason(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(method: str, params: list[Any]) -> None:
        raise NodeUnavailableError("http://node.example does not answer")

    monkeypatch.setattr(command, "Node", lambda urls, **options: FakeNode(chain, interfere=fail))
    with pytest.raises(CommandError, match=r"http://node\.example does not answer"):
        call_command(
            "index", "--chain", "ethereum", "--rpc-url", "http://node.example/key", "-v0", "--to-block", "1"
        )
