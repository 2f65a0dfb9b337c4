"""On PostgreSQL: what an address holds is walked by the index made for it, be it two NFTs or a quarter of all."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import pytest

from compat.owners import balances_behind
from tests.plans.explain import plan_of
from tests.plans.walks import FACE, LISTED, NOW, nft_plans
from tests.plans.world import ESCROW, FEW
from tokens.engine import holders
from tokens.engine.walk import NftWalk
from tokens.models import Contract, Owner
from tokens.query.ordering import HIGHEST_ASK, LOWEST_ASK, ORDERS, RECENT, Order
from tokens.query.selection import OwnerRef, PriceBounds, Selection
from transfers.walk import TransferWalk

WIDE = Selection().owned_by(OwnerRef(ESCROW))
SMALL = Selection().owned_by(OwnerRef(FEW))
LIST = {"recent_key": "recent", "token_key": "token", "rarity_key": "rarity"}

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.django_db,
    pytest.mark.xdist_group("plans"),  # one worker makes the world
]


@pytest.mark.parametrize("order", LISTED, ids=lambda order: order.name or "recent")
def test_what_a_wide_holder_has_is_a_list_in_each_order(world: None, order: Order) -> None:
    key = LIST[order.key]
    for selection, scope in (
        (WIDE, "chain"),
        (WIDE.on_chain("ethereum"), "chain"),
        (FACE.owned_by(OwnerRef(ESCROW)), "contract"),
    ):
        for plan in nft_plans(selection, order):
            assert plan.faults(f"nft_market_{scope}_{key}") == []
            assert plan.rows_read < 150


@pytest.mark.parametrize("order", LISTED, ids=lambda order: order.name or "recent")
def test_it_is_merged_with_other_long_lists(world: None, order: Order) -> None:
    held = FACE.owned_by(OwnerRef(ESCROW))
    for plan in nft_plans(held.with_traits(frozenset(["Gender-Male"])), order):
        assert plan.faults() == []
        assert plan.rows_read < 1_000
    for plan in nft_plans(held.without_marked(), order):
        assert plan.faults() == []
        assert plan.rows_read < 4_000  # a tenth is marked, in a cluster


@pytest.mark.parametrize("order", LISTED, ids=lambda order: order.name or "recent")
def test_with_a_price_only_what_it_has_with_asks_is_passed(world: None, order: Order) -> None:
    held = FACE.owned_by(OwnerRef(ESCROW)).priced(PriceBounds("eth", Decimal("0.1"), None))
    for plan in nft_plans(held, order):
        assert plan.faults() == []
        assert plan.rows_read < 3_000


@pytest.mark.parametrize("order", [LOWEST_ASK, HIGHEST_ASK], ids=lambda order: order.name)
def test_by_asks_the_asks_of_what_a_wide_holder_has_are_walked(world: None, order: Order) -> None:
    for plan in nft_plans(FACE.owned_by(OwnerRef(ESCROW)), order):
        assert plan.faults() == []
        assert plan.rows_read < 4_000


@pytest.mark.parametrize("order", ORDERS.values(), ids=lambda order: order.name or "recent")
def test_what_a_small_holder_has_is_read_whole_by_its_index(world: None, order: Order) -> None:
    """With all that it takes to resolve the query."""
    for selection in (SMALL, FACE.owned_by(OwnerRef(FEW)), SMALL.on_chain("ethereum")):
        plan = plan_of(lambda selection=selection: NftWalk(selection, order, NOW)(None, 31))  # type: ignore[misc]
        assert plan.faults("owner_by_address|owner_by_contract") == []
        assert plan.rows_read < 700


@pytest.mark.parametrize("order", ORDERS.values(), ids=lambda order: order.name or "recent")
def test_transfers_of_what_an_address_holds_are_walks_too(world: None, order: Order) -> None:
    for address in (ESCROW, FEW):
        walk = TransferWalk(FACE.owned_by(OwnerRef(address)), order, NOW)
        plan = plan_of(partial(walk, None, 31))
        assert plan.faults() == []
        assert plan.rows_read < 4_000
        deep = walk(None, 100)[-1].position if address == ESCROW else None
        if deep is not None and order is RECENT:
            assert plan_of(partial(walk, deep, 31)).rows_read < 1_000


def test_the_reads_of_the_index_are_keyset_walks(world: None) -> None:
    faces = Contract.objects.get(address=FACE.contract.address).pk  # type: ignore[union-attr]
    middle = Owner.objects.filter(address=ESCROW).order_by("updated_at")[20_000]
    lately = plan_of(lambda: holders.held_lately(ESCROW, (middle.updated_at or 0, middle.nft_id), 31))
    assert lately.faults("owner_by_address", "owner_unique") == []
    assert lately.rows_read < 200
    owners = plan_of(lambda: holders.owners_of(faces, f"0x{2_000:040d}", 31))
    assert owners.faults("owner_by_contract") == []
    assert owners.rows_read < 400
    balances = plan_of(lambda: balances_behind(faces, (ESCROW, middle.nft_id), 31))
    assert balances.faults("owner_by_contract") == []
    assert balances.rows_read < 200
    contracts = plan_of(lambda: holders.contracts_held(ESCROW, 5, 20))
    assert contracts.faults() == []
    assert contracts.rows_read < 1_000
