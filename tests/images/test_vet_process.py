"""The process that vets can be lost at any moment, holds no rights, and is not believed."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from media import landlock, vetting
from media.vet_process import Answer, packed, unpacked
from media.vetting import Vetter
from tests.images.inputs import encoded, picture, svg

GOOD = encoded(picture(8, 8), "PNG")
SLOW = svg(
    '<filter id="f" x="0" y="0" width="1" height="1"><feTurbulence baseFrequency="0.9" numOctaves="9999"/></filter>',
    '<rect width="100" height="100" filter="url(#f)"/>' * 20,
)
"""Takes minutes to draw."""


@pytest.fixture
def vetter() -> Iterator[Vetter]:
    """A vetter whose process runs."""
    with Vetter() as one:
        one.vet(GOOD)
        yield one


def process_of(vetter: Vetter) -> subprocess.Popen[bytes]:
    """The process of a vetter that has one."""
    assert vetter._process is not None
    return vetter._process


def test_a_process_serves_many_images(vetter: Vetter) -> None:
    first = process_of(vetter).pid
    assert [vetter.vet(GOOD).fault for _ in range(5)] == [""] * 5
    assert process_of(vetter).pid == first


def test_a_process_is_replaced_after_some_images(vetter: Vetter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vetting, "IMAGES", 3)
    pids = []
    for _ in range(4):
        assert vetter.vet(GOOD).fault == ""
        pids.append(process_of(vetter).pid)
    assert pids[0] == pids[1] != pids[2] == pids[3]


def test_an_image_is_vetted_again_when_the_process_was_killed(vetter: Vetter) -> None:
    """Whoever kills it, the kernel or an operator: it was not the image, which a fork holds."""
    for _ in range(3):
        os.kill(process_of(vetter).pid, signal.SIGKILL)
        assert vetter.vet(GOOD).fault == ""


def test_what_takes_too_long_is_ended_and_the_next_is_vetted() -> None:
    with Vetter(seconds=1.5) as vetter:
        assert vetter.vet(SLOW).fault == "It was not decoded within 1.5 seconds."
        assert vetter._process is None
    with Vetter() as vetter:
        assert vetter.vet(GOOD).fault == ""


def test_closing_ends_the_process(vetter: Vetter) -> None:
    process = process_of(vetter)
    vetter.close()
    assert process.returncode == -signal.SIGKILL
    vetter.close()  # and again does nothing
    assert vetter.vet(GOOD).fault == ""  # which starts another


def test_a_process_that_cannot_start_is_no_verdict_on_the_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vetting, "_PROGRAM", "raise SystemExit(3)")
    with Vetter() as vetter, pytest.raises(RuntimeError, match="ended with"):
        vetter.vet(GOOD)


def test_what_is_no_image_starts_no_process() -> None:
    vetter = Vetter()
    assert [vetter.vet(data).renditions for data in (b"", b"<html>", b"%PDF-1.7", b"\0" * 9)] == [None] * 4
    assert vetter._process is None


ATTEMPTS = """
import os, socket, sys
from media.confinement import confine, confine_child
confine()
def failure(attempt):
    try:
        attempt()
    except OSError as error:
        return type(error).__name__
    return "done"
told = [
    failure(lambda: open("/etc/passwd")),
    failure(lambda: open("anything", "w")),
    failure(lambda: os.listdir(".")),
    failure(socket.socket),
    failure(os.pipe),
    str(dict(os.environ)),
]
os.write(1, "|".join(told).encode())
if os.fork() == 0:
    confine_child()
    told = failure(lambda: os.read(0, 1)) + failure(lambda: os.write(1, b"!"))
    is_root = os.geteuid() == 0
    os._exit(0 if told == "OSErrorOSError" and (is_root or failure(os.fork) == "BlockingIOError") else 1)
os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


def test_a_confined_process_can_open_nothing_and_its_fork_can_say_and_start_nothing() -> None:
    environment = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "SECRET_KEY": "secret"}
    done = subprocess.run(
        [sys.executable, "-B", "-P", "-c", ATTEMPTS],
        env=environment,
        stdin=subprocess.PIPE,
        capture_output=True,
        text=True,
        check=False,
    )
    *refused, environment_left = done.stdout.split("|")
    assert (done.returncode, done.stderr) == (0, "")
    assert refused == ["OSError"] * 5  # EMFILE: not one more may be open
    assert environment_left == "{}"


