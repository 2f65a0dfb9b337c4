"""What people reported of other indexers and wallets, tried on this one: odd contracts, odd nodes, blocks that go.

Each test names where it was reported, as repository#number.
"""

from __future__ import annotations

from typing import Any

import pytest

from indexing.models import IndexedChain
from indexing.node.agreement import InconsistentAnswersError
from tests.conftest import Api
from tests.ingestion.answers import NAME, SYMBOL, answering, text
from tests.ingestion.chain import COINS, Chain, Emitted, FakeNode, batch, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, batch_data, words
from tests.ingestion.indexing import in_one_go, index, narrow, owners, tables
from tests.ingestion.short import EndedError
from tokens.models import Contract, Nft
from transfers.models import Transfer

pytestmark = pytest.mark.django_db

STORE = "0x" + "57" * 20


# Units that nobody had: LedgerHQ/ledger-live#3509


@pytest.mark.parametrize("blocks", [1, 9])
def test_who_sends_units_that_were_never_minted_owes_none_of_those_that_come_back(
    blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LedgerHQ/ledger-live#3509: a shop's contract mints on sale, and its event names the author as the sender."""
    narrow(monkeypatch, blocks)
    chain = Chain()
    chain.mine(tx(units(1, BOB, ALICE, 5), units(2, BOB, CAROL, 1)))
    chain.mine(tx(units(1, ALICE, BOB, 2)), tx(batch([(2, 1)], CAROL, ALICE)))
    chain.mine(tx(units(1, BOB, CAROL, 1)))

    def holds(address: str, data: str, block: int) -> Any:
        """The contract's own word: it never lets anybody have less than nothing."""
        held: dict[tuple[int, str], int] = {}
        for move in chain.moves(0, block):
            held[move.token_id, move.sender] = max(held.get((move.token_id, move.sender), 0) - move.amount, 0)
            held[move.token_id, move.receiver] = held.get((move.token_id, move.receiver), 0) + move.amount
        return (
            "0x" + words(held.get((int(data[74:], 16), "0x" + data[34:74]), 0))
            if data.startswith("0x00fdd58e")
            else "0x"
        )

    index(FakeNode(chain, {COINS: holds}))
    assert owners() == {(COINS, 1): {ALICE: 3, BOB: 1, CAROL: 1}, (COINS, 2): {ALICE: 1}}


# One event sent again by its contract: duneanalytics/spellbook#2992, trezor/blockbook#1619

REPEATED: dict[str, list[Emitted]] = {
    "the mint": [nft(1, ZERO, ALICE), nft(1, ZERO, ALICE), nft(1, ALICE, BOB)],
    "the sale": [nft(1, ZERO, ALICE), nft(1, ALICE, BOB), nft(1, ALICE, BOB), nft(1, ALICE, BOB)],
    "an older one, last": [nft(1, ZERO, ALICE), nft(1, ALICE, BOB), nft(1, BOB, BOB), nft(1, ALICE, BOB)],
}


@pytest.mark.parametrize("logs", REPEATED.values(), ids=REPEATED)
@pytest.mark.parametrize("together", [True, False])
def test_a_contract_that_says_a_transfer_twice_has_one_nft_with_one_owner(
    api: Api, logs: list[Emitted], together: bool
) -> None:
    """duneanalytics/spellbook#2992, trezor/blockbook#1619."""
    chain = Chain()
    for some in [logs] if together else [[log] for log in logs]:
        chain.mine(tx(*some))
    index(FakeNode(chain))
    (record,) = api.nfts(contractAddress=APES)["data"]
    assert [(one["address"], one["amount"]) for one in record["owners"]] == [(BOB, "1")]
    chain.mine(tx(nft(1, BOB, CAROL)))
    index(FakeNode(chain))
    assert owners() == {(APES, 1): {CAROL: 1}}


# Mints that are none by the zero address: taikoxyz/taiko-mono#15525


@pytest.mark.parametrize("sender", [APES, BOB, "0x" + "0" * 39 + "1"])
def test_what_comes_into_being_with_somebody_else_as_its_sender_has_an_owner(api: Api, sender: str) -> None:
    """taikoxyz/taiko-mono#15525: a contract, its author or a precompile is named as who had it before."""
    chain = Chain()
    chain.mine(tx(nft(1, sender, ALICE)), tx(units(7, sender, ALICE, 5)))
    index(
        FakeNode(
            chain, {COINS: lambda address, data, block: "0x" + words(5 if data[34:74] == ALICE[2:] else 0)}
        )
    )
    assert owners() == {(APES, 1): {ALICE: 1}, (COINS, 7): {ALICE: 5}}
    assert [one["transferType"] for one in api.transfers(contractAddress=APES)["data"]] == ["transfer"]


# Blocks that go, with several moves of one NFT in them: trezor/blockbook#1617, trezor/blockbook#1525

LOST: dict[str, list[Any]] = {
    "two hands in one transaction": [tx(nft(1, ALICE, BOB), nft(1, BOB, CAROL))],
    "two hands in one block": [tx(nft(1, ALICE, BOB)), tx(nft(1, BOB, CAROL))],
    "to oneself": [tx(nft(1, ALICE, ALICE)), tx(units(7, ALICE, ALICE, 3))],
    "there and back": [tx(nft(1, ALICE, BOB), nft(1, BOB, ALICE), units(7, ALICE, BOB, 3), units(7, BOB, ALICE, 1))],
    "burnt and minted anew": [tx(nft(1, ALICE, ZERO), nft(1, ZERO, CAROL)), tx(units(7, ALICE, ZERO, 5))],
}  # fmt: skip


@pytest.mark.parametrize("transactions", LOST.values(), ids=LOST)
def test_a_lost_block_gives_everything_back_however_it_went_through_hands(transactions: list[Any]) -> None:
    """trezor/blockbook#1617, trezor/blockbook#1525."""
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)), tx(units(7, ZERO, ALICE, 5)))
    chain.mine()
    index(FakeNode(chain))
    before = {name: rows for name, rows in tables().items() if name not in ("blocks", "checkpoints")}
    chain.mine(*transactions)
    index(FakeNode(chain))
    assert owners() == chain.holders()
    chain.fork(back=1)
    chain.mine()
    index(FakeNode(chain))
    after = {name: rows for name, rows in tables().items() if name not in ("blocks", "checkpoints")}
    assert after == before
    assert tables() == in_one_go(FakeNode(chain))


