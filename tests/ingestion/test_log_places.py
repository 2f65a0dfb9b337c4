"""One log a place on the chain: sent twice it is one, and numbers that start anew in each transaction are refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from indexing.models import IndexedChain, UndecodedLog
from indexing.node.agreement import InconsistentAnswersError, LogNumberingError
from indexing.write.checkpoints import EVERY
from tests.ingestion.chain import Chain, FakeNode, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.indexing import in_one_go, index, next_block, owners, tables
from tests.ingestion.selling import sale
from tests.ingestion.short import EndedError
from transfers.models import Transfer

pytestmark = pytest.mark.django_db

ETHER = 10**18


def sold() -> Chain:
    """A sale in a transaction, between mints; a log that cannot be decoded; a block that is read whole."""
    made = Chain()
    made.mine(tx(nft(1, ZERO, ALICE), units(7, ZERO, ALICE, 5)))
    made.mine(sale(1, ETHER), tx(units(7, ALICE, BOB, 2)))
    made.mine(tx(emitted("ConsecutiveTransfer(uint256,uint256,address,address)", [1, ZERO], "")))
    made.mine(*(tx(nft(10 + token, ZERO, CAROL)) for token in range(9)))
    return made


@pytest.fixture
def chain() -> Chain:
    return sold()


def upper(log: dict[str, Any]) -> dict[str, Any]:
    """The same log, with hexadecimal digits in upper case."""
    return {
        key: [one.upper().replace("0X", "0x") for one in value]
        if key == "topics"
        else value.upper().replace("0X", "0x")
        for key, value in log.items()
    }


def twice(logs: list[Any]) -> list[Any]:
    return [one for log in logs for one in (log, log)]


def again_at_the_end(logs: list[Any]) -> list[Any]:
    return [*logs, *logs]


def once_more_in_upper_case(logs: list[Any]) -> list[Any]:
    return [*logs, *map(upper, logs)]


REPEATS = [twice, again_at_the_end, once_more_in_upper_case]


@pytest.mark.parametrize("repeat", REPEATS, ids=lambda repeat: repeat.__name__)
@pytest.mark.parametrize("where", ["eth_getLogs", "receipts", "both"])
def test_a_log_that_is_sent_twice_is_one(
    chain: Chain, where: str, repeat: Callable[[list[Any]], list[Any]]
) -> None:
    def alter(method: str, params: list[Any], answer: Any) -> Any:
        if method == "eth_getLogs" and where != "receipts":
            return repeat(answer)
        if method == "eth_getTransactionReceipt" and where != "eth_getLogs":
            return {**answer, "logs": repeat(answer["logs"])}
        if method == "eth_getBlockReceipts" and where != "eth_getLogs":
            return [{**one, "logs": repeat(one["logs"])} for one in (*answer, *answer)]
        return answer

    index(FakeNode(chain, alter=alter))
    assert Transfer.objects.get(block_number=2, contract__address=APES).transfer_type == "sale"
    assert UndecodedLog.objects.count() == 1
    assert owners() == chain.holders()
    assert tables() == in_one_go(FakeNode(chain))


DIFFERENT: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "data": lambda log: {**log, "data": "0x" + "11" * 64},
    "topics": lambda log: {**log, "topics": [*log["topics"][:3], "0x" + "22" * 32]},
    "contract": lambda log: {**log, "address": BOB},
    "block": lambda log: {**log, "blockHash": "0x" + "dd" * 32},
}


@pytest.mark.parametrize("part", DIFFERENT)
def test_two_logs_of_one_place_that_differ_are_asked_for_again(chain: Chain, part: str) -> None:
    naps: list[float] = []

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        return [*answer, DIFFERENT[part](answer[0])] if method == "eth_getLogs" and len(naps) < 2 else answer

    index(FakeNode(chain, alter=alter), sleep=naps.append)
    assert len(naps) == 2
    assert tables() == in_one_go(FakeNode(chain))


@pytest.mark.parametrize("part", ["data", "topics", "contract"])
def test_a_log_that_its_receipt_has_otherwise_is_asked_for_again(chain: Chain, part: str) -> None:
    naps: list[float] = []

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        if method == "eth_getTransactionReceipt" and len(naps) < 2:
            return {**answer, "logs": [DIFFERENT[part](answer["logs"][0]), *answer["logs"][1:]]}
        return answer

    index(FakeNode(chain, alter=alter), sleep=naps.append)
    assert len(naps) == 2
    assert tables() == in_one_go(FakeNode(chain))


def test_logs_that_only_the_receipt_has_are_asked_for_again(chain: Chain) -> None:
    """The mint of an ape and of coins in one transaction: the node told of the coins alone."""
    naps: list[float] = []

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        return answer[1:] if method == "eth_getLogs" and len(naps) < 2 else answer

    index(FakeNode(chain, alter=alter), sleep=naps.append)
    assert len(naps) == 2
    assert "told too few" in IndexedChain.objects.get().fault
    assert tables() == in_one_go(FakeNode(chain))


@pytest.mark.parametrize(
    ("method", "name"), [("eth_getBlockByNumber", "value"), ("eth_getBlockReceipts", "logs")]
)
def test_a_transaction_that_is_listed_twice_with_other_contents_is_asked_for_again(
    chain: Chain, method: str, name: str
) -> None:
    naps: list[float] = []

    def alter(asked: str, params: list[Any], answer: Any) -> Any:
        if asked != method or len(naps) >= 2 or params[-1] is False:
            return answer
        if method == "eth_getBlockReceipts":
            return [*answer, {**answer[0], name: []}]
        return {
            **answer,
            "transactions": [*answer["transactions"], {**answer["transactions"][0], name: "0x5"}],
        }

    index(FakeNode(chain, alter=alter), sleep=naps.append)
    assert len(naps) == 2
    assert "twice" in IndexedChain.objects.get().fault
    assert tables() == in_one_go(FakeNode(chain))


def renumbered(method: str, params: list[Any], answer: Any) -> Any:
    """What a node says that begins with log 0 in each transaction."""
    if method == "eth_getLogs":
        firsts: dict[str, int] = {}
        for log in answer:
            first = firsts.setdefault(log["transactionHash"], int(log["logIndex"], 16))
            log["logIndex"] = hex(int(log["logIndex"], 16) - first)
    elif method == "eth_getTransactionReceipt":
        answer = {**answer, "logs": renumbered("eth_getLogs", [], answer["logs"])}
    elif method == "eth_getBlockReceipts":
        answer = [renumbered("eth_getTransactionReceipt", [], one) for one in answer]
    return answer


def bought_and_sold(*, first: int = 0) -> Chain:
    """Two transactions of one block: BOB gets the ape, then CAROL does; ``first`` logs stand before."""
    made = Chain()
    made.mine(tx(nft(1, ZERO, ALICE)))
    others = [emitted("Approval(address,address,uint256)", [ALICE, BOB, 1])] * first
    made.mine(tx(*others, nft(1, ALICE, BOB)), tx(nft(1, BOB, CAROL)))
    return made


@pytest.mark.parametrize("first", [0, 1, 3])
def test_a_node_that_numbers_logs_anew_in_each_transaction_is_refused_at_once(first: int) -> None:
    """By such numbers BOB would own it: his log 3 is behind CAROL's log 0."""
    naps: list[float] = []
    with pytest.raises(LogNumberingError, match=r"does not number logs through each block.*in block 2"):
        index(FakeNode(bought_and_sold(first=first), alter=renumbered), sleep=naps.append)
    assert naps == []
    assert Transfer.objects.count() == 0


