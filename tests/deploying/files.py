"""What stands in `deploy/`, read as those programs read it that it is written for."""

from __future__ import annotations

import configparser
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from tests.processes import ROOT

DEPLOY = ROOT / "deploy"
UNITS = DEPLOY / "systemd"
LISTED = re.compile(r"^#?([A-Z][A-Z_0-9]*)=", re.MULTILINE)
PYTHON = "/srv/nft/.venv/bin/python"


def example(**changed: str) -> str:
    """The settings of a deployment, some of them changed; each must stand there."""
    text = (DEPLOY / "env.example").read_text(encoding="utf-8")
    for name, value in changed.items():
        line = f"{name}={value}".replace("\\", r"\\")
        text, count = re.subn(rf"^#?{name}=.*$", line, text, flags=re.MULTILINE)
        assert count == 1, name
    return text


def unit(name: str) -> Mapping[str, Mapping[str, str]]:
    """The sections of a unit with the last value of each name."""
    parser = configparser.ConfigParser(strict=False, interpolation=None, comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(UNITS / name, encoding="utf-8")
    return {section: dict(parser[section]) for section in parser.sections()}


def services() -> dict[str, dict[str, Any]]:
    """The services of compose.yaml, merge keys resolved."""
    with (DEPLOY / "compose.yaml").open(encoding="utf-8") as stream:
        found: dict[str, dict[str, Any]] = yaml.safe_load(stream)["services"]
    return found


def is_ours(service: Mapping[str, Any]) -> bool:
    """Whether a service runs the image of this project."""
    return "NFT_IMAGE" in service["image"]


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every `manage.py` command of units and services, with where it stands; a variable is what the example says."""
    given = dict(
        line.lstrip("#").split("=", 1) for line in example().splitlines() if re.match("#?[A-Z_]+_ARGS=", line)
    )
    for path in sorted(UNITS.glob("*.service")):
        start = unit(path.name)["Service"]["ExecStart"].removeprefix(PYTHON + " ")
        if start.startswith("manage.py"):
            named = start.replace("%i", "ethereum")
            for name, value in given.items():
                named = named.replace(f"${name}", value.partition("ethereum ")[2])
            yield path.name, shlex.split(named)[1:]
    for name, service in services().items():
        if is_ours(service) and isinstance(service["command"], str) and "manage.py" in service["command"]:
            words = re.sub(r"\$\{(\w+):-[^}]*\}", lambda found: given[found[1]], service["command"])
            yield name, shlex.split(words)[2:]
