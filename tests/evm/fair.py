"""A fair: makers who sign orders off a chain, a vendor who lists them, buyers, and whatever goes wrong between them.

What is live is asked of Seaport itself: whoever brings the price either gets the NFT or does not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.evm import seaport
from tests.evm.chain import BLOCK_SECONDS, ZERO_ADDRESS, Chain, Deployed
from tests.evm.signed import OPEN, PARTIAL, RESTRICTED, WETH, Exchange, Order, Signed
from tests.orders.made_up import CONDUIT, CONDUIT_KEY, FEE_TO, item, listing, money
from tests.orders.vendor import Vendor

MAKERS = range(1, 7)
BUYER, TRADER = 9, 8
"""Accounts: who is asked whether he could buy, and never does; who buys."""
ONES, WELCOMES, IDS, UNITS = 30, 12, 8, 12
"""ERC-721 tokens of the two contracts, ERC-1155 ids, and units of each that a maker has at first."""
RICH = 10**19
GAS = 2_000_000
DAY = 86_400
NO_KEY = "0x" + "0" * 64
APPROVE = "setApprovalForAll(address,bool)"


@dataclass
class Entry:
    """An order of the fair."""

    signed: Signed
    slug: str
    unit_price: tuple[int, int]
    """Wei of a unit at first and at last."""
    is_shown: bool = True
    """Whether the vendor lists it, as far as it is for everybody."""
    is_validated: bool = False
    """Whether its maker validated it on the chain too."""
    is_over: bool = False
    """Whether nothing can make it live again."""
    is_unsure: bool = False
    """Whether its NFT alone was approved, or no longer, since it stands: no log tells, and who asks does so in turn."""

    @property
    def order(self) -> Order:
        """What was signed."""
        return self.signed.order

    @property
    def nft(self) -> tuple[str, int]:
        """Contract and id."""
        offered = self.order["offer"][0]
        return offered["token"], int(offered["identifierOrCriteria"])

    @property
    def currency(self) -> str:
        """What is paid."""
        return "ETH" if self.order["consideration"][0]["itemType"] == seaport.NATIVE else "WETH"

    @property
    def is_zoned(self) -> bool:
        """Whether its zone has to agree."""
        return bool(self.order["orderType"] == RESTRICTED)

    def price(self, moment: int) -> int:
        """Wei of a unit at a moment."""
        (first, last), begin, end = self.unit_price, int(self.order["startTime"]), int(self.order["endTime"])
        whole, passed = end - begin, min(max(moment - begin, 0), end - begin)
        return -(-(first * (whole - passed) + last * passed) // whole)

    @property
    def slack(self) -> int:
        """Wei that Seaport may ask more or less than that: it rounds each item of a price that changes."""
        first, last = self.unit_price
        return 0 if first == last else self.signed.size + len(self.order["consideration"])


class Sent(NamedTuple):
    """A transaction for the next block, by the name of what it does."""

    name: str
    transaction: dict[str, Any]
    validated: Entry | None = None
    """The order that it validates on the chain."""


class Fair:
    """Contracts, accounts and orders; what was done is counted in ``done``, where it succeeded."""

    def __init__(self, chain: Chain, published: seaport.Published, seed: int) -> None:
        self.chain, self.random = chain, random.Random(seed)
        self.exchange = Exchange(chain, published)
        self.ones = chain.deploy("Erc721", "Ones", "ONE")
        self.many = chain.deploy("Erc1155")
        self.welcoming = chain.deploy("Welcoming")
        self.contracts = {"ones": self.ones, "many": self.many, "welcoming": self.welcoming}
        self.vendor = Vendor({one.address: slug for slug, one in self.contracts.items()})
        self.entries: dict[str, Entry] = {}
        self.done: Counter[str] = Counter()
        self.owners: dict[tuple[str, int], str] = {}
        self.moment = 0
        self._made = 0
        self.waiting: list[Sent] = []
        self._settle()

    def _settle(self) -> None:
        for slug, count in (("ones", ONES), ("welcoming", WELCOMES)):
            for token in range(count):
                receiver = self.account(MAKERS[token % len(MAKERS)])
                self.contracts[slug].submit("mint(address,uint256)", receiver, token)
        for maker in MAKERS:
            for token in range(IDS):
                self.many.submit("mint(address,uint256,uint256)", self.account(maker), token, UNITS)
            for contract in (self.ones, self.many):
                contract.submit(APPROVE, seaport.ADDRESS, maker != MAKERS[1], sender=maker)
                if maker % 3:
                    contract.submit(APPROVE, CONDUIT, True, sender=maker)
            if maker % 2:
                self.welcoming.submit(APPROVE, seaport.ADDRESS, True, sender=maker)
        for account in (BUYER, TRADER):
            self.exchange.weth.submit("deposit()", sender=account, value=100 * RICH)
            self.exchange.weth.submit("approve(address,uint256)", seaport.ADDRESS, 2**255, sender=account)
        self.chain.mine(20)  # as many as these transactions fill by the gas that they may use
        self.look()

    def account(self, index: int) -> str:
        """The address of one."""
        return self.chain.accounts[index]

    def look(self) -> None:
        """Take note of the head's time, and of who has what."""
        head = self.chain.rpc("eth_getBlockByNumber", "latest", False)
        self.head, self.moment = head["number"], int(head["timestamp"], 16)
        tokens = [(self.ones, token) for token in range(ONES)]
        tokens += [(self.welcoming, token) for token in range(WELCOMES)]
        asked = [
            ("eth_call", [{"to": of.address, "data": of.data("ownerOf(uint256)", token)}, self.head])
            for of, token in tokens
        ]
        self.owners = {
            (of.address, token): "0x" + answer[-40:]
            for (of, token), answer in zip(tokens, self.chain.batch(asked), strict=True)
        }

    # What makers sign, and the vendor lists.

    def sign(self, count: int) -> None:
        """Have orders signed and listed."""
        counters = self.exchange.ask(
            {"data": self.exchange.data("getCounter", self.account(maker))} for maker in MAKERS
        )
        current = {
            self.account(maker): int(one or "", 16) for maker, one in zip(MAKERS, counters, strict=True)
        }
        drawn = [self._draw(current) for _ in range(count)]
        for (order, slug, price), signed in zip(
            drawn, self.exchange.sign([one[0] for one in drawn]), strict=True
        ):
            self.entries[signed.hash] = Entry(signed, slug, price)
            shown = listing(
                order | {"counter": order["counter"] if len(self.entries) % 2 else hex(order["counter"])}
            )
            assert shown["order_hash"] == signed.hash
            self.vendor.put(slug, shown | {"order_created_at": self.moment})

    def _draw(self, counters: dict[str, int]) -> tuple[Order, str, tuple[int, int]]:
        slug = self.random.choices(("ones", "many", "welcoming"), (5, 3, 2))[0]
        contract, maker, units, kind = self.contracts[slug], self.account(self.random.choice(MAKERS)), 1, OPEN
        if slug == "many":
            token, units = self.random.randrange(IDS), self.random.choice((1, 2, 5, 10))
            kind = self.random.choice((OPEN, PARTIAL, PARTIAL))
        else:
            token = self.random.randrange(ONES if slug == "ones" else WELCOMES)
            if self.random.random() < 0.85:
                maker = self.owners[contract.address, token]
        begin = self.moment + BLOCK_SECONDS * self.random.choice((-50, -10, 0, 3))
        is_soon = self.random.random() < 0.4
        end = self.moment + BLOCK_SECONDS * self.random.randint(4, 60) if is_soon else 2**40
        first = last = self._price()
        if is_soon and self.random.random() < 0.4:
            first, last = self.random.sample((first, self._price()), 2)
        token_paid = ZERO_ADDRESS if self.random.random() < 0.8 else WETH
        wants = [
            money(units * first * part // 40, units * last * part // 40, token_paid, to)
            for part, to in ((39, maker), (1, FEE_TO))
        ]
        if self.random.random() < 0.06:
            receiver = {"recipient": self.account(TRADER)}
            wants.append(item(2 + (slug == "many"), contract.address, token, units) | receiver)
        zone = ZERO_ADDRESS
        if kind == OPEN and self.random.random() < 0.15:
            zone, kind = self.exchange.zone.address, RESTRICTED
        has_key = self.random.random() < (0.8 if slug == "welcoming" else 0.4)
        self._made += 1
        order = {
            "offerer": maker,
            "zone": zone,
            "offer": [item(2 + (slug == "many"), contract.address, token, units)],
            "consideration": wants,
            "orderType": kind,
            "startTime": str(begin),
            "endTime": str(end),
            "zoneHash": NO_KEY,
            "salt": hex(self._made),
            "conduitKey": CONDUIT_KEY if has_key else NO_KEY,
            "totalOriginalConsiderationItems": len(wants),
            "counter": counters[maker],
        }
        return order, slug, (first, last)

    def _price(self) -> int:
        """A price that nobody has asked before, of which a fortieth is whole wei."""
        self._made += 1
        return (self._made * 10**6 + self.random.randrange(10**6)) * 40 * 10**6

    # What Seaport would fill.

    def fills(self, units: dict[str, int], beside: int | None = None) -> set[str]:
        """Which orders Seaport would fill, so many units of each, for whoever brings the price.

        ``beside``: he brings so much more than the price to the wei, else more than enough.
        """
        calls = []
        for order_hash, wanted in units.items():
            one = self.entries[order_hash]
            value = RICH
            if beside is not None:
                value = wanted * one.price(self.moment) + beside + (one.slack if beside >= 0 else -one.slack)
            data = self.exchange.filling(one.signed, wanted, self.account(BUYER))
            paid = {"value": hex(max(value, 0))} if one.currency == "ETH" else {}
            calls.append({"from": self.account(BUYER), "data": data} | paid)
        answers = self.exchange.ask(calls, self.head)
        return {hash_ for hash_, answer in zip(units, answers, strict=True) if answer is not None}

    def least(self, hashes: Sequence[str] | None = None) -> dict[str, int]:
        """The fewest units of orders that anybody may buy: of all that may be live again, where none are named."""
        chosen = [
            one
            for hash_, one in self.entries.items()
            if (not one.is_over if hashes is None else hash_ in hashes)
        ]
        return {one.signed.hash: 1 if one.signed.is_partial else one.signed.size for one in chosen}

    def live(self) -> set[str]:
        """The orders that are live: Seaport would fill them, and the vendor offers them or they stand on the chain."""
        return {
            hash_
            for hash_ in self.fills(self.least())
            if self.entries[hash_].is_shown or self.entries[hash_].is_validated
        }

    # What happens.

    def rest(self) -> None:
        """Let a day pass in which nothing happens, so that all is asked again."""
        self.chain.rpc("evm_setNextBlockTimestamp", hex(self.moment + DAY))
        self.pass_time(1)
        for one in self.entries.values():
            one.is_unsure = False

    def pass_time(self, blocks: int) -> None:
        """Mine what was sent, and some blocks more."""
        hashes = self.chain.batch([("eth_sendTransaction", [one.transaction]) for one in self.waiting])
        self.chain.mine(blocks)
        receipts = self.chain.batch([("eth_getTransactionReceipt", [one]) for one in hashes])
        for sent, receipt in zip(self.waiting, receipts, strict=True):
            self.done[sent.name] += receipt["status"] == "0x1"
            if sent.validated is not None:  # one of which a part was sold is so already, and no log says it
                sent.validated.is_validated |= bool(receipt["logs"])
        self.waiting = []
        self.look()
        self._settle_orders()

    def send(
        self,
        name: str,
        contract: Deployed,
        data: str,
        sender: str,
        value: int = 0,
        validated: Entry | None = None,
    ) -> None:
        """Send a call with the next block; it may fail."""
        sent = {"from": sender, "to": contract.address, "data": data, "gas": hex(GAS), "value": hex(value)}
        self.waiting.append(Sent(name, sent, validated))

    def _settle_orders(self) -> None:
        """Take note of what is over for good, and of the units that the vendor has as left."""
        rest = {hash_: one for hash_, one in self.entries.items() if not one.is_over}
        asked = [{"data": self.exchange.data("getOrderStatus", bytes.fromhex(one[2:]))} for one in rest]
        for (hash_, one), answer in zip(rest.items(), self.exchange.ask(asked, self.head), strict=True):
            assert answer is not None
            _, is_cancelled, filled, size = (int(answer[at : at + 64], 16) for at in range(2, 258, 64))
            is_filled = bool(size) and filled == size
            one.is_over = bool(is_cancelled) or is_filled or self.moment >= int(one.order["endTime"])
            if size and self.random.random() < 0.5:  # it is behind at times
                left = one.signed.size * (size - filled) // size
                self.vendor.say(hash_, remaining_quantity=max(left, 1))
