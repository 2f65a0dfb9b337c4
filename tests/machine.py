"""What tests see of the machine: no setting of the service, no `.env`, no key, no proxy, no other host.

Only what a process needs to run at all is left in the environment, and what is meant for tests (TEST_…). The tools that
prepare tests (npm) get the rest back by `whole`, since they fetch through whatever the machine is set up with.
"""

import importlib
import json
import os
from pathlib import Path

KEPT = {
    "CI",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "DJANGO_SETTINGS_MODULE",
    "HISTORIES",
    "HYPOTHESIS_PROFILE",
}
KEPT |= {
    "HOME",
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "PATH",
    "PWD",
    "SHELL",
    "USER",
    "VIRTUAL_ENV",
    "XDG_RUNTIME_DIR",
}
KEPT |= {
    "COLUMNS",
    "FORCE_COLOR",
    "LANG",
    "LANGUAGE",
    "LINES",
    "NO_COLOR",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
}
KEPT_PREFIXES = ("COVERAGE_", "LC_", "PYTEST_", "PYTHON", "TEST_", "_PYTEST")
HIDDEN = "TEST_HIDDEN"
"""Holds, as JSON, what was taken away: workers of pytest-xdist begin with what is left."""
GUARD = Path(__file__).resolve().parent / "guard"
NOTHING = {
    "ENV_FILE": os.devnull,
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
}
"""Where a process of the tests finds settings: nowhere."""


def hide() -> None:
    """Take the machine's settings out of this process, and of all that it will start; refuse other hosts in them."""
    hidden = {name: value for name, value in os.environ.items() if not is_kept(name) or name in NOTHING}
    for name in hidden:
        del os.environ[name]
    os.environ[HIDDEN] = json.dumps(json.loads(os.environ.get(HIDDEN, "{}")) | _foreign(hidden))
    os.environ.update(guarded())
    importlib.import_module("tests.guard.sitecustomize")


def is_kept(name: str) -> bool:
    """Whether a variable is left to tests."""
    return name in KEPT or name.startswith(KEPT_PREFIXES)


def guarded() -> dict[str, str]:
    """The variables that keep a process away from settings and other hosts."""
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if str(GUARD) not in paths:
        paths.insert(0, str(GUARD))
    return {**NOTHING, "TEST_GUARD": "on", "PYTHONPATH": os.pathsep.join(paths)}


def bare(**more: str) -> dict[str, str]:
    """The environment of a process that has these variables and no other settings."""
    return {"PATH": os.environ["PATH"], **guarded(), **more}


def whole() -> dict[str, str]:
    """The machine's own environment, for tools that fetch what tests need."""
    hidden: dict[str, str] = json.loads(os.environ.get(HIDDEN, "{}"))
    ours = {HIDDEN, "TEST_GUARD", "PYTHONPATH", *NOTHING}
    return {name: value for name, value in os.environ.items() if name not in ours} | hidden


def _foreign(hidden: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in hidden.items() if NOTHING.get(name) != value}
