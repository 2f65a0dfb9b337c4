"""What one Seaport event says: an order that was filled, or which orders were matched; see :mod:`seaport` for both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.addresses import ZERO_ADDRESS
from indexing.decode.signatures import Fields
from indexing.decode.words import UndecodableError
from indexing.judge.markets.reading import Registry, Told
from indexing.judge.verdicts import NATIVE, Fill, Item, Payment, Role, Side

_NATIVE, _ERC20 = 0, 1
_ITEM_TYPES = range(6)
_NO_HASH = "0x" + "0" * 64


@dataclass(frozen=True, slots=True)
class Order:
    """One ``OrderFulfilled``, with NFTs and money apart; what amounts to nothing is left out."""

    told: Told
    hash: str
    offerer: str
    zone: str
    recipient: str
    """Who gets the offer, or what is left of it in a match; the zero address where 1.1 matched it."""
    gives: tuple[Item, ...]
    wants: tuple[Item, ...]
    """Without those that it gives itself, see ``taker``."""
    offered: tuple[Payment, ...]
    """Its receiver is ``recipient``."""
    asked: tuple[Payment, ...]
    taker: str | None
    """Who alone may buy: a private listing asks that what it gives goes to a named address."""

    @property
    def log_index(self) -> int:
        """Of the event."""
        return self.told.log.log_index

    @property
    def tokens(self) -> set[tuple[str, int]]:
        """Contract and id of all NFTs in it."""
        return {(item.contract, item.token_id) for item in (*self.gives, *self.wants)}


def order(told: Told) -> Order:
    """Read an ``OrderFulfilled``. Raises UndecodableError."""
    offerer, recipient = told["offerer"], told["recipient"]
    gives, offered = _items(told["offer"], recipient)
    wanted, asked = _items(told["consideration"], recipient)
    own = {item for item, _ in gives}
    takers = {receiver for item, receiver in wanted if item in own and receiver != offerer}
    return Order(
        told,
        hash=told["orderHash"],
        offerer=offerer,
        zone=told["zone"],
        recipient=recipient,
        gives=tuple(item for item, _ in gives),
        wants=tuple(item for item, receiver in wanted if item not in own or receiver == offerer),
        offered=offered,
        asked=asked,
        taker=takers.pop() if len(takers) == 1 else None,
    )


def hashes(told: Told) -> tuple[str, ...]:
    """Read an ``OrdersMatched``: hashes of 32 bytes. Raises UndecodableError."""
    return tuple(one for one in told["orderHashes"] if one != _NO_HASH)


def ask(one: Order, buyer: str | None) -> Fill:
    """Return the fill of an order that gives NFTs, for money or for other NFTs.

    One that only asks the buyer to pay themselves (phishing) goes for nothing.
    """
    currency, price, several = total(one.asked)
    buyer = one.taker or buyer
    if all(payment.receiver == buyer for payment in one.asked):
        price = 0
    return one.told.fill(Side.ASK)._replace(
        market=market([one]),
        seller=one.offerer,
        buyer=buyer,
        items=one.gives,
        currency=currency,
        price=price,
        payments=(*one.asked, *one.offered),
        roles=_creators(one),
        order_hashes=(one.hash,),
        returned=one.wants,
        mixed=several or bool(one.offered),
    )


def bid(one: Order, seller: str | None) -> Fill:
    """Return the fill of an order that wants NFTs and gives none: all that it offers is what the buyer pays."""
    currency, price, several = total(one.offered)
    return one.told.fill(Side.BID)._replace(
        market=market([one]),
        seller=seller,
        buyer=one.offerer,
        items=one.wants,
        currency=currency,
        price=price,
        payments=one.asked,
        roles=_creators(one),
        order_hashes=(one.hash,),
        mixed=several or any(payment.currency != currency for payment in one.asked),
    )


def _creators(one: Order) -> tuple[tuple[str, Role], ...]:
    """Return whom an order pays royalties.

    That it pays a market's fee, or was made under a market's zone, shows that the market made its consideration: of the
    sale, that fee and royalties.
    """
    sources = one.told.around.registry.sources
    receivers = {payment.receiver for payment in one.asked}
    if one.zone not in sources and not any(receiver in sources for receiver in receivers):
        return ()
    return tuple((receiver, Role.ROYALTY) for receiver in sorted(receivers - {one.offerer, one.recipient}))


def market(orders: Sequence[Order]) -> str:
    """Return the market that orders were made on: by whom they pay a fee to, or by their zone.

    The deployment's own market where nothing tells, and where it is among those that are told.
    """
    first = orders[0].told
    addresses = [
        one for order in orders for one in (*(payment.receiver for payment in order.asked), order.zone)
    ]
    return made_on(addresses, first.around.registry, first.deployment.market)


def made_on(addresses: Iterable[str], registry: Registry, own: str) -> str:
    """Return the market that receivers of money and zones show orders to be of; ``own`` as in :func:`market`."""
    told = [registry.sources[one] for one in addresses if one in registry.sources]
    return told[0] if told and own not in told else own


def total(money: Sequence[Payment]) -> tuple[str, int, bool]:
    """Return currency and sum, and whether there is more than one currency; the sum is then the first one's."""
    if not money:
        return NATIVE, 0, False
    currency = money[0].currency
    same = [one.amount for one in money if one.currency == currency]
    return currency, sum(same), len(same) < len(money)


def _items(items: Iterable[Fields], recipient: str) -> tuple[list[tuple[Item, str]], tuple[Payment, ...]]:
    """Read a list of items: NFTs with their receivers, and money."""
    nfts, money = [], []
    for item in items:
        kind, token, identifier, amount = (
            item["itemType"],
            item["token"],
            item["identifier"],
            item["amount"],
        )
        receiver = item.get("recipient", recipient)
        if kind not in _ITEM_TYPES:
            raise UndecodableError(f"An item is of type {kind}, which Seaport does not have.")
        if not amount:
            continue
        if kind <= _ERC20:
            money.append(Payment(NATIVE if kind == _NATIVE else token, amount, receiver))
        else:
            nfts.append((Item(token, identifier, amount), receiver))
    return nfts, tuple(money)


def caller_of(one: Order) -> str | None:
    """Who gets what nobody asked for; ``None`` where 1.1 matched the order: there it stays with who offered it."""
    return None if one.recipient == ZERO_ADDRESS else one.recipient
