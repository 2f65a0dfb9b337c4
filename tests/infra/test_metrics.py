"""`/metrics`: how indexing stands, for Prometheus, the same from whichever process answers."""

from __future__ import annotations

import re

import pytest
import time_machine
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from prometheus_client.parser import text_string_to_metric_families

from indexing import progress as status
from indexing.models import BookSource, BookWalk
from nftsite import metrics
from tests import indexed
from tests.builders import ALICE, APES, BOB, ZERO, ask, load_lines, transfer
from tests.conftest import Api
from tokens.models import Chain, MetadataFetch

NOW = 1_700_000_000


def samples(api: Api) -> dict[str, float]:
    """Every sample that is read from the database, by its name with its labels, as Prometheus' own parser reads them.

    What web processes count is in `tests/limits`.
    """
    response = api.get("/metrics")
    assert response.status_code == 200
    found = {}
    for family in text_string_to_metric_families(response.content.decode()):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            if not sample.name.startswith(("nft_http_", "nft_limit_")):
                found[f"{sample.name}{{{labels}}}"] = sample.value
    return found


@pytest.mark.django_db
@time_machine.travel(NOW, tick=False)
def test_every_figure_of_a_chain_that_is_being_indexed(api: Api) -> None:
    indexed.an_indexed_chain(
        head_number=20_000_010,
        head_seen_at=NOW - 2,
        beat_at=NOW - 2,
        blocks_per_second=0.5,
        logs_per_second=1_234.5,
        logs_total=9_876_543,
        rewinds=3,
        fault="no answer",
        fault_at=NOW - 3_600,
    )
    indexed.a_checkpoint(20_000_000, at=NOW - 125)
    indexed.a_checkpoint(20_000_005, APES, at=NOW - 65)
    indexed.an_undecoded_log(7)
    indexed.a_market_fault(8)
    indexed.a_market_fault(9)
    assert samples(api) == {
        "nft_indexer_checkpoint_block{chain=ethereum,contract=all}": 20_000_000,
        f"nft_indexer_checkpoint_block{{chain=ethereum,contract={APES}}}": 20_000_005,
        "nft_indexer_head_block{chain=ethereum}": 20_000_010,
        "nft_indexer_lag_blocks{chain=ethereum}": 10,
        "nft_indexer_lag_seconds{chain=ethereum}": 125,
        "nft_indexer_blocks_per_second{chain=ethereum}": 0.5,
        "nft_indexer_logs_per_second{chain=ethereum}": 1_234.5,
        "nft_indexer_logs_total{chain=ethereum}": 9_876_543,
        "nft_indexer_rewinds_total{chain=ethereum}": 3,
        "nft_indexer_last_beat_timestamp_seconds{chain=ethereum}": NOW - 2,
        "nft_indexer_fault_timestamp_seconds{chain=ethereum}": NOW - 3_600,
        "nft_undecoded_logs{chain=ethereum}": 1,
        "nft_unexplained_market_events{chain=ethereum}": 2,
    }


@pytest.mark.django_db
@time_machine.travel(NOW, tick=False)
def test_lag_in_seconds_grows_and_speed_is_none_once_the_indexer_is_dead(api: Api) -> None:
    indexed.an_indexed_chain(head_number=50, beat_at=NOW - 7_200, blocks_per_second=40.0)
    indexed.a_checkpoint(50, at=NOW - 7_300)
    found = samples(api)
    assert found["nft_indexer_lag_seconds{chain=ethereum}"] == 7_300
    assert found["nft_indexer_lag_blocks{chain=ethereum}"] == 0
    assert found["nft_indexer_blocks_per_second{chain=ethereum}"] == 0


@pytest.mark.django_db
def test_what_is_not_known_yet_has_no_sample(api: Api) -> None:
    indexed.an_indexed_chain()
    found = samples(api)
    assert "nft_indexer_logs_total{chain=ethereum}" in found
    for name in ("head_block", "lag_blocks", "lag_seconds", "fault_timestamp_seconds"):
        assert f"nft_indexer_{name}{{chain=ethereum}}" not in found


@pytest.mark.django_db
def test_metadata_is_counted_by_its_state(api: Api) -> None:
    """All states, so that none vanishes from a graph when its last NFT leaves it."""
    assert not any(name.startswith("nft_metadata") for name in samples(api))
    load_lines([transfer("1"), transfer("2", block=2), transfer("3", block=3)])
    MetadataFetch.objects.filter(nft__token_key="013").update(state=MetadataFetch.State.GONE)
    counts = {
        "pending": 2,
        "ready": 0,
        "unrevealed": 0,
        "unusable": 0,
        "absent": 0,
        "unreachable": 0,
        "gone": 1,
    }
    found = samples(api)
    assert {state: found[f"nft_metadata_fetches{{state={state}}}"] for state in counts} == counts


