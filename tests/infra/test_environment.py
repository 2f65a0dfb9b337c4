"""What the readers of the environment take and return: a wrong value is named, and no key or password is shown."""

import stat
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from core.environment import POSTGRESQL, SQLITE, Environment
from core.secret_file import generated_secret

ROOT = Path(settings.BASE_DIR)
env = Environment()


@pytest.mark.parametrize("word", ["true", "TRUE", "1", "yes", "on"])
def test_flags_that_are_true(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("X", f" {word} ")
    assert env.flag("X", default=False) is True


@pytest.mark.parametrize("word", ["false", "0", "No", "off"])
def test_flags_that_are_false(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("X", word)
    assert env.flag("X", default=True) is False


def test_blank_is_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "  ")
    assert env.flag("X", default=True) is True
    assert env.whole_number("X", default=7) == 7
    assert env.words("X", default=["a"]) == ["a"]
    assert env.base_url("X") == ""
    assert env.choice("X", ["a", "b"]) == "a"
    assert env.path("X", default=Path("/d"), base=ROOT) == Path("/d")


def test_words_and_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", " a , ,b,")
    assert env.words("X") == ["a", "b"]
    monkeypatch.setenv("X", "some/../folder")
    assert env.path("X", default=Path("/d"), base=Path("/base")) == Path("/base/folder")


WRONG: list[tuple[str, Any, list[str]]] = [
    ("flag", lambda: env.flag("X", default=False), ["ture", "2", "y"]),
    (
        "number",
        lambda: env.whole_number("X", 5, minimum=1, maximum=9),
        ["0", "10", "-1", "1.0", "1e0", "x", "１"],
    ),
    ("choice", lambda: env.choice("X", ["json", "text"]), ["xml"]),
    (
        "url",
        lambda: env.base_url("X"),
        [
            "api.example.org",
            "ftp://a",
            "https://",
            "https://a?x=1",
            "https://a#b",
            "https://a b",
            "https://a:x",
            "http://[::",
        ],
    ),
    (
        "address",
        lambda: env.evm_address("X", default="0x" + "0" * 40),
        ["0x", "0x" + "0" * 39, "0x" + "0" * 41, "0x" + "g" * 40, "0" * 40, "vitalik.eth"],
    ),
    (
        "template",
        lambda: env.url_template("X", ["currency", "from"]),
        [
            "https://a/{currency}",
            "https://a/{currency}/{from}/{to}",
            "https://a/{currency}/{from}}",
            "https://{currency}.example/{from}",
            "ftp://a/{currency}/{from}",
            "https://a/{currency} {from}",
            "/{currency}/{from}",
        ],
    ),
    ("quota", lambda: env.quota("X"), ["600", "often", "0/minute", "600/week"]),
    (
        "cache",
        lambda: env.cache_url("X"),
        [
            "localhost:6379",
            "memcached://localhost",
            "redis://",
            "redis:///1",
            "unix://",
            "redis://a:port",
            "redis://a:0",
            "redis://a/one",
            "redis://a?db=one",
            "redis://a?pool=9",
            "redis://a?x",
            "redis://a?socket_timeout=soon",
            "unix:///run/redis.sock?db=-1",
            "redis://[a",
        ],
    ),
    (
        "one address",
        lambda: env.one_address("X"),
        ["127.0.0.1", "8001", "127.0.0.1:0", "admin.internal:8001", "fd://3", "::1", "127.0.0.1:99999"],
    ),
    (
        "contacts",
        lambda: env.contacts("X"),
        ["security", "http://example.org", "mailto:", "a@b.example, nobody", "https://a b"],
    ),
    ("renamed", lambda: env.renamed("X", default={}), ["ETH=", "=ether", "E H", "ETH=a b", 'ETH"']),
    (
        "database",
        lambda: env.database("X", default=Path("/d"), base=ROOT),
        ["mysql://a/b", "postgresql://host", "nonsense", "postgresql://u:p@host:port/name", "sqlite://"],
    ),
    (
        "replicas",
        lambda: env.replicas("X"),
        [
            "sqlite:///db",
            "nonsense",
            "postgresql://a/nft,b",
            "postgresql://a/nft,sqlite:///db",
            "postgresql://h",
        ],
    ),
]


@pytest.mark.parametrize(
    ("read", "value"),
    [pytest.param(read, value, id=f"{kind}:{value}") for kind, read, values in WRONG for value in values],
)
def test_a_wrong_value_is_named(monkeypatch: pytest.MonkeyPatch, read: Any, value: str) -> None:
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match=r"^X "):
        read()


