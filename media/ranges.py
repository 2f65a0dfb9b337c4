"""Byte ranges of a file (RFC 9110, section 14): which part of it a request asks for."""

from __future__ import annotations

import re
from typing import NamedTuple

_ONE = re.compile(r"bytes\s*+=\s*+(\d*+)\s*+-\s*+(\d*+)\s*+", re.ASCII | re.IGNORECASE)
_DIGITS = 18


class Part(NamedTuple):
    """First and last byte, both included, counted from 0."""

    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


class UnsatisfiableError(Exception):
    """The range begins behind the end of the file."""


def part_of(header: str, size: int) -> Part | None:
    """Return the part of ``size`` bytes that a Range header names; ``None``: the whole is to be sent.

    A header that cannot be read, and one of several ranges, which no player needs, count as not given. Raises
    :class:`UnsatisfiableError`.
    """
    found = _ONE.fullmatch(header.strip())
    if found is None or max(map(len, found.groups())) > _DIGITS:
        return None
    first, last = found.groups()
    if not first and not last:
        return None
    if not first:  # the last so many bytes
        if int(last) == 0 or size == 0:
            raise UnsatisfiableError
        return Part(max(size - int(last), 0), size - 1)
    if last and int(last) < int(first):
        return None
    if int(first) >= size:
        raise UnsatisfiableError
    return Part(int(first), min(int(last), size - 1) if last else size - 1)
