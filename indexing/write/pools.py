"""What pools ask for the NFTs that they hold: the pool's own quote, asked again after whatever may have changed it.

A pool counts once a factory has said that it made it. It sells each NFT that it holds, also one that was simply sent to
it, at one price; along which curve, only the pool itself knows (``getBuyNFTQuote``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from django.db.models import F, Max, Q

from core.addresses import ZERO_ADDRESS
from core.batches import batched
from core.db import bulk
from core.db.keys import recency_parts, token_id_from_key
from core.net.rpc.errors import RpcError
from indexing.decode.moves import Move
from indexing.node.asking import NOT_TOLD, Ask, call
from indexing.node.logs import MOST_LOG_INDEX
from indexing.write.orders import next_place, word
from tokens.models import Owner
from tokens.store.chains import ChainRow
from transfers.ledger.order_facts import OrderEvent, OrderKind
from transfers.ledger.orders import Placed
from transfers.models import OrderEvent as Kept
from transfers.models import Transfer

# function getBuyNFTQuote(uint256 assetId, uint256 numItems) — Sudoswap 2; function getBuyNFTQuote(uint256) — Sudoswap 1
QUOTES = ("0x1afd78c5" + f"{0:064x}{1:064x}", "0xa5cb2b91" + f"{1:064x}")
# function token() — what a pool is paid in, where that is no native money
TOKEN = "0xfc0c546a"  # noqa: S105 - a selector
_ERROR, _AMOUNT = 0, 3
"""Words of a quote: no error is 0; what the buyer pays, fees and royalties included."""
AT_ONCE = 5_000
"""Pools whose NFTs are looked up in one go."""
AGAIN_AT_ONCE = 100
"""Pools that are quoted again in one go."""


class Pools:
    """The pools of one chain that factories have made, by address, each with the market that it is shown as."""

    def __init__(self, chain: ChainRow, ask: Ask) -> None:
        self._chain = chain
        self._ask = ask
        rows = Kept.objects.filter(chain_id=chain.id, kind=OrderKind.POOL, detail__contains='"factory"')
        self._market: dict[str, str] = dict(rows.values_list("exchange", "market"))
        self._unsteady = dict.fromkeys(self._market)
        """Those that may ask something else without an event, the next to be asked first."""
        self.unquoted = self._unquoted()
        """Those whose last quote a reorganisation took, each with the block of what it was asked for, which stays."""

    def _unquoted(self) -> dict[str, int]:
        """Return the pools that were not quoted since an event of theirs: quotes are of a window's last block."""
        kept = Kept.objects.filter(chain_id=self._chain.id)
        of_pools = kept.filter(Q(kind=OrderKind.POOL) | Q(kind=OrderKind.OPENED, exchange=F("maker")))
        quotes = kept.filter(kind=OrderKind.QUOTED)
        changed, quoted = (
            dict(rows.order_by().values_list("exchange").annotate(Max("block_number")))
            for rows in (of_pools, quotes)
        )
        return {pool: block for pool, block in changed.items() if quoted.get(pool, -1) < block}

    def believed(self, placed: Sequence[Placed]) -> list[Placed]:
        """Return events without those of pools that no factory made; those that it made now are known from here on."""
        made = {
            one.told.exchange: one.told.market
            for one in placed
            if one.told.kind == OrderKind.POOL and one.told.factory is not None
        }
        self._market |= made
        self._unsteady |= dict.fromkeys(made)
        return [one for one in placed if one.told.kind != OrderKind.POOL or one.told.exchange in self._market]

    def moved(self, moves: Iterable[Move], times: dict[int, int]) -> list[Placed]:
        """Return what came into pools, as orders that open, by the moves of a window."""
        return [
            Placed(
                self._offered(move.receiver, move.contract, move.token_id, move.log_index, move.batch_index),
                move.block_number,
                times[move.block_number],
                move.transaction_hash,
            )
            for move in moves
            if move.receiver in self._market
        ]

    def held(self) -> list[Placed]:
        """Return what pools hold by all transfers that are known, as orders that these opened.

        Reads all owners once: to be called where pools become known whose transfers were written long before.
        """
        placed = []
        for pools in batched(sorted(self._market), AT_ONCE):
            rows = Owner.objects.filter(address__in=pools, amount__gt=0, nft__chain_id=self._chain.id)
            found = rows.values_list(
                "address",
                "nft__contract__address",
                "nft__token_key",
                "nft__recent__recent_key",
                "nft__recent__last_transfer_id",
            )
            ids = [(row[-1],) for row in found if row[-1] is not None]
            hashes: dict[int, str] = dict(bulk.rows_by(Transfer, ("id",), ids, ("id", "transaction_hash")))
            for pool, contract, token, key, transfer_id in found:
                if transfer_id not in hashes:  # stated, and of no known moment
                    continue
                timestamp, block, log_index, place = recency_parts(key)
                token_id = int(token_id_from_key(token))
                told = self._offered(pool, contract, token_id, log_index, place)
                placed.append(Placed(told, block, timestamp, hashes[transfer_id]))
        return placed

    def _offered(self, pool: str, contract: str, token_id: int, log_index: int, place: int) -> OrderEvent:
        return OrderEvent(
            OrderKind.OPENED,
            market=self._market[pool],
            exchange=pool,
            log_index=log_index,
            place=place,
            contract=contract,
            token_id=token_id,
            order_hash=f"{pool}:{contract}:{token_id}",
            maker=pool,
            holder=pool,
        )

    def quoted(self, pools: Iterable[str], block: int, timestamp: int) -> list[Placed]:
        """Return what pools ask as of a block. One without a quote sells nothing; one not told of keeps its last."""
        done = Kept.objects.filter(chain_id=self._chain.id, block_number=block, kind=OrderKind.QUOTED)
        named = sorted((set(pools) & self._market.keys()) - set(done.values_list("exchange", flat=True)))
        place = next_place(self._chain, block)
        calls = [call(pool, data, hex(block)) for pool in named for data in (*QUOTES, TOKEN)]
        answers = self._ask(calls)
        placed: list[Placed] = []
        for number, pool in enumerate(named):
            second, first, token = answers[3 * number : 3 * number + 3]
            if NOT_TOLD in (second, first, token):
                continue
            told = OrderEvent(
                OrderKind.QUOTED,
                market=self._market[pool],
                exchange=pool,
                log_index=MOST_LOG_INDEX,
                place=place + len(placed),
                currency=_currency(token),
                price=_price(first) if _price(second) is None else _price(second),
            )
            placed.append(Placed(told, block, timestamp, ""))
        return placed

    def quoted_again(self, block: int, timestamp: int) -> list[Placed]:
        """Return new quotes of pools whose price goes with time alone, some of them in turn.

        Which those are shows a quote that differs though no event was between: each pool is asked once for that.
        """
        asked = list(islice(self._unsteady, AGAIN_AT_ONCE))
        before: dict[str, int | None] = {}
        kept = Kept.objects.filter(chain_id=self._chain.id, kind=OrderKind.QUOTED, exchange__in=asked)
        for pool, detail in kept.order_by("block_number", "place").values_list("exchange", "detail"):
            before[pool] = json.loads(detail).get("price")
        changed = [
            one
            for one in self.quoted(before, block, timestamp)
            if one.told.price != before[one.told.exchange]
        ]
        for pool in asked:  # those that changed are asked again, behind the others
            del self._unsteady[pool]
        self._unsteady |= dict.fromkeys(one.told.exchange for one in changed)
        return changed

    def touched(self, placed: Iterable[Placed], moves: Iterable[Move], last: int) -> set[str]:
        """Return the pools whose price events or moves may have changed, and those that lack a quote.

        ``last``: the last block of the window of these, as of which they are to be quoted.
        """
        found = {pool for pool, block in self.unquoted.items() if block <= last}
        found |= {one.told.exchange for one in placed if one.told.kind == OrderKind.POOL}
        for move in moves:
            found |= {move.sender, move.receiver}
        return found & self._market.keys()


def _price(answer: Any) -> int | None:
    if isinstance(answer, RpcError) or word(answer, _ERROR) != 0:
        return None
    return word(answer, _AMOUNT)


def _currency(answer: Any) -> str:
    token = None if isinstance(answer, RpcError) else word(answer, 0)
    return ZERO_ADDRESS if not token else f"0x{token:040x}"[-42:]
