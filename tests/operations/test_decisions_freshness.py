"""Section 8, freshness: a query about one chain that is indexed from a node says up to where the data reaches."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from core.rest.freshness import Reach, Subject
from indexing.models import BookWalk, IndexedChain, IndexedContract
from tests.builders import APES, contract, ens, nft, transfer
from tests.conftest import Api
from tests.operations.promises import COLLECTION, EDITIONS, MINT, NOW, given
from tokens.models import Chain

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

NFTS, TRANSFERS = "/api/v1/nfts/by-token", "/api/v1/transfers/by-token"
BOTH = pytest.mark.parametrize("address", [NFTS, TRANSFERS])


def indexed(up_to: int, address: str = "", on: str = "ethereum", at: int | None = NOW - 12) -> None:
    """A checkpoint: a contract (or all) of a chain is indexed from block 100 on, up to a block of a time."""
    chain = Chain.objects.get(slug=on)
    IndexedChain.objects.get_or_create(chain=chain)
    IndexedContract.objects.create(
        chain=chain, address=address, first_block=100, next_block=up_to + 1, reached_at=at
    )


def said(api: Api, address: str = NFTS, **query: str) -> tuple[str | None, str | None]:
    """Block and time that the headers of a page state."""
    response = api.get(address, query)
    assert response.status_code == 200, response.content
    return response.headers.get("X-Indexed-Block"), response.headers.get("X-Indexed-At")


@BOTH
def test_a_contract_that_lives_on_one_chain_says_how_far_that_is_indexed(api: Api, address: str) -> None:
    given(transfer("1"), ens("apes.eth", APES))
    indexed(20_000_000)
    assert said(api, address, contractAddress=APES) == ("20000000", str(NOW - 12))
    assert said(api, address, contractAddress="apes.eth") == ("20000000", str(NOW - 12))


@BOTH
def test_a_contract_that_lives_on_two_chains_says_so_only_with_a_chain(api: Api, address: str) -> None:
    given(transfer("1"), transfer("1", on="polygon"))
    indexed(20_000_000)
    assert said(api, address, contractAddress=APES) == (None, None)
    assert said(api, address, contractAddress=APES, chain="1")[0] == "20000000"
    assert said(api, address, contractAddress=APES, chain="polygon") == (None, None)
    indexed(70_000_000, on="polygon")
    assert said(api, address, contractAddress=APES) == (None, None), "each has its own"
    assert said(api, address, contractAddress=APES, chain="polygon")[0] == "70000000"


def test_a_chain_alone_is_enough(api: Api) -> None:
    given(nft("1"))
    indexed(20_000_000)
    assert said(api, chain="eip155:1") == ("20000000", str(NOW - 12))
    assert said(api, chain="polygon") == said(api, chain="solana") == (None, None)


def test_a_page_without_items_says_it_too_since_then_it_matters_most(api: Api) -> None:
    given(nft("1"))
    indexed(20_000_000)
    assert api.nfts(contractAddress=EDITIONS, chain="ethereum")["data"] == []
    assert said(api, contractAddress=EDITIONS, chain="ethereum")[0] == "20000000"
    assert said(api, contractAddress=APES, tokenId="")[0] == "20000000"
    assert said(api, contractAddress=APES, traits="Hat-none")[0] == "20000000"


def test_what_is_not_about_one_chain_says_nothing(api: Api) -> None:
    given(nft("1"))
    indexed(20_000_000)
    assert said(api) == said(api, tokenId="1") == (None, None)
    assert said(api, contractAddress=EDITIONS) == (None, None), "not known on any chain"
    assert said(api, contractAddress=COLLECTION) == (None, None)


def test_a_contract_that_is_indexed_by_itself_counts_by_its_own_checkpoint(api: Api) -> None:
    given(nft("1"), contract(EDITIONS))
    indexed(1_500)
    indexed(20_000_000, APES, at=NOW - 900)
    assert said(api, contractAddress=APES) == ("20000000", str(NOW - 900))
    assert said(api, contractAddress=EDITIONS)[0] == "1500"
    assert said(api, chain="ethereum")[0] == "1500"


def test_a_contract_that_is_read_again_is_as_fresh_as_all_contracts_are(api: Api) -> None:
    given(nft("1"))
    indexed(20_000_000)
    indexed(99, APES, at=None)
    assert said(api, contractAddress=APES) == ("20000000", str(NOW - 12))


def test_a_contract_of_which_blocks_are_missing_says_from_where_on(api: Api) -> None:
    """All contracts were begun at block 19,000,000; between 1,500 and there nothing is read of this one."""
    given(nft("1"))
    indexed(20_000_000)
    IndexedContract.objects.update(first_block=19_000_000)
    indexed(1_500, APES)
    assert said(api, contractAddress=APES)[0] == "1500"


def test_where_only_some_contracts_are_indexed_the_others_say_nothing_and_the_chain_the_least_far(
    api: Api,
) -> None:
    given(nft("1"), contract(EDITIONS), contract("0x" + "9" * 40))
    indexed(1_500, APES)
    indexed(1_400, "0x" + "9" * 40)
    assert said(api, contractAddress=EDITIONS) == (None, None)
    assert said(api, chain="ethereum")[0] == "1400"


def test_nothing_is_said_before_the_first_block_is_indexed(api: Api) -> None:
    given(nft("1"))
    indexed(99, at=None)
    assert said(api, contractAddress=APES) == (None, None)


def test_a_block_whose_time_is_not_known_comes_without(api: Api) -> None:
    given(nft("1"))
    indexed(1_500, at=None)
    assert said(api, contractAddress=APES) == ("1500", None)


@BOTH
def test_a_page_that_is_not_sent_again_says_how_fresh_it_is_now(api: Api, address: str) -> None:
    given(transfer("1"))
    indexed(1_500)
    first = api.get(address, {"contractAddress": APES})
    IndexedContract.objects.update(next_block=1_502, reached_at=NOW)
    again = api.get(address, {"contractAddress": APES}, if_none_match=first["ETag"])
    assert again.status_code == 304
    assert (again["X-Indexed-Block"], again["X-Indexed-At"]) == ("1501", str(NOW))


def test_a_refused_query_says_nothing(api: Api) -> None:
    indexed(1_500)
    assert "X-Indexed-Block" not in api.get(NFTS, {"chain": "ethereum", "limit": "99"})


def read(at: int | None, address: str = APES, on: str = "ethereum", source: str = "opensea") -> None:
    """A contract's order book, of which the last whole reading began at a moment."""
    BookWalk.objects.create(chain=Chain.objects.get(slug=on), source=source, address=address, read_at=at)


