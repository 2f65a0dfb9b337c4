"""What tests of reading metadata may use."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.offchain.apes import World
from tests.offchain.played_contracts import played_contracts


@pytest.fixture
def world(settings: Any) -> Iterator[World]:
    settings.METADATA_MAX_AGE_DAYS = 30
    with played_contracts() as contracts:
        yield World(contracts)
