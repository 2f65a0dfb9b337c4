"""A transfer's page says how its type and value were found, from the evidence that is kept."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from indexing.admin import unexplained
from indexing.models import Evidence, MarketFault
from indexing.node.logs import RawLog
from tests import indexed
from tests.admin.conftest import Operator
from tests.builders import START, load_lines, rate, transfer
from tests.ingestion.chain import START as MINED
from tests.ingestion.chain import Chain, Emitted, FakeNode, emitted, nft, tx
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, word
from tests.ingestion.indexing import index
from tests.ingestion.selling import MADE_UP_MARKET, sale, token_sale
from tests.markets.order_logs import KITTIES, KITTY_SALES, auction_created, auction_successful
from transfers.models import PaidToken, Transfer

pytestmark = pytest.mark.django_db

GOLD = "0x" + "60" * 20
PRICE = 1_500_000_000_000_000_000


def page(operator: Operator, row: Transfer) -> str:
    return operator.page(f"transfers/transfer/{row.pk}/change/")


def shown(operator: Operator, row: Transfer) -> str:
    """The explanation's text, in one line."""
    _, _, rest = page(operator, row).partition("How this was found")
    return re.sub(r"\s+", " ", unescape(strip_tags(re.sub("<", " <", rest.partition("</fieldset>")[0]))))


def newest() -> Transfer:
    return Transfer.objects.order_by("-block_number", "-log_index")[0]


def indexed_sale(price: int = PRICE) -> Transfer:
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    chain.mine(sale(1, price))
    index(FakeNode(chain))
    return newest()


def test_the_seller_of_a_kitty_is_who_had_sent_it_to_the_auction_house(operator: Operator) -> None:
    """No event names the seller; the ledger knows."""
    chain = Chain()

    def kitty(sender: str, receiver: str) -> Emitted:
        data = word(sender) + word(receiver) + word(7)
        return emitted("Transfer(address,address,uint256)", [], data, KITTIES)

    def told(log: RawLog) -> Emitted:
        return Emitted(log.address, list(log.topics), "0x" + log.data.hex(), [])

    chain.mine(tx(kitty(ZERO, CAROL)))
    chain.mine(tx(kitty(CAROL, KITTY_SALES)), tx(kitty(KITTY_SALES, BOB)))
    chain.mine(tx(kitty(BOB, KITTY_SALES), told(auction_created(start=PRICE, end=PRICE, duration=60))))
    bought = told(auction_successful(price=PRICE)), kitty(KITTY_SALES, ALICE)
    chain.mine(tx(*bought, target=KITTY_SALES, value=PRICE))
    index(FakeNode(chain))
    assert f"seller {BOB}, who had sent it there; not named by the event" in shown(operator, newest())


def test_a_sale_shows_its_event_its_parties_what_was_checked_and_the_rate(operator: Operator) -> None:
    row = indexed_sale()
    load_lines([rate(usd="2000.50", at=MINED)])
    text = shown(operator, row)
    for said in (
        "Source: judged by the evidence",
        "Type: sale. The event in log 0 sold it, and this is the transfer that delivers it.",
        "Price: 1.5 ETH: all that the buyer's side paid, as the event tells, fees included.",
        "Rate: 2000.5 USD for one ETH, of 2023-11-14 22:13:20 UTC.",
        "log 0 read as seaport-1.5, market opensea, ask",
        f"seller {ALICE}",
        f"buyer {BOB}",
        f"sold {APES} #1",
        "delivered by log 1",
        "orders 0x" + "0d" * 32,
        "The market was called with 1.5 ETH; its events tell 1.5 ETH together. (holds)",
        "result borne out",
    ):
        assert said in text, (said, text)


def test_what_does_not_bear_out_is_told_with_the_legs_and_listed(operator: Operator) -> None:
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    chain.mine(token_sale(1, GOLD, 500, 400))
    index(FakeNode(chain))
    text = shown(operator, newest())
    assert f"Nobody sent 500 base units of {GOLD}. (does not hold)" in text
    assert "result not borne out: " in text
    assert "Price: None. " in text
    assert f"Legs: what from to {APES} #1 {ALICE} {BOB}" in text
    assert "Not explained: log protocol price told why 0 seaport-1.5" in text
    assert MarketFault.objects.count() == 1


def test_a_stated_transfer_without_evidence_says_so(operator: Operator) -> None:
    load_lines([transfer("1", transferType="sale", timestamp=START)])
    text = shown(operator, Transfer.objects.get())
    assert "Source: stated by load" in text
    assert "No evidence is kept of its transaction, which was not indexed from a node." in text


def test_a_stated_type_stays_beside_what_the_evidence_says(operator: Operator) -> None:
    row = indexed_sale()
    Transfer.objects.filter(pk=row.pk).update(judged=False, transfer_type="transfer")
    text = shown(operator, row)
    assert "Source: stated by load: the evidence does not change it" in text
    assert "The evidence by itself says otherwise, as follows." in text
    assert "Type: sale." in text


