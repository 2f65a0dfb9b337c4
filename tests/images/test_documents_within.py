"""A document that a document shows lies where browsers have it, in its own shape, and ends at its edges."""

from __future__ import annotations

import base64

import pytest

from media.decoding import BadImageError
from media.renditions import render
from tests.images.inputs import encoded, noise, svg
from tests.images.svgs import BLUE, CLEAR, RED, at, drawn

DISC = '<circle r="6" fill="red"/><rect x="8" y="8" width="90" height="90" fill="blue"/>'
"""Both go beyond the edges of a document of 10 x 10."""


def shown(attributes: str, place: str, body: str = DISC) -> bytes:
    """A document of 100 x 100 that shows another one."""
    inner = f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{body}</svg>'
    target = base64.b64encode(inner.encode()).decode()
    return svg(f'<image {place} href="data:image/svg+xml;base64,{target}"/>')


@pytest.mark.parametrize(
    "attributes",
    [
        'viewBox="0 0 10 10"',
        'viewBox="0 0 10 10" width="40" height="40"',
        'width="10" height="10"',
        'viewBox="0 0 10 10" overflow="visible"',
        'viewBox="0 0 10 10" style="overflow:visible"',
    ],
)
def test_it_ends_at_its_edges(attributes: str) -> None:
    found = shown(attributes, 'x="40" y="30" width="50" height="50"')
    assert [at(found, *place) for place in ((36, 35), (45, 26), (93, 75), (85, 83))] == [CLEAR] * 4
    assert (at(found, 45, 35), at(found, 85, 75)) == (RED, BLUE)


@pytest.mark.parametrize(
    ("attributes", "stretch", "left", "width"),
    [
        ('viewBox="0 0 10 10"', "", 40, 40),
        ('viewBox="0 0 10 10"', "xMinYMin slice", 40, 40),
        ('viewBox="0 0 10 10" width="7" height="3"', "", 40, 40),
        ('viewBox="0 0 10 10" preserveAspectRatio="xMaxYMid"', "", 60, 40),
        ('viewBox="0 0 10 10" preserveAspectRatio="none"', "", 20, 80),
        ('viewBox="0 0 10 10"', "none", 20, 80),
        ('width="10" height="10"', "", 20, 80),
    ],
)
def test_its_shape_is_its_own_within_the_place_where_it_is_shown(
    attributes: str, stretch: str, left: int, width: int
) -> None:
    """A place that is twice as wide as it is high."""
    ratio = f'preserveAspectRatio="{stretch}"' if stretch else ""
    found = shown(
        attributes, f'x="20" width="80" height="40" {ratio}', '<rect width="10" height="10" fill="red"/>'
    )
    image = drawn(found).getchannel("A").point(lambda value: 255 if value > 127 else 0)
    box = image.getbbox()
    assert box is not None
    assert [round(side * 100 / 1024) for side in box] == [left, 0, left + width, 40]


@pytest.mark.parametrize("size", ["", 'width="50"', 'height="50"'])
def test_without_a_told_place_it_has_its_own_size(size: str) -> None:
    found = shown('width="50" height="50"', size, '<rect width="50" height="50" fill="red"/>')
    assert (at(found, 48, 48), at(found, 52, 48), at(found, 48, 52)) == (RED, CLEAR, CLEAR)


def test_its_ground_fills_the_place_where_it_is_shown() -> None:
    found = shown(
        'viewBox="0 0 10 10" style="background:blue"', 'width="80" height="40"', '<circle r="1" fill="red"/>'
    )
    assert (at(found, 2, 38), at(found, 78, 2), at(found, 82, 2)) == (BLUE, BLUE, CLEAR)


def test_a_size_that_only_a_page_could_tell_is_refused() -> None:
    with pytest.raises(BadImageError, match="a size that is not computed"):
        render(shown("", 'width="50" height="50"'))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "BMP"])
@pytest.mark.parametrize("cut", [1, 2, 4])
def test_a_picture_within_that_lacks_its_last_bytes_is_drawn(kind: str, cut: int) -> None:
    # Of this picture, as of half of all, no pixel needs the last four bytes of a WEBP.
    data = encoded(noise((200, 200), 40, seed=2), kind)[:-cut]
    found = svg(f'<image width="100" height="100" href="data:;base64,{base64.b64encode(data).decode()}"/>')
    assert at(found, 50, 50) != CLEAR
    assert at(found, 5, 5) != CLEAR
