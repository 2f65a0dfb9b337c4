"""Tests see no setting of the machine that they run on, and reach no host but it."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from nftsite.checks import CODE_FOLDERS
from tests import machine
from tests.guard import sitecustomize as guard
from tests.patience import PATIENCE

ROOT = Path(settings.BASE_DIR)
HOSTILE = {
    "DATABASE_URL": "postgresql://operator:secret@db.example.org/nft",
    "MEDIA_STORAGE": "s3://the-operators-own-bucket/pictures",
    "MEDIA_PUBLIC_URL": "https://images.example.org",
    "RPC_URLS_ETHEREUM": "https://node.example.org/key",
    "FORWARDED_ALLOW_IPS": "10.0.0.0/8",
    "ALLOWED_HOSTS": "api.example.org",
    "PUBLIC_BASE_URL": "https://api.example.org/nfts",
    "VAR_DIR": "/srv/nft",
    "INDEX_KEEP_BLOCKS": "7",
    "SECRET_KEY": "the operator's own",
    "HTTPS_PROXY": "http://proxy.example.org:3128",
    "AWS_ACCESS_KEY_ID": "operator",
}
SHOW = """
import os, json
from django.conf import settings as s
print(sorted(set(os.environ) & set({names!r}) - {{"SECRET_KEY", "VAR_DIR", "DATABASE_URL"}}),
      s.DATABASES["default"]["ENGINE"], s.MEDIA_BUCKET, s.RPC_URLS, s.FORWARDED_ALLOW_IPS, s.INDEX_KEEP_BLOCKS,
      s.PUBLIC_BASE_URL, str(s.VAR_DIR).startswith("/srv"), "operator" in s.SECRET_KEY)
"""
INSIDE = """
import os, subprocess, sys
from django.conf import settings
from tests import machine, processes
SHOW = {show!r}

def test_inside():
    exec(SHOW)
    for environment in (processes.environment("sqlite:////none"), machine.bare(SECRET_KEY="k" * 50), None):
        words = [sys.executable, "-c", SHOW]
        variables = {{**(environment or os.environ), "DJANGO_SETTINGS_MODULE": "nftsite.settings"}}
        print(subprocess.run(words, env=variables, cwd=settings.BASE_DIR, capture_output=True, text=True).stdout)
    print(machine.whole()["HTTPS_PROXY"])
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code in a place of its own, beside a `.env` of an operator."""
    folder = tmp_path_factory.mktemp("copy")
    for name in CODE_FOLDERS:
        shutil.copytree(ROOT / name, folder / name)  # with what is compiled of it
    for name in ["manage.py", "gunicorn.conf.py", "pyproject.toml", ".env.example"]:
        shutil.copy(ROOT / name, folder / name)
    lines = [f"{name} = '{value}'" for name, value in HOSTILE.items() if "'" not in value]
    (folder / ".env").write_text("\n".join(lines))
    (folder / "tests" / "test_inside.py").write_text(INSIDE.format(show=SHOW.format(names=list(HOSTILE))))
    return folder


@pytest.mark.parametrize(
    ("workers", "more"), [("0", ["tests/infra/test_server.py", "-k", "inside or ready or answer"]), ("1", [])]
)
def test_neither_tests_nor_what_they_start_see_a_hostile_machine(
    copy: Path, workers: str, more: list[str]
) -> None:
    """Settings in `.env` and in the process; workers of pytest-xdist begin with what the first process left.

    And a service that tests start begins without the hostile file.
    """
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        workers,
        "-q",
        "-rP",
        "-p",
        "no:cacheprovider",
        "tests/test_inside.py",
        *more,
    ]
    # A file of the copy, and not that of the tests that run now: what hides settings is what is tried.
    variables = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "nftsite.settings", **HOSTILE}
    done = subprocess.run(
        words, cwd=copy, env=variables, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout
    assert f"{3 if more else 1} passed" in done.stdout
    seen = [line for line in done.stdout.splitlines() if line.startswith("[] ")]
    nothing = "[] django.db.backends.sqlite3 {} {} ['127.0.0.1', '::1'] 256  False False"
    assert seen == [nothing] * 4, done.stdout
    assert HOSTILE["HTTPS_PROXY"] in done.stdout.splitlines()  # for npm alone


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("0.0.0.0", True),
        ("localhost", True),
        ("api.localhost", True),
        (b"localhost", True),
        (None, True),
        ("", True),
        ("10.0.0.1", False),
        ("8.8.8.8", False),
        ("2001:db8::1", False),
        ("::ffff:8.8.8.8", False),
        ("example.org", False),
        (b"example.org", False),
        ("127.0.0.1.example.org", False),
    ],
)
def test_which_hosts_are_this_one(host: object, here: bool) -> None:
    assert guard.is_here(host) is here


REACHES = [
    "import socket; socket.create_connection(('192.0.2.1', 80), 1)",
    "import socket; socket.create_connection(('example.org', 80), 1)",
    "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('192.0.2.1', 53))",
    "import urllib.request; urllib.request.urlopen('http://192.0.2.1/', timeout=1)",
    "import urllib3; urllib3.request('GET', 'http://192.0.2.1/', timeout=1, retries=False)",
    "import socket; socket.gethostbyname('example.org')",
]


@pytest.mark.parametrize("code", REACHES)
def test_no_process_of_the_tests_reaches_another_host(code: str) -> None:
    for environment in (machine.bare(), None):
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode != 0
        assert "Tests reach no other host: " in done.stderr


def test_a_test_that_reaches_for_another_host_is_told_which() -> None:
    with pytest.raises(OSError, match=r"Tests reach no other host: 192\.0\.2\.1"):
        socket.create_connection(("192.0.2.1", 80), 1)
    guard.refused.clear()
