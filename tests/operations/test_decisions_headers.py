"""What stands around an answer: tags and caching on real pages; the rest of it is in `tests.infra`."""

from __future__ import annotations

import re

import pytest
import time_machine

from tests.builders import ALICE, APES, BOB, ask, nft, transfer
from tests.conftest import Api
from tests.operations.promises import NOW, given

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

NFTS, TRANSFERS = "/api/v1/nfts/by-token", "/api/v1/transfers/by-token"
OF_APES = {"contractAddress": APES}
BOTH = pytest.mark.parametrize("address", [NFTS, TRANSFERS])


@BOTH
def test_a_page_has_a_strong_tag_and_is_not_sent_again_while_it_holds(api: Api, address: str) -> None:
    given(transfer("1"))
    first = api.get(address, OF_APES)
    assert re.fullmatch(r'"[^"]+"', first["ETag"])
    again = api.get(address, OF_APES, if_none_match=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    given(transfer("1", block=2, sender=ALICE, receiver=BOB))
    changed = api.get(address, OF_APES, if_none_match=first["ETag"])
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


def test_a_configured_age_ends_with_the_first_ask_of_the_answer(
    api: Api, settings: object, clock: time_machine.Traveller
) -> None:
    settings.API_MAX_AGE = 600  # type: ignore[attr-defined]
    given(nft("1"), ask("2", validUntil=NOW + 90), ask("2", price="2", validUntil=NOW + 30))
    assert api.get(NFTS, {"tokenId": "1"})["Cache-Control"].endswith("max-age=600")
    assert api.get(NFTS)["Cache-Control"].endswith("max-age=30")
    clock.shift(29)
    assert api.get(NFTS)["Cache-Control"].endswith("max-age=1")
    clock.shift(1)
    assert api.get(NFTS)["Cache-Control"].endswith("max-age=60")


def test_answers_to_different_queries_are_never_taken_for_each_other(api: Api) -> None:
    """F15: a cache key joined limit and offset, so that (1, 10) was (11, 0)."""
    given(nft("10"), nft("0"))
    tags = {
        api.get(NFTS, query)["ETag"]
        for query in ("limit=1&tokenId=10", "limit=11&tokenId=0", "limit=1&tokenId=1")
    }
    assert len(tags) == 3
