"""The first frame of a video as a picture, by ffmpeg where the machine has it. Recognising videos needs none.

ffmpeg reads hostile bytes in a process with limits like those of ``media.confinement``; it must open its libraries and
its input, so what holds it to that one file are its own lists of protocols, formats and codecs.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from media.confinement import interpreter
from media.decoding import MAX_PIXELS, BadImageError
from media.svgsize import LONGER_SIDE

DEMUXERS = {
    "video/mp4": "mov",
    "video/quicktime": "mov",
    "video/webm": "matroska",
    "video/x-matroska": "matroska",
    "video/ogg": "ogg",
    "video/x-msvideo": "avi",
}
"""Demuxer of ffmpeg's by media type. None of them reads a list of other files, as that of HLS does."""
CODECS = "h264,hevc,vp8,vp9,av1,libdav1d,libvpx,libvpx-vp9,mpeg4,theora,mjpeg,png,prores"

MAX_FRAME = 16 * 2**20
"""Bytes of a first frame at most: twice what its pixels can take, of 64 bits each, before PNG packs them."""
_MAX_TOLD = 4_096
"""Bytes kept of what ffmpeg says, the last ones: it tells every fault of a damaged video that it may well show."""

_PROGRAM = """
import sys
from media.confinement import become
become(sys.argv[1:])
"""


def first_frame(data: bytes, media_type: str, seconds: float) -> bytes | None:
    """Return the first frame of a video as PNG, at most 1,024 pixels wide and high; ``None`` if there is no ffmpeg.

    Raises :class:`BadImageError` if there is no frame, none within ``seconds``, or one of more than 16 MiB.
    """
    program = shutil.which("ffmpeg")
    if program is None:
        return None
    command, environment = interpreter(_PROGRAM)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "video").write_bytes(data)  # a pipe would not do: the index may stand at the end
        Path(folder).chmod(0o755)  # it is read as somebody else
        with subprocess.Popen(  # noqa: S603 # this interpreter, the program above and ffmpeg
            [*command, *_arguments(program, DEMUXERS[media_type])],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            try:
                frame, told = _written(process, time.monotonic() + seconds)
            except (TimeoutError, subprocess.TimeoutExpired):
                raise BadImageError(f"Its first frame was not decoded within {seconds:g} seconds.") from None
            finally:
                process.kill()
    if process.returncode == 0 and frame:
        return frame
    if process.returncode < 0:
        raise BadImageError(f"ffmpeg ended with {signal.Signals(-process.returncode).name}.")
    last = told.decode("utf-8", "replace").strip().rpartition("\n")[2].rstrip(".")
    raise BadImageError(f"ffmpeg finds no frame in it: {last[:200]}.")


def _written(process: subprocess.Popen[bytes], until: float) -> tuple[bytes, bytes]:
    """Return what a process writes until it ends, and the last of what it says besides. Never holds more than that.

    Raises ``TimeoutError`` or ``TimeoutExpired`` when it has not ended by ``until`` (``time.monotonic``), and
    :class:`BadImageError` when it writes too much.
    """
    assert process.stdout is not None
    assert process.stderr is not None
    frame, told = bytearray(), bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ, frame)
        selector.register(process.stderr, selectors.EVENT_READ, told)
        while selector.get_map():
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            for key, _ in selector.select(left):
                part = os.read(key.fd, 1 << 16)
                key.data.extend(part)
                if not part:
                    selector.unregister(key.fileobj)
            del told[:-_MAX_TOLD]
            if len(frame) > MAX_FRAME:
                raise BadImageError(f"Its first frame has more than {MAX_FRAME // 2**20} MiB.")
    process.wait(max(0.0, until - time.monotonic()))
    return bytes(frame), bytes(told)


def _arguments(program: str, demuxer: str) -> list[str]:
    held = ["-protocol_whitelist", "file", "-format_whitelist", demuxer, "-codec_whitelist", CODECS]
    bounded = ["-max_pixels", str(MAX_PIXELS), "-threads", "1", "-f", demuxer, "-i", "file:video"]
    scaled = f"scale='min({LONGER_SIDE},iw)':'min({LONGER_SIDE},ih)':force_original_aspect_ratio=decrease"
    written = [
        "-map",
        "0:v:0",
        "-frames:v",
        "1",
        "-vf",
        scaled,
        "-threads",
        "1",
        "-c:v",
        "png",
        "-f",
        "image2pipe",
    ]
    return [program, "-v", "error", "-nostdin", *held, *bounded, *written, "pipe:1"]
