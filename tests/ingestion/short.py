"""A short chain, for tests of what happens to a chain or to a node while it is read."""

from __future__ import annotations

from tests.ingestion.chain import Chain, nft, tx, units
from tests.ingestion.encoding import ALICE, BOB, ZERO

MINT, SALE, GIFT = tx(nft(1, ZERO, ALICE)), tx(nft(1, ALICE, BOB)), tx(units(7, ZERO, ALICE, 9))


class EndedError(Exception):
    """Ends a run that would follow for ever."""


def mint_sale_gift() -> Chain:
    """A mint in block 1, a sale in block 2, another mint in block 3."""
    made = Chain()
    for one in (MINT, SALE, GIFT):
        made.mine(one)
    return made
