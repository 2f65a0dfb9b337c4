"""The WSGI entry: `nftsite.wsgi:application`. What holds for web processes, but not for commands, is set here."""

import os
from typing import Any

from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from nftsite.environment import POSTGRESQL


def limit_statements(databases: dict[str, dict[str, Any]], seconds: int) -> None:
    """Have PostgreSQL end a statement after `seconds` (0: never), before gunicorn gives up on its worker."""
    for database in databases.values():
        if seconds and database["ENGINE"] == POSTGRESQL:
            options = database.setdefault("OPTIONS", {})
            options["options"] = f"{options.get('options', '')} -c statement_timeout={seconds}s".strip()


def refuse_faulty_settings() -> None:
    """Run the system checks, as commands do; raises ImproperlyConfigured with all that is wrong."""
    faults = [str(message) for message in run_checks() if message.is_serious()]
    if faults:
        raise ImproperlyConfigured("\n".join(faults))


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nftsite.settings")
application = get_wsgi_application()

from django.conf import settings  # noqa: E402 - there are none before

limit_statements(settings.DATABASES, settings.STATEMENT_TIMEOUT)
refuse_faulty_settings()
