"""Markets in the admin: contracts that an operator adds, and events that could not be explained."""

from __future__ import annotations

import pytest

from indexing.write.judging import of_chain
from tests import indexed
from tests.admin.conftest import Operator
from tests.builders import APES, transaction_hash
from tokens.models import Chain, Market
from tokens.store.chains import known
from transfers.models import MarketContract

pytestmark = pytest.mark.django_db


def add(operator: Operator, **fields: object) -> str:
    """What the page says after a market's contract was sent to it."""
    form = {
        "chain": Chain.objects.get(slug="ethereum").pk,
        "address": APES,
        "market": Market.objects.get(slug="opensea").pk,
        "protocol": "seaport-1.5",
        **fields,
    }
    response = operator.client.post("/admin/transfers/marketcontract/add/", form, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def test_a_market_that_an_operator_adds_is_one_that_transfers_are_judged_by(operator: Operator) -> None:
    add(operator, address=APES.upper().replace("0X", "0x"))
    (deployment,) = (
        one for one in of_chain(known()["ethereum"]).registry.markets.values() if one.address == APES
    )
    assert (deployment.protocol, deployment.market) == ("seaport-1.5", "opensea")


def test_a_contract_without_a_protocol_is_known_as_a_target(operator: Operator) -> None:
    add(operator, protocol="")
    registry = of_chain(known()["ethereum"]).registry
    assert registry.targets[APES] == "opensea"
    assert APES not in registry.markets


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"address": "0x12"}, "0x and 40 hexadecimal digits."),
        ({"protocol": "bazaar-1"}, "Select a valid choice."),
    ],
)
def test_what_is_no_market_is_refused(operator: Operator, fields: dict[str, str], complaint: str) -> None:
    assert complaint in add(operator, **fields)
    assert not MarketContract.objects.exists()


def test_a_chain_without_events_has_no_market_contracts(operator: Operator) -> None:
    assert "Not an EVM chain" in add(operator, chain=Chain.objects.get(slug="solana").pk)


def test_faults_of_a_protocol_are_a_list_with_the_largest_first(operator: Operator) -> None:
    small, large = indexed.a_market_fault(1, price=5), indexed.a_market_fault(2, price=10**20)
    indexed.a_market_fault(3, protocol="x2y2")
    made_up = indexed.a_market_fault(4, price=10**30, currency=APES)
    response = operator.client.get("/admin/indexing/marketfault/", {"protocol": "seaport-1.5"})
    assert [row.pk for row in response.context["cl"].result_list] == [large.pk, small.pk, made_up.pk]
    assert '<td data-label="In ETH" class="field-worth">100</td>' in response.content.decode()


def test_a_fault_is_found_by_its_transaction_and_leads_to_its_evidence(operator: Operator) -> None:
    fault = indexed.a_market_fault(7)
    hash_ = transaction_hash("evidence", 7)
    assert operator.found("indexing/marketfault", hash_) == [fault.pk]
    page = operator.page(f"indexing/marketfault/{fault.pk}/change/")
    assert f"/admin/indexing/evidence/?q={hash_}" in page
    assert "No one sent the &lt;500&gt; that the event tells." in page


def test_a_filled_order_is_found_by_its_hash_and_by_its_transaction(operator: Operator) -> None:
    fill = indexed.an_order_fill(7)
    for text in (fill.order_hash.upper().replace("0X", "0x"), fill.transaction_hash):
        assert operator.found("transfers/orderfill", text) == [fill.pk]
