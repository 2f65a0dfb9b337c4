"""Indexing tells what transfers were: sales with their prices, asks that were filled, and what is not explained."""

from __future__ import annotations

from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command

from core.net.rpc.errors import Kind, RpcError
from indexing.follow import runner
from indexing.follow.runner import Progress
from indexing.models import MarketFault
from tests.builders import ask, contract, load_lines, transfer
from tests.conftest import Api
from tests.ingestion.chain import COINS, Chain, FakeNode, Tx, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, word
from tests.ingestion.indexing import ethereum, in_one_go, index, narrow, tables
from tests.ingestion.selling import ETHER, MADE_UP_MARKET, coins_sale, sale, token_sale
from tests.markets.currencies import WETH
from tokens.models import Ask, Market
from transfers.models import MarketContract, OrderFill, PaidToken, Transfer

pytestmark = pytest.mark.django_db

GOLD = "0x" + "60" * 20
ORDER = "0x" + "0d" * 32
PRICE = 1_500_000_000_000_000_000


@pytest.fixture
def chain() -> Chain:
    """A mint of an ape and of nine coins in block 1."""
    made = Chain()
    made.mine(tx(nft(1, ZERO, ALICE)), tx(units(7, ZERO, ALICE, 9)))
    return made


def text(value: str) -> str:
    """A `string` as a contract returns it."""
    raw = value.encode()
    return "0x" + word(32) + word(len(raw)) + raw.hex().ljust(64, "0")


def gold(address: str, data: str, block: int) -> str:
    """A token called Gold, of eight places."""
    answers = {"0x06fdde03": text("Gold"), "0x95d89b41": text("GLD"), "0x313ce567": "0x" + word(8)}
    return answers.get(data, "0x")


def test_a_sale_is_shown_with_its_price_and_its_market(chain: Chain, api: Api) -> None:
    chain.mine(sale(1, PRICE))
    index(FakeNode(chain))
    newest = api.transfers(contractAddress=APES)["data"][0]
    assert (newest["transferType"], newest["isCommercial"], newest["markets"]) == ("sale", True, ["opensea"])
    assert newest["nftValue"] == {"tokenAddress": ETHER, "tokenName": "Ether", "amount": str(PRICE)}
    assert (newest["ethValue"], newest["swaps"]) == (1.5, [])
    (record,) = api.nfts(contractAddress=APES, marketplaces="opensea", includeLastTransfer="true")["data"]
    assert record["markets"] == ["opensea"]
    assert record["lastTransfer"]["transferType"] == "sale"


def test_a_token_that_was_paid_in_is_asked_for_its_name_once(chain: Chain, api: Api) -> None:
    chain.mine(token_sale(1, GOLD, 500, 500))
    node = FakeNode(chain, {GOLD: gold})
    index(node)
    chain.mine(token_sale(1, GOLD, 700, 700, seller=BOB, buyer=CAROL))
    index(node)
    shown = api.transfers(contractAddress=APES)["data"]
    assert [one["nftValue"] for one in shown[:2]] == [
        {"tokenAddress": GOLD, "tokenName": "Gold", "amount": amount} for amount in ("700", "500")
    ]
    assert "usdValue" not in shown[0]
    assert [call for call in node.asked if call[0] == "eth_call" and call[1][0]["to"] == GOLD] == [
        ("eth_call", [{"to": GOLD, "data": data, "gas": "0xf4240"}, "latest"])
        for data in ("0x06fdde03", "0x95d89b41", "0x313ce567")
    ]
    assert PaidToken.objects.values_list("name", "symbol", "decimals").get() == ("Gold", "GLD", 8)


