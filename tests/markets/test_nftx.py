"""NFTX: NFTs in and out of vaults are transfers or exchanges without a price; only what zaps trade has one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from indexing.judge.verdicts import Leg, Side, Verdict
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, ZERO, log, word, words
from tests.markets.building import Case, ape, erc20, erc721, erc1155, judged, sold, weth
from tests.markets.currencies import ETHER, WETH
from tests.markets.nftx_events import (
    NFTX_1,
    VAULT,
    WHOLE,
    ZAP_2,
    ZAP_3,
    deposited_1,
    minted,
    redeemed_1,
    redeemed_2,
    redeemed_3,
    swapped_2,
    swapped_3,
    zapped,
)
from tests.markets.seaport_events import order_fulfilled, paid

WORLD = "0x" + "51" * 20


_MADE, _GONE = erc20(VAULT, WHOLE, ZERO, ALICE), erc20(VAULT, WHOLE, ALICE, ZERO)
"""The vault's token for one NFT, for Alice and from her."""
IN_AND_OUT = {
    "in": [ape(ALICE, VAULT), _MADE, minted([7], ALICE)],
    "out of version 2": [_GONE, ape(VAULT, ALICE), redeemed_2([7], ALICE)],
    "out of version 3": [_GONE, ape(VAULT, ALICE), redeemed_3([7], ALICE)],
    "into version 1": [ape(ALICE, NFTX_1), deposited_1([7], ALICE)],
    "out of version 1": [ape(NFTX_1, ALICE), redeemed_1([7], ALICE)],
}
PAIR, FEES, OTHER_VAULT = "0x" + "5a" * 20, "0x" + "fe" * 20, "0x" + "7b" * 20


def _wrap(amount: int, zap: str = ZAP_2) -> RawLog:
    return log("Deposit(address,uint256)", [zap], word(amount), contract=WETH, index=LATER)


def _unwrap(amount: int, by: str) -> RawLog:
    return log("Withdrawal(address,uint256)", [by], word(amount), contract=WETH, index=LATER)


def _bought(*ids: int, price: int = 90) -> list[RawLog]:
    """Alice's ether is wrapped, paid for vault tokens, and these are redeemed for apes."""
    return [
        _wrap(price + 10),
        weth(price, ZAP_2, PAIR),
        erc20(VAULT, WHOLE * len(ids), PAIR, ZAP_2),
        erc20(VAULT, WHOLE * len(ids), ZAP_2, ZERO),
        *(ape(VAULT, ALICE, one) for one in ids),
        redeemed_2(ids, ALICE),
        zapped("Buy", len(ids), price, ALICE),
        _unwrap(10, ZAP_2),
    ]


def _deal_of(side: Side, seller: str, buyer: str) -> Callable[[Verdict], bool]:
    """Say whose the one sale with a price is."""

    def says(found: Verdict) -> bool:
        (sale,) = (one for one in found.fills if one.price)
        return (sale.side, sale.seller, sale.buyer) == (side, seller, buyer)

    return says


