"""NFTs in the queue of metadata: put there once, again whenever something asks, and out when the metadata is stated."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.db.leases import claim, held
from tests.builders import load_lines, nft
from tokens.models import MetadataFetch, Nft
from tokens.store import fetches
from tokens.store.fetches import Met

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 28, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
State = MetadataFetch.State


def some_nfts(count: int) -> list[Nft]:
    load_lines([nft(str(token)) for token in range(1, count + 1)])
    return list(Nft.objects.order_by("id"))


def as_met(nfts: list[Nft]) -> list[Met]:
    return [Met(one.pk, one.contract_id, one.chain_id) for one in nfts]


def test_an_nft_that_is_asked_for_is_due_now_as_if_for_the_first_time() -> None:
    (one,) = some_nfts(1)
    assert fetches.request([one.pk], NOW) == 1
    MetadataFetch.objects.update(
        state=State.GONE, attempts=9, next_attempt_at=None, fault="404", tried_at=NOW
    )
    assert fetches.request([one.pk], LATER) == 1
    row = MetadataFetch.objects.get()
    assert (row.state, row.attempts, row.next_attempt_at, row.fault) == (State.PENDING, 0, LATER, "")
    assert row.tried_at == NOW


def test_as_many_nfts_as_one_likes_are_asked_for_at_once() -> None:
    nfts = some_nfts(3_000)
    assert fetches.request((one.pk for one in nfts), NOW) == 3_000
    assert fetches.request([], NOW) == 0
    assert MetadataFetch.objects.filter(next_attempt_at=NOW).count() == 3_000


def test_an_nft_that_is_gone_is_no_fault() -> None:
    assert fetches.request([10**12], NOW) == 0


def test_a_request_by_hand_during_a_fetch_takes_the_nft_from_its_worker() -> None:
    """The worker may be dead, and an operator waits."""
    (one,) = some_nfts(1)
    fetches.request([one.pk], NOW)
    lease = claim(MetadataFetch.objects.all(), 10, 60, NOW)
    assert held(MetadataFetch, lease) == {one.pk}
    fetches.request([one.pk], NOW, by_hand=True)
    assert held(MetadataFetch, lease) == set()
    assert list(claim(MetadataFetch.objects.all(), 10, 60, NOW).keys) == [one.pk]


def test_an_announcement_during_a_fetch_leaves_it_to_its_worker_and_is_remembered() -> None:
    (one,) = some_nfts(1)
    fetches.request([one.pk], NOW)
    lease = claim(MetadataFetch.objects.all(), 10, 60, NOW)
    assert fetches.request([one.pk], NOW) == 1
    assert held(MetadataFetch, lease) == {one.pk}
    row = MetadataFetch.objects.get()
    assert (row.asked_again, row.attempts, row.next_attempt_at) == (True, 1, lease.until)


def test_an_announcement_after_a_lease_has_ended_starts_anew() -> None:
    (one,) = some_nfts(1)
    fetches.request([one.pk], NOW)
    lease = claim(MetadataFetch.objects.all(), 10, 60, NOW)
    fetches.request([one.pk], lease.until)
    row = MetadataFetch.objects.get()
    assert (row.asked_again, row.attempts, row.lease, row.next_attempt_at) == (False, 0, "", lease.until)


def test_what_waits_keeps_its_place_however_often_it_is_announced() -> None:
    (one,) = some_nfts(1)
    fetches.request([one.pk], NOW)
    assert fetches.request([one.pk], LATER) == 0
    assert MetadataFetch.objects.get().next_attempt_at == NOW


@pytest.mark.parametrize(("waits", "due"), [(timedelta(minutes=5), 5), (timedelta(days=1), 60)])
def test_an_announcement_does_not_forget_that_a_host_is_down(waits: timedelta, due: int) -> None:
    """A contract that announces its whole collection with every block would have a dead host asked all the time."""
    (one,) = some_nfts(1)
    fetches.request([one.pk], NOW)
    MetadataFetch.objects.update(
        state=State.UNREACHABLE, attempts=9, next_attempt_at=NOW + waits, fault="down"
    )
    fetches.request([one.pk], NOW)
    row = MetadataFetch.objects.get()
    assert (row.state, row.attempts, row.fault) == (State.UNREACHABLE, 9, "down")
    assert row.next_attempt_at == NOW + timedelta(minutes=due)
    fetches.request([one.pk], NOW, by_hand=True)
    row = MetadataFetch.objects.get()
    assert (row.state, row.attempts, row.next_attempt_at) == (State.PENDING, 0, NOW)


def test_a_mint_during_a_fetch_has_the_nft_read_once_more() -> None:
    """The contract may have been asked in the block before, and know no such token."""
    (one,) = some_nfts(1)
    fetches.request([one.pk], NOW)
    lease = claim(MetadataFetch.objects.all(), 10, 60, NOW)
    fetches.request_absent([one.pk], NOW)
    assert held(MetadataFetch, lease) == {one.pk}
    assert MetadataFetch.objects.get().asked_again


def test_an_nft_that_has_met_its_first_transfer_waits_once() -> None:
    nfts = some_nfts(2)
    assert fetches.met(as_met(nfts[:1]), NOW) == 1
    assert fetches.met(as_met(nfts), LATER) == 1
    due = MetadataFetch.objects.order_by("nft").values_list("state", "attempts", "next_attempt_at", "lease")
    assert list(due) == [(State.PENDING, 0, NOW, ""), (State.PENDING, 0, LATER, "")]
    assert fetches.met([], NOW) == 0


def test_what_is_known_of_an_nft_is_not_forgotten_because_of_a_transfer() -> None:
    nfts = some_nfts(1)
    fetches.met(as_met(nfts), NOW)
    MetadataFetch.objects.update(state=State.UNREACHABLE, attempts=3, next_attempt_at=LATER, fault="down")
    fetches.met(as_met(nfts), NOW)
    row = MetadataFetch.objects.get()
    assert (row.state, row.attempts, row.next_attempt_at) == (State.UNREACHABLE, 3, LATER)


def test_metadata_that_another_source_states_ends_the_work_on_it() -> None:
    one, other = some_nfts(2)
    fetches.request([one.pk, other.pk], NOW)
    lease = claim(MetadataFetch.objects.all(), 1, 60, NOW)
    assert fetches.state_given([one.pk]) == 1
    assert held(MetadataFetch, lease) == set()
    row = MetadataFetch.objects.get(nft=one)
    assert (row.state, row.next_attempt_at, row.attempts) == (State.READY, None, 0)
    assert MetadataFetch.objects.get(nft=other).state == State.PENDING


def test_metadata_that_was_read_and_is_stated_later_is_read_again_when_it_is_old() -> None:
    (one,) = some_nfts(1)
    fetches.request([one.pk], NOW)
    MetadataFetch.objects.update(state=State.READY, next_attempt_at=LATER)
    assert fetches.state_given([one.pk]) == 0
    assert MetadataFetch.objects.get().next_attempt_at == LATER


def test_what_was_read_since_a_moment_is_read_again() -> None:
    nfts = some_nfts(3)
    fetches.request((one.pk for one in nfts), NOW)
    MetadataFetch.objects.update(state=State.READY, next_attempt_at=None)
    MetadataFetch.objects.filter(nft=nfts[0]).update(tried_at=NOW - timedelta(seconds=1))
    MetadataFetch.objects.filter(nft=nfts[1]).update(tried_at=NOW)
    chain_id = nfts[0].chain_id
    assert fetches.request_tried_since(chain_id, NOW, LATER) == 1
    assert MetadataFetch.objects.get(state=State.PENDING).nft_id == nfts[1].pk
    assert fetches.request_tried_since(chain_id + 1, NOW, LATER) == 0


def test_what_is_being_read_while_a_chain_is_reorganised_does_not_count() -> None:
    """When it was tried last says nothing of the blocks that its contract is asked at now."""
    nfts = some_nfts(3)
    fetches.request((one.pk for one in nfts), NOW)
    MetadataFetch.objects.update(tried_at=NOW - timedelta(days=1))
    lease = claim(MetadataFetch.objects.all(), 2, 60, NOW)
    fetches.request([lease.keys[0]], NOW)
    assert fetches.request_tried_since(nfts[0].chain_id + 1, NOW, LATER) == 0
    assert held(MetadataFetch, lease) == set(lease.keys)
    assert fetches.request_tried_since(nfts[0].chain_id, NOW, LATER) == 2
    assert held(MetadataFetch, lease) == set()
    again = MetadataFetch.objects.filter(state=State.PENDING, attempts=0, next_attempt_at=LATER, lease="")
    assert set(again.values_list("pk", flat=True)) == set(lease.keys)
    assert not MetadataFetch.objects.filter(asked_again=True).exists()
