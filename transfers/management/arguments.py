"""Arguments that several commands take."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.management.base import CommandError

from nftsite.chains import EVM, MINT
from nftsite.db.keys import MAX_BLOCK
from tokens.store.chains import ChainRow


def block_number(text: str) -> int:
    """Return a block number; raises ``ValueError`` for what is none."""
    if not (text.isascii() and text.isdigit()) or int(text) > MAX_BLOCK:
        raise ValueError
    return int(text)


block_number.__name__ = "block number"  # what argparse calls a value that is none


def evm_chain(name: str, rows: Mapping[str, ChainRow]) -> ChainRow:
    """Return the EVM chain that a slug, an EIP-155 id or a CAIP-2 name stands for; raises ``CommandError``."""
    wanted = name.strip().lower()
    for row in rows.values():
        if wanted in (row.slug, str(row.chain_id), f"eip155:{row.chain_id}"):
            if row.kind != EVM or row.chain_id is None:
                raise CommandError(f"{row.slug} is no EVM chain with an id: its transfers come by `load`.")
            return row
    raise CommandError(f"The chain {name!r} is not known; known are {', '.join(sorted(rows))}.")


def mint_chain(name: str, rows: Mapping[str, ChainRow]) -> ChainRow:
    """Return the mint-identified chain of a slug, in any letter case; raises ``CommandError``."""
    row = rows.get(name.strip().lower())
    if row is None:
        raise CommandError(f"The chain {name!r} is not known; known are {', '.join(sorted(rows))}.")
    if row.kind != MINT:
        raise CommandError(f"{row.slug} does not identify NFTs by mints: `index` reads it.")
    return row
