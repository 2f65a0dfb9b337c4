"""The images of `deploy/`, built from a Debian of our own, and compose.yaml with Podman: one command to a service.

    make drill NAME=containers

No registry is asked. The base of the service's image is a bare Debian 12 made by debootstrap (BASE). In the place of
the official images of PostgreSQL, Valkey and nginx stand that base with Debian's packages (Redis for Valkey), and for
the first an entry point that does what of the official one compose.yaml relies on. Containers run in namespaces of the
drill's own. It is root's, and needs debootstrap, buildah, podman and podman-compose.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from tests.deploying.booted import BASES, debian
from tests.deploying.drill import blocks
from tests.deploying.files import example
from tests.patience import comes
from tests.processes import ROOT

PROGRAMS = ("buildah", "podman", "podman-compose", "unshare", "curl")
HOST = "nft.example.org"
POSTGRES = """
FROM localhost/base
RUN apt-get update -q && apt-get install -y -q --no-install-recommends postgresql >/dev/null
ENV PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data
RUN install -d -o postgres -g postgres -m 700 /var/lib/postgresql/data && install -d -o postgres /run/postgresql
COPY entry /entry
USER postgres
VOLUME /var/lib/postgresql/data
ENTRYPOINT ["sh", "/entry"]
"""
ENTRY = """
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    printf %s "$POSTGRES_PASSWORD" >/tmp/password
    initdb -U "$POSTGRES_USER" --pwfile=/tmp/password -A scram-sha-256 >/dev/null
    echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
    pg_ctl -w start -o "-c listen_addresses= -c unix_socket_directories=/tmp" >/dev/null
    export PGHOST=/tmp PGUSER="$POSTGRES_USER" PGPASSWORD="$POSTGRES_PASSWORD"
    createdb "$POSTGRES_DB"
    for file in /docker-entrypoint-initdb.d/*.sql; do psql -v ON_ERROR_STOP=1 -d "$POSTGRES_DB" -f "$file"; done
    pg_ctl -w stop >/dev/null
fi
exec "$@" -c listen_addresses='*'
"""
NGINX = """
FROM localhost/base
RUN apt-get update -q && apt-get install -y -q --no-install-recommends nginx >/dev/null
RUN rm -r /etc/nginx/sites-enabled/default /var/lib/nginx && ln -s /var/cache/nginx /var/lib/nginx
RUN cd /var/log/nginx && ln -sf /dev/stdout access.log && ln -sf /dev/stderr error.log
"""
VALKEY = """
FROM localhost/base
RUN apt-get update -q && apt-get install -y -q --no-install-recommends redis-server >/dev/null
RUN ln -s redis-server /usr/bin/valkey-server
"""
STAND_INS = {"postgres": POSTGRES, "nginx": NGINX, "valkey": VALKEY}
ROLE = (
    "from django.db import connection as c; k = c.cursor(); "
    "k.execute(\"SELECT current_user, current_setting('statement_timeout'), current_setting('jit')\"); "
    "print(k.fetchone())"
)
"""For Django's shell: as whom the database knows the service, and by which limits."""
# Podman here cannot raise limits, needs one version of control groups, and tells no health without systemd.
_ENTER = """
mount --make-rprivate /
umount /sys/fs/cgroup/unified 2>/dev/null || true
ip link set lo up
exec "$@"
"""
_CONF = """
[containers]
cgroups = "disabled"
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
"""


class Podman:
    """Images and containers in a folder, in namespaces of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = ["--root", str(folder / "store"), "--runroot", str(folder / "run")]
        (folder / "containers.conf").write_text(_CONF)
        self.variables = os.environ | {
            "CONTAINERS_CONF": str(folder / "containers.conf"),
            "BUILDAH_ISOLATION": "chroot",
        }

    def build(self, tag: str, context: Path, *words: str) -> None:
        """Build an image; its commands reach the network of this machine."""
        print(f"Building {tag} …", flush=True)
        command = [
            "buildah",
            *self.store,
            "bud",
            "--quiet",
            "--format=docker",
            "--tag",
            tag,
            *words,
            str(context),
        ]
        done = subprocess.run(command, env=self.variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Make the namespaces."""
        spaces = ["unshare", "--mount", "--net", "--fork", "--kill-child"]
        held = subprocess.Popen([*spaces, "sh", "-c", _ENTER, "sh", "sleep", "infinity"])
        children = Path(f"/proc/{held.pid}/task/{held.pid}/children")
        assert comes(lambda: children.read_text().strip(), held)
        self.inside = ["nsenter", "-t", children.read_text().split()[0], "-m", "-n"]
        try:
            assert comes(lambda: "lo" in self.run("ip", "link", "show", "up"))
            yield
        finally:
            subprocess.run(
                [*self.inside, "podman", *self.store, "rm", "-fa"],
                env=self.variables,
                capture_output=True,
                check=False,
            )
            held.kill()
            held.wait()

    def run(self, *words: str, cwd: Path = ROOT, is_checked: bool = True) -> str:
        """What a command in the namespaces writes to standard output."""
        command = [*self.inside, "env", f"--chdir={cwd}", *words]  # who enters a namespace begins in its root
        done = subprocess.run(command, env=self.variables, capture_output=True, text=True, check=False)
        if is_checked and done.returncode:
            raise AssertionError(f"{words}: {done.stdout[-2000:]}{done.stderr[-3000:]}")
        return done.stdout + ("" if is_checked else done.stderr)


def images(podman: Podman, folder: Path) -> None:
    """Build the base from debootstrap, the service and PgBouncer by the Containerfile, and the stand-ins."""
    base = debian("python3", "python3-venv", "ca-certificates")
    context = folder / "base"
    context.mkdir()
    subprocess.run(["tar", "-C", str(base), "-cf", str(context / "base.tar"), "."], check=True)
    (context / "Containerfile").write_text('FROM scratch\nADD base.tar /\nCMD ["sh"]\n')
    podman.build("localhost/base", context)
    (context / "base.tar").unlink()
    ours = ["--file", "deploy/Containerfile", "--build-arg", "BASE=localhost/base"]
    podman.build("localhost/nft:latest", ROOT, *ours, "--target", "service")
    podman.build("localhost/nft-pgbouncer:latest", ROOT, *ours, "--target", "pgbouncer")
    for name, text in STAND_INS.items():
        place = folder / name
        place.mkdir()
        (place / "Containerfile").write_text(text)
        (place / "entry").write_text(ENTRY)
        podman.build(f"localhost/{name}", place)


def alone(podman: Podman) -> None:
    """The image by itself: who it runs as, what it cannot write to, its health."""
    flags = ["--pull=never", "--read-only", "--tmpfs", "/tmp", "--cap-drop=all", "--network=none"]
    shell = "id -u; touch /srv/nft/x /x 2>&1; touch /var/lib/nft/x && echo written; python manage.py check"
    said = podman.run("podman", *podman.store, "run", "--rm", *flags, "localhost/nft", "sh", "-c", shell)
    assert said.startswith("10001\n"), said
    assert said.count("Read-only file system") == 2, said
    assert "written" in said
    assert "no issues" in said
    named = ["--detach", "--name=alone"]
    given = ["--env=DATABASE_URL=sqlite:////var/lib/nft/db.sqlite3"]
    podman.run("podman", *podman.store, "run", *named, *flags, *given, "localhost/nft")
    health = ["podman", *podman.store, "healthcheck", "run", "alone"]
    assert comes(lambda: podman.run(*health, is_checked=False) == "", every=1), "HEALTHCHECK of the image"
    podman.run("podman", *podman.store, "rm", "-f", "alone")
    print("The image runs as user 10001 with a read-only root, and tells its health.", flush=True)


def composed(podman: Podman, folder: Path) -> None:
    """Follow the document's chapter, and hold what runs to it."""
    place = folder / "project" / "deploy"
    prepared(podman, folder, place)
    compose = ["podman-compose"]
    print(podman.run(*compose, "--version", is_checked=False).strip().splitlines()[-1], flush=True)
    podman.run(*compose, "up", "--detach", "--no-build", cwd=place)
    client = Client(podman, place)
    try:
        assert comes(lambda: client.status("/readyz") == "2 200", every=2)
        migrated = datetime.now(UTC).isoformat()
        assert client.status("/metrics") == "2 403", "who comes from outside the containers is a stranger"
        names = podman.run("podman", "ps", "--format", "{{.Names}}").split()
        print(f"Running: {', '.join(sorted(names))}", flush=True)
        manage = ["podman", "exec", next(name for name in names if "web" in name), "python", "manage.py"]
        podman.run(*manage, "load_sample")
        answers(client)
        said = podman.run(*manage, "shell", "-v0", "-c", ROLE)
        assert "('nft_web', '15s', 'off')" in said, said
        for name in sorted(names):
            said = podman.run("podman", "logs", "--since", migrated, name, is_checked=False)
            for word in ("Read-only file system", "Permission denied", "Traceback", "arguments"):
                assert word not in said, f"{name}: {said[-2000:]}"
        print(
            "Pages, images, counts and the role's limits are as they should be; no container lacks a right.",
            flush=True,
        )
    finally:
        for name in podman.run("podman", "ps", "-a", "--format", "{{.Names}}", is_checked=False).split():
            said = podman.run("podman", "logs", "--tail", "3", name, is_checked=False).strip()
            print(f"  {name}: {said[-300:]}", flush=True)
        podman.run(*compose, "down", cwd=place, is_checked=False)


def prepared(podman: Podman, folder: Path, place: Path) -> None:
    """Clone the project, do what the chapter says but for starting it, and have Podman use the drill's own images."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / "project")], check=True)
    shutil.copytree(ROOT / "deploy", place, dirs_exist_ok=True)  # as it is now
    (script,) = blocks("Containers")
    store = " ".join(podman.store)
    chapter = script.replace("docker compose up --detach --build", "true")
    podman.run("sh", "-eux", "-c", chapter, cwd=folder / "project")
    with (place / ".env").open("a") as settings:
        settings.writelines(f"{name.upper()}_IMAGE=localhost/{name}\n" for name in STAND_INS)
        settings.write("SHARED_BUFFERS=64MB\nRPC_URLS_ETHEREUM=http://127.0.0.1:9\nOPENSEA_API_KEY=key\n")
        settings.writelines(line.removeprefix("#") for line in example().splitlines(True) if "_ARGS=" in line)
        settings.write("COMPOSE_PROFILES=index,orders,limits\n")
        settings.write("RATE_LIMIT=100000/day\nCACHE_URL=redis://valkey:6379/0\n")
    shim = folder / "bin"
    shim.mkdir()
    (shim / "podman").write_text(
        f'#!/bin/sh\ncase "$1" in --version) exec /usr/bin/podman "$@";; esac\nexec /usr/bin/podman {store} "$@"\n'
    )
    (shim / "podman").chmod(0o755)
    podman.variables["PATH"] = f"{shim}:{podman.variables['PATH']}"


class Client:
    """Who asks the service from outside the containers, by TLS."""

    def __init__(self, podman: Podman, place: Path) -> None:
        self.podman = podman
        self.curl = ["curl", "-s", "--cacert", f"{place}/tls/fullchain.pem"]
        self.curl += ["--resolve", f"{HOST}:443:127.0.0.1"]

    def ask(self, *words: str) -> str:
        """Return what curl says."""
        return self.podman.run(*self.curl, *words)

    def status(self, address: str) -> str:
        """Return the version of HTTP and the status of an answer, whatever they are."""
        told = ["-o", "/dev/null", "-w", "%{http_version} %{http_code}"]
        return self.podman.run(*self.curl, *told, f"https://{HOST}{address}", is_checked=False)


def answers(client: Client) -> None:
    """A page of the sample, counts that all web processes share, and an image that a worker has cached."""
    nfts = f"https://{HOST}/api/v1/nfts/by-token"
    assert len(json.loads(client.ask(f"{nfts}?limit=5"))["data"]) == 5

    def is_counted_together() -> bool:
        told = client.ask("-D", "-", "-o", "/dev/null", *[f"{nfts}?limit=1"] * 9)
        left = [int(one) for one in re.findall(r"(?im)^ratelimit-remaining: (\d+)", told)]
        return len(left) == 9 and left == [*range(left[0], left[0] - 9, -1)]

    assert comes(is_counted_together, every=6), "a Valkey that was late is left alone for five seconds"
    found: list[str] = []

    def is_cached() -> bool:
        shown = client.ask(f"{nfts}?contractAddress=paper-lanterns.nft-sample.eth")
        found[:] = re.findall(r"/files/[0-9a-f/]+\.\w+", shown)
        return bool(found)

    assert comes(is_cached, every=2)
    assert client.status(found[0]) == "2 200"


def main() -> None:
    """Run the drill."""
    argparse.ArgumentParser(
        prog="python -m tests.containers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args()
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if os.geteuid() != 0 or missing:
        sys.exit(f"This needs root, and {', '.join(missing) or 'no more programs'}.")
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="nft-containers-", dir=BASES))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        podman = Podman(folder)
        stack.callback(
            subprocess.run,
            ["umount", "-R", str(folder / "store" / "overlay")],
            capture_output=True,
            check=False,
        )
        images(podman, folder)
        with podman.entered():
            alone(podman)
            composed(podman, folder)