# Minted to nobody, and minted though it is there: namehash/ensnode#1001


@pytest.mark.parametrize(
    ("logs", "held"),
    [
        ([nft(1, ZERO, ZERO)], {}),
        ([nft(1, ZERO, ZERO), nft(1, ZERO, ALICE)], {ALICE: 1}),
        ([nft(1, ZERO, ALICE), nft(1, ZERO, BOB)], {BOB: 1}),
        ([nft(1, ZERO, ALICE), nft(1, ZERO, BOB), nft(1, ZERO, ZERO)], {}),
    ],
)
def test_what_is_minted_to_nobody_or_over_somebody_is_held_by_whom_its_last_mint_says(
    api: Api, logs: list[Emitted], held: dict[str, int]
) -> None:
    """namehash/ensnode#1001."""
    chain = Chain()
    for log in logs:
        chain.mine(tx(log))
    index(FakeNode(chain))
    assert owners() == {(APES, 1): held}
    (record,) = api.nfts(contractAddress=APES)["data"]
    assert record["owner"] == next(iter(held), ZERO)
    assert {one["transferType"] for one in api.transfers(contractAddress=APES)["data"]} == {"mint"}


# Names padded with NULs: banteg/uniswap#1, ponder-sh/ponder#1376, enviodev/hyperindex#446


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (text(b"LcDAI" + bytes(27)), "LcDAI"),
        (text(bytes(3) + b" Pad \0\0"), "Pad"),
        (text(b"Two\0\0words\0"), "Two��words"),
        (text(bytes(32)), None),
        ("0x" + b"Short".hex().ljust(64, "0"), "Short"),
    ],
)
def test_nuls_around_a_name_are_no_part_of_it(api: Api, name: str, shown: str | None) -> None:
    """banteg/uniswap#1, ponder-sh/ponder#1376, enviodev/hyperindex#446."""
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    index(FakeNode(chain, {APES: answering(**{NAME: name, SYMBOL: name})}))
    assert Contract.objects.values_list("name", "symbol").get() == (shown, shown)
    assert len(api.nfts(contractAddress=APES)["data"]) == 1


# Transactions that a node does not know by their hashes: 0xPolygon/bor#1607, 0xPolygon/bor#1345, erigontech/erigon#6574


def made_by_the_chain(*, many: bool = False) -> Chain:
    """A deposit from another chain, among transactions that people sent."""
    chain = Chain()
    others = [tx(nft(10 + number, ZERO, CAROL)) for number in range(9 if many else 1)]
    chain.mine(*others, tx(nft(1, ZERO, ALICE), units(7, ZERO, ALICE, 2), sender=ZERO, target=ZERO))
    chain.mine(tx(nft(1, ALICE, BOB)))
    return chain


def unknown(chain: Chain, method: str) -> Any:
    """What a node says that has no answer of a method for the first block's last transaction."""
    hash_ = chain.blocks[1].transactions[-1].hash
    return lambda asked, params, answer: None if (asked, params[:1]) == (method, [hash_]) else answer


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("method", ["eth_getTransactionReceipt", "eth_getTransactionByHash"])
def test_a_transaction_that_only_its_block_tells_of_is_indexed(method: str, many: bool) -> None:
    """0xPolygon/bor#1607, 0xPolygon/bor#1345, erigontech/erigon#6574."""
    chain = made_by_the_chain(many=many)
    naps: list[float] = []
    index(FakeNode(chain, alter=unknown(chain, method)), sleep=naps.append)
    assert (naps, owners()) == ([], chain.holders())
    assert tables() == in_one_go(FakeNode(chain))
    assert Nft.objects.get(contract__address=APES, token_key="011").minter is None


