"""On PostgreSQL: over a chain, and over everything, each filter in each order is still walks of indexes, bounded."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import pytest

from core.db.keys import token_key
from tests.plans.explain import plan_of
from tokens.engine import bounds, conditions, postings
from tokens.engine import scope_lists as lists
from tokens.engine.conditions import MANY
from tokens.engine.scope_lists import SMALL
from tokens.engine.walk import NftWalk
from tokens.query.ordering import ORDERS, Order
from tokens.query.selection import PriceBounds, Selection

NOW = 1_700_000_000

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.django_db,
    pytest.mark.xdist_group("plans"),  # one worker makes the world
]

SCOPES = {"on a chain": Selection().on_chain("ethereum"), "anywhere": Selection()}
MALE, HUMAN, RARE = (
    frozenset([label]) for label in ("Gender-Male", "Type-Human", "Accessory-Green Eye Shadow")
)
IDS = frozenset(token_key(str(number)) for number in range(30))
WIDE, NARROW = PriceBounds("eth", Decimal("0.1"), None), PriceBounds("eth", Decimal("0.1"), Decimal("0.11"))


def filtered(base: Selection) -> dict[str, Selection]:
    """Each filter, and those that fail often beside others."""
    blur = frozenset(["blur"])
    return {
        "token ids": base.with_token_ids(IDS),
        "excluded ids": base.without_token_ids(IDS),
        "unmarked": base.without_marked(),
        "a marketplace": base.trading_on(blur),
        "a wide price": base.priced(WIDE),
        "a narrow price": base.priced(NARROW),
        "a trait": base.with_traits(MALE),
        "an excluded trait": base.without_traits(MALE),
        "two traits": base.with_traits(MALE | HUMAN),
        "traits that nothing has": base.with_traits(MALE | RARE),
        "a trait, another excluded": base.with_traits(MALE).without_traits(HUMAN),
        "a trait, unmarked": base.with_traits(MALE).without_marked(),
        "a trait, a price": base.with_traits(MALE).priced(WIDE),
        "a trait, a marketplace": base.with_traits(MALE).trading_on(blur),
        "token ids, a trait": base.with_token_ids(IDS).with_traits(MALE),
        "token ids, a price": base.with_token_ids(IDS).priced(WIDE),
        "a marketplace, unmarked": base.trading_on(blur).without_marked(),
    }


@pytest.mark.parametrize("many", [MANY, 0], ids=["few lists", "very many lists"])
@pytest.mark.parametrize("order", ORDERS.values(), ids=lambda order: order.name or "recent")
@pytest.mark.parametrize("scope", SCOPES)
def test_no_filter_beyond_a_contract_reads_a_table_or_more_than_its_bound(
    world: None, scope: str, order: Order, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound is what tells whether a query is refused: a walk that could read more would make it worth nothing.

    What is passed costs, beside its entry, a look at its asks or at its traits, of which a face has five.
    """
    for module in (conditions, lists, postings):
        monkeypatch.setattr(module, "MANY", many)
    found = {}
    for name, selection in filtered(SCOPES[scope]).items():
        walk = NftWalk(selection, order, NOW)
        first = walk(None, 31)
        starts = (None, first[-1].position) if len(first) == 31 else (None,)
        plans = [plan_of(partial(walk, start, 31)) for start in starts]
        most = 10 * bounds_of(walk) + SMALL + 1_500
        faults = [fault for plan in plans for fault in plan.faults()]
        faults += [
            f"{plan.rows_read} rows are read, {most} expected" for plan in plans if plan.rows_read > most
        ]
        if faults:
            found[name] = faults
    assert found == {}


def bounds_of(walk: NftWalk) -> int:
    """How many NFTs a page passes at most, as is known before."""
    assert walk.resolved is not None
    return bounds.check(walk.resolved, walk.order)
