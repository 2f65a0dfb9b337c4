"""Manifold's marketplace, whose events name a listing, and neither the NFT nor the currency."""

from __future__ import annotations

from indexing.judge.verdicts import Side
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import PRICELESS, USDC, erc20, erc721, erc1155, of_transaction, sold, verdict
from tests.markets.manifold_events import MANIFOLD, canceled, finalized, offer_accepted, purchase


def _kinds(logs: list[RawLog]) -> list[str]:
    return [one.transfer_type for one in verdict(of_transaction(logs, target=MANIFOLD)).judgements]


def test_a_purchase_sells_what_left_custody_before_it_for_ether() -> None:
    logs = [erc721(APES, 7, MANIFOLD, ALICE, index=1), purchase(ALICE, 100, index=2)]
    found = verdict(of_transaction(logs, target=MANIFOLD, value=100))
    assert (found.judgements, found.faults) == ((sold(100),), ())
    assert (found.markets, found.is_commercial) == (("manifold",), True)
    fill = found.fills[0]
    assert (fill.side, fill.seller, fill.buyer) == (Side.ASK, None, ALICE)


def test_several_units_of_one_id_are_one_item_with_the_whole_price() -> None:
    logs = [erc1155(APES, 7, 3, MANIFOLD, ALICE, index=1), purchase(ALICE, 300, count=3, index=2)]
    assert verdict(of_transaction(logs, target=MANIFOLD, value=300)).judgements == (sold(300),)


def test_a_lazy_listing_is_minted_to_its_buyer() -> None:
    logs = [erc721(APES, 7, ZERO, ALICE, index=1), purchase(ALICE, 100, index=2)]
    assert verdict(of_transaction(logs, target=MANIFOLD, value=100)).judgements == (sold(100),)


def test_several_minted_for_one_amount_are_a_bundle() -> None:
    logs = [
        erc721(APES, 7, ZERO, ALICE, index=1),
        erc721(APES, 8, ZERO, ALICE, index=2),
        purchase(ALICE, 200, count=2, index=3),
    ]
    found = verdict(of_transaction(logs, target=MANIFOLD, value=200))
    assert [(one.transfer_type, one.currency, len(one.swaps)) for one in found.judgements] == [
        ("sale", None, 3)
    ] * 2


def test_two_purchases_in_one_transaction_each_have_the_moves_since_the_last_event() -> None:
    logs = [
        erc721(APES, 7, MANIFOLD, CAROL, index=1),
        purchase(CAROL, 100, index=2),
        erc721(APES, 8, MANIFOLD, CAROL, index=3),
        purchase(CAROL, 250, index=4),
        erc721(APES, 7, CAROL, ALICE, index=5),
        erc721(APES, 8, CAROL, ALICE, index=6),
    ]
    found = verdict(of_transaction(logs, target=CAROL, value=350))
    assert found.judgements[:2] == (sold(100), sold(250))
    assert [one.transfer_type for one in found.judgements[2:]] == ["transfer", "transfer"]


def test_moves_of_other_contracts_before_a_delivery_are_not_part_of_it() -> None:
    logs = [
        erc721(CAROL, 1, ZERO, ALICE, index=1),
        erc721(APES, 7, MANIFOLD, ALICE, index=2),
        purchase(ALICE, 100, index=3),
    ]
    found = verdict(of_transaction(logs, target=MANIFOLD, value=100))
    assert [one.transfer_type for one in found.judgements] == ["mint", "sale"]
    assert found.judgements[1] == sold(100)


def test_a_purchase_is_in_the_token_of_which_the_buyer_sent_just_the_amount() -> None:
    logs = [
        erc721(APES, 7, MANIFOLD, ALICE, index=1),
        erc20(USDC, 10, ALICE, CAROL, index=2),
        erc20(USDC, 90, ALICE, BOB, index=3),
        purchase(ALICE, 100, index=4),
    ]
    found = verdict(of_transaction(logs, target=MANIFOLD))
    assert (found.judgements, found.faults) == ((sold(100, USDC),), ())


