"""A proxy on another host: two network namespaces, joined by a wire."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import machine
from tests.deploying.files import example
from tests.deploying.site import HOST, NGINX, Site, certify, proxy
from tests.patience import PATIENCE, comes
from tests.processes import ROOT, databases

pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.xdist_group("elsewhere"),
    pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root"),
    pytest.mark.skipif(
        not (NGINX and shutil.which("ip") and shutil.which("curl")), reason="no nginx, ip or curl"
    ),
]
PROXY, SERVICE = "10.93.0.1", "10.93.0.2"
SPACES = f"proxy-{os.getpid()}", f"service-{os.getpid()}"


@pytest.fixture(scope="module")
def wire() -> Iterator[tuple[list[str], list[str]]]:
    """Words that run a command on the proxy's host, and on the service's."""
    hosts = [["ip", "netns", "exec", name] for name in SPACES]
    try:
        for name, host in zip(SPACES, hosts, strict=True):
            # Where the root is no mount of its own (a chroot), namespaces are made and nothing runs in them.
            tried = ["ip", "netns", "add", name], [*host, "true"]
            if any(subprocess.run(words, capture_output=True, check=False).returncode for words in tried):
                pytest.skip("network namespaces cannot be made here")
        link = f"ip link add wire0 netns {SPACES[0]} type veth peer wire1 netns {SPACES[1]}"
        subprocess.run(link.split(), check=True)
        for host, address, device in zip(hosts, (PROXY, SERVICE), ("wire0", "wire1"), strict=True):
            for words in (["addr", "add", f"{address}/24", "dev", device], ["link", "set", device, "up"]):
                subprocess.run([*host, "ip", *words], check=True)
            subprocess.run([*host, "ip", "link", "set", "lo", "up"], check=True)
        yield hosts[0], hosts[1]
    finally:
        for name in SPACES:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, wire: tuple[list[str], list[str]]) -> Iterator[Path]:
    """What the service needs, and nginx at work on the proxy's host."""
    folder = tmp_path_factory.mktemp("elsewhere")
    for name in ("var", "tls"):
        (folder / name).mkdir()
    with databases(folder / "var", ["db"]):
        pass  # a file, which stays
    certify(folder / "tls")
    text = Site(folder, 443, 80).configuration()
    text, count = re.subn(r"server unix:\S+/web-1.sock.*\n.*web-2.sock.*", f"server {SERVICE}:8000;", text)
    assert count == 1
    (folder / "nft.conf").write_text(text)
    there, _ = wire
    with proxy(folder, *there):
        yield folder


@contextmanager
def service(folder: Path, host: Sequence[str], believed: str) -> Iterator[None]:
    """A web process at an address, as the document has it for this case."""
    changed = {
        "SECRET_KEY": "k" * 50,
        "DATABASE_URL": f"sqlite:///{folder}/var/db.sqlite3",
        "VAR_DIR": f"{folder}/var",
    }
    text = example(**changed, MEDIA_ACCEL_PREFIX="", PUBLIC_BASE_URL="", WEB_CONCURRENCY="1")
    (folder / "env").write_text(f"{text}BIND={SERVICE}:8000\nFORWARDED_ALLOW_IPS={believed}\n")
    variables = machine.bare(ENV_FILE=str(folder / "env"))
    with (folder / "web.log").open("wb") as log:
        process = subprocess.Popen(
            [*host, sys.executable, "-m", "gunicorn"], cwd=ROOT, env=variables, stdout=log
        )
    try:
        asked = [*host, "curl", "-sf", "-H", f"Host: {HOST}", f"http://{SERVICE}:8000/healthz"]
        assert comes(lambda: subprocess.run(asked, capture_output=True, check=False).returncode == 0, process)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)


@pytest.mark.parametrize(
    ("believed", "status"), [(PROXY, "200"), ("10.93.0.0/24", "200"), ("127.0.0.1", "403")]
)
def test_a_proxy_on_another_host_is_believed_where_it_is_named(
    folder: Path, tmp_path: Path, wire: tuple[list[str], list[str]], believed: str, status: str
) -> None:
    """A login that came by https is refused where the service takes it for http."""
    there, here = wire
    with service(folder, here, believed):
        words = ["--cacert", f"{folder}/tls/ca.pem", "--resolve", f"{HOST}:443:127.0.0.1"]
        asked = [*there, "curl", "-s", *words, "-b", f"{tmp_path}/jar", "-c", f"{tmp_path}/jar"]
        address = f"https://{HOST}/admin/login/"
        form = subprocess.run([*asked, address], capture_output=True, text=True, check=True).stdout
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form)
        assert token is not None, form
        sent = [
            "-H",
            f"Origin: https://{HOST}",
            "-e",
            address,
            "-d",
            f"csrfmiddlewaretoken={token[1]}&username=a&password=b",
        ]
        told = ["-o", f"{tmp_path}/answer", "-w", "%{http_code}"]
        done = subprocess.run([*asked, *sent, *told, address], capture_output=True, text=True, check=True)
    assert done.stdout == status
