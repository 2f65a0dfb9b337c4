"""A name that a node has to be asked for costs more than one that is known."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.builders import APES
from tests.conftest import Api
from tests.operations.conftest import mainnet  # noqa: F401 - a fixture
from tests.operations.ens_world import EnsWorld

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

NFTS = "/api/v1/nfts/by-token"


def test_a_name_that_a_node_is_asked_for_takes_five_and_once_it_is_remembered_one(
    api: Api,
    mainnet: EnsWorld,  # noqa: F811
    limit: Callable[[str], None],
) -> None:
    mainnet.register("apes.eth", APES)
    limit("11/minute")
    answers = [api.get(NFTS, {"contractAddress": "apes.eth"}) for _ in range(2)]
    assert [(answer.status_code, answer["RateLimit-Remaining"]) for answer in answers] == [
        (200, "6"),
        (200, "5"),
    ]
    refused = [api.get(NFTS, {"contractAddress": f"other{number}.eth"}) for number in range(2)]
    assert [answer.status_code for answer in refused] == [200, 429]
