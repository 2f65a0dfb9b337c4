"""The service behind nginx with TLS, as `deploy/` has it: two web processes at sockets, all files in one folder."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path

import trustme

from tests import machine
from tests.deploying.files import DEPLOY, example
from tests.patience import PATIENCE, comes
from tests.processes import ROOT

HOST = "nft.example.org"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
_MAIN = """
daemon off;
%(user)s
pid %(folder)s/nginx.pid;
error_log %(folder)s/error.log;
worker_processes 1;
events { worker_connections 768; }
http {
    include /etc/nginx/mime.types;
    client_body_temp_path %(folder)s/body;
    proxy_temp_path %(folder)s/proxy;
    fastcgi_temp_path %(folder)s/fastcgi;
    uwsgi_temp_path %(folder)s/uwsgi;
    scgi_temp_path %(folder)s/scgi;
    include %(folder)s/nft.conf;
}
"""
"""nginx.conf as distributions have it, in a folder of ours."""


@dataclass
class Site:
    """``port`` is that of https; ``plain`` of http."""

    folder: Path
    port: int
    plain: int
    web: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @contextmanager
    def connected(self, source: str = "127.0.0.1") -> Iterator[http.client.HTTPConnection]:
        """A connection over TLS from an address of this machine."""
        context = ssl.create_default_context(cafile=str(self.folder / "tls" / "ca.pem"))
        raw = socket.create_connection(("127.0.0.1", self.port), PATIENCE, source_address=(source, 0))
        with closing(http.client.HTTPConnection(HOST)) as connection:
            connection.sock = context.wrap_socket(raw, server_hostname=HOST)
            yield connection

    def ask(
        self,
        address: str,
        *,
        source: str = "127.0.0.1",
        method: str = "GET",
        body: str | None = None,
        **headers: str,
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """One request on a connection of its own; header names have underscores."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with self.connected(source) as connection:
            connection.request(method, address, body, named)
            response = connection.getresponse()
            return response, response.read()

    def start(self, number: int) -> None:
        """Start a web process as its unit does, and wait until it says that it is ready."""
        notified = self.folder / f"notify-{number}"
        notified.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            listener.bind(str(notified))
            variables = machine.bare(
                ENV_FILE=str(self.folder / "env"),
                BIND=f"unix:{self.folder}/run/web-{number}.sock",
                NOTIFY_SOCKET=str(notified),
                PYTHONDONTWRITEBYTECODE="1",
            )
            with (
                (self.folder / f"web-{number}.log").open("ab") as out,
                (self.folder / "errors").open("ab") as errors,
            ):
                process = subprocess.Popen(
                    [sys.executable, "-m", "gunicorn"], cwd=ROOT, env=variables, stdout=out, stderr=errors
                )
            self.web[f"web-{number}"] = process
            listener.settimeout(0.05)
            said: list[bytes] = []

            def is_ready() -> bool:
                with suppress(TimeoutError):
                    said.append(listener.recv(1000))
                return any(b"READY=1" in one for one in said)

            if not comes(is_ready, process):
                raise RuntimeError(
                    (self.folder / "errors").read_text() + (self.folder / f"web-{number}.log").read_text()
                )

    def stop(self, number: int) -> None:
        """Stop a web process as systemd does."""
        process = self.web.pop(f"web-{number}")
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)

    def configuration(self) -> str:
        """`deploy/nginx.conf` with ports and folders of ours, and without IPv6."""
        text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
        text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)
        text = re.sub(
            r"listen (80|443)\b",
            lambda one: f"listen 127.0.0.1:{self.port if one[1] == '443' else self.plain}",
            text,
        )
        for place, ours in (
            ("/run/nft/", "run/"),
            ("/etc/nft/tls/", "tls/"),
            ("/var/lib/nft/", "var/"),
            ("/var/cache/nginx/", ""),
            ("/var/log/nginx/", ""),
        ):
            assert place in text, place
            text = text.replace(place, f"{self.folder}/{ours}")
        return text


@contextmanager
def serving(
    folder: Path,
    nginx: str | None = None,
    files: Callable[[Path], AbstractContextManager[None]] = lambda _: nullcontext(),
    database: Path | None = None,
    numbers: Sequence[int] = (1, 2),
    **settings: str,
) -> Iterator[Site]:
    """The service with these settings instead of the example's.

    ``nginx``: a change to its configuration, as by sed. ``files``: what makes the folder of images. ``database``: a
    file of SQLite to be served, instead of the sample that the command loads. ``numbers``: of the web processes.
    """
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(2)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        site = Site(folder, *(probe.getsockname()[1] for probe in probes))
    for name in ("run", "tls", "var"):
        (folder / name).mkdir()
    url = f"sqlite:///{folder}/var/db.sqlite3"
    given = {
        "SECRET_KEY": "k" * 50,
        "DATABASE_URL": url,
        "VAR_DIR": f"{folder}/var",
        "WEB_CONCURRENCY": "1",
    } | settings
    (folder / "env").write_text(example(**given), encoding="utf-8")
    certify(folder / "tls")
    if database is not None:
        shutil.copy(database, folder / "var" / "db.sqlite3")
    else:
        load = ["manage.py", "load_sample", "--migrate"]
        variables = machine.bare(ENV_FILE=str(folder / "env"))
        subprocess.run([sys.executable, *load], cwd=ROOT, env=variables, check=True, capture_output=True)
    text = site.configuration()
    if nginx is not None:
        text = subprocess.run(
            ["sed", "-E", nginx], input=text, capture_output=True, text=True, check=True
        ).stdout
    (folder / "nft.conf").write_text(text, encoding="utf-8")
    try:
        for number in numbers:
            site.start(number)
        with files(folder / "var" / "files"), proxy(folder):
            yield site
    finally:
        for process in site.web.values():
            process.kill()
            process.wait()


@contextmanager
def proxy(folder: Path, *before: str) -> Iterator[None]:
    """nginx with `nft.conf` of a folder; ``before``: words before its command, which enter a namespace."""
    assert NGINX is not None
    user = "user root;" if os.geteuid() == 0 else ""  # else its workers could not enter the folder
    (folder / "nginx.conf").write_text(_MAIN % {"user": user, "folder": folder})
    command = [*before, NGINX, "-c", f"{folder}/nginx.conf", "-p", str(folder), "-e", f"{folder}/error.log"]
    tested = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr
    process = subprocess.Popen(command, start_new_session=True)
    try:
        if not comes(lambda: f"{process.pid}\n" == (folder / "nginx.pid").read_text(), process):
            raise RuntimeError((folder / "error.log").read_text())
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)


def certify(folder: Path) -> None:
    """Make a certificate for the host, and what it can be checked with."""
    authority = trustme.CA()
    certificate = authority.issue_cert(HOST)
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    certificate.private_key_pem.write_to_path(str(folder / "privkey.pem"))
    for number, blob in enumerate(certificate.cert_chain_pems):
        blob.write_to_path(str(folder / "fullchain.pem"), append=number > 0)
