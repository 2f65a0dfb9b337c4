"""The events of CryptoPunks, encoded from their published layout, as each call of the contract emits them."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import ZERO, log, word

PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
V1 = "0x6ba6f2207e343923ba692e5cae646fb0f566db8d"
WRAPPED_V1 = "0x282bdd42f4eb70e7a9d9f40c8fea0825b7f68c5d"


def unit(sender: str, receiver: str, *, index: int, contract: str = PUNKS) -> RawLog:
    """The ERC-20-style `Transfer` of one unit that goes with every move."""
    return log(
        "Transfer(address,address,uint256)", [sender, receiver], word(1), contract=contract, index=index
    )


def punk_bought(
    punk: int, value: int, sender: str, receiver: str, *, index: int, contract: str = PUNKS
) -> RawLog:
    """`PunkBought`, with what it says, right or wrong."""
    signature = "PunkBought(uint256,uint256,address,address)"
    return log(signature, [punk, sender, receiver], word(value), contract=contract, index=index)


def buy_punk(
    punk: int, value: int, seller: str, buyer: str, *, index: int, contract: str = PUNKS
) -> list[RawLog]:
    """`buyPunk`; V1 names the buyer where the seller should stand."""
    named = buyer if contract == V1 else seller
    return [
        unit(seller, buyer, index=index, contract=contract),
        log("PunkNoLongerForSale(uint256)", [punk], contract=contract, index=index + 1),
        punk_bought(punk, value, named, buyer, index=index + 2, contract=contract),
    ]


def accept_bid(punk: int, seller: str, bidder: str, *, index: int) -> list[RawLog]:
    """`acceptBidForPunk`, which tells neither what was paid nor who paid it."""
    return [unit(seller, bidder, index=index), punk_bought(punk, 0, seller, ZERO, index=index + 1)]


def enter_bid(punk: int, value: int, bidder: str, *, index: int) -> RawLog:
    """`enterBidForPunk`."""
    signature = "PunkBidEntered(uint256,uint256,address)"
    return log(signature, [punk, bidder], word(value), contract=PUNKS, index=index)


def withdraw_bid(punk: int, value: int, bidder: str, *, index: int) -> RawLog:
    """`withdrawBidForPunk`."""
    signature = "PunkBidWithdrawn(uint256,uint256,address)"
    return log(signature, [punk, bidder], word(value), contract=PUNKS, index=index)


def transfer_punk(
    punk: int, sender: str, receiver: str, *, index: int, contract: str = PUNKS
) -> list[RawLog]:
    """`transferPunk`."""
    signature = "PunkTransfer(address,address,uint256)"
    return [
        unit(sender, receiver, index=index, contract=contract),
        log(signature, [sender, receiver], word(punk), contract=contract, index=index + 1),
    ]
