"""A chain that changes its mind, before, beneath and amid what is read, leaves nothing of what it took back."""

from typing import Any

import pytest

from indexing.follow.reorganisations import DeepReorganisationError
from indexing.follow.rewind import rewind
from indexing.models import IndexedContract, UndecodedLog
from indexing.node.source import Source
from tests.evm.chain import Chain, Deployed
from tests.evm.indexing import Indexing, check_history, held
from tokens.models import Contract, Nft

pytestmark = [pytest.mark.evm, pytest.mark.sqlite, pytest.mark.django_db]

MINT = "mint(address,uint256)"


@pytest.fixture
def ones(chain: Chain) -> Deployed:
    """Token 1 is account 0's since block 2."""
    deployed = chain.deploy("Erc721", "Ones", "ONE")
    deployed.send(MINT, chain.accounts[0], 1)
    return deployed


def test_what_came_while_the_logs_of_a_replaced_block_were_read_is_not_missed(
    chain: Chain, source: Source, ones: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The block was empty when its logs were asked for: nothing in the answer tells that it is another one now."""
    indexing = Indexing(source)
    indexing.run()
    chain.mine()
    ask = source.node.logs
    mint = ones.transaction(MINT, chain.accounts[1], 2)

    def replaced(first: int, last: int, **options: Any) -> Any:
        answer = ask(first, last, **options)
        if chain.branch == 0:
            chain.reorg(1, [(mint, 0)])
        return answer

    monkeypatch.setattr(source.node, "logs", replaced)
    indexing.run()
    assert held() == {(ones.address, 1, chain.accounts[0]): 1, (ones.address, 2, chain.accounts[1]): 1}


def test_a_contract_is_described_though_the_window_that_met_it_was_thrown_away(
    chain: Chain, source: Source, ones: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = source.node.logs

    def replaced(first: int, last: int, **options: Any) -> Any:
        answer = ask(first, last, **options)
        if chain.branch == 0:
            chain.reorg(1, [(ones.transaction(MINT, chain.accounts[1], 2), 0)])
        return answer

    monkeypatch.setattr(source.node, "logs", replaced)
    Indexing(source).run()
    contract = Contract.objects.get(address=ones.address)
    assert (contract.standard, contract.name, contract.symbol) == ("ERC721", "Ones", "ONE")
    assert held() == {(ones.address, 2, chain.accounts[1]): 1}


def test_a_chain_that_got_shorter_is_followed_once_its_blocks_contradict(
    chain: Chain, source: Source, ones: Deployed
) -> None:
    """Until then it looks like a node that is behind."""
    alice, bob = chain.accounts[:2]
    ones.send("transferFrom(address,address,uint256)", alice, bob, 1)
    ones.send(MINT, bob, 2)
    indexing = Indexing(source)
    assert indexing.run() == 4
    chain.rollback(2)
    assert indexing.run() == 4
    chain.mine(3)
    assert indexing.run() == 5
    assert held() == {(ones.address, 1, alice): 1}
    assert not Nft.objects.filter(token_key="012").exists(), "nobody has minted token 2"
    check_history(chain, 0, 5, {})


def test_a_reverted_snapshot_leaves_nothing_of_what_came_after_it(
    chain: Chain, source: Source, ones: Deployed
) -> None:
    alice, bob = chain.accounts[:2]
    indexing = Indexing(source)
    snapshot = chain.snapshot()
    ones.send("burn(uint256)", 1)
    ones.send(MINT, bob, 2)
    indexing.run()
    assert held() == {(ones.address, 2, bob): 1}
    chain.revert(snapshot)
    ones.send(MINT, bob, 3)
    assert indexing.run() == 3
    assert held() == {(ones.address, 1, alice): 1, (ones.address, 3, bob): 1}
    check_history(chain, 0, 3, {})


def test_undecoded_logs_go_with_their_block(chain: Chain, source: Source) -> None:
    chain.deploy("WrongBatch").send("empty(address)", chain.accounts[0])
    indexing = Indexing(source)
    indexing.run()
    assert UndecodedLog.objects.count() == 1
    chain.reorg(1)
    indexing.run()
    assert UndecodedLog.objects.count() == 0


def test_what_a_block_brought_into_being_is_known_after_it_was_read_again_for_another_contract(
    chain: Chain, source: Source, ones: Deployed
) -> None:
    """An NFT with metadata is not taken for one that another source knows."""
    alice = chain.accounts[0]
    others = chain.deploy("Erc721", "Others", "OTHER")
    ones.submit(MINT, alice, 2)
    others.submit(MINT, alice, 3)
    chain.mine()
    Indexing(source, [ones.address]).run()
    Nft.objects.update(metadata='{"name": "fetched meanwhile"}')
    both = Indexing(source, [ones.address, others.address])
    both.run()
    assert len(held()) == 3
    chain.reorg(1)
    both.run()
    assert held() == {(ones.address, 1, alice): 1}
    assert [int(nft.token_id) for nft in Nft.objects.all()] == [1]


def test_a_reorganisation_beneath_all_that_is_indexed_begins_anew(
    chain: Chain, source: Source, ones: Deployed
) -> None:
    alice, bob = chain.accounts[:2]
    first = chain.mine()
    ones.send("transferFrom(address,address,uint256)", alice, bob, 1)
    indexing = Indexing(source, first_block=first)
    indexing.run()
    assert held() == {(ones.address, 1, bob): 1}
    chain.reorg(3, [(ones.transaction(MINT, bob, 2), 1)])
    indexing.run()
    assert held() == {(ones.address, 2, bob): 1}, (
        "token 1 is not there any more, and was before the first block"
    )


def test_a_chain_that_begins_anew_is_indexed_anew(chain: Chain, source: Source, ones: Deployed) -> None:
    """A development chain after a restart: not even block 0 is the same."""
    indexing = Indexing(source)
    indexing.run()
    chain.reset()
    chain.rpc("anvil_setCoinbase", chain.accounts[5])
    chain.rpc("anvil_reset")
    chain.mine(5)
    assert indexing.run() == 5
    assert held() == {}
    assert not Nft.objects.exists()


def test_a_reorganisation_deeper_than_hashes_are_kept_is_an_error_whose_advice_helps(
    chain: Chain, source: Source, ones: Deployed
) -> None:
    indexing = Indexing(source, keep_blocks=2)
    indexing.run()
    for token in range(2, 8):
        ones.send(MINT, chain.accounts[0], token)
        indexing.run()
    chain.reorg(5, [(ones.transaction(MINT, chain.accounts[1], 9), 0)])
    with pytest.raises(DeepReorganisationError, match=r"not even block 6 stands.*--rewind-to 0$"):
        indexing.run()
    assert len(held()) == 7, "nothing is taken back by half"
    rewind(indexing.chain, 0)
    indexing.run()
    assert held() == {(ones.address, token, chain.accounts[0]): 1 for token in (1, 2)} | {
        (ones.address, 9, chain.accounts[1]): 1
    }


def test_who_rewinds_to_before_the_beginning_begins_where_it_was(
    chain: Chain, source: Source, ones: Deployed
) -> None:
    first = chain.mine()
    indexing = Indexing(source, first_block=first)
    indexing.run()
    rewind(indexing.chain, 0)
    assert list(IndexedContract.objects.values_list("next_block", flat=True)) == [first]


def test_a_balance_of_before_outlives_the_loss_of_later_blocks(chain: Chain, source: Source) -> None:
    """The node was asked at the end of the window, which is lost; the transfer that names the holder is not."""
    alice, bob = chain.accounts[:2]
    many = chain.deploy("Erc1155")
    many.send("mint(address,uint256,uint256)", alice, 1, 10)
    first = chain.head + 1
    many.send("safeTransferFrom(address,address,uint256,uint256,bytes)", alice, bob, 1, 4, b"")
    many.send("safeTransferFrom(address,address,uint256,uint256,bytes)", alice, bob, 1, 5, b"")
    indexing = Indexing(source, first_block=first)
    indexing.run()
    assert held() == {(many.address, 1, alice): 1, (many.address, 1, bob): 9}
    chain.reorg(1)
    indexing.run()
    assert held() == {(many.address, 1, alice): 6, (many.address, 1, bob): 4}


def test_a_chain_that_gets_shorter_while_it_is_read_is_read_again(
    chain: Chain, source: Source, ones: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node then says "block height is 3 but requested was 4", which ended an indexer once."""
    alice = chain.accounts[0]
    for token in (2, 3):
        ones.send(MINT, alice, token)
    indexing = Indexing(source)
    indexing.run()
    chain.reorg(1)
    ask = source.node.block_number

    def shortened() -> int:
        head = ask()
        if head == 4:
            chain.rollback(1)
        return head

    monkeypatch.setattr(source.node, "block_number", shortened)
    assert indexing.run() == 4
    chain.mine(2)
    assert indexing.run() == 5
    assert held() == {(ones.address, token, alice): 1 for token in (1, 2)}


def test_another_contract_at_the_same_address_is_described_anew(chain: Chain, source: Source) -> None:
    """An address follows from who deploys and how often that account has sent, whatever the code."""
    alice, bob = chain.accounts[:2]
    before = chain.mine()
    ones = chain.deploy("Erc721", "Ones", "ONE")
    ones.send(MINT, alice, 1)
    indexing = Indexing(source)
    indexing.run()
    chain.rollback(chain.head - before)
    many = chain.deploy("Erc1155")
    assert many.address == ones.address
    many.send("mintBatch(address,uint256[],uint256[])", alice, [1], [10])
    many.send("safeTransferFrom(address,address,uint256,uint256,bytes)", alice, bob, 1, 4, b"")
    indexing.run(restart=False)
    assert held() == {(many.address, 1, alice): 6, (many.address, 1, bob): 4}
    contract = Contract.objects.get(address=many.address)
    assert (contract.standard, contract.name, contract.symbol) == ("ERC1155", "Many", "MANY")
