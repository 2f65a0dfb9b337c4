"""`manage.py sync_rates`: rates from each source in the table, and values of transfers, whichever came first."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from indexing.rates import writing
from tests import drawn
from tests.builders import load_lines, rate, transfer
from tests.conftest import Api
from tests.deriving.tables import rolled_back
from tests.ingestion.recorded import recorded_node
from tests.net.played import PlayedNode
from tests.rates.played_feed import FEED, HOUR, NOW, PlayedFeed, hourly
from tests.rates.price_server import PriceServer
from tests.shared import DATA
from tokens.models import Rate
from tokens.store.facts import RateFacts
from transfers.ledger.factset import write_rates
from transfers.models import Transfer

pytestmark = pytest.mark.django_db
NATIVE = "0x" + "0" * 40
ETHERS = (
    NATIVE,
    "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",  # WETH
    "0x0000000000a39bb272e79075ade125fd351887ac",  # Blur's pool
)
DAY = 86_400
DAILY = DATA / "eth_usd_daily.csv"


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    """The clock stands at the end of what the played sources have."""
    with time_machine.travel(NOW, tick=False):
        yield


def sync(*arguments: str, **options: Any) -> str:
    """What the command prints."""
    out = StringIO()
    call_command("sync_rates", *arguments, stdout=out, stderr=out, **options)
    return out.getvalue()


def sale(number: int, at: int, amount: int = 10**18) -> dict[str, Any]:
    """A sale for ether."""
    price = {"tokenAddress": NATIVE, "amount": str(amount)}
    return transfer(str(number), block=number, timestamp=at, nftValue=price, transferType="sale")


def stored(currency: str = "ETH") -> list[tuple[int, Any]]:
    rows = Rate.objects.filter(currency__symbol=currency).order_by("timestamp")
    return list(rows.values_list("timestamp", "usd"))


def values() -> list[Decimal | None]:
    return list(Transfer.objects.order_by("block_number").values_list("usd_value", flat=True))


def csv(folder: Path, rates: list[tuple[int, str]]) -> str:
    path = folder / "rates.csv"
    path.write_text("".join(f"{moment},{usd}\n" for moment, usd in rates))
    return str(path)


def test_a_file_fills_the_table_and_the_values_of_transfers(tmp_path: Path) -> None:
    load_lines([sale(1, NOW)])
    assert values() == [None]
    path = csv(tmp_path, [(NOW - DAY, "1999"), (NOW, "2000.5")])
    assert sync(path, "--currency", "eth") == f"{path}: 2 rates.\n"
    assert stored() == [(NOW - DAY, 1999), (NOW, Decimal("2000.5"))]
    assert values() == [Decimal("2000.5")]


def test_the_same_file_twice_changes_nothing(tmp_path: Path) -> None:
    path = csv(tmp_path, [(NOW - DAY, "1999"), (NOW, "2000.5")])
    for _ in range(2):
        sync(path, "--currency", "ETH")
    assert len(stored()) == 2


def test_a_line_that_is_bad_is_told_and_the_exit_code_says_so(tmp_path: Path) -> None:
    path = csv(tmp_path, [(NOW, "1"), (NOW, "much")])
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("sync_rates", path, "--currency", "ETH", stderr=out, stdout=out)
    assert ended.value.code == 1
    assert f"{path}:2: The line has a price that is no decimal number." in out.getvalue()
    assert stored() == [(NOW, 1)]


@drawn.examples(50)
@given(
    rates=st.lists(st.tuples(st.integers(0, 10), st.integers(1, 5_000)), min_size=1, max_size=8),
    sales=st.lists(st.integers(0, 12), min_size=1, max_size=6),
    cut=st.integers(0, 8),
)
def test_values_are_the_same_whether_rates_come_before_or_after_the_transfers(
    tmp_path_factory: pytest.TempPathFactory, rates: list[tuple[int, int]], sales: list[int], cut: int
) -> None:
    """Also when some come before and the rest after, as after a run that was killed."""
    folder = tmp_path_factory.mktemp("rates")
    listed = [(NOW - 20 * DAY + day * DAY // 2, str(usd)) for day, usd in rates]
    lines = [sale(place + 1, NOW - 20 * DAY + day * DAY // 2 + 60) for place, day in enumerate(sales)]
    found = []
    for before in (len(listed), 0, cut):
        with rolled_back():
            sync(csv(folder, listed[:before]), "--currency", "ETH", verbosity=0)
            load_lines(lines)
            sync(csv(folder, listed[before:]), "--currency", "ETH", verbosity=0)
            found.append(values())
    assert found[1:] == found[:1] * 2


def test_a_run_that_is_killed_keeps_what_it_wrote_and_the_next_one_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writing, "AT_ONCE", 3)
    feed = PlayedFeed(hourly(NOW - 20 * HOUR, *range(1, 20)))
    load_lines([sale(1, NOW - 20 * HOUR)])
    with served(feed) as node:
        kept = write_rates

        def killed(facts: Any) -> None:
            if len(stored()) >= 9:
                raise KeyboardInterrupt
            kept(facts)

        monkeypatch.setattr(writing, "write_rates", killed)
        with pytest.raises(SystemExit):
            sync("--chain", "ethereum", "--rpc-url", node.url, "--feed", f"ETH={FEED}")
        assert len(stored()) == 9
        monkeypatch.setattr(writing, "write_rates", kept)
        sync("--chain", "ethereum", "--rpc-url", node.url, "--feed", f"ETH={FEED}")
    assert [usd for _, usd in stored()] == list(range(1, 20))


class served:  # noqa: N801 - used as a function
    """A node on loopback that has a feed."""

    def __init__(self, feed: PlayedFeed) -> None:
        self.node = PlayedNode()
        self.node.methods["eth_call"] = feed.call

    def __enter__(self) -> PlayedNode:
        return self.node

    def __exit__(self, *args: object) -> None:
        self.node.close()


def test_the_configured_node_is_read_from_the_newest_stored_rate_on() -> None:
    load_lines([rate(usd="7", at=NOW - 3 * HOUR), sale(1, NOW - 2 * HOUR)])
    feed = PlayedFeed(hourly(NOW - 50 * HOUR, *range(1, 51)))
    with served(feed) as node, override_settings(RPC_URLS={"ethereum": [node.url]}):
        assert sync("--feed", f"eth={FEED}") == "ETH from its feed on ethereum: 3 rates.\n"
    assert stored() == [(NOW - 3 * HOUR, 48), (NOW - 2 * HOUR, 49), (NOW - HOUR, 50)]
    assert values() == [49]


def test_without_a_rate_reading_begins_two_days_before_the_first_price() -> None:
    load_lines([sale(1, NOW - 100 * HOUR)])
    with served(PlayedFeed(hourly(NOW - 500 * HOUR, *range(1, 501)))) as node:
        sync("--chain", "1", "--rpc-url", node.url, "--feed", f"ETH={FEED}")
    assert stored()[0][0] == NOW - 148 * HOUR
    assert values() == [401]


def test_since_reads_older_rates_than_those_that_are_stored() -> None:
    load_lines([rate(usd="7", at=NOW)])
    with served(PlayedFeed(hourly(NOW - 50 * HOUR, *range(1, 51)))) as node:
        sync("--chain", "1", "--rpc-url", node.url, "--feed", f"ETH={FEED}", "--since", str(NOW - 2 * HOUR))
    assert stored() == [(NOW - 2 * HOUR, 49), (NOW - HOUR, 50), (NOW, 7)]


def test_the_configured_api_is_asked_by_its_own_names() -> None:
    with (
        PriceServer(lambda currency, start, end: [[start, 2.5 if currency == "polygon" else 2000]]) as server,
        override_settings(
            RATES_URL=server.template, RATES_CURRENCIES={"ETH": "ethereum", "MATIC": "polygon"}
        ),
    ):
        sync()
        assert [asked[0] for asked in server.asked] == ["ethereum", "polygon"]
    assert [usd for _, usd in stored("POL")] == [Decimal("2.5")]
    assert [usd for _, usd in stored("ETH")] == [2000]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "There is nothing to read from"),
        (["--rpc-url", "http://127.0.0.1:1"], "Name the chain of --rpc-url"),
        (["--chain", "ethereum"], "Name a node of ethereum by --rpc-url or in RPC_URLS_ETHEREUM"),
        (["--chain", "zora", "--rpc-url", "http://127.0.0.1:1"], "There is nothing to read from"),
        (["--feed", "ETH=0x12"], "invalid feed value"),
        (["--since", "soon"], "invalid time value"),
        (["--chain", "nowhere"], "is not known"),
        (["no such file.csv", "--currency", "ETH"], "Cannot read no such file.csv"),
        (["x.csv", "--currency", "ETH", "--currency", "POL"], "one currency"),
        (["x.csv", "--since", "0"], "FILEs are read whole: --since cannot"),
        (["x.csv", "--source", "api", "--chain", "base"], "--chain, --source cannot stand beside them"),
        (["x.csv", "--feed", f"ETH={FEED}"], "--feed cannot stand beside them"),
        (["x.csv", "--rpc-url", "http://127.0.0.1:1"], "--rpc-url cannot stand beside them"),
        (["--source", "api", "--feed", f"ETH={FEED}"], "--source api reads no feeds: --feed cannot"),
        (["--chain", "base", "--rpc-url", "ws://127.0.0.1"], "^--rpc-url: a node's URL is"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: list[str], why: str) -> None:
    with override_settings(RPC_URLS={}, RATES_URL=""), pytest.raises(CommandError, match=why):
        sync(*arguments)


@pytest.mark.parametrize(
    ("nodes", "why"),
    [
        (
            {"nowhere-2": ["http://127.0.0.1:1"]},
            "The chain of --feed is not known: nowhere-2, of RPC_URLS_NOWHERE_2",
        ),
        ({"base": ["ws://127.0.0.1"]}, "^RPC_URLS_BASE: a node's URL is"),
    ],
)
def test_what_is_wrong_with_a_configured_node_is_put_down_to_its_setting(
    nodes: dict[str, list[str]], why: str
) -> None:
    with override_settings(RPC_URLS=nodes, RATES_URL=""), pytest.raises(CommandError, match=why):
        sync("--feed", f"ETH={FEED}")


def test_rates_are_written_in_parts_that_leave_others_room_to_write() -> None:
    """Each is a transaction with all the values that follow from it, and the lock is anybody's between them."""
    rates = [RateFacts("ETH", NOW - place, Decimal(2000)) for place in range(401)]
    assert list(writing.write(rates)) == [200, 200, 1]