def test_a_password_is_not_part_of_the_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "postgresql://user:hunter2@host:port/name")
    with pytest.raises(ImproperlyConfigured) as raised:
        env.database("X", default=Path("/d"), base=ROOT)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    "url", ["redis://:hunter2@host:port/1", "redis://:hunter2@", "redis://:hunter2@a?hunter2=1"]
)
def test_a_password_of_a_cache_is_not_part_of_the_message(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("X", url)
    with pytest.raises(ImproperlyConfigured, match=r"^X ") as raised:
        env.cache_url("X")
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("redis://:secret@cache.internal:6379/2", "redis://:secret@cache.internal:6379/2"),
        ("valkey://cache.internal", "redis://cache.internal"),
        ("valkeys://cache.internal/1", "rediss://cache.internal/1"),
        ("rediss://a?db=3&ssl_ca_certs=/etc/ca.pem", "rediss://a?db=3&ssl_ca_certs=/etc/ca.pem"),
        ("unix://:secret@/run/redis.sock?db=1", "unix://:secret@/run/redis.sock?db=1"),
    ],
)
def test_caches(monkeypatch: pytest.MonkeyPatch, given: str, url: str) -> None:
    monkeypatch.setenv("X", given)
    assert env.cache_url("X") == url


def test_one_address_and_contacts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (env.one_address("X"), env.contacts("X"), env.quota("X"), env.cache_url("X")) == ("", [], None, "")
    for given in ("127.0.0.1:8001", "[::1]:8001", "0.0.0.0:8001", "unix:/run/admin.sock"):
        monkeypatch.setenv("X", given)
        assert env.one_address("X") == given
    monkeypatch.setenv("X", "a@b.example, https://b.example/security , tel:+49-30-1")
    assert env.contacts("X") == ["mailto:a@b.example", "https://b.example/security", "tel:+49-30-1"]


@pytest.mark.parametrize("url", ["ws://a/k3y", "a/k3y", "http:///k3y", "http://a:k3y", "http://[a/k3y"])
def test_a_wrong_url_of_a_node_is_named_without_its_key(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("X_ETHEREUM", f"https://sound.example,{url}")
    with pytest.raises(ImproperlyConfigured, match=r"^X_ETHEREUM ") as raised:
        env.node_urls("X_")
    assert "k3y" not in str(raised.value)


def test_a_wrong_gateway_is_named_without_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "https://sound.example,gateway.example/?token=k3y")
    with pytest.raises(ImproperlyConfigured, match=r"^X ") as raised:
        env.gateways("X", [])
    assert "k3y" not in str(raised.value)


def test_gateways(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env.gateways("X", ["https://a"]) == ["https://a"]
    assert env.public_gateway("X", "https://a") == "https://a"
    monkeypatch.setenv("X", "http://user:k3y@127.0.0.1:8080/prefix?token=k3y, https://b")
    assert env.gateways("X", []) == ["http://user:k3y@127.0.0.1:8080/prefix?token=k3y", "https://b"]
    monkeypatch.setenv("X", "https://b/ipfs/")
    assert env.public_gateway("X", "https://a") == "https://b"
    monkeypatch.setenv("X", "None")
    assert env.gateways("X", ["https://a"]) == []
    assert env.public_gateway("X", "https://a") == ""
    monkeypatch.setenv("X", "b.example")
    with pytest.raises(ImproperlyConfigured, match=r"^X "):
        env.public_gateway("X", "https://a")


def test_a_wrong_template_is_named_without_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "https://a/{currency}?key=k3y")
    with pytest.raises(ImproperlyConfigured, match=r"^X ") as raised:
        env.url_template("X", ["currency", "from"])
    assert "k3y" not in str(raised.value)


