"""NFTX 1 to 3: vaults that hold NFTs of one collection, each worth a whole token of the vault's own.

- Version 1 is one contract, 0xaf93fcce0548d3124a5fc3045adaf1dde4e8bf7e on Ethereum: ``NFTsDeposited(uint256 vaultId,
  uint256[] nftIds, address from)``, ``NFTsRedeemed(uint256 vaultId, uint256[] nftIds, address to)`` (``NFTX.sol``).
- From version 2 on each vault is a contract of its own, which a factory makes and no log of a transaction names:
  ``Minted(uint256[] nftIds, uint256[] amounts, address to)``; ``Redeemed(uint256[] nftIds, uint256[] specificIds,
  address to)``, in version 3 ``Redeemed(uint256[] specificIds, address to)``; ``Swapped(uint256[] nftIds, uint256[]
  amounts, uint256[] specificIds, uint256[] redeemedIds, address to)``, in version 3 without ``redeemedIds``. Emitted
  when all NFTs have moved (``NFTXVaultUpgradeable.sol``, ``INFTXVaultV3.sol``).
- Zaps trade the vault's token for ether on the way: ``Buy(uint256 count, uint256 ethSpent, address to)`` after the
  ``Redeemed``, ``Sell(uint256 count, uint256 ethReceived, address to)`` after the ``Minted``. What is spent includes
  all fees; what is received does not, so that what the zap got for the vault's tokens, where it passed through it, is
  the price. A zap finds the vault by its number at the factory (``NFTXMarketplaceZap.sol``,
  ``MarketplaceUniversalRouterZap.sol``).

No field is indexed, and none names the collection: the NFT's logs do.

A deposit and a redemption pay in the vault's tokens, which have no price: they are transfers, of this market. A swap is
an exchange with the vault. Only a zap's purchase or sale has a price.

Anybody can emit a vault's events. What is believed of them: that their contract took the NFTs, or gave them, which the
NFTs' own logs say, and for a deposit or a redemption that it made or burned tokens of its own. That much makes a
transaction NFTX's, and NFTs both ways an exchange; no price rests on it.
Prices come from known zaps, and only where one vault's event alone fits to what the zap counts.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from indexing.decode.words import UndecodableError, address, expect_topics, number, numbers
from indexing.judge.markets.nftx_places import Places, Vault
from indexing.judge.markets.reading import Around, between, each
from indexing.judge.markets.registry import Deployment
from indexing.judge.sales import NATIVE, Fault, Fill, Item, Side
from indexing.node.logs import RawLog

NFTS_DEPOSITED = "0xa963f7ecdb156552012f0243518e59976e81da95a2564cfef33d93dadc936b3a"
NFTS_REDEEMED = "0x9e736e2443674a939a2033fd6671ab995e1a57cdefbf1c39cbac71b843be2bd8"
MINTED = "0x1f72ad2a14447fa756b6f5aca53504645af79813493aca2d906b69e4aaeb9492"
REDEEMED_2 = "0x63b13f6307f284441e029836b0c22eb91eb62a7ad555670061157930ce884f4e"
REDEEMED_3 = "0xddf3c6319e89d061b877ebc529b0fd59410499b5bf683cffa46d5807dd13c600"
SWAPPED_2 = "0x66982ed4a058811a8004bdcec9adcb3671f2b4f1a788667a3a74959d7c09af3c"
SWAPPED_3 = "0xcf2fcb072d2992e835a4daadd1e6ebba9a675539a451596a6f594fdb61ba9224"
BUY = "0xf7735c8cb2a65788ca663fc8415b7c6a66cd6847d58346d8334e8d52a599d3df"
SELL = "0x1cdb5ee3c47e1a706ac452b89698e5e3f2ff4f835ca72dde8936d0f4fcf37d81"
SWAP = "0x7af2bc3f8ec800c569b6555feaf16589d96a9d04a49d1645fd456d75fa0b372b"
# event Deposit(address indexed dst, uint256 wad) — WETH9
DEPOSIT = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c"


class _Zapped(NamedTuple):
    """One event of a zap."""

    log_index: int
    is_purchase: bool
    units: int
    amount: int
    to: str


def vault_1(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what version 1 took and gave: fills for vault tokens, no sales."""
    for one in each(logs, {NFTS_DEPOSITED: _numbered, NFTS_REDEEMED: _numbered}, deployment):
        yield one if isinstance(one, Fault) else _fill(one[0].log_index, deployment)


