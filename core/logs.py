"""How log lines look: one JSON object a line, each with the id of the request it belongs to.

Shared by Django (settings) and gunicorn (gunicorn.conf.py), so that one process writes one format. Imports no Django.
"""

import logging
from contextvars import ContextVar
from typing import Any

NO_REQUEST = "-"
request_id: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)
"""The id of the request that the current thread answers; NO_REQUEST outside of requests."""


class RequestIdFilter(logging.Filter):
    """Adds `request_id` to every record, and lets every record pass."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


def logging_config(level: str, style: str, stream: str = "stderr") -> dict[str, Any]:
    """The dictConfig of the whole process. `style` is "json" or, for eyes, "text"; `stream` is "stdout" or "stderr".

    Web processes log to standard output; commands to standard error, since their output may be data (`dump`).
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": RequestIdFilter}},
        "formatters": {
            "json": {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "fmt": "%(asctime)s %(levelname)s %(name)s %(message)s %(request_id)s",
                "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
                # A Django record carries the request and a socket, which are no JSON and no news.
                "reserved_attrs": [*STANDARD_ATTRIBUTES, "request", "server_time"],
            },
            "text": {"format": "%(asctime)s %(levelname)-7s %(name)s [%(request_id)s] %(message)s"},
        },
        "handlers": {
            "stream": {
                "class": "logging.StreamHandler",
                "stream": f"ext://sys.{stream}",
                "formatter": style,
                "filters": ["request_id"],
            }
        },
        "root": {"level": level, "handlers": ["stream"]},
        "loggers": {
            # Django's own default handlers are replaced, or each line would come twice.
            "django": {"level": level, "handlers": [], "propagate": True},
            "django.server": {"level": level, "handlers": [], "propagate": True},
            # A refused request has its line in the access log already.
            "django.request": {"level": "ERROR"},
            # The statements themselves, parameters included, are nothing for a log.
            "django.db.backends": {"level": "INFO"},
            # Its version with each start, and each step of counting a login.
            "axes": {"level": "WARNING"},
            "gunicorn.error": {"level": level, "handlers": [], "propagate": True},
        },
    }


STANDARD_ATTRIBUTES = [*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"]
"""What every log record has; anything else on it came by `extra=` and belongs in the line."""
