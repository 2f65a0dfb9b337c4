"""Django's router where there are replicas: a request reads one server, and the primary alone is written to."""

from __future__ import annotations

from typing import Any

from django.db import DEFAULT_DB_ALIAS

from core.db.reading import server


class OneServerRouter:
    """Reads from the server that the request was given (`core/rest/servers.py`); outside of one, from the primary."""

    def db_for_read(self, model: Any, **_: Any) -> str:
        return server()

    def db_for_write(self, model: Any, **_: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, *_: Any, **__: Any) -> bool:
        """All are one database."""
        return True

    def allow_migrate(self, db: str, *_: Any, **__: Any) -> bool:
        """Tables come to replicas by themselves."""
        return db == DEFAULT_DB_ALIAS
