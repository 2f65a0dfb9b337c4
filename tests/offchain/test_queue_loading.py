"""A load and the queue of metadata: what comes without metadata waits for it, what states it does not."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from tests.builders import load_lines, nft, transfer
from tests.waiting import waits
from tokens.models import MetadataFetch, Nft
from tokens.store import fetches

pytestmark = pytest.mark.django_db
STATED: dict[str, Any] = {"metadata": {"name": "one"}}
MINT = "DTP5ntkbavhiAqbbCCjGhWRs64JpPBZT8kiTkqpcAgDK"


def test_nfts_that_are_transferred_and_of_which_nothing_is_stated_wait() -> None:
    load_lines([nft("1"), transfer("2"), transfer("2", block=2), transfer("3", block=3)])
    assert waits() == {2, 3}


def test_an_nft_that_is_stated_first_and_transferred_later_waits_from_then_on() -> None:
    load_lines([nft("1")])
    assert waits() == set()
    load_lines([transfer("1")])
    assert waits() == {1}


@pytest.mark.parametrize("batch_lines", [1, 100])
def test_metadata_that_is_stated_before_or_after_the_transfer_is_not_waited_for(batch_lines: int) -> None:
    load_lines(
        [nft("1", **STATED), transfer("1"), transfer("2", block=2), nft("2", **STATED)],
        batch_lines=batch_lines,
    )
    assert waits() == set()
    assert not MetadataFetch.objects.exclude(state=MetadataFetch.State.READY).exists()


def test_metadata_that_is_stated_to_be_unknown_is_still_waited_for() -> None:
    load_lines([transfer("1"), nft("1", metadata=None)])
    assert waits() == {1}


def test_stated_metadata_ends_the_work_on_it_whatever_came_of_it() -> None:
    load_lines([transfer("1")])
    MetadataFetch.objects.update(state=MetadataFetch.State.GONE, fault="404", next_attempt_at=None)
    load_lines([nft("1", **STATED)])
    row = MetadataFetch.objects.get()
    assert (row.state, row.fault, row.next_attempt_at) == (MetadataFetch.State.READY, "", None)


def test_nfts_that_are_named_by_a_mint_wait_only_when_they_are_asked_for() -> None:
    """Their metadata comes by `load` and `index_das`, not from a contract."""
    signed: dict[str, Any] = {"transactionHash": "5" * 88, "sender": None, "receiver": "7" * 43}
    assert load_lines([transfer(MINT, None, "solana", **signed)]).faults == []
    assert not MetadataFetch.objects.exists()
    assert fetches.request(Nft.objects.values_list("id", flat=True), timezone.now()) == 1


def test_an_nft_that_joins_another_collection_waits_as_one_of_it() -> None:
    load_lines([nft(MINT, "a" * 43, "solana")])
    fetches.request(Nft.objects.values_list("id", flat=True), timezone.now())
    load_lines([nft(MINT, "b" * 43, "solana")])
    assert MetadataFetch.objects.get().contract.address == "b" * 43


def test_the_same_load_again_asks_for_nothing_again() -> None:
    lines = [transfer("1"), transfer("2", block=2)]
    load_lines(lines)
    MetadataFetch.objects.update(state=MetadataFetch.State.UNREACHABLE, attempts=3)
    load_lines(lines)
    assert set(MetadataFetch.objects.values_list("state", "attempts")) == {("unreachable", 3)}
