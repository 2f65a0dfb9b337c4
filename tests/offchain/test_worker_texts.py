"""What strangers write means the same on every database, and stops nobody: their words are never what fails.

The texts hold what databases, logs and JSON do not take alike: NUL, lone surrogates, control characters, great length.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.net.http.fetch import Fetched, Fetcher, FetchError, FetchKind
from tests.builders import APES
from tests.conftest import Api
from tests.net.played import error
from tests.offchain.apes import BASE, World, again, ape, row
from tests.offchain.played_contracts import OWNER_OF, TOKEN_URI, text
from tokens.metadata.outcomes import State

pytestmark = pytest.mark.django_db

odd = st.sampled_from(
    [
        "\0",
        "\ud800",
        "\udfff",
        "\x01",
        "\x1b[2J",
        "\x7f",
        "\x85",
        "\u2028",
        "\ufeff",
        "\uffff",
        "\U0010ffff",
        "\r\n",
    ]
)
hostile = st.lists(odd | st.text(max_size=4), min_size=1, max_size=6).map("".join) | st.builds(
    lambda one, times: one * times, odd, st.sampled_from([600, 20_000])
)
some = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def utf_8(written: str) -> bytes:
    """The bytes of a text, as a contract may answer them: of half a character too."""
    return written.encode("utf-8", "surrogatepass")


OWNED = "0x" + "11".rjust(64, "0")


def answer(token_id: int, words: str) -> Any:
    """What a contract says where a token's metadata is, each time by another way of having its words told."""
    return {
        1: error(3, f"execution reverted: Not yet {words}", "0x"),
        2: error(3, "execution reverted", f"0x12345678{words}"),
        3: error(3, "execution reverted", f"0x{words}".ljust(12, "!")),
        4: error(-32000, f"My node says {words}"),
        5: text(b"data:application/json," + b'{"name":"Ape"}' + b" " * 9 + utf_8(words)),
        6: text(b"data:image/png," + utf_8(words)),
        7: text(b"\x01odd:" + utf_8(words)),
    }.get(token_id, text(f"{BASE}{token_id}"))


def page(number: int, words: str) -> Any:
    """What a server gives, or why it gives nothing."""
    return {
        8: FetchError(f"https://a.example: {words}", FetchKind.MISSING),
        9: FetchError(f"https://a.example: {words}", FetchKind.UNREACHABLE),
        10: {words: words, "name": f"Ape {words}", "description": words, "image": f"data:image/png,{words}"},
        11: {
            "name": "Ape",
            "attributes": [{"trait_type": words, "value": words}, {"trait_type": "A", "value": {words: 1}}],
        },
        12: Fetched(f"data:application/json;{words},", b'{"name": "Ape"}', f"application/json\0{words}"),
        13: Fetched(f"data:image/png;{words},", b"\x89PNG\r\n\x1a\n", f"image/{words}"),
    }[number]


EXPECTED = {
    **dict.fromkeys((1, 2, 3), State.UNREVEALED),
    4: State.UNREACHABLE,
    7: State.GONE,
    8: State.UNREVEALED,
    9: State.UNREACHABLE,
    **dict.fromkeys((10, 11, 12, 13), State.READY),
}
"""By token id. Of the fifth and sixth it hangs on what the words do to their document."""


class Pages:
    """Documents by URI, and what `data:` URIs hold."""

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found
        self._fetcher = Fetcher(ipfs_gateways=[], arweave_gateways=[])

    def fetch(self, uri: str) -> Fetched:
        if uri not in self._found:
            return self._fetcher.fetch(uri)
        document = self._found[uri]
        if isinstance(document, Exception):
            raise document
        return document if isinstance(document, Fetched) else Fetched(uri, json.dumps(document).encode(), "")


@some
@given(words=hostile)
def test_no_words_of_strangers_change_what_is_found(world: World, api: Api, words: str) -> None:
    world.contracts.give(APES, TOKEN_URI, lambda token_id, gas: answer(token_id, words))
    world.contracts.give(APES, OWNER_OF, OWNED)
    world.pages = Pages({f"{BASE}{number}": page(number, words) for number in range(8, 14)})  # type: ignore[assignment]
    world.mint(13)
    for number in range(1, 14):
        again(number, by_hand=True)
    world.run()
    assert {number: row(number).state for number in EXPECTED} == EXPECTED
    assert not [number for number in range(1, 14) if row(number).fault.endswith("the log says more.")]
    assert all(row(number).next_attempt_at for number, state in EXPECTED.items() if state != State.GONE)
    assert api.get("/api/v1/nfts/by-token", {"contractAddress": APES}).status_code == 200
    assert ape(12).metadata == '{"name":"Ape"}'
