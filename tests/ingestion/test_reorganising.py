"""A chain that changes its mind: nothing of lost blocks stays, and nothing is doubled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from core.net.rpc.errors import RpcError
from indexing.follow.reorganisations import DeepReorganisationError
from indexing.follow.rewind import rewind
from indexing.management.commands import index as command
from indexing.models import Block, Evidence, IndexedChain, UndecodedLog
from tests.builders import ask, contract, load_lines
from tests.conftest import Api
from tests.ingestion.chain import COINS, Chain, FakeNode, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.indexing import ethereum, in_one_go, index, narrow, next_block, owners, tables
from tests.ingestion.short import GIFT, MINT, SALE, EndedError, mint_sale_gift
from tests.waiting import a_document
from tokens.models import Ask, Contract, MetadataDocument, MetadataFetch, Nft
from transfers.models import Transfer

pytestmark = pytest.mark.django_db


@pytest.fixture
def chain() -> Chain:
    return mint_sale_gift()


def test_blocks_that_are_lost_are_taken_back_with_all_that_followed_from_them(chain: Chain, api: Api) -> None:
    index(FakeNode(chain))
    chain.fork(back=2)
    chain.mine(tx(nft(1, ALICE, CAROL)))
    chain.mine()
    index(FakeNode(chain))
    assert owners() == {(APES, 1): {CAROL: 1}}
    assert not Nft.objects.filter(contract__address=COINS).exists()
    assert set(Transfer.objects.values_list("transaction_hash", flat=True)) == {
        MINT.hash,
        chain.blocks[2].transactions[0].hash,
    }
    assert IndexedChain.objects.get().rewinds == 1
    assert tables() == in_one_go(FakeNode(chain))
    shown = api.transfers(contractAddress=APES)["data"]
    assert [item["toAddress"].lower() for item in shown] == [CAROL, ALICE]


def test_contracts_stand_in_the_order_of_the_chain_as_it_is_not_of_lost_blocks() -> None:
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE, contract=APES)))
    chain.mine(tx(units(1, ZERO, ALICE, 5)))
    index(FakeNode(chain))
    chain.fork(back=2)
    chain.mine(tx(units(1, ZERO, ALICE, 5)))
    chain.mine(tx(nft(1, ZERO, ALICE, contract=APES)))
    chain.mine()
    index(FakeNode(chain))
    assert list(Contract.objects.order_by("id").values_list("address", flat=True)) == [COINS, APES], (
        "a dump writes contracts in this order, and ties between their NFTs fall in it"
    )


def test_a_transaction_that_comes_again_in_another_block_is_there_once(chain: Chain) -> None:
    index(FakeNode(chain))
    chain.fork(back=2)
    chain.mine(tx(nft(5, ZERO, CAROL)), GIFT)
    chain.mine(SALE)
    index(FakeNode(chain))
    assert sorted(Transfer.objects.values_list("block_number", "log_index")) == [
        (1, 0),
        (2, 0),
        (2, 1),
        (3, 0),
    ]
    assert owners() == chain.holders()
    assert tables() == in_one_go(FakeNode(chain))


def test_a_node_that_lags_for_a_moment_loses_nothing(chain: Chain) -> None:
    index(FakeNode(chain))
    lost = chain.fork(back=1)
    index(FakeNode(chain), sleep=lambda seconds: chain.blocks.extend(lost[len(chain.blocks) - 3 :]))
    assert IndexedChain.objects.get().rewinds == 0
    assert next_block() == 4


def test_a_node_that_does_not_have_the_block_yet_that_it_told_of_loses_nothing(chain: Chain) -> None:
    """Behind one URL there may be several nodes, each as far as it is."""
    index(FakeNode(chain))
    naps: list[float] = []

    def lag(method: str, params: list[Any], answer: Any) -> Any:
        return None if method == "eth_getBlockByNumber" and params[0] == "0x3" and not naps else answer

    index(FakeNode(chain, alter=lag), sleep=naps.append)
    assert IndexedChain.objects.get().rewinds == 0


def test_a_node_that_refuses_headers_is_not_taken_for_a_changed_chain(chain: Chain) -> None:
    index(FakeNode(chain))
    refusal = RpcError("played", -32601, "the method eth_getBlockByNumber is not available")

    def refuse(method: str, params: list[Any], answer: Any) -> Any:
        return refusal if method == "eth_getBlockByNumber" else answer

    with pytest.raises(RpcError):
        index(FakeNode(chain, alter=refuse))
    assert Transfer.objects.count() == 3


def test_a_change_deeper_than_hashes_are_kept_says_what_to_do(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain.mine_empty(5)
    index(FakeNode(chain), keep_blocks=2)
    assert sorted(Block.objects.values_list("number", flat=True)) == [6, 7, 8]
    chain.fork(back=8)
    chain.mine_empty(9)
    with pytest.raises(
        DeepReorganisationError, match=r"not even block 6 stands.*--chain ethereum --rewind-to 0"
    ):
        index(FakeNode(chain), keep_blocks=2)
    monkeypatch.setattr(command, "Node", lambda urls, **options: FakeNode(chain))
    call_command(
        "index", "--chain", "ethereum", "--rpc-url", "http://node.example", "-v0", "--rewind-to", "0"
    )
    assert owners() == chain.holders() == {}
    assert next_block() == chain.head + 1


def test_a_chain_that_changes_between_reading_and_writing_is_read_again(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow(monkeypatch, 1)
    chain.mine_empty(3)
    changes: list[Any] = []

    def change(method: str, params: list[Any]) -> None:
        if method == "eth_getLogs" and params[0]["fromBlock"] == "0x4" and not changes:
            changes.append(chain.fork(back=4))  # blocks 1 and 2 stand, 3 was read already
            chain.mine(tx(nft(1, BOB, CAROL)))
            chain.mine_empty(4)

    index(FakeNode(chain, interfere=change), keep_blocks=20)
    assert changes
    assert owners() == chain.holders() == {(APES, 1): {CAROL: 1}}


def test_a_contract_that_catches_up_on_another_branch_than_the_others_is_noticed(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the new hashes would hide that what is stored of the other contract is of blocks that are gone."""
    index(FakeNode(chain), contracts=[APES])
    changes: list[Any] = []

    def change(method: str, params: list[Any]) -> None:
        if method == "eth_getLogs" and not changes:
            changes.append(chain.fork(back=2))
            chain.mine(GIFT)
            chain.mine()

    index(FakeNode(chain, interfere=change), contracts=[APES, COINS])
    assert changes
    assert owners() == chain.holders() == {(APES, 1): {ALICE: 1}, (COINS, 7): {ALICE: 9}}


