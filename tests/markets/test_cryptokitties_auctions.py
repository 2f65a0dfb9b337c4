"""The sale auctions of CryptoKitties: the kitty is in custody, and its move follows the event."""

from __future__ import annotations

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, BOB, CAROL, log, words
from tests.markets.building import of_transaction, sold, verdict

KITTIES = "0x06012c8cf97bead5deae237070f9587f8e7a266d"
SALES = "0xb1690c08e213a35ed9bab7b318de14420fb57d8c"
SIRES = "0xc7af99fe5513eb6710e6d5f44f9989da40f27f26"


def _moved(kitty: int, sender: str, receiver: str, *, index: int) -> RawLog:
    data = words(sender, receiver, kitty)
    return log("Transfer(address,address,uint256)", [], data, contract=KITTIES, index=index)


def _successful(kitty: int, price: int, winner: str, *, index: int, contract: str = SALES) -> RawLog:
    signature = "AuctionSuccessful(uint256,uint256,address)"
    return log(signature, [], words(kitty, price, winner), contract=contract, index=index)


def test_a_kitty_is_sold_by_the_move_that_follows_the_event_for_the_price_without_the_change() -> None:
    logs = [_successful(447760, 50, ALICE, index=1), _moved(447760, SALES, ALICE, index=2)]
    found = verdict(of_transaction(logs, target=SALES, value=60))
    assert (found.judgements, found.faults) == ((sold(50),), ())
    assert (found.markets, found.is_commercial) == (("cryptokitties-auction",), True)
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.AUCTION, None, ALICE)


def test_several_kitties_bought_by_one_contract_each_carry_their_price() -> None:
    logs = [
        _successful(1, 50, BOB, index=1),
        _moved(1, SALES, BOB, index=2),
        _successful(2, 70, BOB, index=3),
        _moved(2, SALES, BOB, index=4),
    ]
    assert verdict(of_transaction(logs, target=BOB, value=120)).judgements == (sold(50), sold(70))


def test_a_price_above_what_the_transaction_brought_is_not_published() -> None:
    logs = [_successful(1, 50, ALICE, index=1), _moved(1, SALES, ALICE, index=2)]
    found = verdict(of_transaction(logs, target=SALES, value=49))
    assert (found.judgements[0].transfer_type, found.judgements[0].currency) == ("sale", None)
    assert len(found.faults) == 1


def test_a_clock_that_came_to_nothing_gives_the_kitty_away() -> None:
    logs = [_successful(1, 0, ALICE, index=1), _moved(1, SALES, ALICE, index=2)]
    assert [one.transfer_type for one in verdict(of_transaction(logs)).judgements] == ["transfer"]


def test_a_rented_sire_goes_home_and_is_no_sale() -> None:
    logs = [_successful(1, 50, ALICE, index=1, contract=SIRES), _moved(1, SIRES, BOB, index=2)]
    found = verdict(of_transaction(logs, target=SIRES, value=50))
    assert ([one.transfer_type for one in found.judgements], found.fills) == (["transfer"], ())


def test_putting_a_kitty_up_and_taking_it_back_is_custody() -> None:
    created = log(
        "AuctionCreated(uint256,uint256,uint256,uint256)", [], words(1, 3, 0, 9), contract=SALES, index=2
    )
    cancelled = log("AuctionCancelled(uint256)", [], words(1), contract=SALES, index=2)
    for logs in (
        [_moved(1, BOB, SALES, index=1), created],
        [_moved(1, SALES, BOB, index=1), cancelled],
    ):
        found = verdict(of_transaction(logs, sender=BOB))
        assert ([one.transfer_type for one in found.judgements], found.is_commercial) == (["transfer"], False)


def test_an_event_whose_kitty_goes_elsewhere_is_a_fault() -> None:
    logs = [_successful(1, 50, ALICE, index=1), _moved(1, SALES, CAROL, index=2)]
    found = verdict(of_transaction(logs))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert [(one.log_index, one.price) for one in found.faults] == [(1, 50)]


def test_a_malformed_event_is_a_fault_and_the_rest_is_read() -> None:
    good = _successful(1, 50, ALICE, index=3)
    logs = [
        good._replace(log_index=1, data=good.data[:95]),
        good._replace(log_index=2, topics=(*good.topics, good.topics[0])),
        good,
        _moved(1, SALES, ALICE, index=4),
    ]
    found = verdict(of_transaction(logs, target=SALES, value=50))
    assert found.judgements == (sold(50),)
    assert [one.log_index for one in found.faults] == [1, 2]