def numbered_by(number: Callable[[list[dict[str, Any]]], list[int]]) -> Any:
    """What a node says that numbers the logs of a block in its own way."""

    def alter(chain: Chain) -> Callable[[str, list[Any], Any], Any]:
        node = FakeNode(chain)
        numbers: dict[tuple[str, str, str], int] = {}
        for block in chain.blocks:
            logs = [log for receipt in node._receipts(block) for log in receipt["logs"]]
            for log, place in zip(logs, number(logs), strict=True):
                numbers[log["blockHash"], log["transactionHash"], log["logIndex"]] = place

        def renumber(log: dict[str, Any]) -> dict[str, Any]:
            key = (log["blockHash"], log["transactionHash"], log["logIndex"])
            return {**log, "logIndex": hex(numbers[key])}

        def altered(method: str, params: list[Any], answer: Any) -> Any:
            if method == "eth_getLogs":
                return [renumber(log) for log in answer]
            if method == "eth_getTransactionReceipt":
                return {**answer, "logs": [renumber(log) for log in answer["logs"]]}
            if method == "eth_getBlockReceipts":
                return [altered("eth_getTransactionReceipt", [], one) for one in answer]
            return answer

        return altered

    return alter


def from_one_in_each_transaction(logs: list[dict[str, Any]]) -> list[int]:
    firsts: dict[str, int] = {}
    return [place - firsts.setdefault(log["transactionHash"], place) + 1 for place, log in enumerate(logs)]


