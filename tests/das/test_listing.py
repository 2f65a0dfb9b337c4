"""Walking a collection to its end, with servers of every habit. Over HTTP on loopback; no database."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.net.rpc.errors import NodeUnavailableError, RpcError
from core.net.rpc.jsonrpc import Node
from indexing.das.listing import PATIENCE, Listing
from tests.das.played_das import PlayedDas
from tests.das.shapes import LADS, account, asset
from tests.net.played import SHORT, Answer, error, node_of


def walked(das: PlayedDas, limit: int = 4) -> tuple[list[str], Listing]:
    """The ids of all pages in the order in which they came, and the walk behind them."""
    listing = Listing(node_of(das.url, has_chain_id=False), LADS, limit)
    return [one["id"] for page in listing.pages() for one in page.items], listing


def lads(count: int) -> list[Any]:
    return [asset(number) for number in range(count)]


def ids(count: int) -> list[str]:
    return [account(number) for number in range(count)]


@pytest.mark.parametrize("cursors", [True, False])
@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 8, 21])
def test_every_asset_is_listed_once(das: PlayedDas, count: int, cursors: bool) -> None:
    das.assets, das.cursors = lads(count), cursors
    found, listing = walked(das)
    assert found == ids(count)
    assert listing.whole
    assert listing.seen == set(ids(count))


def test_the_question_is_the_documented_one(das: PlayedDas) -> None:
    walked(das, limit=1000)
    assert das.asked_for("getAssetsByGroup")[0] == {
        "groupKey": "collection",
        "groupValue": LADS,
        "limit": 1000,
        "sortBy": {"sortBy": "id", "sortDirection": "asc"},
    }


@pytest.mark.parametrize("cursors", [True, False])
def test_a_server_that_gives_fewer_than_asked_for_has_not_come_to_the_end(
    das: PlayedDas, cursors: bool
) -> None:
    das.assets, das.cursors, das.most = lads(7), cursors, 2
    assert walked(das)[0] == ids(7)


@pytest.mark.parametrize("cursors", [True, False])
def test_an_empty_page_in_the_middle_is_not_the_end(das: PlayedDas, cursors: bool) -> None:
    das.assets, das.cursors, das.pages = lads(7), cursors, {2: []}
    found, listing = walked(das)
    assert found == ids(7)
    assert listing.whole


@pytest.mark.parametrize("cursors", [True, False])
def test_a_page_that_comes_twice_is_not_the_end(das: PlayedDas, cursors: bool) -> None:
    das.assets, das.cursors, das.pages = lads(7), cursors, {2: lads(4)}
    found, listing = walked(das)
    assert found == ids(7)
    assert listing.whole


class Scripted:
    """A server whose pages are given, by cursors or numbers; behind them all are empty."""

    def __init__(self, pages: list[list[Any]], cursors: bool) -> None:
        self.pages, self.cursors = pages, cursors

    def named(self, method: str, params: dict[str, Any], **options: Any) -> Any:
        number = int(params.get("cursor") or params.get("page") or 1)
        answer = {"items": self.pages[number - 1] if number <= len(self.pages) else []}
        return answer | ({"cursor": str(number + 1)} if self.cursors and number < len(self.pages) + 1 else {})


HICCUPS = st.lists(st.sampled_from(["nothing", "again"]), max_size=PATIENCE - 1)


@given(sizes=st.lists(st.tuples(st.integers(1, 4), HICCUPS), max_size=8), cursors=st.booleans())
def test_whatever_the_sizes_of_pages_between_hiccups_each_asset_comes_once(
    sizes: list[tuple[int, list[str]]], cursors: bool
) -> None:
    pages: list[list[Any]] = []
    count = 0
    for size, hiccups in sizes:
        pages.append([{"id": str(number)} for number in range(count, count + size)])
        count += size
        pages += [[] if hiccup == "nothing" else pages[-1] for hiccup in hiccups]
    listing = Listing(cast(Node, Scripted(pages, cursors)), LADS)
    found = [one["id"] for page in listing.pages() for one in page.items]
    assert found == [str(number) for number in range(count)]
    assert listing.whole


def test_total_is_not_believed(das: PlayedDas) -> None:
    """Some servers give the number of the page's items there, some of all, some 0."""
    das.assets = lads(9)
    das.methods["getAssetsByGroup"] = lambda **asked: das.list_assets(**asked) | {"total": 1}
    assert walked(das)[0] == ids(9)


