"""Which NFTs a worker takes first: a large collection that is read again holds up neither the new nor the old."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from core.db.writing import writing
from tests.builders import APES, load_lines, nft, transfer
from tests.offchain.apes import World, row
from tokens.metadata import worker
from tokens.metadata.worker import Scope, Worker
from tokens.models import Contract, MetadataFetch, MetadataRefresh
from tokens.store import fetches

pytestmark = pytest.mark.django_db
OTHERS = "0x" + "2b" * 20


def a_range(contract_id: int) -> None:
    """The whole of a contract is to be read again."""
    with writing():
        fetches.request_range(contract_id, *fetches.WHOLE, "EIP-4906", timezone.now())


def test_a_mint_is_read_before_a_collection_that_has_been_waiting_for_longer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every other batch is of what was never tried, so that a flood of mints in turn does not stop the rest."""
    monkeypatch.setattr(worker, "BATCH", 2)
    world.mint(8)
    before = timezone.now() - timedelta(days=1)
    MetadataFetch.objects.update(next_attempt_at=before, tried_at=before)
    MetadataFetch.objects.filter(pk__in=[row(7).pk, row(8).pk]).update(
        next_attempt_at=timezone.now(), tried_at=None
    )
    with Worker(world.nodes, world.pages) as one:  # type: ignore[arg-type]
        one.step()
        assert [uri[-1] for uri in sorted(world.pages.asked)] == ["7", "8"]
        while one.step():
            pass
    assert len(set(world.pages.asked)) == 8


def test_new_and_old_take_turns(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "BATCH", 2)
    world.mint(8)
    MetadataFetch.objects.filter(pk__in=[row(1).pk, row(2).pk]).update(
        next_attempt_at=timezone.now() - timedelta(days=1), tried_at=timezone.now()
    )
    with Worker(world.nodes, world.pages) as one:  # type: ignore[arg-type]
        one.step()
        one.step()
    assert sorted(int(uri[-1]) for uri in world.pages.asked) == [1, 2, 3, 4]


def test_ranges_become_work_only_while_little_is_due(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "FEW", 3)
    load_lines([nft(str(token)) for token in range(1, 9)])
    a_range(Contract.objects.get().pk)
    with Worker(world.nodes, world.pages) as one:  # type: ignore[arg-type]
        assert one.expand()
        assert MetadataFetch.objects.count() == 3
        assert not one.expand()
        one.step()
        assert one.expand()
        assert MetadataFetch.objects.count() == 6


def test_a_worker_turns_the_ranges_of_its_own_scope_into_work(world: World) -> None:
    load_lines([nft("1", OTHERS), nft("1"), nft("1", on="polygon")])
    other, ours, far = Contract.objects.order_by("id")
    assert (other.address, ours.address) == (OTHERS, APES)
    for contract in (other, ours, far):
        a_range(contract.pk)
    for scope, left in (
        (Scope([ours.pk], nft_ids=[1]), {other.pk, ours.pk, far.pk}),
        (Scope([ours.pk]), {other.pk, far.pk}),
        (Scope(chain_id=far.chain_id), {other.pk}),
        (Scope(), set()),
    ):
        with Worker(world.nodes, world.pages, scope) as one:  # type: ignore[arg-type]
            one.expand()
        assert set(MetadataRefresh.objects.values_list("contract_id", flat=True)) == left


@pytest.mark.parametrize(
    ("scope", "fields", "index"),
    [
        (Scope(), {}, "metadata_due"),
        (Scope(), {"tried_at__isnull": True}, "metadata_new_due"),
        (Scope(chain_id=1), {}, "metadata_chain_due"),
        (Scope([1]), {}, "metadata_contract_due"),
    ],
)
def test_what_is_due_is_found_in_an_index_whatever_the_scope(
    scope: Scope, fields: dict[str, bool], index: str
) -> None:
    """Of a chain that is read to its end nothing is due, while millions of another one's NFTs wait."""
    others = [transfer(str(number), OTHERS, on="polygon", block=number + 1) for number in range(400)]
    load_lines([nft("1"), *others])  # the first contract and chain have nothing to do
    an_hour_ago = timezone.now() - timedelta(hours=1)
    assert MetadataFetch.objects.update(tried_at=an_hour_ago, next_attempt_at=an_hour_ago) == 400
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE tokens_metadatafetch")  # of an empty table all indexes cost the same
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_bitmapscan = off")
    due = scope.rows().filter(next_attempt_at__lte=timezone.now(), **fields)
    plan = due.order_by("next_attempt_at", "pk").values_list("pk")[: worker.BATCH].explain()
    assert f"{index} " in plan, plan