def test_nfts_of_several_contracts_that_were_born_in_one_lost_block_all_go(chain: Chain) -> None:
    chain.mine(tx(nft(9, ZERO, BOB), units(9, ZERO, BOB, 1)))
    index(FakeNode(chain), contracts=[APES])
    index(FakeNode(chain), contracts=[APES, COINS])
    Nft.objects.update(metadata="{}")  # read by a worker meanwhile
    chain.fork(back=1)
    chain.mine()
    index(FakeNode(chain), contracts=[APES, COINS])
    assert not Nft.objects.filter(token_key="019").exists()
    assert Nft.objects.count() == 2


def test_what_a_contract_said_of_itself_survives_a_window_that_was_not_written(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A contract is asked once; the first window that names it may be thrown away."""
    once: list[str] = []

    def contradict(method: str, params: list[Any], answer: Any) -> Any:
        if method == "eth_getTransactionReceipt" and answer["transactionHash"] == MINT.hash and not once:
            once.append(method)
            return None
        return answer

    index(FakeNode(chain, alter=contradict))
    assert once
    assert dict(Contract.objects.values_list("address", "standard")) == {APES: "ERC721", COINS: "ERC1155"}


def test_an_nft_that_another_source_tells_of_stays_when_its_only_transfer_goes(chain: Chain) -> None:
    load_lines([contract(COINS, standard=None), {"record": "nft", "chain": "ethereum", "contractAddress": COINS,
                "tokenId": "7", "metadata": {"name": "Nine"}}])  # fmt: skip
    index(FakeNode(chain))
    chain.fork(back=1)
    chain.mine()
    index(FakeNode(chain))
    assert Nft.objects.get(contract__address=COINS).metadata == '{"name": "Nine"}'
    assert owners() == {(APES, 1): {BOB: 1}}


@pytest.mark.parametrize("is_stated", [True, False])
def test_an_nft_goes_with_what_was_read_of_it_and_stays_with_a_statement(
    chain: Chain, is_stated: bool
) -> None:
    """Metadata and URI follow from a document that a worker read, whether or not somebody has named the NFT."""
    chain.mine_empty(5)
    index(FakeNode(chain), keep_blocks=2)
    one = Nft.objects.get(contract__address=APES)
    Nft.objects.filter(pk=one.pk).update(uri="ipfs://a", metadata="{}", rarity=1.0, rank=1)
    a_document(one)
    MetadataFetch.objects.filter(nft=one).update(state="ready", tried_at=timezone.now())
    if is_stated:
        load_lines([{"record": "nft", "chain": "ethereum", "contractAddress": APES, "tokenId": "1"}])
    rewind(ethereum(), 0)
    assert not Transfer.objects.exists()
    assert Nft.objects.filter(pk=one.pk).exists() is is_stated
    assert MetadataDocument.objects.exists() is is_stated


def test_the_ask_of_who_owns_it_again_is_live_again(chain: Chain) -> None:
    load_lines([contract(APES), ask("1", APES, price="1", maker=ALICE)])
    index(FakeNode(chain))
    assert not Ask.objects.get().active
    chain.fork(back=2)
    chain.mine_empty(2)
    index(FakeNode(chain))
    assert Ask.objects.get().active


def test_logs_that_were_not_understood_go_with_their_blocks(chain: Chain) -> None:
    chain.mine(tx(emitted("ConsecutiveTransfer(uint256,uint256,address,address)", [1, ZERO], "")))
    index(FakeNode(chain))
    assert UndecodedLog.objects.count() == 1
    chain.fork(back=1)
    chain.mine()
    index(FakeNode(chain))
    assert UndecodedLog.objects.count() == 0
    assert Evidence.objects.count() == 3


def test_following_takes_in_what_comes_at_the_head(chain: Chain) -> None:
    steps: list[Callable[[], object]] = [
        lambda: chain.mine(tx(nft(1, BOB, CAROL))),
        lambda: chain.fork(back=1) and chain.mine(),
        lambda: None,
    ]
    seen = []

    def wait(seconds: float) -> None:
        seen.append(owners()[APES, 1])
        if not steps:
            raise EndedError
        steps.pop(0)()

    with pytest.raises(EndedError):
        index(FakeNode(chain), follow=True, sleep=wait)
    assert seen == [{BOB: 1}, {CAROL: 1}, {BOB: 1}, {BOB: 1}]
    assert next_block() == 5


def test_following_ends_at_the_last_block_that_was_asked_for(chain: Chain) -> None:
    index(FakeNode(chain), follow=True, to_block=5, sleep=lambda seconds: chain.mine_empty(1))
    assert next_block() == 6
