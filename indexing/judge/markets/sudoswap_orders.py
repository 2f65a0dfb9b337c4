"""What changes the price of Sudoswap's pools, or what they hold: after each such event a pool is to be asked again.

A pool sells every NFT that it holds, at one price. It is in no event: what a pool starts with, and along which curve it
sells, only the pool itself tells (``getBuyNFTQuote``). Anybody can emit a pool's events; those of a pool count once a
factory has said that it made it.
"""

from __future__ import annotations

from collections.abc import Iterator

from indexing.decode.signatures import Event
from indexing.judge.markets.order_reading import OrderReader, Said
from transfers.ledger.order_facts import OrderEvent, OrderKind

# What a pool was paid or paid has one name in all of its events, as have the NFTs of it.
SPOT_PRICE_UPDATE = Event("SpotPriceUpdate(uint128 amount)")
OUT_1 = Event("SwapNFTOutPair()")
IN_1 = Event("SwapNFTInPair()")
OUT_2 = Event("SwapNFTOutPair(uint256 amount, uint256[] ids)")
IN_2 = Event("SwapNFTInPair(uint256 amount, uint256[] ids)")
OUT_2_UNITS = Event("SwapNFTOutPair(uint256 amount, uint256 units)")
IN_2_UNITS = Event("SwapNFTInPair(uint256 amount, uint256 units)")
DELTA_UPDATE = Event("DeltaUpdate(uint128 newDelta)")
FEE_UPDATE = Event("FeeUpdate(uint96 newFee)")
NFT_WITHDRAWAL_1 = Event("NFTWithdrawal()")
NFT_WITHDRAWAL_2 = Event("NFTWithdrawal(uint256[] ids)")
NFT_WITHDRAWAL_2_UNITS = Event("NFTWithdrawal(uint256 units)")

NEW_PAIR = Event("NewPair(address poolAddress)")
NEW_ERC721_PAIR = Event("NewERC721Pair(address indexed poolAddress, uint256[] initialIds)")
NEW_ERC1155_PAIR = Event("NewERC1155Pair(address indexed poolAddress, uint256 initialBalance)")
NFT_DEPOSIT_1 = Event("NFTDeposit(address poolAddress)")
NFT_DEPOSIT_2 = Event("NFTDeposit(address indexed poolAddress, uint256[] ids)")
ERC1155_DEPOSIT = Event("ERC1155Deposit(address indexed poolAddress, uint256 indexed id, uint256 amount)")


def _touched(said: Said) -> Iterator[OrderEvent]:
    yield said.says(OrderKind.POOL)


def _made(said: Said) -> Iterator[OrderEvent]:
    pool = said.says(OrderKind.POOL, factory=said.log.address)
    yield pool._replace(exchange=said["poolAddress"])


def _deposited(said: Said) -> Iterator[OrderEvent]:
    yield said.says(OrderKind.POOL)._replace(exchange=said["poolAddress"])


POOL_ORDERS = OrderReader(
    dict.fromkeys(
        (
            SPOT_PRICE_UPDATE,
            OUT_1,
            IN_1,
            OUT_2,
            IN_2,
            OUT_2_UNITS,
            IN_2_UNITS,
            DELTA_UPDATE,
            FEE_UPDATE,
            NFT_WITHDRAWAL_1,
            NFT_WITHDRAWAL_2,
            NFT_WITHDRAWAL_2_UNITS,
        ),
        _touched,
    )
)
FACTORY_ORDERS = OrderReader(
    {
        **dict.fromkeys((NEW_PAIR, NEW_ERC721_PAIR, NEW_ERC1155_PAIR), _made),
        **dict.fromkeys((NFT_DEPOSIT_1, NFT_DEPOSIT_2, ERC1155_DEPOSIT), _deposited),
    }
)
