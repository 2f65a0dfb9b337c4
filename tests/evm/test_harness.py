"""The chain that tests drive: blocks when told, always the same, and undone in every way in which a chain is undone."""

from pathlib import Path

import pytest

from tests.evm.chain import BLOCK_SECONDS, Chain, Deployed, RpcError, keccak256, namehash, topic, word
from tests.evm.toolchain import GENESIS_TIME, Toolchain, running

pytestmark = [pytest.mark.evm, pytest.mark.sqlite]  # no database has a part in it: one run is enough

PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
MINT = "mint(address,uint256)"
OWNER_OF = "ownerOf(uint256)"


@pytest.fixture
def ones(chain: Chain) -> Deployed:
    return chain.deploy("Erc721", "Ones", "ONE")


def test_hashes_are_those_of_ethereum() -> None:
    """ERC-721's Transfer topic as every node gives it, and the nodes of EIP-137's own examples."""
    assert topic("Transfer(address,address,uint256)") == (
        "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
    )
    assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
    assert namehash("") == bytes(32)
    assert namehash("eth").hex() == "93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae"
    assert namehash("foo.eth").hex() == "de9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f"


def lived(chain: Chain) -> list[str]:
    """Do something of everything; the first blocks' hashes."""
    chain.place("Punks", PUNKS)
    chain.deploy("Erc1155")
    hashes = [chain.block_hash(number) for number in range(3)]
    chain.mine(600)
    chain.reorg(5)
    chain.snapshot()
    chain.submit({"to": chain.accounts[1]})
    return hashes


def test_a_chain_is_the_same_every_time(chain: Chain, toolchain: Toolchain, tmp_path: Path) -> None:
    seen = lived(chain)
    chain.reset()
    assert (chain.head, chain.rpc("eth_getCode", PUNKS, "latest"), chain.logs()) == (0, "0x", [])
    assert chain.rpc("txpool_status") == {"pending": "0x0", "queued": "0x0"}
    assert lived(chain) == seen
    with running(toolchain.anvil, tmp_path) as url:
        other = Chain(url, toolchain.contracts)
        assert (other.accounts, lived(other)) == (chain.accounts, seen)
        other.close()


def test_blocks_are_mined_when_told_and_twelve_seconds_apart(chain: Chain) -> None:
    assert chain.mine(3) == 3
    blocks = [chain.rpc("eth_getBlockByNumber", hex(number), False) for number in range(4)]
    assert [int(block["timestamp"], 16) - GENESIS_TIME for block in blocks] == [
        number * BLOCK_SECONDS for number in range(4)
    ]


def test_several_transactions_share_a_block_in_the_order_of_their_sending(
    chain: Chain, ones: Deployed
) -> None:
    sent = [ones.submit(MINT, chain.accounts[0], token, sender=token % 3) for token in range(5)]
    assert chain.mine() == 2
    logs = chain.logs(ones.address)
    assert [log["transactionHash"] for log in logs] == sent
    assert [int(log["logIndex"], 16) for log in logs] == [0, 1, 2, 3, 4]
    assert {log["blockNumber"] for log in logs} == {"0x2"}


def test_a_transaction_that_reverts_says_why(chain: Chain, ones: Deployed) -> None:
    ones.send(MINT, chain.accounts[0], 7)
    with pytest.raises(RpcError, match="minted before"):
        ones.send(MINT, chain.accounts[1], 7)
    assert chain.logs(first=chain.head) == []


def test_state_can_be_read_at_every_block(chain: Chain, ones: Deployed) -> None:
    alice, bob = chain.accounts[:2]
    ones.send(MINT, alice, 7)
    ones.send("transferFrom(address,address,uint256)", alice, bob, 7)
    with pytest.raises(RpcError, match="no such token"):
        ones.call(OWNER_OF, 7, block=1)
    assert [ones.call(OWNER_OF, 7, block=block) for block in (2, 3)] == [alice, bob]


