"""Cursors are opaque, tamper-proof and the same for the same place."""

import base64
import json

import pytest

from core.rest.cursors import Cursor, CursorInvalid, decode, encode

PLACE = Cursor("nfts", "rarity", "0f" * 12, 0, (0, -1.2345678901234567, 7))


def test_a_cursor_comes_back_as_it_was() -> None:
    assert decode(encode(PLACE)) == PLACE


def test_the_same_place_gives_the_same_bytes() -> None:
    """No time stamp within: the page's ETag stays the same."""
    assert encode(PLACE) == encode(PLACE)


def test_a_cursor_needs_no_escaping_in_an_address() -> None:
    assert set(encode(PLACE)) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")


def test_a_changed_depth_is_noticed() -> None:
    """The 10,000 items of an ask order are counted in the cursor, so nobody may reset the count."""
    payload, signature = encode(PLACE).split(".")
    parts = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    parts[4] = 1
    forged = base64.urlsafe_b64encode(json.dumps(parts, separators=(",", ":")).encode()).decode().rstrip("=")
    with pytest.raises(CursorInvalid):
        decode(f"{forged}.{signature}")


@pytest.mark.parametrize(
    "text", ["", ".", "null", '{"mumbai":null}', "a.b", "é.ü", "eyJ9.", "x" * 5000, "\ud800.a"]
)
def test_what_is_no_cursor_is_refused_rather_than_taken_for_the_start(text: str) -> None:
    """F8: a null-ish cursor that restarts from page one makes an endless loop."""
    with pytest.raises(CursorInvalid):
        decode(text)
