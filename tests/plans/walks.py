"""The plans of walks over the NFTs of the world, and what is walked."""

from __future__ import annotations

from functools import partial

from tests.plans.explain import Plan, plan_of
from tests.plans.world import FACES
from tokens.engine.walk import NftWalk
from tokens.query.ordering import ORDERS, Order
from tokens.query.selection import ContractRef, Selection

CONTRACT = ContractRef("evm", FACES)
FACE = Selection().for_contract(CONTRACT)
LISTED = [order for order in ORDERS.values() if order.asks is None]
NOW = 1_700_000_000


def nft_plans(selection: Selection, order: Order) -> list[Plan]:
    """The plans of the first page, and of one that starts behind the thousandth item."""
    walk = NftWalk(selection, order, NOW)
    deep = walk(None, 1_000)
    starts = (None, deep[-1].position if deep else None)
    return [plan_of(partial(walk, start, 31)) for start in starts]
