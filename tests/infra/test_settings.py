"""Settings from the environment: safe defaults, and a wrong value that stops the start and is named."""

import os
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import override_settings

from core.db.planning import PAGES, tune_for_pages
from core.environment import POSTGRESQL, SQLITE
from core.quotas import quota_of
from nftsite import checks
from tests.infra.starting import ROOT, read_settings, start


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"DEBUG": "maybe"}, "DEBUG"),
        ({"DATABASE_URL": "postgresql:///nft"}, "SECRET_KEY"),
        ({"DATABASE_REPLICA_URLS": "postgresql:///nft"}, "DATABASE_REPLICA_URLS"),
        ({"REPLICA_MAX_LAG": "0"}, "REPLICA_MAX_LAG"),
        ({"RATE_LIMIT": "often"}, "RATE_LIMIT"),
    ],
)
def test_a_wrong_setting_cannot_be_read(environment: dict[str, str], named: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=named):
        read_settings(**environment)


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"STATEMENT_TIMEOUT": "30", "WEB_TIMEOUT": "30"}, "STATEMENT_TIMEOUT"),
        ({"MEDIA_ROOT": "media/files"}, "MEDIA_ROOT"),
    ],
)
def test_a_setting_that_is_wrong_with_others_is_an_error(environment: dict[str, str], named: str) -> None:
    found = read_settings(SECRET_KEY="k" * 50, **environment)
    with override_settings(**{name: found[name] for name in environment}):
        told = [str(message) for message in run_checks() if message.is_serious()]
    assert len(told) == 1
    assert named in told[0]


@pytest.mark.parametrize(
    ("environment", "named"), [({"DEBUG": "maybe"}, "DEBUG"), ({"MEDIA_ROOT": "media/files"}, "MEDIA_ROOT")]
)
@pytest.mark.parametrize(
    "how", [["manage.py", "check"], ["-c", "import nftsite.wsgi"]], ids=["command", "server"]
)
def test_nothing_starts_with_a_wrong_setting(how: list[str], environment: dict[str, str], named: str) -> None:
    """One that cannot be read, and one that an error tells of."""
    done = start(*how, **environment)
    assert done.returncode != 0
    assert named in done.stderr


def test_defaults_are_safe() -> None:
    script = (
        "from django.conf import settings as s; from pathlib import Path\n"
        "var = str(Path(s.BASE_DIR) / 'var')\n"
        "print(s.DEBUG, '*' in s.ALLOWED_HOSTS, s.DATABASES['default']['NAME'].startswith(var), "
        "s.MEDIA_ROOT.startswith(var), len(s.SECRET_KEY) >= 50)"
    )
    # Another test of the environment may not have written var/ yet; a key makes sure that none is needed.
    done = start("-c", script, SECRET_KEY="k" * 50)
    assert done.stdout.split() == ["False", "False", "True", "True", "True"], done.stderr


@pytest.mark.parametrize("root", [".", "..", "media", "tokens/files", "/"])
def test_media_root_in_the_code(root: str) -> None:
    with override_settings(MEDIA_ROOT=str((ROOT / root).resolve())):
        assert [message.id for message in checks.media_root_is_no_code(None)] == ["nftsite.E001"]


@pytest.mark.parametrize("root", ["var/files", "/srv/files", "../files"])
def test_media_root_elsewhere(root: str) -> None:
    with override_settings(MEDIA_ROOT=str((ROOT / root).resolve())):
        assert checks.media_root_is_no_code(None) == []


def test_a_url_is_no_host() -> None:
    with override_settings(ALLOWED_HOSTS=["https://api.example.org"]):
        assert [message.id for message in checks.hosts_are_names(None)] == ["nftsite.E003"]


@pytest.mark.parametrize(
    ("setting", "check", "told"),
    [
        ({"CACHE_URL": "redis://a"}, checks.cache_can_be_used, "requirements-redis.txt"),
        (
            {"RATE_LIMIT": quota_of("1/s"), "CACHE_URL": "", "WEB_CONCURRENCY": 2},
            checks.limits_are_counted_together,
            "CACHE_URL",
        ),
    ],
)
def test_what_limits_lack_is_told(
    monkeypatch: pytest.MonkeyPatch, setting: dict[str, Any], check: Any, told: str
) -> None:
    monkeypatch.setattr(checks, "find_spec", lambda name: None)
    assert check(None) == []
    with override_settings(**setting):
        (message,) = check(None)
    assert told in message.hint


def test_statements_are_planned_for_pages_and_limited_in_web_processes_only() -> None:
    """The limit goes with the connection's start, beside options from DATABASE_URL; SQLite knows none."""
    databases: dict[str, dict[str, Any]] = {
        "a": {"ENGINE": POSTGRESQL},
        "b": {"ENGINE": POSTGRESQL, "OPTIONS": {"options": "-c work_mem=8MB"}},
        "c": {"ENGINE": SQLITE},
    }
    tune_for_pages(databases, 15)
    assert databases["a"]["OPTIONS"]["options"] == f"-c statement_timeout=15s {PAGES}"
    assert databases["b"]["OPTIONS"]["options"] == f"-c work_mem=8MB -c statement_timeout=15s {PAGES}"
    assert "OPTIONS" not in databases["c"]
    unlimited: dict[str, dict[str, Any]] = {"a": {"ENGINE": POSTGRESQL}}
    tune_for_pages(unlimited, 0)
    assert unlimited["a"]["OPTIONS"]["options"] == PAGES
    pooled: dict[str, dict[str, Any]] = {"a": {"ENGINE": POSTGRESQL, "DISABLE_SERVER_SIDE_CURSORS": True}}
    tune_for_pages(pooled, 15)
    assert "OPTIONS" not in pooled["a"]


@pytest.mark.sqlite
@pytest.mark.django_db
def test_sqlite_is_set_up_for_readers_beside_a_writer() -> None:
    with connection.cursor() as cursor:
        for pragma, value in [
            ("journal_mode", "wal"),
            ("synchronous", 1),
            ("foreign_keys", 1),
            ("busy_timeout", 20000),
        ]:
            cursor.execute(f"PRAGMA {pragma}")
            assert cursor.fetchone() == (value,), pragma


@pytest.mark.postgresql
@pytest.mark.django_db
def test_postgresql_connections_persist_and_are_checked() -> None:
    assert connection.settings_dict["CONN_MAX_AGE"] is None
    assert connection.settings_dict["CONN_HEALTH_CHECKS"] is True
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("0",)


@pytest.mark.postgresql
def test_statements_of_web_processes_are_limited() -> None:
    script = (
        "import django, {module}; from django.db import connection; django.setup(); c = connection.cursor(); "
        "c.execute('SHOW statement_timeout'); print(c.fetchone()[0])"
    )

    def shown(module: str) -> str:
        given = {"DATABASE_URL": os.environ["TEST_DATABASE_URL"], "SECRET_KEY": "k" * 50}
        return start("-c", script.format(module=module), **given).stdout

    assert shown("nftsite.wsgi") == "15s\n"
    assert shown("nftsite.settings") == "0\n"