def test_templates_and_names(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env.url_template("X", ["currency"]) == ""
    assert env.renamed("X", default={"ETH": "ETH"}) == {"ETH": "ETH"}
    monkeypatch.setenv("X", "https://a:8080/v1/{currency}?from={from}&key=k3y&again={from}")
    assert env.url_template("X", ["currency", "from"]).endswith("again={from}")
    monkeypatch.setenv("X", "eth = ethereum, SOL")
    assert env.renamed("X", default={}) == {"ETH": "ethereum", "SOL": "SOL"}


def test_nodes_and_contracts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X_ETHEREUM", "https://a:8545/key, http://b")
    monkeypatch.setenv("X_ARBITRUM_NOVA", "https://c")
    monkeypatch.setenv("X_BASE", " ")
    assert env.node_urls("X_") == {
        "ethereum": ["https://a:8545/key", "http://b"],
        "arbitrum-nova": ["https://c"],
    }
    monkeypatch.setenv("X", "0X" + "aB" * 20)
    assert env.evm_address("X", default="") == "0x" + "ab" * 20
    monkeypatch.delenv("X")
    assert env.evm_address("X", default="0x" + "cd" * 20) == "0x" + "cd" * 20


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("", {"ENGINE": SQLITE, "NAME": "/d"}),
        ("sqlite:///a/b.sqlite3", {"ENGINE": SQLITE, "NAME": "/base/a/b.sqlite3"}),
        ("sqlite:////a/b.sqlite3", {"ENGINE": SQLITE, "NAME": "/a/b.sqlite3"}),
        (
            "postgres://u:p%40@h:5433/nft",
            {"ENGINE": POSTGRESQL, "NAME": "nft", "PASSWORD": "p@", "PORT": 5433},
        ),
        (
            "postgresql:///nft?host=/run/pg",
            {"ENGINE": POSTGRESQL, "NAME": "nft", "OPTIONS": {"host": "/run/pg"}},
        ),
        ("postgresql://h/nft?sslmode=require", {"HOST": "h", "OPTIONS": {"sslmode": "require"}}),
    ],
)
def test_database_urls(monkeypatch: pytest.MonkeyPatch, url: str, expected: Mapping[str, Any]) -> None:
    monkeypatch.setenv("X", url)
    config = env.database("X", default=Path("/d"), base=Path("/base"))
    assert {key: config[key] for key in expected} == expected


def test_replicas_are_several_urls_each_of_which_may_name_several_hosts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("X", "postgresql://a/nft , postgres://u:p%2C1@b:6432/nft,postgresql:///nft?host=c,d,")
    found = env.replicas("X")
    assert [(alias, one["HOST"], one["PASSWORD"], one["OPTIONS"]) for alias, one in found.items()] == [
        ("replica_1", "a", "", {}),
        ("replica_2", "b", "p,1", {}),
        ("replica_3", "", "", {"host": "c,d"}),
    ]


def test_no_replicas_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", " ")
    assert env.replicas("X") == {}


def test_the_secret_is_made_once(tmp_path: Path) -> None:
    """Several processes that start together read one key, in a private file, and leave nothing else behind."""
    path = tmp_path / "var" / "secret_key"
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: generated_secret(path), range(32)))
    assert len(keys) == 1
    assert len(keys.pop()) >= 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_an_empty_secret_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    path.touch()
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        generated_secret(path)