def test_a_token_that_the_node_failed_to_ask_is_asked_again_at_the_next_price(chain: Chain, api: Api) -> None:
    """A limit of the node says nothing of the token; that a contract has no such function does."""
    chain.mine(token_sale(1, GOLD, 500, 500))
    index(FakeNode(chain, {GOLD: lambda *_: RpcError("played", -32005, "too many requests", kind=Kind.RATE)}))
    assert api.transfers(contractAddress=APES)["data"][0]["nftValue"] == {
        "tokenAddress": GOLD,
        "amount": "500",
    }
    assert not PaidToken.objects.exists()
    chain.mine(token_sale(1, GOLD, 700, 700, seller=BOB, buyer=CAROL))
    index(FakeNode(chain, {GOLD: gold}))
    assert api.transfers(contractAddress=APES)["data"][0]["nftValue"]["tokenName"] == "Gold"
    assert PaidToken.objects.values_list("name", "symbol", "decimals").get() == ("Gold", "GLD", 8)


def test_a_token_without_a_name_has_none(chain: Chain, api: Api) -> None:
    chain.mine(token_sale(1, GOLD, 500, 500))
    index(FakeNode(chain))
    assert api.transfers(contractAddress=APES)["data"][0]["nftValue"] == {
        "tokenAddress": GOLD,
        "amount": "500",
    }


def test_a_price_that_the_money_does_not_bear_out_is_kept_for_the_operator_and_not_published(
    chain: Chain, api: Api
) -> None:
    chain.mine(token_sale(1, GOLD, 500, 499))
    index(FakeNode(chain))
    newest = api.transfers(contractAddress=APES)["data"][0]
    assert newest["transferType"] == "sale"
    assert "nftValue" not in newest
    assert [leg["amount"] for leg in newest["swaps"]] == ["1", "500"]
    (fault,) = MarketFault.objects.all()
    assert (fault.protocol, int(fault.price), fault.currency) == ("seaport-1.5", 500, GOLD)


def test_what_is_not_explained_is_valued_in_ether_where_that_is_known(chain: Chain) -> None:
    """Wrapped ether needs no rate; a token that anybody may have made, of any price, is worth nothing known."""
    chain.mine(token_sale(1, WETH, PRICE, PRICE - 1), token_sale(1, GOLD, 10**40, 1, seller=BOB, buyer=CAROL))
    index(FakeNode(chain))
    faults = MarketFault.objects.order_by("-eth_value")
    assert list(faults.values_list("currency", "eth_value")) == [(WETH, Decimal("1.5")), (GOLD, 0)]


def test_an_ask_whose_order_was_filled_is_filled(chain: Chain, api: Api) -> None:
    index(FakeNode(chain))
    load_lines([contract(APES), ask("1", APES, order=ORDER, maker=ALICE)])
    assert "orderbook" in api.nfts(contractAddress=APES)["data"][0]
    chain.mine(sale(1, PRICE, order=ORDER))
    chain.mine(tx(nft(1, BOB, ALICE)))  # the maker holds it again: only the fill tells that the ask is gone
    index(FakeNode(chain))
    assert Ask.objects.get().status == "filled"
    assert "orderbook" not in api.nfts(contractAddress=APES)["data"][0]


def test_an_ask_that_is_stated_after_its_order_was_filled_is_filled(chain: Chain) -> None:
    chain.mine(sale(1, PRICE, order=ORDER))
    index(FakeNode(chain))
    load_lines([ask("1", APES, order=ORDER)])
    assert Ask.objects.values_list("status", "active").get() == ("filled", False)


def test_a_partial_fill_leaves_the_rest_of_the_ask(chain: Chain) -> None:
    index(FakeNode(chain))
    load_lines([contract(COINS, standard="ERC1155"), ask("7", COINS, order=ORDER, amount="9")])
    chain.mine(coins_sale(7, 4, 400, order=ORDER))
    index(FakeNode(chain))
    index(FakeNode(chain))
    assert Ask.objects.values_list("status", "amount", "active").get() == ("open", 5, True)
    chain.mine(coins_sale(7, 5, 500, order=ORDER))
    index(FakeNode(chain))
    assert Ask.objects.values_list("status", "amount", "active").get() == ("filled", 0, False)


