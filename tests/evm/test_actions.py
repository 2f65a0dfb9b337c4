"""The random actions do on the chain what their own account of them says, so that the account can be trusted."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.evm.actions import Action, Block, Move721, Move1155, Undo, World, actions, balances, perform
from tests.evm.chain import Chain, topic

pytestmark = [pytest.mark.evm, pytest.mark.sqlite]  # no database has a part in it: one run is enough

SINGLE, BATCH = (
    topic(f"Transfer{name}")
    for name in (
        "Single(address,address,address,uint256,uint256)",
        "Batch(address,address,address,uint256[],uint256[])",
    )
)


@pytest.fixture
def world(chain: Chain) -> World:
    return World.on(chain)


def test_what_is_impossible_is_left_out(world: World) -> None:
    perform(
        world,
        [
            Block((Move721("transfer", 1, 2), Move1155("burn", 0, 0, ((1, 1),)))),
            Block((Move721("mint", 1, 0), Move721("mint", 1, 1))),
        ],
    )
    assert balances(world, world.first + 1) == {}
    assert balances(world, world.first + 2) == {(world.erc721.address, 1, world.holders[0]): 1}


def test_a_life_in_one_block_leaves_its_end(world: World) -> None:
    life = (
        Move721("mint", 3, 0),
        Move721("transfer", 3, 0),
        Move721("burn", 3, 0),
        Move721("mint", 3, 1),
        Move721("transfer", 3, 2),
    )
    for number, one_transaction in enumerate((False, True), start=1):
        perform(world, [Block(life, one_transaction)])
        block = world.first + 2 * number - 1
        assert balances(world, block) == {(world.erc721.address, 3, world.holders[2]): 1}
        logs = world.chain.logs(first=block, last=block)
        assert [log["topics"][3] for log in logs] == [f"0x{3:064x}"] * 5
        assert len({log["transactionHash"] for log in logs}) == (1 if one_transaction else 5)
        perform(world, [Block((Move721("burn", 3, 0),))])


def test_repeated_ids_and_zero_amounts_share_a_batch(world: World) -> None:
    minted = Move1155("mint", 0, 0, ((1, 2), (1, 3), (2, 0)))
    moved = Move1155("transfer", 0, 1, ((1, 1), (1, 1), (4, 0)))
    perform(world, [Block((minted, moved, Move1155("transfer", 1, 1, ((1, 2),))))])
    logs = world.chain.logs(first=world.chain.head)
    assert [log["topics"][0] for log in logs] == [BATCH, BATCH, SINGLE]
    many, holders = world.erc1155.address, world.holders
    assert balances(world, world.chain.head) == {(many, 1, holders[0]): 3, (many, 1, holders[1]): 2}


def test_undone_blocks_leave_the_balances_of_before(world: World) -> None:
    perform(world, [Block((Move721("mint", number, 0),)) for number in range(4)])
    perform(world, [Undo(depth=2, refill=True)])
    assert world.chain.head == world.first + 4
    assert {token for _, token, _ in balances(world, world.chain.head)} == {0, 1}
    perform(world, [Undo(depth=3, refill=False), Block((Move721("mint", 4, 0),))])
    assert world.chain.head == world.first + 2
    assert {token for _, token, _ in balances(world, world.chain.head)} == {0, 4}


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    phases=set(Phase) - {Phase.explain},
)
@given(data=st.data())
def test_the_chain_agrees_with_the_account_at_every_block(chain: Chain, data: st.DataObject) -> None:
    chain.reset()
    world = World.on(chain)
    done: list[Action] = data.draw(actions())
    perform(world, done)
    assert chain.head == world.first + len(world.states) - 1
    for block in range(world.first, chain.head + 1):
        assert balances(world, block) == world.expected(block), block
    headers = [chain.rpc("eth_getBlockByNumber", hex(number), False) for number in range(chain.head + 1)]
    assert all(later["parentHash"] == earlier["hash"] for earlier, later in pairwise(headers))
