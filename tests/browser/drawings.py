"""Documents as collections that live in contracts write them, made up by families: each with a seed of its own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from random import Random

from tests.browser import drawn_contents, drawn_paints, drawn_shapes

EACH = 5
"""Documents of each family."""


def families() -> Iterator[tuple[str, Callable[[Random], str]]]:
    """Yield each function of those modules with its name."""
    for module in (drawn_shapes, drawn_paints, drawn_contents):
        for name, make in vars(module).items():
            if inspect.isfunction(make) and make.__module__ == module.__name__:
                yield name, make


def documents() -> Iterator[tuple[str, bytes]]:
    """Yield each document with its name."""
    for name, make in families():
        for seed in range(EACH):
            yield f"{name} {seed}", make(Random(f"{name} {seed}")).encode()  # no secret
