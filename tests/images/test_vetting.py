"""Whatever bytes come, the caller gets a verdict: what they are, and pictures of them or why there are none."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from media.vetting import Vetter
from tests.images import inputs
from tests.images.inputs import encoded, picture, svg
from tests.images.vetted import MEMORY, REFUSED, TAKEN


@pytest.fixture(scope="module")
def vetter() -> Iterator[Vetter]:
    """One process for all inputs: none may stop the rest."""
    with Vetter() as one:
        yield one


@pytest.mark.parametrize("name", TAKEN)
def test_what_can_be_shown_is_taken(vetter: Vetter, name: str) -> None:
    make, media_type = TAKEN[name]
    data = make()
    verdict = vetter.vet(data)
    assert (verdict.fault, verdict.media_type) == ("", media_type)
    assert verdict.renditions is not None
    if media_type != "image/svg+xml":
        assert verdict.renditions.original.data == data
    assert 0 < verdict.memory < MEMORY


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_shown_is_refused_with_a_reason_and_stops_nothing(vetter: Vetter, name: str) -> None:
    make, media_type, reason = REFUSED[name]
    verdict = vetter.vet(make())
    assert (verdict.renditions, verdict.media_type) == (None, media_type)
    assert re.search(reason, verdict.fault), verdict.fault
    assert verdict.memory < MEMORY
    assert vetter.vet(encoded(picture(8, 8), "PNG")).fault == ""


def test_there_are_sixty_inputs_at_least() -> None:
    assert len(TAKEN) + len(REFUSED) >= 60


SEEDS = [
    *(encoded(picture(60, 40), kind) for kind in ("JPEG", "PNG", "GIF", "WEBP", "AVIF", "BMP")),
    *(inputs.animated(kind) for kind in ("GIF", "WEBP", "AVIF")),
    inputs.turned("JPEG"),
    svg('<text font-family="serif">a</text>', inputs.uses(2)),
]


@settings(deadline=None)
@given(st.sampled_from(SEEDS), st.data())
def test_damage_anywhere_is_told_by_a_sentence(vetter: Vetter, seed: bytes, draw: st.DataObject) -> None:
    """By one that says what is wrong: "Its decoder failed" would be of an error that nobody foresaw."""
    damaged = bytearray(seed)
    for place in draw.draw(st.lists(st.integers(0, len(seed) - 1), min_size=1, max_size=6)):
        damaged[place : place + draw.draw(st.integers(0, 9))] = draw.draw(st.binary(max_size=9))
    verdict = vetter.vet(bytes(damaged))
    assert (verdict.renditions is None) == (verdict.fault != "")
    assert verdict.fault != "Its decoder failed."
