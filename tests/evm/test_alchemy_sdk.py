"""What happened on a real EVM is what the official alchemy-sdk finds, sale and split price included."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from compat.chains import checksummed
from tests.compat import sdk
from tests.compat.client import Alchemy
from tests.evm.chain import Chain
from tests.evm.indexing import CHAIN_ID, SLUG
from tests.evm.seaport import Market, Published, ether, one
from tokens.store import chains
from tokens.store.facts import ChainFacts

pytestmark = [pytest.mark.evm, pytest.mark.sqlite, pytest.mark.django_db(transaction=True)]

ALICE, BOB, FEES = 1, 2, 3
ETHER = 10**18


def test_a_sale_on_a_chain_is_found_by_the_sdk(
    chain: Chain, published: Published, live_server: LiveServer
) -> None:
    chains.write([ChainFacts(SLUG, kind="evm", chain_id=CHAIN_ID, native_currency="ETH")])
    market = Market(chain, published)
    contract = chain.deploy("Erc721", "Ones", "ONE")
    for token in (1, 2):
        contract.send("mint(address,uint256)", chain.accounts[BOB], token)
    market.allow(contract, BOB)
    price, fee = 9 * ETHER // 10, ETHER // 10
    order = market.order(BOB, [one(contract, 1)], [(ether(price), BOB), (ether(fee), FEES)])
    market.fulfill(order, ALICE, value=ETHER)
    call_command("index", "--chain", SLUG, "--rpc-url", chain.url, "--from-block", "0", "-v0")
    alice = checksummed(chain.accounts[ALICE])
    found = sdk.run(live_server.url, checksummed(contract.address), "1", alice, SLUG)
    assert found["owners"] == [alice]
    assert (found["held"], found["heldHere"], found["isHolder"]) == ([["1", "1"]], ["1"], True)
    assert [sale[0] for sale in found["sales"]] == ["1"]
    assert (found["taker"], found["marketplace"]) == ("buyer", "seaport")
    assert (found["every"], found["ownersHere"], found["balances"]) == (["1", "2"], 2, 2)
    assert (found["contract"]["name"], found["contract"]["supply"]) == ("Ones", "2")
    (sale,) = Alchemy().get("getNFTSales", SLUG, contractAddress=contract.address)["nftSales"]
    parts = [sale[name]["amount"] for name in ("sellerFee", "protocolFee", "royaltyFee", "otherFee")]
    assert (sum(map(int, parts)), parts[0], sale["price"]["amount"]) == (ETHER, str(price), str(ETHER))