@pytest.mark.django_db
def test_names_follow_the_rules_of_prometheus(api: Api) -> None:
    """`_total` for counters and for nothing else; a help text and a type each."""
    text = api.get("/metrics").content.decode()
    types = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M))
    assert set(re.findall(r"^# HELP (\S+) \S", text, re.M)) == set(types)
    assert {name for name in types if name.endswith("_total")} == {
        name for name, kind in types.items() if kind == "counter"
    }
    assert all(re.fullmatch(r"nft_[a-z_]+", name) for name in types)


@pytest.mark.django_db
def test_a_scrape_takes_a_handful_of_queries_whatever_is_stored(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed.an_indexed_chain()
    indexed.an_indexed_chain("polygon")
    monkeypatch.setattr(status, "COUNTED", 20)
    for number in range(60):
        indexed.a_checkpoint(number, "0x" + f"{number:040x}")
        indexed.an_undecoded_log(number)
    with CaptureQueriesContext(connection) as queries:
        assert samples(api)["nft_indexer_checkpoint_block{chain=ethereum,contract=0x" + "0" * 39 + "7}"] == 7
    assert len(queries) == 17, (
        "three, three a chain, one each of metadata, images and asks, two of order events, three of order books"
    )


@pytest.mark.django_db
def test_asks_are_counted_by_market_and_what_the_chain_said_by_kind(api: Api) -> None:
    load_lines([ask("1"), ask("2"), ask("2", market="blur"), ask("3", taker=BOB), ask("4", status="filled")])
    indexed.an_order_event(7)
    indexed.an_order_event(9)
    indexed.an_order_event(8, kind="approved")
    assert {name: value for name, value in samples(api).items() if "ask" in name or "order" in name} == {
        "nft_active_asks{chain=ethereum,market=blur}": 1,
        "nft_active_asks{chain=ethereum,market=opensea}": 2,
        "nft_order_events{kind=opened}": 2,
        "nft_order_events{kind=approved}": 1,
        "nft_order_event_newest_timestamp_seconds{kind=opened}": 9 * 12,
        "nft_order_event_newest_timestamp_seconds{kind=approved}": 8 * 12,
    }


@pytest.mark.django_db
@time_machine.travel(NOW, tick=False)
def test_order_books_tell_their_age_and_what_of_the_limit_is_used(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = Chain.objects.get(slug="ethereum")
    BookSource.objects.create(
        chain=chain,
        source="opensea",
        beat_at=NOW - 3,
        pages_total=700,
        faults_total=2,
        limit_most=600,
        limit_left=450,
    )
    ages = {APES: 90, BOB: 500, ZERO: None}
    for address, age in ages.items():
        read_at = None if age is None else NOW - age
        BookWalk.objects.create(chain=chain, source="opensea", address=address, read_at=read_at)
    BookWalk.objects.create(chain=chain, source="opensea", address=ALICE, read_at=5, state="stopped")
    place = "chain=ethereum,source=opensea"
    expected = {
        f"nft_order_book_reader_last_beat_timestamp_seconds{{{place}}}": NOW - 3,
        f"nft_order_book_limit_used_ratio{{{place}}}": 0.25,
        f"nft_order_book_pages_total{{{place}}}": 700,
        f"nft_order_book_faults_total{{{place}}}": 2,
        f"nft_order_books{{{place},state=waiting}}": 3,
        f"nft_order_books{{{place},state=stopped}}": 1,
        f"nft_order_book_age_seconds{{chain=ethereum,contract={APES},source=opensea}}": 90,
        f"nft_order_book_age_seconds{{chain=ethereum,contract={BOB},source=opensea}}": 500,
    }
    assert samples(api) == expected
    monkeypatch.setattr(metrics, "MOST_BOOKS", 1)
    oldest = [name for name in samples(api) if "_age_" in name]
    assert oldest == [f"nft_order_book_age_seconds{{chain=ethereum,contract={BOB},source=opensea}}"]


@pytest.mark.django_db
def test_it_is_read_only_plain_text_that_is_never_kept(api: Api) -> None:
    response = api.get("/metrics")
    assert response["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "no-store" in response["Cache-Control"]
    assert "Access-Control-Allow-Origin" not in response, "no script of another site reads it"
    assert api.client.post("/metrics").status_code == 405
    head = api.client.head("/metrics")
    assert (head.status_code, head.content) == (200, b"")


@pytest.mark.django_db
def test_no_figure_while_the_database_does_not_answer(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError("could not connect to 10.0.0.7")

    monkeypatch.setattr(connection, "cursor", refuse)
    response = api.get("/metrics")
    assert response.status_code == 503
    assert b"10.0.0.7" not in response.content
