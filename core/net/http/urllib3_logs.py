"""Keeps the URLs of requests, which may be keys, out of what urllib3 logs."""

from __future__ import annotations

import logging


class _HidesTargets(logging.Filter):
    """Takes the paths of URLs out of urllib3's debug lines."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple("/…" if argument in self.targets else argument for argument in record.args)
        return True


class _DropsHeaderFaults(logging.Filter):
    """Drops the warning of headers that cannot be parsed: it quotes the URL, and whatever the server put there."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith("Failed to parse headers")


_hides_targets = _HidesTargets()
_drops_header_faults = _DropsHeaderFaults()


def keep_urls_out(target: str = "/") -> None:
    """See to it that no log line of urllib3 holds a request's URL; of nodes' URLs name the `target`: path and query."""
    logging.getLogger("urllib3.connectionpool").addFilter(_hides_targets)
    logging.getLogger("urllib3.connection").addFilter(_drops_header_faults)
    if len(target) > 1:
        _hides_targets.targets.add(target)
