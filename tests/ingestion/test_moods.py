"""Whatever a node says, a follower notes it and goes on; once the node is good, the tables are those of a calm run."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from Crypto.Hash import keccak
from hypothesis import given
from hypothesis import strategies as st

from core.net.rpc.errors import BadAnswerError, Kind, RpcError, TooManyResultsError, WrongChainError
from core.net.rpc.jsonrpc import Node
from indexing.models import IndexedChain
from indexing.write import checkpoints
from tests import drawn
from tests.deriving.tables import rolled_back
from tests.ingestion.chain import Chain, FakeNode, batch, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.indexing import ethereum, in_one_go, index, next_block, owners, tables
from tests.ingestion.short import EndedError, mint_sale_gift
from tests.ingestion.wire import wired

pytestmark = pytest.mark.django_db


@pytest.fixture
def chain() -> Chain:
    return mint_sale_gift()


def followed(node: Any, naps: list[float], until: int, **options: Any) -> None:
    """Follow a node until a block is indexed."""

    def wait(seconds: float) -> None:
        naps.append(seconds)
        if next_block() > until:
            raise EndedError
        assert len(naps) < 500

    with pytest.raises(EndedError):
        index(node, follow=True, sleep=wait, **options)


UGLY = "\ud800 with \0 and \x1b[31m\n and \udfff"
FAULTS = {
    "a last word": RpcError("played", -32000, "transaction indexing is in progress"),
    "a word that no table takes": RpcError("played", -32000, UGLY),
    "another chain": WrongChainError("played", found=5, expected=1),
    "too many logs": TooManyResultsError(2, "the node says so"),
    "no answer": BadAnswerError("played: str instead of a list of logs"),
    "not offered": RpcError("played", -32601, "no such method", kind=Kind.ELSEWHERE),
}


@pytest.mark.parametrize(
    "method", ["eth_blockNumber", "eth_getLogs", "eth_getBlockByNumber", "eth_getTransactionReceipt"]
)
@pytest.mark.parametrize("case", FAULTS)
def test_a_follower_outlives_whatever_a_node_says(chain: Chain, case: str, method: str) -> None:
    naps: list[float] = []

    def fail(asked: str, params: list[Any]) -> None:
        begun = method != "eth_blockNumber" or naps  # the first answer of all may tell of a wrong URL
        if asked == method and begun and len(naps) < 20:
            raise FAULTS[case]

    followed(FakeNode(chain, interfere=fail), naps, 3 if method != "eth_blockNumber" else 2)
    assert owners() == chain.holders()


@pytest.mark.parametrize("text", [UGLY, "\0", "\ud83d", "\r\nWARNING: all is lost"])
def test_a_fault_can_be_stored_whatever_is_in_it(chain: Chain, text: str) -> None:
    index(FakeNode(chain))
    checkpoints.tell(ethereum(), fault=text)
    assert not set(IndexedChain.objects.get().fault) & set("\0\ud800\ud83d\udfff")


def test_a_url_of_another_chain_ends_a_run_at_its_start(chain: Chain) -> None:
    def fail(method: str, params: list[Any]) -> None:
        raise WrongChainError("played", found=5, expected=1)

    with pytest.raises(WrongChainError):
        index(FakeNode(chain, interfere=fail), follow=True)


def bloomed(chain: Chain) -> Any:
    """A node of several behind one URL: one that has no logs answers the first questions for them."""

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        if method == "eth_getBlockByNumber" and answer is not None:
            return {**answer, "logsBloom": bloom(chain, int(answer["number"], 16))}
        return answer

    return alter


def bloom(chain: Chain, number: int) -> str:
    """A header's filter of contracts and topics, as clients make it: the yellow paper's M3:2048, a bit a time."""
    bits = bytearray(256)
    for transaction in chain.blocks[number].transactions:
        for log in transaction.logs:
            for value in (log.contract, *log.topics):
                digest = keccak.new(digest_bits=256, data=bytes.fromhex(value[2:])).digest()
                for place in (0, 2, 4):
                    bit = (digest[place] << 8 | digest[place + 1]) & 0x7FF
                    bits[255 - bit // 8] |= 1 << bit % 8
    return "0x" + bits.hex()


@pytest.mark.parametrize("contracts", [("",), (APES,)])
def test_a_block_that_holds_logs_by_its_header_is_not_taken_for_empty(
    chain: Chain, contracts: tuple[str, ...]
) -> None:
    """The node forgot its logs and tells of none, without an error; the block's hash commits to what it holds."""
    naps: list[float] = []
    headers = bloomed(chain)

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        forgets = method == "eth_getLogs" and "blockHash" not in params[0] and len(naps) < 3
        return [] if forgets else headers(method, params, answer)

    index(FakeNode(chain, alter=alter), sleep=naps.append, contracts=contracts)
    assert len(naps) == 3
    assert "told nothing of block" in IndexedChain.objects.get().fault
    assert owners()[APES, 1] == {BOB: 1}


