"""`.env` is read as people write it, and what it names in vain stops the start."""

import os
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st

from core import dotenv_file
from core.environment import Environment
from nftsite import checks
from tests.infra.starting import read_settings, start

LINES = [
    ("X=1", "1"),
    ("X = 1", "1"),
    ("  X =1  ", "1"),
    ("X= 1 # why", "1"),
    ("export X=1", "1"),
    ("export  X = '1'", "1"),
    ('X="a b" # why', "a b"),
    ("X='a # b'", "a # b"),
    ("X=a#b", "a#b"),
    ("X=https://host/{currency}?a=${b}&c=$d", "https://host/{currency}?a=${b}&c=$d"),
    ("\ufeffX=1", "1"),
    ("# first\r\n\r\nX=1\r\n", "1"),
    ("X=", ""),
    ("X=a=b==", "a=b=="),
]


@pytest.mark.parametrize(("line", "value"), LINES)
def test_a_line_is_read_as_a_shell_reads_it(tmp_path: Path, line: str, value: str) -> None:
    (tmp_path / ".env").write_bytes(line.encode())
    assert dotenv_file.read(tmp_path / ".env") == {"X": value}


@pytest.mark.parametrize("line", ["X", "X 1", "X: 1", 'X="1', "=1", "DEBUG true"])
def test_a_line_that_cannot_be_read_stops_the_start_with_its_number(tmp_path: Path, line: str) -> None:
    (tmp_path / ".env").write_text(f"A=1\n\n{line}\n")
    with pytest.raises(ImproperlyConfigured, match="line 3"):
        dotenv_file.read(tmp_path / ".env")


@given(content=st.binary(max_size=200))
def test_no_file_is_read_by_an_exception_of_another_kind(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("any") / ".env"
    path.write_bytes(content)
    try:
        found = dotenv_file.read(path)
    except ImproperlyConfigured:
        return
    assert all("\x00" not in name + value for name, value in found.items())


def test_the_process_environment_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("XX = 1\nYY = 2\n")
    monkeypatch.setenv("XX", "3")
    monkeypatch.setenv("YY", "")
    monkeypatch.delenv("YY")
    monkeypatch.delenv("ENV_FILE")
    env = Environment(dotenv=tmp_path / ".env")
    assert (env.text("XX"), env.text("YY")) == ("3", "2")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("STATEMENT_TIMOUT=5", "Did you mean STATEMENT_TIMEOUT?"),
        ("statement_timeout=5", "Did you mean STATEMENT_TIMEOUT?"),
        ("FORWARDED_ALOW_IPS=*", "Did you mean FORWARDED_ALLOW_IPS?"),
        ("WEB_CONCURENCY=5", "Did you mean WEB_CONCURRENCY?"),
        ("RPC_URL_ETHEREUM=http://node", "Did you mean RPC_URLS_?"),
        ("SOMETHING_QUITE_ELSE=1", "is no setting"),
    ],
)
def test_a_name_that_is_no_setting_is_told(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "settings").write_text(line)
    with pytest.raises(ImproperlyConfigured) as fault:
        read_settings(ENV_FILE=str(tmp_path / "settings"), SECRET_KEY="k" * 50)
    assert told in str(fault.value)
    assert line.partition("=")[0] in str(fault.value)


@pytest.mark.parametrize("how", [["manage.py", "check"], ["-m", "gunicorn", "--check-config"]])
def test_a_name_that_is_no_setting_stops_the_start(tmp_path: Path, how: list[str]) -> None:
    (tmp_path / "settings").write_text("STATEMENT_TIMOUT=5")
    done = start(*how, ENV_FILE=str(tmp_path / "settings"), SECRET_KEY="k" * 50)
    assert done.returncode != 0
    assert "Did you mean STATEMENT_TIMEOUT?" in done.stderr
    assert "STATEMENT_TIMOUT" in done.stderr


