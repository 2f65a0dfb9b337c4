"""What `deploy/` names is there: settings, commands, metrics; and its programs take it as it stands."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands, load_command_class

from core.db.planning import PAGES
from tests.conftest import Api
from tests.deploying.files import DEPLOY, LISTED, PYTHON, UNITS, commands, example, is_ours, services, unit
from tests.processes import ROOT

SETTINGS = set(LISTED.findall((ROOT / ".env.example").read_text(encoding="utf-8")))
OTHERS = {
    "COMPOSE_PROFILES": "compose",
    "ENV_FILE": "names the file of settings, in the process environment alone",
    "INDEX_ARGS": "words of a command line",
    "ORDERS_ARGS": "likewise",
    "PATH": "the machine",
    "POSTGRES_DB": "the image of PostgreSQL",
    "POSTGRES_PASSWORD": "likewise",
    "POSTGRES_USER": "likewise",
    "PYTHONDONTWRITEBYTECODE": "Python",
    "PYTHONUNBUFFERED": "Python",
}
"""Variables of `deploy/` that are no settings, and who reads them."""
LEFT_OUT = {
    "ADMIN": "on is the default, and nginx shuts it from outside",
    "ADMIN_BIND": "likewise",
    "ALCHEMY_API": "on is the default",
    "API_MAX_AGE": "its default is right behind a proxy too: clients revalidate",
    "ARWEAVE_GATEWAYS": "as IPFS_GATEWAYS, which stands there",
    "ARWEAVE_PUBLIC_GATEWAY": "what answers show is the same wherever they are made",
    "DEBUG": "never true where others can reach the service",
    "DATABASE_REPLICA_URLS": "more machines than one (docs/scaling.md; tests/machines)",
    "ENS_REGISTRY": "mainnet's is the default",
    "EXPLORERS": "what pages link to is the same wherever they are made",
    "FORWARDED_ALLOW_IPS": "a proxy at a socket is believed; tests/deploying/test_elsewhere.py has one on another host",
    "HOST": "BIND says it",
    "INDEX_KEEP_BLOCKS": "a matter of the chain, not of where it is deployed",
    "IPFS_PUBLIC_GATEWAY": "what answers show is the same wherever they are made",
    "MEDIA_PUBLIC_URL": "for buckets, where nginx sends no files",
    "MEDIA_ROOT": "VAR_DIR has it",
    "MEDIA_STORAGE": "a bucket is another deployment's",
    "METADATA_MAX_AGE_DAYS": "a matter of the data",
    "OTEL_EXPORTER_OTLP_ENDPOINT": "needs packages that the image lacks (requirements-otel.txt)",
    "OPENSEA_API_URL": "OpenSea's own is the default",
    "PORT": "BIND says it",
    "REPLICA_MAX_LAG": "as DATABASE_REPLICA_URLS",
    "RPC_URLS_SOLANA": "as RPC_URLS_ETHEREUM",
    "SECRET_KEY_FALLBACKS": "only while a key is changed (docs/deploying.md)",
    "WEB_TIMEOUT": "its default is above STATEMENT_TIMEOUT",
}
"""Settings that a deployment as it stands does not name, and why."""


def named() -> set[str]:
    """The variables that the files set for processes of the service."""
    found = set(LISTED.findall(example()))
    found |= set(re.findall(r"^(?:ENV| *)([A-Z_]+)=", (DEPLOY / "Containerfile").read_text(), re.MULTILINE))
    for line in re.findall(r"^ENV (.+)$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE):
        found |= {word.partition("=")[0] for word in line.split()}
    for path in [*UNITS.glob("*.service"), UNITS / "nft-.service.d" / "common.conf"]:
        for line in re.findall(r"^Environment=(.+)$", path.read_text(), re.MULTILINE):
            found |= {word.partition("=")[0] for word in line.split()}
    for service in services().values():
        found |= set(service.get("environment", {}))
    return found


def test_every_variable_of_a_deployment_is_a_setting_or_known_to_be_somebody_elses() -> None:
    assert named() - SETTINGS == OTHERS.keys()


def test_every_setting_stands_in_a_deployment_or_has_a_reason_not_to() -> None:
    assert SETTINGS - named() == LEFT_OUT.keys()


def test_the_commands_of_units_and_services_take_the_words_that_they_are_given() -> None:
    found = list(commands())
    ran = set()
    for place, words in found:
        command = load_command_class(get_commands()[words[0]], words[0])
        command.create_parser("manage.py", words[0]).parse_args(words[1:])  # exits where it does not
        ran.add((words[0], place.startswith("nft-")))
    both = {"index", "sync_asks", "fetch_metadata", "cache_images", "count_collections"}
    assert {name for name, is_unit in ran if is_unit} == both | {"sync_rates"}
    assert {name for name, is_unit in ran if not is_unit} == both


def test_no_command_of_a_deployment_lacks_its_table_row() -> None:
    text = (ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")
    for path in UNITS.glob("*.service"):
        assert f"`{path.stem.partition('@')[0]}" in text, path.name
    for name in services():
        assert f"`{name}`" in text, name


def test_the_role_of_web_processes_plans_as_their_connections_do() -> None:
    """Behind a pooler the role has what each connection would say otherwise."""
    role = dict(re.findall(r"SET (\w+) = '?([\w.]+)'?;", (DEPLOY / "roles.sql").read_text()))
    assert role == {"statement_timeout": "15s"} | dict(re.findall(r"-c (\w+)=(\S+)", PAGES))
    assert "#STATEMENT_TIMEOUT=15\n" in (ROOT / ".env.example").read_text(encoding="utf-8")


def test_services_run_as_nobody_in_particular_and_write_nowhere_else() -> None:
    for name, service in services().items():
        if is_ours(service) or name == "pgbouncer":
            assert service["read_only"] is True
            assert service["cap_drop"] == ["ALL"]
            assert service["tmpfs"] == ["/tmp"]
            assert service["security_opt"] == ["no-new-privileges:true"]
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    assert [line for line in lines if line.startswith("USER ")] == ["USER postgres", "USER 10001:10001"]
    assert lines.index("USER 10001:10001") > max(
        n for n, line in enumerate(lines) if line.startswith(("COPY", "RUN"))
    )


def test_what_the_image_holds_is_all_of_the_code_and_no_tests() -> None:
    copied = set(re.findall(r"^COPY ([a-z]+) \1$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE))
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert copied == packages - {"tests"} | {"templates"}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_with_the_units_and_much_that_they_may_not_do(tmp_path: Path) -> None:
    for path in UNITS.iterdir():
        target = tmp_path / path.name
        if path.is_dir():
            shutil.copytree(path, target)
        else:
            target.write_text(path.read_text().replace("/srv/nft/.venv/bin/", "/bin/true "))
    names = [str(path) for path in sorted(tmp_path.iterdir()) if path.is_file()]
    variables = {"PATH": "/usr/bin:/bin", "SYSTEMD_UNIT_PATH": f"{tmp_path}:"}
    done = subprocess.run(
        ["systemd-analyze", "verify", *names], env=variables, capture_output=True, text=True, check=False
    )
    assert [line for line in done.stderr.splitlines() if "nft-" in line] == []
    for name in names:
        if name.endswith(".service"):
            done = subprocess.run(
                ["systemd-analyze", "security", "--offline=true", "--no-pager", name],
                env=variables,
                capture_output=True,
                text=True,
                check=True,
            )
            found = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
            assert found is not None
            assert float(found[1]) <= 2.0, name  # 10: may do anything; a unit without settings has 9.6


def test_a_unit_starts_what_the_document_installs() -> None:
    for path in UNITS.glob("*.service"):
        start = unit(path.name)["Service"]["ExecStart"]
        assert start.startswith((f"{PYTHON} manage.py ", "/srv/nft/.venv/bin/gunicorn"))
    for path in UNITS.glob("*.timer"):
        assert unit(path.with_suffix(".service").name)["Service"]["Type"] == "oneshot"


EXPRESSION_WORDS = {
    *(
        "by",
        "chain",
        "delta",
        "for",
        "increase",
        "max",
        "rate",
        "source",
        "time",
        "and",
        "sum",
        "le",
        "histogram_quantile",
    ),
    *("cost", "database", "operation", "reason", "status"),
}


def metrics_in(expression: str) -> set[str]:
    """The metrics that an expression of Prometheus asks for."""
    bare = re.sub(r"\{[^}]*\}|\[[^\]]*\]", "", expression)
    return {name.removesuffix("_bucket") for name in re.findall(r"[a-z_]{2,}", bare)} - EXPRESSION_WORDS


@pytest.mark.django_db
def test_rules_and_dashboard_name_only_metrics_that_there_are(api: Api) -> None:
    there = set(re.findall(r"^# TYPE (\S+)", api.get("/metrics").content.decode(), re.MULTILINE))
    board: dict[str, Any] = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text())
    shown = {
        name for panel in board["panels"] for one in panel["targets"] for name in metrics_in(one["expr"])
    }
    assert shown
    assert shown <= there
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    rules = yaml.safe_load((DEPLOY / "prometheus" / "rules.yml").read_text())["groups"][0]["rules"]
    asked = {name for rule in rules for name in metrics_in(rule["expr"])}
    assert asked - there == {"up"}


@pytest.mark.skipif(not shutil.which("promtool"), reason="Prometheus is not installed")
def test_prometheus_takes_the_rules_and_each_alert_comes_when_it_should() -> None:
    for words in (["check", "rules", "rules.yml"], ["test", "rules", "rules_test.yml"]):
        subprocess.run(["promtool", *words], cwd=DEPLOY / "prometheus", capture_output=True, check=True)
    config = ["promtool", "check", "config", "--syntax-only", "prometheus.yml"]
    subprocess.run(config, cwd=DEPLOY / "prometheus", capture_output=True, check=True)