def test_a_transaction_that_its_block_leaves_out_is_asked_for_by_its_hash() -> None:
    """Those of a chain's own making may stand in no list of their block's."""
    chain = made_by_the_chain(many=True)
    hash_ = chain.blocks[1].transactions[-1].hash

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        if method == "eth_getBlockByNumber" and answer is not None and params[1]:
            return {**answer, "transactions": [one for one in answer["transactions"] if one["hash"] != hash_]}
        if method == "eth_getBlockReceipts":
            return [one for one in answer if one["transactionHash"] != hash_]
        return answer

    index(FakeNode(chain, alter=alter))
    assert owners() == chain.holders()


def test_a_transaction_that_nothing_tells_of_is_waited_for() -> None:
    chain = made_by_the_chain()

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        return None if method in ("eth_getTransactionReceipt", "eth_getBlockReceipts") else answer

    with pytest.raises(InconsistentAnswersError, match="but not the rest of it"):
        index(FakeNode(chain, alter=alter))
    naps: list[float] = []

    def wait(seconds: float) -> None:
        naps.append(seconds)
        if owners() == chain.holders():
            raise EndedError

    with pytest.raises(EndedError):
        index(
            FakeNode(chain, alter=lambda m, p, answer: alter(m, p, answer) if len(naps) < 5 else answer),
            follow=True,
            sleep=wait,
        )


# More, and less, than the standard says is in answers: blockscout/blockscout#5978, erigontech/erigon#23325


def test_fields_that_nobody_asked_for_change_nothing() -> None:
    """blockscout/blockscout#5978: a log's time of nought; erigontech/erigon#23325: null in place of no logs."""
    chain = made_by_the_chain(many=True)

    def alter(method: str, params: list[Any], answer: Any) -> Any:
        if method == "eth_getLogs":
            return [{**log, "timestamp": "0x0", "blockTimestamp": None, "type": {"a": []}} for log in answer]
        if method == "eth_getTransactionReceipt":
            return {**answer, "logs": alter("eth_getLogs", [], answer["logs"]), "status": None, "l1Fee": "0x"}
        if method == "eth_getBlockReceipts":
            stranger = {"transactionHash": "0x" + "ee" * 32, "logs": None}
            return [*(alter("eth_getTransactionReceipt", [], one) for one in answer), stranger]
        if method in ("eth_getBlockByNumber", "eth_getTransactionByHash") and answer is not None:
            return {**answer, "l1BlockNumber": None, "withdrawals": [{}], "extra": 5}
        return answer

    index(FakeNode(chain, alter=alter))
    assert owners() == chain.holders()
    assert tables() == in_one_go(FakeNode(chain))
    assert IndexedChain.objects.get().fault == ""


# Batches of nothing: OpenZeppelin/openzeppelin-contracts#4461


def test_batches_of_nothing_and_of_no_units_make_nobody_an_owner(api: Api) -> None:
    """OpenZeppelin/openzeppelin-contracts#4461: anybody may send such a batch, from whomever they like."""
    chain = Chain()
    chain.mine(tx(units(7, ZERO, ALICE, 5)))
    nothing = emitted(
        "TransferBatch(address,address,address,uint256[],uint256[])",
        [BOB, ALICE, BOB],
        batch_data([], []),
        COINS,
    )
    chain.mine(tx(nothing), tx(batch([(7, 0), (9, 0)], ALICE, BOB)), tx(units(7, ALICE, CAROL, 0)))
    index(FakeNode(chain))
    assert owners()[COINS, 7] == {ALICE: 5}
    found = {one["tokenId"]: one for one in api.nfts(contractAddress=COINS)["data"]}
    assert [one["address"] for one in found["7"]["owners"]] == [ALICE]
    assert found["9"]["owners"] == []
    assert Transfer.objects.filter(block_number=2).count() == 3


def test_a_contract_that_answers_nothing_at_first_is_described_once_it_does() -> None:
    """As a proxy does whose code came after its first events."""
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE, STORE)))
    index(FakeNode(chain, {STORE: lambda address, data, block: "0x"}))
    assert owners() == {(STORE, 1): {ALICE: 1}}
    chain.mine(tx(nft(1, ALICE, BOB, STORE)))
    index(FakeNode(chain, {STORE: answering(**{NAME: text(b"Late")})}))
    assert owners() == {(STORE, 1): {BOB: 1}}
    assert Contract.objects.get().name == "Late"
