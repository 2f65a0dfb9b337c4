"""Contracts with the events of both standards of NFTs: what both tell is one, and what one tells counts too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from core.net.rpc.errors import RpcError
from indexing.models import DoubtfulContract, UndecodedLog
from tests.ingestion.answers import (
    DECIMALS,
    IS_721,
    IS_1155,
    IS_ANYTHING,
    NAME,
    NO,
    OWNER_OF,
    YES,
    answering,
    text,
)
from tests.ingestion.chain import Chain, Emitted, FakeNode, batch, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, BOB, CAROL, ZERO, word
from tests.ingestion.indexing import in_one_go, index, narrow, owners, tables
from tests.ingestion.selling import as_emitted
from tests.ingestion.two_kinds import ASSET, ETHER, HALF, MONEY, second
from tests.markets.seaport_events import SEAPORT_15, nft_item, order_fulfilled, paid
from tokens.models import Contract
from transfers.models import Transfer

pytestmark = pytest.mark.django_db

SAYING: dict[str, dict[str, Any]] = {
    "ERC-721 of what has the events of ERC-1155": {IS_721: YES, IS_1155: NO, IS_ANYTHING: NO},
    "both": {IS_721: YES, IS_1155: YES, IS_ANYTHING: NO},
    "neither, though it has decimals": {IS_721: NO, IS_1155: NO, IS_ANYTHING: NO, **MONEY},
    "everything": {IS_721: YES, IS_1155: YES, IS_ANYTHING: YES, **MONEY},
    "nothing": {},
}


@pytest.mark.parametrize("answers", SAYING.values(), ids=SAYING)
def test_the_events_of_erc_1155_are_believed_whatever_a_contract_says(answers: dict[str, Any]) -> None:
    chain = Chain()
    chain.mine(tx(units(7, ZERO, ALICE, 5, ASSET)), tx(batch([(8, 1), (7, 2)], ZERO, BOB, ASSET)))
    index(FakeNode(chain, {ASSET: answering(**answers)}))
    assert owners() == {(ASSET, 7): {ALICE: 5, BOB: 2}, (ASSET, 8): {BOB: 1}}
    assert Contract.objects.get().standard == "ERC1155"
    assert not UndecodedLog.objects.exists()


def single(token_id: int, sender: str, receiver: str) -> list[Emitted]:
    """One movement that both standards' events tell: only one of them is counted by these tests."""
    return [
        nft(token_id, sender, receiver, ASSET)._replace(moves=[]),
        units(token_id, sender, receiver, 1, ASSET),
    ]


def several(
    tokens: list[int], sender: str, receiver: str, *, more: tuple[tuple[int, int], ...] = ()
) -> list[Emitted]:
    """Several `Transfer` beside a `TransferBatch`, which has ``more`` of what there are many units of."""
    entries = [(token, 1) for token in tokens] + list(more)
    told = [nft(token, sender, receiver, ASSET)._replace(moves=[]) for token in tokens]
    return [*told, batch(entries, sender, receiver, ASSET)]


ORDERS: dict[str, Callable[[list[Emitted]], list[Emitted]]] = {
    "ERC-721 first": lambda logs: logs,
    "ERC-1155 first": lambda logs: logs[::-1],
}
BOTH = answering(**{IS_721: YES, IS_1155: YES, IS_ANYTHING: NO, NAME: text(b"ASSET")})
BLIND = answering(**{DECIMALS: "0x" + word(0)})