_sent = partial(Case, to=ZAP_2)
CASES = {
    **{
        f"nfts in and out of a vault are transfers of this market: {label}": Case(logs, value=5).was(
            "transfer", at="nftx"
        )
        for label, logs in IN_AND_OUT.items()
    },
    "vault tokens that pass between those who move the NFT are no price": Case(
        erc20(VAULT, WHOLE, VAULT, ALICE), IN_AND_OUT["in"]
    ).was("transfer"),
    **{
        f"an NFT that a vault gives for another is exchanged with all legs: {label}": Case(
            ape(ALICE, VAULT), ape(VAULT, ALICE, 8), swapped([7], [8], ALICE)
        ).was(
            "swap",
            "swap",
            at="nftx",
            also=lambda found: (
                set(found.judgements[0].swaps)
                == {Leg(APES, 7, ALICE, VAULT, 1, "nftx"), Leg(APES, 8, VAULT, ALICE, 1, "nftx")}
            ),
        )
        for label, swapped in enumerate([swapped_2, swapped_3], 1)
    },
    # Bob gives for Alice: seen between two parties alone, nothing went both ways.
    "an exchange holds when one gives and another gets": Case(
        ape(BOB, VAULT), ape(VAULT, ALICE, 8), swapped_2([7], [8], ALICE)
    ).was("swap", "swap"),
    "units of an ERC-1155 token are exchanged for as many": Case(
        erc1155(WORLD, 1, 2, ALICE, VAULT),
        erc1155(WORLD, 5, 1, VAULT, ALICE),
        erc1155(WORLD, 6, 1, VAULT, ALICE),
        swapped_3([1], [5, 6], ALICE),
    ).was(*["swap"] * 3),
    "random NFTs that come back for a deposit are an exchange in version 1": Case(
        ape(ALICE, NFTX_1), deposited_1([7], ALICE), ape(NFTX_1, ALICE, 8), redeemed_1([8], ALICE)
    ).was("swap", "swap"),
    "what a market sold into a vault stays sold": Case(
        order_fulfilled(recipient=VAULT, consideration=[paid(5, BOB)]),
        ape(BOB, VAULT),
        _MADE,
        minted([7], ALICE),
        value=5,
    ).was(sold(5), markets=("opensea", "nftx")),
    **{
        f"a contract that neither took nor gave what it says is not believed: {label}": Case(
            erc721(APES, 7, BOB, CAROL), erc20(WETH, 5, CAROL, BOB), event
        ).was(sold(5, WETH), markets=(), commercial=False)
        for label, event in enumerate(
            [
                minted([7], ALICE),
                redeemed_2([7], ALICE),
                redeemed_3([7], ALICE),
                swapped_2([7], [8], ALICE),
                swapped_3([7], [8], ALICE),
            ],
            1,
        )
    },
    # As one that gives an NFT for a coupon does, and says so.
    **{
        f"a contract that gives NFTs without burning a token of its own is no vault: {label}": Case(
            ape(VAULT, ALICE), event
        ).was("transfer", markets=(), commercial=False)
        for label, event in enumerate([redeemed_3([7], ALICE), redeemed_2([7], ALICE)], 1)
    },
    "what moves after a vaults event is not meant by it": Case(
        _MADE, minted([7], ALICE), ape(ALICE, VAULT)
    ).was("transfer", markets=()),
    "an NFT bought for wrapped ether has a price in it": _sent(
        erc20(WETH, 100, ALICE, ZAP_2), _bought(7)[1:-1], erc20(WETH, 10, ZAP_2, ALICE)
    ).was(sold(90, WETH)),
    "the redemption of version 3 is as good": Case(
        _wrap(100, ZAP_3),
        weth(80, ZAP_3, PAIR),
        ape(VAULT, ALICE),
        redeemed_3([7], ALICE),
        weth(10, ZAP_3, FEES),
        zapped("Buy", 1, 90, ALICE, zap=ZAP_3),
        to=ZAP_3,
        value=100,
    ).was(sold(90)),
    "an NFT sold for wrapped ether has a price in it": _sent(
        ape(ALICE, VAULT), minted([7], ZAP_2), weth(90, PAIR, ALICE), zapped("Sell", 1, 90, ALICE)
    ).was(sold(90, WETH)),
    "what a zap takes off for fees and royalties is a part of the price": Case(
        ape(ALICE, VAULT),
        minted([7], ZAP_3),
        weth(100, PAIR, ZAP_3),
        weth(10, ZAP_3, FEES),
        _unwrap(90, ZAP_3),
        zapped("Sell", 1, 90, ALICE, zap=ZAP_3),
        to=ZAP_3,
    ).was(sold(100, WETH)),
    "the fee of a swap is no price": _sent(
        ape(ALICE, VAULT),
        ape(VAULT, ALICE, 8),
        swapped_2([7], [8], ALICE),
        zapped("Swap", 1, 90, ALICE),
        value=100,
    ).was("swap", "swap"),
    "two purchases in one transaction have each their own price": Case(
        ape(VAULT, ALICE),
        redeemed_2([7], ALICE),
        zapped("Buy", 1, 40, ALICE),
        ape(VAULT, ALICE, 8),
        redeemed_2([8], ALICE),
        zapped("Buy", 1, 50, ALICE),
        value=90,
    ).was(sold(40), sold(50)),
    "a zap that says what it was not given is told and gets no price": _sent(_bought(7), value=50).was(
        "sale", faults=1
    ),
    "a look alike zap has no price to tell": Case(
        ape(VAULT, ALICE), redeemed_2([7], ALICE), zapped("Buy", 1, 10**24, ALICE, zap=BOB), value=10**24
    ).was("transfer"),
    "an NFT bought for ether is sold by the vault for what was spent": _sent(_bought(7), value=100).was(
        sold(90), at="nftx", also=_deal_of(Side.ASK, VAULT, ALICE)
    ),
    "several NFTs bought at once have no price of their own": _sent(_bought(7, 8), value=100).was(
        "sale",
        "sale",
        also=lambda found: Leg(ETHER, None, ALICE, VAULT, 90, "nftx") in found.judgements[0].swaps,
    ),
    "an NFT sold for ether is bought by the vault": _sent(
        ape(ALICE, VAULT),
        erc20(VAULT, WHOLE, ZERO, ZAP_2),
        minted([7], ZAP_2),
        erc20(VAULT, WHOLE, ZAP_2, PAIR),
        weth(90, PAIR, BOB),
        _unwrap(90, BOB),
        zapped("Sell", 1, 90, ALICE),
    ).was(sold(90), also=_deal_of(Side.BID, ALICE, VAULT)),
    # The buyer's own contract is called while the zap works, and says what a vault says.
    "a purchase that more than one vault may have served has no price": _sent(
        _bought(7)[:-3],
        ape(OTHER_VAULT, ALICE, 9),
        redeemed_2([9], ALICE, contract=OTHER_VAULT),
        _bought(7)[-3:],
        value=100,
    ).was("transfer", "transfer", markets=("nftx",)),
}

test_nftx = judged(CASES)

MALFORMED = {
    "vaults: cut off": log("Minted(uint256[],uint256[],address)", data=words(96, 128), contract=VAULT),
    "vaults: a list without end": log(
        "Redeemed(uint256[],address)", data=words(64, ALICE, 2**40), contract=VAULT
    ),
    "vaults: topics": log("Minted(uint256[],uint256[],address)", [7], words(96, 128, ALICE), contract=VAULT),
    "vaults: of version 1": log("NFTsRedeemed(uint256,uint256[],address)", data=word(5), contract=NFTX_1),
    "zaps: cut off": log("Buy(uint256,uint256,address)", data=words(1, 90), contract=ZAP_2),
    "zaps: no address": log("Buy(uint256,uint256,address)", data=words(1, 90, 2**200), contract=ZAP_2),
}
