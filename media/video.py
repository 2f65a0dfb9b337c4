"""The first frame of a video as a picture, by ffmpeg where the machine has it. Recognising videos needs none.

ffmpeg reads hostile bytes in a process with limits like those of ``media.confinement``; it must open its libraries and
its input, so what holds it to that one file are its own lists of protocols, formats and codecs.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
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

_PROGRAM = """
import sys
from media.confinement import become
become(sys.argv[1:])
"""


def first_frame(data: bytes, media_type: str, seconds: float) -> bytes | None:
    """Return the first frame of a video as PNG, at most 1,024 pixels wide and high; ``None`` if there is no ffmpeg.

    Raises :class:`BadImageError` if there is no frame, or none within ``seconds``.
    """
    program = shutil.which("ffmpeg")
    if program is None:
        return None
    command, environment = interpreter(_PROGRAM)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "video").write_bytes(data)  # a pipe would not do: the index may stand at the end
        Path(folder).chmod(0o755)  # it is read as somebody else
        try:
            done = subprocess.run(  # noqa: S603 # this interpreter, the program above and ffmpeg
                [*command, *_arguments(program, DEMUXERS[media_type])],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise BadImageError(f"Its first frame was not decoded within {seconds:g} seconds.") from None
    if done.returncode == 0 and done.stdout:
        return done.stdout
    if done.returncode < 0:
        raise BadImageError(f"ffmpeg ended with {signal.Signals(-done.returncode).name}.")
    told = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2].rstrip(".")
    raise BadImageError(f"ffmpeg finds no frame in it: {told[:200]}.")


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
