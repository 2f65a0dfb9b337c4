"""Sudoswap 1 and 2: pools that sell and buy NFTs of one collection along a curve.

Each pool is a contract of its own that a factory makes; a pool emits, after all that it moved:

- version 1: ``SwapNFTOutPair`` when it sold NFTs, ``SwapNFTInPair`` when it bought some; before, where its price
  changed, ``SpotPriceUpdate``. None has an amount, nor the tokens (``LSSVMPair.sol``, deployed).
- version 2: the same with what the buyer pays in all, or what a seller got, less royalties and the protocol's fee, and
  the ids, or in ERC-1155 pools a number (``LSSVMPairERC721.sol``, ``LSSVMPairERC1155.sol``).

No field is indexed. NFTs that a pool sells leave it; those that it buys go to it, or where its owner wants them. A
trade in a token shows in the token's logs: a buyer pays the pool (or whom it names), royalties, and the factory its
fee; a pool that buys pays all of these itself, so that what it sends is the price. Ether leaves no log:

- What a pool pays in ether is not told by anything: such a sale has no price.
- What a pool of version 2 was paid in ether is what its event says.
- A pool of version 1 that sold one NFT along a linear or exponential curve was paid its new spot price, half a percent
  of it for the protocol, and a fee of the pool's owner that is not told; each part is rounded down. Where the sender
  brought exactly that, with no such fee for all purchases, or with one of whole half percents for the only one, it is
  the price. Where more was brought, for instance for a price that rises meanwhile, the price is not known.

Nothing lists the pools, and anybody can emit these events. What is believed: that NFTs left the contract that says so,
or reached it (another place only when Sudoswap's router or another known market was called), since their own logs say
it; an amount in a token, as far as that token moved; and an amount in ether, as far as the transaction's sender brought
it for no known market, since what a contract unwraps may be borrowed for a moment. So a look-alike can tell no price
that was not really put at stake, as with any sale to oneself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.judge.markets.declaring import ARBITRUM, BASE, BLAST, ETHEREUM, Market, Protocol
from indexing.judge.markets.reading import Around, Deployment, Told, between, each
from indexing.judge.markets.sudoswap_orders import (
    FACTORY_ORDERS,
    IN_1,
    IN_2,
    IN_2_UNITS,
    OUT_1,
    OUT_2,
    OUT_2_UNITS,
    POOL_ORDERS,
    SPOT_PRICE_UPDATE,
)
from indexing.judge.verdicts import NATIVE, Fault, Fill, Side
from indexing.node.logs import RawLog

EVENTS = (SPOT_PRICE_UPDATE, OUT_1, IN_1, OUT_2, IN_2, OUT_2_UNITS, IN_2_UNITS)
_PURCHASES = (OUT_1, OUT_2, OUT_2_UNITS)

FACTORIES = {
    ETHEREUM: frozenset(
        {"0xb16c1342e617a5b6e4b631eb114483fdb289c0a4", "0xa020d57ab0448ef74115c112d18a9c231cc86000"}
    ),
    BASE: frozenset({"0x605145d263482684590f630e9e581b21e4938eb8"}),
    ARBITRUM: frozenset({"0x4f1627be4c72aeb9565d4c751550c4d262a96b51"}),
    BLAST: frozenset({"0xdb0b8257cdf984d25f3446252e86c1163babe3dd"}),
}
"""Who makes the pools, and gets the protocol's fee, of both versions, by EIP-155 chain id."""

_WHOLE = 10**18
_PROTOCOL_FEE = _FEE_STEP = 5 * 10**15
_MAX_FEE = 9 * 10**17


class _Told(NamedTuple):
    """What an event says; ``None`` where its version does not."""

    amount: int | None = None
    ids: frozenset[int] | None = None
    units: int | None = None


class _Call(NamedTuple):
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


class _Price(NamedTuple):
    currency: str
    amount: int | None
    """``None`` where it is not known."""


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what pools sold and bought: one fill for each of their events that the NFTs' logs bear out."""
    made: list[_Call] = []
    for one in _calls(logs, deployment, around):
        if isinstance(one, Fault):
            yield one
        else:
            made.append(one)
    prices = {call: _in_token(call, around) for call in made}
    in_ether = _in_ether([call for call in made if prices[call].currency == NATIVE], around)
    for call in made:
        price = prices[call] if prices[call].currency != NATIVE else _Price(NATIVE, in_ether.get(call))
        yield _fill(call, price, deployment, around)
        asked = call.told.amount
        if call.is_purchase and price == (NATIVE, None) and asked is not None:
            reason = f"The pool says that it was paid {asked} wei, which nobody brought."
            yield Fault(deployment.protocol, call.log_index, reason, NATIVE, asked)


def _fill(call: _Call, price: _Price, deployment: Deployment, around: Around) -> Fill:
    first = around.moves[call.places[0]]
    return Fill(
        deployment.protocol,
        deployment.market,
        call.log_index,
        side=Side.ASK if call.is_purchase else Side.BID,
        seller=first.sender,
        buyer=first.receiver,
        items=around.items(call.places),
        currency=price.currency,
        price=price.amount or 0,
        unpriced=price.amount is None,
        moves=call.places,
    )


