"""An ask is what was stated of it less what was filled since, however often the chain changes its mind."""

from __future__ import annotations

import pytest

from tests.builders import ask, contract, load_lines
from tests.ingestion.chain import COINS, Chain, FakeNode, Tx, tx, units
from tests.ingestion.encoding import ALICE, BOB, ZERO
from tests.ingestion.indexing import classify, index
from tests.ingestion.selling import coins_sale
from tokens.models import Ask
from transfers.models import OrderFill

pytestmark = pytest.mark.django_db

ORDER = "0x" + "0d" * 32


def again(chain: Chain, *transactions: Tx) -> None:
    """The last block is another one, with these transactions."""
    chain.fork(back=1)
    chain.mine(*transactions)


def asked() -> tuple[str, int | None]:
    """Status of the ask, and what is left."""
    row = Ask.objects.get()
    return row.status, None if row.amount is None else int(row.amount)


def test_an_ask_that_is_stated_anew_after_a_fill_reflects_it_for_good() -> None:
    chain = Chain()
    chain.mine(tx(units(7, ZERO, ALICE, 20)))
    line = ask("7", COINS, order=ORDER, amount="14")
    load_lines([contract(COINS, standard="ERC1155"), line])
    filled = coins_sale(7, 4, 400, order=ORDER)
    chain.mine(filled)
    index(FakeNode(chain))
    assert asked() == ("open", 10)
    load_lines([line | {"amount": "10"}])
    assert asked() == ("open", 10)
    again(chain)
    index(FakeNode(chain))
    assert asked() == ("open", 10), "what was stated is what is left"
    again(chain, tx(units(8, ZERO, BOB, 1)), filled)  # its logs have other indexes now
    index(FakeNode(chain))
    classify()
    assert asked() == ("open", 10)
    chain.mine(coins_sale(7, 3, 300, order=ORDER))
    index(FakeNode(chain))
    classify()
    assert asked() == ("open", 7)
    again(chain)
    index(FakeNode(chain))
    assert asked() == ("open", 10)


@pytest.mark.parametrize("amount", [None, "1", "4"])
def test_an_ask_that_a_fill_ends_is_what_it_was_once_the_fill_is_taken_back(amount: str | None) -> None:
    chain = Chain()
    chain.mine(tx(units(7, ZERO, ALICE, 20)))
    load_lines([contract(COINS, standard="ERC1155"), ask("7", COINS, order=ORDER, amount=amount)])
    before = asked()
    for _ in range(2):
        chain.mine(coins_sale(7, 4, 400, order=ORDER))
        index(FakeNode(chain))
        assert asked()[0] == "filled"
        again(chain)
        index(FakeNode(chain))
        assert asked() == before


@pytest.mark.parametrize("status", ["filled", "cancelled"])
def test_an_ask_that_is_stated_to_be_over_stays_so(status: str) -> None:
    chain = Chain()
    chain.mine(tx(units(7, ZERO, ALICE, 20)))
    line = ask("7", COINS, order=ORDER, amount="4")
    load_lines([contract(COINS, standard="ERC1155"), line])
    chain.mine(coins_sale(7, 4, 400, order=ORDER))
    index(FakeNode(chain))
    load_lines([line | {"status": status}])
    again(chain)
    index(FakeNode(chain))
    assert not OrderFill.objects.exists()
    assert Ask.objects.get().status == status


def test_asks_of_one_order_get_back_what_each_had() -> None:
    chain = Chain()
    chain.mine(tx(units(7, ZERO, ALICE, 20)))
    lines = [
        ask("7", COINS, order=ORDER, market=market, amount=amount)
        for market, amount in (("blur", "2"), ("x2y2", "9"))
    ]
    load_lines([contract(COINS, standard="ERC1155"), *lines])
    chain.mine(coins_sale(7, 5, 500, order=ORDER))
    index(FakeNode(chain))
    rows = Ask.objects.order_by("market__slug").values_list("amount", "status")
    assert list(rows) == [(0, "filled"), (4, "open")]
    again(chain)
    index(FakeNode(chain))
    assert list(rows.all()) == [(2, "open"), (9, "open")]