def asks_at(api: Api, address: str = NFTS, **query: str) -> str | None:
    """The moment that the header of a page states."""
    response = api.get(address, query)
    assert response.status_code == 200, response.content
    found: str | None = response.headers.get("X-Asks-At")
    return found


@BOTH
def test_what_is_about_a_contract_whose_book_is_read_says_when_that_last_began(
    api: Api, address: str
) -> None:
    given(transfer("1"), ens("apes.eth", APES))
    read(NOW - 90)
    for query in ({"contractAddress": APES}, {"contractAddress": "apes.eth"}):
        assert asks_at(api, address, **query) == asks_at(api, address, **query, chain="1") == str(NOW - 90)
    assert asks_at(api, address, contractAddress=APES, chain="polygon") is None
    assert said(api, address, contractAddress=APES) == (None, None), "its chain is not indexed from a node"


@BOTH
def test_of_several_books_the_one_that_was_read_longest_ago_counts(api: Api, address: str) -> None:
    given(transfer("1"))
    read(NOW - 90)
    read(NOW - 500, source="reservoir")
    read(None, source="never-read-whole")
    assert asks_at(api, address, contractAddress=APES) == str(NOW - 500)


@BOTH
def test_a_contract_on_two_chains_says_how_fresh_its_asks_are_only_with_a_chain(
    api: Api, address: str
) -> None:
    given(transfer("1"), transfer("1", on="polygon"))
    read(NOW - 90)
    assert asks_at(api, address, contractAddress=APES) is None
    assert asks_at(api, address, contractAddress=APES, chain="ethereum") == str(NOW - 90)


def test_what_is_about_no_contract_or_one_that_is_not_read_says_nothing_of_asks(api: Api) -> None:
    given(nft("1"), contract(EDITIONS))
    read(NOW - 90)
    read(None, EDITIONS)
    assert asks_at(api) is None
    assert asks_at(api, chain="ethereum") is None
    assert asks_at(api, tokenId="1") is None
    assert asks_at(api, contractAddress=EDITIONS) is None


def test_a_collection_of_a_mint_identified_chain_has_a_book_too(api: Api) -> None:
    given(nft(MINT, COLLECTION, on="solana"))
    read(NOW - 90, COLLECTION, on="solana")
    assert asks_at(api, contractAddress=COLLECTION) == str(NOW - 90)
    assert asks_at(api, contractAddress=COLLECTION, chain="solana") == str(NOW - 90)


@BOTH
def test_a_page_that_is_not_sent_again_says_how_fresh_its_asks_are_now(api: Api, address: str) -> None:
    given(transfer("1"))
    read(NOW - 90)
    first = api.get(address, {"contractAddress": APES})
    BookWalk.objects.update(read_at=NOW)
    again = api.get(address, {"contractAddress": APES}, if_none_match=first["ETag"])
    assert (again.status_code, again["X-Asks-At"]) == (304, str(NOW))


def test_a_query_about_a_contract_takes_one_look_for_its_asks_and_others_none(api: Api) -> None:
    given(nft("1"))
    read(NOW - 90)
    for query, looks in (({"contractAddress": APES}, 1), ({"chain": "ethereum"}, 0), ({}, 0)):
        with CaptureQueriesContext(connection) as queries:
            api.nfts(**query)
        assert sum("indexing_bookwalk" in one["sql"] for one in queries) == looks


def told_in_a_snapshot(subject: Subject) -> Reach:
    """Stands in for the function that the settings name; the time tells whether a transaction is open."""
    return Reach(7, int(not connection.get_autocommit()))


@pytest.mark.django_db(transaction=True)
def test_the_block_is_of_the_same_snapshot_as_the_page(api: Api) -> None:
    """Read after the page, it could name a block whose transfers the page does not have."""
    with override_settings(API_FRESHNESS=f"{__name__}.{told_in_a_snapshot.__name__}"):
        assert said(api, chain="ethereum") == ("7", "1")