def test_state_of_long_ago_can_be_read(chain: Chain, ones: Deployed) -> None:
    """Anvil keeps the states of 500 blocks in memory, and those before on disk."""
    ones.send(MINT, chain.accounts[0], 7)
    ones.send("burn(uint256)", 7)
    chain.mine(600)
    assert ones.call(OWNER_OF, 7, block=2) == chain.accounts[0]


def test_after_a_revert_the_same_transaction_is_in_another_block(chain: Chain, ones: Deployed) -> None:
    before = chain.snapshot()
    hashes = set()
    for _ in range(2):
        ones.send(MINT, chain.accounts[0], 7)
        chain.mine()
        hashes |= {chain.block_hash(2), chain.block_hash(3)}
        chain.revert(before)
        assert (chain.head, chain.logs()) == (1, [])
        before = chain.snapshot()
    assert len(hashes) == 4


@pytest.mark.parametrize("depth", [1, 3])
def test_a_reorganisation_replaces_the_newest_blocks(chain: Chain, ones: Deployed, depth: int) -> None:
    """Empty blocks among them: equal contents must not mean an equal hash."""
    ones.send(MINT, chain.accounts[0], 7)
    ones.send(MINT, chain.accounts[0], 8)
    chain.mine(2)
    before = [chain.block_hash(number) for number in range(chain.head + 1)]
    chain.reorg(depth)
    after = [chain.block_hash(number) for number in range(chain.head + 1)]
    assert len(after) == len(before) == 6
    assert [old == new for old, new in zip(before, after, strict=True)] == [
        number < 6 - depth for number in range(6)
    ]
    kept = [7, 8] if depth == 1 else [7]
    assert [log["topics"][3] for log in chain.logs(ones.address)] == [word(token) for token in kept]


def test_a_reorganisation_can_tell_another_story(chain: Chain, ones: Deployed) -> None:
    alice, bob = chain.accounts[:2]
    ones.send(MINT, alice, 7)
    chain.mine(2)
    chain.reorg(3, [(ones.transaction(MINT, bob, 7, sender=1), 1), (ones.transaction(MINT, bob, 8), 1)])
    assert chain.head == 4
    assert [log["blockNumber"] for log in chain.logs(ones.address)] == ["0x3", "0x3"]
    assert [ones.call(OWNER_OF, token) for token in (7, 8)] == [bob, bob]


def test_a_rollback_lowers_the_head_until_others_follow(chain: Chain, ones: Deployed) -> None:
    ones.send(MINT, chain.accounts[0], 7)
    chain.mine(2)
    before = [chain.block_hash(number) for number in range(chain.head + 1)]
    chain.rollback(3)
    assert (chain.head, chain.logs(ones.address)) == (1, [])
    ones.send(MINT, chain.accounts[0], 7)
    assert chain.block_hash(1) == before[1]
    assert chain.block_hash(2) not in before


def test_logs_of_undone_blocks_are_gone_by_their_hash_too(chain: Chain, ones: Deployed) -> None:
    ones.send(MINT, chain.accounts[0], 7)
    undone = chain.block_hash(2)
    chain.reorg(1)
    with pytest.raises(RpcError):
        chain.rpc("eth_getLogs", {"blockHash": undone})


def test_code_can_stand_at_an_address_that_rules_know(chain: Chain) -> None:
    punks = chain.place("Punks", PUNKS)
    punks.send("setInitialOwner(address,uint256)", chain.accounts[3], 99)
    assert {log["address"] for log in chain.logs()} == {punks.address}
    assert punks.call("punkIndexToAddress(uint256)", 99) == chain.accounts[3]


def test_the_node_is_gone_with_its_test(toolchain: Toolchain, tmp_path: Path) -> None:
    with running(toolchain.anvil, tmp_path) as url:
        chain = Chain(url, toolchain.contracts)
        chain.close()
    with pytest.raises(ConnectionRefusedError):
        Chain(url, toolchain.contracts)
