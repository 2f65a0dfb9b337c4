"""What holders had before indexing began: asked of the contract where transfers alone do not tell (ERC-1155).

Indexing may begin in the middle of a contract's history, and a contract may move units that it never minted. An
opening says what a holder had at the start of a block in which it gives or gets some: what ``balanceOf`` says at the
end of a window less what the window's transfers from that block on come to. It depends on nothing else that is known,
so that history may be loaded before it or after it, in parts, or be indexed later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from core.db import bulk
from core.db.keys import uint_key
from core.net.rpc import abi
from core.net.rpc.errors import RpcError
from indexing.decode.moves import ERC1155, Move
from indexing.node.asking import Ask, call, has_code
from indexing.write.accounts import Account, Flow, Pair, flows_of
from indexing.write.checkpoints import EVERY
from indexing.write.window import Window
from tokens.models import Contract, Nft
from tokens.store.chains import ChainRow
from transfers.ledger import openings, past
from transfers.ledger.openings import NO_CHANGES, OpeningChanges, OpeningFacts
from transfers.ledger.past import Holder
from transfers.ledger.transfer_rows import KEY_COLUMNS
from transfers.models import Transfer


class Balances:
    """Finds the opening balances of one chain. Remembers which contracts are indexed from their beginning."""

    def __init__(self, chain: ChainRow, ask: Ask) -> None:
        self._chain = chain
        self._ask = ask
        self._whole: dict[str, bool | None] = {}

    def openings(self, window: Window, began: Mapping[str, int]) -> OpeningChanges:
        """Return the openings that become known with a window, and those that it makes superfluous.

        ``began``: where indexing began of the contracts, or of all (``EVERY``), that are indexed up to the window. Of a
        contract that is older, every holder is asked for until it is known once; of any, a holder that gives more than
        it has. What the node cannot tell is ``None`` where it would be below nothing, and asked for again later.
        """
        # Those of no units too: who took part in one counts as known from then on. Some contracts tell some of their
        # movements by ERC-721's events.
        in_units = {move.contract for move in window.moves if move.standard == ERC1155}
        moves = [move for move in window.moves if move.contract in in_units]
        if not moves:
            return NO_CHANGES
        by_begin: dict[int, set[str]] = defaultdict(set)
        for contract in {move.contract for move in moves}:
            by_begin[min(began[one] for one in (contract, EVERY) if one in began)].add(contract)
        for first_block, contracts in by_begin.items():
            self._look_up(contracts, first_block)
        return self._settled(self._accounts(moves, window.first), window.last)

    def _settled(self, accounts: Sequence[Account], last: int) -> OpeningChanges:
        """Ask for the doubtful as of the window's last block."""
        gone = [place for one in accounts if one.doubt is None for place in one.superfluous()]
        doubtful = [(one, block) for one in accounts if (block := one.doubt) is not None]
        calls = [
            call(c, abi.balance_of(who, token), hex(last))
            for c, token, who in (one.pair for one, _ in doubtful)
        ]
        found = []
        for (one, block), answer in zip(doubtful, self._ask(calls), strict=True):
            balance = None if isinstance(answer, RpcError) else abi.as_number(answer)
            opening = None if balance is None else one.opening(block, balance)
            if opening is not None:
                gone += one.superfluous({block: opening})
                found.append(self._facts(one, opening, block))
            elif one.short is not None and not one.was_untold and one.short not in one.untold:
                found.append(self._facts(one, None, one.short))
            # Else nothing is known of before and nothing speaks against nothing, or that is stored already.
        return OpeningChanges(found, gone)

    def _facts(self, account: Account, amount: int | None, block: int) -> OpeningFacts:
        contract, token, who = account.pair
        return OpeningFacts((self._chain.slug, contract, uint_key(token)), who, amount, block)

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

    def _accounts(self, moves: Sequence[Move], first: int) -> list[Account]:
        """Return who takes part in a window that begins with a block, but those of whom all was settled before."""
        flows = flows_of(moves)
        nfts = self._nfts({pair[:2] for pair in flows})
        stored: dict[Holder, dict[int, int | None]] = defaultdict(dict)
        holders = [(nfts[pair[:2]], pair[2]) for pair in flows if pair[:2] in nfts]
        for nft_id, found in openings.of_holders(holders).items():
            for held in found:
                stored[nft_id, held.address][held.block] = held.amount
        accounts = []
        known = {}
        for pair, flow in flows.items():
            nft_id = nfts.get(pair[:2], 0)
            one = self._account(pair, flow, nft_id, stored.get((nft_id, pair[2]), {}), first)
            accounts.append(one)
            if nft_id and one.is_open:
                known[nft_id, pair[2]] = one
        settled = self._find_what_they_had(known, moves, first)
        return [one for one in accounts if one.pair not in settled]

    def _account(
        self, pair: Pair, flow: Flow, nft_id: int, rows: Mapping[int, int | None], first: int
    ) -> Account:
        before = [block for block in rows if block < first]
        was_untold = bool(before) and rows[max(before)] is None
        return Account(
            pair,
            flow,
            nft_id,
            is_new=was_untold or not (before or self._whole[pair[0]]),
            was_untold=was_untold,
            told={block: amount for block, amount in rows.items() if block >= first and amount is not None},
            untold={block for block, amount in rows.items() if block >= first and amount is None},
        )

    def _find_what_they_had(
        self, accounts: Mapping[Holder, Account], moves: Sequence[Move], first: int
    ) -> set[Pair]:
        """Set what holders had at the start of a window; return those for whom all was settled before.

        They gave and got what is stored already, because the window is read once more: to find it out again for each
        takes all transfers of its NFT.
        """
        ahead = past.moved_since({nft_id for nft_id, _ in accounts}, first)
        unread = self._unread(moves) if ahead else set()
        settled = {
            one.pair
            for (nft_id, _), one in accounts.items()
            if nft_id in ahead and not (one.is_new or one.told or one.untold or one.pair in unread)
        }
        left = {holder: one for holder, one in accounts.items() if one.pair not in settled}
        held = past.held_now([holder for holder in left if holder[0] not in ahead])
        held |= past.held_before({nft_id for nft_id, _ in left if nft_id in ahead}, first)
        for holder, one in left.items():
            one.held = held.get(holder, 0)
        return settled

    def _unread(self, moves: Sequence[Move]) -> set[Pair]:
        """Return the holders with moves that were not indexed before; what was loaded was not."""
        keys = [(m.transaction_hash, m.log_index, m.batch_index, self._chain.id) for m in moves]
        rows = bulk.rows_by(Transfer, KEY_COLUMNS, keys, (*KEY_COLUMNS, "judged"))
        indexed = {row[:3] for row in rows if row[-1]}
        return {
            (m.contract, m.token_id, who)
            for m in moves
            if (m.transaction_hash, m.log_index, m.batch_index) not in indexed
            for who in (m.sender, m.receiver)
        }

    def _nfts(self, tokens: Iterable[tuple[str, int]]) -> dict[tuple[str, int], int]:
        """Return the ids of tokens, each a contract and a number, that are stored."""
        addresses = sorted({address for address, _ in tokens})
        keys = [(address, self._chain.id) for address in addresses]
        ids: dict[str, int] = dict(bulk.rows_by(Contract, ("address", "chain_id"), keys, ("address", "id")))
        wanted = {(ids[c], uint_key(t)): (c, t) for c, t in tokens if c in ids}
        rows = bulk.rows_by(
            Nft, ("contract_id", "token_key"), list(wanted), ("contract_id", "token_key", "id")
        )
        return {wanted[row[0], row[1]]: row[2] for row in rows}
