"""ERC-721: which `Transfer` is an NFT's, in all its forms, and the ranges of ERC-2309."""

from __future__ import annotations

import pytest

from indexing.contracts.kinds import Form, form_of
from indexing.decode.decode import MAX_MOVES, decode
from indexing.decode.moves import Move
from indexing.decode.old_contracts import OLD_NFTS
from tests.ingestion.encoding import ALICE, APES, BLOCK, BOB, TRANSACTION, ZERO, log, word

TRANSFER = "Transfer(address,address,uint256)"
CONSECUTIVE = "ConsecutiveTransfer(uint256,uint256,address,address)"
KITTIES = "0x06012c8cf97bead5deae237070f9587f8e7a266d"
VOXELS = "0x79986af15539de2db9a5086382daeda917a9cf0c"
ZKSYNC_ETHER = "0x000000000000000000000000000000000000800a"
DEAD = "0x000000000000000000000000000000000000dead"
LARGEST = 2**256 - 1


@pytest.mark.parametrize(
    ("sender", "receiver", "token_id"),
    [(ALICE, BOB, 7), (ZERO, BOB, 0), (ALICE, ZERO, 7), (ALICE, ALICE, LARGEST)],
    ids=["sent on", "minted", "burnt", "sent to oneself"],
)
def test_a_transfer_with_four_topics_moves_one_nft(sender: str, receiver: str, token_id: int) -> None:
    decoded = decode([log(TRANSFER, [sender, receiver, token_id])], 1)
    assert decoded.moves == [Move(APES, "ERC721", token_id, sender, receiver, 1, TRANSACTION, 3, 0, BLOCK)]
    assert (decoded.refreshes, decoded.undecoded) == ([], [])


def test_a_transfer_with_four_topics_of_known_money_is_left_out() -> None:
    """An ERC-20 contract may index its amount (solidity#6148, F59); the log alone does not say so."""
    decoded = decode([log(TRANSFER, [ALICE, BOB, 10**18])], 1, fungible_contracts={APES})
    assert decoded == ([], [], [])


@pytest.mark.parametrize("chain_id", [1, 324])
@pytest.mark.parametrize("contract", [APES, ZKSYNC_ETHER])
def test_a_transfer_of_erc20_is_no_fault_and_no_transfer(chain_id: int, contract: str) -> None:
    """zkSync's own money emits such logs too (F70)."""
    decoded = decode([log(TRANSFER, [ALICE, BOB], word(10**18), contract=contract)], chain_id)
    assert decoded == ([], [], [])


def test_cryptokitties_indexes_nothing() -> None:
    data = word(ALICE) + word(BOB) + word(2_023_873)
    (move,) = decode([log(TRANSFER, [], data, contract=KITTIES)], 1).moves
    assert move[:6] == (KITTIES, "CryptoKitties", 2_023_873, ALICE, BOB, 1)


def test_cryptovoxels_indexes_all_but_the_token() -> None:
    """The very form of ERC-20 (safe-transaction-service#211, F59)."""
    (move,) = decode([log(TRANSFER, [ALICE, BOB], word(5_941), contract=VOXELS)], 1).moves
    assert move[:6] == (VOXELS, "ERC721", 5_941, ALICE, BOB, 1)


def test_a_known_contract_is_known_on_its_own_chain_only() -> None:
    data = word(ALICE) + word(BOB) + word(1)
    assert decode([log(TRANSFER, [], data, contract=KITTIES)], 137) == ([], [], [])


@pytest.mark.parametrize(
    ("topics", "data", "expected"),
    [
        ([], word(ALICE) + word(BOB) + word(9), (9, ALICE, BOB)),
        ([ALICE, BOB], word(9), (9, ALICE, BOB)),
        ([ALICE], word(BOB) + word(9), (9, ALICE, BOB)),
        ([ALICE], word(BOB) + word(0), (0, ALICE, BOB)),
        ([ALICE], word(BOB) + word(2**200), (2**200, ALICE, BOB)),
        ([9], word(ALICE) + word(BOB), (9, ALICE, BOB)),
        ([0], word(ALICE) + word(BOB), (0, ALICE, BOB)),
        ([9], word(ZERO) + word(BOB), (9, ZERO, BOB)),
        ([ZERO], word(BOB) + word(9), (9, ZERO, BOB)),
        ([ALICE], word(DEAD) + word(9), (9, ALICE, DEAD)),
    ],
)
def test_other_forms_are_read_for_contracts_that_the_caller_knows(
    topics: list[int | str], data: str, expected: tuple[int, str, str]
) -> None:
    transfer = log(TRANSFER, topics, data)
    assert decode([transfer], 1) == ([], [], [])
    decoded = decode([transfer], 1, {APES})
    assert [(move.token_id, move.sender, move.receiver) for move in decoded.moves] == [expected]


