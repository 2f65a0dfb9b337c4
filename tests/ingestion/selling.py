"""Transactions in which Seaport sells, for chains made by hand."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.chain import COINS, Emitted, Tx, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, word
from tests.markets.seaport_events import SEAPORT_15, erc20_item, nft_item, order_fulfilled, paid

ETHER = "0x" + "0" * 40
MADE_UP_MARKET = "0x" + "5e" * 20
"""A contract with Seaport's events that is no known deployment of it."""


def as_emitted(log: RawLog) -> Emitted:
    """A log of which nothing is known that it moves."""
    return Emitted(log.address, list(log.topics), "0x" + log.data.hex(), [])


def erc20(currency: str, amount: int, sender: str, receiver: str) -> Emitted:
    """A `Transfer` of ERC-20."""
    return emitted("Transfer(address,address,uint256)", [sender, receiver], word(amount), currency)


def sale(
    token_id: int,
    price: int,
    *,
    seller: str = ALICE,
    buyer: str = BOB,
    order: str = "0x" + "0d" * 32,
    market: str = SEAPORT_15,
) -> Tx:
    """An ask for an ape, filled in ether; the event stands before the NFT's log."""
    event = order_fulfilled(
        offerer=seller,
        recipient=buyer,
        offer=[nft_item(APES, token_id)],
        consideration=[paid(price, seller)],
        index=0,
        order=order,
        contract=market,
    )
    return tx(as_emitted(event), nft(token_id, seller, buyer), sender=buyer, target=market, value=price)


def coins_sale(
    token_id: int, count: int, price: int, *, order: str, seller: str = ALICE, buyer: str = BOB
) -> Tx:
    """Some units of an ERC-1155 ask, filled in ether."""
    event = order_fulfilled(
        offerer=seller,
        recipient=buyer,
        offer=[nft_item(COINS, token_id, amount=count, kind=3)],
        consideration=[paid(price, seller)],
        index=0,
        order=order,
    )
    logs = (as_emitted(event), units(token_id, seller, buyer, count))
    return tx(*logs, sender=buyer, target=SEAPORT_15, value=price)


def token_sale(
    token_id: int, currency: str, told: int, sent: int, *, seller: str = ALICE, buyer: str = BOB
) -> Tx:
    """An ask filled in a token, of which the event tells so much and the logs show so much."""
    event = order_fulfilled(
        offerer=seller,
        recipient=buyer,
        offer=[nft_item(APES, token_id)],
        consideration=[erc20_item(currency, told, seller)],
        index=0,
    )
    money = erc20(currency, sent, buyer, seller)
    return tx(as_emitted(event), nft(token_id, seller, buyer), money, sender=buyer, target=SEAPORT_15)
