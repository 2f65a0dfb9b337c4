"""The `.env` file: lines as shells and compose read them, and names that nobody reads, told before they are missed.

python-dotenv parses the lines (blanks around `=`, quotes, `export`, comments). `$` has no meaning in a value.
"""

import os
import re
from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from dotenv.parser import parse_stream

FOREIGN = re.compile(
    r"OTEL_EXPORTER_OTLP_(TRACES|METRICS|LOGS)_.*|(AWS|BOTO|COMPOSE|DJANGO|DOCKER|GIT|GUNICORN|LC|NODE|NPM_CONFIG|PG|PIP|POSTGRES|PYTHON|TEST|TUNNEL)_?.*"
    r"|(HTTPS?|NO|ALL|FTP)_PROXY|(CURL|REQUESTS|SSL)_.*|HOME|LANG|MAKEFLAGS|PATH|TMPDIR|TZ|USER|CI|JOBS",
    re.IGNORECASE,
)
"""Variables that others read, so that a `.env` may well have them beside ours."""
SURE = 0.85
"""How like one of ours a variable of the process must be to be called misspelt: the environment is everybody's."""

SHORT = 8
"""Letters below which a likeness says nothing (HOSTS)."""


def read(path: Path) -> dict[str, str]:
    """The file's variables. Raises ImproperlyConfigured, with the number of the line, where one cannot be read.

    Values may be passwords and are never part of a message.
    """
    try:
        with path.open(encoding="utf-8-sig") as stream:
            bindings = list(parse_stream(stream))
    except (OSError, UnicodeDecodeError) as fault:
        raise ImproperlyConfigured(f"{path} cannot be read ({type(fault).__name__}).") from None
    found = {}
    for binding in bindings:
        if binding.error or (binding.key is not None and binding.value is None):
            line = binding.original.line + _blank_lines(binding.original.string)
            raise ImproperlyConfigured(f"{path}, line {line}, is no NAME=value.")
        if binding.key is not None and binding.value is not None:
            if "\x00" in binding.value or "=" in binding.key:
                raise ImproperlyConfigured(f"{path}: {binding.key} cannot be set to this.")
            found[binding.key] = binding.value
    return found


def refuse_unknown(
    path: Path, named: Collection[str], known: Collection[str], prefixes: Collection[str]
) -> None:
    """Raise ImproperlyConfigured for the names of the file that are no setting, each with the nearest that is one."""
    faults = []
    for name in named:
        if name in known or name.startswith(tuple(prefixes)) or FOREIGN.fullmatch(name):
            continue
        near = get_close_matches(name.upper(), [*known, *prefixes], n=1, cutoff=0.5)
        hint = f" Did you mean {near[0]}?" if near else " .env.example lists them."
        faults.append(f"{name} in {path} is no setting.{hint}")
    if faults:
        raise ImproperlyConfigured("\n".join(faults))


def misspelt(known: Collection[str], prefix: str, ends: Collection[str]) -> list[tuple[str, str]]:
    """The variables of the process that are nearly, but not quite, a setting, each with that setting.

    ``prefix`` begins settings of which each chain has one; what follows it is compared with ``ends`` by itself, and may
    be the name of any chain.
    """
    found = []
    for name in sorted(os.environ):
        head, words = (prefix, ends) if name.startswith(prefix) else ("", known)
        word = name.removeprefix(head)
        if word in words or FOREIGN.fullmatch(name) or len(name) < SHORT:
            continue
        near = get_close_matches(word.upper(), words, n=1, cutoff=SURE)
        if near:
            found.append((name, head + near[0]))
    return found


def _blank_lines(text: str) -> int:
    return len(text) - len(text.lstrip("\r\n"))
