"""What pools hold is offered at their quotes, which are asked again."""

from __future__ import annotations

from typing import Any

import pytest

from core.net.rpc.errors import RpcError
from indexing.follow import order_history
from tests.ingestion.chain import Answer, Chain, FakeNode, nft, tx
from tests.ingestion.encoding import BOB, CAROL, ZERO, word
from tests.ingestion.indexing import ethereum, index
from tests.ingestion.offers import ETH, live, reasons, told
from tests.markets import order_logs as logs
from transfers.models import OrderEvent

pytestmark = pytest.mark.django_db


def test_what_a_pool_holds_is_offered_at_its_quote_which_is_asked_again_after_each_of_its_events(
    ape: Chain,
) -> None:
    prices = {2: 3, 3: 4}

    def pool(address: str, data: str, block: int) -> Any:
        if not data.startswith("0x1afd78c5"):
            return RpcError("played", 3, "execution reverted")
        return "0x" + word(0) * 3 + word(prices.get(block, 4) * ETH) + word(0) * 2

    ape.mine(tx(told(logs.pair_made_2(ids=[7])), nft(7, BOB, logs.POOL)))
    contracts: dict[str, Answer] = {logs.POOL: pool}
    index(FakeNode(ape, contracts))
    assert live() == ["sudoswap 7 3"]
    ape.mine(tx(told(logs.of_pools["SpotPriceUpdate(uint128 price)"](price=1))))
    index(FakeNode(ape, contracts))
    assert live() == ["sudoswap 7 4"]
    ape.fork(back=1)
    ape.mine(tx(nft(8, ZERO, BOB)))
    ape.mine(tx(nft(7, logs.POOL, CAROL)))
    index(FakeNode(ape, contracts))
    assert (live(), reasons()) == ([], {"4": "not-owner"})


def test_what_a_pool_made_long_before_indexing_holds_is_offered_once_its_history_is_read(ape: Chain) -> None:
    def pool(address: str, data: str, block: int) -> Any:
        if not data.startswith("0x1afd78c5"):
            return RpcError("played", 3, "execution reverted")
        return "0x" + word(0) * 3 + word(3 * ETH) + word(0) * 2

    ape.mine(tx(told(logs.pair_made_2(ids=[]))))
    ape.mine_empty(2)
    ape.mine(tx(nft(7, BOB, logs.POOL)))
    contracts: dict[str, Answer] = {logs.POOL: pool}
    index(FakeNode(ape, contracts), from_block=4)
    assert live() == []
    order_history.begin(ethereum(), 0)
    index(FakeNode(ape, contracts), from_block=4)
    assert live() == ["sudoswap 7 3"]


def test_the_events_of_a_pool_that_no_factory_made_say_nothing(ape: Chain) -> None:
    ape.mine(tx(nft(7, BOB, logs.POOL), told(logs.of_pools["SpotPriceUpdate(uint128 price)"](price=1))))
    index(FakeNode(ape))
    assert not OrderEvent.objects.exists()


def pool_asking(wei: int) -> dict[str, Answer]:
    """A pool that asks so much for each NFT."""

    def pool(address: str, data: str, block: int) -> Any:
        if not data.startswith("0x1afd78c5"):
            return RpcError("played", 3, "execution reverted")
        return "0x" + word(0) * 3 + word(wei) + word(0) * 2

    return {logs.POOL: pool}


def test_a_pool_that_sells_for_nothing_is_shown_to(ape: Chain) -> None:
    ape.mine(tx(told(logs.pair_made_2(ids=[7])), nft(7, BOB, logs.POOL)))
    index(FakeNode(ape, pool_asking(0)))
    assert live() == ["sudoswap 7 0"]


def test_a_pool_whose_quote_is_lost_with_a_block_in_which_it_did_nothing_is_quoted_again(ape: Chain) -> None:
    """A quote is of a window's last block, and what it was asked for may be of an earlier one."""
    ape.mine(tx(told(logs.pair_made_2(ids=[7])), nft(7, BOB, logs.POOL)))
    index(FakeNode(ape, pool_asking(3 * ETH)))
    ape.mine(tx(told(logs.of_pools["SpotPriceUpdate(uint128 price)"](price=1))))
    ape.mine(tx(nft(8, ZERO, BOB)))
    index(FakeNode(ape, pool_asking(4 * ETH)))
    ape.fork(back=1)
    ape.mine_empty(2)
    index(FakeNode(ape, pool_asking(4 * ETH)))
    assert live() == ["sudoswap 7 4"]
