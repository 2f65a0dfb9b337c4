"""Arguments that several commands take."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.management.base import CommandError

from core.chains import EVM, MINT
from core.db.keys import MAX_BLOCK
from tokens.management.arguments import known_chain
from tokens.store.chains import ChainRow


def block_number(text: str) -> int:
    """Return a block number; raises ``ValueError`` for what is none."""
    if not (text.isascii() and text.isdigit()) or int(text) > MAX_BLOCK:
        raise ValueError
    return int(text)


block_number.__name__ = "block number"  # what argparse calls a value that is none


def evm_chain(name: str, rows: Mapping[str, ChainRow]) -> ChainRow:
    """Return the EVM chain that a slug, an EIP-155 id or a CAIP-2 name stands for; raises ``CommandError``."""
    row = known_chain(name, rows)
    if row.kind != EVM or row.chain_id is None:
        raise CommandError(f"{row.slug} is no EVM chain with an id: its transfers come by `load`.")
    return row


def mint_chain(name: str, rows: Mapping[str, ChainRow]) -> ChainRow:
    """Return the mint-identified chain of a slug; raises ``CommandError``."""
    row = known_chain(name, rows)
    if row.kind != MINT:
        raise CommandError(f"{row.slug} does not identify NFTs by mints: `index` reads it.")
    return row