def test_what_others_read_may_stand_in_the_file(tmp_path: Path) -> None:
    lines = [
        "AWS_ACCESS_KEY_ID=a",
        "PGPASSFILE=/p",
        "TZ=UTC",
        "HTTPS_PROXY=http://p",
        "RPC_URLS_MY_CHAIN=http://n",
    ]
    (tmp_path / "settings").write_text("\n".join([*lines, "BIND = [::1]:9", "VAR_DIR = " + str(tmp_path)]))
    done = start("manage.py", "check", ENV_FILE=str(tmp_path / "settings"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "secret_key").exists()


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("RPC_URLS_ETHERUM", "RPC_URLS_ETHEREUM"),
        ("STATEMENT_TIMOUT", "STATEMENT_TIMEOUT"),
        ("RATE_LIMITS", "RATE_LIMIT"),
        ("OTEL_EXPORTER_OTLP_ENDPOIN", "OTEL_EXPORTER_OTLP_ENDPOINT"),
    ],
)
def test_a_variable_that_is_nearly_a_setting_is_told(
    monkeypatch: pytest.MonkeyPatch, name: str, near: str
) -> None:
    assert checks.variables_are_spelled_right(None) == []
    monkeypatch.setenv(name, "http://node")
    (message,) = checks.variables_are_spelled_right(None)
    assert name in str(message)
    assert near in str(message)
    assert "http://node" not in str(message)


@pytest.mark.parametrize(
    "name",
    [
        "RPC_URLS_MYCHAIN",
        "RPC_URLS_ARBITRUM_NOVA",
        "HOSTNAME",
        "REPORT",
        "DEBUGINFOD_URLS",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    ],
)
def test_a_variable_that_may_well_be_meant_is_not(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "http://node")
    assert checks.variables_are_spelled_right(None) == []


@pytest.mark.parametrize(
    ("variables", "bound"),
    [
        ({}, ["127.0.0.1:8000"]),
        ({"HOST": "0.0.0.0", "PORT": "9"}, ["0.0.0.0:9"]),
        ({"HOST": "::1"}, ["[::1]:8000"]),
        ({"HOST": "[::1]", "PORT": "9"}, ["[::1]:9"]),
        ({"HOST": "::"}, ["[::]:8000"]),
        ({"HOST": "localhost"}, ["localhost:8000"]),
        ({"HOST": "unix:/run/nft.sock", "PORT": "9"}, ["unix:/run/nft.sock"]),
        ({"BIND": "0.0.0.0:80", "HOST": "::1"}, ["0.0.0.0:80"]),
        ({"BIND": "::1", "PORT": "9"}, ["[::1]:9"]),
        ({"BIND": "[::1]:80, unix:/run/nft.sock"}, ["[::1]:80", "unix:/run/nft.sock"]),
        ({"BIND": ":9"}, ["0.0.0.0:9"]),
        ({"BIND": "fd://3"}, ["fd://3"]),
    ],
)
def test_where_it_listens(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], bound: list[str]
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert Environment().listening() == bound


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HOST", "a:80"),
        ("HOST", "http://a"),
        ("HOST", "[::1]:80"),
        ("HOST", "1::2::3"),
        ("BIND", "a:x"),
        ("BIND", "a:99999"),
        ("BIND", "http://a:80"),
        ("BIND", "a b:80"),
        ("BIND", "unix:"),
        ("BIND", "a:"),
        ("HOST", "[::1"),
    ],
)
def test_where_it_cannot_listen(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=name):
        Environment().listening()


@pytest.mark.parametrize(
    "value", ["proxy", "10.0.0.1/8", "10.0.0.300", "10.0.0.0/8;1.1.1.1", "http://10.0.0.1"]
)
def test_proxies_are_addresses(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", value)
    with pytest.raises(ImproperlyConfigured, match="FORWARDED_ALLOW_IPS"):
        Environment().networks("FORWARDED_ALLOW_IPS", [])
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*, 10.0.0.0/8,::1")
    assert Environment().networks("FORWARDED_ALLOW_IPS", []) == ["*", "10.0.0.0/8", "::1"]


def test_nothing_is_left_in_this_process() -> None:
    """The tests above read files into copies of the environment, or by another process."""
    assert os.environ["ENV_FILE"] == os.devnull
