"""Memories of what was worked out once, bounded in bytes though strangers write what is worked out."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar, cast

Texts = ParamSpec("Texts")
Result = TypeVar("Result")


def cached_if_short(
    *, maxsize: int, longest: int
) -> Callable[[Callable[Texts, Result]], Callable[Texts, Result]]:
    """Have a function of texts remember its newest results, at most ``maxsize``, as ``functools.lru_cache`` does.

    What has more than ``longest`` characters, all arguments together, is worked out each time: so the arguments that
    are kept take at most ``4 * maxsize * longest`` bytes. The results should be no longer than the arguments.
    """

    def remembering(function: Callable[Texts, Result]) -> Callable[Texts, Result]:
        kept = cast("Callable[Texts, Result]", lru_cache(maxsize=maxsize)(function))

        @wraps(function)
        def call(*texts: Texts.args, **named: Texts.kwargs) -> Result:
            is_short = sum(map(len, cast("tuple[str, ...]", (*texts, *named.values())))) <= longest
            return kept(*texts, **named) if is_short else function(*texts, **named)

        return call

    return remembering
