"""Streams the lines of a file, plain or gzip, of any size and with lines of any length, in bounded memory."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

MAX_LINE = 16 * 2**20
"""Bytes of the longest line that is taken; a longer one is passed over without being held."""

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
STDIN = "-"


class RawLine(NamedTuple):
    """A line by its number, from 1; ``fault``: why it could not be read, in place of a text."""

    number: int
    text: str
    fault: str | None = None


class Source:
    """An opened file. ``size``: bytes of the file itself, when known; ``position``: how many of them are read."""

    def __init__(self, path: str) -> None:
        """Open a file, or standard input for ``-``. Raises ``OSError`` when it cannot be opened."""
        self.name = "standard input" if path == STDIN else path
        self._file: BinaryIO = sys.stdin.buffer if path == STDIN else Path(path).open("rb")  # noqa: SIM115
        is_regular = path != STDIN and Path(path).is_file()
        self.size = os.fstat(self._file.fileno()).st_size if is_regular else None
        self.position = 0

    def close(self) -> None:
        """Close the file; standard input is left open."""
        if self._file is not sys.stdin.buffer:
            self._file.close()

    def lines(self) -> Iterator[RawLine]:
        """Yield each line that is not blank. What cannot be read ends with one last line that says so."""
        number = 0
        counted = _Counted(self)
        try:
            start = counted.peek(2)
            stream = gzip.GzipFile(fileobj=counted) if start == _GZIP else counted
            for number, raw in enumerate(_bounded(stream), start=1):
                line = _read(number, raw)
                if line.fault or line.text:
                    yield line
        except (OSError, EOFError, zlib.error) as error:
            yield RawLine(number + 1, "", f"The file cannot be read on: {error}.")


class _Counted(io.BufferedReader):
    """The file's own bytes, counted as they are read."""

    def __init__(self, source: Source) -> None:
        super().__init__(_Raw(source), buffer_size=2**18)

    def peek(self, size: int = 0, /) -> bytes:
        """Return the next bytes without moving on."""
        return super().peek(size)[:size]


class _Raw(io.RawIOBase):
    def __init__(self, source: Source) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        data = self._source._file.read(len(buffer))
        buffer[: len(data)] = data
        self._source.position += len(data)
        return len(data)


def _bounded(stream: BinaryIO | io.BufferedReader | gzip.GzipFile) -> Iterator[bytes | None]:
    """Yield the bytes of each line; ``None`` for one that is too long."""
    while raw := stream.readline(MAX_LINE + 1):
        if len(raw) <= MAX_LINE:
            yield raw
            continue
        while raw and not raw.endswith(b"\n"):
            raw = stream.readline(MAX_LINE)
        yield None


def _read(number: int, raw: bytes | None) -> RawLine:
    if raw is None:
        return RawLine(number, "", f"Longer than {MAX_LINE // 2**20} MiB.")
    if number == 1:
        raw = raw.removeprefix(_BOM)
    try:
        return RawLine(number, raw.decode().strip(" \t\r\n"))
    except UnicodeDecodeError as error:
        return RawLine(number, "", f"Not valid UTF-8 at byte {error.start + 1}.")
