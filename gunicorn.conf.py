"""How gunicorn serves the API. Started by `make run`, or `gunicorn nftsite.wsgi` in this folder."""

import os
from pathlib import Path
from typing import Any

from core.environment import Environment
from core.logs import logging_config
from nftsite.server import counting

MEMORY = "/dev/shm"  # noqa: S108 - gunicorn makes unpredictable names in it
env = Environment(dotenv=Path(__file__).parent / ".env")

wsgi_app = "nftsite.wsgi:application"
bind = env.listening()
if (admin := env.one_address("ADMIN_BIND")) and admin not in bind:
    bind.append(admin)
# Said here because gunicorn itself reads the variable before it has read this file, and so before `.env`.
forwarded_allow_ips = ",".join(env.networks("FORWARDED_ALLOW_IPS", default=["127.0.0.1", "::1"]))

# Threads have a database connection each, and never wait for a client: the worker's event loop does.
worker_class = "nftsite.server.worker.BufferingWorker"
workers = env.whole_number("WEB_CONCURRENCY", default=2, minimum=1, maximum=512)
threads = env.whole_number("WEB_THREADS", default=4, minimum=1, maximum=128)
timeout = env.whole_number("WEB_TIMEOUT", default=30, minimum=1, maximum=3600)
# A statement that is at work when the service is stopped still gets its answer.
graceful_timeout = (env.whole_number("STATEMENT_TIMEOUT", default=15, maximum=3600) or 15) + 5
keepalive = 5
worker_connections = 800  # below the 1,024 open files that a process has at most by default
sendfile = False  # the event loop sends
# A wrong setting stops the start with one message, and the workers share the code's memory. Nothing connects to the
# database before the fork.
preload_app = True
worker_tmp_dir = MEMORY if os.access(MEMORY, os.W_OK) else None  # heartbeats wait for no disk

# The longest valid query has about 7,000 bytes; what is longer is told so by our own answer. All headers together:
# nftsite/server/connections.py.
limit_request_line = 8190
forwarder_headers = ""  # no header of a request says where in the address space the service lives

control_socket_disable = True  # it would be made in the home folder, and nothing here needs it
accesslog = None  # the access log is core.rest.headers', with request ids
logconfig_dict = logging_config(
    level=env.choice("LOG_LEVEL", ["INFO", "DEBUG", "WARNING", "ERROR"]),
    style=env.choice("LOG_FORMAT", ["json", "text"]),
    stream="stdout",
)

# Requests are counted over all workers, for /metrics.
BASE = Path(__file__).resolve().parent
counting.use_folder(env.path("VAR_DIR", default=BASE / "var", base=BASE) / "metrics")


def post_fork(server: Any, worker: Any) -> None:
    """A worker begins."""
    counting.begins()


def child_exit(server: Any, worker: Any) -> None:
    """A worker has ended, or was killed."""
    counting.ended(worker.pid)
