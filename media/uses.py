"""Who shows the cached images, asked of who knows it: the setting `IMAGE_USES` names a value of :class:`Uses`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from django.conf import settings
from django.utils.module_loading import import_string


class Uses(NamedTuple):
    """What rooms above tell of the images that they refer to; ids are those of cached images."""

    referred: Callable[[Collection[int]], set[int]]
    """Which of some images something refers to."""
    shown: Callable[[Collection[int]], set[int]]
    """Which of some images something shows that is not itself withheld."""
    finish_takedowns: Callable[[], object]
    """Withholds, in parts, the images of what was taken down as a whole; may be killed and repeated."""


def uses() -> Uses:
    """Return what the settings name."""
    found: Uses = import_string(settings.IMAGE_USES)
    return found
