"""Whatever happens on a chain, and whenever it is indexed, the database says what the contracts say."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.deriving.tables import rolled_back
from tests.evm.actions import Action, Block, Holding, World, actions, balances, perform
from tests.evm.chain import Chain
from tests.evm.indexing import Indexing, check_history, held, moved, source_of

pytestmark = [pytest.mark.evm, pytest.mark.sqlite, pytest.mark.django_db]

many_times: Callable[[Any], Any] = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    phases=set(Phase) - {Phase.explain},
)
STEPS = st.one_of(st.none(), st.integers(0, 4), st.just(100))
"""After an action: no indexing, up to so many blocks of it, or all of it."""


def check(world: World, first: int, last: int, before: dict[Holding, int]) -> None:
    """The database has every holder that has moved an NFT since `first` with its amount at `last`, and nobody else."""
    touched = {
        (*one[3:5], who) for one in moved(world.chain, first, last) for who in (one.sender, one.receiver)
    }
    whole = {(contract, token) for contract, token, _ in touched if contract == world.erc721.address}
    wanted = {
        holding: amount
        for holding, amount in balances(world, last).items()
        if holding in touched or holding[:2] in whole
    }
    assert held() == wanted
    check_history(world.chain, first, last, before)


def live(
    world: World, indexing: Indexing, first: int, before: dict[Holding, int], data: st.DataObject
) -> None:
    """Let random things happen, index between them, and check after each time."""
    done: list[Action] = data.draw(actions())
    for action in done:
        perform(world, [action])
        step = data.draw(STEPS)
        if step is not None and world.chain.head >= first:
            is_shorter = world.chain.head < indexing.reached
            target = max(min(indexing.reached + step, world.chain.head), first, world.first)
            last = indexing.run(target, restart=data.draw(st.booleans()))
            # Else nothing contradicts yet what is indexed: it waits for the blocks to come.
            if not is_shorter:
                check(world, first, last, before)
    perform(world, [Block(())] * max(indexing.reached + 1 - world.chain.head, 0))
    assert indexing.run() == world.chain.head
    check(world, first, world.chain.head, before)


@many_times
@given(data=st.data())
def test_owners_are_those_of_the_chain_at_every_block(chain: Chain, data: st.DataObject) -> None:
    chain.reset()
    world = World.on(chain)
    with rolled_back(), source_of(chain) as source:
        live(world, Indexing(source), 0, {}, data)


@many_times
@given(data=st.data())
def test_indexing_from_mid_history_has_whole_balances_of_all_that_move(
    chain: Chain, data: st.DataObject
) -> None:
    chain.reset()
    world = World.on(chain)
    perform(world, data.draw(actions()))
    first = chain.mine() + 1
    world = World(
        chain, world.erc721, world.erc1155, world.multicaller, world.holders, first - 1, world.states[-1:]
    )
    # Of an ERC-721 nobody asks who had it: its first transfer tells all that is to be known, but since when.
    many = world.erc1155.address
    before = {holding: amount for holding, amount in balances(world, first - 1).items() if holding[0] == many}
    with rolled_back(), source_of(chain) as source:
        live(world, Indexing(source, first_block=first), first, before, data)
