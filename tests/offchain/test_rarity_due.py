"""When a contract's rarity is due: once its traits have settled, and whoever changes them notes it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import F

from core.db.writing import writing
from tests.builders import APES, Line, contract, load_lines, nft, transfer
from tests.files.lines import COLLECTION, MINT_A, MINT_B, OTHER_COLLECTION
from tokens.models import Contract, ContractRarity, Nft
from tokens.rarity import computing as rarity
from tokens.store import removal

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def seconds(count: int) -> datetime:
    return NOW + timedelta(seconds=count)


@pytest.fixture
def apes() -> int:
    load_lines([nft("1", traits=[("Hat", "red")])])
    return Contract.objects.get().pk


def test_it_is_due_a_minute_after_the_last_change(apes: int) -> None:
    rarity.changed([apes], seconds(0))
    rarity.changed([apes], seconds(50))
    assert rarity.due(seconds(109)) == []
    assert rarity.due(seconds(110)) == [apes]


def test_changes_that_never_cease_do_not_keep_it_waiting_beyond_ten_minutes(apes: int) -> None:
    for count in range(0, 1_000, 30):
        rarity.changed([apes], seconds(count))
        assert rarity.due(seconds(count)) == ([apes] if count >= 600 else [])


def test_a_million_nfts_under_way_are_computed_a_twentieth_of_the_time(apes: int) -> None:
    """Each computation takes five minutes, and reading them all takes hours."""
    Contract.objects.update(nft_count=1_000_000)
    found = []
    for count in range(0, 20_000, 30):
        rarity.changed([apes], seconds(count))
        if rarity.due(seconds(count)):
            found.append(count)
            ContractRarity.objects.update(changed_at=None, due_at=None, computed_at=seconds(count + 300))
    assert found == [6_000, 12_300, 18_600]


def test_a_million_nfts_that_change_now_and_then_are_too(apes: int) -> None:
    Contract.objects.update(nft_count=1_000_000)
    ContractRarity.objects.create(contract_id=apes, computed_at=NOW)
    rarity.changed([apes], seconds(10))
    assert ContractRarity.objects.get().due_at == seconds(6_000)
    rarity.changed([apes], seconds(7_000))
    assert rarity.due(seconds(7_000)) == [apes]


def test_further_changes_do_not_put_off_what_an_operator_asked_for(apes: int) -> None:
    rarity.request([apes], seconds(0))
    rarity.changed([apes], seconds(1))
    assert rarity.due(seconds(1)) == [apes]


def test_what_is_longest_due_comes_first(apes: int) -> None:
    load_lines([contract("0x" + "2b" * 20)])
    other = Contract.objects.exclude(pk=apes).get().pk
    rarity.changed([other], seconds(0))
    rarity.changed([apes], seconds(1))
    assert rarity.due(seconds(100)) == [other, apes]


def test_an_operators_request_is_due_at_once(apes: int) -> None:
    assert rarity.request([apes], NOW) == 1
    assert rarity.due(NOW) == [apes]
    rarity.compute(apes)
    assert rarity.request([apes], NOW) == 1
    assert rarity.due(NOW) == [apes]


def test_a_request_while_it_is_computed_has_it_computed_again(apes: int) -> None:
    asked: list[int] = []
    rarity.compute(apes, tell=lambda count: asked.append(rarity.request([apes], NOW)) if not asked else None)
    assert ContractRarity.objects.get().due_at is not None


def a_new_trait() -> None:
    load_lines([nft("1", traits=[("Hat", "blue")])])


def a_new_nft() -> None:
    load_lines([nft("3", traits=[("Hat", "blue")])])


def no_metadata_any_more() -> None:
    load_lines([nft("1", metadata=None)])


def a_rewind() -> None:
    with writing():
        removal.remove(Nft.objects.filter(token_key="012").values_list("id", flat=True))


@pytest.mark.parametrize("change", [a_new_trait, a_new_nft, no_metadata_any_more, a_rewind])
def test_a_computed_rarity_never_silently_goes_stale(apes: int, change: Callable[[], None]) -> None:
    load_lines([nft("2", traits=[("Hat", "red")])])
    rarity.compute(apes)
    change()
    row = ContractRarity.objects.get(due_at=F("changed_at") + rarity.SETTLE)
    assert row.contract_id == apes


@pytest.mark.parametrize(
    "line", [nft("1", traits=[("Hat", "red")]), nft("1", uri="ipfs://x"), nft("9"), transfer("1")]
)
def test_what_changes_no_metadata_changes_no_rarity(apes: int, line: Line) -> None:
    rarity.compute(apes)
    load_lines([line])
    assert ContractRarity.objects.get().due_at is None


def test_a_move_concerns_both_collections() -> None:
    load_lines(
        [
            nft(mint, home, on="solana", traits=[("A", "x")])
            for mint, home in ((MINT_A, COLLECTION), (MINT_B, OTHER_COLLECTION))
        ]
    )
    for home in Contract.objects.exclude(address=""):
        rarity.compute(home.pk)
    load_lines([nft(MINT_A, OTHER_COLLECTION, on="solana")])
    assert ContractRarity.objects.filter(due_at__isnull=False).count() == 2


def test_loading_asks_for_no_rarity_that_was_not_computed_yet(apes: int) -> None:
    load_lines([nft("1", traits=[("Hat", "blue")]), nft("2", traits=[("Hat", "red")], rarity=3, rank=1)])
    assert not ContractRarity.objects.exists()
    assert Nft.objects.get(contract__address=APES, token_key="012").rank == 1
