"""Where indexing begins, and that what is begun twice is not counted twice."""

from collections.abc import Sequence
from typing import Any

import pytest

from core.net.rpc.abi import BALANCE_OF
from core.net.rpc.errors import RpcError
from indexing.node.source import Source
from indexing.write.checkpoints import EVERY
from tests.conftest import Api
from tests.evm.chain import Chain, Deployed
from tests.evm.indexing import Indexing, check_history, held
from tokens.models import NftRecent
from transfers.models import Opening

pytestmark = [pytest.mark.evm, pytest.mark.sqlite, pytest.mark.django_db]

MINT = "mint(address,uint256,uint256)"
MOVE = "safeTransferFrom(address,address,uint256,uint256,bytes)"


@pytest.fixture
def many(chain: Chain) -> Deployed:
    """Ten units of token 1, account 0's in block 2; four go to account 1 in block 3."""
    deployed = chain.deploy("Erc1155")
    deployed.send(MINT, chain.accounts[0], 1, 10)
    deployed.send(MOVE, chain.accounts[0], chain.accounts[1], 1, 4, b"")
    return deployed


@pytest.mark.parametrize("everything_first", [True, False])
def test_transfers_from_before_balances_that_were_asked_for_count_once(
    chain: Chain, source: Source, many: Deployed, everything_first: bool
) -> None:
    """The ten units are known by the node's word, and then by the mint."""
    both = [EVERY, many.address] if everything_first else [many.address, EVERY]
    right = {(many.address, 1, chain.accounts[0]): 6, (many.address, 1, chain.accounts[1]): 4}
    late = Indexing(source, both[:1], first_block=3)
    late.run()
    assert held() == right
    assert sorted(one or 0 for one in Opening.objects.values_list("amount", flat=True)) == [0, 10]
    Indexing(source, both[1:], first_block=1).run()
    assert held() == right
    assert not Opening.objects.exists()
    late.run()
    assert held() == right


def test_a_contract_may_be_begun_within_what_is_indexed(chain: Chain, source: Source, many: Deployed) -> None:
    Indexing(source, first_block=3).run()
    Indexing(source, [many.address], first_block=3).run()
    assert held() == {(many.address, 1, chain.accounts[0]): 6, (many.address, 1, chain.accounts[1]): 4}


def test_who_owns_is_unknown_where_the_node_cannot_tell_what_was_before(
    chain: Chain, source: Source, many: Deployed, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Account 0 gives four units that no indexed transfer gave it: it has none or more, and never less than none."""
    ask = source.node.batch

    def pruned(calls: Sequence[tuple[str, list[Any]]]) -> list[Any]:
        gone = RpcError("node", -32000, "missing trie node")
        return [
            gone if name == "eth_call" and given[0]["data"].startswith(BALANCE_OF) else answer
            for (name, given), answer in zip(calls, ask(calls), strict=True)
        ]

    monkeypatch.setattr(source.node, "batch", pruned)
    Indexing(source, first_block=3).run()
    assert NftRecent.objects.get().owners_total is None
    assert held() == {(many.address, 1, chain.accounts[1]): 4}
    record = api.nfts(contractAddress=many.address)["data"][0]
    assert "owners" not in record


def test_the_history_of_a_contract_may_come_after_its_newest_transfers(chain: Chain, source: Source) -> None:
    alice, bob, carol = chain.accounts[:3]
    ones = chain.deploy("Erc721", "Ones", "ONE")
    ones.send("mint(address,uint256)", alice, 1)
    ones.send("mint(address,uint256)", alice, 2)
    ones.send("transferFrom(address,address,uint256)", alice, bob, 1)
    ones.send("transferFrom(address,address,uint256)", bob, carol, 1, sender=1)
    Indexing(source, first_block=5).run()
    assert held() == {(ones.address, 1, carol): 1}
    Indexing(source, [ones.address], first_block=1).run()
    assert held() == {(ones.address, 1, carol): 1, (ones.address, 2, alice): 1}
    check_history(chain, 0, chain.head, {})
