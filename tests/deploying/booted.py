"""A Debian 12 of our own: made by debootstrap, and booted with systemd in namespaces of its own. Needs root."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.patience import comes

BASES = Path("/var/tmp")
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_BOOT = """
mount --make-rprivate /
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --bind "$1/proc/sys" "$1/proc/sys"
mount -o remount,ro,bind "$1/proc/sys"
mount -t sysfs -o ro sysfs "$1/sys"
mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup" 2>/dev/null || {
    mount -t tmpfs tmpfs "$1/sys/fs/cgroup"
    mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
}
mount -t tmpfs -o mode=755 tmpfs "$1/run"
mount -t tmpfs tmpfs "$1/tmp"
mount -t tmpfs -o mode=755 tmpfs "$1/dev"
for device in null:3 zero:5 full:7 random:8 urandom:9; do
    mknod -m 666 "$1/dev/${device%:*}" c 1 "${device#*:}"
done
mknod -m 666 "$1/dev/tty" c 5 0
mkdir "$1/dev/pts" "$1/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
ln -s pts/ptmx "$1/dev/ptmx"
ln -s /proc/self/fd "$1/dev/fd"
mount -t tmpfs tmpfs "$1/dev/shm"
exec chroot "$1" /usr/bin/env -i container=drill PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
"""


def debian(*packages: str) -> Path:
    """The folder of a bare Debian 12 with these packages, made once: whoever changes it changes a copy."""
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        raise SystemExit("This needs root and debootstrap (apt-get install debootstrap).")
    base = BASES / f"nft-debian-12-{'-'.join(packages)}"
    if not (base / ".complete").exists():
        print(f"Making a bare Debian 12 in {base} …", flush=True)
        shutil.rmtree(base, ignore_errors=True)
        made = ["debootstrap", "--variant=minbase", f"--include={','.join(packages)}", "bookworm", str(base)]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
        for file in ("/etc/resolv.conf", "/etc/hosts"):
            shutil.copy(file, base / "etc")
        shutil.copy(CERTIFICATES, base / CERTIFICATES.relative_to("/"))
        (base / "etc" / "pip.conf").write_text(f"[global]\ncert = {CERTIFICATES}\n")
        (base / ".complete").touch()
    return base


@dataclass(frozen=True)
class Machine:
    """A booted Debian. ``init``: its first process, as this machine counts them."""

    root: Path
    init: int

    def command(self, *words: str) -> list[str]:
        """A command of this machine that runs these words in that one."""
        entered = ["nsenter", "-t", str(self.init), "-m", "-u", "-i", "-n", "-p", "-C", "-r", "-w"]
        clean = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8"]
        return [*entered, *clean, "DEBIAN_FRONTEND=noninteractive", *words]

    def run(self, *words: str, is_checked: bool = True) -> str:
        """What a command writes to standard output. Raises ``AssertionError`` with all it says where it fails."""
        done = subprocess.run(self.command(*words), capture_output=True, text=True, check=False)
        if is_checked and done.returncode:
            raise AssertionError(f"{words}: {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout


@contextmanager
def booted(base: Path) -> Iterator[Machine]:
    """A copy of a Debian with systemd that runs, and reaches the network by slirp4netns; removed in the end."""
    if not shutil.which("slirp4netns"):
        raise SystemExit("This needs slirp4netns (apt-get install slirp4netns).")
    with ExitStack() as stack:
        root = Path(tempfile.mkdtemp(prefix="nft-machine-", dir=BASES))
        stack.callback(subprocess.run, ["rm", "-rf", "--one-file-system", str(root)], check=False)
        subprocess.run(["cp", "-a", f"{base}/.", str(root)], check=True)
        stack.enter_context(_group())
        spaces = ["--fork", "--kill-child", "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup"]
        command = ["unshare", *spaces, "sh", "-c", _BOOT, "sh", str(root)]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
        stack.callback(_end, process)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        assert comes(lambda: children.read_text().strip(), process)
        found = Machine(root, int(children.read_text().split()[0]))
        wire = [
            "slirp4netns",
            "--configure",
            "--mtu=65520",
            "--disable-host-loopback",
            str(found.init),
            "tap0",
        ]
        network = subprocess.Popen(wire, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stack.callback(_end, network)
        running = ("running", "degraded")
        states = ("systemctl", "is-system-running")
        assert comes(lambda: found.run(*states, is_checked=False).strip() in running, process, every=0.5)
        yield found


@contextmanager
def _group() -> Iterator[None]:
    """A control group of its own for what is started meanwhile, where systemd can make others."""
    tops = [
        path for path in ("/sys/fs/cgroup/unified", "/sys/fs/cgroup") if Path(path, "cgroup.procs").exists()
    ]
    if not tops:
        yield
        return
    own = Path(tops[0], f"nft-machine-{os.getpid()}")
    before = Path(tops[0] + _own_group())
    own.mkdir()
    (own / "cgroup.procs").write_text("0")
    try:
        yield
    finally:
        (before / "cgroup.procs").write_text("0")
        for path in sorted(own.rglob("*/"), reverse=True):
            with suppress(OSError):
                path.rmdir()
        with suppress(OSError):
            own.rmdir()


def _own_group() -> str:
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    return next(line.removeprefix("0::") for line in lines if line.startswith("0::"))


def _end(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()


def memory_mib(machine: Machine, words: Sequence[str]) -> dict[str, float]:
    """The proportional share of memory (PSS) of each process of a machine whose command line has one of the words."""
    script = (
        "for d in /proc/[0-9]*; do c=$(tr '\\0' ' ' <$d/cmdline 2>/dev/null); "
        'p=$(awk \'/^Pss:/ {print $2}\' $d/smaps_rollup 2>/dev/null); [ -z "$c" ] || echo "${p:-0} $c"; done'
    )
    found: dict[str, float] = {}
    for line in machine.run("sh", "-c", script).splitlines():
        kib, _, command = line.partition(" ")
        for word in words:
            if word in command:
                found[word] = found.get(word, 0) + int(kib) / 1024
                break
    return found
