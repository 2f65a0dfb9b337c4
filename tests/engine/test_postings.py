"""The engine against plain Python, over worlds full of ties: same NFTs, same order, nothing repeated or missing."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from core.db.keys import NEVER, recency_key, scaled, uint_key
from tests import drawn
from tokens.engine import postings
from tokens.engine import scope_lists as lists
from tokens.engine.walk import NftWalk
from tokens.models import (
    Ask,
    Chain,
    Contract,
    Currency,
    Market,
    Nft,
    NftMarket,
    NftRecent,
    NftTrait,
    NftTraitRecent,
    TraitValue,
)
from tokens.models.market import ANYWHERE
from tokens.models.nft import UNKNOWN_RARITY_KEY
from tokens.models.trait import label_key, pair_key
from tokens.query.ordering import ORDERS, Order
from tokens.query.resolving import resolve
from tokens.query.selection import ContractRef, PriceBounds, Selection

NOW = 1_000
pytestmark = pytest.mark.django_db


@dataclass
class Token:
    """An NFT as the brute-force side sees it; asks are (market, currency, price, price key, from, until)."""

    nft: Nft
    recent: str
    traits: set[tuple[str, str]]
    traded: set[str]
    asks: list[tuple[str, str, Decimal, str, int, int]] = field(default_factory=list)

    def live(self, markets: frozenset[str] | None = None) -> list[tuple[str, str, Decimal, str, int, int]]:
        return [ask for ask in self.asks if ask[4] <= NOW < ask[5] and (markets is None or ask[0] in markets)]


class World:
    """Two chains that share a contract address, and a second contract, with 60 NFTs."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        chains = [Chain.objects.get(slug=slug) for slug in ("ethereum", "polygon")]
        self.contracts = [
            Contract.objects.create(chain=chain, address=address, folded_address=address)
            for chain, address in ((chains[0], "0xa"), (chains[1], "0xa"), (chains[0], "0xb"))
        ]
        self.markets = {slug: Market.objects.get(slug=slug) for slug in ("opensea", "blur", "x2y2")}
        self.currencies = {
            symbol: Currency.objects.get(symbol=symbol) for symbol in ("ETH", "WETH", "USDC", "APE")
        }
        rates = {"ETH": 2000, "WETH": 2000, "USDC": 1}
        for symbol, rate in rates.items():
            Currency.objects.filter(symbol=symbol).update(keyed_usd=Decimal(rate))
        self.tokens = [self._token(number) for number in range(60)]

    def _token(self, number: int) -> Token:
        pick = self.random
        contract = pick.choice(self.contracts)
        rarity = pick.choice([None, 1.0, 2.5, 2.5])
        recent = (
            NEVER
            if pick.random() < 0.3
            else recency_key(pick.choice([5, 6]), pick.choice([1, 2]), pick.choice([0, 1]))
        )
        nft = self._nft(contract, number, rarity, recent)
        traits = {(kind, pick.choice("abc")) for kind in ("T", "U", "T-a") if pick.random() < 0.7}
        for kind, value in traits:
            row, _ = TraitValue.objects.get_or_create(
                contract=contract,
                pair_key=pair_key(kind, value),
                defaults={"type": kind, "value": value, "label_key": label_key(f"{kind}-{value}")},
            )
            TraitValue.objects.filter(pk=row.pk).update(count=row.count + 1)
            NftTrait.objects.create(nft=nft, trait=row, token_key=nft.token_key, rarity_key=nft.rarity_key)
            NftTraitRecent.objects.create(nft=nft, trait=row, recent_key=recent)
        token = Token(nft, recent, traits, {slug for slug in self.markets if pick.random() < 0.25})
        for order in range(pick.choice([0, 0, 1, 2, 3])):
            self._ask(token, order)
        if len(token.asks) == 1:
            Ask.objects.filter(nft=nft).update(sole=True)
        places = {
            self.markets[slug].id: slug in token.traded for slug in token.traded | {a[0] for a in token.asks}
        }
        if token.asks:
            places[ANYWHERE] = False
        for market_id, traded in places.items():
            NftMarket.objects.create(
                nft=nft,
                market_id=market_id,
                contract=contract,
                chain=contract.chain,
                traded=traded,
                recent_key=recent,
                token_key=nft.token_key,
                rarity_key=nft.rarity_key,
            )
        return token

    def _nft(self, contract: Contract, number: int, rarity: float | None, recent: str) -> Nft:
        marked = self.random.random() < 0.3
        key = uint_key(number // 3)
        nft = Nft.objects.create(
            chain=contract.chain,
            contract=contract,
            token_key=uint_key(2**255 + number) if contract.nfts.filter(token_key=key).exists() else key,
            rarity=rarity,
            rarity_key=UNKNOWN_RARITY_KEY if rarity is None else -rarity,
            marked=marked,
            transferred=recent != NEVER,
        )
        NftRecent.objects.create(
            nft=nft,
            contract=contract,
            chain=contract.chain,
            token_key=nft.token_key,
            recent_key=recent,
            marked=marked,
        )
        return nft

    def _ask(self, token: Token, order: int) -> None:
        pick = self.random
        slug, symbol = pick.choice(list(self.markets)), pick.choice(list(self.currencies))
        price = (
            Decimal(pick.choice([1, 2, 2000, 4000]))
            if symbol in ("USDC", "APE")
            else Decimal(pick.choice(["0.5", "1", "2"]))
        )
        ratio = {"ETH": Decimal(1), "WETH": Decimal(1), "USDC": Decimal(1) / 2000}.get(symbol)
        key = (
            "1" + uint_key(scaled(price, 30)) if ratio is None else "0" + uint_key(scaled(price * ratio, 30))
        )
        start, end = pick.choice(
            [(0, 2**62), (NOW, NOW + 1), (0, NOW), (NOW + 1, NOW + 9), (NOW - 1, NOW + 9)]
        )
        Ask.objects.create(
            chain=token.nft.chain,
            contract=token.nft.contract,
            nft=token.nft,
            market=self.markets[slug],
            order_hash=f"{token.nft.pk}-{order}",
            currency=self.currencies[symbol],
            price=price,
            price_key=key,
            valid_from=start,
            valid_until=end,
        )
        token.asks.append((slug, symbol, price, key, start, end))

    def selection(self) -> Selection:
        """A random selection that mostly matches something."""
        pick = self.random
        selection = Selection()
        if pick.random() < 0.3:
            selection = selection.on_chain(pick.choice(["ethereum", "polygon"]))
        if pick.random() < 0.6:
            selection = selection.for_contract(ContractRef("evm", pick.choice(["0xa", "0xa", "0xb"])))
        if pick.random() < 0.2:
            keys = frozenset(token.nft.token_key for token in pick.sample(self.tokens, 12))
            selection = selection.with_token_ids(keys)
        if pick.random() < 0.2:
            keys = frozenset(token.nft.token_key for token in pick.sample(self.tokens, 6))
            selection = selection.without_token_ids(keys)
        labels = ["T-a", "T-b", "U-a", "U-b", "U-c", "T-a-b", "V-a"]
        if pick.random() < 0.4:
            selection = selection.with_traits(frozenset(pick.sample(labels, pick.choice([1, 2, 3]))))
        if pick.random() < 0.2:
            selection = selection.without_traits(frozenset(pick.sample(labels, 1)))
        if pick.random() < 0.3:
            selection = selection.trading_on(frozenset(pick.sample(list(self.markets), pick.choice([1, 2]))))
        if pick.random() < 0.25:
            low = pick.choice([None, Decimal("0.5"), Decimal("1"), Decimal("2")])
            high = pick.choice([None, Decimal("1"), Decimal("2"), Decimal("2000")])
            if low is None or high is None or low <= high:
                selection = selection.priced(
                    PriceBounds(pick.choice(["eth", "weth", "usdc", "ape", "usd"]), low, high)
                )
        return selection.without_marked() if pick.random() < 0.3 else selection


def matches(token: Token, selection: Selection, world: World) -> bool:
    """Tell whether a token matches, by the words of the filters."""
    nft = token.nft
    contract = selection.contract
    tests: list[Callable[[], bool]] = [
        lambda: selection.chain is None or nft.chain.slug == selection.chain,
        lambda: contract is None or nft.contract.address == contract.address,
        lambda: selection.token_keys is None or nft.token_key in selection.token_keys,
        lambda: nft.token_key not in (selection.excluded_token_keys or ()),
        lambda: not (selection.unmarked and nft.marked),
        lambda: has_traits(token, selection, world),
        lambda: (
            not any(f"{kind}-{value}" in (selection.excluded_traits or ()) for kind, value in token.traits)
        ),
        lambda: (
            selection.markets is None
            or bool(token.traded & selection.markets or {ask[0] for ask in token.live()} & selection.markets)
        ),
        lambda: selection.price is None or within_price(token, selection.price, selection.markets),
    ]
    return all(test() for test in tests)


def has_traits(token: Token, selection: Selection, world: World) -> bool:
    """Any of the entries within a type, all across types; the readings are those that exist where one looks."""
    if selection.traits is None:
        return True
    seen = {
        pair
        for other in world.tokens
        for pair in other.traits
        if selection.contract is None
        or (
            other.nft.contract.address == selection.contract.address
            and selection.chain in (None, other.nft.chain.slug)
        )
    }
    groups: list[tuple[set[str], set[str]]] = []
    for entry in selection.traits:
        types = {kind for kind, value in seen if f"{kind}-{value}" == entry}
        types = types or {entry[:place] for place, letter in enumerate(entry) if letter == "-"}
        joined = [group for group in groups if group[0] & types]
        groups = [group for group in groups if not group[0] & types]
        groups.append(
            (types.union(*(group[0] for group in joined)), {entry}.union(*(group[1] for group in joined)))
        )
    own = {f"{kind}-{value}" for kind, value in token.traits}
    return all(own & entries for _, entries in groups)


def within_price(token: Token, bounds: PriceBounds, markets: frozenset[str] | None) -> bool:
    """Tell whether the lowest live ask in the currency lies within the bounds."""
    usd = {"ETH": 2000, "WETH": 2000, "USDC": 1}
    family = {"eth": {"ETH", "WETH"}, "usd": set(usd)}.get(bounds.currency, {bounds.currency.upper()})
    factor = usd if bounds.currency == "usd" else {}
    prices = [ask[2] * factor.get(ask[1], 1) for ask in token.live(markets) if ask[1] in family]
    if not prices:
        return False
    lowest = min(prices)
    return (bounds.minimum is None or lowest >= bounds.minimum) and (
        bounds.maximum is None or lowest <= bounds.maximum
    )


def expected(world: World, selection: Selection, order: Order) -> list[int]:
    """The ids of all matching NFTs in order, ties by id."""

    def place(token: Token) -> tuple[int, object, int]:
        key = {
            "recent_key": token.recent,
            "token_key": token.nft.token_key,
            "rarity_key": token.nft.rarity_key,
        }[order.key]
        live = [ask[3] for ask in token.live(selection.markets)]
        if order.asks and live:
            return 0, (min if order.asks == "lowest" else max)(live), token.nft.pk
        return int(order.asks is not None), key, token.nft.pk

    found = sorted((token for token in world.tokens if matches(token, selection, world)), key=place)
    return [token.nft.pk for token in (reversed(found) if order.descending else found)]


def pages(selection: Selection, order: Order, size: int) -> Iterator[list[int]]:
    """Walk all pages."""
    start = None
    for _ in range(200):
        entries = NftWalk(selection, order, NOW)(start, size)
        yield [entry.row_id for entry in entries]
        if len(entries) < size:
            return
        start = entries[-1].position
    raise AssertionError("the walk does not end")


@pytest.mark.parametrize(
    ("small", "few"),
    [(2_000, 30), (3, 30), (3, 1)],
    ids=["small sets read whole", "what traits have in common read whole", "every list walked"],
)
@pytest.mark.parametrize("seed", [drawn.seed(0), drawn.seed(1)])
def test_every_walk_equals_brute_force(
    seed: int, small: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (postings, lists):
        monkeypatch.setattr(module, "SMALL", small)
    monkeypatch.setattr(postings, "FEW", few)
    world = World(seed)
    hits = 0
    for _ in range(30):
        selection, order = world.selection(), world.random.choice(list(ORDERS.values()))
        whole = expected(world, selection, order)
        hits += bool(whole)
        walked = [
            nft_id for page in pages(selection, order, world.random.choice([1, 3, 7, 31])) for nft_id in page
        ]
        assert walked == whole, (seed, selection, order)
    assert hits > 10


@pytest.mark.parametrize("passed", [20_000, 0], ids=["a rare trait", "a common trait"])
def test_more_lists_than_are_walked_one_by_one_give_the_same(
    passed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "MANY", 0)
    monkeypatch.setattr(postings, "PASSED", passed)
    world = World(7)
    selection = Selection().with_traits(frozenset(["T-a", "T-b"]))
    for order in ORDERS.values():
        walked = [nft_id for page in pages(selection, order, 4) for nft_id in page]
        assert walked == expected(world, selection, order)


def test_resolving_takes_at_most_three_queries_and_a_page_of_ids_three_more(
    django_assert_max_num_queries: Any,
) -> None:
    world = World(8)
    selection = (
        Selection()
        .for_contract(ContractRef("evm", "0xa"))
        .with_traits(frozenset(["T-a", "U-b"]))
        .without_traits(frozenset(["U-c"]))
        .trading_on(frozenset(world.markets))
        .priced(PriceBounds("usd", Decimal(0), None))
        .without_token_ids(frozenset([uint_key(1)]))
        .without_marked()
    )
    with django_assert_max_num_queries(3):
        assert resolve(selection, NOW) is not None
    with django_assert_max_num_queries(6):
        NftWalk(selection, ORDERS["lowestAsk"], NOW)(None, 31)
