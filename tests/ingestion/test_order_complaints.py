"""What users of other indexers complained of in order books, one promise each."""

from __future__ import annotations

from typing import Any

import pytest

from core.net.rpc.errors import RpcError
from tests.builders import ask as ask_line
from tests.builders import load_lines
from tests.conftest import Api
from tests.ingestion.chain import COINS, START, Chain, Emitted, FakeNode, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, word
from tests.ingestion.indexing import index
from tests.ingestion.offers import ETH, approving, live, reasons, told, validated_for
from tests.ingestion.selling import coins_sale
from tests.ingestion.stated_asks import load
from tests.markets import order_logs as logs
from tests.markets.looksrare_events import LOOKSRARE_2, trade_2
from tests.markets.seaport_events import SEAPORT_16
from tests.oracle.order_books import Offer
from tokens.models import Ask

pytestmark = pytest.mark.django_db

APE = (APES, 7)
ORDER, ANOTHER = "0x" + "0d" * 32, "0x" + "0e" * 32
CANCELLED = "OrderCancelled(bytes32,address,address)"
IS_APPROVED_FOR_ALL = "0xe985e9c5"


def moved(chain: Chain, *ways: tuple[str, str]) -> None:
    """Ape 7 moves, and is indexed after each move."""
    for sender, receiver in ways:
        chain.mine(tx(nft(7, sender, receiver)))
        index(FakeNode(chain))


def test_an_ask_is_gone_with_the_transfer_of_its_nft(ape: Chain) -> None:
    index(FakeNode(ape))
    load(ORDER, Offer("opensea", APE, 1, BOB))
    assert live() == ["opensea 7 1"]
    moved(ape, (BOB, CAROL))
    assert (live(), reasons()) == ([], {"1": "not-owner"})


def test_an_ask_that_its_market_ended_with_the_transfer_does_not_wake_when_the_nft_comes_back(
    ape: Chain,
) -> None:
    index(FakeNode(ape))
    load(ORDER, Offer("opensea", APE, 1, BOB, wakes=False, made_at=START + 12))
    assert live() == ["opensea 7 1"]
    moved(ape, (BOB, CAROL), (CAROL, BOB))
    assert (live(), reasons()) == ([], {"1": "not-owner"}), "at a price of long ago nobody means to sell"
    load(ANOTHER, Offer("opensea", APE, 2, BOB, wakes=False, made_at=START + 12 * ape.head))
    assert live() == ["opensea 7 2"], "it was made since"


def test_an_ask_wakes_where_its_contract_would_fill_it_again(ape: Chain) -> None:
    ape.mine(tx(validated_for(0)))
    index(FakeNode(ape))
    moved(ape, (BOB, CAROL))
    assert reasons() == {"1": "not-owner"}
    moved(ape, (CAROL, BOB))
    assert live() == ["opensea 7 1"]


def test_an_expired_ask_is_not_shown(ape: Chain, api: Api) -> None:
    index(FakeNode(ape))
    load_lines([ask_line("7", APES, maker=BOB, price="1", validUntil=START + 60)])
    load_lines([ask_line("7", APES, maker=BOB, price="2")])
    assert api.nfts(contractAddress=APES)["data"][0]["orderbook"] == ["opensea,ETH,2"]
    assert len(api.nfts(contractAddress=APES, priceFilter="eth,1,1.5")["data"]) == 0


def test_of_two_asks_of_one_maker_both_are_known_and_the_cheaper_one_decides(ape: Chain, api: Api) -> None:
    index(FakeNode(ape))
    load_lines([ask_line("7", APES, maker=BOB, price=price) for price in ("3", "2")])
    (record,) = api.nfts(contractAddress=APES, priceFilter="eth,2,2")["data"]
    assert record["orderbook"] == ["opensea,ETH,2", "opensea,ETH,3"]
    assert api.nfts(contractAddress=APES, priceFilter="eth,3,3")["data"] == []


def test_what_was_cancelled_no_statement_and_no_validation_opens_again(ape: Chain) -> None:
    name = "0x" + validated_for(0).data[2:66]
    ape.mine(tx(emitted(CANCELLED, [BOB, ZERO], name[2:], SEAPORT_16)))
    index(FakeNode(ape))
    load(name, Offer("opensea", APE, 1, BOB))
    ape.mine(tx(validated_for(0)))
    index(FakeNode(ape))
    load(name, Offer("opensea", APE, 1, BOB))
    assert (live(), reasons()) == ([], {"1": "cancelled"})
    load(ORDER, Offer("opensea", APE, 2, BOB, status="cancelled"))
    load(ORDER, Offer("opensea", APE, 2, BOB))
    assert (live(), reasons()) == ([], {"1": "cancelled", "2": "cancelled"})


def test_a_private_ask_is_nobodys_floor(ape: Chain, api: Api) -> None:
    ape.mine(tx(told(logs.private_ask_created(price=ETH, buyer=ALICE))))
    ape.mine(tx(told(logs.ask_created(price=2 * ETH))))
    index(FakeNode(ape))
    assert (live(), reasons()) == (["zora 7 2"], {"1": "private"})
    assert api.nfts(contractAddress=APES)["data"][0]["orderbook"] == ["zora,ETH,2"]


def test_a_declining_price_never_falls_below_its_end() -> None:
    chain = Chain()
    moves = [
        emitted("Transfer(address,address,uint256)", [], word(a) + word(b) + word(7), logs.KITTIES)
        for a, b in ((ZERO, BOB), (BOB, logs.KITTY_SALES))
    ]
    auction = told(logs.auction_created(start=2 * ETH, end=ETH, duration=86_400))
    chain.mine(tx(moves[0]), tx(moves[1], auction))
    index(FakeNode(chain))
    assert live() == ["cryptokitties-auction 7 1"], "years after it began"