BY_PATH = """
import os, resource, signal, socket, sys
from media import landlock
path, may_read, other = sys.argv[1], sys.argv[2] == "read", int(sys.argv[3])
version = landlock.version()
server = socket.create_server(("127.0.0.1", 0))
assert landlock.restrict(may_read=may_read)
def failure(attempt):
    try:
        attempt()
    except OSError as error:
        return type(error).__name__
    return "done"
print(
    failure(lambda: os.unlink(path)),
    failure(lambda: os.rename(path, path + "2")),
    failure(lambda: os.truncate(path, 0)),
    failure(lambda: os.mkdir(path + "3")),
    failure(lambda: open(path, "w")),
    failure(lambda: socket.create_connection(server.getsockname())) if version >= 4 else "PermissionError",
    failure(lambda: os.kill(other, signal.SIGTERM)) if version >= 6 else "PermissionError",
    failure(lambda: open(path)),
    failure(lambda: os.close(os.open("/", os.O_RDONLY))),
)
"""


@pytest.mark.skipif(landlock.version() < 3, reason="This kernel has no Landlock, or it is off.")
@pytest.mark.parametrize(("way", "read"), [("none", "PermissionError"), ("read", "done")])
def test_no_file_is_changed_by_its_path_and_nobody_is_signalled(tmp_path: Path, way: str, read: str) -> None:
    """The user that owns the files needs no open one to delete, rename or empty it; root is no exception."""
    kept = tmp_path / "kept.png"
    kept.write_bytes(GOOD)
    environment = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        command = [sys.executable, "-B", "-P", "-c", BY_PATH, str(kept), way, str(other.pid)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert other.poll() is None
        other.communicate(b"\n")
    assert done.stderr == ""
    assert done.stdout.split() == ["PermissionError"] * 7 + [read, read]
    assert kept.read_bytes() == GOOD


@given(
    st.builds(
        Answer, st.text(), st.binary(), st.binary(), st.binary(), st.integers(0, 9**9), st.integers(0, 9**9)
    )
)
def test_an_answer_survives_the_way(answer: Answer) -> None:
    surrogates = answer.fault.encode("utf-8", "replace").decode()
    assert unpacked(packed(answer)) == Answer(surrogates, *(getattr(answer, name) for name in FIELDS))


FIELDS = ("drawn", "preview", "thumbnail", "width", "height")


@given(st.binary(max_size=64))
def test_other_bytes_are_no_answer(data: bytes) -> None:
    """Bytes of a decoder that was taken over: an answer that is whole, or a ValueError, never anything else."""
    try:
        answer = unpacked(data)
    except ValueError:
        return
    assert sum(map(len, (answer.drawn, answer.preview, answer.thumbnail))) <= len(data)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(preview=b"<script>", thumbnail=b"<script>", width=8, height=8),
        Answer(preview=encoded(picture(), "WEBP"), thumbnail=b"", width=8, height=8),
        Answer(preview=encoded(picture(), "WEBP"), thumbnail=encoded(picture(), "WEBP"), width=0, height=8),
        Answer(
            preview=encoded(picture(), "WEBP"), thumbnail=encoded(picture(), "WEBP"), width=2**31, height=8
        ),
    ],
)
def test_an_answer_that_is_no_pictures_is_not_kept(answer: Answer) -> None:
    verdict = vetting._verdict(GOOD, "image/png", packed(answer), 0)
    assert (verdict.renditions, verdict.fault) == (
        None,
        "Its decoder answered with something else than pictures.",
    )


STARTS = """
from django.conf import settings
settings.configure()
from media.vetting import Vetter
vetter = Vetter()
vetter.vet(open(0, "rb").read())
print(vetter._process.pid, flush=True)
__import__("signal").pause()
"""


def test_the_process_ends_with_its_caller_even_if_that_is_killed() -> None:
    environment = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-B", "-P", "-c", STARTS]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as caller:
        assert caller.stdin is not None
        assert caller.stdout is not None
        caller.stdin.write(GOOD)
        caller.stdin.close()
        handle = os.pidfd_open(int(caller.stdout.readline()))
        caller.kill()
    try:
        assert select.select([handle], [], [], 60)[0] == [handle]  # readable as soon as it has ended
    finally:
        os.close(handle)
