"""Arguments that several commands take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from core.addresses import is_mint
from core.chains import EVM, node_setting
from core.db.keys import UINT256_MAX, token_key
from tokens.models import Contract
from tokens.store.chains import ChainRow


def add_many(
    parser: CommandParser, name: str, *, metavar: str, help: str, type: Callable[[str], Any] = str
) -> None:
    """Have a command take an option any number of times, as a list."""
    parser.add_argument(
        name, action="append", default=[], type=type, metavar=metavar, help=f"{help}; repeat for more"
    )


def add_nodes(parser: CommandParser, kind: str = "node") -> None:
    """Have a command take ``--rpc-url``: nodes of the chain that ``--chain`` names."""
    parser.add_argument(
        "--rpc-url",
        action="append",
        default=[],
        metavar="URL",
        help=f"a {kind} of the chain; repeat for fail-over",
    )


def node_urls(slug: str, given: list[str], kind: str = "node") -> list[str]:
    """Return the nodes of a chain: those given by ``--rpc-url``, else the configured ones; raises ``CommandError``."""
    urls: list[str] = given or settings.RPC_URLS.get(slug, [])
    if not urls:
        raise CommandError(f"Name a {kind} of {slug} by --rpc-url or in {node_setting(slug)}.")
    return urls


def known_chain(name: str, rows: Mapping[str, ChainRow]) -> ChainRow:
    """Return the chain that a slug, an EIP-155 id or a CAIP-2 name stands for; raises ``CommandError``."""
    wanted = name.strip().lower()
    for row in rows.values():
        if wanted == row.slug or (row.chain_id and wanted in (str(row.chain_id), f"eip155:{row.chain_id}")):
            return row
    raise CommandError(f"The chain {name!r} is not known; known are {', '.join(sorted(rows))}.")


def known_contracts(addresses: Iterable[str], chain: ChainRow | None) -> list[int]:
    """Return the ids of contracts and collections with these addresses, on one chain or on whichever they are known.

    The letter case of an EVM address does not matter. Raises ``CommandError`` for one that is not known.
    """
    found: dict[int, None] = {}
    for address in map(str.strip, addresses):
        rows = Contract.objects.filter(folded_address=address.lower())
        rows = rows.filter(chain_id=chain.id) if chain else rows
        named = rows.values_list("id", "address", "chain__kind")
        ids = [row_id for row_id, stored, kind in named if kind == EVM or stored == address]
        if not ids:
            where = f" on {chain.slug}" if chain else ""
            raise CommandError(f"The contract {address!r} is not known{where}.")
        found |= dict.fromkeys(ids)
    return list(found)


def token_key_of(text: str) -> str:
    """Return the sort key of a token id: decimal, hexadecimal with 0x, or a mint. Raises ``ValueError``."""
    wanted = text.strip()
    if is_mint(wanted) and not wanted.isdigit():
        return token_key(wanted)
    number = int(wanted, 16 if wanted[:2].lower() == "0x" else 10)
    if not 0 <= number <= UINT256_MAX:
        raise ValueError(text)
    return token_key(str(number))


token_key_of.__name__ = "token id"  # what argparse calls a value that is none
