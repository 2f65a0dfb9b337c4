"""Offers of punks: in CryptoPunks, in its first contract V1, and in PunksMarket, where wrapped punks of V1 are sold.

- CryptoPunks: an offer takes the place of the one before, whoever it is for. It ends when the punk moves, whether or
  not ``PunkNoLongerForSale`` says so: where a bid is accepted, only ``PunkBought`` does, naming no buyer.
- V1: ``transferPunk`` leaves the offer as it is, so that it sells again when the punk comes back to who made it.
- PunksMarket holds no punk, and wants to be approved by who sells. ``PunkBought`` alone tells of a sale or of a bid
  that was accepted.

Wrapping a punk offers it privately for nothing. Specified by ``CryptoPunksMarket`` and ``CryptoPunks``, and by
``PunksMarket`` of punks.contracts.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.addresses import ZERO_ADDRESS
from indexing.decode.signatures import Event
from indexing.judge.markets.order_reading import CANCELLED, FILLED, OrderReader, Said, address_or_none
from transfers.ledger.order_facts import OrderEvent

PUNK_BOUGHT = Event(
    "PunkBought(uint256 indexed punkIndex, uint256 value, address indexed fromAddress, "
    "address indexed toAddress)"
)
PUNK_OFFERED = Event("PunkOffered(uint256 indexed punkIndex, uint256 minValue, address indexed toAddress)")
PUNK_NO_LONGER_FOR_SALE = Event("PunkNoLongerForSale(uint256 indexed punkIndex)")
PUNK_TRANSFER = Event("PunkTransfer(address indexed from, address indexed to, uint256 punkIndex)")

V1 = "0x6ba6f2207e343923ba692e5cae646fb0f566db8d"
V1_SLUG = "cryptopunks-v1"
"""V1 is another collection, and its offers are traps as a rule: they are not shown among those of CryptoPunks."""
PUNKS_MARKET = "0x759c6c1923910930c18ef490b3c3dbeff24003ce"
_WRAPPED_V1 = "0x282bdd42f4eb70e7a9d9f40c8fea0825b7f68c5d"


def _offered(said: Said) -> Iterator[OrderEvent]:
    offer = said.opened(
        said.log.address,
        said["punkIndex"],
        said["minValue"],
        taker=address_or_none(said["toAddress"]),
        wakes=_is_v1(said),
    )
    yield _of_v1(offer) if _is_v1(said) else offer


def _withdrawn(said: Said) -> Iterator[OrderEvent]:
    yield from _ended(said, CANCELLED)


def _moved(said: Said) -> Iterator[OrderEvent]:
    punk = said["punkIndex"]
    if not _is_v1(said):
        yield said.ended(CANCELLED, contract=said.log.address, token_id=punk)


def _bought(said: Said) -> Iterator[OrderEvent]:
    # An accepted bid has lost the bidder's name by then.
    yield from _ended(said, FILLED if said["toAddress"] != ZERO_ADDRESS else CANCELLED)


def _ended(said: Said, outcome: str) -> Iterator[OrderEvent]:
    end = said.ended(outcome, contract=said.log.address, token_id=said["punkIndex"])
    yield _of_v1(end) if _is_v1(said) else end


def _is_v1(said: Said) -> bool:
    return said.log.address == V1


def _of_v1(one: OrderEvent) -> OrderEvent:
    return one._replace(market=V1_SLUG)


def _wrapped_offered(said: Said) -> Iterator[OrderEvent]:
    yield said.opened(
        _WRAPPED_V1,
        said["punkIndex"],
        said["minValue"],
        taker=address_or_none(said["toAddress"]),
        operator=said.log.address,
    )


def _wrapped_withdrawn(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(CANCELLED, contract=_WRAPPED_V1, token_id=said["punkIndex"])


def _wrapped_bought(said: Said) -> Iterator[OrderEvent]:
    yield said.ended(FILLED, contract=_WRAPPED_V1, token_id=said["punkIndex"])


ORDERS = OrderReader(
    {PUNK_OFFERED: _offered, PUNK_NO_LONGER_FOR_SALE: _withdrawn, PUNK_TRANSFER: _moved, PUNK_BOUGHT: _bought}
)
WRAPPED_ORDERS = OrderReader(
    {
        PUNK_OFFERED: _wrapped_offered,
        PUNK_NO_LONGER_FOR_SALE: _wrapped_withdrawn,
        PUNK_BOUGHT: _wrapped_bought,
    }
)