@pytest.mark.parametrize("back", [1, 2])
def test_a_fill_that_is_no_longer_part_of_the_chain_opens_the_ask_again(chain: Chain, back: int) -> None:
    index(FakeNode(chain))
    load_lines([contract(COINS, standard="ERC1155"), ask("7", COINS, order=ORDER, amount="9")])
    chain.mine(coins_sale(7, 4, 400, order=ORDER))
    chain.mine(coins_sale(7, 5, 500, order=ORDER))
    index(FakeNode(chain))
    chain.fork(back=back)
    chain.mine_empty(back)
    index(FakeNode(chain))
    left = {1: 5, 2: 9}[back]
    assert Ask.objects.values_list("status", "amount", "active").get() == ("open", left, True)
    assert OrderFill.objects.count() == 2 - back


def test_an_ask_that_was_stated_after_its_fill_is_open_again_once_that_is_taken_back(chain: Chain) -> None:
    chain.mine(sale(1, PRICE, order=ORDER))
    index(FakeNode(chain))
    load_lines([ask("1", APES, order=ORDER)])
    chain.fork(back=1)
    chain.mine_empty(1)
    index(FakeNode(chain))
    assert Ask.objects.values_list("status", "active").get() == ("open", True)


def test_no_more_units_come_back_than_the_ask_had(chain: Chain) -> None:
    index(FakeNode(chain))
    load_lines([contract(COINS, standard="ERC1155"), ask("7", COINS, order=ORDER, amount="2")])
    chain.mine(coins_sale(7, 5, 500, order=ORDER))
    index(FakeNode(chain))
    assert Ask.objects.values_list("status", "amount").get() == ("filled", 0)
    chain.fork(back=1)
    chain.mine_empty(1)
    index(FakeNode(chain))
    assert Ask.objects.values_list("status", "amount", "active").get() == ("open", 2, True)


def test_sales_are_the_same_whatever_way_the_chain_was_read(chain: Chain) -> None:
    chain.mine(sale(1, PRICE), token_sale(1, GOLD, 500, 499, seller=BOB, buyer=CAROL))
    index(FakeNode(chain))
    chain.fork(back=1)
    chain.mine(coins_sale(7, 4, 400, order=ORDER), sale(1, 2 * PRICE))
    index(FakeNode(chain))
    assert tables() == in_one_go(FakeNode(chain))
    assert not MarketFault.objects.exists()


def test_what_was_stated_of_a_transfer_stays_when_it_is_indexed(chain: Chain, api: Api) -> None:
    sold = sale(1, PRICE)
    line = transfer("1", APES, block=2, log=1, sender=ALICE, receiver=BOB, transferType="swap")
    load_lines([contract(APES), {**line, "transactionHash": sold.hash}])
    chain.mine(sold)
    index(FakeNode(chain))
    newest = api.transfers(contractAddress=APES)["data"][0]
    assert (newest["transferType"], "nftValue" in newest) == ("swap", False)


def test_what_is_stated_later_wins_over_what_was_judged_and_stays(chain: Chain, api: Api) -> None:
    sold = sale(1, PRICE)
    chain.mine(sold)
    index(FakeNode(chain))
    line = {"record": "transfer", "chain": "ethereum", "transactionHash": sold.hash, "logIndex": 1}
    load_lines([{**line, "native": {"seen": True}}])
    assert Transfer.objects.get(transaction_hash=sold.hash).judged
    load_lines([{**line, "nftValue": None}])
    newest = api.transfers(contractAddress=APES)["data"][0]
    assert (newest["transferType"], "nftValue" in newest) == ("sale", False)
    assert not Transfer.objects.get(transaction_hash=sold.hash).judged


PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"


def bid(punk: int, value: int, bidder: str) -> Tx:
    """A bid for a punk."""
    signature = "PunkBidEntered(uint256,uint256,address)"
    return tx(
        emitted(signature, [punk, bidder], word(value), PUNKS), sender=bidder, target=PUNKS, value=value
    )


