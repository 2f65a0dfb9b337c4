"""What holders had before indexing began: asked of the contract where transfers alone do not tell (ERC-1155).

Indexing may begin in the middle of a contract's history, and a contract may move units that it never minted. A
holder's opening balance is what ``balanceOf`` says at the end of a window less what the known transfers come to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nftsite.db import bulk
from nftsite.db.keys import uint_from_key, uint_key
from nftsite.net.addresses import ZERO_ADDRESS
from nftsite.net.rpc_errors import RpcError
from tokens.models import Contract, Nft, Owner
from tokens.store.chains import ChainRow
from transfers.ingest import abi
from transfers.ingest.contracts import GAS
from transfers.ingest.facts import moves_of
from transfers.ingest.moves import ERC1155, MAX_UINT256, Move
from transfers.ingest.transactions import Window
from transfers.models import Opening, Transfer
from transfers.store.openings import OpeningFacts
from transfers.store.transfers import KEY_COLUMNS

Ask = Callable[[Sequence[tuple[str, list[Any]]]], list[Any]]
Pair = tuple[str, int, str]
"""Contract, token id and holder."""


@dataclass(slots=True)
class _Flow:
    """What a holder gains over a window, from the ``block`` on that first names it; how low it is at worst."""

    block: int
    net: int = 0
    lowest: int = 0

    def add(self, units: int) -> None:
        self.net += units
        self.lowest = min(self.lowest, self.net)


class Balances:
    """Finds the opening balances of one chain. Remembers which contracts are indexed from their beginning."""

    def __init__(self, chain: ChainRow, ask: Ask) -> None:
        self._chain = chain
        self._ask = ask
        self._whole: dict[str, bool] = {}

    def openings(self, window: Window, first_block: int) -> list[OpeningFacts]:
        """Return the opening balances that become known with a window; ``first_block`` is where indexing began.

        Of a contract that is older than that, every holder is asked for when first seen; of any, a holder that would
        give more than it has. One that the node cannot tell is ``None`` where it would be below nothing.
        """
        # Those of no unit too: they make a row of a holder, who then is not seen for the first time any more.
        moves = [move for _, move in moves_of(window) if move.standard == ERC1155]
        if not moves:
            return []
        self._look_up({move.contract for move in moves}, first_block)
        held = self._held(moves)
        if not self._doubtful(_flows(moves), held):
            return []
        moves = self._unstored(moves)  # what is stored already is in what they hold
        flows = _flows(moves)
        return self._settled(window, flows, held, self._doubtful(flows, held))

    def _doubtful(self, flows: Mapping[Pair, _Flow], held: Mapping[Pair, int]) -> list[Pair]:
        return [
            pair
            for pair, flow in flows.items()
            if (pair not in held and not self._whole[pair[0]]) or held.get(pair, 0) + flow.lowest < 0
        ]

    def _settled(
        self, window: Window, flows: Mapping[Pair, _Flow], held: Mapping[Pair, int], doubtful: Sequence[Pair]
    ) -> list[OpeningFacts]:
        calls = [
            ("eth_call", [{"to": c, "data": abi.balance_of(who, token), "gas": GAS}, hex(window.last)])
            for c, token, who in doubtful
        ]
        stored = self._stored(doubtful)
        found = []
        for pair, answer in zip(doubtful, self._ask(calls), strict=True):
            had, flow = held.get(pair, 0), flows[pair]
            balance = None if isinstance(answer, RpcError) else abi.as_number(answer)
            opening = None if balance is None else balance - had - flow.net
            if opening is not None and had + opening + flow.lowest < 0:
                opening = None  # the contract contradicts itself
            if opening is None and had + flow.lowest >= 0:
                continue  # nothing is known of before, nothing speaks against nothing
            before, block = stored.get(pair, (0, flow.block))
            total = None if opening is None or before is None else before + opening
            if total is None or 0 < total <= MAX_UINT256:
                contract, token, who = pair
                identity = (self._chain.slug, contract, uint_key(token))
                # What was before a block outlives the loss of those behind it, the window's last among them.
                found.append(OpeningFacts(identity, who, total, block))
        return found

    def _look_up(self, contracts: Collection[str], first_block: int) -> None:
        """Find out which contracts are younger than the first indexed block: of those all transfers are known."""
        new = sorted(contracts - self._whole.keys()) if isinstance(contracts, set) else []
        if first_block == 0:
            self._whole.update(dict.fromkeys(new, True))
            return
        answers = self._ask([("eth_getCode", [address, hex(first_block - 1)]) for address in new])
        self._whole.update((address, answer == "0x") for address, answer in zip(new, answers, strict=True))

    def _held(self, moves: Iterable[Move]) -> dict[Pair, int]:
        """Return what the holders of a window's transfers have so far, of those that are known."""
        pairs = {(m.contract, m.token_id, who) for m in moves for who in (m.sender, m.receiver)}
        nfts = self._nfts({pair[:2] for pair in pairs})
        wanted = {(nfts[c, t], who): (c, t, who) for c, t, who in pairs if (c, t) in nfts}
        rows = bulk.rows_by(Owner, ("nft_id", "address"), list(wanted), ("nft_id", "address", "amount"))
        return {wanted[row[0], row[1]]: uint_from_key(row[2]) for row in rows}

    def _nfts(self, tokens: Iterable[tuple[str, int]]) -> dict[tuple[str, int], int]:
        addresses = sorted({address for address, _ in tokens})
        keys = [(address, self._chain.id) for address in addresses]
        ids: dict[str, int] = dict(bulk.rows_by(Contract, ("address", "chain_id"), keys, ("address", "id")))
        wanted = {(ids[c], uint_key(t)): (c, t) for c, t in tokens if c in ids}
        rows = bulk.rows_by(
            Nft, ("contract_id", "token_key"), list(wanted), ("contract_id", "token_key", "id")
        )
        return {wanted[row[0], row[1]]: row[2] for row in rows}

    def _stored(self, pairs: Iterable[Pair]) -> dict[Pair, tuple[int | None, int]]:
        """Return the openings that are stored, each with its block."""
        pairs = list(pairs)
        nfts = self._nfts({pair[:2] for pair in pairs})
        wanted = {(nfts[c, t], who): (c, t, who) for c, t, who in pairs if (c, t) in nfts}
        columns = ("nft_id", "address", "amount", "block_number")
        rows = bulk.rows_by(Opening, ("nft_id", "address"), list(wanted), columns)
        return {
            wanted[row[0], row[1]]: (None if row[2] is None else uint_from_key(row[2]), row[3])
            for row in rows
        }

    def _unstored(self, moves: Sequence[Move]) -> list[Move]:
        keys = [(m.transaction_hash, m.log_index, m.batch_index, self._chain.id) for m in moves]
        stored = {row[:3] for row in bulk.rows_by(Transfer, KEY_COLUMNS, keys, KEY_COLUMNS)}
        return [m for m in moves if (m.transaction_hash, m.log_index, m.batch_index) not in stored]


def _flows(moves: Iterable[Move]) -> dict[Pair, _Flow]:
    flows: dict[Pair, _Flow] = {}
    for move in moves:
        for who, units in ((move.sender, -move.amount), (move.receiver, move.amount)):
            if who != ZERO_ADDRESS:
                pair = (move.contract, move.token_id, who)
                flows.setdefault(pair, _Flow(move.block_number)).add(units)
    return flows