def test_a_price_above_what_the_transaction_brought_is_not_published() -> None:
    logs = [erc721(APES, 7, MANIFOLD, ALICE, index=1), purchase(ALICE, 100, index=2)]
    found = verdict(of_transaction(logs, target=MANIFOLD, value=99))
    assert (found.judgements[0].transfer_type, found.judgements[0].currency) == ("sale", None)
    assert len(found.faults) == 1


def test_an_accepted_offer_is_sold_to_whoever_gets_the_nft_whom_the_first_build_does_not_name() -> None:
    logs = [erc721(APES, 7, MANIFOLD, ALICE, index=1), offer_accepted(BOB, 100, index=2)]
    found = verdict(of_transaction(logs, sender=BOB, target=MANIFOLD))
    assert (found.judgements, found.faults) == ((sold(100),), ())
    fill = found.fills[0]
    assert (fill.side, fill.buyer, fill.escrowed) == (Side.BID, ALICE, True)


def test_an_accepted_offer_is_in_the_token_that_the_marketplace_pays_out() -> None:
    logs = [
        erc721(APES, 7, MANIFOLD, ALICE, index=1),
        erc20(USDC, 90, MANIFOLD, BOB, index=2),
        offer_accepted(ALICE, 100, index=3),
    ]
    assert verdict(of_transaction(logs, sender=BOB)).judgements == (sold(100, USDC),)


def test_an_ended_auction_may_have_had_no_bid_so_that_a_move_alone_is_no_sale() -> None:
    found = verdict(of_transaction([erc721(APES, 7, MANIFOLD, BOB, index=1), finalized(index=2)]))
    assert ([one.transfer_type for one in found.judgements], found.is_commercial) == (["transfer"], False)
    assert [(one.protocol, one.log_index) for one in found.faults] == [("manifold", 2)]


def test_an_ended_auction_whose_nft_is_minted_was_won_at_a_price_that_no_log_tells() -> None:
    found = verdict(of_transaction([erc721(APES, 7, ZERO, ALICE, index=1), finalized(index=2)]))
    judged = found.judgements[0]
    assert (judged.transfer_type, judged.currency, judged.price) == ("sale", None, 0)
    assert found.fills[0].side is Side.AUCTION
    assert [one.reason for one in found.faults] == [PRICELESS]


def test_an_ended_auction_that_the_marketplace_pays_out_for_was_won() -> None:
    logs = [
        erc721(APES, 7, MANIFOLD, ALICE, index=1),
        erc20(USDC, 90, MANIFOLD, BOB, index=2),
        finalized(index=3),
    ]
    judged = verdict(of_transaction(logs)).judgements[0]
    assert (judged.transfer_type, judged.currency) == ("sale", None)


def test_a_canceled_listing_gives_the_nft_back() -> None:
    assert _kinds([erc721(APES, 7, MANIFOLD, BOB, index=1), canceled(BOB, index=2)]) == ["transfer"]


def test_what_costs_nothing_is_no_sale() -> None:
    assert _kinds([erc721(APES, 7, ZERO, ALICE, index=1), purchase(ALICE, 0, index=2)]) == ["mint"]


def test_a_purchase_that_delivers_nothing_to_the_buyer_is_a_fault() -> None:
    logs = [erc721(APES, 7, MANIFOLD, BOB, index=1), purchase(ALICE, 100, index=2)]
    found = verdict(of_transaction(logs, target=MANIFOLD, value=100))
    assert (found.fills, [one.price for one in found.faults]) == ((), [100])


def test_the_same_event_of_a_contract_that_is_no_deployment_says_nothing() -> None:
    logs = [erc721(APES, 7, CAROL, ALICE, index=1), purchase(ALICE, 100, index=2, contract=CAROL)]
    assert verdict(of_transaction(logs)).fills == ()


def test_a_malformed_event_is_a_fault_and_the_rest_is_read() -> None:
    good = purchase(ALICE, 100, index=9)
    logs = [
        good._replace(log_index=1, topics=good.topics[:1]),
        good._replace(log_index=2, data=good.data[:127]),
        offer_accepted(ALICE, 1, index=3)._replace(data=b""),
        erc721(APES, 7, MANIFOLD, ALICE, index=8),
        good,
    ]
    found = verdict(of_transaction(logs, target=MANIFOLD, value=100))
    assert found.judgements == (sold(100),)
    assert [one.log_index for one in found.faults] == [1, 2, 3]
