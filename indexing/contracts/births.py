"""When contracts came into being, where nobody says from which block on to index them."""

from __future__ import annotations

import logging

from indexing.node.asking import Ask, has_code

logger = logging.getLogger(__name__)


def first_block(address: str, head: int, ask: Ask) -> int:
    """Return the block in which a contract was made, by halving, in about 25 calls of ``eth_getCode``.

    0, with a word in the log, where there is no telling: it has no code at ``head``, or the node keeps no old states.
    Raises ``NodeError`` while the node does not answer.
    """

    def exists(number: int) -> bool | None:
        (code,) = ask([("eth_getCode", [address, hex(number)])])
        return has_code(code)

    if exists(head) is False:
        logger.warning("%s has no code at block %d: it is read from block 0", address, head)
        return 0
    low, high = 0, head
    while low < high:
        middle = (low + high) // 2
        found = exists(middle)
        if found is None:
            text = "the node cannot tell when %s was made (not as of block %d): it is read from block 0"
            logger.warning(text, address, middle)
            return 0
        low, high = (low, middle) if found else (middle + 1, high)
    return low
