"""What `load` states stays, whatever the chain does: forks, rewinds and `classify` touch what came from the chain."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from indexing.follow.rewind import rewind
from tests.builders import Line, contract, load_lines, nft, transfer
from tests.deriving.tables import everything
from tests.files.lines import dumped
from tests.ingestion.chain import COINS, FROGS, Chain, FakeNode, Tx, tx, units
from tests.ingestion.chain import nft as log
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.indexing import classify, ethereum, index, owners
from tests.ingestion.selling import sale
from tokens.models import Contract, Nft
from transfers.models import Transfer, TransferStatement

pytestmark = pytest.mark.django_db

ETHER = {"tokenAddress": ZERO, "amount": "1000000000000000000"}


def stated(
    of: Tx, token_id: str = "1", address: str = APES, *, at: int = 0, block: int = 1, **fields: Any
) -> Line:
    """A `transfer` line of a log of a transaction; the block is the one that it was first mined in."""
    return transfer(token_id, address, block=block, log=at, transactionHash=of.hash, **fields)


def partial(of: Tx, at: int, **fields: Any) -> Line:
    """A line that says something of a transfer that is known."""
    return {"record": "transfer", "chain": "ethereum", "transactionHash": of.hash, "logIndex": at, **fields}


def last(of: Tx, token_id: str = "1", address: str = APES, *, block: int = 1, **fields: Any) -> Line:
    """An `nft` line with a last transfer as the API answers it: without a log index."""
    record = transfer(token_id, address, block=block, transactionHash=of.hash, **fields)
    left = {
        name: value
        for name, value in record.items()
        if name not in ("record", "chain", "logIndex", "batchIndex")
    }
    return nft(token_id, address, lastTransfer=left)


def shown(*names: str) -> list[tuple[Any, ...]]:
    """Log index, contract, token id and some columns of every transfer."""
    columns = ("log_index", "nft__contract__address", "nft__token_key", *names)
    rows = Transfer.objects.order_by("block_number", "log_index", "batch_index").values_list(*columns)
    return [(row[0], row[1], int(row[2][2:]), *row[3:]) for row in rows]


def again(chain: Chain, *transactions: Tx) -> None:
    """The last block is another one, with these transactions."""
    chain.fork(back=1)
    chain.mine(*transactions)


def mined_again(chain: Chain, moved: Tx) -> None:
    again(chain, moved)
    index(FakeNode(chain), contracts=[APES])


def rewound(chain: Chain, moved: Tx) -> None:
    rewind(ethereum(), 0)
    index(FakeNode(chain), contracts=[APES])


def rewound_for_good(chain: Chain, moved: Tx) -> None:
    rewind(ethereum(), 0)


def judged_again(chain: Chain, moved: Tx) -> None:
    classify()


@pytest.mark.parametrize("event", [mined_again, rewound, rewound_for_good, judged_again])
def test_a_transfer_of_another_contract_that_was_loaded_stays_as_it_is(
    event: Callable[[Chain, Tx], None],
) -> None:
    moved = tx(log(1, ZERO, ALICE), log(2, ZERO, BOB, FROGS))
    chain = Chain()
    chain.mine(moved)
    load_lines([contract(FROGS), stated(moved, "2", FROGS, at=1, receiver=BOB, native={"seen": 1})])
    before = Transfer.objects.values().get()
    index(FakeNode(chain), contracts=[APES])
    event(chain, moved)
    assert Transfer.objects.filter(nft__contract__address=FROGS).values().get() == before
    assert owners()[FROGS, 2] == {BOB: 1}
    assert Transfer.objects.filter(nft__contract__address=APES).exists() is (event is not rewound_for_good)


@pytest.mark.parametrize("whole", [True, False], ids=["a whole line", "a line of what is known"])
@pytest.mark.parametrize("loaded_first", [True, False])
def test_what_was_stated_of_an_indexed_transfer_survives_its_block(whole: bool, loaded_first: bool) -> None:
    moved = sale(1, 500)
    line: Any = {"native": {"seen": 1}, "usdValue": 12.5, "transferType": "swap"}
    chain = Chain()
    chain.mine(moved)
    line = stated(moved, at=1, sender=ALICE, receiver=BOB, **line) if whole else partial(moved, 1, **line)
    if loaded_first and whole:
        load_lines([line])
    index(FakeNode(chain))
    if not (loaded_first and whole):
        assert load_lines([line]).faults == []
    before = everything()
    for _ in range(2):
        again(chain, moved)
        index(FakeNode(chain))
        classify()
        assert everything() == before
    row = Transfer.objects.get()
    assert (row.native, row.stated_usd_value, row.transfer_type) == ('{"seen": 1}', 12.5, "swap")
    again(chain)
    index(FakeNode(chain))
    assert Transfer.objects.exists() is whole, "a statement that is no transfer by itself waits for one"
    again(chain, moved)
    index(FakeNode(chain))
    assert everything() == before


def test_a_transfer_that_was_stated_is_again_as_stated_once_its_block_is_gone() -> None:
    moved = sale(1, 500)
    line = stated(moved, at=1, block=9, sender=CAROL, receiver=ALICE, native=[1], markets=["blur"])
    load_lines([line])
    before, alone = everything(), dumped()
    chain = Chain()
    chain.mine(moved)
    index(FakeNode(chain))
    row = Transfer.objects.get()
    assert (row.block_number, row.to_address, row.native) == (1, BOB, "[1]"), (
        "block and parties are the chain's"
    )
    assert (row.markets, row.transfer_type, row.origin) == ('["blur"]', "sale", Transfer.Origin.CHAIN)
    again(chain)
    index(FakeNode(chain))
    found = everything()
    assert {name: found[name] for name in ("transfers", "owners", "recent", "last")} == {
        name: before[name] for name in ("transfers", "owners", "recent", "last")
    }
    assert [one for one in dumped().splitlines() if '"transfer"' in one] == [
        one for one in alone.splitlines() if '"transfer"' in one
    ]
    assert not TransferStatement.objects.exists()


@pytest.mark.parametrize("loaded_first", [True, False])
def test_a_record_without_a_log_index_goes_to_the_log_of_its_own_nft(loaded_first: bool) -> None:
    """The chain's log 0 is token 2: it neither becomes the stated sale nor takes token 1's place."""
    moved = tx(log(2, ZERO, BOB), log(3, ZERO, BOB), log(1, ALICE, CAROL))
    line = last(moved, sender=ALICE, receiver=CAROL, transferType="sale", nftValue=ETHER)
    chain = Chain()
    chain.mine(moved)
    for step in (load_lines, index) if loaded_first else (index, load_lines):
        step([line]) if step is load_lines else index(FakeNode(chain))
    expected = [(0, APES, 2, "mint", None), (1, APES, 3, "mint", None), (2, APES, 1, "sale", 10**18)]
    assert shown("transfer_type", "nft_value_amount") == expected
    assert owners() == {(APES, 1): {CAROL: 1}, (APES, 2): {BOB: 1}, (APES, 3): {BOB: 1}}
    again(chain)
    index(FakeNode(chain))
    assert shown("transfer_type", "nft_value_amount") == [(0, APES, 1, "sale", 10**18)]
    again(chain, moved)
    index(FakeNode(chain))
    assert shown("transfer_type", "nft_value_amount") == expected


@pytest.mark.parametrize("at", [0, 7], ids=["where the chain has another NFT", "where the chain has nothing"])
def test_a_line_whose_log_index_the_chain_contradicts_goes_to_its_own_nft_too(at: int) -> None:
    moved = tx(log(2, ZERO, BOB), log(1, ALICE, CAROL))
    chain = Chain()
    chain.mine(moved)
    load_lines([stated(moved, at=at, sender=ALICE, receiver=CAROL, transferType="sale", nftValue=ETHER)])
    index(FakeNode(chain))
    expected = [(0, APES, 2, "mint"), (1, APES, 1, "sale")]
    assert shown("transfer_type") == expected
    again(chain)
    index(FakeNode(chain))
    assert shown("transfer_type") == [(at, APES, 1, "sale")], "it stands where it was stated"
    again(chain, moved)
    index(FakeNode(chain))
    assert shown("transfer_type") == expected


@pytest.mark.parametrize("line", [last, stated])
def test_what_is_stated_of_an_nft_that_the_transaction_does_not_move_keeps_a_row(line: Any) -> None:
    moved = tx(log(2, ZERO, BOB), log(3, ZERO, BOB))
    chain = Chain()
    chain.mine(moved)
    load_lines([line(moved, receiver=ALICE, native=[1])])
    index(FakeNode(chain))
    rows = sorted(Transfer.objects.values_list("log_index", "batch_index", "nft__token_key", "native"))
    assert rows == [(0, 0, "012", None), (0, 1, "011", "[1]"), (1, 0, "013", None)]
    assert owners()[APES, 1] == {ALICE: 1}
    again(chain)
    index(FakeNode(chain))
    assert shown("batch_index", "native") == [(0, APES, 1, 0, "[1]")]


def test_records_without_a_log_index_of_several_nfts_each_find_their_own() -> None:
    moved = tx(log(3, ZERO, BOB), log(2, ZERO, BOB), units(7, ZERO, BOB, 2), units(7, ZERO, CAROL, 3))
    lines = [last(moved, "2", native=2), last(moved, "3", native=3), last(moved, "7", COINS, native=7)]
    chain = Chain()
    chain.mine(moved)
    for order in (lines, lines[::-1]):
        load_lines([*order, *order])
    assert Transfer.objects.count() == 3
    index(FakeNode(chain))
    expected = [(0, APES, 3, "3", 1), (1, APES, 2, "2", 1), (2, COINS, 7, None, 2), (3, COINS, 7, "7", 3)]
    assert shown("native", "amount") == expected, "of several transfers of an NFT the newest is its last"
    assert owners()[COINS, 7] == {BOB: 2, CAROL: 3}


def test_a_line_with_a_log_index_takes_the_record_without_one_to_its_log() -> None:
    moved = tx()
    load_lines([last(moved, native=[1], usdValue=3), last(moved, "2", native=[2])])
    load_lines([stated(moved, at=5, native=[5]), stated(moved, "3", at=0)])
    rows = sorted(
        Transfer.objects.values_list(
            "log_index", "batch_index", "nft__token_key", "native", "stated_usd_value"
        )
    )
    assert rows == [(0, 0, "013", None, None), (0, 1, "012", "[2]", None), (5, 0, "011", "[5]", 3)]


def test_a_price_that_was_taken_away_stays_away() -> None:
    moved = sale(1, 500)
    chain = Chain()
    chain.mine(moved)
    index(FakeNode(chain))
    load_lines([partial(moved, 1, nftValue=None)])
    again(chain, moved)
    index(FakeNode(chain))
    classify()
    row = Transfer.objects.get()
    assert (row.transfer_type, row.nft_value_amount, row.judged) == ("sale", None, False)
    load_lines([partial(moved, 1, nftValue=ETHER)])
    assert Transfer.objects.get().nft_value_amount == 10**18


def test_what_was_stated_stays_beside_rules_that_change() -> None:
    """A statement that agrees with the evidence is one all the same."""
    moved = sale(1, 500)
    chain = Chain()
    chain.mine(moved)
    index(FakeNode(chain))
    assert Transfer.objects.get().judged
    load_lines(
        [
            partial(
                moved,
                1,
                transferType="sale",
                nftValue={"tokenAddress": ZERO, "tokenName": "Ether", "amount": "500"},
            )
        ]
    )
    Transfer.objects.update(transfer_type="transfer", nft_value_amount=None)  # as older rules had it
    classify()
    assert shown("transfer_type", "nft_value_amount") == [(1, APES, 1, "sale", 500)]


def test_an_nft_that_is_named_after_its_birth_stays_when_that_is_lost() -> None:
    chain = Chain()
    chain.mine(tx(log(1, ZERO, ALICE), log(2, ZERO, ALICE), log(3, ZERO, ALICE)))
    index(FakeNode(chain))
    load_lines([nft("1", metadata={"name": "One"}), nft("2")])
    again(chain)
    index(FakeNode(chain))
    assert dict(Nft.objects.values_list("token_key", "metadata")) == {"011": '{"name": "One"}', "012": None}


@pytest.mark.parametrize("loaded_first", [True, False])
def test_a_contract_keeps_what_was_stated_of_it_when_all_its_nfts_are_lost(loaded_first: bool) -> None:
    chain = Chain()
    chain.mine(tx(log(1, ZERO, ALICE), units(1, ZERO, ALICE, 1)))
    line = contract(APES, standard=None, name="Apes", marked=True)
    if loaded_first:
        load_lines([line])
    index(FakeNode(chain))
    if not loaded_first:
        load_lines([line])
    assert Contract.objects.get(address=APES).standard == "ERC721"
    again(chain)
    index(FakeNode(chain))
    rows = Contract.objects.values_list("address", "standard", "name", "marked")
    assert list(rows) == [(APES, "", "Apes", True)]


def test_a_dump_of_what_met_the_chain_loads_as_it_was_shown() -> None:
    moved = tx(log(2, ZERO, BOB), log(1, ALICE, CAROL), log(4, ZERO, BOB, FROGS))
    chain = Chain()
    chain.mine(moved)
    load_lines([last(moved, native=[1], transferType="sale", nftValue=ETHER), last(moved, "9", native=[9])])
    index(FakeNode(chain))
    first = dumped()
    transfers = [json.loads(line) for line in first.splitlines() if '"record":"transfer"' in line]
    assert len(transfers) == 4
    Transfer.objects.all().delete()
    TransferStatement.objects.all().delete()
    load_lines(first.splitlines(keepends=False))
    assert dumped() == first
