"""SwapKiwi: two parties put NFTs, and later ether too, into its custody, and the one who proposed the swap executes it.

Right before ``SwapExecuted`` the contract gave ``from`` what ``to`` had put in, and the other way round. Both must have
given something, so that NFTs that only one of them gets were sold for ether, nobody knows how much: it came with
earlier transactions. Proposing, joining and cancelling is custody. Specified by ``SwapKiwi.sol`` of the verified
sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexing.decode.signatures import Event
from indexing.judge.markets.declaring import ETHEREUM, Market, Protocol
from indexing.judge.markets.reading import Around, Deployment, Told, each
from indexing.judge.verdicts import Fault, Fill
from indexing.node.logs import RawLog

EXECUTED = Event("SwapExecuted(address indexed from, address indexed to, uint256 indexed swapId)")
EXECUTED_LAST = Event("SwapExecuted(address indexed from, address indexed to, uint64 indexed swapId)")


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the swaps that were executed."""
    after = -1
    for one in each(logs, {EXECUTED: _parties, EXECUTED_LAST: _parties}, deployment, around):
        if isinstance(one, Fault):
            yield one
        else:
            yield _fill(one[0], *one[1], after)
        after = one.log_index if isinstance(one, Fault) else one[0].log.log_index


def _parties(told: Told) -> tuple[str, str]:
    return told["from"], told["to"]


def _fill(told: Told, initiator: str, joiner: str, after: int) -> Fill:
    moves, log = told.around.moves, told.log
    places = [
        place
        for place, move in enumerate(moves)
        if after < move.log_index < log.log_index
        and move.sender == log.address
        and move.receiver in (initiator, joiner)
    ]
    first = [place for place in places if moves[place].receiver == initiator]
    second = [place for place in places if moves[place].receiver == joiner]
    return told.fill()._replace(
        seller=joiner if first else initiator,
        buyer=initiator if first else joiner,
        items=told.around.items(first or second),
        returned=told.around.items(second) if first and second else (),
        unpriced=bool(first) != bool(second),
        moves=tuple(places),
    )


_ADDRESSES = (
    "0x93ff6375e9ba6e8fba84b322944b237d7decc2d8",
    "0x4748495153fb86637e4fdd8e50e3c1f611f15930",
    "0x1c1919ec9de318b58fa66bae7449438c673e10b8",  # with ERC-1155 and ether
)

MARKET = Market("swapkiwi", "SwapKiwi", (Protocol("swapkiwi", fills, {ETHEREUM: _ADDRESSES}),))
