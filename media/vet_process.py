"""The process that vets: :func:`main` is run by :class:`media.vetting.Vetter` in an interpreter of its own.

It reads images from its standard input and forks for each: the fork has this process's modules and fonts in memory and
nothing else, neither pipes nor the right to open anything, and hands its answer back by memory that both share. A fork
that crashes takes nothing along, and no image sees anything of another.

Request: length (4 bytes, big-endian), bytes. Answer: status of the fork (4 bytes, as ``waitpid`` has it), its largest
resident memory in KiB (4), length (4), answer as :func:`packed`; of a fork that died the length is 0.
"""

from __future__ import annotations

import gc
import io
import mmap
import os
import struct
from dataclasses import dataclass

from PIL import AvifImagePlugin, Image, ImageCms

from media import warming
from media.confinement import confine, confine_child
from media.decoding import BadImageError
from media.renditions import render

REQUEST = struct.Struct("!I")
ANSWER = struct.Struct("!iII")
PARTS = struct.Struct("!6I")

ANSWER_BYTES = 24 * 2**20
"""Room for an answer. The largest part is the PNG of an SVG: four bytes for each of 1,024 x 1,024 pixels, or fewer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is told of one image: either ``fault``, or the renditions. ``drawn`` is the PNG of an SVG, else empty."""

    fault: str = ""
    drawn: bytes = b""
    preview: bytes = b""
    thumbnail: bytes = b""
    width: int = 0
    height: int = 0


def packed(answer: Answer) -> bytes:
    """Return an answer as bytes."""
    parts = (answer.fault.encode("utf-8", "replace"), answer.drawn, answer.preview, answer.thumbnail)
    return PARTS.pack(*map(len, parts), answer.width, answer.height) + b"".join(parts)


def unpacked(data: bytes) -> Answer:
    """Return an answer from its bytes. They are not trusted: raises ``ValueError`` unless they are whole."""
    if len(data) < PARTS.size:
        raise ValueError("The answer is cut off.")
    *lengths, width, height = PARTS.unpack_from(data)
    if PARTS.size + sum(lengths) != len(data):
        raise ValueError("The answer has another length than it says.")
    parts, start = [], PARTS.size
    for length in lengths:
        parts.append(data[start : start + length])
        start += length
    fault, drawn, preview, thumbnail = parts
    return Answer(fault.decode("utf-8", "replace"), drawn, preview, thumbnail, width, height)


def answer_to(data: bytes) -> Answer:
    """Vet one image. Whatever it does to Python is told; what it does to the process is for the parent to see."""
    try:
        found = render(data)
    except BadImageError as error:
        return Answer(fault=str(error))
    except (MemoryError, RecursionError):
        return Answer(fault="It takes more memory to decode than is allowed.")
    drawn = found.original.data if found.original.data is not data else b""
    return Answer("", drawn, found.preview.data, found.thumbnail.data, found.width, found.height)


def serve(shared: mmap.mmap) -> None:
    """Answer until the standard input ends."""
    while head := _read(REQUEST.size):
        data = _read(REQUEST.unpack(head)[0])
        shared[: REQUEST.size] = bytes(REQUEST.size)  # the answer before this one
        pid = os.fork()
        if pid == 0:
            _vet_and_exit(data, shared)
        del data
        _, status, used = os.wait4(pid, 0)
        length = int.from_bytes(shared[: REQUEST.size]) if status == 0 else 0
        answer = shared[REQUEST.size : REQUEST.size + min(length, ANSWER_BYTES)]
        _write(ANSWER.pack(status, used.ru_maxrss, len(answer)) + answer)


def _vet_and_exit(data: bytes, shared: mmap.mmap) -> None:
    try:
        confine_child()
        answer = packed(answer_to(data))
        if len(answer) > ANSWER_BYTES:
            answer = packed(Answer(fault="Its renditions are too large."))
        shared[: REQUEST.size] = REQUEST.pack(len(answer))
        shared[REQUEST.size : REQUEST.size + len(answer)] = answer
        os._exit(0)
    finally:
        os._exit(1)  # an error that is none of the above, with nobody left to tell it to


def _read(count: int) -> bytes:
    """Return so many bytes of the standard input, or none at its end, also when it ends half way."""
    data = bytearray(count)
    rest = memoryview(data)
    while rest:
        length = os.readv(0, [rest])
        if not length:
            return b""
        rest = rest[length:]
    return bytes(data)


def _write(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


def _warm_up() -> None:
    """Have each decoder and encoder do its work once, so that it imports and opens what it needs while it may."""
    # Threads are processes to the limit that forks have.
    AvifImagePlugin.DEFAULT_MAX_THREADS = 1
    sample = Image.new("RGBA", (8, 8), (1, 2, 3, 4))
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for kind in ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP"):
        file = io.BytesIO()
        sample.convert("RGB").save(file, kind, icc_profile=profile)
        render(file.getvalue())
    render(warming.document())
    answer_to(b"\x89PNG\r\n\x1a\n")


def main() -> None:
    """Prepare, give up all rights, and serve."""
    _warm_up()
    shared = mmap.mmap(-1, REQUEST.size + ANSWER_BYTES)
    gc.freeze()  # or each fork looks through all that is here, and copies it by that
    confine()
    serve(shared)