def accepted(punk: int, seller: str, bidder: str) -> Tx:
    """The acceptance of a bid, whose own event says neither buyer nor price."""
    money = emitted("Transfer(address,address,uint256)", [seller, bidder], word(1), PUNKS)
    bought = emitted("PunkBought(uint256,uint256,address,address)", [punk, seller, ZERO], word(0), PUNKS)
    return tx(money, bought, sender=seller, target=PUNKS)


@pytest.mark.parametrize("apart", [True, False], ids=["read apart", "read together"])
def test_an_accepted_bid_for_a_punk_was_sold_for_what_the_bid_said(api: Api, apart: bool) -> None:
    chain = Chain()
    chain.mine(bid(7, 50, CAROL), bid(8, 99, BOB))
    chain.mine(bid(7, 60, BOB))
    if apart:
        index(FakeNode(chain))
    chain.mine(accepted(7, ALICE, BOB))
    index(FakeNode(chain))
    (sold,) = api.transfers(contractAddress=PUNKS)["data"]
    assert (sold["transferType"], sold["toAddress"], sold["markets"]) == ("sale", BOB, ["cryptopunks"])
    assert sold["nftValue"]["amount"] == "60"
    call_command("classify", stdout=StringIO())
    assert api.transfers(contractAddress=PUNKS)["data"] == [sold]


def test_an_accepted_bid_of_which_only_another_was_seen_has_no_price(api: Api) -> None:
    chain = Chain()
    chain.mine(bid(7, 50, CAROL))
    chain.mine(accepted(7, ALICE, BOB))
    index(FakeNode(chain))
    (sold,) = api.transfers(contractAddress=PUNKS)["data"]
    assert (sold["transferType"], "nftValue" in sold) == ("sale", False)


def test_a_bid_that_is_no_longer_part_of_the_chain_was_never_made(api: Api) -> None:
    chain = Chain()
    chain.mine(bid(7, 50, BOB))
    chain.mine(bid(7, 60, BOB))
    index(FakeNode(chain))
    chain.fork(back=1)
    chain.mine(accepted(7, ALICE, BOB))
    index(FakeNode(chain))
    (sold,) = api.transfers(contractAddress=PUNKS)["data"]
    assert sold["nftValue"]["amount"] == "50"
    assert tables() == in_one_go(FakeNode(chain))


def test_a_market_that_is_added_while_the_indexer_works_is_known_to_what_it_reads_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    for _ in range(6):
        chain.mine(sale(1, PRICE, market=MADE_UP_MARKET), sale(1, PRICE, seller=BOB, buyer=ALICE))
    narrow(monkeypatch, 1)
    monkeypatch.setattr(runner, "MARKETS_EVERY", 0.0)

    def add_market(progress: Progress) -> None:
        market = Market.objects.get(slug="zora")
        values = {"protocol": "seaport-1.5", "market": market}
        MarketContract.objects.get_or_create(chain_id=ethereum().id, address=MADE_UP_MARKET, defaults=values)

    index(FakeNode(chain), tell=add_market)
    sold = Transfer.objects.filter(log_index=1).order_by("block_number")
    assert [one.markets for one in sold][0::5] == ["[]", '["zora"]']


def shares_of(block: int) -> str | None:
    """What is kept of how the price of a block's one transfer was split."""
    return Transfer.objects.get(block_number=block).shares


def test_how_the_price_was_split_is_kept_made_anew_and_goes_with_its_block(chain: Chain) -> None:
    chain.mine(sale(1, PRICE))
    node = FakeNode(chain)
    index(node)
    told = f'[["seller","{PRICE}","{ALICE}"]]'
    assert shares_of(2) == told
    Transfer.objects.update(shares=None)
    call_command("classify", stdout=StringIO())
    assert shares_of(2) == told
    Transfer.objects.update(shares=None)
    call_command("rederive", "--chain", "ethereum", stdout=StringIO())
    assert shares_of(2) == told
    chain.fork(back=1)
    chain.mine(tx(nft(1, ALICE, CAROL)), tx(nft(1, CAROL, BOB)))
    index(node)
    assert set(Transfer.objects.values_list("shares", flat=True)) == {None}
