"""The history of a collection: mints, transfers, sales, swaps and burns, in the order of their time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from core.addresses import DEAD_ADDRESS, SYSTEM_PROGRAM, ZERO_ADDRESS
from nftsite.sample import names
from nftsite.sample.collections import Collection
from nftsite.sample.market import DAY, END, MONEY, START, Line

COLLECTORS = 140
CHAINS = {"ethereum": (18_900_000, 12.0), "base": (8_600_000, 2.0), "solana": (238_000_000, 0.4)}
"""Block at START and seconds a block, of each chain."""
EVENTS_AN_NFT = 3.2
MINT_DAYS = 40

Event = dict[str, Any]


def collector(collection: Collection, number: int) -> str:
    """A wallet; those of EVM chains are the same people on all of them."""
    make = names.account if collection.by_mint else names.address
    return make("collector", number)


class History:
    """Plays the life of a collection whose NFTs have one holder each.

    ``holders``: who holds each NFT, by number, once :meth:`lines` is through; burned ones are missing.
    """

    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        self.random = Random(f"history of {collection.slug}")  # noqa: S311 - a sample's data, not a secret
        self.people = [collector(collection, number) for number in range(COLLECTORS)]
        self.nobody = SYSTEM_PROGRAM if collection.by_mint else ZERO_ADDRESS
        self.holders: dict[int, str] = {}
        self.moment = START
        self.count = 0

    def lines(self) -> Iterator[Line]:
        """Yield the transfers."""
        size = self.collection.size
        for number, moment in enumerate(self._moments(size, START + DAY, START + MINT_DAYS * DAY), start=1):
            yield from self._mint(number, moment)
        doings = (self._sale, self._transfer, self._swap, self._bundle, self._burn)
        for moment in self._moments(int(size * EVENTS_AN_NFT), START + MINT_DAYS * DAY, END - DAY):
            (do,) = self.random.choices(doings, (50, 40, 7, 1, 2))
            yield from do(moment)

    def _moments(self, count: int, start: int, end: int) -> list[int]:
        return sorted(self.random.randrange(start, end) for _ in range(count))

    def _mint(self, number: int, moment: int) -> Iterator[Line]:
        taker = self._person()
        self.holders[number] = taker
        price = 0 if self.collection.marked else self._money(0).units(self.collection.price / 4)
        yield self._line(
            self._event(moment, value=price), number, self.nobody, taker, "mint",
            transactionFrom=taker, **self._priced(0, price) if price else {},
        )  # fmt: skip

    def _transfer(self, moment: int) -> Iterator[Line]:
        number = self._any()
        giver, taker = self._hand_over(number)
        yield self._line(self._event(moment), number, giver, taker, "transfer", transactionFrom=giver)

    def _sale(self, moment: int) -> Iterator[Line]:
        number = self._any()
        giver, taker = self._hand_over(number)
        kind = self.random.choice(range(len(self._moneys())))
        amount = self._money(kind).units(self.collection.price * self.random.lognormvariate(0, 0.5))
        event = self._event(moment, value=amount if kind == 0 else 0, market=self._market())
        yield self._line(event, number, giver, taker, "sale", transactionFrom=taker, isCommercial=True,
                         **self._priced(kind, amount))  # fmt: skip

    def _swap(self, moment: int) -> Iterator[Line]:
        """Two holders exchange an NFT each; both transfers carry both legs."""
        one, other = self._two()
        pairs = (
            (one, self.holders[one], self.holders[other]),
            (other, self.holders[other], self.holders[one]),
        )
        legs = [self._leg(number, giver, taker) for number, giver, taker in pairs]
        event = self._event(moment)
        for log, (number, giver, taker) in enumerate(pairs):
            yield self._line(
                event, number, giver, taker, "swap", log=log, swaps=legs, transactionFrom=pairs[0][1]
            )
        self.holders[one], self.holders[other] = self.holders[other], self.holders[one]

    def _bundle(self, moment: int) -> Iterator[Line]:
        """One holder sells all that is drawn for one price: it is not split, every leg is told."""
        seller = self.holders[self._any()]
        numbers = [number for number, holder in self.holders.items() if holder == seller][:3]
        buyer = self._person(but=seller)
        amount = self._money(0).units(self.collection.price * len(numbers) * 0.9)
        market = self._market()
        legs = [self._leg(number, seller, buyer, market) for number in numbers]
        legs.append({
            "contractAddress": self._money(0).token, "fromAddress": buyer, "toAddress": seller,
            "amount": str(amount), "market": market,
        })  # fmt: skip
        event = self._event(moment, value=amount, market=market)
        for log, number in enumerate(numbers):
            self.holders[number] = buyer
            more: Event = (
                {"nftValue": self._priced(0, amount)["nftValue"]} if len(numbers) == 1 else {"swaps": legs}
            )
            yield self._line(event, number, seller, buyer, "sale", log=log, isCommercial=True,
                             transactionFrom=buyer, **more)  # fmt: skip

    def _burn(self, moment: int) -> Iterator[Line]:
        number = self._any()
        giver = self.holders.pop(number)
        grave = self.nobody if self.collection.by_mint or self.random.random() < 0.5 else DEAD_ADDRESS
        yield self._line(self._event(moment), number, giver, grave, "burn", transactionFrom=giver)

    def _any(self) -> int:
        return self.random.choice(list(self.holders))

    def _two(self) -> tuple[int, int]:
        one = self._any()
        return one, self.random.choice(
            [n for n, holder in self.holders.items() if holder != self.holders[one]]
        )

    def _person(self, but: str | None = None) -> str:
        """Some collector; the first ones collect more than the rest."""
        while (person := self.people[int(self.random.random() ** 2 * COLLECTORS)]) == but:
            pass
        return person

    def _hand_over(self, number: int) -> tuple[str, str]:
        giver = self.holders[number]
        taker = self.holders[number] = self._person(but=giver)
        return giver, taker

    def _market(self) -> str:
        return self.random.choice(self.collection.markets)

    def _moneys(self) -> range:
        return range(len(MONEY[self.collection.chain]))

    def _money(self, kind: int) -> Any:
        return MONEY[self.collection.chain][kind]

    def _priced(self, kind: int, amount: int) -> Event:
        money = self._money(kind)
        return {"nftValue": {"tokenAddress": money.token, "tokenName": money.name, "amount": str(amount)}}

    def _leg(self, number: int, giver: str, taker: str, market: str | None = None) -> Event:
        collection = self.collection
        leg = {
            "contractAddress": collection.address, "tokenId": collection.token_id(number),
            "fromAddress": giver, "toAddress": taker, "amount": "1",
        }  # fmt: skip
        return leg | {"market": market} if market else leg

    def _event(self, moment: int, value: int = 0, market: str | None = None) -> Event:
        """What the transfers of one transaction share."""
        self.count += 1
        collection = self.collection
        make = names.signature if collection.by_mint else names.transaction
        first, seconds = CHAINS[collection.chain]
        return {
            "record": "transfer",
            "chain": collection.chain,
            "contractAddress": collection.address,
            "blockNumber": first + int((moment - START) / seconds),
            "transactionHash": make(collection.slug, self.count),
            "logIndex": self.random.randrange(2 if collection.by_mint else 200),
            "timestamp": moment,
            "value": str(value),
            "markets": [market] if market else [],
        }

    def _line(
        self, event: Event, number: int, giver: str, taker: str, kind: str, log: int = 0, **more: Any
    ) -> Line:
        own = {
            "tokenId": self.collection.token_id(number),
            "logIndex": event["logIndex"] + log,
            "fromAddress": giver,
            "toAddress": taker,
            "amount": "1",
            "swaps": [],
            "isCommercial": False,
            "transferType": kind,
        }
        return event | own | more
