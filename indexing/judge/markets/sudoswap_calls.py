"""What Sudoswap's pools say that they did, and the NFTs that moved for it; see :mod:`sudoswap` for the events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from indexing.decode.words import expect_topics, number, numbers
from indexing.judge.markets.reading import Around, between, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import Fault
from indexing.node.logs import RawLog

SPOT_PRICE_UPDATE = "0xf06180fdbe95e5193df4dcd1352726b1f04cb58599ce58552cc952447af2ffbb"
OUT_1 = "0xbc479dfc6cb9c1a9d880f987ee4b30fa43dd7f06aec121db685b67d587c93c93"
IN_1 = "0x3614eb567740a0ee3897c0e2b11ad6a5720d2e4438f9c8accf6c95c24af3a470"
OUT_2 = "0xa13c46268c53408442d94eb370f2e476cb7f0fbe027ae5bad73ce13d4469c8b9"
IN_2 = "0x7a0e7e58d91fd23a96b0008604db1b2d1cee4aae434e3aad9a20fdd7c0995f89"
OUT_2_UNITS = "0xd9c2402e1a067734ae78dab98f06d5b28e8a2d2c6370ec0e6ff8cc2749d050f1"
IN_2_UNITS = "0x58e7e2e8d4c949c019e4fe5f6e2a8f10e4e078a8747730386e9a230da8c969f0"

EVENTS = (SPOT_PRICE_UPDATE, OUT_1, IN_1, OUT_2, IN_2, OUT_2_UNITS, IN_2_UNITS)
_PURCHASES = frozenset({OUT_1, OUT_2, OUT_2_UNITS})


class _Told(NamedTuple):
    """What an event says; ``None`` where its version does not."""

    amount: int | None = None
    ids: frozenset[int] | None = None
    units: int | None = None


class Call(NamedTuple):
    """A call by which a pool sold NFTs (a purchase), or bought some, with the places of the moves that it made."""

    log_index: int
    since: int
    """Log index of what was before the call."""
    pool: str
    is_purchase: bool
    told: _Told
    spot: int | None
    """The pool's price after it, where it changed."""
    places: tuple[int, ...] = ()


def calls(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Call | Fault]:
    """Read the calls of all pools, those whose NFTs moved as they say, in log order."""
    spots: dict[str, tuple[int, int | None]] = {}
    since = -1
    for one in each(logs, dict.fromkeys(EVENTS, _told), deployment):
        if isinstance(one, Fault):
            yield one
            continue
        log, told = one
        if log.topics[0] == SPOT_PRICE_UPDATE:
            spots[log.address] = (log.log_index, told.amount)
            continue
        changed_at, spot = spots.pop(log.address, (since, None))
        is_purchase = log.topics[0] in _PURCHASES
        call = Call(log.log_index, max(since, changed_at), log.address, is_purchase, told, spot)
        places = _sold(call, around) if is_purchase else _bought(call, around)
        if places:
            yield call._replace(places=tuple(places))
        since = log.log_index


def _sold(call: Call, around: Around) -> list[int]:
    """Return the places of the moves by which NFTs left a pool; none where they are not what it says."""
    found = [place for place in _within(call, around) if around.moves[place].sender == call.pool]
    return found if _is_what_it_says(found, call, around) else []


def _bought(call: Call, around: Around) -> list[int]:
    """Return the places of the moves by which NFTs reached a pool, or the one address where its owner wants them."""
    inside = _within(call, around)
    found = [place for place in inside if around.moves[place].receiver == call.pool]
    registry, target = around.registry, around.transaction.target
    if not found and (target in registry.targets or target in registry.markets):
        # A pool of version 1 that did not change its price leaves nothing by which its call could be made out.
        is_told = call.told.amount is not None or call.spot is not None
        found = inside if is_told and len({around.moves[place].receiver for place in inside}) == 1 else []
    return found if _is_what_it_says(found, call, around) else []


def _within(call: Call, around: Around) -> list[int]:
    inside = between(around.moves, call.since, call.log_index)
    return [place for place in inside if place not in around.taken]


def _is_what_it_says(places: Sequence[int], call: Call, around: Around) -> bool:
    moves = [around.moves[place] for place in places]
    if len({move.contract for move in moves}) != 1:
        return False
    if call.told.ids is not None:
        return {move.token_id for move in moves} == call.told.ids
    return call.told.units in (None, sum(move.amount for move in moves))


def _told(log: RawLog) -> _Told:
    expect_topics(log, 1, "An event of Sudoswap")
    topic = log.topics[0]
    if topic in (OUT_1, IN_1):
        return _Told()
    amount = number(log.data, 0)
    if topic in (OUT_2, IN_2):
        return _Told(amount, ids=frozenset(numbers(log.data, 32)))
    return _Told(amount) if topic == SPOT_PRICE_UPDATE else _Told(amount, units=number(log.data, 32))
