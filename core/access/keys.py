"""Keys: made, recognised, and when they were last used."""

from __future__ import annotations

import hashlib
import logging
import re
import secrets
import threading
from dataclasses import dataclass
from datetime import timedelta

from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.db.models import Q
from django.utils import timezone

from core.access.models import ApiKey
from core.quotas import Quota, quota_of

MARK = "nft_"
"""Every key begins with it, so that people and scanners of secrets recognise one."""
SHOWN = len(MARK) + 6
"""Characters that are kept in the clear, to tell keys apart; 36 of 256 bits."""
USE_SECONDS = 60
"""Between two writes of when a key was last used."""

_TOKEN = re.compile(rf"{MARK}[A-Za-z0-9_-]{{43}}", re.ASCII)
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Key:
    """A key that may be used: its number, and its own quota if it has one."""

    id: int
    quota: Quota | None


def new_token() -> str:
    """Return a new key: 256 random bits behind :data:`MARK`."""
    return MARK + secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    """Return what is kept of a key."""
    return hashlib.sha256(token.encode()).hexdigest()


def key_of(token: str) -> Key | None:
    """Return the key, by one query; ``None`` for one that is not known, revoked, or over.

    Each request asks the primary database: no process and no replica goes on with a key that was revoked.
    """
    if not _TOKEN.fullmatch(token):
        return None
    now = timezone.now()
    found = (
        ApiKey.objects.using(DEFAULT_DB_ALIAS)
        .filter(Q(expires_at=None) | Q(expires_at__gt=now), digest=digest_of(token), revoked_at=None)
        .values_list("id", "quota", "last_used_at")
        .first()
    )
    if found is None:
        return None
    number, quota, last = found
    if last is None or now - last >= timedelta(seconds=USE_SECONDS):
        uses.note(number)
    return Key(number, quota_of(quota) if quota else None)


class Uses:
    """Writes when keys were last used, by a thread of its own: no page waits for a lock or a write."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._due: set[int] = set()
        self._at_work = False

    def note(self, number: int) -> None:
        """Have it written that a key is being used; at once, unless others are being written."""
        with self._lock:
            self._due.add(number)
            begins = not self._at_work
            self._at_work = True
        if begins:
            threading.Thread(target=self._run, name="uses of keys", daemon=True).start()

    def _run(self) -> None:
        while True:
            with self._lock:
                due, self._due = self._due, set()
                self._at_work = bool(due)
            if not due:
                connections[DEFAULT_DB_ALIAS].close()
                return
            try:
                write_uses(due)
            except Error as fault:  # the next use is a new attempt
                logger.warning("When keys were used could not be written: %s", type(fault).__name__)


def write_uses(numbers: set[int]) -> None:
    """Write that these keys are being used, where that was not written within the minute."""
    now = timezone.now()
    rows = ApiKey.objects.using(DEFAULT_DB_ALIAS).filter(id__in=numbers)
    rows.filter(Q(last_used_at=None) | Q(last_used_at__lte=now - timedelta(seconds=USE_SECONDS))).update(
        last_used_at=now
    )


uses = Uses()