def test_of_an_ask_of_several_units_what_is_left_and_held_is_offered() -> None:
    chain = Chain()
    chain.mine(tx(units(7, ZERO, ALICE, 20)))
    index(FakeNode(chain))
    load(ORDER, Offer("opensea", (COINS, 7), 1, ALICE, amount=10))

    def offered() -> tuple[int | None, str]:
        one = Ask.objects.get()
        return one.amount and int(one.amount), one.reason

    assert offered() == (10, "")
    chain.mine(coins_sale(7, 4, 400, order=ORDER))
    index(FakeNode(chain))
    assert offered() == (6, "")
    chain.mine(tx(units(7, ALICE, CAROL, 13)))
    index(FakeNode(chain))
    assert offered() == (3, ""), "she has no more"
    chain.mine(tx(units(7, CAROL, ALICE, 13)))
    index(FakeNode(chain))
    assert offered() == (6, "")
    chain.mine(coins_sale(7, 6, 600, order=ORDER))
    index(FakeNode(chain))
    assert offered() == (0, "filled")


def test_all_orders_of_one_nonce_end_with_the_first_that_is_filled(ape: Chain) -> None:
    ape.mine(tx(nft(8, ZERO, BOB)))
    index(FakeNode(ape))
    signed: dict[str, Any] = {"exchange": LOOKSRARE_2, "nonce": 6}
    for name, token, price in ((ORDER, 7, 1), (ANOTHER, 8, 2)):
        load(name, Offer("looksrare", (APES, token), price, BOB, **signed))
    load("0x" + "0f" * 32, Offer("looksrare", (APES, 8), 3, BOB, exchange=LOOKSRARE_2, nonce=7))
    load("0x" + "1f" * 32, Offer("looksrare", (APES, 8), 4, CAROL, **signed))
    assert len(live()) == 3
    bought = trade_2("TakerBid", ALICE, ALICE, proceeds=(BOB, ETH), nonce=6, is_valid=1)
    ape.mine(tx(told(bought), nft(7, BOB, ALICE)))
    index(FakeNode(ape))
    assert live() == ["looksrare 8 3"]
    assert (reasons()["1"], reasons()["2"]) == ("counter", "counter")


def approval(flag: int) -> Emitted:
    """Bob lets Seaport move his apes, or no longer."""
    return emitted("ApprovalForAll(address,address,bool)", [BOB, SEAPORT_16], word(flag), APES)


def test_an_approval_that_is_taken_back_puts_an_ask_to_sleep_until_it_is_given_again(ape: Chain) -> None:
    index(FakeNode(ape))
    load(ORDER, Offer("opensea", APE, 1, BOB, operator=SEAPORT_16))
    for flag, expected in ((0, []), (1, ["opensea 7 1"]), (0, [])):
        ape.mine(tx(approval(flag)))
        index(FakeNode(ape, {APES: approving(flag)}))
        assert live() == expected
    assert reasons() == {"1": "no-approval"}
    ape.fork(back=1)
    ape.mine()
    index(FakeNode(ape, {APES: approving(1)}))
    assert live() == ["opensea 7 1"]


def test_a_contract_that_burns_all_gas_costs_its_own_calls_and_nothing_else_and_is_asked_once(
    ape: Chain,
) -> None:
    def burn(address: str, data: str, block: int) -> Any:
        return RpcError("played", -32000, "out of gas")

    def answer(address: str, data: str, block: int) -> Any:
        if data.startswith(IS_APPROVED_FOR_ALL):
            return "0x" + word(0)
        return RpcError("played", 3, "execution reverted")

    frogs = "0x" + "f0" * 20
    ape.mine(tx(nft(9, ZERO, BOB, frogs)))
    ape.mine(
        tx(told(logs.ask_created(price=ETH)), told(logs.ask_created(price=2 * ETH, nft=frogs, token_id=9)))
    )
    asked = []
    for _ in range(3):
        node = FakeNode(ape, {APES: burn, frogs: answer})
        index(node)
        asked += [
            params[0]
            for method, params in node.asked
            if method == "eth_call" and params[0]["data"].startswith(IS_APPROVED_FOR_ALL)
        ]
        ape.mine()
    assert sorted(one["to"] for one in asked) == sorted([APES, frogs])
    assert {one["gas"] for one in asked} == {hex(1_000_000)}
    assert (live(), reasons()) == (["zora 7 1"], {"2": "no-approval"})


def test_an_ask_that_slept_when_it_was_read_is_asked_about_once_it_wakes(ape: Chain) -> None:
    """Else it would wake as if its market were approved, in one run, and sleep on in another."""
    ape.mine(tx(told(logs.ask_created(price=ETH))))
    ape.mine(tx(nft(7, BOB, CAROL)))
    index(FakeNode(ape, {APES: approving(0)}))
    ape.mine(tx(nft(7, CAROL, BOB)))
    index(FakeNode(ape, {APES: approving(0)}))
    assert reasons() == {"1": "no-approval"}


def test_an_order_that_files_tell_of_too_outlives_the_loss_of_the_log_that_opened_it(ape: Chain) -> None:
    opening = validated_for(0)
    name = "0x" + opening.data[2:66]
    index(FakeNode(ape))
    for told_first in (True, False):
        if told_first:
            load(name, Offer("opensea", APE, 1, BOB))
        ape.mine(tx(opening))
        index(FakeNode(ape))
        load(name, Offer("opensea", APE, 99, BOB))
        assert live() == ["opensea 7 1"], "its terms are the chain's"
        ape.fork(back=1)
        ape.mine()
        index(FakeNode(ape))
        assert live() == ["opensea 7 1"]
        Ask.objects.all().delete()
