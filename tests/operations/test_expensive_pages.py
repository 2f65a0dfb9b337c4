"""What a page may cost is known before it is read: too much is refused, much is for few at a time."""

from __future__ import annotations

import threading
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from core.rest import shares
from core.rest.errors import ServiceUnavailable
from core.rest.shares import one_of_few
from tests.builders import ask, load_lines, nft
from tests.patience import PATIENCE, comes
from tokens.engine import bounds
from tokens.engine.conditions import MANY
from tokens.models import Nft
from tokens.query import resolving

pytestmark = pytest.mark.django_db

PATH = "/api/v1/nfts/by-token"
CONTRACTS = [f"0x{number:040x}" for number in range(1, MANY + 2)]
"""One more than have their traits' lists merged."""


@pytest.fixture
def world() -> None:
    """In each contract two NFTs with a common trait, of which one has a rare one too."""
    lines = []
    for address in CONTRACTS:
        lines.append(nft("1", address, traits=[("Era", "New"), ("Hat", "Red")]))
        lines.append(nft("2", address, traits=[("Era", "New")]))
    load_lines(lines)


def answer(client: Client, **query: str) -> tuple[int, dict[str, Any]]:
    """Return the status and the body of an answer."""
    response = client.get(f"{PATH}?{urlencode(query)}")
    return response.status_code, response.json()


@pytest.mark.parametrize(
    ("query", "name", "passed"),
    [
        ({"excludedTraits": "Era-New"}, "excludedTraits", 2 * len(CONTRACTS)),
        ({"traits": "Era-New,Hat-Red"}, "traits", len(CONTRACTS)),
        ({"traits": "Era-New", "excludedTraits": "Hat-Red"}, "excludedTraits", len(CONTRACTS)),
        ({"traits": "Era-New", "excludeMarkedNfts": "true"}, "traits", 2 * len(CONTRACTS)),
        ({"traits": "Era-New", "marketplaces": "opensea"}, "traits", 2 * len(CONTRACTS)),
        ({"traits": "Era-New,Hat-Red", "sortBy": "lowestAsk"}, "traits", len(CONTRACTS)),
        ({"traits": "Era-New", "priceFilter": "eth,1,2"}, "traits", 2 * len(CONTRACTS)),
        ({"tokenId": "1,2", "excludeMarkedNfts": "true"}, "tokenId", 2 * len(CONTRACTS)),
        ({"tokenId": "1,2", "traits": "Hat-Red", "sortBy": "highestAsk"}, "traits", 2 * len(CONTRACTS)),
    ],
)
def test_a_page_that_may_pass_too_many_is_refused_before_it_is_read(
    world: None,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    query: dict[str, str],
    name: str,
    passed: int,
) -> None:
    # Whatever else could be walked is as long: all are on a marketplace, for sale, and marked.
    load_lines([ask(number, address) for number in ("1", "2") for address in CONTRACTS])
    Nft.objects.update(own_marked=True)
    monkeypatch.setattr(bounds, "SMALL", 0)
    monkeypatch.setattr(bounds, "LOOKED_UP", passed)
    assert answer(client, **query)[0] == 200, "as many as are allowed"
    monkeypatch.setattr(bounds, "LOOKED_UP", passed - 1)
    status, body = answer(client, **query)
    assert status == 400
    (error,) = body["errors"]
    assert (error["attr"], error["code"]) == (name, "invalid")
    assert f"{passed:,} NFTs" in error["detail"]
    assert "contractAddress" in error["detail"]


@pytest.mark.parametrize(
    ("query", "short"),
    [
        ({"traits": "Era-New", "priceFilter": "eth,,", "sortBy": "lowestAsk"}, [ask("1", CONTRACTS[0])]),
        ({"traits": "Era-New", "priceFilter": "eth,0.5,1.5"}, [ask("1", CONTRACTS[0])]),
        ({"excludedTraits": "Era-New", "marketplaces": "opensea"}, [ask("1", CONTRACTS[0])]),
        ({"traits": "Era-New", "excludeMarkedNfts": "true"}, []),
    ],
    ids=["few asks of any price", "few of that price", "few on that marketplace", "few that are marked"],
)
def test_long_lists_of_traits_cost_nothing_beside_a_short_list_that_every_match_is_in(
    world: None,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    query: dict[str, str],
    short: list[dict[str, Any]],
) -> None:
    load_lines([{"record": "market", "marketplace": "opensea"}, *short])
    monkeypatch.setattr(bounds, "LOOKED_UP", 1)
    assert answer(client, **query)[0] == 200


def test_traits_that_stand_for_very_many_values_are_refused(
    world: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each value of each contract is a list at whose head a page looks."""
    monkeypatch.setattr(resolving, "MOST_VALUES", 2 * len(CONTRACTS))
    assert answer(client, traits="Era-New,Hat-Red")[0] == 200
    monkeypatch.setattr(resolving, "MOST_VALUES", 2 * len(CONTRACTS) - 1)
    status, body = answer(client, traits="Era-New", excludedTraits="Hat-Red")
    assert status == 400
    assert [error["attr"] for error in body["errors"]] == ["traits", "excludedTraits"]
    assert answer(client, traits="Era-New,Hat-Red", contractAddress=CONTRACTS[0])[0] == 200


@pytest.mark.parametrize(
    "query",
    [
        {"traits": "Era-New"},
        {"traits": "Era-New", "sortBy": "tokenId-desc"},
        {"traits": "Era-New", "sortBy": "lowestAsk"},
        {"tokenId": "1,2"},
        {"contractAddress": CONTRACTS[0], "excludedTraits": "Era-New"},
        {"contractAddress": CONTRACTS[0], "tokenId": "1,2", "excludedTraits": "Era-New"},
    ],
)
def test_what_passes_few_is_answered_whatever_may_be_passed(
    world: None, client: Client, monkeypatch: pytest.MonkeyPatch, query: dict[str, str]
) -> None:
    monkeypatch.setattr(bounds, "LOOKED_UP", 1)
    assert answer(client, **query)[0] == 200


def test_expensive_pages_have_a_share_of_the_threads_and_cheap_ones_the_rest(
    world: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "CHEAP", 1)
    monkeypatch.setattr(shares, "TURN", 0.01)
    with one_of_few():
        busy = client.get(f"{PATH}?excludedTraits=Hat-Red")
        assert (busy.status_code, busy["Retry-After"]) == (503, "1")
        assert answer(client, traits="Hat-Red")[0] == 200
    assert answer(client, excludedTraits="Hat-Red")[0] == 200


def test_an_expensive_page_waits_for_its_turn_where_that_leaves_half_of_the_threads() -> None:
    """Of four threads one is at work on them, one waits, two are for what is cheap: a third one is told to return."""
    is_its_turn = threading.Event()

    def wait() -> None:
        with one_of_few():
            is_its_turn.set()

    waiting = threading.Thread(target=wait)
    with one_of_few():
        waiting.start()
        assert comes(lambda: not shares._turns._value)
        with pytest.raises(ServiceUnavailable), one_of_few():
            pass
        assert not is_its_turn.is_set()
    waiting.join(PATIENCE)
    assert is_its_turn.is_set()
    with one_of_few():
        pass


def test_in_an_order_by_asks_half_as_many_may_be_passed(
    world: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that have asks are passed first, the others behind them."""
    monkeypatch.setattr(bounds, "MOST_MERGED", 3)
    query = {"contractAddress": CONTRACTS[0], "excludedTraits": "Era-New"}
    assert answer(client, **query)[0] == 200
    assert answer(client, **query, sortBy="lowestAsk")[0] == 400
