"""SwapKiwi: two parties put NFTs, and later ether too, into its custody, and the one who proposed the swap executes it.

``SwapExecuted(address indexed from, address indexed to, uint256 indexed swapId)``, ``uint64`` in the last version:
right before it the contract gave ``from`` what ``to`` had put in, and the other way round. Both must have given
something, so that NFTs that only one of them gets were sold for ether, nobody knows how much: it came with earlier
transactions. Proposing, joining and cancelling is custody. Specified by ``SwapKiwi.sol`` of the verified sources.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexing.decode.words import expect_topics, topic_address
from indexing.judge.markets.reading import Around, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Side
from indexing.node.logs import RawLog

EXECUTED = "0xbad29f2bbbf6bb1e15563203bcdb0dd660c54eab078763eb66f797efa8f5e8c1"
EXECUTED_LAST = "0x8d1ef4e0ccd0f016857c236780af12f7aa46cb23459b4962f46e649e6a9c24f2"


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read the swaps that were executed."""
    after = -1
    for one in each(logs, {EXECUTED: _parties, EXECUTED_LAST: _parties}, deployment):
        if isinstance(one, Fault):
            yield one
        else:
            yield _fill(one[0], *one[1], after, deployment, around)
        after = one.log_index if isinstance(one, Fault) else one[0].log_index


def _parties(log: RawLog) -> tuple[str, str]:
    expect_topics(log, 4, "A swap that was executed")
    return topic_address(log.topics, 1), topic_address(log.topics, 2)


def _fill(
    log: RawLog, initiator: str, joiner: str, after: int, deployment: Deployment, around: Around
) -> Fill:
    places = [
        place
        for place, move in enumerate(around.moves)
        if after < move.log_index < log.log_index
        and move.sender == log.address
        and move.receiver in (initiator, joiner)
    ]
    first = [place for place in places if around.moves[place].receiver == initiator]
    second = [place for place in places if around.moves[place].receiver == joiner]
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log.log_index,
        side=Side.ASK,
        seller=joiner if first else initiator,
        buyer=initiator if first else joiner,
        items=_items(first or second, around),
        currency=NATIVE,
        price=0,
        returned=_items(second, around) if first and second else (),
        unpriced=bool(first) != bool(second),
        moves=tuple(places),
    )


def _items(places: Sequence[int], around: Around) -> tuple[Item, ...]:
    return tuple(
        Item(move.contract, move.token_id, move.amount) for move in (around.moves[at] for at in places)
    )
