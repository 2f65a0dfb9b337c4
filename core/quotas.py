"""How much may be asked for in a while: `600/minute`."""

from __future__ import annotations

import re
from dataclasses import dataclass

SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400}
"""The periods, in seconds."""
MOST = 1_000_000_000
"""Units of a quota at most."""

_WRITTEN = re.compile(r"([1-9][0-9]{0,9})\s*/\s*([a-z]{1,6}?)s?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quota:
    """So many units in each period of so many seconds; a usual request takes one."""

    units: int
    seconds: int

    def __str__(self) -> str:
        """As it is written in a setting."""
        return f"{self.units}/{next(name for name, length in SECONDS.items() if length == self.seconds)}"


def quota_of(text: str) -> Quota:
    """Return the quota that a text names: a whole number, a slash, and second, minute, hour or day.

    A period may be shortened (`s`, `min`, `h`). Raises ``ValueError``, with what would be right.
    """
    found = _WRITTEN.fullmatch(text.strip())
    word = found[2].lower() if found else ""
    fitting = [length for name, length in SECONDS.items() if word and name.startswith(word)]
    if found is None or len(fitting) != 1 or int(found[1]) > MOST:
        raise ValueError(
            f"such as 600/minute: a number up to {MOST:,}, a slash, and {_either(list(SECONDS))}"
        )
    return Quota(int(found[1]), fitting[0])


def _either(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
