"""One contract is indexed, and its transactions move NFTs of others too: each is judged as if all were indexed."""

from __future__ import annotations

from typing import Any

import pytest

from indexing.admin.explanations import rows_of
from indexing.follow.reclassify import anew
from indexing.models import MarketFault
from indexing.write.checkpoints import EVERY
from tests.deriving.tables import rolled_back
from tests.ingestion.chain import COINS, FROGS, Chain, FakeNode, Tx, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.indexing import classify, index, tables
from tests.ingestion.selling import as_emitted, erc20
from tests.markets.seaport_events import SEAPORT_15, nft_item, order_fulfilled, paid
from transfers.models import Transfer

pytestmark = pytest.mark.django_db

ETHER = 10**18
PARCELS = "0x79986af15539de2db9a5086382daeda917a9cf0c"
"""Cryptovoxels, whose Transfer has the form of ERC-20's: two indexed addresses, and the token as its data."""


def bundle() -> Tx:
    """Seaport sells an ape and a frog for one price."""
    event = order_fulfilled(
        offerer=ALICE,
        recipient=BOB,
        offer=[nft_item(APES, 1), nft_item(FROGS, 2)],
        consideration=[paid(ETHER, ALICE)],
        index=0,
    )
    logs = as_emitted(event), nft(1, ALICE, BOB), nft(2, ALICE, BOB, FROGS)
    return tx(*logs, sender=BOB, target=SEAPORT_15, value=ETHER)


CASES = {
    "two mints for one value": (
        tx(nft(1, ZERO, ALICE), nft(2, ZERO, ALICE, FROGS), sender=ALICE, value=ETHER),
        ["mint"],
    ),
    "an ape for a frog": (tx(nft(2, BOB, ALICE, FROGS), nft(1, ALICE, BOB)), ["swap"]),
    "an ape for coins": (tx(nft(1, ALICE, BOB), units(7, BOB, ALICE, 3)), ["swap"]),
    "a bundle": (bundle(), ["sale"]),
    "an ape for a parcel": (tx(nft(1, ALICE, BOB), erc20(PARCELS, 5, BOB, ALICE)), ["swap"]),
    "apes between others, and a frog": (
        tx(nft(1, ALICE, BOB), nft(2, BOB, ALICE, FROGS), nft(3, BOB, CAROL)),
        ["swap", "transfer"],
    ),
}
"""A transaction of apes and others, and what became of the apes; none of them has a price of its own."""


def told(contract: str = APES) -> list[tuple[Any, ...]]:
    """What is said of each transfer of a contract, in order."""
    rows = Transfer.objects.filter(nft__contract__address=contract).order_by("block_number", "log_index")
    return list(
        rows.values_list(
            "log_index", "transfer_type", "nft_value_amount", "is_commercial", "markets", "swaps", "judged"
        )
    )


def faults() -> list[tuple[Any, ...]]:
    """What could not be explained."""
    return list(MarketFault.objects.values_list("transaction_hash", "log_index", "reason"))


@pytest.mark.parametrize("name", CASES)
def test_a_contract_by_itself_is_judged_as_among_all(name: str) -> None:
    chain = Chain()
    transaction, kinds = CASES[name]
    chain.mine(transaction)
    with rolled_back():
        index(FakeNode(chain))
        among_all = told(), faults()
    index(FakeNode(chain), contracts=[APES])
    assert not Transfer.objects.exclude(nft__contract__address=APES).exists()
    assert (told(), faults()) == among_all
    assert [(row[1], row[2]) for row in told()] == [(kind, None) for kind in kinds]


@pytest.mark.parametrize("name", CASES)
def test_once_all_are_indexed_nothing_tells_that_one_was_indexed_before(name: str) -> None:
    chain = Chain()
    chain.mine(CASES[name][0])
    with rolled_back():
        index(FakeNode(chain))
        all_at_once = tables()
    index(FakeNode(chain), contracts=[APES])
    index(FakeNode(chain), contracts=[EVERY, APES])
    found = tables()
    assert {table for table in found if found[table] != all_at_once[table]} == {"checkpoints"}


@pytest.mark.parametrize("name", CASES)
def test_judging_a_contract_by_itself_again_changes_nothing(name: str) -> None:
    chain = Chain()
    chain.mine(CASES[name][0])
    index(FakeNode(chain), contracts=[APES])
    before = told(), faults()
    classify()
    assert (told(), faults()) == before


@pytest.mark.parametrize("name", CASES)
def test_the_page_of_a_transfer_explains_what_the_table_says(name: str) -> None:
    chain = Chain()
    chain.mine(CASES[name][0])
    index(FakeNode(chain), contracts=[APES])
    for transfer in Transfer.objects.all():
        found = anew(transfer)
        assert found.verdict.judgements[found.place].transfer_type == transfer.transfer_type
        assert "note" not in dict(rows_of(transfer))


def test_contracts_that_are_indexed_one_after_the_other_are_judged_as_both_at_once() -> None:
    chain = Chain()
    chain.mine(tx(nft(1, ALICE, BOB), nft(2, BOB, ALICE, FROGS)))
    with rolled_back():
        index(FakeNode(chain), contracts=[APES, FROGS])
        at_once = told(), told(FROGS)
    index(FakeNode(chain), contracts=[APES])
    index(FakeNode(chain), contracts=[FROGS])
    assert (told(), told(FROGS)) == at_once
    classify()
    assert (told(), told(FROGS)) == at_once


def test_money_that_looks_like_an_nft_stays_money_where_all_contracts_are_indexed() -> None:
    """An ERC-20 contract that indexes the amount tells by its decimals that it is none of ERC-721."""
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE), nft(5, BOB, CAROL, COINS), value=ETHER))

    def decimals(address: str, data: str, block: int) -> str:
        return "0x" + f"{18:064x}" if data == "0x313ce567" else "0x"

    index(FakeNode(chain, {COINS: decimals}))
    assert [int(row[2]) for row in told()] == [ETHER]
    before = told()
    classify()
    assert told() == before


def test_a_price_of_its_own_is_kept_beside_sales_of_others() -> None:
    chain = Chain()
    asks = [
        order_fulfilled(
            offerer=ALICE,
            recipient=BOB,
            offer=[nft_item(contract, 1)],
            consideration=[paid(price, ALICE)],
            index=0,
            order=order,
        )
        for contract, price, order in [(APES, ETHER, "0x" + "0d" * 32), (FROGS, 2 * ETHER, "0x" + "0e" * 32)]
    ]
    logs = as_emitted(asks[0]), nft(1, ALICE, BOB), as_emitted(asks[1]), nft(1, ALICE, BOB, FROGS)
    chain.mine(tx(*logs, sender=BOB, target=SEAPORT_15, value=3 * ETHER))
    index(FakeNode(chain), contracts=[APES])
    assert [(row[1], int(row[2])) for row in told()] == [("sale", ETHER)]
    assert faults() == []
