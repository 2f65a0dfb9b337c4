"""What a node does not tell of a contract is asked again; what is stored as one stays one; who is left out is said."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command

from core.net.rpc.errors import Kind, LaggingNodeError, NodeUnavailableError, RpcError
from indexing.contracts.profiles import first_block
from indexing.management.commands import index as command
from indexing.models import DoubtfulContract, IndexedChain, UndecodedLog
from indexing.node.asking import Asker
from tests.ingestion.answers import DECIMALS, NAME, OWNER_OF, SYMBOL, YES, answering, text
from tests.ingestion.chain import COINS, Chain, FakeNode, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, word
from tests.ingestion.indexing import in_one_go, index, owners, tables
from tests.ingestion.moods import PARCELS, deaf, node_of, parcel
from tests.ingestion.selling import erc20
from tests.ingestion.short import EndedError
from tokens.models import Contract
from transfers.models import Transfer

pytestmark = pytest.mark.django_db

PANDORA = "0x" + "40" * 20
APPROVED = "0x081812fc"
MONEY = {DECIMALS: "0x" + word(18), NAME: text(b"Coin"), SYMBOL: text(b"C")}
HALF = {**MONEY, OWNER_OF: "0x" + word(ALICE)}
EIGHTEEN = "It has 18 decimals, claims no standard, and knows no owner of the ids that were tried"


def taken_for() -> dict[str, str]:
    """What each contract in doubt is taken for."""
    return dict(DoubtfulContract.objects.values_list("address", "taken_for"))


def amount_moved(amount: int) -> Any:
    """A `Transfer` of ERC-20 that indexes the amount: the very form of ERC-721's."""
    return emitted("Transfer(address,address,uint256)", [ALICE, BOB, amount], contract=PANDORA)


@pytest.mark.parametrize("how", range(8))
def test_an_outage_of_calls_decides_nothing_about_a_contract(how: int) -> None:
    """Money that looks like NFTs stays money, and a name is read, once the node answers again."""
    chain = Chain()
    chain.mine(tx(amount_moved(5)), tx(nft(1, ZERO, ALICE)))
    answers = {PANDORA: answering(**MONEY), APES: answering(**{NAME: text(b"Apes"), SYMBOL: text(b"APE")})}
    node = FakeNode(chain, answers, alter=deaf(40, how))
    faults: list[str] = []

    def wait(seconds: float) -> None:
        faults.append(IndexedChain.objects.get().fault)
        if len(faults) > 60 or Transfer.objects.exists():
            raise EndedError

    with pytest.raises(EndedError):
        index(node, follow=True, sleep=wait)
    assert any("waiting for eth_" in fault for fault in faults)
    assert list(Contract.objects.values_list("address", "name", "symbol")) == [(APES, "Apes", "APE")]
    assert owners() == {(APES, 1): {ALICE: 1}}


def test_an_outage_while_openings_are_asked_for_leaves_no_owner_unknown() -> None:
    chain = Chain()
    chain.mine(tx(units(7, ZERO, ALICE, 100)))
    chain.mine()
    chain.mine(tx(units(7, ALICE, BOB, 30)))
    with pytest.raises((NodeUnavailableError, LaggingNodeError)):
        index(FakeNode(chain, alter=deaf(10_000, 0)), from_block=3)
    index(FakeNode(chain), from_block=3)
    assert owners() == {(COINS, 7): {ALICE: 70, BOB: 30}}


def test_a_lagging_answer_does_not_have_a_contract_read_from_block_0() -> None:
    chain = Chain()
    chain.mine_empty(5)
    chain.mine(tx(nft(1, ZERO, ALICE)))
    lags: list[Any] = [LaggingNodeError("played", -32000, "header not found")]

    def lag(method: str, params: list[Any], answer: Any) -> Any:
        return lags.pop() if method == "eth_getCode" and lags else answer

    node: Any = FakeNode(chain, alter=lag)
    assert first_block(APES, chain.head, Asker(node, node.batch)) == 6
    assert lags == []
    lags += [None, "0xzz", None]
    with pytest.raises(NodeUnavailableError, match="waiting for eth_getCode at block 6"):
        first_block(APES, chain.head, Asker(node, node.batch))


def test_a_question_that_the_node_never_answers_for_one_contract_stops_nothing() -> None:
    """It is left open, and asked again by the next process."""
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    refusal = RpcError("played", -32603, "internal error", kind=Kind.TRANSIENT)

    def hostile(address: str, data: str, block: int) -> Any:
        return refusal if data.startswith(NAME) else "0x"

    index(FakeNode(chain, {APES: hostile}))
    assert owners() == {(APES, 1): {ALICE: 1}}
    assert taken_for() == {APES: "untold"}
    chain.mine()
    index(FakeNode(chain, {APES: answering(**{NAME: text(b"Apes")})}))
    chain.mine(tx(nft(1, ALICE, BOB)))
    index(FakeNode(chain, {APES: answering(**{NAME: text(b"Apes")})}))
    assert Contract.objects.get().name == "Apes"
    assert taken_for() == {}


