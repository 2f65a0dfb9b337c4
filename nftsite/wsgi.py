"""The WSGI entry: `nftsite.wsgi:application`. What holds for web processes, but not for commands, is set here."""

import os

from django.conf import settings
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from nftsite.environment import limit_statements


def refuse_faulty_settings() -> None:
    """Run the system checks, as commands do; raises ImproperlyConfigured with all that is wrong."""
    faults = [str(message) for message in run_checks() if message.is_serious()]
    if faults:
        raise ImproperlyConfigured("\n".join(faults))


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nftsite.settings")
application = get_wsgi_application()
limit_statements(settings.DATABASES, settings.STATEMENT_TIMEOUT)
refuse_faulty_settings()