def test_a_failing_node_is_told_without_its_key() -> None:
    with (
        served(PlayedFeed(hourly(NOW, 1), description="BTC / USD")) as node,
        pytest.raises(CommandError) as told,
    ):
        sync("--chain", "1", "--rpc-url", f"{node.url}/very-secret-key", "--feed", f"ETH={FEED}")
    assert "is of 'BTC / USD', not of ETH / USD" in str(told.value)
    assert "secret" not in str(told.value)


@pytest.mark.shared
def test_recorded_sales_are_worth_the_same_whichever_came_first_the_daily_rates_or_the_sales(
    api: Api,
) -> None:
    """And what a reader of the file would find: the price at the newest day not later than the sale."""
    found: list[dict[tuple[Any, ...], tuple[Decimal | None, ...]]] = []
    with recorded_node() as url:
        for rates_first in (True, False):
            with rolled_back():
                if rates_first:
                    sync(str(DAILY))
                call_command("index", "--chain", "ethereum", "--rpc-url", url, "-v0", stdout=StringIO())
                if not rates_first:
                    sync(str(DAILY))
                columns = ("transaction_hash", "log_index", "batch_index", "timestamp", "nft_value_amount")
                rows = Transfer.objects.filter(
                    transfer_type="sale", nft_value_token__in=ETHERS, nft_value_amount__isnull=False
                ).values_list(*columns, "usd_value", "eth_value")
                found.append({row[:5]: row[5:] for row in rows})
    assert found[0] == found[1]
    assert len(found[0]) > 300
    days = dict(line.split(",") for line in DAILY.read_text().splitlines()[1:])
    newest = max(map(int, days))
    for (_, _, _, at, amount), (usd, _) in found[0].items():
        day = min(at - at % DAY, newest)
        if str(day) in days and at - day <= 2 * DAY:
            exact = Decimal(amount) * int(days[str(day)]) / 10**20
            assert usd == exact.quantize(Decimal("0.000001"), rounding=ROUND_HALF_EVEN)
    assert all(usd is not None for usd, _ in found[0].values())
