"""CryptoPunks: two contracts with events of their own, whose `PunkBought` is wrong when it matters."""

from __future__ import annotations

import pytest

from indexing.decode.decode import decode
from indexing.decode.moves import Decoded
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, log, word

PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
V1 = "0x6ba6f2207e343923ba692e5cae646fb0f566db8d"
WRAPPED = "0xb7f7f6c52f2e2fdb1963eab30438024864c313f6"
PRICE = 94_950_000_000_000_000_000


def money(sender: str, receiver: str, *, index: int, contract: str = PUNKS) -> RawLog:
    """The ERC-20-style `Transfer` of one unit that goes with every move."""
    return log(
        "Transfer(address,address,uint256)", [sender, receiver], word(1), contract=contract, index=index
    )


def withdrawn(punk: int, *, index: int, contract: str = PUNKS) -> RawLog:
    """The offer for the punk ends."""
    return log("PunkNoLongerForSale(uint256)", [punk], contract=contract, index=index)


def bought(punk: int, value: int, sender: str, receiver: str, *, index: int, contract: str = PUNKS) -> RawLog:
    signature = "PunkBought(uint256,uint256,address,address)"
    return log(signature, [punk, sender, receiver], word(value), contract=contract, index=index)


def moved(decoded: Decoded) -> list[tuple[str, str, int, str, str, int, int]]:
    """Contract, standard, token, sender, receiver, amount and log index of each move."""
    assert decoded.undecoded == []
    return [(*move[:6], move.log_index) for move in decoded.moves]


@pytest.mark.parametrize("contract", [PUNKS, V1])
def test_a_punk_assigned_is_minted(contract: str) -> None:
    assign = log("Assign(address,uint256)", [BOB], word(4851), contract=contract)
    assert moved(decode([assign], 1)) == [(contract, "CryptoPunks", 4851, ZERO, BOB, 1, 3)]


@pytest.mark.parametrize("contract", [PUNKS, V1])
def test_a_punk_sent_is_one_move_although_two_logs_say_so(contract: str) -> None:
    logs = [
        money(ALICE, BOB, index=8, contract=contract),
        log("PunkTransfer(address,address,uint256)", [ALICE, BOB], word(89), contract=contract, index=9),
    ]
    assert moved(decode(logs, 1)) == [(contract, "CryptoPunks", 89, ALICE, BOB, 1, 9)]


def test_a_punk_bought_is_one_move() -> None:
    logs = [money(ALICE, BOB, index=4), withdrawn(7, index=5), bought(7, PRICE, ALICE, BOB, index=6)]
    assert moved(decode(logs, 1)) == [(PUNKS, "CryptoPunks", 7, ALICE, BOB, 1, 6)]


def test_an_accepted_bid_is_a_move_to_the_bidder_not_a_burn() -> None:
    """The bid is cleared before it is read for the event: value 0, buyer zero (cryptopunks#19, F58)."""
    logs = [money(ALICE, BOB, index=4), bought(7, 0, ALICE, ZERO, index=5)]
    assert moved(decode(logs, 1)) == [(PUNKS, "CryptoPunks", 7, ALICE, BOB, 1, 5)]


def test_the_transfer_may_stand_two_logs_earlier() -> None:
    """With the log between them among those read, and with it left out by the question to the node."""
    between = [money(ALICE, BOB, index=4), withdrawn(7, index=5), bought(7, 0, ALICE, ZERO, index=6)]
    assert moved(decode(between, 1)) == moved(decode([between[0], between[2]], 1))
    assert moved(decode(between, 1)) == [(PUNKS, "CryptoPunks", 7, ALICE, BOB, 1, 6)]


def test_each_of_two_accepted_bids_finds_its_own_buyer() -> None:
    logs = [
        money(ALICE, BOB, index=4),
        bought(7, 0, ALICE, ZERO, index=5),
        money(ALICE, CAROL, index=6),
        bought(8, 0, ALICE, ZERO, index=7),
    ]
    assert [(move.token_id, move.receiver) for move in decode(logs, 1).moves] == [(7, BOB), (8, CAROL)]


