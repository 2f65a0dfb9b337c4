"""Sudoswap 1 and 2: pools that sell and buy NFTs of one collection along a curve.

Each pool is a contract of its own that a factory makes; a pool emits, after all that it moved:

- version 1: ``SwapNFTOutPair()`` when it sold NFTs, ``SwapNFTInPair()`` when it bought some; before, where its price
  changed, ``SpotPriceUpdate(uint128 newSpotPrice)``. None has an amount, nor the tokens (``LSSVMPair.sol``, deployed).
- version 2: ``SwapNFTOutPair(uint256 amountIn, uint256[] ids)``, ``SwapNFTInPair(uint256 amountOut, uint256[] ids)``;
  ERC-1155 pools have ``uint256 numNFTs`` in the place of the ids. ``amountIn`` is all that the buyer pays, the other
  is less royalties and the protocol's fee (``LSSVMPairERC721.sol``, ``LSSVMPairERC1155.sol``).

No field is indexed. NFTs that a pool sells leave it; those that it buys go to it, or where its owner wants them. A
trade in a token shows in the token's logs: a buyer pays the pool (or whom it names), royalties, and the factory its
fee; a pool that buys pays all of these itself, so that what it sends is the price. Ether leaves no log:

- What a pool pays in ether is not told by anything: such a sale has no price.
- What a pool of version 2 was paid in ether is ``amountIn``.
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
from indexing.judge.markets.reading import Around, between
from indexing.judge.markets.registry import Deployment
from indexing.judge.markets.sudoswap_calls import Call, calls
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Side
from indexing.node.logs import RawLog

FACTORIES = {
    1: frozenset(
        {"0xb16c1342e617a5b6e4b631eb114483fdb289c0a4", "0xa020d57ab0448ef74115c112d18a9c231cc86000"}
    ),
    8453: frozenset({"0x605145d263482684590f630e9e581b21e4938eb8"}),
    42161: frozenset({"0x4f1627be4c72aeb9565d4c751550c4d262a96b51"}),
    81457: frozenset({"0xdb0b8257cdf984d25f3446252e86c1163babe3dd"}),
}
"""Who gets the protocol's fee, of both versions, by EIP-155 chain id."""

_WHOLE = 10**18
_PROTOCOL_FEE = _FEE_STEP = 5 * 10**15
_MAX_FEE = 9 * 10**17


class _Price(NamedTuple):
    currency: str
    amount: int | None
    """``None`` where it is not known."""


def fills(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what pools sold and bought: one fill for each of their events that the NFTs' logs bear out."""
    made: list[Call] = []
    for one in calls(logs, deployment, around):
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


def _fill(call: Call, price: _Price, deployment: Deployment, around: Around) -> Fill:
    moves = [around.moves[place] for place in call.places]
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=call.log_index,
        side=Side.ASK if call.is_purchase else Side.BID,
        seller=moves[0].sender,
        buyer=moves[0].receiver,
        items=tuple(Item(move.contract, move.token_id, move.amount) for move in moves),
        currency=price.currency,
        price=price.amount or 0,
        unpriced=price.amount is None,
        moves=call.places,
    )


def _in_token(call: Call, around: Around) -> _Price:
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


def _total(amounts: Sequence[int], call: Call) -> int | None:
    """Return all that one party sent; ``None`` where the event says otherwise."""
    told, total = call.told.amount, sum(amounts)
    return total if told is None or told in ([total] if call.is_purchase else amounts) else None


def _in_ether(made: Sequence[Call], around: Around) -> Mapping[Call, int]:
    """Return what purchases cost in ether, as far as it is known."""
    purchases = [call for call in made if call.is_purchase]
    value = around.transaction.value - around.spent
    told = {call: call.told.amount for call in purchases if call.told.amount is not None}
    asked = sum(told.values())
    if asked > value:
        told = {}
    return told | _by_spot_price([call for call in purchases if call.told.amount is None], value - asked)


def _by_spot_price(purchases: Sequence[Call], value: int) -> dict[Call, int]:
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
