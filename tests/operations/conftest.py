"""A clock that stands still, for asks that begin and end; and a node that names are looked up at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from django.conf import LazySettings

from tests.net.played import PlayedNode
from tests.operations.ens_world import KEYED_PATH, EnsWorld
from tests.operations.promises import NOW
from tests.patience import PATIENCE
from tokens.ens import node as ens_node


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """Stop the clock at NOW; `clock.shift(seconds)` moves it on."""
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


@pytest.fixture
def mainnet(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[EnsWorld]:
    """The configured node, of which nothing is remembered. Its URL holds a key, a user and a password.

    Requests wait for it as long as a busy machine takes.
    """
    monkeypatch.setattr(ens_node, "PATIENCE", PATIENCE)
    ens_node.of_node.cache_clear()
    played = PlayedNode()
    settings.RPC_URLS = {"ethereum": [f"http://user:pa55word@{played.host}{KEYED_PATH}"]}
    yield EnsWorld(played)
    played.close()
    ens_node.of_node.cache_clear()