def test_rules_that_have_changed_since_are_told(operator: Operator) -> None:
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    chain.mine(sale(1, 500, market=MADE_UP_MARKET))
    index(FakeNode(chain))
    assert "note" not in shown(operator, newest()).lower()
    indexed.a_market_contract(MADE_UP_MARKET)
    assert "The rules have changed since" in shown(operator, newest())


@pytest.mark.parametrize(
    "before",
    [
        {"markets": '["blur"]'},
        {"markets": "[]"},
        {"is_commercial": False},
        {
            "swaps": f'[{{"contractAddress":"{APES}","fromAddress":"{ALICE}","toAddress":"{BOB}","amount":"1"}}]'
        },
    ],
)
def test_rules_that_made_anything_else_of_it_before_are_told(
    operator: Operator, before: dict[str, object]
) -> None:
    row = indexed_sale()
    assert "note" not in shown(operator, row).lower()
    Transfer.objects.filter(pk=row.pk).update(**before)
    assert "The rules have changed since" in shown(operator, row)


def test_a_statement_is_not_held_against_what_it_does_not_state(operator: Operator) -> None:
    row = indexed_sale()
    Transfer.objects.filter(pk=row.pk).update(judged=False, is_commercial=None, markets="[]")
    assert "note" not in shown(operator, row).lower()
    Transfer.objects.filter(pk=row.pk).update(markets='["blur"]')
    assert "The evidence by itself says otherwise" in shown(operator, row)


@pytest.mark.parametrize("packed", [b"", b"\x09rest", b"\x01no zlib"])
def test_evidence_that_cannot_be_read_is_told(operator: Operator, packed: bytes) -> None:
    row = indexed_sale()
    Evidence.objects.update(packed=packed)
    assert "The evidence of its transaction cannot be read: " in shown(operator, row)


def test_a_transfer_that_is_of_no_log_of_the_evidence_was_stated(operator: Operator) -> None:
    row = indexed_sale()
    Transfer.objects.filter(pk=row.pk).update(log_index=77, origin=Transfer.Origin.STATED)
    assert "The evidence of its transaction has no such log" in shown(operator, row)


def test_what_a_token_calls_itself_is_text_and_not_taken_for_a_currency(operator: Operator) -> None:
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    chain.mine(token_sale(1, GOLD, 500, 500))
    index(FakeNode(chain))
    paid = PaidToken.objects.filter(address=GOLD)
    if not paid.exists():
        indexed.a_paid_token(GOLD)
    paid.update(symbol="<script>ETH", decimals=2)
    html = page(operator, newest())
    assert "<script>ETH" not in html
    assert f"5 &lt;script&gt;ETH ({GOLD[:8]}…{GOLD[-4:]})" in html
    assert "Rate: None: the token is no known currency." in shown(operator, newest())


def test_the_page_takes_no_more_queries_for_more_transfers_of_its_transaction(operator: Operator) -> None:
    chain = Chain()
    chain.mine(tx(*(nft(number, ZERO, ALICE) for number in range(41))))
    chain.mine(sale(0, 500))
    chain.mine(tx(*(nft(number, ALICE, BOB) for number in range(1, 41))))
    index(FakeNode(chain))
    counts = []
    for block in (2, 3):
        row = Transfer.objects.filter(block_number=block).order_by("log_index")[0]
        page(operator, row)  # content types are looked up once a process
        with CaptureQueriesContext(connection) as queries:
            page(operator, row)
        counts.append(len(queries))
    with_a_price, without = counts
    assert without <= with_a_price <= 20


def test_protocols_are_summed_up_above_the_list_with_the_largest_first(operator: Operator) -> None:
    for number, (price, protocol) in enumerate(
        [(5, "x2y2"), (10**20, "seaport-1.5"), (7, "x2y2"), (0, "blur")]
    ):
        indexed.a_market_fault(number, price=price, protocol=protocol)
    indexed.a_market_fault(8, price=10**40, protocol="zora", currency=GOLD)
    indexed.a_market_fault(9, price=10**40, protocol="x2y2", currency=GOLD)
    html = operator.page("indexing/marketfault/")
    summary = html.partition("By protocol, the largest first")[2].partition("</table>")[0]
    rows = re.findall(r"<tr>(<td.*?)</tr>", summary)
    told = [[strip_tags(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)[:4]] for row in rows]
    assert told == [
        ["seaport-1.5", "1", "100 ETH", "100"],
        ["x2y2", "3", "0.000000000000000007 ETH", "0.000000000000000007"],
        ["zora", "1", f"{10**40:,} base units of {GOLD}", "–"],
        ["blur", "1", "–", "–"],
    ]
    assert "?protocol=x2y2" in summary
    assert "No one sent the &lt;500&gt;" in summary
    assert "By protocol" not in operator.page("indexing/marketfault/", protocol="x2y2")


def test_a_protocol_with_very_many_events_is_not_counted_to_the_end(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unexplained, "COUNTED", 3)
    for number in range(6):
        indexed.a_market_fault(number)
    assert "more than 3" in operator.page("indexing/marketfault/")
