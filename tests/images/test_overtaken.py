"""What happens between the work on an image and the writing of it: other workers, takedowns, pruning, loads."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from core.db.leases import Lease
from media import cache, store, withholding
from media.models import CachedImage, url_key
from media.pruning import prune
from media.worker import ImageWorker
from tests.images.one_colour import encoded
from tests.images.working import GOOD, PICTURE, Clock, Web, due_at, files, show, worker

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_files")]


def before_writing(one: ImageWorker, act: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have something happen each time when a worker is done with an image and has not written it."""
    finish = one._finish

    def acted(lease: Lease, result: Any) -> list[str]:
        act()
        return finish(lease, result)

    monkeypatch.setattr(one, "_finish", acted)


def test_the_result_of_a_worker_that_was_overtaken_changes_nothing(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(GOOD)
    due_at(clock)
    slow = worker(Web({GOOD: PICTURE}), clock)

    def another() -> None:
        # Meanwhile an operator asks again, and another worker is faster.
        store.request_again([CachedImage.objects.get().pk])
        due_at(clock)
        assert worker(Web({GOOD: encoded((8, 8))}), clock).work() == {"ready": 1}

    before_writing(slow, another, monkeypatch)
    assert slow.work() == {}
    assert CachedImage.objects.get().source_hash == hashlib.sha256(encoded((8, 8))).hexdigest()


def test_images_are_written_one_by_one_and_no_more_are_held_than_are_worked_on(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(*(f"{GOOD}?{number}" for number in range(6)))
    due_at(clock)
    done: list[int] = []

    class Watched(Web):
        def fetch(self, uri: str) -> object:  # type: ignore[override]
            done.append(len(finished))
            return super().fetch(uri)

    finished: list[None] = []
    one = worker(Watched({f"{GOOD}?{number}": PICTURE for number in range(6)}), clock)

    def counted() -> None:
        finished.append(None)

    before_writing(one, counted, monkeypatch)
    assert one.work() == {"ready": 6}
    assert done == [0, 1, 2, 3, 4, 5]


def test_the_files_of_a_worker_that_was_overtaken_by_a_takedown_go(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(GOOD)
    due_at(clock)
    slow = worker(Web({GOOD: PICTURE}), clock)

    def takedown() -> None:
        withholding.withhold_content([CachedImage.objects.get().pk], "not ours")

    before_writing(slow, takedown, monkeypatch)
    assert slow.work() == {}
    withholding.delete_doomed()
    assert files() == set()


def test_a_file_that_was_deleted_just_before_it_is_referred_to_is_stored_again(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(GOOD)
    due_at(clock)
    one = worker(Web({GOOD: PICTURE}), clock)

    def pruned() -> None:
        prune()  # nothing refers to them yet
        assert files() == set()

    before_writing(one, pruned, monkeypatch)
    assert one.work() == {"ready": 1}
    assert cache.is_stored(CachedImage.objects.get())


def test_an_image_that_an_nft_comes_to_show_meanwhile_is_due_again(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    CachedImage.objects.create(key=url_key(GOOD), url=GOOD)
    due_at(clock)
    one = worker(Web({}), clock)

    def loaded() -> None:
        show(GOOD)

    before_writing(one, loaded, monkeypatch)
    assert one.work() == {}
    assert worker(Web({GOOD: PICTURE}), clock).work() == {"ready": 1}
