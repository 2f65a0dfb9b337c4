"""Whatever makers, buyers and the vendor do, what is live is just what Seaport itself would fill."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from core.db.keys import scaled
from indexing.models import UndecodedLog
from indexing.orders.asking import Asker
from indexing.orders.checking import Checker
from indexing.orders.sources import OpenSea
from indexing.orders.walking import Walker
from tests.builders import load_lines, rate
from tests.conftest import Api
from tests.evm.chain import Chain
from tests.evm.fair import Fair
from tests.evm.haggling import haggle
from tests.evm.indexing import Indexing, source_of
from tests.evm.seaport import Published
from tests.orders.stand_in import KEY
from tokens.models import Ask
from tokens.prices.lines import Line
from tokens.store.ticks import tick

pytestmark = [pytest.mark.evm, pytest.mark.sqlite, pytest.mark.django_db]

ETHEREUM = 1
SEED = int(os.environ.get("TEST_FAIR_SEED", "1"))
STEPS = int(os.environ.get("TEST_FAIR_STEPS", "20"))
FIRST, EACH = 300, 10
"""Orders that stand at first, and that each step adds."""


@pytest.fixture
def fair(ethereum: Chain, published: Published) -> Iterator[Fair]:
    """The fair, and its vendor's server."""
    one = Fair(ethereum, published, SEED)
    with one.vendor:
        yield one


