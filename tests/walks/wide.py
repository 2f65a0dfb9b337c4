"""Addresses that count as wide with few NFTs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from tokens.query import owners
from tokens.store import wide_holders


@contextmanager
def wide_from(most: int) -> Iterator[None]:
    """Addresses with more than so many NFTs are wide, and are found to be at once."""
    with ExitStack() as stack:
        for module in (wide_holders, owners):
            stack.enter_context(patch.object(module, "MANY", most))
        stack.enter_context(patch.object(wide_holders, "LOOKS", 1))
        yield