@pytest.mark.parametrize("blocks", [1, 9])
@pytest.mark.parametrize("contract", [BOTH, BLIND], ids=["claims both", "claims nothing and has decimals"])
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_a_movement_that_both_standards_tell_is_one(
    order: Callable[[list[Emitted]], list[Emitted]],
    contract: Any,
    blocks: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    narrow(monkeypatch, blocks)
    chain = Chain()
    chain.mine(
        tx(*order(single(5, ZERO, ALICE))),
        tx(*order(several([1, 2, 3], ZERO, ALICE, more=((9, 100), (8, 7))))),
    )
    chain.mine(tx(*order(single(5, ALICE, BOB))), tx(units(9, ALICE, BOB, 40, ASSET)))
    chain.mine(tx(*order(several([1, 3], ALICE, CAROL, more=((9, 1),)))))
    chain.mine(tx(*order(single(2, ALICE, ZERO))), tx(*order(several([1, 3], CAROL, ZERO))))
    index(FakeNode(chain, {ASSET: contract}))
    assert owners() == chain.holders()
    assert owners()[ASSET, 9] == {ALICE: 59, BOB: 40, CAROL: 1}
    assert owners()[ASSET, 5] == {BOB: 1}
    assert Transfer.objects.count() == len(chain.moves())
    assert {one.amount for one in Transfer.objects.filter(nft__token_key__endswith="5")} == {1}
    assert Contract.objects.get().standard == "ERC1155"
    assert not DoubtfulContract.objects.exists()


def test_there_and_back_and_there_again_are_three_movements() -> None:
    chain = Chain()
    chain.mine(tx(*single(5, ZERO, ALICE)))
    chain.mine(
        tx(*single(5, ALICE, BOB), *single(5, BOB, ALICE), *single(5, ALICE, BOB), *single(5, BOB, CAROL))
    )
    chain.mine(tx(nft(5, CAROL, BOB, ASSET), nft(5, BOB, CAROL, ASSET), nft(5, CAROL, BOB, ASSET)))
    index(FakeNode(chain, {ASSET: BOTH}))
    assert owners() == {(ASSET, 5): {BOB: 1}}
    assert Transfer.objects.count() == 8


@pytest.mark.parametrize("blocks", [1, 9])
def test_movements_that_one_standard_tells_alone_count_too(
    blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At first there are events of ERC-721 alone: that ids have many holders is seen later."""
    narrow(monkeypatch, blocks)
    chain = Chain()
    chain.mine(tx(nft(5, ZERO, ALICE, ASSET), nft(6, ZERO, ALICE, ASSET)))
    chain.mine(tx(nft(5, ALICE, BOB, ASSET), *single(6, ALICE, CAROL)))
    chain.mine(tx(units(7, ZERO, ALICE, 10, ASSET)))
    chain.mine(tx(units(7, ALICE, BOB, 4, ASSET), nft(6, CAROL, BOB, ASSET)))
    chain.mine(tx(nft(8, ZERO, CAROL, ASSET)))
    node = FakeNode(chain, {ASSET: BOTH})
    index(node)
    assert owners() == chain.holders()
    assert owners()[ASSET, 7] == {ALICE: 6, BOB: 4}
    assert Contract.objects.get().standard == "ERC1155"
    assert Transfer.objects.count() == len(chain.moves())
    chain.mine(tx(*single(8, CAROL, ALICE)))
    index(node)
    assert owners() == chain.holders()
    assert tables() == in_one_go(node)


def told(sender: str, receiver: str) -> Emitted:
    """A `Transfer` of what an event of ERC-1155 tells too, by which these tests count."""
    return nft(5, sender, receiver, ASSET)._replace(moves=[])


def alone(sender: str, receiver: str) -> Emitted:
    return nft(5, sender, receiver, ASSET)


def one(sender: str, receiver: str) -> Emitted:
    return units(5, sender, receiver, 1, ASSET)


MIXED: dict[str, list[Emitted]] = {
    "there and back by ERC-721 alone, then there by both": [
        *(alone(ALICE, BOB), alone(BOB, ALICE)),
        *(told(ALICE, BOB), one(ALICE, BOB)),
    ],
    "the same, ERC-1155 first": [alone(ALICE, BOB), alone(BOB, ALICE), one(ALICE, BOB), told(ALICE, BOB)],
    "there by both, then back and there by ERC-721 alone": [
        *(told(ALICE, BOB), one(ALICE, BOB)),
        *(alone(BOB, ALICE), alone(ALICE, BOB)),
    ],
    "by both, by one alone, by both": [
        *(one(ALICE, BOB), told(ALICE, BOB)),
        *(alone(BOB, ALICE), alone(ALICE, BOB), alone(BOB, ALICE)),
        *(told(ALICE, BOB), one(ALICE, BOB)),
    ],
    "on by way of another, events of one kind first": [
        *(told(ALICE, BOB), told(BOB, CAROL)),
        *(one(ALICE, BOB), one(BOB, CAROL)),
    ],
    "to itself, twice": [told(ALICE, ALICE), one(ALICE, ALICE), one(ALICE, ALICE), told(ALICE, ALICE)],
}


@pytest.mark.parametrize("logs", MIXED.values(), ids=MIXED)
def test_of_like_movements_in_a_transaction_the_nearest_is_the_one_told_twice(logs: list[Emitted]) -> None:
    """Which one is left out matters: the others have to stay in the order in which they happened."""
    chain = Chain()
    chain.mine(tx(*single(5, ZERO, ALICE)))
    chain.mine(tx(*logs))
    node = FakeNode(chain, {ASSET: BOTH})
    index(node)
    assert owners() == chain.holders()
    assert Transfer.objects.filter(block_number=2).count() == len(chain.moves(2))
    assert tables() == in_one_go(node)


@pytest.mark.parametrize(
    ("amounts", "transfers"), [([2], 2), ([3], 2), ([1, 2], 3), ([2, 1], 2), ([1, 2], 1), ([2**256 - 1], 9)]
)
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_units_that_are_told_one_by_one_too_are_counted_once(
    order: Callable[[list[Emitted]], list[Emitted]], amounts: list[int], transfers: int
) -> None:
    logs = [told(ZERO, ALICE)] * transfers + [units(5, ZERO, ALICE, amount, ASSET) for amount in amounts]
    chain = Chain()
    chain.mine(tx(*order(logs)))
    index(FakeNode(chain, {ASSET: BOTH}))
    assert owners() == {(ASSET, 5): {ALICE: sum(amounts)}}
    assert Transfer.objects.count() == len(amounts)


def test_one_movement_of_many_units_beside_a_transfer_is_of_many_units() -> None:
    chain = Chain()
    chain.mine(tx(nft(7, ZERO, ALICE, ASSET)._replace(moves=[]), units(7, ZERO, ALICE, 5, ASSET)))
    chain.mine(tx(units(7, ALICE, BOB, 0, ASSET), nft(7, ALICE, BOB, ASSET)))
    index(FakeNode(chain, {ASSET: BOTH}))
    assert owners() == {(ASSET, 7): {ALICE: 4, BOB: 1}}


def test_a_range_that_is_told_token_by_token_too_is_told_once() -> None:
    span = emitted("ConsecutiveTransfer(uint256,uint256,address,address)", [10, ZERO, ALICE], word(12))
    chain = Chain()
    chain.mine(
        tx(span, nft(10, ZERO, ALICE), nft(11, ZERO, ALICE), nft(12, ZERO, ALICE), nft(13, ZERO, ALICE))
    )
    index(FakeNode(chain))
    assert Transfer.objects.count() == 4


def test_contracts_side_by_side_keep_their_own_movements() -> None:
    """A wrapper's units and the NFT that it holds move in one transaction, by the same ids and ends."""
    chain = Chain()
    chain.mine(tx(nft(5, ZERO, ALICE, HALF), units(5, ZERO, ALICE, 1, ASSET)))
    index(FakeNode(chain, {HALF: answering(**{IS_721: YES, IS_1155: NO, IS_ANYTHING: NO})}))
    assert owners() == {(HALF, 5): {ALICE: 1}, (ASSET, 5): {ALICE: 1}}


def test_a_contract_whose_questions_fail_is_still_seen_to_be_of_two_kinds() -> None:
    refusal = RpcError("played", -32603, "internal error")
    chain = Chain()
    chain.mine(tx(*second(1, ZERO, ALICE)))
    index(
        FakeNode(
            chain,
            {
                HALF: lambda address, data, block: (
                    refusal if data.startswith(OWNER_OF) else MONEY.get(data, "0x")
                )
            },
        )
    )
    assert owners() == {(HALF, 1): {ALICE: 1}}


@pytest.mark.parametrize("kind", [2, 3])
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_a_sale_of_what_both_standards_tell_is_one_sale_at_its_price(
    order: Callable[[list[Emitted]], list[Emitted]], kind: int
) -> None:
    event = order_fulfilled(
        offerer=ALICE,
        recipient=BOB,
        offer=[nft_item(ASSET, 5, kind=kind)],
        consideration=[paid(ETHER, ALICE)],
        index=0,
    )
    chain = Chain()
    chain.mine(tx(*order(single(5, ZERO, ALICE))))
    chain.mine(
        tx(as_emitted(event), *order(single(5, ALICE, BOB)), sender=BOB, target=SEAPORT_15, value=ETHER)
    )
    node = FakeNode(chain, {ASSET: BOTH})
    index(node)
    (sold,) = Transfer.objects.filter(block_number=2)
    assert (sold.transfer_type, sold.nft_value_amount, sold.is_commercial) == ("sale", ETHER, True)
    call_command("classify", "--chain", "ethereum", "-v0")
    assert Transfer.objects.get(block_number=2).nft_value_amount == ETHER
    assert tables() == in_one_go(node)
