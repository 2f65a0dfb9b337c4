"""Whether makers let their markets move what they offer: asked once of each ask that a log opened, live or not.

An ask that sleeps may wake, and what one maker allows a market counts for all asks of theirs. From then on
``ApprovalForAll`` tells. Many contracts approve markets for everybody without a log, and who approved long ago left one
that no window has. Two calls an ask, in batches, each with bounded gas: a contract that burns all of it costs nobody
else.
"""

from __future__ import annotations

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from collections.abc import Sequence
from typing import NamedTuple

from core.db import bulk
from core.db.keys import uint_from_key
from core.net.rpc import abi
from core.net.rpc.errors import RpcError
from indexing.node.asking import NOT_TOLD, Ask, call
from indexing.node.logs import MOST_LOG_INDEX
from indexing.write.orders import next_place, word, word_of
from tokens.models import Ask as AskRow
from tokens.models import Contract, Nft
from tokens.store.chains import ChainRow
from transfers.ledger.order_facts import OrderEvent, OrderKind
from transfers.ledger.orders import Placed
from transfers.models import OrderEvent as Kept

# function isApprovedForAll(address,address) — ERC-721, ERC-1155
IS_APPROVED_FOR_ALL = "0xe985e9c5"

AT_ONCE = 500
"""Asks asked about in one go."""


class Unsure(NamedTuple):
    """An ask of which it is not known whether its maker lets the operator move the token."""

    maker: str
    operator: str
    contract: str
    token_key: str


def asked(chain: ChainRow, ask: Ask, unsure: Sequence[Unsure], block: int, timestamp: int) -> list[Placed]:
    """Return the approvals, as of a block, of some asks; one that the node does not tell is left out."""
    calls = []
    for one in unsure:
        calls += [
            call(
                one.contract, f"{IS_APPROVED_FOR_ALL}{word_of(one.maker)}{word_of(one.operator)}", hex(block)
            ),
            call(one.contract, abi.of_token(abi.GET_APPROVED, uint_from_key(one.token_key)), hex(block)),
        ]
    answers = ask(calls)
    placed: list[Placed] = []
    place = next_place(chain, block)
    for number, one in enumerate(unsure):
        of_all, of_one = answers[2 * number : 2 * number + 2]
        if of_all is NOT_TOLD or of_one is NOT_TOLD:
            continue
        for is_approved, token_id in _read(one, of_all, of_one):
            told = OrderEvent(
                OrderKind.APPROVED,
                market="",
                exchange="",
                log_index=MOST_LOG_INDEX,
                place=place + len(placed),
                contract=one.contract,
                token_id=token_id,
                maker=one.maker,
                operator=one.operator,
                is_approved=is_approved,
            )
            placed.append(Placed(told, block, timestamp, ""))
    return placed


def _read(one: Unsure, of_all: object, of_one: object) -> Sequence[tuple[bool | None, int | None]]:
    """Return what was answered for all of a maker's NFTs, and for this one, which counts where not all are approved.

    ``None`` where the contract fails: then nothing is known. What is said of this one tells that it was asked about.
    """
    whole = None if isinstance(of_all, RpcError) else word(of_all, 0)
    single = None if isinstance(of_one, RpcError) or whole is None else word(of_one, 0)
    return [
        (None if whole is None else whole == 1, None),
        (None if single is None else single == int(one.operator, 16), uint_from_key(one.token_key)),
    ]


def unsure(chain: ChainRow, since: int, block: int) -> list[Unsure]:
    """Return what was not asked of asks opened in blocks ``since`` to ``block``."""
    rows = bulk.fetch(
        "SELECT DISTINCT a.maker, a.operator, c.address, n.token_key "
        f"FROM {AskRow._meta.db_table} a JOIN {Contract._meta.db_table} c ON c.id = a.contract_id "
        f"JOIN {Nft._meta.db_table} n ON n.id = a.nft_id "
        "WHERE a.chain_id = %s AND a.opened_block BETWEEN %s AND %s AND a.operator IS NOT NULL "
        "AND a.maker IS NOT NULL AND NOT EXISTS ("
        f"SELECT 1 FROM {Kept._meta.db_table} e WHERE e.maker = a.maker AND e.operator = a.operator "
        "AND e.contract = c.address AND e.kind = 'approved' AND e.chain_id = a.chain_id "
        "AND e.token_key = n.token_key AND e.block_number >= a.opened_block) ORDER BY 1, 2, 3, 4",
        [chain.id, since, block],
    )
    return list(map(Unsure._make, rows))