def vaults(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what vaults took and gave: one fill an event that the NFTs' logs bear out, an exchange for each swap."""
    since: dict[str, int] = {}
    places = Places(around)
    for one in each(logs, _VAULT_READERS, deployment):
        if isinstance(one, Fault):
            yield one
            continue
        event = one[1]
        start = since.get(event.vault, -1)
        taken, given = places.moved(event, start)
        since[event.vault] = event.log_index
        if event.taken and event.given:
            if taken and given:
                fill = _fill(event.log_index, deployment)
                yield fill._replace(
                    seller=event.vault, items=_items(given, around), returned=_items(taken, around)
                )
        elif (taken or given) and places.is_paid_in_own_token(event, start):
            yield _fill(event.log_index, deployment)


def zap(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill | Fault]:
    """Read what was bought from vaults and sold to them for ether: one fill an event, a swap's fee is none."""
    since = -1
    places = Places(around)
    for one in each(logs, {BUY: _zapped, SELL: _zapped, SWAP: _zapped}, deployment):
        if isinstance(one, Fault):
            yield one
            continue
        log, event = one
        if log.topics[0] != SWAP:
            yield _sale(event, since, places, deployment, around)
        since = event.log_index


def _fill(log_index: int, deployment: Deployment) -> Fill:
    return Fill(
        protocol=deployment.protocol,
        market=deployment.market,
        log_index=log_index,
        side=Side.ASK,
        seller=None,
        buyer=None,
        items=(),
        currency=NATIVE,
        price=0,
    )


def _sale(event: _Zapped, since: int, moved_at: Places, deployment: Deployment, around: Around) -> Fill:
    fill = _fill(event.log_index, deployment)._replace(side=Side.ASK if event.is_purchase else Side.BID)
    places = _traded(event, since, moved_at, around)
    if not places:
        return fill
    first = around.moves[places[0]]
    currency, price = _price(event, since, deployment, around)
    return fill._replace(
        seller=first.sender,
        buyer=first.receiver,
        items=_items(places, around),
        moves=tuple(places),
        currency=currency,
        price=price,
    )


def _traded(event: _Zapped, since: int, moved_at: Places, around: Around) -> list[int]:
    """Return the places of the moves that a zap traded: those of the one vault's event that fits to it."""
    fitting = []
    last: dict[str, int] = {}
    for log in _logs(around, since, event.log_index):
        if log.topics and log.topics[0] in _VAULT_READERS:
            try:
                vault = _VAULT_READERS[log.topics[0]](log)
            except UndecodableError:
                continue  # it is told of where the vaults are read
            if (bool(vault.given), bool(vault.taken)) == (event.is_purchase, not event.is_purchase):
                taken, given = moved_at.moved(vault, last.get(vault.vault, since))
                last[vault.vault] = vault.log_index
                places = given if event.is_purchase else taken
                if sum(around.moves[place].amount for place in places) == event.units:
                    fitting.append(places)
    return fitting[0] if len(fitting) == 1 else []


def _price(event: _Zapped, since: int, deployment: Deployment, around: Around) -> tuple[str, int]:
    """Return the currency of a zap's trade, and all that was paid in it."""
    money = (around.money[place] for place in between(around.money, since, event.log_index))
    wrapped = [one for one in money if one.currency in around.registry.wrapped_native]
    to_zap = [one for one in wrapped if one.receiver == deployment.address]
    if event.is_purchase:
        has_wrapped = _wrapped_by(deployment.address, since, event.log_index, around)
        return (to_zap[0].currency if to_zap and not has_wrapped else NATIVE), event.amount
    got = sum(one.amount for one in to_zap)
    if got >= event.amount and to_zap:
        return to_zap[0].currency, got
    paid_out = [one for one in wrapped if (one.receiver, one.amount) == (event.to, event.amount)]
    return (paid_out[0].currency if paid_out else NATIVE), event.amount


def _wrapped_by(zap_address: str, since: int, until: int, around: Around) -> bool:
    """Whether a zap wrapped what it was sent: it was paid in native money then."""
    return any(
        log.address in around.registry.wrapped_native
        and len(log.topics) == 2
        and log.topics[0] == DEPOSIT
        and log.topics[1].endswith(zap_address[2:])
        for log in _logs(around, since, until)
    )


def _logs(around: Around, since: int, until: int) -> Sequence[RawLog]:
    """Return the logs after one index and before another."""
    logs = around.transaction.logs
    return logs[bisect_right(logs, since, key=_index) : bisect_left(logs, until, key=_index)]


def _index(log: RawLog) -> int:
    return log.log_index


def _items(places: Sequence[int], around: Around) -> tuple[Item, ...]:
    moves = (around.moves[place] for place in places)
    return tuple(Item(move.contract, move.token_id, move.amount) for move in moves)


def _numbered(log: RawLog) -> None:
    expect_topics(log, 1, "An event of NFTX")
    numbers(log.data, 32)
    address(log.data, 64)


def _minted(log: RawLog) -> Vault:
    return _vault(log, taken=numbers(log.data, 0), given=(), to=64)


def _redeemed_2(log: RawLog) -> Vault:
    return _vault(log, taken=(), given=numbers(log.data, 0), to=64)


def _redeemed_3(log: RawLog) -> Vault:
    return _vault(log, taken=(), given=numbers(log.data, 0), to=32)


def _swapped_2(log: RawLog) -> Vault:
    return _vault(log, taken=numbers(log.data, 0), given=numbers(log.data, 96), to=128)


def _swapped_3(log: RawLog) -> Vault:
    return _vault(log, taken=numbers(log.data, 0), given=numbers(log.data, 64), to=96)


def _vault(log: RawLog, *, taken: Sequence[int], given: Sequence[int], to: int) -> Vault:
    expect_topics(log, 1, "An event of NFTX")
    address(log.data, to)
    return Vault(log.log_index, log.address, frozenset(taken), frozenset(given))


def _zapped(log: RawLog) -> _Zapped:
    expect_topics(log, 1, "An event of NFTX")
    return _Zapped(
        log_index=log.log_index,
        is_purchase=log.topics[0] == BUY,
        units=number(log.data, 0),
        amount=number(log.data, 32),
        to=address(log.data, 64),
    )


_VAULT_READERS: dict[str, Callable[[RawLog], Vault]] = {
    MINTED: _minted,
    REDEEMED_2: _redeemed_2,
    REDEEMED_3: _redeemed_3,
    SWAPPED_2: _swapped_2,
    SWAPPED_3: _swapped_3,
}
VAULT_EVENTS = tuple(_VAULT_READERS)
