"""What every ask is, by playing the chain from its first block on: a plain model that reads nothing of the product.

Deeds are what logs mean. Order events count from block 0 on, moves only from the first indexed block on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

NFT = tuple[str, int]


@dataclass
class Offer:
    """An ask by its terms; amounts in units, prices in whole ether, times in Unix seconds."""

    market: str
    nft: NFT
    price: int
    maker: str | None = None
    taker: str | None = None
    holder: str | None = None
    operator: str | None = None
    exchange: str | None = None
    nonce: int | None = None
    wakes: bool = True
    amount: int | None = None
    made_at: int = 0
    status: str = "open"
    gone: bool = False
    opened: bool = False
    """A log opened it."""
    reflects: frozenset[str] = frozenset()
    """Transactions whose fills its amount is less already."""
    ended: str = ""
    left: bool = False
    """Its seller gave away the last unit since it was made."""
    taken_back: bool = False
    """Its maker took back the approval since it was made."""
    seen_at: int = 0
    """When its source last showed it."""

    @property
    def seller(self) -> str | None:
        return self.holder or self.maker

    def is_before(self, timestamp: int) -> bool:
        """Whether it was made, and its source last showed it, before a moment."""
        return self.seen_at < timestamp and (self.opened or 0 < (self.seen_at or self.made_at) < timestamp)


class Deed(NamedTuple):
    """What a log means."""

    kind: str
    values: dict[str, Any]


class Found(NamedTuple):
    """What an ask is in the end."""

    price: int
    maker: str | None
    amount: int | None
    status: str
    reason: str


@dataclass
class Books:
    """The state of the markets as blocks are played."""

    stated: dict[str, Offer]
    begin: int = 0
    offers: dict[str, Offer] = field(default_factory=dict)
    held: dict[NFT, dict[str, int]] = field(default_factory=dict)
    standing: dict[tuple[str, NFT], str] = field(default_factory=dict)
    """The order that a market without hashes has for an NFT."""
    cancelled: set[str] = field(default_factory=set)
    fills: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    counters: dict[tuple[str, str], int] = field(default_factory=dict)
    nonces: set[tuple[str, str, int]] = field(default_factory=set)
    approved: dict[tuple[str, str, str], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.offers = {name: replace(one) for name, one in self.stated.items()}

    def play(self, deeds: Iterable[tuple[int, int, str, str, Deed]]) -> Books:
        """Play deeds, each with its block, timestamp, transaction and the name of an order that it may open."""
        for block, timestamp, transaction, name, deed in deeds:
            values = {**deed.values, "name": name, "timestamp": timestamp, "transaction": transaction}
            if deed.kind != "move" or block >= self.begin:
                getattr(self, f"_{deed.kind}")(**values)
        return self

    def _move(self, nft: NFT, sender: str, receiver: str, units: int, timestamp: int, **_: Any) -> None:
        held = self.held.setdefault(nft, {})
        held[sender] = max(held.get(sender, 0) - units, 0)
        held[receiver] = held.get(receiver, 0) + units
        for one in self.offers.values():
            is_since = one.is_before(timestamp)
            if one.nft == nft and one.seller is not None and is_since and not held.get(one.seller):
                one.left = True

    def _open(self, name: str, timestamp: int, transaction: str, **terms: Any) -> None:
        name = terms.pop("hash", name)
        offer = Offer(**{"amount": 1, **terms}, made_at=timestamp, opened=True)
        if name in self.stated:  # an order has its terms from the chain, whoever else told of it
            stated = self.stated[name]
            offer.status, offer.gone, offer.seen_at = stated.status, stated.gone, stated.seen_at
        if offer.maker is None:
            offer.maker = next((who for who, units in self.held.get(offer.nft, {}).items() if units), None)
        self.offers[name] = offer
        if "nonce" not in terms and offer.exchange is not None:
            self._end(offer.exchange, offer.nft, "cancelled")
            self.standing[offer.exchange, offer.nft] = name

    def _end(self, exchange: str, nft: NFT, outcome: str, **_: Any) -> None:
        name = self.standing.pop((exchange, nft), None)
        if name is not None:
            self.offers[name].ended = outcome

    def _reprice(self, exchange: str, nft: NFT, price: int, **_: Any) -> None:
        self.offers[self.standing[exchange, nft]].price = price

    def _cancel(self, hash: str, **_: Any) -> None:
        self.cancelled.add(hash)

    def _fill(self, hash: str, units: int, transaction: str, **_: Any) -> None:
        self.fills.setdefault(hash, []).append((transaction, units))

    def _counter(self, exchange: str, maker: str, value: int, timestamp: int, **_: Any) -> None:
        self.counters[exchange, maker] = value
        for one in self.offers.values():
            made_at = one.made_at if one.opened else one.seen_at or one.made_at
            if (one.exchange, one.maker, one.nonce) == (exchange, maker, None) and made_at:
                one.ended = one.ended or ("counter" if made_at < timestamp else "")

    def _nonce(self, exchange: str, maker: str, values: Collection[int], **_: Any) -> None:
        self.nonces |= {(exchange, maker, one) for one in values}

    def _approve(
        self, contract: str, maker: str, operator: str, flag: bool, timestamp: int, **_: Any
    ) -> None:
        self.approved[contract, maker, operator] = flag
        for one in self.offers.values():
            is_since = one.is_before(timestamp)
            if (one.nft[0], one.maker, one.operator) == (contract, maker, operator) and is_since and not flag:
                one.taken_back = True

    def found(self) -> dict[str, Found]:
        """Return what each ask is now."""
        return {name: self._found(name, one) for name, one in self.offers.items()}

    def _found(self, name: str, one: Offer) -> Found:
        left, reason = one.amount, self._over(name, one)
        if one.status == "open":
            for transaction, units in self.fills.get(name, ()):
                if one.amount in (None, 1):
                    left, reason = left and 0, "filled"
                elif transaction not in one.reflects:
                    left = max((left or 0) - units, 0)
                    reason = reason if left else "filled"
        status = {"": "open", "filled": "filled"}.get(reason, "cancelled")
        reason = reason or self._asleep(name, one)
        if left is not None and not reason and one.seller is not None and one.nft in self.held:
            left = min(left, self.held[one.nft][one.seller])
        return Found(one.price, one.maker, left, status, reason)

    def _over(self, name: str, one: Offer) -> str:
        if one.status != "open":
            return one.status
        if name in self.cancelled:
            return "cancelled"
        if one.ended:
            return one.ended
        if one.exchange is not None and one.maker is not None and one.nonce is not None:
            maker = one.exchange, one.maker
            if (*maker, one.nonce) in self.nonces or self.counters.get(maker, one.nonce) != one.nonce:
                return "counter"
        return ""

    def _asleep(self, name: str, one: Offer) -> str:
        is_validated = one.opened and ":" not in name
        if one.gone and not (is_validated and one.wakes):  # the chain wins, where no zone is told off it
            return "gone-from-source"
        if one.taker is not None:
            return "private"
        holders = self.held.get(one.nft)
        is_held = holders is None or bool(holders.get(one.seller or ""))
        if one.seller is not None and holders is not None and (not is_held or (one.left and not one.wakes)):
            return "not-owner"
        approval = one.nft[0], one.maker or "", one.operator or ""
        is_over = one.taken_back and not one.wakes
        if one.operator is not None and (is_over or not self.approved.get(approval)):
            return "no-approval"
        return ""
