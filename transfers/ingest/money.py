"""Money that moved in a transaction, as far as logs show it: ERC-20 transfers, wrapping and unwrapping.

Native money leaves no log, so that only the transaction's own value bounds it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from nftsite.net.addresses import ZERO_ADDRESS
from transfers.ingest.events import TRANSFER
from transfers.ingest.logs import RawLog
from transfers.ingest.words import UndecodableError, number, topic_address

# event Withdrawal(address indexed src, uint256 wad) — WETH9 and its kin
WITHDRAWAL = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65"


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
    are left out.
    """
    found = []
    for log in logs:
        if len(log.topics) != 3 or log.topics[0] != TRANSFER or log.log_index in nft_logs:
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
        self._left = [
            0 if ZERO_ADDRESS in (move.sender, move.receiver) else move.amount for move in self._moves
        ]
        self._markets = markets

    def sent(self, currency: str, sender: str) -> int:
        """Return what is left of what somebody paid."""
        return sum(
            left
            for move, left in zip(self._moves, self._left, strict=True)
            if move.currency == currency and move.sender == sender
        )

    def received(self, currency: str, receiver: str) -> int:
        """Return all that somebody received, drawn or not."""
        return sum(
            move.amount for move in self._moves if move.currency == currency and move.receiver == receiver
        )

    def senders(self, currency: str) -> list[str]:
        """Return who paid any of a currency, in the order of the logs."""
        return list(dict.fromkeys(move.sender for move in self._moves if move.currency == currency))

    def draw(self, currency: str, sender: str, amount: int, first: Container[str | None] = ()) -> bool:
        """Take an amount from what somebody sent, to receivers in ``first`` before others; ``False`` if too little."""
        if self.sent(currency, sender) < amount:
            return False
        places = [
            place
            for place, move in enumerate(self._moves)
            if move.currency == currency and move.sender == sender
        ]
        for place in sorted(places, key=lambda place: self._moves[place].receiver not in first):
            taken = min(amount, self._left[place])
            self._left[place] -= taken
            amount -= taken
            if taken and self._moves[place].receiver in self._markets:
                self._pass_on(place, taken)
        return True

    def _pass_on(self, place: int, amount: int) -> None:
        """Take an amount that a market received from what it sends after that: it is the same money."""
        received = self._moves[place]
        for later in range(place + 1, len(self._moves)):
            move = self._moves[later]
            if move.currency == received.currency and move.sender == received.receiver:
                taken = min(amount, self._left[later])
                self._left[later] -= taken
                amount -= taken
