"""Who minted an NFT: of one that was burnt and minted anew, whoever did that; however its history came."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from indexing.follow.rewind import rewind
from tests.builders import (
    ALICE,
    BOB,
    CAROL,
    DAVE,
    DEAD,
    ZERO,
    Line,
    contract,
    load_lines,
    nft,
    transaction_hash,
    transfer,
)
from tests.deriving.tables import rolled_back
from tests.ingestion.chain import Chain, FakeNode, batch, tx, units
from tests.ingestion.chain import nft as ape
from tests.ingestion.indexing import ethereum, in_one_go, index, narrow, tables
from tokens.models import Nft

pytestmark = pytest.mark.django_db

NAME = {"standard": "ERC721"}
EDITIONS = {"standard": "ERC1155"}
UNTOLD: dict[str, Any] = {"standard": None}


def minted(block: int, by: str | None, amount: int = 1, **fields: Any) -> Line:
    return transfer(block=block, amount=str(amount), receiver=ALICE, transactionFrom=by, **fields)


def burnt(block: int, amount: int = 1, receiver: str = ZERO, **fields: Any) -> Line:
    return transfer(
        block=block, amount=str(amount), sender=ALICE, receiver=receiver, transactionFrom=DAVE, **fields
    )


HISTORIES: list[tuple[str, dict[str, Any], list[Line], str | None]] = [
    ("a name that another registered", NAME, [minted(1, BOB), burnt(5), minted(5, CAROL, log=1)], CAROL),
    ("three times over", NAME, [minted(1, BOB), burnt(2), minted(3, CAROL), burnt(4), minted(6, DAVE)], DAVE),
    ("burnt for good", NAME, [minted(1, BOB), burnt(2)], BOB),
    (
        "all in one transaction",
        NAME,
        [
            minted(4, BOB),
            burnt(4, batch=1),
            minted(4, DAVE, batch=2),
            burnt(4, batch=3),
            minted(4, CAROL, log=2),
        ],
        CAROL,
    ),
    ("whose burn is not known", NAME, [minted(1, BOB), minted(7, CAROL)], CAROL),
    ("whose new minter is not known", NAME, [minted(1, BOB), burnt(2), minted(3, None)], None),
    ("minted to nobody", NAME, [minted(1, BOB), burnt(2), minted(3, CAROL) | {"toAddress": ZERO}], CAROL),
    ("more units", EDITIONS, [minted(1, BOB, 5), minted(3, CAROL, 5)], BOB),
    ("some burnt, more minted", EDITIONS, [minted(1, BOB, 5), burnt(2, 4), minted(3, CAROL, 5)], BOB),
    (
        "all burnt, minted anew",
        EDITIONS,
        [minted(1, BOB, 5), burnt(2, 2), burnt(3, 3), minted(4, CAROL, 1), minted(5, DAVE, 9)],
        CAROL,
    ),
    ("held by 0x…dEaD", EDITIONS, [minted(1, BOB, 5), burnt(2, 5, DEAD), minted(3, CAROL, 5)], BOB),
    ("first minted in no units", EDITIONS, [minted(1, BOB, 0), minted(2, CAROL, 5)], CAROL),
    ("of an unknown standard, a single one", UNTOLD, [minted(1, BOB), burnt(2), minted(3, CAROL)], CAROL),
    ("of an unknown standard, in units", UNTOLD, [minted(1, BOB, 3), burnt(2, 1), minted(3, CAROL, 2)], BOB),
]


@pytest.mark.parametrize(
    ("standard", "lines", "minter"), [one[1:] for one in HISTORIES], ids=[one[0] for one in HISTORIES]
)
def test_the_minter_is_who_minted_what_there_is_in_whatever_order_it_came(
    standard: dict[str, Any], lines: list[Line], minter: str | None
) -> None:
    for batch_lines in (1, 2, 100):
        for order in itertools.islice(itertools.permutations(lines), 0, 24, 5):
            with rolled_back():
                load_lines([contract(**standard), *order], batch_lines=batch_lines)
                assert Nft.objects.get().minter == minter


@pytest.mark.parametrize("standard", [NAME, EDITIONS, UNTOLD])
def test_a_stated_minter_stands(standard: dict[str, Any]) -> None:
    load_lines([contract(**standard), nft(minter=DAVE), minted(1, BOB), burnt(2), minted(3, CAROL)])
    assert Nft.objects.get().minter == DAVE
    load_lines([nft(minter=None)])
    assert Nft.objects.get().minter == CAROL


@pytest.mark.parametrize("batch_lines", [1, 100])
def test_of_stated_owners_what_was_minted_since_nobody_held_it_counts(batch_lines: int) -> None:
    """As of block 5 ALICE has two units: the mint of block 6 adds to them, that of block 8 is of what was all burnt."""
    lines = [
        contract(**EDITIONS),
        nft(owners=[{"address": ALICE, "amount": "2"}], asOfBlock=5),
        minted(1, BOB, 9),
    ]
    load_lines([*lines, minted(6, CAROL, 1)], batch_lines=batch_lines)
    assert Nft.objects.get().minter == BOB
    load_lines([burnt(7, 3), minted(8, DAVE, 1), minted(9, CAROL, 1)], batch_lines=batch_lines)
    assert Nft.objects.get().minter == DAVE


def registered_anew() -> Chain:
    """Names and units that BOB minted, burnt and minted anew by CAROL, in one block and in several."""
    chain = Chain()
    chain.mine(tx(ape(1, ZERO, ALICE), ape(2, ZERO, ALICE), batch([(7, 5), (8, 5)], ZERO, ALICE), sender=BOB))
    chain.mine(
        tx(ape(1, ALICE, ZERO), ape(1, ZERO, BOB), sender=CAROL), tx(units(7, ALICE, ZERO, 5), sender=DAVE)
    )
    chain.mine(tx(units(7, ZERO, CAROL, 2), units(8, ALICE, ZERO, 4), units(8, ZERO, CAROL, 2), sender=CAROL))
    chain.mine(
        tx(ape(2, ALICE, ZERO)),
        tx(ape(2, ZERO, ALICE), sender=DAVE),
        tx(ape(2, ALICE, ZERO)),
        tx(ape(2, ZERO, BOB), sender=CAROL),
    )
    return chain


def minters() -> dict[str, str | None]:
    return {one.token_id: one.minter for one in Nft.objects.all()}


AFTER = [
    {},
    {"1": BOB, "2": BOB, "7": BOB, "8": BOB},
    {"1": CAROL, "2": BOB, "7": BOB, "8": BOB},
    {"1": CAROL, "2": BOB, "7": CAROL, "8": BOB},
    {"1": CAROL, "2": CAROL, "7": CAROL, "8": BOB},
]


@pytest.mark.parametrize("blocks", [1, 2, 9])
def test_indexing_and_its_rewinds_tell_the_newest_minter(
    blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow(monkeypatch, blocks)
    chain = registered_anew()
    index(FakeNode(chain))
    assert minters() == AFTER[4]
    for last_good in (3, 2, 1, 0):
        rewind(ethereum(), last_good)
        assert minters() == AFTER[last_good]
    index(FakeNode(chain))
    assert minters() == AFTER[4]
    chain.fork(back=2)
    chain.mine(tx(ape(1, BOB, ZERO)))
    index(FakeNode(chain))
    assert minters() == AFTER[2]
    assert tables() == in_one_go(FakeNode(chain))


def test_what_is_loaded_of_before_indexing_began_changes_no_newer_minter() -> None:
    chain = registered_anew()
    index(FakeNode(chain), from_block=2)
    assert minters() == {"1": CAROL, "2": CAROL, "7": CAROL, "8": CAROL}
    address = ape(1, ZERO, ALICE).contract
    load_lines(
        [transfer("1", address=address, transactionFrom=BOB, transactionHash=transaction_hash("early"))]
    )
    assert minters()["1"] == CAROL
