"""On PostgreSQL, over a made-up world: each order with each filter is one walk of the index made for it."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import partial

import pytest
from django.db.models import Max, Min

from core.db.keys import token_key
from core.db.keyset import after
from tests.plans.explain import nodes, plan_of
from tests.plans.walks import CONTRACT, FACE, LISTED, NOW, nft_plans
from tokens.engine import postings
from tokens.engine.scope_lists import SMALL
from tokens.engine.walk import NftWalk
from tokens.models import Ask, Nft, NftTrait, TraitValue
from tokens.models.trait import label_key
from tokens.query.ordering import (
    HIGHEST_ASK,
    LOWEST_ASK,
    ORDERS,
    RARITY,
    RECENT,
    TOKEN_ID,
    TOKEN_ID_DESCENDING,
    Order,
)
from tokens.query.selection import PriceBounds, Selection
from transfers.walk import TransferWalk

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.django_db,
    pytest.mark.xdist_group("plans"),  # one worker makes the world
]
FILTERS: dict[str, Selection] = {
    "nothing": Selection(),
    "chain": Selection().on_chain("ethereum"),
    "contract": FACE,
    "marked": FACE.without_marked(),
    "trait": FACE.with_traits(frozenset(["Gender-Male"])),
    "market": FACE.trading_on(frozenset(["blur"])),
    "token ids": FACE.with_token_ids(frozenset(token_key(str(number)) for number in range(30))),
    "excluded ids": FACE.without_token_ids(frozenset(token_key(str(number)) for number in range(30))),
    "price": FACE.priced(PriceBounds("eth", Decimal("0.1"), Decimal("0.2"))),
    "wide price": FACE.priced(PriceBounds("eth", Decimal("0.1"), None)),
}
INTENDED: dict[tuple[str, str], list[str]] = {
    ("nothing", RECENT.name): ["recent_chain"],
    ("chain", RECENT.name): ["recent_chain"],
    ("contract", RECENT.name): ["recent_contract"],
    ("marked", RECENT.name): ["recent_contract_unmarked"],
    ("trait", RECENT.name): ["nft_trait_recent"],
    ("market", RECENT.name): ["nft_market_contract_recent"],
    ("token ids", RECENT.name): ["nft_unique|nft_contract_token_moved|nft_contract_token_unmarked"],
    ("excluded ids", RECENT.name): ["recent_contract"],
    ("price", RECENT.name): ["ask_contract_currency"],
    ("wide price", RECENT.name): ["nft_market_contract_recent"],
}
for _order in (TOKEN_ID, TOKEN_ID_DESCENDING, RARITY):
    _key = "rarity" if _order is RARITY else "token"
    _contract = ["nft_contract_rarity"] if _order is RARITY else ["nft_unique"]
    INTENDED |= {
        ("nothing", _order.name): [f"nft_chain_{_key}"],
        ("chain", _order.name): [f"nft_chain_{_key}"],
        ("contract", _order.name): _contract,
        ("marked", _order.name): [f"nft_contract_{_key}_unmarked"],
        ("trait", _order.name): [f"nft_trait_{_key}"],
        ("market", _order.name): [f"nft_market_contract_{_key}"],
        ("token ids", _order.name): ["nft_unique|nft_contract_token_moved|nft_contract_token_unmarked"],
        ("excluded ids", _order.name): _contract,
        ("price", _order.name): ["ask_contract_currency"],
        ("wide price", _order.name): [f"nft_market_contract_{_key}"],
    }
for _order in (LOWEST_ASK, HIGHEST_ASK):
    INTENDED |= {
        (name, _order.name): ["ask_contract_price"]
        for name in ("contract", "marked", "trait", "excluded ids", "wide price")
    }
    INTENDED |= {(name, _order.name): ["ask_chain_price"] for name in ("nothing", "chain")}
    INTENDED[("market", _order.name)] = ["ask_contract_market"]
    INTENDED[("price", _order.name)] = ["ask_contract_currency"]
    INTENDED[("token ids", _order.name)] = ["nft_unique|nft_contract_token_moved|nft_contract_token_unmarked"]


@pytest.mark.parametrize("order", ORDERS.values(), ids=lambda order: order.name or "recent")
@pytest.mark.parametrize("name", FILTERS)
def test_nfts_of_each_filter_are_walked_in_each_order_by_the_index_for_it(
    world: None, name: str, order: Order
) -> None:
    first, deep = nft_plans(FILTERS[name], order)
    assert first.faults(*INTENDED[name, order.name]) == []
    assert deep.faults() == []


@pytest.mark.parametrize("order", LISTED, ids=lambda order: order.name or "recent")
def test_two_long_lists_are_merged_as_they_are_read(world: None, order: Order) -> None:
    """Not hashed, sorted or looked up: a page costs the entries that it passes, however few the two have in common."""
    male, human = frozenset(["Gender-Male"]), frozenset(["Type-Human"])
    with_both, without = FACE.with_traits(male | human), FACE.with_traits(male).without_traits(human)
    for plan in nft_plans(with_both, order):
        assert plan.faults() == []
        assert "Merge Join Semi" in plan.nodes, plan.nodes
        assert plan.rows_read < 1_000
    for plan in nft_plans(without, order):
        assert plan.faults() == []
        assert "Merge Join Anti" in plan.nodes, plan.nodes


@pytest.mark.parametrize("order", LISTED, ids=lambda order: order.name or "recent")
def test_an_excluded_common_trait_is_merged_with_all_of_the_contract(world: None, order: Order) -> None:
    for plan in nft_plans(FACE.without_traits(frozenset(["Gender-Male"])), order):
        assert plan.faults() == []
        assert "Merge Join Anti" in plan.nodes, plan.nodes


@pytest.mark.parametrize("order", LISTED, ids=lambda order: order.name or "recent")
def test_with_a_price_only_nfts_with_asks_are_passed(world: None, order: Order) -> None:
    """One face in ten has asks: beside the look whether few match, a page reads little more than it shows.

    A common trait is merged with those, not looked up and not walked itself.
    """
    wide = FILTERS["wide price"]
    for plan in nft_plans(wide, order):
        assert plan.rows_read < SMALL + 300
    for plan in nft_plans(wide.with_traits(frozenset(["Gender-Male"])), order):
        assert (
            plan.faults("nft_market_contract_recent|nft_market_contract_token|nft_market_contract_rarity")
            == []
        )
        assert "Merge Join Semi" in plan.nodes, plan.nodes
        assert plan.rows_read < SMALL + 2_000


def test_a_place_among_ties_is_not_taken_for_the_end_of_the_list(world: None) -> None:
    """All 61,600 male faces have one key in the order of rarity. Held for the end, the rest of their list would be read
    anew for each NFT that another list is passed by: 1.8 million rows for a page, in one of eight samples of a table.
    """
    male = NftTrait.objects.filter(trait=TraitValue.objects.get(label_key=label_key("Gender-Male")))
    tied = male.aggregate(key=Max("rarity_key"), nft=Min("nft_id"))
    behind = male.filter(after("rarity_key", "nft_id", tied["key"], tied["nft"]))
    (plan,) = json.loads(behind.order_by("rarity_key", "nft_id").explain(format="json"))
    expected = {node["Index Name"]: node["Plan Rows"] for node in nodes(plan["Plan"]) if "Index Name" in node}
    assert expected["nft_trait_rarity"] > 10_000


@pytest.mark.parametrize("order", LISTED, ids=lambda order: order.name or "recent")
def test_alternatives_cost_little_more_than_one_of_them(world: None, order: Order) -> None:
    """Three lists are merged lazily: together they are read little further than the page is long."""
    three = frozenset(["Accessory-Earring", "Accessory-Cap", "Accessory-Mohawk"])
    for plan in nft_plans(FACE.with_traits(three), order):
        assert plan.faults("nft_trait_recent|nft_trait_token|nft_trait_rarity") == []
        assert "Merge Append" in plan.nodes, plan.nodes
        assert plan.rows_read < 150


@pytest.mark.parametrize("order", [LOWEST_ASK, HIGHEST_ASK], ids=lambda order: order.name)
def test_by_asks_it_is_first_looked_whether_any_have_all_of_several_traits(world: None, order: Order) -> None:
    """Where none have, no ask is looked at; where many have, the look ends soon."""
    none = FACE.with_traits(frozenset(["Gender-Male", "Accessory-Green Eye Shadow"]))
    plan = plan_of(partial(NftWalk(none, order, NOW), None, 31))
    assert plan.faults() == []
    assert not {"ask_contract_price", "ask_nft_price"} & plan.indexes
    assert plan.rows_read < 6_000
    many = FACE.with_traits(frozenset(["Gender-Male", "Type-Human"]))
    plan = plan_of(partial(NftWalk(many, order, NOW), None, 31))
    assert plan.faults("nft_trait_recent", "ask_contract_price") == []
    assert plan.rows_read < 1_000


def test_an_ask_that_shows_the_price_of_its_nft_needs_no_look_at_the_others(world: None) -> None:
    """It is the lowest of its NFT, and within the bounds: none of the others can be below them. Each face has two."""
    plan = plan_of(partial(NftWalk(FILTERS["wide price"], LOWEST_ASK, NOW), None, 31))
    assert plan.faults("ask_contract_price") == []
    assert plan.looks["ask_nft_currency"] == 0


def test_what_has_no_asks_follows_without_a_look_for_them(world: None) -> None:
    """Thirty token ids, of which three have asks: these were found, so the others have none."""
    plan = plan_of(partial(NftWalk(FILTERS["token ids"], LOWEST_ASK, NOW), None, 31))
    assert plan.faults() == []
    asks = {name: looks for name, looks in plan.looks.items() if name.startswith("ask_")}
    assert sum(asks.values()) <= 30, asks


TOKEN_LISTS = {
    "recent_key": "recent_token",
    "token_key": "nft_token|nft_chain_token",
    "rarity_key": "nft_token",
}


@pytest.mark.parametrize("order", LISTED, ids=lambda order: order.name or "recent")
def test_a_token_id_without_a_contract_is_a_list_of_its_own(world: None, order: Order) -> None:
    ids = frozenset(token_key(str(number)) for number in range(1, 31))
    for plan in nft_plans(Selection().with_token_ids(ids), order):
        assert plan.faults(TOKEN_LISTS[order.key]) == []
        assert plan.rows_read < 300


@pytest.mark.parametrize("order", LISTED, ids=lambda order: order.name or "recent")
def test_of_very_many_lists_only_the_heads_are_looked_at(
    world: None, order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "MANY", 1)
    two = frozenset(["Type-Zombie", "Type-Ape", "Type-Alien"])
    first, deep = nft_plans(FACE.with_traits(two), order)
    assert first.faults() == deep.faults() == []
    assert first.rows_read < 300


TRANSFER_INDEXES = {
    RECENT.name: ["transfer_contract_recent"],
    TOKEN_ID.name: ["nft_contract_token_moved", "transfer_nft_recent"],
    TOKEN_ID_DESCENDING.name: ["nft_contract_token_moved", "transfer_nft_recent"],
    RARITY.name: ["nft_contract_rarity_moved", "transfer_nft_recent"],
    LOWEST_ASK.name: ["ask_contract_price", "transfer_nft_recent"],
    HIGHEST_ASK.name: ["ask_contract_price", "transfer_nft_recent"],
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=lambda order: order.name or "recent")
def test_transfers_of_a_contract_are_walked_in_each_order_by_the_index_for_it(
    world: None, order: Order
) -> None:
    walk = TransferWalk(FACE, order, NOW)
    deep = walk(None, 100)[-1].position
    assert plan_of(lambda: walk(None, 31)).faults(*TRANSFER_INDEXES[order.name]) == []
    assert plan_of(lambda: walk(deep, 31)).faults() == []


def test_transfers_of_a_token_are_one_walk(world: None) -> None:
    walk = TransferWalk(FACE.with_token_ids(frozenset([token_key("7804")])), RECENT, NOW)
    assert plan_of(lambda: walk(None, 31)).faults("transfer_nft_recent") == []


def test_the_world_is_as_large_as_it_says(world: None) -> None:
    assert Nft.objects.filter(contract__address=CONTRACT.address).count() == 100_000
    assert Ask.objects.filter(active=True).count() == 20_000
