"""Of a video the first frame is shown, where there is ffmpeg; without it, it is recognised all the same."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from media.vetting import Verdict, Vetter
from tests.images.inputs import box, encoded

FFMPEG = shutil.which("ffmpeg")
with_ffmpeg = pytest.mark.skipif(FFMPEG is None, reason="ffmpeg is not on this machine")


def filmed(folder: Path, name: str, codec: str) -> bytes:
    """A video of red and then, after a second, blue, 640 x 320 pixels."""
    sources = [f"color={colour}:size=640x320:rate=5:duration=1" for colour in ("red", "blue")]
    inputs = [argument for source in sources for argument in ("-f", "lavfi", "-i", source)]
    joined = ["-filter_complex", "concat=n=2:v=1", "-c:v", codec, "-pix_fmt", "yuv420p", str(folder / name)]
    subprocess.run([str(FFMPEG), "-v", "error", *inputs, *joined], check=True)
    return (folder / name).read_bytes()


@with_ffmpeg
@pytest.mark.parametrize(
    ("name", "codec", "media_type"),
    [
        ("a.mp4", "mpeg4", "video/mp4"),
        ("a.avi", "mjpeg", "video/x-msvideo"),
        ("a.mov", "png", "video/quicktime"),
    ],
)
def test_the_first_frame_of_a_video_is_its_picture(
    tmp_path: Path, name: str, codec: str, media_type: str
) -> None:
    with Vetter() as vetter:
        verdict = vetter.vet(filmed(tmp_path, name, codec))
    assert (verdict.fault, verdict.media_type) == ("", media_type)
    assert verdict.renditions is not None
    assert (verdict.renditions.width, verdict.renditions.height) == (640, 320)
    assert verdict.renditions.media_type == media_type
    assert verdict.renditions.original.name.endswith(".png")
    red, green, blue = shown(verdict.renditions.original.data)
    assert red > 200 > 50 > max(green, blue)


@with_ffmpeg
@pytest.mark.parametrize("cut", [40, 400, 4000])
def test_a_video_that_is_cut_off_is_refused(tmp_path: Path, cut: int) -> None:
    """The index of an MP4 stands at its end."""
    with Vetter() as vetter:
        verdict = vetter.vet(filmed(tmp_path, "a.mp4", "mpeg4")[:-cut][:cut])
    assert (verdict.media_type, verdict.renditions) == ("video/mp4", None)
    assert verdict.fault.startswith("ffmpeg finds no frame in it")


@pytest.fixture
def played_ffmpeg(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Has a shell script stand in for ffmpeg."""
    folder = Path(tempfile.mkdtemp())  # pytest's own may be read by their owner alone

    def play(script: str) -> None:
        program = folder / "ffmpeg"
        program.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n")
        for path in (folder, program):
            path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")

    yield play
    shutil.rmtree(folder)


def vetted(seconds: float = 60.0) -> Verdict:
    with Vetter(seconds) as vetter:
        return vetter.vet(box(b"ftyp", b"isom"))


def with_memory(call: Callable[[], Verdict]) -> tuple[Verdict, int]:
    """What it returns, and how many bytes Python held at most meanwhile, beside those that it held before.

    Not the process' own peak, which never sinks again, so that nothing is seen behind a test that took more.
    """
    tracemalloc.start()
    try:
        return call(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_frame_without_end_is_read_no_further_than_a_frame_can_be(
    played_ffmpeg: Callable[[str], None],
) -> None:
    played_ffmpeg("yes")
    verdict, most = with_memory(vetted)
    assert verdict.fault == "Its first frame has more than 16 MiB."
    assert most < 48 * 2**20


def test_words_without_end_cost_no_memory_and_no_frame(played_ffmpeg: Callable[[str], None]) -> None:
    """Of many faults the last is told, or none if there is a frame."""
    faults = "yes 'a fault' | head -c 33554432 >&2"
    played_ffmpeg(f"{faults}; echo 'the last fault.' >&2; exit 1")
    verdict, most = with_memory(vetted)
    assert verdict.fault == "ffmpeg finds no frame in it: the last fault."
    assert most < 8 * 2**20
    digits = "".join(f"\\{byte:03o}" for byte in encoded(Image.new("RGB", (9, 9), "red"), "PNG"))
    played_ffmpeg(f"{faults}; printf '{digits}'")
    verdict = vetted()
    assert (verdict.fault, verdict.renditions is not None) == ("", True)


def test_a_program_that_falls_silent_is_ended(played_ffmpeg: Callable[[str], None]) -> None:
    played_ffmpeg("exec sleep 600")
    assert vetted(0.5).fault == "Its first frame was not decoded within 0.5 seconds."
    played_ffmpeg("exec >&- 2>&-; exec sleep 600")
    assert vetted(0.5).fault == "Its first frame was not decoded within 0.5 seconds."


def test_without_ffmpeg_a_video_is_recognised_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with Vetter() as vetter:
        verdict = vetter.vet(box(b"ftyp", b"isom"))
    assert (verdict.media_type, verdict.renditions) == ("video/mp4", None)
    assert verdict.fault == "It is video/mp4, and there is no ffmpeg to show it."


@pytest.mark.parametrize(
    ("data", "media_type"), [(b"fLaC\0\0\0\x22", "audio/flac"), (b"glTF\2\0\0\0", "model/gltf-binary")]
)
def test_sound_and_models_are_recognised_and_have_no_picture(data: bytes, media_type: str) -> None:
    with Vetter() as vetter:
        verdict = vetter.vet(data)
    assert (verdict.media_type, verdict.renditions) == (media_type, None)
    assert verdict.fault == f"It is no image of a format that is taken, but {media_type}."


def shown(data: bytes) -> tuple[int, ...]:
    """The colour in the middle of a picture."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    colour = image.getpixel((image.width // 2, image.height // 2))
    assert isinstance(colour, tuple)
    return colour