@pytest.mark.parametrize(
    "earlier",
    [
        [],
        [money(ALICE, BOB, index=2)],  # three logs earlier
        [money(ALICE, BOB, index=4, contract=APES)],  # of other money
        [money(CAROL, BOB, index=4)],  # of another seller
        [withdrawn(7, index=4)],
        [log("Transfer(address,address,uint256)", contract=PUNKS, index=4)],  # without anybody
    ],
)
def test_an_accepted_bid_without_its_transfer_is_not_guessed(earlier: list[RawLog]) -> None:
    bid = bought(7, 0, ALICE, ZERO, index=5)
    decoded = decode([*earlier, bid], 1)
    assert decoded == (
        [],
        [],
        [(bid, "PunkBought does not say who bought from whom, and no Transfer just before it does.")],
    )


def test_a_sale_on_v1_leaves_the_seller_although_the_event_names_the_buyer_twice() -> None:
    """V1 clears the offer before it reads the seller from it, which made the buyer the offer's seller."""
    logs = [
        money(ALICE, BOB, index=4, contract=V1),
        withdrawn(4851, index=5, contract=V1),
        bought(4851, PRICE, BOB, BOB, index=6, contract=V1),
    ]
    assert moved(decode(logs, 1)) == [(V1, "CryptoPunks", 4851, ALICE, BOB, 1, 6)]


def test_a_punk_bought_by_its_own_owner_is_a_self_transfer() -> None:
    logs = [money(BOB, BOB, index=4), withdrawn(7, index=5), bought(7, 1, BOB, BOB, index=6)]
    assert moved(decode(logs, 1)) == [(PUNKS, "CryptoPunks", 7, BOB, BOB, 1, 6)]


def test_bids_and_offers_move_nothing() -> None:
    bid = log("PunkBidEntered(uint256,uint256,address)", [7, BOB], word(PRICE), contract=PUNKS)
    assert decode([bid, withdrawn(7, index=4)], 1) == ([], [], [])


def test_a_wrapped_punk_is_a_token_of_its_own() -> None:
    logs = [
        log("Transfer(address,address,uint256)", [ALICE, ZERO, 1848], contract=WRAPPED, index=1),
        money(WRAPPED, ALICE, index=2),
        log("PunkTransfer(address,address,uint256)", [WRAPPED, ALICE], word(1848), contract=PUNKS, index=3),
    ]
    assert moved(decode(logs, 1)) == [
        (WRAPPED, "ERC721", 1848, ALICE, ZERO, 1, 1),
        (PUNKS, "CryptoPunks", 1848, WRAPPED, ALICE, 1, 3),
    ]


def test_the_events_count_only_where_the_contract_is_known_or_named() -> None:
    """Copies that are ERC-721 emit both kinds of events for one move."""
    sent = log("PunkTransfer(address,address,uint256)", [ALICE, BOB], word(5))
    on_another_chain = sent._replace(address=PUNKS)
    assert decode([sent], 1) == ([], [], [])
    assert decode([on_another_chain], 137) == ([], [], [])
    (move,) = decode([sent], 31_337, punk_contracts={APES}).moves
    assert move[:6] == (APES, "CryptoPunks", 5, ALICE, BOB, 1)


@pytest.mark.parametrize(
    ("signature", "topics", "data", "reason"),
    [
        ("Assign(address,uint256)", [BOB], "", "The data ends after 0 bytes"),
        ("Assign(address,uint256)", [], word(BOB) + word(1), "The event has 2 topics, this log 1."),
        ("PunkTransfer(address,address,uint256)", [2**200, BOB], word(1), "Topic 1 is no address"),
        ("PunkBought(uint256,uint256,address,address)", [1, ALICE, BOB], "00", "The data ends after 1 bytes"),
    ],
)
def test_what_cannot_be_read_is_kept_with_the_reason(
    signature: str, topics: list[int | str], data: str, reason: str
) -> None:
    (fault,) = decode([log(signature, topics, data, contract=PUNKS)], 1).undecoded
    assert fault.reason.startswith(reason)
