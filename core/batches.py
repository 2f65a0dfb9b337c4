"""Many of something, a few at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in order, in lists of ``size``, the last one shorter; as ``itertools.batched`` of Python 3.12."""
    left = iter(items)
    while batch := list(islice(left, size)):
        yield batch
