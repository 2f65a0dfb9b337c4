"""Has hostile bytes vetted by a process that can be lost: whatever they do to it, the caller gets a verdict."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import IO

from media import video
from media.confinement import CPU_SECONDS, interpreter
from media.decoding import FORMATS, MAX_PIXELS, BadImageError
from media.files import MAX_BYTES, File, Renditions
from media.sniff import SVG, media_type_of
from media.vet_process import ANSWER, ANSWER_BYTES, REQUEST, Answer, unpacked

SECONDS = 60.0
"""Time for one image, waiting for a processor included. Its own limit is ``CPU_SECONDS`` of computing."""
IMAGES = 1000
"""After so many the process is replaced, as one that has lived for long may have grown."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What bytes are: of which media type ("" if nothing tells), and either their renditions or why there are none.

    ``memory`` is the largest resident memory of the process that vetted them, in bytes; 0 if none was needed, or if
    it was killed for its time.
    """

    media_type: str
    renditions: Renditions | None = None
    fault: str = ""
    memory: int = 0


class Vetter:
    """Vets one image after the other; a thread that wants to vet has one of its own. A context manager.

    The process is started with the first image that needs it, and again after it was lost.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0

    def __enter__(self) -> Vetter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            _end(self._process)
            self._process = None

    def vet(self, data: bytes) -> Verdict:
        """Return what these bytes are, with a rendition of each size if they are an image that can be shown.

        Raises ``OSError`` or ``RuntimeError`` only if no process can be started, which is no fault of the image.
        """
        media_type = media_type_of(data)
        if not data:
            return Verdict(media_type, fault="It is empty.")
        if len(data) > MAX_BYTES:
            return Verdict(media_type, fault=f"It has more than {MAX_BYTES // 2**20} MiB.")
        if media_type in video.DEMUXERS:
            return self._vet_video(data, media_type)
        if media_type != SVG and media_type not in FORMATS:
            told = media_type or "of no type that is known"
            return Verdict(media_type, fault=f"It is no image of a format that is taken, but {told}.")
        return self._vet(data, media_type)

    def _vet_video(self, data: bytes, media_type: str) -> Verdict:
        """Vet the first frame, in the place of the video."""
        try:
            frame = video.first_frame(data, media_type, self._seconds)
        except BadImageError as error:
            return Verdict(media_type, fault=str(error))
        if frame is None:
            return Verdict(media_type, fault=f"It is {media_type}, and there is no ffmpeg to show it.")
        verdict = self._vet(frame, "image/png")
        shown = verdict.renditions and replace(verdict.renditions, media_type=media_type)
        return replace(verdict, media_type=media_type, renditions=shown)

    def _vet(self, data: bytes, media_type: str) -> Verdict:
        # Twice: a process that was ended from outside tells nothing of the image.
        for _ in range(2):
            process = self._running()
            late = _Deadline(self._seconds, process)
            try:
                with late:
                    status, memory, answer = _asked(process, data)
            except (OSError, EOFError):
                self.close()
                if late.has_passed:
                    return Verdict(media_type, fault=f"It was not decoded within {self._seconds:g} seconds.")
                continue
            if status != 0:
                return Verdict(media_type, fault=_told(status), memory=memory)
            return _verdict(data, media_type, answer, memory)
        return Verdict(media_type, fault="The process that decoded it was ended from outside, twice.")

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and (self._count >= IMAGES or self._process.poll() is not None):
            self.close()
        if self._process is None:
            self._process, self._count = _started(), 0
        self._count += 1
        return self._process


class _Deadline:
    """Kills a process after some seconds, unless it is left before."""

    def __init__(self, seconds: float, process: subprocess.Popen[bytes]) -> None:
        self.has_passed = False
        self._process = process
        self._timer = threading.Timer(seconds, self._end)

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._timer.join()

    def _end(self) -> None:
        self.has_passed = True
        _kill(self._process)


