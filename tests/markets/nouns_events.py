"""The logs of an auction house of the kind of Nouns, encoded from their published layouts."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, ZERO, log, words
from tests.markets.building import erc721

NOUNS = "0x830bd73e4184cef73443c15111a1df14e495c706"
HOUSE = "0x" + "40" * 20
"""An auction house of unknown address."""
TREASURY = "0x" + "7e" * 20


def settled(
    token_id: int, winner: str, amount: int, *, index: int, house: str = HOUSE, is_indexed: bool = True
) -> RawLog:
    """The end of an auction; the amount is in wei. Nouns Builder does not index the number."""
    signature = "AuctionSettled(uint256,address,uint256)"
    topics, data = (
        ([token_id], words(winner, amount)) if is_indexed else ([], words(token_id, winner, amount))
    )
    return log(signature, topics, data, contract=house, index=index)


def created(token_id: int, *, index: int, house: str = HOUSE, is_indexed: bool = True) -> RawLog:
    """The beginning of an auction, with its first and last second."""
    signature = "AuctionCreated(uint256,uint256,uint256)"
    times = (1_660_662_159, 1_660_663_059)
    topics, data = ([token_id], words(*times)) if is_indexed else ([], words(token_id, *times))
    return log(signature, topics, data, contract=house, index=index)


def votes(delegate: str, before: int, after: int, *, index: int, contract: str = APES) -> RawLog:
    """ERC-5805: somebody's votes changed."""
    signature = "DelegateVotesChanged(address,uint256,uint256)"
    return log(signature, [delegate], words(before, after), contract=contract, index=index)


def whole_settlement(
    *, amount: int = 150, winner: str = ALICE, house: str = HOUSE, is_indexed: bool = True
) -> list[RawLog]:
    """All that `settleCurrentAndCreateNewAuction` logs where #7 was won and #8 is next."""
    return [
        votes(house, 1, 0, index=1),
        votes(winner, 2, 3, index=2),
        erc721(APES, 7, house, winner, index=3),
        settled(7, winner, amount, index=4, house=house, is_indexed=is_indexed),
        votes(house, 0, 1, index=5),
        erc721(APES, 8, ZERO, TREASURY, index=6),
        erc721(APES, 8, TREASURY, house, index=7),
        created(8, index=8, house=house, is_indexed=is_indexed),
    ]
