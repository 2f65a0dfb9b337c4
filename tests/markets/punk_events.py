"""The events of CryptoPunks, as its contract declares them and each of its calls emits them."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import LATER, ZERO
from tests.markets.emitting import Emitted

PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
V1 = "0x6ba6f2207e343923ba692e5cae646fb0f566db8d"
WRAPPED_V1 = "0x282bdd42f4eb70e7a9d9f40c8fea0825b7f68c5d"

# The ERC-20-style transfer of one unit that goes with every move.
unit = Emitted(
    "Transfer(address indexed sender, address indexed receiver, uint256 amount)",
    PUNKS,
    "sender receiver",
    amount=1,
)
punk_bought = Emitted(
    "PunkBought(uint256 indexed punk, uint256 value, address indexed sender, address indexed receiver)",
    PUNKS,
    "punk value sender receiver",
)
# `enterBidForPunk` and `withdrawBidForPunk`.
enter_bid = Emitted(
    "PunkBidEntered(uint256 indexed punk, uint256 value, address indexed bidder)", PUNKS, "punk value bidder"
)
withdraw_bid = Emitted(
    "PunkBidWithdrawn(uint256 indexed punk, uint256 value, address indexed bidder)",
    PUNKS,
    "punk value bidder",
)
_NO_LONGER = Emitted("PunkNoLongerForSale(uint256 indexed punk)", PUNKS, "punk")
_TRANSFER = Emitted(
    "PunkTransfer(address indexed sender, address indexed receiver, uint256 punk)",
    PUNKS,
    "sender receiver punk",
)


def _behind(index: int, *logs: RawLog) -> list[RawLog]:
    return [
        one if index == LATER else one._replace(log_index=index + place) for place, one in enumerate(logs)
    ]


def buy_punk(
    punk: int, value: int, seller: str, buyer: str, *, index: int = LATER, contract: str = PUNKS
) -> list[RawLog]:
    """`buyPunk`; V1 names the buyer where the seller should stand."""
    named = buyer if contract == V1 else seller
    return _behind(
        index,
        unit(seller, buyer, contract=contract),
        _NO_LONGER(punk, contract=contract),
        punk_bought(punk, value, named, buyer, contract=contract),
    )


def accept_bid(punk: int, seller: str, bidder: str, *, index: int = LATER) -> list[RawLog]:
    """`acceptBidForPunk`, which tells neither what was paid nor who paid it."""
    return _behind(index, unit(seller, bidder), punk_bought(punk, 0, seller, ZERO))


def transfer_punk(
    punk: int, sender: str, receiver: str, *, index: int = LATER, contract: str = PUNKS
) -> list[RawLog]:
    """`transferPunk`."""
    moved = _TRANSFER(sender, receiver, punk, contract=contract)
    return _behind(index, unit(sender, receiver, contract=contract), moved)