class Reader:
    """The service: indexes the chain, and reads the vendor's book."""

    def __init__(self, fair: Fair, indexing: Indexing, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fair, self.indexing = fair, indexing
        self.checker = Checker(indexing.chain, indexing.source)
        asker = Asker(
            fair.vendor.url, headers={"X-API-KEY": KEY}, sleep=lambda seconds: None, clock=lambda: fair.moment
        )
        self.walker = Walker(OpenSea(asker, "ethereum"), indexing.chain, clock=lambda: fair.moment)
        for module in ("core.rest.viewsets", "tokens.store.asks", "transfers.ledger.asks"):
            monkeypatch.setattr(f"{module}.time", SimpleNamespace(time=lambda: fair.moment))

    def index(self) -> None:
        """Index to the head, at times as after a restart."""
        (self.indexing.run if self.fair.random.random() < 0.2 else self.indexing.indexer.run)()
        assert self.indexing.reached == int(self.fair.head, 16)

    def walk(self) -> None:
        """Read the whole book, and check what is due."""
        for contract in self.fair.contracts.values():
            self.walker.walk(contract.address)
        while self.checker.check():
            pass

    def live(self) -> dict[str, Ask]:
        """The asks that are live now, by their hashes."""
        now = self.fair.moment
        rows = Ask.objects.filter(active=True, valid_from__lte=now, valid_until__gt=now)
        return {one.order_hash: one for one in rows.select_related("currency", "nft__contract")}


def check_orders(fair: Fair, found: dict[str, Ask]) -> set[str]:
    """None is missing, and none is false; each has its price to the wei, and as many units as may be bought.

    Returns what is live; what nobody can be sure of counts by the service's own word, and is not looked at.
    """
    unsure = {hash_ for hash_, one in fair.entries.items() if one.is_unsure}
    wanted, live = fair.live() - unsure, found.keys() - unsure
    missing, false = sorted(wanted - live), sorted(live - wanted)
    assert (missing, false) == ([], []), _explained(fair, missing, false)
    prices = {hash_: _price(found[hash_], fair.moment) for hash_ in wanted}
    assert prices == {hash_: fair.entries[hash_].price(fair.moment) for hash_ in wanted}
    units = {hash_: int(found[hash_].amount or 0) for hash_ in sorted(wanted)}
    assert fair.fills(units) == wanted, "as many as are left can be bought"
    assert fair.fills(units, beside=0) == wanted, "for the price, to the wei"
    paid = {hash_: amount for hash_, amount in units.items() if fair.entries[hash_].currency == "ETH"}
    assert fair.fills(paid, beside=-1) == set(), "and for no wei less"
    more = {
        hash_: amount + 1
        for hash_, amount in units.items()
        if amount < fair.entries[hash_].signed.size and fair.entries[hash_].signed.is_partial
    }
    # Who asks for more than are left of an order gets what is left; who asks for more than its maker has, nothing.
    assert fair.fills(more) <= {hash_ for hash_ in more if units[hash_] == _left(fair, hash_)}
    return set(found)


def _left(fair: Fair, hash_: str) -> int:
    asked = {"data": fair.exchange.data("getOrderStatus", bytes.fromhex(hash_[2:]))}
    (answer,) = fair.exchange.ask([asked], fair.head)
    assert answer is not None
    filled, size = int(answer[130:194], 16), int(answer[194:258], 16)
    return (
        fair.entries[hash_].signed.size * (size - filled) // size if size else fair.entries[hash_].signed.size
    )


def _price(one: Ask, moment: int) -> int:
    if one.start_price is None or one.end_price is None or one.price_from is None or one.price_until is None:
        return scaled(one.price)
    return Line(scaled(one.start_price), scaled(one.end_price), one.price_from, one.price_until).at(moment)


def _explained(fair: Fair, missing: list[str], false: list[str]) -> str:
    lines = [f"{len(missing)} missing, {len(false)} false"]
    for hash_ in [*missing[:5], *false[:5]]:
        row = Ask.objects.filter(order_hash=hash_).values(
            "reason", "operator", "wakes", "amount", "seen_at", "gone_at"
        )
        lines.append(f"{'missing' if hash_ in missing else 'false'}: {fair.entries[hash_]} but {list(row)}")
    return "\n".join(lines)


def check_answers(fair: Fair, api: Api, live: set[str]) -> None:
    """What the API answers of prices is what those orders cost."""
    costs: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for hash_ in sorted(live):
        one = fair.entries[hash_]
        address, token_id = one.nft
        costs[address, str(token_id)].append((one.price(fair.moment), one.currency))
    for contract in fair.contracts.values():
        of = {token: sorted(some) for (address, token), some in costs.items() if address == contract.address}
        shown = _walked(api, contractAddress=contract.address, sortBy="lowestAsk")
        books = {nft["tokenId"]: nft.get("orderbook", []) for nft in shown}
        assert {token: book for token, book in books.items() if book} == {
            token: [f"opensea,{currency},{_whole(price)}" for price, currency in some]
            for token, some in of.items()
        }
        lowest = [of[nft["tokenId"]][0][0] if nft["tokenId"] in of else 2**256 for nft in shown]
        assert lowest == sorted(lowest)
        for currency, own in (("eth", ("ETH", "WETH")), ("weth", ("WETH",))):
            floors = {
                token: min(price for price, paid in some if paid in own)
                for token, some in of.items()
                if any(paid in own for _, paid in some)
            }
            low, high = sorted(fair.random.choices([*floors.values(), 0, 10**18], k=2))
            filtered = _walked(
                api, contractAddress=contract.address, priceFilter=f"{currency},{_whole(low)},{_whole(high)}"
            )
            wanted = {token for token, floor in floors.items() if low <= floor <= high}
            differing = wanted ^ {nft["tokenId"] for nft in filtered}
            assert not differing, (currency, low, high, {token: of[token] for token in differing})


def _walked(api: Api, **parameters: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        page = api.nfts(limit="30", **parameters, **cursor)
        found += page["data"]
        if "nextCursor" not in page:
            return found
        cursor = {"cursor": page["nextCursor"]}


def _whole(wei: int) -> str:
    text = f"{wei // 10**18}.{wei % 10**18:018}".rstrip("0")
    return text.rstrip(".")


def test_what_is_live_is_what_seaport_would_fill(
    fair: Fair, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """500 orders with real signatures: after each step and one walk, none is missing and none is false."""
    load_lines([{"record": "chain", "chain": "ethereum", "kind": "evm", "chainId": ETHEREUM}, rate(at=0)])
    reasons: set[str] = set()
    most = 0
    with source_of(fair.chain, ETHEREUM) as node:
        reader = Reader(fair, Indexing(node, slug="ethereum"), monkeypatch)
        fair.sign(FIRST)
        for step in range(STEPS):
            for act in ([reader.walk] if fair.random.random() < 0.3 else []) + [reader.index, reader.walk]:
                act()
            tick(fair.moment)
            live = check_orders(fair, reader.live())
            check_answers(fair, api, live)
            most = max(most, len(live))
            reasons.update(Ask.objects.values_list("reason", flat=True))
            fair.sign(EACH)
            if step % 7 == 5:
                fair.rest()
            else:
                haggle(fair, 18)
    assert not UndecodedLog.objects.exists()
    assert len(fair.entries) == FIRST + EACH * STEPS
    assert most > 100
    if (SEED, STEPS) == (1, 20):
        check_variety(fair, reasons)


def check_variety(fair: Fair, reasons: set[str]) -> None:
    """All that can happen did, and each reason why an ask is not live was met."""
    did = {name for name, times in fair.done.items() if times}
    assert did >= {"buy", "buy a part", "cancel", "count", "move", "move units", "approve", "approve one"}
    assert did >= {"take an approval back", "validate", "withdraw", "offer again", "refuse"}
    assert reasons >= {*Ask.Reason.values} - {Ask.Reason.PRIVATE}, "every reason why one is not live was met"
