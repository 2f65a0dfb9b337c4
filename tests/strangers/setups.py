"""What is attacked: the service with the benchmark's world, as gunicorn serves it, alone or behind nginx."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psycopg2

from tests.patience import comes
from tests.processes import ROOT, environment
from tests.strangers.clients import HOST

NGINX = shutil.which(
    "nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin{os.pathsep}/usr/local/sbin"
)

_BUILD = """
import json, sys, django
django.setup()
from nftsite.bench import probe
from nftsite.bench.world.build import World
World(int(sys.argv[1]), lambda line: print(line, file=sys.stderr)).build()
print(json.dumps(probe.names()))
"""
_NGINX = """
daemon off;
%s
pid %s/nginx.pid;
error_log %s/error.log;
worker_processes auto;
events { worker_connections 768; }
http {
    access_log off;
    gzip on;
    client_body_temp_path %s/body;
    proxy_temp_path %s/proxy;
    fastcgi_temp_path %s/fastcgi;
    uwsgi_temp_path %s/uwsgi;
    scgi_temp_path %s/scgi;
    server {
        listen %s:%d;
        %s
    }
}
"""
"""Debian's settings, in a folder of ours: accounts, how wide it is, gzip."""


def world(url: str, root: Path, nfts: int) -> dict[str, str]:
    """Fill an empty database with the benchmark's world, by the code in ``root``; return the names to ask for."""
    done = subprocess.run(
        [sys.executable, "-c", _BUILD, str(nfts)],
        cwd=root,
        env=environment(url),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    names: dict[str, str] = json.loads(done.stdout)
    return names


@contextmanager
def gunicorn(url: str, root: Path, node: str, log: Path) -> Iterator[int]:
    """The service as `make run` starts it, with default settings and this node for ENS names; yields its port.

    What it logs goes into a file. In the end it is killed, and what it had the database do is ended.
    """
    port = free_port()
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn"],
            cwd=root,
            env=environment(url, PORT=str(port), RPC_URLS_ETHEREUM=node),
            start_new_session=True,
            stdout=output,
            stderr=output,
        )
    try:
        _wait(process, port, log)
        yield port
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        end_sessions(url)


@contextmanager
def nginx(folder: Path, upstream: int) -> Iterator[int]:
    """nginx as it is recommended, in front of a port; yields its own port."""
    assert NGINX is not None
    port = free_port()
    folder.mkdir(parents=True)
    user = "user root;" if os.geteuid() == 0 else ""  # else its workers could not enter the folder
    configuration = folder / "nginx.conf"
    place = str(folder)
    configuration.write_text(_NGINX % (user, *[place] * 7, HOST, port, recommended(upstream)))
    process = subprocess.Popen(
        [NGINX, "-c", place + "/nginx.conf", "-p", place, "-e", place + "/error.log"], start_new_session=True
    )
    try:
        _wait(process, port, folder / "error.log")
        yield port
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def recommended(upstream: int) -> str:
    """Return the location that the documentation recommends, for another port."""
    text = (ROOT / "docs" / "operating.md").read_text()
    found = re.search(r"## Behind a proxy\n\n```nginx\n(.*?)```", text, re.DOTALL)
    assert found is not None
    assert "127.0.0.1:8000" in found[1]
    return found[1].replace("127.0.0.1:8000", f"{HOST}:{upstream}")


@contextmanager
def silent_node() -> Iterator[str]:
    """The URL of a node that takes connections and never answers."""
    with socket.socket() as server:
        server.bind((HOST, 0))
        server.listen(1024)
        yield f"http://{HOST}:{server.getsockname()[1]}"


def free_port() -> int:
    """A port that nothing listens at."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def warm(port: int, addresses: Sequence[str]) -> None:
    """Ask for each of these often enough that most threads are connected to the database."""
    for address in list(addresses) * 10:
        status(port, address)


def status(port: int, address: str, wait: float | None = None) -> int:
    """Return the status of an answer, read to its end on a connection of its own.

    Raises ``OSError`` or ``HTTPException`` where there is none within so many seconds.
    """
    with closing(HTTPConnection(HOST, port, timeout=wait)) as connection:
        connection.request("GET", address, headers={"Connection": "close"})
        with connection.getresponse() as answer:
            answer.read()
            return answer.status


def end_sessions(url: str) -> None:
    """End what other sessions have a database do."""
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    def answers() -> bool:
        with suppress(OSError, HTTPException):
            return status(port, "/healthz") == 200
        return False

    if not comes(answers, process):
        raise RuntimeError(f"It did not start:\n{log.read_text(errors='replace')[-3000:]}")