def test_who_cannot_be_asked_by_a_blocks_hash_is_believed(chain: Chain) -> None:
    """Filters hold some by chance: without a way to ask again nothing could go on."""
    headers = bloomed(chain)

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        if method == "eth_getLogs":
            return RpcError("played", -32602, "invalid params") if "blockHash" in params[0] else []
        return headers(method, params, answer)

    index(FakeNode(chain, alter=alter))
    assert next_block() == 4


def test_an_empty_block_that_a_filter_holds_by_chance_is_empty(chain: Chain) -> None:
    chain.mine_empty(1)

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        return {**answer, "logsBloom": "0x" + "ff" * 256} if method == "eth_getBlockByNumber" else answer

    index(FakeNode(chain, alter=alter))
    assert tables() == in_one_go(FakeNode(chain))


def test_a_second_url_that_knows_more_is_asked_where_the_first_stands_still(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(FakeNode(chain))
    behind = Chain()
    behind.blocks = chain.blocks[:2]
    chain.mine(tx(nft(1, BOB, CAROL)))
    index_wired(wired(monkeypatch, FakeNode(behind), FakeNode(chain)))
    assert owners() == chain.holders()
    assert IndexedChain.objects.get().rewinds == 0


def test_a_url_that_was_restarted_from_a_backup_is_not_asked_for_what_it_forgot(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knew block 3 when its head was asked for, and answers for it with silence when its logs are."""
    node, forgetful = FakeNode(chain), Chain()
    forgetful.blocks = chain.blocks[:2]
    heads: list[str] = []

    def forget(method: str, params: list[Any]) -> None:
        heads.append(method)
        node.chain = forgetful if 1 < heads.count("eth_blockNumber") < 4 else chain

    node.interfere = forget
    index_wired(wired(monkeypatch, node))
    assert owners() == chain.holders()


def index_wired(node: Node, **options: Any) -> None:
    played: Any = node
    index(played, **options)


JUNK: list[Any] = [
    None, True, 7, -1, 1.5, 10**30, "", "0xzz", "0x-1", "\ud800\0", "x" * 500, "0x" + "0" * 67, {}, [[]], {"a": None},
    [None], {"hash": [{}]},
]  # fmt: skip
"""Values that are none of any field of an answer."""

BELIEVED = {"to", "logsBloom"}
"""What may be absent, so that nothing tells that it was there."""


def mutated(document: Any, draw: random.Random) -> Any:
    """A good answer with something in it that cannot be, that lacks, or that is there twice.

    No lies that could be true: that a block holds less, or that a transaction came from another address.
    """
    places: list[tuple[Any, Any]] = []

    def look(value: Any) -> None:
        if isinstance(value, dict | list):
            for key in list(value) if isinstance(value, dict) else range(len(value)):
                if key not in BELIEVED:
                    places.append((value, key))
                    look(value[key])

    look(document)
    if not places:
        return draw.choice(JUNK)
    holder, key = draw.choice(places)
    kind = draw.random()
    if kind < 0.3 and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif kind < 0.3:
        del holder[key]
    elif kind < 0.4:
        holder[key] = [holder[key]]
    else:
        holder[key] = draw.choice(JUNK)
    return document


def broken(body: bytes, draw: random.Random) -> bytes:
    """An answer as a node in a bad mood sends it."""
    kind = draw.random()
    if kind < 0.5:
        return body
    if kind < 0.53:
        return body[: draw.randrange(len(body) + 1)]
    if kind < 0.55:
        return b"[" * 100_000
    if kind < 0.57:
        return b'{"id":1,"error":{"code":-32000,"message":' + b"[" * 900 + b"]" * 900 + b"}}"
    return json.dumps(mutated(json.loads(body), draw)).encode()


@drawn.examples(20)
@given(st.integers(0, 2**32))
def test_a_follower_outlives_any_nonsense_and_ends_with_the_tables_of_a_calm_run(seed: int) -> None:
    draw = random.Random(seed)
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)), tx(units(7, ZERO, BOB, 5)))
    chain.mine(*(tx(nft(10 + token, ZERO, CAROL)) for token in range(9)))
    chain.mine(tx(nft(1, ALICE, BOB), value=10**18, sender=BOB), tx(batch([(7, 2), (8, 0)], BOB, CAROL)))
    chain.mine_empty(2)
    calm = 60
    naps: list[float] = []
    headers = bloomed(chain)
    answered: list[int] = []

    def alter(body: bytes) -> bytes:
        answered.append(len(body))
        begun = len(answered) > 2  # a wrong chain at the very beginning ends a run
        return broken(body, draw) if begun and len(naps) < calm else body

    def wait(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == calm // 2:
            chain.mine(tx(nft(1, BOB, CAROL)))
        if len(naps) > calm and next_block() == chain.head + 1:
            raise EndedError
        assert len(naps) < 10 * calm

    with rolled_back(), pytest.MonkeyPatch.context() as patch:
        node = wired(patch, FakeNode(chain, alter=headers), alter=alter)
        with pytest.raises(EndedError):
            index_wired(node, follow=True, sleep=wait)
        found = tables()
    with rolled_back():
        index(FakeNode(chain))
        assert found == tables()
