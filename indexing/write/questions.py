"""What contracts are asked about an ask, and what their answers say of it.

Its NFT's contract is asked whether the maker has approved who is to move it, for all or for this one, and what it would
do if that one did: some approve markets for everybody without a log, others let none of them through. A Seaport is
asked what was taken of the order, whether it was cancelled, and its maker's counter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

from core.db.keys import uint_from_key
from core.net.rpc import abi
from core.net.rpc.errors import RpcError
from indexing.node.asking import NOBODY, NOT_TOLD, Ask, Call, call
from indexing.write.orders import GET_COUNTER, word, word_of

# function isApprovedForAll(address,address) — ERC-721, ERC-1155
IS_APPROVED_FOR_ALL = "0xe985e9c5"
# function transferFrom(address,address,uint256) — ERC-721
TRANSFER_FROM = "0x23b872dd"
# function safeTransferFrom(address,address,uint256,uint256,bytes) — ERC-1155
SAFE_TRANSFER_FROM = "0xf242432a"
# function getOrderStatus(bytes32) — Seaport: is validated, is cancelled, parts taken, of how many
GET_ORDER_STATUS = "0x46423aa7"

_UNITS = "ERC1155"
_HASH = re.compile(r"0x[0-9a-f]{64}", re.ASCII)
_OUT_OF_GAS = re.compile(r"out of ?gas", re.IGNORECASE)


class Asked(NamedTuple):
    """An ask that contracts are asked about."""

    id: int
    order_hash: str
    maker: str
    operator: str | None
    exchange: str | None
    nonce: str | None
    lot: str | None
    contract: str
    standard: str
    token_key: str

    @property
    def token_id(self) -> int:
        """Of the NFT."""
        return uint_from_key(self.token_key)


class Told(NamedTuple):
    """What the answers say; ``None``: nothing."""

    is_whole: bool = True
    """Whether each question was answered, if only by a failure."""
    of_all: bool | None = None
    """Whether the operator is approved for all of the maker's NFTs."""
    of_one: bool | None = None
    """Whether it is for this one."""
    delivers: bool | None = None
    """Whether it could move this one."""
    is_cancelled: bool | None = None
    """Whether the order is; where this is known, the next is too."""
    taken: tuple[int, int] | None = None
    """Parts that were taken of the order, and of how many; ``None``: none was."""
    counter: int | None = None
    """The maker's."""

    @property
    def is_of_one(self) -> bool:
        """Whether the approval is of this NFT alone, whose end no log tells."""
        return bool(self.of_one) and not self.of_all


Wanted = tuple[str, str, str | None]
"""A question: the contract, the call's data, and who calls."""


def answers(ask: Ask, asked: Iterable[Asked], seaports: Collection[str], block: int) -> list[Told]:
    """Ask about asks as of a block, each question once, and return what was told of each. Raises ``NodeError``.

    A move is tried by the operator, as a call that leaves nothing behind.
    """
    asked = list(asked)
    wanted: dict[Wanted, Call] = {}
    for one in asked:
        for contract, data, sender in (*_of_approval(one), *_of_moves(one), *_of_order(one, seaports)):
            wanted[contract, data, sender] = call(contract, data, hex(block), sender)
    told = dict(zip(wanted, ask(list(wanted.values())), strict=True))
    return [_read(one, told, seaports) for one in asked]


def _of_approval(one: Asked) -> Iterator[Wanted]:
    """Yield whether the operator is approved: for all, and, unless there are units of it, for this one."""
    if one.operator is not None:
        yield one.contract, f"{IS_APPROVED_FOR_ALL}{word_of(one.maker)}{word_of(one.operator)}", None
        if one.standard != _UNITS:
            yield one.contract, abi.of_token(abi.GET_APPROVED, one.token_id), None


def _of_moves(one: Asked) -> Iterator[Wanted]:
    """Yield moves to nobody in particular; of a contract of unknown kind there are two, of which one may work."""
    if one.operator is not None:
        moved = f"{word_of(one.maker)}{word_of(NOBODY)}{one.token_id:064x}"
        if one.standard != _UNITS:
            yield one.contract, TRANSFER_FROM + moved, one.operator
        if one.standard in (_UNITS, ""):
            units = 1 if one.lot is None else uint_from_key(one.lot)
            yield one.contract, f"{SAFE_TRANSFER_FROM}{moved}{units:064x}{160:064x}{0:064x}", one.operator


def _of_order(one: Asked, seaports: Collection[str]) -> Iterator[Wanted]:
    """Yield what a Seaport is asked of an order."""
    if one.exchange is not None and one.exchange in seaports and _HASH.fullmatch(one.order_hash):
        yield one.exchange, GET_ORDER_STATUS + one.order_hash[2:], None
        yield one.exchange, GET_COUNTER + word_of(one.maker), None


def _read(one: Asked, told: dict[Wanted, Any], seaports: Collection[str]) -> Told:
    approval = [told[each] for each in _of_approval(one)]
    moves = [told[each] for each in _of_moves(one)]
    order = [told[each] for each in _of_order(one, seaports)]
    of_all, of_one = (_word(approval[at]) if at < len(approval) else None for at in (0, 1))
    _, cancelled, parts, of = (_word(order[0], at) if order else None for at in range(4))
    return Told(
        is_whole=not any(each is NOT_TOLD for each in (*approval, *moves, *order)),
        of_all=None if of_all is None else of_all == 1,
        of_one=None if of_one is None else of_one == int(one.operator or "0", 16),
        delivers=_delivers(moves),
        is_cancelled=None if of is None else cancelled == 1,
        taken=(parts, of) if parts and of else None,
        counter=_word(order[1]) if order else None,
    )


def _word(answer: Any, place: int = 0) -> int | None:
    return None if answer is NOT_TOLD or isinstance(answer, RpcError) else word(answer, place)


def _delivers(moves: Iterable[Any]) -> bool | None:
    """Tell whether one of some moves worked; ``None`` where it is not known, as where the gas was too little."""
    moves = list(moves)
    failures = [each for each in moves if each is NOT_TOLD or isinstance(each, RpcError)]
    if len(failures) < len(moves):
        return True
    is_unknown = any(each is NOT_TOLD or _OUT_OF_GAS.search(each.message) for each in failures)
    return None if is_unknown or not failures else False
