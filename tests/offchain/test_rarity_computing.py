"""Computing a contract's rarity: what is written, what follows it, and what a kill or a second computation leaves."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from tests.builders import APES, load_lines, nft, settle
from tests.conftest import Api
from tests.files.lines import COLLECTION, MINT_A, MINT_B, OTHER_COLLECTION, derived, dumped
from tests.offchain.rarity_hats import HATS, compute, computed, expected, hats
from tests.shared import DATA, REAL
from tokens.models import Contract, ContractRarity, Nft, NftMarket, NftTrait
from tokens.models.nft import UNKNOWN_RARITY_KEY
from tokens.rarity import computing as rarity

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rarity, "BATCH", 2)


def test_every_nft_with_metadata_gets_a_score_and_a_rank_and_no_other() -> None:
    load_lines(hats())
    done = compute()
    assert done is not None
    assert (done.scored, done.known, done.written) == (6, 7, 6)
    assert computed() == {**expected(HATS), "7": (None, None)}


def test_answers_have_the_numbers_and_go_by_them_in_every_list(api: Api) -> None:
    load_lines(hats())
    compute()
    by_rarity = {"contractAddress": APES, "sortBy": "rarity"}
    data = api.nfts(**by_rarity)["data"]
    assert [(record["tokenId"], record.get("rank")) for record in data] == [
        ("3", 1), ("4", 2), ("6", 2), ("1", 4), ("2", 4), ("5", 4), ("7", None),
    ]  # fmt: skip
    assert "rarity" not in data[-1]
    for narrowed, tokens in (
        ({"traits": "Hat-red,Hat-blue"}, ["3", "1", "2", "5"]),
        ({"marketplaces": "opensea,blur"}, ["3", "4"]),
    ):
        page = api.nfts(**by_rarity, **narrowed)
        assert [record["tokenId"] for record in page["data"]] == tokens


def test_postings_carry_the_new_keys() -> None:
    load_lines(hats())
    compute()
    assert NftMarket.objects.count() == 3  # one that traded; one with an ask, on its market and on any
    keys = dict(Nft.objects.values_list("id", "rarity_key"))
    assert Nft.objects.get(rarity=None).rarity_key == UNKNOWN_RARITY_KEY
    for model in (NftTrait, NftMarket):
        assert all(keys[nft_id] == key for nft_id, key in model.objects.values_list("nft_id", "rarity_key"))


def test_a_second_computation_writes_nothing() -> None:
    load_lines(hats())
    compute()
    before = derived()
    done = compute()
    assert done is not None
    assert done.written == 0
    assert derived() == before


def test_what_it_rests_on_is_kept() -> None:
    load_lines(hats())
    compute()
    row = ContractRarity.objects.get()
    assert (row.method, row.version, row.scored, row.known) == ("OpenRarity", "0.7.5+1", 6, 7)
    assert row.computed_at is not None
    assert (row.changed_at, row.due_at, row.run) == (None, None, "")
    assert Contract.objects.get().rarity_computed


def test_stated_numbers_no_longer_hold_once_it_is_computed_and_are_not_dumped() -> None:
    stated: dict[str, Any] = {"rarity": 99.5, "rank": 1}
    load_lines([nft("1", traits=[("Hat", "red")], **stated), nft("2", **stated)])
    compute()
    load_lines([nft("1", **stated), nft("2", **stated)])
    assert computed() == {"1": (0.0, 1), "2": (None, None)}
    assert "rarity" not in dumped()


def test_where_no_nft_has_metadata_what_is_stated_goes_on_to_hold() -> None:
    load_lines([nft("1", rarity=2, rank=1)])
    done = compute()
    assert done == rarity.Computed(Contract.objects.get().pk, 0, 0, 0)
    assert computed() == {"1": (2.0, 1.0)}
    assert not Contract.objects.get().rarity_computed
    assert ContractRarity.objects.get().due_at is None


def test_when_the_last_metadata_goes_the_scores_go() -> None:
    load_lines(hats()[:2])
    compute()
    load_lines([nft("1", metadata=None)])
    compute()
    assert computed() == {"1": (None, None)}


def test_nfts_of_no_collection_are_no_population() -> None:
    load_lines([nft(MINT_A, None, on="solana", traits=[("A", "x")], rarity=3)])
    home = Contract.objects.get()
    assert rarity.compute(home.pk) is None
    rarity.changed([home.pk], timezone.now())
    assert not ContractRarity.objects.exists()
    assert Nft.objects.get().rarity == 3


def test_an_nft_that_leaves_takes_no_computed_rarity_along() -> None:
    load_lines([nft(mint, COLLECTION, on="solana", traits=[("A", mint)]) for mint in (MINT_A, MINT_B)])
    rarity.compute(Contract.objects.get(address=COLLECTION).pk)
    load_lines([nft(MINT_A, OTHER_COLLECTION, on="solana")])
    assert Nft.objects.get(contract__address=OTHER_COLLECTION).rarity is None
    assert ContractRarity.objects.get().due_at is not None


def test_what_changes_meanwhile_leaves_it_due_again() -> None:
    load_lines(hats())
    told: list[int] = []

    def tell(count: int) -> None:
        if not told:
            load_lines([nft("1", traits=[("Hat", "blue")])])
        told.append(count)

    assert compute(tell=tell) is not None
    assert sum(told) == 2 * 6 + 1
    row = ContractRarity.objects.get()
    assert row.run == ""
    assert row.changed_at is not None
    assert row.due_at is not None
    assert row.due_at > timezone.now()


def test_a_rarity_stated_while_the_first_computation_runs_does_not_stay() -> None:
    load_lines(hats())
    told: list[int] = []

    def tell(count: int) -> None:
        told.append(count)
        if len(told) == 4:  # 1 and 2 are written, and the contract does not count as computed yet
            load_lines([nft("1", rarity=99)])

    compute(tell=tell)
    assert ContractRarity.objects.get().due_at is not None
    compute()
    assert computed() == {**expected(HATS), "7": (None, None)}


def test_one_that_is_overtaken_by_another_stops_and_the_other_holds() -> None:
    load_lines(hats())
    inner: list[rarity.Computed | None] = []

    def tell(count: int) -> None:
        if not inner:
            load_lines([nft("1", traits=[("Hat", "blue")])])
            inner.append(compute())

    assert compute(tell=tell) is None
    assert inner[0] is not None
    assert computed() == {**expected(["blue", *HATS[1:]]), "7": (None, None)}
    assert ContractRarity.objects.get().due_at is None


def test_what_another_is_at_is_left_alone_until_that_one_counts_as_dead() -> None:
    load_lines(hats())
    inner: list[rarity.Computed | None] = []
    compute(tell=lambda count: inner.append(compute(only_due=True)))
    assert set(inner) == {None}
    assert compute(only_due=True) is None  # it is done
    ContractRarity.objects.update(run="of somebody dead", due_at=timezone.now() - timedelta(seconds=1))
    assert compute(only_due=True) is not None


class _Killed(BaseException):
    """As SIGKILL: the transaction that is open is rolled back, the ones before it stay."""


def test_killed_at_whatever_statement_it_is_due_and_the_next_one_ends_the_same() -> None:
    load_lines([*hats(), nft("1", traits=[("Hat", "red")], rarity=5, rank=5)])
    sid = transaction.savepoint()
    compute()
    whole, moment = (computed(), derived()), 0
    transaction.savepoint_rollback(sid)
    before = computed()
    while True:
        sid = transaction.savepoint()
        left = moment

        def count(execute: Callable[..., Any], *rest: Any) -> Any:
            nonlocal left
            left -= 1
            if left == -1:  # what comes then rolls back
                raise _Killed
            return execute(*rest)

        try:
            with connection.execute_wrapper(count):
                compute()
        except _Killed:
            is_due = ContractRarity.objects.filter(due_at__isnull=False).exists()
            assert is_due or computed() in (before, whole[0])  # not begun yet, or committed already
        else:
            break
        compute()
        assert (computed(), derived()) == whole
        transaction.savepoint_rollback(sid)
        moment += 1
    assert moment > 30


@pytest.mark.shared
def test_real_collections_are_stored_with_the_published_scores_and_ranks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rarity, "BATCH", 2_000)
    with gzip.open(REAL, "rt") as file:
        lines = [line.rstrip("\n") for line in file if '"record":"nft"' in line and '"metadata"' in line]
    assert load_lines(lines).faults == []
    settle()
    call_command("compute_rarity", verbosity=0)
    for name, address in (
        ("cryptopunks", "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"),
        ("loot", "0xff9c1b15b16263c61d017ee9f65c50e4ae0113d7"),
    ):
        rows = Nft.objects.filter(contract__address=address)
        stored = {row.token_id: (row.rarity, row.rank) for row in rows.only("token_key", "rarity", "rank")}
        with gzip.open(DATA / "rarity" / f"{name}_openrarity.csv.gz", "rt") as file:
            published = [line.split(",") for line in file.read().split("\n")[1:] if line]
        assert len(stored) == len(published)
        for token, score, rank, _ in published:
            assert stored[token][0] == pytest.approx(float(score), abs=1e-9), token
            assert stored[token][1] == float(rank), token
