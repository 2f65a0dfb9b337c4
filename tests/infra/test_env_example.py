"""`.env.example` is the list of the settings, for operators: none is missing, none is made up, all are optional."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
READ = ["nftsite/settings.py", "core/environment.py", "gunicorn.conf.py"]
"""The files that read the environment by `env`, or by `self` where names are the environment's own."""

LISTED = re.compile(r"^#?([A-Z][A-Z_0-9]*)=", re.MULTILINE)
EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")


def names_read() -> Iterator[str]:
    """The variables that the settings ask for; those of nodes end where the chain's name begins."""
    for file in READ:
        for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if isinstance(node.func.value, ast.Name) and node.func.value.id in {"env", "self"}:
                for name in node.args[:1]:
                    if isinstance(name, ast.Constant):
                        yield str(name.value)


def test_the_example_lists_exactly_the_variables_that_are_read() -> None:
    listed = {"RPC_URLS_" if name.startswith("RPC_URLS_") else name for name in LISTED.findall(EXAMPLE)}
    assert listed == set(names_read())


def test_settings_know_the_name_of_each_variable_that_is_read() -> None:
    """Else a `.env` that names it would stop the start."""
    assert set(names_read()) - {"RPC_URLS_"} == set(settings.SETTINGS_READ)


def test_the_example_sets_nothing() -> None:
    """It is copied to `.env` as it is: a service that was started before must not become another one."""
    assert [line for line in EXAMPLE.splitlines() if line and not line.startswith("#")] == []
