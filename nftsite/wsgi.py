"""The WSGI entry: `nftsite.wsgi:application`. What holds for web processes, but not for commands, is set here."""

from __future__ import annotations

import gc
import logging
import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import ens_normalize  # noqa: F401 - makes its tables before the workers are forked, not in a request
from django.conf import settings
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

from core.db.planning import tune_for_pages
from core.db.time_limit import end_slow_queries
from core.logs import logging_config

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

CHARSET = re.compile(r""";\s*charset\*?\d*\*?\s*=\s*("[^"]*"|[^;]*)""", re.IGNORECASE)
LONGEST_TYPE = 512
"""Bytes of a Content-Type that is looked at; parsing a longer one costs the square of its length, several times."""
UNKNOWN_TYPE = "application/octet-stream"
logger = logging.getLogger("nftsite")


def refuse_faulty_settings() -> None:
    """Run the system checks and log their warnings; raises ImproperlyConfigured with all that is wrong."""
    told = [message for message in run_checks() if not message.is_silenced()]
    for message in told:
        if not message.is_serious():
            logger.warning("%s", message)
    faults = [str(message) for message in told if message.is_serious()]
    if faults:
        raise ImproperlyConfigured("\n".join(faults))


def made_readable(application: WSGIApplication) -> WSGIApplication:
    """Read all text as UTF-8, whatever charset a Content-Type names, and take off the prefix of PUBLIC_BASE_URL.

    Django would decode even the query string by the charset, before any error handling, and fail at one that is no
    text (`rot13`). A Content-Type that it cannot parse, or that is too long, has no meaning. The prefix is there when
    a proxy passes addresses on as they are.
    """
    prefix = settings.FORCE_SCRIPT_NAME or ""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        given = environ.get("CONTENT_TYPE", "")
        try:
            named = CHARSET.sub("", given) if len(given) <= LONGEST_TYPE else UNKNOWN_TYPE
            parse_header_parameters(named)
        except (LookupError, ValueError):
            named = UNKNOWN_TYPE
        environ["CONTENT_TYPE"] = named
        path = environ.get("PATH_INFO", "")
        if prefix and f"{path}/".startswith(f"{prefix}/"):
            environ["PATH_INFO"] = path.removeprefix(prefix) or "/"
        return application(environ, start_response)

    return answer


def spare_looking_for_cycles() -> None:
    """Have Python look for cycles of garbage every dozens of pages, rather than several times in each.

    A page leaves some 300 objects in cycles behind, and while it is made it has thousands. What was made at the start
    stays, and workers share its memory.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nftsite.settings")
settings.LOGGING = logging_config(settings.LOG_LEVEL, settings.LOG_FORMAT, stream="stdout")
application = made_readable(get_wsgi_application())
if settings.OTEL_EXPORTER_OTLP_ENDPOINT:
    from nftsite.tracing import traced

    application = traced(application)
tune_for_pages(settings.DATABASES, settings.STATEMENT_TIMEOUT)
end_slow_queries(settings.STATEMENT_TIMEOUT)
refuse_faulty_settings()
spare_looking_for_cycles()
