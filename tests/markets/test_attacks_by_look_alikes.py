"""Contracts that emit what they like: what of it is believed, and what never is."""

from __future__ import annotations

import pytest

from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.markets.building import ETHER, ONE_ETHER, WETH, erc20, erc721, of_transaction, sold, verdict
from tests.markets.seaport_events import SEAPORT_15, erc20_item, nft_item, order_fulfilled, paid

FAKE = "0x" + "fa" * 20
OTHER_APES = "0x" + "0a" * 20


def test_a_token_that_emits_seaports_event_sells_nothing() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[paid(5, BOB)],
        index=1,
        contract=FAKE,
    )
    found = verdict(of_transaction([event, erc721(APES, 7, BOB, ALICE, index=2)], value=5))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert (found.is_commercial, found.markets, found.faults) == (False, (), ())


def test_what_a_token_says_was_paid_in_it_is_never_money_of_another_contract() -> None:
    """Anybody can make a token whose logs say that a stranger paid: the price is then in that token, worth nothing."""
    logs = [erc721(APES, 7, BOB, ALICE, index=1), erc20(FAKE, ONE_ETHER, ALICE, BOB, index=2)]
    found = verdict(of_transaction(logs, sender=BOB))
    assert found.judgements == (sold(ONE_ETHER, FAKE),)
    assert not found.is_commercial


def test_a_fake_payment_does_not_bear_out_a_price_in_wrapped_ether() -> None:
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[erc20_item(WETH, 100, BOB)],
        index=1,
    )
    logs = [event, erc721(APES, 7, BOB, ALICE, index=2), erc20(FAKE, 100, ALICE, BOB, index=3)]
    found = verdict(of_transaction(logs))
    assert [(one.transfer_type, one.currency) for one in found.judgements] == [("sale", None)]
    assert [fault.price for fault in found.faults] == [100]


def test_what_the_nfts_own_contract_calls_money_is_no_payment() -> None:
    """ERC-404: the contract tells of its NFTs as units of a token, too."""
    logs = [erc721(APES, 7, BOB, ALICE, index=1), erc20(APES, ONE_ETHER, ALICE, BOB, index=2)]
    assert [one.transfer_type for one in verdict(of_transaction(logs)).judgements] == ["transfer"]


@pytest.mark.parametrize(("contract", "token_id"), [(APES, 8), (OTHER_APES, 7)])
def test_another_nft_than_the_event_names_is_not_sold_by_it(contract: str, token_id: int) -> None:
    event = order_fulfilled(
        offerer=BOB, recipient=ALICE, offer=[nft_item(APES, 7)], consideration=[paid(5, BOB)], index=1
    )
    logs = [event, erc721(contract, token_id, BOB, ALICE, index=2)]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=5))
    assert [one.transfer_type for one in found.judgements] == ["transfer"]
    assert [(fault.log_index, fault.price) for fault in found.faults] == [(1, 5)]


def test_mints_to_strangers_beside_a_sale_are_mints() -> None:
    event = order_fulfilled(
        offerer=BOB, recipient=ALICE, offer=[nft_item(APES, 7)], consideration=[paid(5, BOB)], index=1
    )
    strangers = [f"0x{number + 2**150:040x}" for number in range(50)]
    mints = [erc721(APES, 100 + at, ETHER, one, index=10 + at) for at, one in enumerate(strangers)]
    logs = [event, erc721(APES, 7, BOB, ALICE, index=2), *mints]
    found = verdict(of_transaction(logs, target=SEAPORT_15, value=5))
    assert found.judgements[0] == sold(5)
    assert {(one.transfer_type, one.currency) for one in found.judgements[1:]} == {("mint", None)}


def test_a_price_beyond_what_any_token_has_is_published_nowhere() -> None:
    """Two parts of 2^255 each, of a token made for it: the sum fits no number of the chain."""
    half = 2**255
    event = order_fulfilled(
        offerer=BOB,
        recipient=ALICE,
        offer=[nft_item(APES, 7)],
        consideration=[erc20_item(FAKE, half, BOB), erc20_item(FAKE, half, CAROL)],
        index=1,
    )
    money = [erc20(FAKE, half, ALICE, BOB, index=3), erc20(FAKE, half, ALICE, CAROL, index=4)]
    found = verdict(of_transaction([event, erc721(APES, 7, BOB, ALICE, index=2), *money]))
    assert [(one.transfer_type, one.currency) for one in found.judgements] == [("sale", None)]
    assert "2^256" in found.faults[0].reason