def test_a_server_that_always_gives_the_first_page_is_left_without_calling_it_whole(das: PlayedDas) -> None:
    das.assets = lads(9)
    das.methods["getAssetsByGroup"] = lambda **_asked: {"items": lads(4)}
    found, listing = walked(das)
    assert found == ids(4)
    assert not listing.whole
    assert len(das.seen) == 4


def test_a_cursor_that_never_moves_ends(das: PlayedDas) -> None:
    das.methods["getAssetsByGroup"] = lambda **asked: {
        "items": [] if "cursor" in asked else lads(4),
        "cursor": "x",
    }
    found, listing = walked(das)
    assert found == ids(4)
    assert listing.whole  # it says three times that there is nothing behind it


@pytest.mark.parametrize(
    "fault",
    [
        error(-32602, "Pagination Error. Limit should not be greater than 5"),
        error(-32000, "response is too large"),
        error(-32000, "page size must be at most 5"),
    ],
)
@pytest.mark.parametrize("cursors", [True, False])
def test_a_server_that_wants_smaller_questions_gets_them(
    das: PlayedDas, cursors: bool, fault: dict[str, Any]
) -> None:
    das.assets, das.cursors = lads(60), cursors
    das.methods["getAssetsByGroup"] = lambda limit, **more: (
        fault if limit > 20 else das.list_assets(limit=limit, **more)
    )
    found, listing = walked(das, limit=80)
    assert found == ids(60)
    assert listing.whole


def test_a_page_that_takes_too_long_is_asked_for_in_parts(das: PlayedDas) -> None:
    das.assets = lads(30)
    das.script.append(Answer(hang=True))
    node = node_of(das.url, has_chain_id=False, timeout=SHORT)
    pages = list(Listing(node, LADS, 40).pages())
    assert [one["id"] for page in pages for one in page.items] == ids(30)
    assert [asked["limit"] for asked in das.asked_for("getAssetsByGroup")] == [40, 20, 20, 20]


def test_pages_that_were_made_smaller_on_the_way_leave_out_nothing(das: PlayedDas) -> None:
    das.assets, das.cursors = lads(70), False
    das.methods["getAssetsByGroup"] = lambda limit, **more: (
        error(-32000, "response too large")
        if more.get("page", 1) > 1 and limit > 15
        else das.list_assets(limit=limit, **more)
    )
    found, listing = walked(das, limit=30)
    assert sorted(found) == sorted(ids(70))
    assert listing.whole


def test_a_server_from_before_cursors_is_asked_by_pages(das: PlayedDas) -> None:
    das.assets, das.cursors = lads(9), False

    def old(sortBy: dict[str, str], **more: Any) -> Any:  # noqa: N803
        if sortBy["sortBy"] == "id" or "page" not in more:
            return error(-32602, "unknown variant `id`, expected one of `created`, `updated`")
        return das.list_assets(**more)

    das.methods["getAssetsByGroup"] = old
    assert walked(das)[0] == ids(9)


def test_a_refusal_is_the_servers_last_word(das: PlayedDas) -> None:
    das.methods["getAssetsByGroup"] = lambda **_asked: error(-32000, "Invalid group value")
    with pytest.raises(RpcError, match="Invalid group value"):
        walked(das)


@pytest.mark.parametrize("answer", [None, [], {"total": 3}, {"items": None}, {"items": {}}])
def test_what_is_no_list_is_asked_for_again_and_then_given_up(das: PlayedDas, answer: Any) -> None:
    answers = iter([answer])
    das.assets = lads(2)
    das.methods["getAssetsByGroup"] = lambda **asked: next(answers, das.list_assets(**asked))
    assert walked(das)[0] == ids(2)
    das.methods["getAssetsByGroup"] = lambda **_asked: answer
    with pytest.raises(NodeUnavailableError, match="no list of assets"):
        walked(das)


def test_a_rate_limit_is_waited_for(das: PlayedDas) -> None:
    das.assets = lads(2)
    das.script.append(Answer(status=429, headers={"Retry-After": "7"}))
    assert walked(das)[0] == ids(2)


def test_pages_tell_the_slot_and_what_the_server_could_not_show(das: PlayedDas) -> None:
    das.methods["getAssetsByGroup"] = lambda **_asked: {
        "last_indexed_slot": 42, "items": [], "errors": [{"id": account(1), "error": "corrupt"}],
    }  # fmt: skip
    page = next(Listing(node_of(das.url, has_chain_id=False), LADS).pages())
    assert (page.slot, page.refused) == (42, [{"id": account(1), "error": "corrupt"}])
