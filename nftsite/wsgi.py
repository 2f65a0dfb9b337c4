"""The WSGI entry: `nftsite.wsgi:application`. What holds for web processes, but not for commands, is set here."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import ens_normalize  # noqa: F401 - makes its tables before the workers are forked, not in a request
from django.conf import settings
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from nftsite.environment import tune_for_pages
from nftsite.logs import logging_config

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

logger = logging.getLogger("nftsite")


def refuse_faulty_settings() -> None:
    """Run the system checks and log their warnings; raises ImproperlyConfigured with all that is wrong."""
    told = run_checks()
    for message in told:
        if not message.is_serious():
            logger.warning("%s", message)
    faults = [str(message) for message in told if message.is_serious()]
    if faults:
        raise ImproperlyConfigured("\n".join(faults))


def without_charset(application: WSGIApplication) -> WSGIApplication:
    """Drop the Content-Type of requests that have no body.

    Django would decode the query string by its charset, and fail outside of all error handling at one that is no text
    (``charset=rot13``).
    """

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] in {"GET", "HEAD", "OPTIONS"}:
            environ.pop("CONTENT_TYPE", None)
        return application(environ, start_response)

    return answer


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nftsite.settings")
settings.LOGGING = logging_config(settings.LOG_LEVEL, settings.LOG_FORMAT, stream="stdout")
application = without_charset(get_wsgi_application())
tune_for_pages(settings.DATABASES, settings.STATEMENT_TIMEOUT)
refuse_faulty_settings()
