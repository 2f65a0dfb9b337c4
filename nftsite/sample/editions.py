"""The history of the collection whose NFTs are held by many: batches are minted, units sold, given away and burned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from core.addresses import ZERO_ADDRESS
from nftsite.sample.collections import Collection
from nftsite.sample.history import Event, History
from nftsite.sample.market import DAY, END, START, Line

EVENTS = 900


class Editions(History):
    """Plays the life of an ERC-1155. ``units``: how many of each NFT every holder has, by number."""

    def __init__(self, collection: Collection) -> None:
        super().__init__(collection)
        self.units: dict[int, Counter[str]] = {}
        self.gardener = self.people[0]

    def lines(self) -> Iterator[Line]:
        """Yield the transfers."""
        numbers = range(1, self.collection.size + 1)
        for number, moment in zip(numbers, self._moments(len(numbers), START, START + 9 * DAY), strict=True):
            self.units[number] = Counter({self.gardener: 1_000})
            yield self._units_line(self._event(moment), number, ZERO_ADDRESS, self.gardener, 1_000, "mint")
        for moment in self._moments(12, START + 10 * DAY, START + 30 * DAY):
            yield from self._handed_around(moment, list(numbers))
        for moment in self._moments(EVENTS, START + 31 * DAY, END - DAY):
            yield self._moved(moment)

    def _handed_around(self, moment: int, numbers: list[int]) -> Iterator[Line]:
        """Batch transfers: one log hands several ids to one gardener; popular ones go to more than a hundred."""
        for person in self.people[1:]:
            event = self._event(moment)
            chosen = [1] if moment % 2 else []
            chosen += self.random.sample(numbers[1:], 1)
            for batch, number in enumerate(dict.fromkeys(chosen)):
                amount = self.random.randrange(1, 4)
                self._move(number, self.gardener, person, amount)
                yield self._units_line(event, number, self.gardener, person, amount, "transfer", batch)

    def _moved(self, moment: int) -> Line:
        number = self.random.choice(list(self.units))
        giver = self.random.choice(sorted(self.units[number]))
        amount = self.random.randrange(1, self.units[number][giver] + 1) if giver != self.gardener else 1
        chance = self.random.random()
        if chance < 0.04:
            self._move(number, giver, None, amount)
            return self._units_line(self._event(moment), number, giver, ZERO_ADDRESS, amount, "burn")
        taker = self._person(but=giver)
        self._move(number, giver, taker, amount)
        if chance < 0.5:
            return self._units_line(self._event(moment), number, giver, taker, amount, "transfer")
        kind = self.random.choice(self._moneys())
        price = self._money(kind).units(self.collection.price * amount * self.random.lognormvariate(0, 0.4))
        event = self._event(moment, value=price if kind == 0 else 0, market=self._market())
        sold: Event = {"isCommercial": True, **self._priced(kind, price)}
        return self._units_line(event, number, giver, taker, amount, "sale") | sold

    def _move(self, number: int, giver: str, taker: str | None, amount: int) -> None:
        units = self.units[number]
        units[giver] -= amount
        if not units[giver]:
            del units[giver]
        if taker is not None:
            units[taker] += amount

    def _units_line(
        self, event: Event, number: int, giver: str, taker: str, amount: int, kind: str, batch: int = 0
    ) -> Line:
        line = self._line(event, number, giver, taker, kind, transactionFrom=self.gardener)
        return line | {"amount": str(amount), "batchIndex": batch}
