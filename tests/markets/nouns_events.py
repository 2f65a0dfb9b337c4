"""The logs of an auction house of the kind of Nouns, as the contracts declare them."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, LATER, ZERO
from tests.markets.building import erc721
from tests.markets.emitting import Emitted

NOUNS = "0x830bd73e4184cef73443c15111a1df14e495c706"
HOUSE = "0x" + "40" * 20
"""An auction house of unknown address."""
TREASURY = "0x" + "7e" * 20

# Nouns Builder does not index the number.
_SETTLED = {
    one: Emitted(f"AuctionSettled(uint256{indexed} token_id, address winner, uint256 amount)", HOUSE)
    for one, indexed in ((True, " indexed"), (False, ""))
}
_CREATED = {
    one: Emitted(f"AuctionCreated(uint256{indexed} token_id, uint256 start, uint256 end)", HOUSE)
    for one, indexed in ((True, " indexed"), (False, ""))
}
# ERC-5805: somebody's votes changed.
votes = Emitted(
    "DelegateVotesChanged(address indexed delegate, uint256 before, uint256 after)",
    APES,
    "delegate before after",
)


def settled(
    token_id: int,
    winner: str,
    amount: int,
    *,
    index: int = LATER,
    house: str = HOUSE,
    is_indexed: bool = True,
) -> RawLog:
    """The end of an auction; the amount is in wei."""
    told = {"token_id": token_id, "winner": winner, "amount": amount}
    return _SETTLED[is_indexed](**told, index=index, contract=house)


def created(token_id: int, *, index: int = LATER, house: str = HOUSE, is_indexed: bool = True) -> RawLog:
    """The beginning of an auction, with its first and last second."""
    told = {"token_id": token_id, "start": 1_660_662_159, "end": 1_660_663_059}
    return _CREATED[is_indexed](**told, index=index, contract=house)


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
