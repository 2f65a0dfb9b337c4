"""Logins of operators: few guesses an address, and little of the machine for all guesses together.

django-axes counts failures in the database, so that all workers know them, and refuses an address that has too many
before its password is looked at. What it cannot know is added: from where a client came (`core/clients.py`), and that
to check a password takes half a second of a core, so that only one is checked at a time on this machine.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.http import HttpRequest


class BusyError(Exception):
    """A password is being checked already; to be tried again in a second."""


class FailureHandler(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """Counts failed logins, and writes nothing about those that were refused unseen."""

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: Any = None, **kwargs: Any
    ) -> None:
        """Record a failure; one that was locked out neither costs a write nor prolongs the lock."""
        if not request.axes_locked_out:
            super().user_login_failed(sender, credentials, request, **kwargs)


class OneAtATimeBackend(ModelBackend):
    """Django's own backend, with one check of a password at a time on this machine.

    After a wrong one the next has to wait for as long again: strangers take half of a core at most.
    """

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **more: Any,
    ) -> User | None:
        """The user, or nobody. Raises BusyError while another password is checked."""
        with slot(Path(settings.VAR_DIR)):
            began = time.monotonic()
            user = super().authenticate(request, username=username, password=password, **more)
            if user is None:
                time.sleep(min(time.monotonic() - began, 1.0))
        return user


@contextmanager
def slot(folder: Path) -> Iterator[None]:
    """Hold the machine's one place for checking passwords; a process that dies gives it back.

    Raises BusyError when it is taken.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "login.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BusyError from None
        yield
