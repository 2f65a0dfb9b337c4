"""What a transfer was by its two ends alone (decisions, section 6)."""

from __future__ import annotations

from core.addresses import DEAD_ADDRESS
from transfers.ledger.ledger import NOBODY


def plain_type(sender: str | None, receiver: str | None) -> str | None:
    """Return ``mint`` for what comes from nobody, ``burn`` for what goes there or to ``0x…dEaD``, else ``None``.

    An end that is ``None`` is not known, and tells nothing.
    """
    if sender in NOBODY:
        return "mint"
    return "burn" if receiver in NOBODY or receiver == DEAD_ADDRESS else None
