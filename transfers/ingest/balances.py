"""What holders had before indexing began: asked of the contract where transfers alone do not tell (ERC-1155).

Indexing may begin in the middle of a contract's history, and a contract may move units that it never minted. A
holder's opening balance is what ``balanceOf`` says at the end of a window less what the known transfers come to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from nftsite.db import bulk
from nftsite.db.keys import uint_from_key, uint_key
from nftsite.net import abi
from nftsite.net.addresses import ZERO_ADDRESS
from nftsite.net.rpc_errors import RpcError
from tokens.models import Contract, Nft, Owner
from tokens.store.chains import ChainRow
from transfers.ingest.asking import GAS, Ask, has_code
from transfers.ingest.facts import moves_of
from transfers.ingest.moves import ERC1155, MAX_UINT256, Move
from transfers.ingest.transactions import Window
from transfers.models import Opening, Transfer
from transfers.store.openings import OpeningFacts
from transfers.store.transfer_rows import KEY_COLUMNS

Pair = tuple[str, int, str]
"""Contract, token id and holder."""


@dataclass(slots=True)
class _Flow:
    """What a holder gains over a window, from the block of its first transfer on."""

    first: int
    net: int = 0
    lows: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)])
    """How far below its start it came, ever deeper, and the block in which it did."""

    @property
    def lowest(self) -> int:
        return self.lows[-1][0]

    def add(self, units: int, block: int) -> None:
        self.net += units
        if self.net < self.lowest:
            self.lows.append((self.net, block))

    def short(self, held: int) -> int | None:
        """Return the block in which a holder of so many gives what it does not have."""
        return next((block for low, block in self.lows if held + low < 0), None)


class Balances:
    """Finds the opening balances of one chain. Remembers which contracts are indexed from their beginning."""

    def __init__(self, chain: ChainRow, ask: Ask) -> None:
        self._chain = chain
        self._ask = ask
        self._whole: dict[str, bool | None] = {}

    def openings(self, window: Window, first_block: int) -> list[OpeningFacts]:
        """Return the opening balances that become known with a window; ``first_block`` is where indexing began.

        Of a contract that is older than that, every holder is asked for when first seen; of any, a holder that would
        give more than it has. One that the node cannot tell is ``None`` where it would be below nothing.
        """
        # Those of no units too: who took part in one counts as known from then on.
        moves = [move for _, move in moves_of(window) if move.standard == ERC1155]
        if not moves:
            return []
        self._look_up({move.contract for move in moves}, first_block)
        held = self._held(moves)
        if not self._doubtful(_flows(moves), held):
            return []
        moves = self._unstored(moves)  # what is stored already is in what they hold
        flows = _flows(moves)
        doubtful = self._doubtful(flows, held)
        unknown = self._unknown(doubtful)
        return self._settled(window, flows, held, [pair for pair in doubtful if pair not in unknown])

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
        found = []
        for pair, answer in zip(doubtful, self._ask(calls), strict=True):
            had, flow = held.get(pair, 0), flows[pair]
            short = flow.short(had)
            balance = None if isinstance(answer, RpcError) else abi.as_number(answer)
            opening = None if balance is None else balance - had - flow.net
            if opening is not None and (had + opening + flow.lowest < 0 or opening > MAX_UINT256):
                opening = None  # the contract contradicts itself
            if opening is None and short is None:
                continue  # nothing is known of before, nothing speaks against nothing
            if opening is None or opening > 0:
                contract, token, who = pair
                identity = (self._chain.slug, contract, uint_key(token))
                seen = flow.first if pair not in held and not self._whole[contract] else short
                found.append(OpeningFacts(identity, who, opening, flow.first if seen is None else seen))
        return found

    def _look_up(self, contracts: set[str], first_block: int) -> None:
        """Find out which contracts are younger than the first indexed block: of those all transfers are known."""
        new = sorted(one for one in contracts if self._whole.get(one) is None)
        if first_block == 0:
            self._whole.update(dict.fromkeys(new, True))
            return
        answers = self._ask([("eth_getCode", [address, hex(first_block - 1)]) for address in new])
        for address, answer in zip(new, answers, strict=True):
            older = has_code(answer)  # while that is not told its holders are asked for, as of an older one
            self._whole[address] = None if older is None else not older

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

    def _unknown(self, pairs: Sequence[Pair]) -> set[Pair]:
        """Return the pairs of which the node could not tell before: what they hold is no ground to go on from."""
        nfts = self._nfts({pair[:2] for pair in pairs})
        wanted = {(nfts[c, t], who): (c, t, who) for c, t, who in pairs if (c, t) in nfts}
        rows = bulk.rows_by(Opening, ("nft_id", "address"), list(wanted), ("nft_id", "address", "amount"))
        return {wanted[row[0], row[1]] for row in rows if row[2] is None}

    def _unstored(self, moves: Sequence[Move]) -> list[Move]:
        keys = [(m.transaction_hash, m.log_index, m.batch_index, self._chain.id) for m in moves]
        stored = {row[:3] for row in bulk.rows_by(Transfer, KEY_COLUMNS, keys, KEY_COLUMNS)}
        return [m for m in moves if (m.transaction_hash, m.log_index, m.batch_index) not in stored]


def _flows(moves: Iterable[Move]) -> dict[Pair, _Flow]:
    flows: dict[Pair, _Flow] = {}
    for move in moves:
        for who, units in ((move.sender, -move.amount), (move.receiver, move.amount)):
            if who != ZERO_ADDRESS:
                flow = flows.setdefault((move.contract, move.token_id, who), _Flow(move.block_number))
                flow.add(units, move.block_number)
    return flows