def test_an_old_contract_stays_one_for_a_process_that_sees_a_burn_first() -> None:
    chain = Chain()
    chain.mine(tx(parcel(1, ZERO, ALICE)), tx(parcel(2, ZERO, BOB)))
    index(node_of(chain))
    chain.mine(tx(parcel(1, ALICE, ZERO)))
    index(node_of(chain))
    chain.mine(tx(parcel(2, BOB, CAROL)))
    index(node_of(chain))
    assert owners() == chain.holders() == {(PARCELS, 1): {}, (PARCELS, 2): {CAROL: 1}}
    assert tables() == in_one_go(node_of(chain))


def test_what_was_left_out_of_a_contract_that_holds_nfts_after_all_is_taken_in() -> None:
    """Its first log burns, and nobody can tell then what it is."""
    chain = Chain()
    chain.mine(tx(parcel(1, ALICE, ZERO)))
    node = node_of(chain)
    tells = node.contracts[PARCELS]
    node.contracts[PARCELS] = lambda address, data, block: (
        text(b"Parcels") if data.startswith(NAME) else tells(address, data, block)
    )
    index(node)
    assert taken_for() == {PARCELS: "unclear"}
    assert UndecodedLog.objects.count() == 1
    chain.mine(tx(parcel(2, ZERO, BOB)))
    index(node)
    assert taken_for() == {}
    assert Transfer.objects.count() == 2
    assert UndecodedLog.objects.count() == 0


@pytest.mark.parametrize(
    "answers",
    [HALF, {**HALF, DECIMALS: "0x" + word(9)}, {**MONEY, APPROVED: "0x" + word(0)}],
    ids=["ownerOf answers", "nine decimals", "getApproved answers"],
)
def test_nfts_that_are_money_too_are_indexed(answers: dict[str, Any]) -> None:
    """ERC-404: decimals, no ERC-165, four topics beside ERC20Transfer."""
    chain = Chain()
    beside = emitted("ERC20Transfer(address,address,uint256)", [ZERO, ALICE], word(10**18), PANDORA)
    chain.mine(tx(nft(1, ZERO, ALICE, PANDORA), beside, erc20(PANDORA, 10**18, ZERO, ALICE)))
    index(FakeNode(chain, {PANDORA: answering(**answers)}))
    assert owners() == {(PANDORA, 1): {ALICE: 1}}
    assert taken_for() == {}


@pytest.mark.parametrize("named", [True, False])
def test_money_that_indexes_the_amount_stays_out_and_is_said(
    named: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chain = Chain()
    chain.mine(tx(amount_moved(5)))
    node = FakeNode(chain, {PANDORA: answering(**MONEY)})
    monkeypatch.setattr(command, "Node", lambda urls, **options: node)
    one = ["--contract", PANDORA] if named else []
    call_command("index", "--chain", "ethereum", "--rpc-url", "http://node.example", "-v0", *one)
    assert not Transfer.objects.exists()
    assert taken_for() == {PANDORA: "money"}
    assert f"{PANDORA} is left out from block 1 on. {EIGHTEEN}" in capsys.readouterr().err


def test_a_contract_that_answers_anything_to_everything_is_not_believed() -> None:
    chain = Chain()
    chain.mine(tx(parcel(1, ZERO, ALICE)))
    index(FakeNode(chain, {PARCELS: lambda address, data, block: YES}))
    assert not Transfer.objects.exists()
    assert taken_for() == {PARCELS: "unclear"}


@pytest.mark.parametrize("what", ["plain money", "nothing at all"])
def test_a_named_contract_without_nfts_is_said(what: str) -> None:
    chain = Chain()
    chain.mine(tx(erc20(PANDORA, 5, ALICE, BOB)) if what == "plain money" else tx(nft(1, ZERO, ALICE)))
    index(FakeNode(chain, {PANDORA: answering(**MONEY)}), contracts=[PANDORA])
    assert taken_for() == {PANDORA: "money" if what == "plain money" else "nothing"}
    assert not Transfer.objects.exists()


def test_what_was_no_log_of_a_contract_in_doubt_does_not_stop_the_next_process() -> None:
    chain = Chain()
    chain.mine(tx(parcel(1, ALICE, ZERO)))
    node = node_of(chain)
    node.contracts[PARCELS] = lambda address, data, block: (
        text(b"Parcels") if data.startswith(NAME) else RpcError("played", 3, "execution reverted")
    )
    index(node)
    assert taken_for() == {PARCELS: "unclear"}
    UndecodedLog.objects.update(topics='["\\ud800", 7]', data="0xz")
    chain.mine(tx(nft(1, ZERO, ALICE)))
    index(node)
    assert owners() == {(APES, 1): {ALICE: 1}}
