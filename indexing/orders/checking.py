"""Checks asks at their contracts beside the reading of books, by the chain's node, where the operator named one."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from core.net.rpc.errors import NodeError
from core.net.rpc.jsonrpc import Node
from indexing.node.agreement import InconsistentAnswersError
from indexing.node.source import Source
from indexing.node.transactions import MalformedAnswerError
from indexing.write import checkpoints, checks
from tokens.store.chains import ChainRow

logger = logging.getLogger(__name__)

TIMEOUT = 10.0
"""Seconds for each read."""


class Checker:
    """Checks a chain's asks as of its newest indexed block, or of its newest where nothing of it is indexed."""

    def __init__(self, chain: ChainRow, source: Source | None) -> None:
        """Without a source nothing is ever checked."""
        self._chain = chain
        self._source = source

    def check(self) -> bool:
        """Check a round of asks that are due; return whether more may be. A node that fails is told of in the log."""
        if self._source is None or not checks.is_any_due(self._chain, int(time.time())):
            return False
        try:
            newest = checkpoints.newest(self._chain)
            header = self._source.headers([self._source.head() if newest is None else newest])[0]
            if header is None:
                return False
            as_of = checks.AsOf(header.number, header.timestamp)
            return checks.check(self._chain, self._source.ask, as_of) == checks.AT_ONCE
        except (NodeError, InconsistentAnswersError, MalformedAnswerError) as fault:
            logger.warning("%s: no ask is checked now: %s", self._chain.slug, fault)
            return False


@contextmanager
def checker(chain: ChainRow, urls: Sequence[str]) -> Iterator[Checker]:
    """Open a checker by a chain's nodes, if there are any. Raises ``ValueError`` for what is no address of one."""
    if not urls:
        yield Checker(chain, None)
        return
    source = Source(Node(list(urls), timeout=TIMEOUT, expect_chain_id=chain.chain_id), chain.chain_id or 0)
    try:
        yield Checker(chain, source)
    finally:
        source.close()
