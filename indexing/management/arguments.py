"""Arguments that several commands take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.core.management.base import CommandError

from core.chains import EVM, MINT
from core.db.keys import MAX_BLOCK
from indexing.models import IndexedChain
from tokens.management.arguments import known_chain
from tokens.store import chains
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


def indexed_chains(names: Sequence[str]) -> list[ChainRow]:
    """Return the EVM chains of these names, without any all that were indexed; raises ``CommandError`` for none."""
    rows = chains.known()
    if names:
        return [evm_chain(name, rows) for name in names]
    indexed = set(IndexedChain.objects.values_list("pk", flat=True))
    found = [row for row in rows.values() if row.id in indexed]
    if not found:
        raise CommandError("No chain has been indexed from a node: there is no evidence to go by.")
    return found


def mint_chain(name: str, rows: Mapping[str, ChainRow]) -> ChainRow:
    """Return the mint-identified chain of a slug; raises ``CommandError``."""
    row = known_chain(name, rows)
    if row.kind != MINT:
        raise CommandError(f"{row.slug} does not identify NFTs by mints: `index` reads it.")
    return row
