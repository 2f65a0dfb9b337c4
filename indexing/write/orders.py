"""What logs do not say of orders and the contracts themselves do: asked of the node as of the blocks in question.

Each question is bounded by :data:`indexing.node.asking.GAS`. A contract that fails answers nothing, and what a node
cannot tell is not known, and never "no".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from core.addresses import ZERO_ADDRESS
from core.db import bulk
from core.db.keys import token_key, uint_from_key
from core.net.rpc import abi
from core.net.rpc.errors import RpcError
from indexing.decode.moves import Undecoded
from indexing.judge.markets.seaport_books import ORDER_VALIDATED, validated
from indexing.judge.markets.seaport_parameters import order_hash
from indexing.node.asking import Ask, call
from indexing.node.logs import MOST_LOG_INDEX, RawLog
from tokens.store.chains import ChainRow
from transfers.ledger.order_facts import NonceRule, OrderEvent, OrderKind
from transfers.ledger.orders import Placed
from transfers.models import OrderEvent as Kept

# function getCounter(address) — Seaport
GET_COUNTER = "0xf07ec373"
# function tokenSalePrices(address,uint256,address) — SuperRare's bazaar: seller, currency, amount
TOKEN_SALE_PRICES = "0x1a2ac30f"  # noqa: S105 - a selector


class Resolved:
    """Events of a window with what they leave open filled in, and those of which that cannot be had."""

    def __init__(self, chain: ChainRow, ask: Ask, placed: Sequence[Placed]) -> None:
        self._chain = chain
        self._ask = ask
        self._window = placed
        self.placed: list[Placed] = []
        self.undecoded: list[Undecoded] = []
        for one in placed:
            if one.told.is_vague:
                self.placed += self._ended(one)
            elif one.told.kind == OrderKind.OPENED and _topic(one) == ORDER_VALIDATED.topic:
                self._open(one)
            else:
                self.placed.append(one)

    def _open(self, one: Placed) -> None:
        """Take a Seaport order that was validated, with its maker's counter, by which its hash comes out.

        The counter is in no log of it; it is the last that the maker's own events told, or 0 where none did.
        """
        name, parameters = validated(_log(one))
        for counter in self._counters(parameters.offerer, one):
            if order_hash(parameters, counter) == name:
                self.placed.append(one._replace(told=one.told._replace(nonce=counter)))
                return
        self.undecoded.append(
            Undecoded(_log(one), "The order's hash does not come out with any known counter of its maker.")
        )

    def _counters(self, maker: str, one: Placed) -> Iterator[int]:
        exchange = one.told.exchange
        earlier = [
            each.told.nonces[0]
            for each in self._window
            if (each.told.kind, each.told.maker, each.told.exchange)
            == (OrderKind.BULK_ENDED, maker, exchange)
            and each.told.rule == NonceRule.OTHER
            and (each.block_number, each.told.log_index) < (one.block_number, one.told.log_index)
        ]
        yield from reversed(earlier)
        key = (maker, exchange, str(OrderKind.BULK_ENDED), self._chain.id)
        rows = bulk.rows_by(
            Kept, ("maker", "exchange", "kind", "chain_id"), [key], ("block_number", "log_index", "nonce")
        )
        yield from (uint_from_key(nonce) for _, _, nonce in sorted(rows, reverse=True) if nonce is not None)
        yield 0
        told = self._ask([call(exchange, f"{GET_COUNTER}{word_of(maker)}", hex(one.block_number))])
        counter = abi.as_number(told[0])
        if counter is not None:
            yield counter

    def _ended(self, one: Placed) -> Iterator[Placed]:
        """Yield which of the orders for an NFT have ended, where a log says only that one has (SuperRare's bazaar)."""
        takers = sorted(self._takers(one.told) | {ZERO_ADDRESS})
        assert one.told.token_id is not None
        nft = f"{word_of(one.told.contract or ZERO_ADDRESS)}{one.told.token_id:064x}"
        answers = self._ask(
            [
                call(one.told.exchange, f"{TOKEN_SALE_PRICES}{nft}{word_of(taker)}", hex(one.block_number))
                for taker in takers
            ]
        )
        for place, (taker, answer) in enumerate(zip(takers, answers, strict=True)):
            amount = None if isinstance(answer, RpcError) else word(answer, 2)
            if amount is None:
                reason = "The node could not tell which of the orders for the NFT this ended."
                self.undecoded.append(Undecoded(_log(one), reason))
            elif amount == 0:
                named = None if taker == ZERO_ADDRESS else taker
                told = one.told._replace(is_vague=False, taker=named, place=one.told.place + place)
                yield one._replace(told=told, raw=one.raw if place == 0 else "")

    def _takers(self, told: OrderEvent) -> set[str]:
        """Return for whom alone orders for an NFT have been opened so far."""
        nft = (told.exchange, told.contract, told.token_id)
        found = {
            one.told.taker
            for one in self._window
            if (one.told.exchange, one.told.contract, one.told.token_id) == nft
        }
        key = (told.exchange, told.contract, token_key(str(told.token_id)), self._chain.id)
        rows = bulk.rows_by(Kept, ("exchange", "contract", "token_key", "chain_id"), [key], ("detail",))
        found |= {json.loads(detail).get("taker") for (detail,) in rows}
        return {one for one in found if one is not None}


def next_place(chain: ChainRow, block: int) -> int:
    """Return the first free place at the end of a block, where what was asked as of it stands."""
    kept = Kept.objects.filter(chain_id=chain.id, block_number=block, log_index=MOST_LOG_INDEX)
    last = kept.order_by("-place").values_list("place", flat=True).first()
    return 0 if last is None else last + 1


def word(answer: Any, place: int) -> int | None:
    """Return a word of what a call gave, ``None`` where there is none."""
    data = abi.as_bytes(answer)[32 * place : 32 * place + 32]
    return int.from_bytes(data, "big") if len(data) == 32 else None


def word_of(address: str) -> str:
    """Return an address as a word of call data."""
    return address[2:].rjust(64, "0")


def _topic(one: Placed) -> str:
    return json.loads(one.raw)[1] if one.raw else ""


def _log(one: Placed) -> RawLog:
    """Return the log of an event as it was read."""
    address, *topics, data = json.loads(one.raw)
    return RawLog(
        address,
        tuple(topics),
        bytes.fromhex(data[2:]),
        one.block_number,
        "",
        one.transaction_hash,
        0,
        one.told.log_index,
    )
