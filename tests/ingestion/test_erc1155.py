"""ERC-1155: single transfers and batches, the strange ones too."""

from __future__ import annotations

import time

import pytest

from indexing.decode.decode import decode
from indexing.decode.moves import Move
from tests.ingestion.encoding import ALICE, APES, BLOCK, BOB, CAROL, TRANSACTION, ZERO, batch_data, log, word

SINGLE = "TransferSingle(address,address,address,uint256,uint256)"
BATCH = "TransferBatch(address,address,address,uint256[],uint256[])"
PARTIES = [CAROL, ALICE, BOB]
LARGEST = 2**256 - 1


@pytest.mark.parametrize("amount", [1, 6, 0, LARGEST])
def test_a_single_transfer_moves_its_units(amount: int) -> None:
    decoded = decode([log(SINGLE, PARTIES, word(2**200) + word(amount))], 1)
    assert decoded.moves == [Move(APES, "ERC1155", 2**200, ALICE, BOB, amount, TRANSACTION, 3, 0, BLOCK)]


def test_a_single_transfer_may_index_nothing() -> None:
    data = word(CAROL) + word(ZERO) + word(BOB) + word(5) + word(3)
    (move,) = decode([log(SINGLE, [], data)], 1).moves
    assert (move.token_id, move.sender, move.receiver, move.amount) == (5, ZERO, BOB, 3)


def test_an_operator_that_is_no_address_spoils_nothing() -> None:
    """Who carried the transfer out is no part of what it moved."""
    decoded = decode([log(SINGLE, [2**255, ALICE, BOB], word(5) + word(3))], 1)
    assert [(move.sender, move.receiver) for move in decoded.moves] == [(ALICE, BOB)]


def test_each_entry_of_a_batch_is_a_move_also_where_it_repeats_a_token_or_moves_nothing() -> None:
    decoded = decode([log(BATCH, PARTIES, batch_data([6, 7, 6, 8], [2, 1, 5, 0]))], 1)
    assert [(move.batch_index, move.token_id, move.amount) for move in decoded.moves] == [
        (0, 6, 2),
        (1, 7, 1),
        (2, 6, 5),
        (3, 8, 0),
    ]
    assert {(move.sender, move.receiver, move.log_index) for move in decoded.moves} == {(ALICE, BOB, 3)}


def test_a_batch_may_index_nothing() -> None:
    tail = word(160) + word(256) + word(2) + word(1) + word(2) + word(2) + word(10) + word(20)
    decoded = decode([log(BATCH, [], "".join(map(word, PARTIES)) + tail)], 1)
    assert [(move.token_id, move.amount, move.sender) for move in decoded.moves] == [
        (1, 10, ALICE),
        (2, 20, ALICE),
    ]


def test_an_empty_batch_moves_nothing() -> None:
    assert decode([log(BATCH, PARTIES, batch_data([], []))], 1) == ([], [], [])


def test_the_lists_of_a_batch_may_stand_anywhere_in_the_data() -> None:
    """Amounts first, at an odd offset; and one list for both."""
    swapped = word(129) + word(65) + "00" + word(1) + word(50) + word(1) + word(9)
    (move,) = decode([log(BATCH, PARTIES, swapped)], 1).moves
    assert (move.token_id, move.amount) == (9, 50)
    shared = word(64) + word(64) + word(2) + word(1) + word(2)
    assert [(move.token_id, move.amount) for move in decode([log(BATCH, PARTIES, shared)], 1).moves] == [
        (1, 1),
        (2, 2),
    ]


CUT_OFF = "The data is cut off: a list or text claims to be longer than what follows."


@pytest.mark.parametrize(
    ("signature", "topics", "data", "reason"),
    [
        (BATCH, PARTIES, batch_data([1, 2], [1]), "TransferBatch names 2 tokens but 1 amounts."),
        (BATCH, PARTIES, batch_data([1, 2], [1, 1])[:-64], CUT_OFF),
        (BATCH, PARTIES, batch_data([1, 2], [1, 1])[:-2], CUT_OFF),
        (BATCH, PARTIES, word(64) + word(64) + word(2**255), CUT_OFF),
        (BATCH, PARTIES, word(64) + word(64) + word(LARGEST) + word(0), CUT_OFF),
        (BATCH, PARTIES, word(LARGEST) + word(64) + word(0), "The data points beyond its end."),
        (BATCH, PARTIES, word(65) + word(64) + word(0), "The data points beyond its end."),
        (BATCH, PARTIES, word(0), "The data ends after 32 bytes, before what should be in it."),
        (BATCH, PARTIES, "", "The data ends after 0 bytes, before what should be in it."),
        (SINGLE, PARTIES, word(1), "The data ends after 32 bytes, before what should be in it."),
        (SINGLE, [CAROL, 2**160, BOB], word(1) * 2, "Topic 2 is no address: it is longer than 20 bytes."),
        (
            SINGLE,
            [ALICE, BOB],
            word(BOB) + word(1) * 2,
            "A transfer of ERC-1155 has 4 topics, or 1 with nothing indexed, not 3.",
        ),
    ],
)
def test_what_cannot_be_read_is_kept_with_the_reason(
    signature: str, topics: list[int | str], data: str, reason: str
) -> None:
    transfer = log(signature, topics, data)
    assert decode([transfer], 1) == ([], [], [(transfer, reason)])


def test_a_batch_of_10_000_is_read_and_one_of_10_001_is_not() -> None:
    ids = list(range(10_001))
    decoded = decode([log(BATCH, PARTIES, batch_data(ids[:-1], ids[:-1]))], 1)
    assert [move.batch_index for move in decoded.moves] == ids[:-1]
    (fault,) = decode([log(BATCH, PARTIES, batch_data(ids, ids))], 1).undecoded
    assert fault.reason == "A list of 10001 entries is longer than 10000."


def test_a_fault_spoils_its_own_log_only() -> None:
    logs = [
        log(SINGLE, PARTIES, word(1) + word(1), index=1),
        log(BATCH, PARTIES, batch_data([1, 2], [1]), index=2),
        log(SINGLE, PARTIES, word(2) + word(1), index=3),
    ]
    decoded = decode(logs, 1)
    assert [move.log_index for move in decoded.moves] == [1, 3]
    assert [fault.log for fault in decoded.undecoded] == [logs[1]]


def test_claimed_lengths_cost_nothing() -> None:
    """Ten thousand lists of 2^255 entries; a processor second is a hundred times what they take."""
    transfer = log(BATCH, PARTIES, word(64) + word(64) + word(2**255))
    start = time.process_time()
    assert len(decode([transfer] * 10_000, 1).undecoded) == 10_000
    assert time.process_time() - start < 5
