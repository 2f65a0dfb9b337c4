"""NFTX 1 to 3: vaults that hold NFTs of one collection, each worth a whole token of the vault's own.

- Version 1 is one contract on Ethereum: ``NFTsDeposited``, ``NFTsRedeemed`` (``NFTX.sol``).
- From version 2 on each vault is a contract of its own, which a factory makes and no log of a transaction names:
  ``Minted``, ``Redeemed``, ``Swapped``, the last two with fewer fields in version 3. Emitted when all NFTs have moved
  (``NFTXVaultUpgradeable.sol``, ``INFTXVaultV3.sol``).
- Zaps trade the vault's token for ether on the way: ``Buy`` after the ``Redeemed``, ``Sell`` after the ``Minted``.
  What is spent includes all fees; what is received does not, so that what the zap got for the vault's tokens, where it
  passed through it, is the price. A zap finds the vault by its number at the factory (``NFTXMarketplaceZap.sol``,
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
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.decode.moves import Move
from indexing.decode.signatures import Event, Fields
from indexing.decode.words import UndecodableError
from indexing.judge.markets.declaring import ARBITRUM, BASE, ETHEREUM, Market, Protocol
from indexing.judge.markets.reading import Around, Deployment, Told, between, each_by_itself, together
from indexing.judge.money import MoneyMove
from indexing.judge.verdicts import NATIVE, Fault, Fill, Side
from indexing.node.logs import RawLog

NFTS_DEPOSITED = Event("NFTsDeposited(uint256 vaultId, uint256[] nftIds, address party)")
NFTS_REDEEMED = Event("NFTsRedeemed(uint256 vaultId, uint256[] nftIds, address party)")
# What a vault took and gave has these names in all of its events.
MINTED = Event("Minted(uint256[] taken, uint256[] amounts, address to)")
REDEEMED_2 = Event("Redeemed(uint256[] given, uint256[] specificIds, address to)")
REDEEMED_3 = Event("Redeemed(uint256[] given, address to)")
SWAPPED_2 = Event(
    "Swapped(uint256[] taken, uint256[] amounts, uint256[] specificIds, uint256[] given, address to)"
)
SWAPPED_3 = Event("Swapped(uint256[] taken, uint256[] amounts, uint256[] given, address to)")
BUY = Event("Buy(uint256 count, uint256 amount, address to)")
SELL = Event("Sell(uint256 count, uint256 amount, address to)")
SWAP = Event("Swap(uint256 count, uint256 amount, address to)")
DEPOSIT = Event("Deposit(address indexed dst, uint256 wad)")


class _Vault(NamedTuple):
    """One event of a vault: the tokens that it took and gave."""

    log_index: int
    vault: str
    taken: frozenset[int]
    given: frozenset[int]


class _Zapped(NamedTuple):
    """One event of a zap."""

    log_index: int
    is_purchase: bool
    units: int
    amount: int
    to: str


def vaults(found: list[tuple[Told, _Vault]], around: Around) -> Iterator[Fill | Fault]:
    """Read what vaults took and gave: one fill an event that the NFTs' logs bear out, an exchange for each swap."""
    since: dict[str, int] = {}
    places = _Places(around)
    for told, event in found:
        start = since.get(event.vault, -1)
        taken, given = places.moved(event, start)
        since[event.vault] = event.log_index
        if event.taken and event.given:
            if taken and given:
                yield told.fill()._replace(
                    seller=event.vault, items=around.items(given), returned=around.items(taken)
                )
        elif (taken or given) and places.is_paid_in_own_token(event, start):
            yield told.fill()


def zap(found: list[tuple[Told, _Zapped]], around: Around) -> Iterator[Fill | Fault]:
    """Read what was bought from vaults and sold to them for ether: one fill an event, a swap's fee is none."""
    since = -1
    places = _Places(around)
    for told, event in found:
        if told.event is not SWAP:
            yield _sale(told, event, since, places)
        since = event.log_index


def _sale(told: Told, event: _Zapped, since: int, moved_at: _Places) -> Fill:
    fill, around = told.fill(Side.ASK if event.is_purchase else Side.BID), told.around
    places = _traded(event, since, moved_at, around)
    if not places:
        return fill
    first = around.moves[places[0]]
    currency, price = _price(event, since, told.deployment, around)
    return fill._replace(
        seller=first.sender,
        buyer=first.receiver,
        items=around.items(places),
        moves=tuple(places),
        currency=currency,
        price=price,
    )


def _traded(event: _Zapped, since: int, moved_at: _Places, around: Around) -> list[int]:
    """Return the places of the moves that a zap traded: those of the one vault's event that fits to it."""
    fitting = []
    last: dict[str, int] = {}
    for log in _logs(around, since, event.log_index):
        if log.topics and log.topics[0] in _VAULT_EVENTS:
            try:
                vault = _vault(log, _VAULT_EVENTS[log.topics[0]].read(log))
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
        and log.topics[0] == DEPOSIT.topic
        and log.topics[1].endswith(zap_address[2:])
        for log in _logs(around, since, until)
    )


