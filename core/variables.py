"""Reads variables of the environment, and of a file beside it, as plain kinds: text, flag, number, word, path, network.

django-environ's casts are too lenient for us (`DEBUG=ture` would quietly be false) or do not say which variable was
wrong. Knows nothing of Django's settings module, nor what a variable is for.
"""

import ipaddress
import os
from collections.abc import Collection, Sequence
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from core import dotenv_file

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off"})


def wrong(name: str, kind: str, value: str) -> ImproperlyConfigured:
    """Return the refusal of a value that a variable has; not for values that may hold a key or a password."""
    return ImproperlyConfigured(f"{name} must be {kind}, not {value!r}.")


class Variables:
    """Typed access to environment variables; each reader raises ImproperlyConfigured naming the variable."""

    def __init__(self, dotenv: Path | None = None) -> None:
        """Take the process environment, completed (never overridden) by the file `dotenv` when there is one.

        ENV_FILE in the process environment names another file in its place.
        """
        self.asked: set[str] = set()
        self.prefixes: set[str] = set()
        if dotenv is not None:
            dotenv = dotenv.parent / (os.environ.get("ENV_FILE", "").strip() or dotenv)
        self.file = dotenv if dotenv is not None and dotenv.is_file() else None
        self.in_file = dotenv_file.read(self.file) if self.file is not None else {}
        for name, value in self.in_file.items():
            os.environ.setdefault(name, value)

    def refuse_unknown(self, known: Collection[str]) -> None:
        """Raise ImproperlyConfigured for what the file names and nobody reads: see `dotenv_file.refuse_unknown`."""
        if self.file is not None:
            dotenv_file.refuse_unknown(self.file, self.in_file, known, self.prefixes)

    def text(self, name: str, default: str = "") -> str:
        """The variable without outer white space; a blank one counts as unset."""
        self.asked.add(name)
        return os.environ.get(name, "").strip() or default

    def flag(self, name: str, default: bool) -> bool:
        """A boolean written as true/false, 1/0, yes/no or on/off."""
        value = self.text(name).lower()
        if not value:
            return default
        if value in TRUE_WORDS:
            return True
        if value in FALSE_WORDS:
            return False
        raise wrong(name, "true or false", value)

    def whole_number(self, name: str, default: int, minimum: int = 0, maximum: int = 2**31 - 1) -> int:
        """A whole number between `minimum` and `maximum`, both included."""
        value = self.text(name)
        if not value:
            return default
        if not (value.isascii() and value.isdigit()) or not minimum <= int(value) <= maximum:
            raise wrong(name, f"a whole number from {minimum} to {maximum}", value)
        return int(value)

    def choice(self, name: str, allowed: Sequence[str]) -> str:
        """One of `allowed`, in any letter case; the first of them when unset."""
        value = self.text(name, default=allowed[0])
        for word in allowed:
            if value.lower() == word.lower():
                return word
        raise wrong(name, f"one of {', '.join(allowed)}", value)

    def words(self, name: str, default: list[str] | None = None) -> list[str]:
        """A comma-separated list without blank entries."""
        listed = [word.strip() for word in self.text(name).split(",")]
        return [word for word in listed if word] or list(default or [])

    def path(self, name: str, default: Path, base: Path) -> Path:
        """A path; a relative one is taken from `base`, not from wherever the process was started."""
        value = self.text(name)
        return (base / Path(value).expanduser()).resolve() if value else default

    def networks(self, name: str, default: Sequence[str]) -> list[str]:
        """IP addresses and networks (`10.0.0.0/8`), comma separated, or `*` for any."""
        found = self.words(name, default=list(default))
        for word in found:
            try:
                if word != "*":
                    ipaddress.ip_network(word)
            except ValueError as fault:
                raise ImproperlyConfigured(f"{name} takes IP addresses, networks or *: {fault}.") from None
        return found