# imagekit wants settings; these are none.
_PROGRAM = """
from django.conf import settings
settings.configure()
from media.vet_process import main
main()
"""


_LARGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
"""Has the kernel map memory for pixels 2 MiB at a time rather than 4 KiB, where both can (glibc 2.35)."""


def _started() -> subprocess.Popen[bytes]:
    command, environment = interpreter(_PROGRAM)
    process = subprocess.Popen(  # noqa: S603 # this interpreter and the text above
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment | _LARGE_PAGES,
        start_new_session=True,  # Ctrl-C is ours, and its forks are killed with it
    )
    try:
        with _Deadline(SECONDS, process):
            _asked(process, b"")  # it answers as soon as it has given up its rights
    except (OSError, EOFError):
        _end(process)
        raise RuntimeError(f"The process that vets images ended with {process.returncode}.") from None
    return process


def _asked(process: subprocess.Popen[bytes], data: bytes) -> tuple[int, int, bytes]:
    """Return the status, largest memory in bytes and answer of a fork. Raises ``EOFError`` if the process ends."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(REQUEST.pack(len(data)))
    process.stdin.write(data)
    process.stdin.flush()
    status, kibibytes, length = ANSWER.unpack(_read(process.stdout, ANSWER.size))
    return status, kibibytes * 1024, _read(process.stdout, min(length, ANSWER_BYTES))


def _read(pipe: IO[bytes], count: int) -> bytes:
    data = pipe.read(count)
    if len(data) < count:
        raise EOFError
    return data


_NOT_PICTURES = "Its decoder answered with something else than pictures."


def _verdict(data: bytes, media_type: str, packed: bytes, memory: int) -> Verdict:
    """Return the verdict of an answer, which is believed only where it can be checked."""
    try:
        answer = unpacked(packed)
    except ValueError:
        return Verdict(media_type, fault=_NOT_PICTURES, memory=memory)
    if answer.fault:
        return Verdict(media_type, fault=answer.fault[:500], memory=memory)
    if not _is_plausible(answer, media_type):
        return Verdict(media_type, fault=_NOT_PICTURES, memory=memory)
    kept, kept_type = (answer.drawn, "image/png") if media_type == SVG else (data, media_type)
    renditions = Renditions(
        original=File(kept, kept_type),
        preview=File(answer.preview, "image/webp"),
        thumbnail=File(answer.thumbnail, "image/webp"),
        media_type=media_type,
        width=answer.width,
        height=answer.height,
    )
    return Verdict(media_type, renditions, memory=memory)


def _is_plausible(answer: Answer, media_type: str) -> bool:
    if min(answer.width, answer.height) < 1 or answer.width * answer.height > MAX_PIXELS:
        return False
    drawn = [answer.drawn] if media_type == SVG else []
    types = [media_type_of(part) for part in (answer.preview, answer.thumbnail, *drawn)]
    return types == ["image/webp", "image/webp", *(["image/png"] if drawn else [])]


def _told(status: int) -> str:
    """Return what the status of a fork, as ``waitpid`` has it, says of the image."""
    if not os.WIFSIGNALED(status):
        return "Its decoder failed."
    ended_by = os.WTERMSIG(status)
    if ended_by == signal.SIGXCPU:
        return f"It takes more than {CPU_SECONDS} seconds to decode."
    if ended_by == signal.SIGKILL:
        return "Its decoder was killed: the machine ran out of memory, or it computed for too long."
    if ended_by == signal.SIGABRT:  # what resvg does where Python would raise
        return "Its decoder gave up: it takes more memory than is allowed, or is malformed."
    return f"Its decoder crashed ({signal.Signals(ended_by).name})."


def _kill(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)  # it leads a group of its own, with its fork in it
    except ProcessLookupError:
        return  # it has ended already


def _end(process: subprocess.Popen[bytes]) -> None:
    _kill(process)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # what was not yet written goes nowhere
                pipe.close()