def _logs(around: Around, since: int, until: int) -> Sequence[RawLog]:
    """Return the logs after one index and before another."""
    logs = around.transaction.logs
    return logs[bisect_right(logs, since, key=_index) : bisect_left(logs, until, key=_index)]


def _index(log: RawLog) -> int:
    return log.log_index


def _numbered(told: Told) -> Fill:
    """Return what version 1 took or gave: for vault tokens, no sale."""
    told.check("nftIds", "party")
    return told.fill()


def _vault_told(told: Told) -> _Vault:
    return _vault(told.log, told.fields)


def _vault(log: RawLog, fields: Fields) -> _Vault:
    taken, given = fields.get("taken", ()), fields.get("given", ())
    fields["to"]  # is an address
    return _Vault(log.log_index, log.address, frozenset(taken), frozenset(given))


def _zapped(told: Told) -> _Zapped:
    return _Zapped(told.log.log_index, told.event is BUY, told["count"], told["amount"], told["to"])


class _Places:
    """The moves of a transaction by who received and who sent them, its money by currency: places, in log order.

    Anybody can emit a vault's events, and as many as they like: none goes through what is not the vault's own.
    """

    def __init__(self, around: Around) -> None:
        self._around = around
        self._received: dict[str, list[int]] = defaultdict(list)
        self._sent: dict[str, list[int]] = defaultdict(list)
        self._money: dict[str, list[int]] = defaultdict(list)
        for place, move in enumerate(around.moves):
            self._received[move.receiver].append(place)
            self._sent[move.sender].append(place)
        for place, one in enumerate(around.money):
            self._money[one.currency].append(place)

    def moved(self, event: _Vault, since: int) -> tuple[list[int], list[int]]:
        """Return the places of the moves by which a vault took and gave what its event names, after an earlier log."""
        moves = self._around.moves
        received = _within(self._received.get(event.vault, ()), moves, since, event.log_index)
        sent = _within(self._sent.get(event.vault, ()), moves, since, event.log_index)
        taken = [at for at in received if moves[at].token_id in event.taken]
        given = [
            at
            for at in sent
            if moves[at].token_id in event.given
            # What a vault moves to itself it took.
            and not (moves[at].receiver == event.vault and moves[at].token_id in event.taken)
        ]
        return taken, given

    def is_paid_in_own_token(self, event: _Vault, since: int) -> bool:
        """Whether a contract made or burned tokens of its own meanwhile, as vaults do for what they take and give."""
        money = self._around.money
        own = _within(self._money.get(event.vault, ()), money, since, event.log_index)
        return any((money[at].sender if event.taken else money[at].receiver) == ZERO_ADDRESS for at in own)


def _within(
    places: Sequence[int], entries: Sequence[Move] | Sequence[MoneyMove], since: int, until: int
) -> Sequence[int]:
    """Return those places of entries whose log is after one index and before another."""

    def index(place: int) -> int:
        return entries[place].log_index

    return places[bisect_right(places, since, key=index) : bisect_left(places, until, key=index)]


NUMBERED_EVENTS = (NFTS_DEPOSITED, NFTS_REDEEMED)
ZAP_EVENTS = (BUY, SELL, SWAP)
VAULT_EVENTS = (MINTED, REDEEMED_2, REDEEMED_3, SWAPPED_2, SWAPPED_3)
_VAULT_EVENTS = {event.topic: event for event in VAULT_EVENTS}

_ADDRESSES_1 = {ETHEREUM: ("0xaf93fcce0548d3124a5fc3045adaf1dde4e8bf7e",)}
_ZAPS = {
    ETHEREUM: (
        "0x0fc584529a2aefa997697fafacba5831fac0c22d",  # version 2
        "0xbbc53022af15bb973ad906577c84784c47c14371",  # 2, by way of 0x
        "0x293a0c49c85f1d8851c665ac3ce1f1dc2a79be3d",  # 3
    ),
    BASE: ("0x31cb832f661cd90fc9fca6fb70a39ca811a02aed",),  # 3
    ARBITRUM: (
        "0x66f26e38bd50fd52a50da8e87e435f04f98001b7",  # 2
        "0xf56296b3010a59ef7f0915569dd44e1302b9ca40",  # 3
    ),
}

MARKET = Market(
    "nftx",
    "NFTX",
    (
        Protocol("nftx-1", each_by_itself(dict.fromkeys(NUMBERED_EVENTS, _numbered)), _ADDRESSES_1),
        Protocol("nftx-zap", together(dict.fromkeys(ZAP_EVENTS, _zapped), zap), _ZAPS),
        Protocol("nftx", together(dict.fromkeys(VAULT_EVENTS, _vault_told), vaults), clones=VAULT_EVENTS),
    ),
)