def test_one_indexed_argument_that_could_be_two_things_is_not_guessed() -> None:
    """Nobody, Bob, zero: token 0 minted to Bob, or burnt by him."""
    transfer = log(TRANSFER, [ZERO], word(BOB) + word(0))
    decoded = decode([transfer], 1, {APES})
    assert decoded.undecoded == [
        (transfer, "One argument of Transfer is indexed, and its values do not tell which.")
    ]


def test_contracts_to_ask_are_those_whose_transfer_tells_nothing() -> None:
    plain = word(ALICE) + word(BOB) + word(9)
    logs = [
        log(TRANSFER, [], plain, contract="0x" + "01" * 20),
        log(TRANSFER, [ALICE], word(BOB) + word(9), contract="0x" + "02" * 20),
        log(TRANSFER, [ALICE, BOB], word(9), contract="0x" + "03" * 20),
        log(TRANSFER, [ALICE, BOB, 9], contract="0x" + "04" * 20),
        log(TRANSFER, [], plain, contract=KITTIES),
        log("Birth(address)", [], plain, contract="0x" + "05" * 20),
    ]
    bare = {one.address for one in logs if form_of(one) is Form.BARE}
    assert bare - OLD_NFTS[1].keys() == {"0x" + "01" * 20, "0x" + "02" * 20}


@pytest.mark.parametrize(
    ("topics", "data", "contract", "reason"),
    [
        ([2**160, BOB, 7], "", APES, "Topic 1 is no address: it is longer than 20 bytes."),
        ([ALICE, LARGEST, 7], "", APES, "Topic 2 is no address: it is longer than 20 bytes."),
        ([], word(ALICE) + word(BOB), KITTIES, "The data ends after 64 bytes, before what should be in it."),
        ([], word(2**200) * 3, KITTIES, "The word at byte 0 is no address: it is longer than 20 bytes."),
        ([ALICE, BOB], "00" * 31, VOXELS, "The data ends after 31 bytes, before what should be in it."),
    ],
)
def test_what_is_no_address_or_cut_off_is_kept_with_the_reason(
    topics: list[int | str], data: str, contract: str, reason: str
) -> None:
    transfer = log(TRANSFER, topics, data, contract=contract)
    assert decode([transfer], 1) == ([], [], [(transfer, reason)])


def test_data_that_the_event_does_not_have_is_ignored() -> None:
    (move,) = decode([log(TRANSFER, [ALICE, BOB, 7], word(99) + "ff")], 1).moves
    assert (move.token_id, move.amount) == (7, 1)


def test_a_consecutive_transfer_is_a_move_for_each_token() -> None:
    """100 to 110 are eleven tokens, where explorers saw one (openzeppelin-contracts#2355, F60)."""
    decoded = decode([log(CONSECUTIVE, [100, ZERO, BOB], word(110))], 1)
    assert [(move.token_id, move.batch_index) for move in decoded.moves] == [
        (100 + place, place) for place in range(11)
    ]
    assert {move[3:6] for move in decoded.moves} == {(ZERO, BOB, 1)}
    assert {move.standard for move in decoded.moves} == {"ERC721"}


@pytest.mark.parametrize(("first", "last", "count"), [(5, 5, 1), (0, 9_999, 10_000), (LARGEST, LARGEST, 1)])
def test_ranges_of_up_to_10_000_tokens_are_read(first: int, last: int, count: int) -> None:
    assert len(decode([log(CONSECUTIVE, [first, ZERO, BOB], word(last))], 1).moves) == count


@pytest.mark.parametrize(
    ("first", "last", "reason"),
    [
        (0, 10_000, "The range 0 to 10000 is longer than 10000 tokens."),
        (0, LARGEST, f"The range 0 to {LARGEST} is longer than 10000 tokens."),
        (7, 6, "The range ends before it begins: 7 to 6."),
    ],
)
def test_longer_and_reversed_ranges_are_not_read(first: int, last: int, reason: str) -> None:
    transfer = log(CONSECUTIVE, [first, ZERO, BOB], word(last))
    assert decode([transfer], 1) == ([], [], [(transfer, reason)])


def test_a_transaction_of_endless_ranges_ends() -> None:
    """A range is a few bytes, and a block holds thousands of them: 150 million tokens."""
    ranges = [log(CONSECUTIVE, [0, ZERO, BOB], word(9_999), index=index) for index in range(12)]
    decoded = decode(ranges, 1)
    assert len(decoded.moves) == MAX_MOVES == 100_000
    assert [(fault.log.log_index, fault.reason) for fault in decoded.undecoded] == [
        (10, "The transaction moves more than 100000 NFTs."),
        (11, "The transaction moves more than 100000 NFTs."),
    ]
