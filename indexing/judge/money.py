"""Money that moved in a transaction, as far as logs show it: ERC-20 transfers, wrapping and unwrapping.

Native money leaves no log, so that only the transaction's own value bounds it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.words import UndecodableError, number, topic_address
from indexing.node.events import TRANSFER
from indexing.node.logs import RawLog

# event Withdrawal(address indexed src, uint256 wad) — WETH9 and its kin
WITHDRAWAL = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65"
# L2BaseToken, which no contract of another kind can be deployed at: the native currency of the chains of the ZK stack
# (zkSync Era, Abstract) logs a Transfer of all that moves of it, the transaction's value and its fee among it.
_LOGGED_NATIVE = "0x000000000000000000000000000000000000800a"


class MoneyMove(NamedTuple):
    """An ERC-20 ``Transfer``: base units of a currency, by its contract."""

    currency: str
    sender: str
    receiver: str
    amount: int
    log_index: int


def money_moves(logs: Sequence[RawLog], nft_logs: Container[int]) -> list[MoneyMove]:
    """Read the ERC-20 transfers among the logs of a transaction (EIP-20), in log order.

    ``nft_logs`` are the indexes of logs that moved NFTs: old NFT contracts emit the same form. Transfers of nothing
    are left out, and so are those of native money on chains that log it: the transaction's value tells of it already.
    """
    found = []
    for log in logs:
        if len(log.topics) != 3 or log.topics[0] != TRANSFER or log.log_index in nft_logs:
            continue
        if log.address == _LOGGED_NATIVE:
            continue
        try:
            amount = number(log.data, 0)
            sender, receiver = topic_address(log.topics, 1), topic_address(log.topics, 2)
        except UndecodableError:
            continue  # of another form: no money that could be counted
        if amount:
            found.append(MoneyMove(log.address, sender, receiver, amount, log.log_index))
    return found


def unwrapped(logs: Iterable[RawLog], money: Iterable[MoneyMove], wrapped_native: Container[str]) -> int:
    """Return how much wrapped native money was turned into native money, in wei.

    WETH9 says so by ``Withdrawal``; others (Blur's pool, Arbitrum's WETH) by a ``Transfer`` to the zero address;
    where a contract does both, they tell of the same money.
    """
    withdrawn: dict[str, int] = defaultdict(int)
    burned: dict[str, int] = defaultdict(int)
    for log in logs:
        if log.address in wrapped_native and len(log.topics) == 2 and log.topics[0] == WITHDRAWAL:
            withdrawn[log.address] += int.from_bytes(log.data[:32], "big")
    for move in money:
        if move.currency in wrapped_native and move.receiver == ZERO_ADDRESS:
            burned[move.currency] += move.amount
    return sum(max(withdrawn[one], burned[one]) for one in {*withdrawn, *burned})


class Purse:
    """The money logs of a transaction, from which prices are drawn: what one price took, no other one can.

    What is minted or burned (a pool's deposits and withdrawals) was paid by nobody and to nobody. ``markets`` hold no
    money of their own: what one of them sends was sent to it before.
    """

    def __init__(self, moves: Iterable[MoneyMove], markets: Container[str] = ()) -> None:
        self._moves = list(moves)
        self._markets = markets
        self._left = [0] * len(self._moves)
        self._received: dict[tuple[str, str], int] = defaultdict(int)
        self._paid: dict[str, dict[str, int]] = defaultdict(dict)
        """What is left of what each sender paid, by currency, in the order of the logs."""
        self._lines: dict[tuple[str, str, str | None], _Line] = defaultdict(_Line)
        """Logs by currency, sender and receiver, and by the first two alone."""
        for place, move in enumerate(self._moves):
            self._received[move.currency, move.receiver] += move.amount
            if ZERO_ADDRESS not in (move.sender, move.receiver):
                self._left[place] = move.amount
                paid = self._paid[move.currency]
                paid[move.sender] = paid.get(move.sender, 0) + move.amount
                self._lines[move.currency, move.sender, None].add(place)
                self._lines[move.currency, move.sender, move.receiver].add(place)

    def received(self, currency: str, receiver: str) -> int:
        """Return all that somebody received, drawn or not."""
        return self._received.get((currency, receiver), 0)

    def senders(self, currency: str) -> Mapping[str, int]:
        """Return who paid any of a currency, in the order of the logs, and what is left of it."""
        return self._paid.get(currency, {})

    def draw(
        self, currency: str, sender: str, amount: int, first: Iterable[str] = ()
    ) -> tuple[int, ...] | None:
        """Take an amount from what somebody sent, to receivers in ``first`` before others.

        Return the indexes of the logs that it was taken from; ``None`` where it is too little.
        """
        if self.senders(currency).get(sender, 0) < amount:
            return None
        logs: list[int] = []
        for receiver in (*first, None):
            taken = self._take(currency, sender, receiver, amount)
            if taken:
                amount -= sum(part for _, part in taken)
                logs += (self._moves[place].log_index for place, _ in taken)
                self._pass_on(currency, taken)
        return tuple(logs)

    def _pass_on(self, currency: str, taken: list[tuple[int, int]]) -> None:
        """Take what a market received from what it sends after that: it is the same money."""
        while taken:
            place, part = taken.pop()
            if self._moves[place].receiver in self._markets:
                taken += self._take(currency, self._moves[place].receiver, None, part, place + 1)

    def _take(
        self, currency: str, sender: str, receiver: str | None, amount: int, since: int = 0
    ) -> list[tuple[int, int]]:
        """Take up to an amount from what somebody sent; return the places, from ``since`` on, and what each gave."""
        line = self._lines.get((currency, sender, receiver))
        if line is None or not amount:
            return []
        taken = line.take(self._left, amount, since)
        paid = self._paid[currency]
        for _, part in taken:
            paid[sender] -= part
        if not paid.get(sender, 1):
            del paid[sender]
        return taken


class _Line:
    """Places of money logs, in their order; those of which nothing is left are passed over."""

    def __init__(self) -> None:
        self._places: list[int] = []
        self._next = [0]
        """By position: the first one, from it on, that is not known to be spent."""

    def add(self, place: int) -> None:
        self._places.append(place)
        self._next.append(len(self._places))

    def take(self, left: list[int], amount: int, since: int) -> list[tuple[int, int]]:
        """Take up to an amount out of what is ``left`` by place; return the places, each with what it gave."""
        taken = []
        at = self._open(bisect_left(self._places, since))
        while amount and at < len(self._places):
            place = self._places[at]
            if left[place]:
                part = min(amount, left[place])
                left[place] -= part
                amount -= part
                taken.append((place, part))
            if not left[place]:
                self._next[at] = at + 1
            at = self._open(at + 1)
        return taken

    def _open(self, at: int) -> int:
        while self._next[at] != at:
            self._next[at] = self._next[self._next[at]]
            at = self._next[at]
        return at
