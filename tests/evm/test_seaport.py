"""Real Seaport 1.6 on a real EVM, indexed, and what both operations say of what was sold."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from indexing.models import MarketFault
from tests.conftest import Api
from tests.evm.chain import ZERO_ADDRESS, Chain, Deployed
from tests.evm.indexing import CHAIN_ID, SLUG
from tests.evm.seaport import PARTIAL, Market, Published, any_of, ether, one, units, weth
from tokens.store import chains
from tokens.store.facts import ChainFacts
from transfers.models import OrderFill

pytestmark = [pytest.mark.evm, pytest.mark.django_db]

ALICE, BOB, FEES = 1, 2, 3
ETHER = 10**18
Shown = Callable[[Deployed], list[dict[str, Any]]]


@pytest.fixture
def market(chain: Chain, published: Published) -> Market:
    return Market(chain, published)


@pytest.fixture
def ones(chain: Chain, market: Market) -> Deployed:
    """An ERC-721 of which Bob has 1 and 2, and Alice 3."""
    contract = chain.deploy("Erc721", "Ones", "ONE")
    for token, holder in ((1, BOB), (2, BOB), (3, ALICE)):
        contract.send("mint(address,uint256)", chain.accounts[holder], token)
    market.allow(contract, ALICE, BOB)
    return contract


@pytest.fixture
def many(chain: Chain, market: Market) -> Deployed:
    """An ERC-1155 of which Bob has ten of the id 7."""
    contract = chain.deploy("Erc1155")
    contract.send("mint(address,uint256,uint256)", chain.accounts[BOB], 7, 10)
    market.allow(contract, BOB)
    return contract


@pytest.fixture
def shown(chain: Chain, api: Api) -> Shown:
    """Index all by the command, and return the transfers of a contract that are no mints, newest first.

    NFTs by Token must show the newest of each NFT as its last transfer, and whoever has it.
    """

    chains.write([ChainFacts(SLUG, kind="evm", chain_id=CHAIN_ID, native_currency="ETH")])

    def show(contract: Deployed) -> list[dict[str, Any]]:
        call_command("index", "--chain", SLUG, "--rpc-url", chain.url, "--from-block", "0", "-v0")
        transfers: list[dict[str, Any]] = api.transfers(contractAddress=contract.address)["data"]
        newest: dict[str, dict[str, Any]] = {}
        for transfer in transfers:
            newest.setdefault(transfer["tokenId"], transfer)
        nfts = api.nfts(contractAddress=contract.address, includeLastTransfer="true")["data"]
        assert {nft["tokenId"]: nft["lastTransfer"] for nft in nfts} == newest
        assert not MarketFault.objects.exists()
        return [transfer for transfer in transfers if transfer["transferType"] != "mint"]

    return show


def test_a_sale_in_ether_has_the_price_that_seller_and_fees_get_together(
    chain: Chain, market: Market, ones: Deployed, shown: Shown, api: Api
) -> None:
    price, fee = ETHER * 975 // 1000, ETHER * 25 // 1000
    order = market.order(BOB, [one(ones, 1)], [(ether(price), BOB), (ether(fee), FEES)])
    receipt = market.fulfill(order, ALICE, value=ETHER)
    (sale,) = shown(ones)
    assert (sale["transactionHash"], sale["tokenId"]) == (receipt["transactionHash"], "1")
    assert (sale["fromAddress"], sale["toAddress"]) == (chain.accounts[BOB], chain.accounts[ALICE])
    assert (sale["transferType"], sale["isCommercial"], sale["markets"], sale["swaps"]) == (
        "sale",
        True,
        ["opensea"],
        [],
    )
    assert (sale["nftValue"]["tokenAddress"], sale["nftValue"]["amount"]) == (ZERO_ADDRESS, str(ETHER))
    assert list(OrderFill.objects.values_list("order_hash", flat=True)) == [order.hash]
    (nft,) = api.nfts(contractAddress=ones.address, marketplaces="opensea")["data"]
    assert (nft["tokenId"], nft["owner"], nft["markets"]) == ("1", chain.accounts[ALICE], ["opensea"])


def test_an_accepted_offer_has_the_price_that_the_bidder_pays(
    chain: Chain, market: Market, ones: Deployed, shown: Shown
) -> None:
    market.wrap(ALICE, ETHER)
    fee = ETHER * 25 // 1000
    order = market.order(
        ALICE, [weth(market.weth, ETHER)], [(one(ones, 2), ALICE), (weth(market.weth, fee), FEES)]
    )
    market.weth.send("approve(address,uint256)", market.seaport.address, fee, sender=BOB)
    market.fulfill(order, BOB)
    (sale,) = shown(ones)
    assert (sale["transferType"], sale["fromAddress"]) == ("sale", chain.accounts[BOB])
    assert sale["nftValue"] == {
        "tokenAddress": market.weth.address,
        "tokenName": "Wrapped Ether",
        "amount": str(ETHER),
    }


def test_a_basic_order_is_filled_before_its_transfers_and_sold_all_the_same(
    chain: Chain, market: Market, ones: Deployed, shown: Shown
) -> None:
    order = market.order(BOB, [one(ones, 1)], [(ether(97), BOB), (ether(3), FEES)])
    receipt = market.fulfill_basic(order, ALICE, value=100)
    assert [log["address"] for log in receipt["logs"]] == [market.seaport.address, ones.address]
    (sale,) = shown(ones)
    assert (sale["transferType"], sale["nftValue"]["amount"]) == ("sale", "100")


def test_an_offer_for_any_token_of_a_collection_buys_the_one_that_is_given(
    chain: Chain, market: Market, ones: Deployed, shown: Shown
) -> None:
    market.wrap(ALICE, 100)
    order = market.order(ALICE, [weth(market.weth, 100)], [(any_of(ones), ALICE)])
    market.fulfill_any(order, 2, BOB)
    (sale,) = shown(ones)
    assert (sale["tokenId"], sale["toAddress"]) == ("2", chain.accounts[ALICE])
    assert (sale["transferType"], sale["nftValue"]["amount"]) == ("sale", "100")


def test_a_bundle_is_sold_for_one_price_with_all_its_legs(
    chain: Chain, market: Market, ones: Deployed, shown: Shown
) -> None:
    order = market.order(BOB, [one(ones, 1), one(ones, 2)], [(ether(90), BOB), (ether(10), FEES)])
    market.fulfill(order, ALICE, value=100)
    first, second = shown(ones)
    assert {first["tokenId"], second["tokenId"]} == {"1", "2"}
    assert first["swaps"] == second["swaps"]
    assert (first["transferType"], "nftValue" in first) == ("sale", False)
    money = [leg for leg in first["swaps"] if leg["contractAddress"] == ZERO_ADDRESS]
    assert sorted((leg["toAddress"], leg["amount"]) for leg in money) == sorted(
        [(chain.accounts[BOB], "90"), (chain.accounts[FEES], "10")]
    )


def test_an_nft_for_an_nft_is_a_swap(market: Market, ones: Deployed, shown: Shown) -> None:
    order = market.order(BOB, [one(ones, 1)], [(one(ones, 3), BOB)])
    market.fulfill(order, ALICE)
    found = shown(ones)
    assert sorted(transfer["tokenId"] for transfer in found) == ["1", "3"]
    for transfer in found:
        assert (transfer["transferType"], "nftValue" in transfer) == ("swap", False)
        assert sorted(leg["tokenId"] for leg in transfer["swaps"]) == ["1", "3"]


def test_a_part_of_an_order_is_sold_for_its_part_of_the_price(
    chain: Chain, market: Market, many: Deployed, shown: Shown
) -> None:
    order = market.order(BOB, [units(many, 7, 10)], [(ether(900), BOB), (ether(100), FEES)], PARTIAL)
    market.fulfill_part(order, (3, 10), ALICE, value=300)
    market.fulfill_part(order, (1, 5), ALICE, value=200)
    second, first = shown(many)
    assert [(sale["amount"], sale["nftValue"]["amount"]) for sale in (first, second)] == [
        ("3", "300"),
        ("2", "200"),
    ]


def test_orders_that_a_sweep_delivers_together_are_one_item_with_their_whole_price(
    market: Market, many: Deployed, shown: Shown
) -> None:
    orders = [
        market.order(BOB, [units(many, 7, 2)], [(ether(100), BOB)]),
        market.order(BOB, [units(many, 7, 3)], [(ether(120), BOB)]),
    ]
    market.sweep(orders, [[0, 1]], ALICE, value=220)
    (sale,) = shown(many)
    assert (sale["amount"], sale["transferType"], sale["nftValue"]["amount"]) == ("5", "sale", "220")
    assert OrderFill.objects.count() == 2


def test_a_private_listing_that_a_match_fills_is_one_sale(
    chain: Chain, market: Market, ones: Deployed, shown: Shown
) -> None:
    """As OpenSea does it: the ask wants its own NFT for the buyer, whose order only brings the money."""
    wants = [(ether(97), BOB), (ether(3), FEES), (one(ones, 1), ALICE)]
    ask = market.order(BOB, [one(ones, 1)], wants)
    counter = market.order(ALICE, [ether(100)], [])
    pairs = [((1, 0), (0, 0)), ((1, 0), (0, 1)), ((0, 0), (0, 2))]
    market.match([ask, counter], pairs, ALICE, value=100)
    (sale,) = shown(ones)
    assert (sale["transferType"], sale["toAddress"]) == ("sale", chain.accounts[ALICE])
    assert sale["nftValue"]["amount"] == "100"


def test_an_ask_and_a_bid_that_a_stranger_matches_are_one_sale_at_the_bid(
    chain: Chain, market: Market, ones: Deployed, shown: Shown
) -> None:
    market.wrap(ALICE, 120)
    ask = market.order(BOB, [one(ones, 1)], [(weth(market.weth, 100), BOB)])
    bid = market.order(ALICE, [weth(market.weth, 120)], [(one(ones, 1), ALICE)])
    market.match([ask, bid], [((0, 0), (1, 0)), ((1, 0), (0, 0))], FEES)
    (sale,) = shown(ones)
    assert (sale["fromAddress"], sale["toAddress"]) == (chain.accounts[BOB], chain.accounts[ALICE])
    assert (sale["transferType"], sale["nftValue"]["amount"]) == ("sale", "120")
    assert market.weth.call("balanceOf(address)", chain.accounts[FEES]) == 20
    assert set(OrderFill.objects.values_list("order_hash", flat=True)) == {ask.hash, bid.hash}


def test_an_order_for_nothing_is_filled_and_sells_nothing(
    market: Market, ones: Deployed, shown: Shown
) -> None:
    market.fulfill(market.order(BOB, [one(ones, 1)], []), ALICE)
    (transfer,) = shown(ones)
    assert (transfer["transferType"], transfer["isCommercial"], transfer["swaps"]) == ("transfer", True, [])
    assert "nftValue" not in transfer


def test_an_order_that_was_cancelled_leaves_a_transfer_alone(
    chain: Chain, market: Market, ones: Deployed, shown: Shown
) -> None:
    market.order(BOB, [one(ones, 1)], [(ether(100), BOB)])
    market.send("incrementCounter", sender=BOB)
    ones.send(
        "transferFrom(address,address,uint256)", chain.accounts[BOB], chain.accounts[ALICE], 1, sender=BOB
    )
    (transfer,) = shown(ones)
    assert (transfer["transferType"], transfer["isCommercial"], transfer["markets"]) == (
        "transfer",
        False,
        [],
    )