def from_the_end(logs: list[dict[str, Any]]) -> list[int]:
    return list(range(len(logs)))[::-1]


def of_each_contract(logs: list[dict[str, Any]]) -> list[int]:
    counts: Counter[str] = Counter()
    found = []
    for log in logs:
        found.append(counts[log["address"]])
        counts[log["address"]] += 1
    return found


def the_last_transaction_from_nought(logs: list[dict[str, Any]]) -> list[int]:
    """erigontech/erigon#17249: so were those of a transaction that the chain makes itself, at the end of a block."""
    others = [log for log in logs if log["transactionIndex"] != logs[-1]["transactionIndex"]]
    return [*range(len(others)), *range(len(logs) - len(others))]


def all_nought(logs: list[dict[str, Any]]) -> list[int]:
    return [0] * len(logs)


def of_the_transaction(logs: list[dict[str, Any]]) -> list[int]:
    return [int(log["transactionIndex"], 16) for log in logs]


@pytest.mark.parametrize(
    "number",
    [
        from_one_in_each_transaction,
        from_the_end,
        of_each_contract,
        the_last_transaction_from_nought,
        all_nought,
        of_the_transaction,
    ],
)
@pytest.mark.parametrize("contracts", [None, [APES]])
def test_no_other_numbers_make_a_wrong_owner_in_silence(
    number: Callable[[list[dict[str, Any]]], list[int]], contracts: list[str] | None
) -> None:
    """Two apes go from hand to hand in one block, with coins in between: what is not refused is right.

    Nodes that number otherwise: vechain/thor#1117, 0xPolygon/cdk-erigon#452, filecoin-project/lotus#11630.
    """
    made = Chain()
    made.mine(tx(nft(1, ZERO, ALICE)), tx(nft(2, ZERO, ALICE)))
    made.mine(
        tx(units(7, ZERO, BOB, 1), nft(1, ALICE, BOB)),
        tx(nft(2, ALICE, BOB), units(7, BOB, CAROL, 1), nft(2, BOB, CAROL)),
        tx(nft(1, BOB, CAROL)),
    )
    node = FakeNode(made, alter=numbered_by(number)(made))
    try:
        index(node, contracts=[EVERY] if contracts is None else contracts)
    except (LogNumberingError, InconsistentAnswersError):
        assert not Transfer.objects.filter(block_number=2).exists()
    else:
        held = {key: who for key, who in made.holders().items() if contracts is None or key[0] in contracts}
        assert owners() == held


def test_of_one_contract_alone_such_numbers_are_seen_too() -> None:
    with pytest.raises(LogNumberingError):
        index(FakeNode(bought_and_sold(first=1), alter=renumbered), contracts=[APES])


def test_numbers_that_start_anew_in_a_block_read_whole_are_seen_too(chain: Chain) -> None:
    def alter(method: str, params: list[Any], answer: Any) -> Any:
        return answer if method == "eth_getLogs" else renumbered(method, params, answer)

    with pytest.raises((LogNumberingError, InconsistentAnswersError)):
        index(FakeNode(chain, alter=alter))


def test_a_follower_waits_for_a_node_that_numbers_logs_through_the_block() -> None:
    chain = bought_and_sold(first=1)
    naps: list[float] = []

    def wait(seconds: float) -> None:
        naps.append(seconds)
        if next_block() == 3:
            raise EndedError

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        return renumbered(method, params, answer) if len(naps) < 9 else answer

    with pytest.raises(EndedError):
        index(FakeNode(chain, alter=alter), follow=True, sleep=wait)
    assert "does not number logs through each block" in IndexedChain.objects.get().fault
    assert owners() == {(APES, 1): {CAROL: 1}}
