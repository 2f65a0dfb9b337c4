"""Bids for punks that were seen so far: what was paid when one is accepted, only it says."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from indexing.decode.moves import PunkBid


class PunkBids:
    """Bids by punk, in the order of the chain; all that ever were, on the one chain that has punks, are some 50,000."""

    def __init__(self) -> None:
        self._bids: dict[tuple[str, int], list[tuple[int, int, str, int]]] = {}

    def add(self, bids: Iterable[PunkBid]) -> None:
        """Take note of bids; one that is known already is not doubled."""
        for bid in bids:
            known = self._bids.setdefault((bid.contract, bid.token_id), [])
            one = (bid.block_number, bid.log_index, bid.bidder, bid.value)
            place = bisect_left(known, one)
            if one not in known[place : place + 1]:
                known.insert(place, one)

    def accepted(self, contract: str, token_id: int, buyer: str, block: int, log_index: int) -> int | None:
        """Return the value in wei of the bid that stood before a log, if it was the buyer's.

        A punk has one bid at a time: whoever bids more takes the place of the one before.
        """
        known = self._bids.get((contract, token_id), [])
        place = bisect_left(known, (block, log_index))
        if not place or known[place - 1][2] != buyer:
            return None
        return known[place - 1][3]
