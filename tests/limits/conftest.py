"""A clock that stands still, counts that begin at nothing, and keys whose use is not written by another thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import time_machine
from django.conf import LazySettings
from django.core.cache import caches

from core.access import counting, keys
from core.access.models import ApiKey
from core.quotas import quota_of
from tests.operations.promises import NOW

MakeKey = Callable[..., str]


@pytest.fixture(autouse=True)
def nothing_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has asked for anything yet, and the cache answers."""
    monkeypatch.setattr(counting, "_away_until", 0.0)
    for cache in caches.all(initialized_only=True):
        cache.clear()


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Stop the clock; `clock.shift(seconds)` moves it on."""
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


@pytest.fixture
def limit(settings: LazySettings) -> Callable[[str], None]:
    """Set RATE_LIMIT."""

    def written(text: str) -> None:
        settings.RATE_LIMIT = quota_of(text)

    return written


@pytest.fixture
def uses(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the keys whose use was to be written."""
    noted: list[int] = []
    monkeypatch.setattr(keys.uses, "note", noted.append)
    return noted


@pytest.fixture
def make_key(db: None, uses: list[int]) -> MakeKey:
    """Make a key as the admin does, and return what its client sends."""

    def made(name: str = "client", **fields: object) -> str:
        token = keys.new_token()
        ApiKey.objects.create(name=name, prefix=token[: keys.SHOWN], digest=keys.digest_of(token), **fields)
        return token

    return made