def _in_token(call: _Call, around: Around) -> _Price:
    """Return the price by the token's logs, ``NATIVE`` where no token was paid to a pool or by it."""
    sent: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for place in between(around.money, call.since, call.log_index):
        one = around.money[place]
        if one.sender != ZERO_ADDRESS:
            sent[one.currency, one.sender].append((one.receiver, one.amount))
    getting = {call.pool} | FACTORIES.get(around.registry.chain_id, frozenset())
    found = [
        _Price(currency, _total([amount for _, amount in some], call))
        for (currency, payer), some in sent.items()
        if (payer == call.pool) != call.is_purchase
        and (not call.is_purchase or any(receiver in getting for receiver, _ in some))
    ]
    if not found:
        return _Price(NATIVE, None)
    known = [price for price in found if price.amount is not None]
    return known[0] if len(known) == 1 else _Price(found[0].currency, None)


def _total(amounts: Sequence[int], call: _Call) -> int | None:
    """Return all that one party sent; ``None`` where the event says otherwise."""
    told, total = call.told.amount, sum(amounts)
    return total if told is None or told in ([total] if call.is_purchase else amounts) else None


def _in_ether(made: Sequence[_Call], around: Around) -> Mapping[_Call, int]:
    """Return what purchases cost in ether, as far as it is known."""
    purchases = [call for call in made if call.is_purchase]
    value = around.transaction.value - around.spent
    told = {call: call.told.amount for call in purchases if call.told.amount is not None}
    asked = sum(told.values())
    if asked > value:
        told = {}
    return told | _by_spot_price([call for call in purchases if call.told.amount is None], value - asked)


def _by_spot_price(purchases: Sequence[_Call], value: int) -> dict[_Call, int]:
    """Return what single NFTs cost in version 1, where together they cost exactly what was brought for them."""
    spots = {call: call.spot for call in purchases if call.spot and len(call.places) == 1}
    if not spots or len(spots) < len(purchases):
        return {}
    plain = {call: spot + spot * _PROTOCOL_FEE // _WHOLE for call, spot in spots.items()}
    fees = value - sum(plain.values())
    if fees == 0:
        return plain
    (call, spot), *others = spots.items()
    rate = (fees * _WHOLE // spot + _FEE_STEP // 2) // _FEE_STEP * _FEE_STEP
    is_whole = 0 < rate < _MAX_FEE and spot * rate // _WHOLE == fees
    return {call: value} if is_whole and not others else {}


def _calls(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[_Call | Fault]:
    """Read the calls of all pools, those whose NFTs moved as they say, in log order."""
    spots: dict[str, tuple[int, int | None]] = {}
    since = -1
    for one in each(logs, dict.fromkeys(EVENTS, _told), deployment, around):
        if isinstance(one, Fault):
            yield one
            continue
        event, told = one
        log = event.log
        if event.event is SPOT_PRICE_UPDATE:
            spots[log.address] = (log.log_index, told.amount)
            continue
        changed_at, spot = spots.pop(log.address, (since, None))
        is_purchase = event.event in _PURCHASES
        call = _Call(log.log_index, max(since, changed_at), log.address, is_purchase, told, spot)
        places = _sold(call, around) if is_purchase else _bought(call, around)
        if places:
            yield call._replace(places=tuple(places))
        since = log.log_index


def _sold(call: _Call, around: Around) -> list[int]:
    """Return the places of the moves by which NFTs left a pool; none where they are not what it says."""
    found = [place for place in _within(call, around) if around.moves[place].sender == call.pool]
    return found if _is_what_it_says(found, call, around) else []


def _bought(call: _Call, around: Around) -> list[int]:
    """Return the places of the moves by which NFTs reached a pool, or the one address where its owner wants them."""
    inside = _within(call, around)
    found = [place for place in inside if around.moves[place].receiver == call.pool]
    registry, target = around.registry, around.transaction.target
    if not found and (target in registry.targets or target in registry.markets):
        # A pool of version 1 that did not change its price leaves nothing by which its call could be made out.
        is_told = call.told.amount is not None or call.spot is not None
        found = inside if is_told and len({around.moves[place].receiver for place in inside}) == 1 else []
    return found if _is_what_it_says(found, call, around) else []


def _within(call: _Call, around: Around) -> list[int]:
    inside = between(around.moves, call.since, call.log_index)
    return [place for place in inside if place not in around.taken]


def _is_what_it_says(places: Sequence[int], call: _Call, around: Around) -> bool:
    moves = [around.moves[place] for place in places]
    if len({move.contract for move in moves}) != 1:
        return False
    if call.told.ids is not None:
        return {move.token_id for move in moves} == call.told.ids
    return call.told.units in (None, sum(move.amount for move in moves))


def _told(told: Told) -> _Told:
    amount, ids, units = (told.get(name, None) for name in ("amount", "ids", "units"))
    return _Told(amount, None if ids is None else frozenset(ids), units)


MARKET = Market(
    "sudoswap",
    "Sudoswap",
    (
        Protocol("sudoswap", fills, clones=EVENTS, orders=POOL_ORDERS),
        Protocol(
            "sudoswap-factory",
            None,
            {chain: tuple(sorted(some)) for chain, some in FACTORIES.items()},
            orders=FACTORY_ORDERS,
        ),
    ),
    targets={
        ETHEREUM: (
            "0x2b2e8cda09bba9660dca5cb6233787738ad68329",  # the router of version 1
            "0x844d04f79d2c58dcebf8fff1e389fccb1401aa49",  # the one that pays royalties
            "0x090c236b62317db226e6ae6cd4c0fd25b7028b65",  # VeryFastRouter, of version 2, here and below
        ),
        BASE: ("0xa07ebd56b361fe79af706a2bf6d8097091225548",),
        ARBITRUM: ("0x5bfe2ef160eaaaa4afa89a8fa09775b6580162c9",),
        BLAST: ("0xa43d2f748e73431983578a92ecd2d830126d5f17",),
    },
)
