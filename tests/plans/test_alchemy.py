"""On PostgreSQL: a page of each of Alchemy's methods is a bounded walk of the index made for it, whatever is asked."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from compat import holdings, owners, sales
from compat.chains import AskedChain, chain_of
from compat.filters import Asked
from compat.lists import LOOKED_AT
from core.db.keys import token_key
from core.rest.cursors import decode
from tests.plans.explain import plan_of
from tests.plans.world import ESCROW, FACES, FEW
from tokens.models import Contract
from transfers.models import Transfer

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.django_db,
    pytest.mark.xdist_group("plans"),  # one worker makes the world
]
FACE = Asked(contract=FACES)


@pytest.fixture
def chain(world: None) -> AskedChain:
    """The chain of the world."""
    return chain_of("ethereum")


def deep(page_of: Any, asked: Asked, chain: AskedChain) -> list[Asked]:
    """The first page, and the one behind it."""
    key = page_of(asked, chain).page_key
    return [asked, *([replaced(asked, page_key=decode(key))] if key else [])]


def replaced(asked: Asked, **values: Any) -> Asked:
    return Asked(**{name: getattr(asked, name) for name in Asked.__dataclass_fields__} | values)


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize(
    ("values", "index"),
    [
        ({"contract": FACES}, "sale_contract"),
        ({"contract": FACES, "from_block": 20_000, "to_block": 90_000}, "sale_contract"),
        ({"contract": FACES, "taker": "SELLER"}, "sale_contract"),
        ({"contract": FACES, "marketplace": "blur"}, "sale_contract"),
        ({}, "sale_chain"),
        ({"from_block": 50_000, "marketplace": "blur", "taker": "BUYER"}, "sale_chain"),
        ({"contract": FACES, "token": token_key("9")}, "transfer_nft_recent"),
    ],
)
def test_sales(chain: AskedChain, values: dict[str, Any], index: str, order: str) -> None:
    for asked in deep(sales.page_of, Asked(**values, order=order), chain):
        plan = plan_of(partial(sales.page_of, asked, chain))
        assert plan.faults(index) == []
        assert plan.rows_read <= LOOKED_AT + 110, "a contract and a token are looked up besides"


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_sales_of_people_are_lists_of_their_own(chain: AskedChain, order: str) -> None:
    sold = Transfer.objects.filter(transfer_type="sale", contract__address=FACES).order_by("id")[5]
    people = {"buyer": sold.to_address, "seller": sold.from_address}
    for values, index in (
        ({"buyer": people["buyer"]}, "sale_buyer"),
        ({"seller": people["seller"]}, "sale_seller"),
        ({**people, "contract": FACES, "taker": "BUYER"}, "sale_buyer"),
    ):
        plan = plan_of(partial(sales.page_of, Asked(**values, order=order), chain))
        assert plan.faults(index) == []
        assert plan.rows_read < 120


def test_what_an_owner_holds(chain: AskedChain) -> None:
    for owner in (FEW, ESCROW):
        for by_time in (False, True):
            for asked in deep(holdings.nfts_of, Asked(owner=owner, by_time=by_time), chain):
                plan = plan_of(partial(holdings.nfts_of, asked, chain))
                assert plan.faults() == []
                assert plan.rows_read < 1_500


def test_owners_of_a_contract(chain: AskedChain) -> None:
    contract = Contract.objects.get(address=FACES, chain_id=chain.id)
    for asked in (FACE, replaced(FACE, with_balances=True)):
        plan = plan_of(partial(owners.owners_of_contract, contract.id, asked, chain))
        assert plan.faults("owner_by_contract") == []
        assert plan.rows_read < 2_000
