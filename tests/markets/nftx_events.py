"""The events of NFTX's vaults and zaps, as they declare them."""

from __future__ import annotations

from indexing.node.logs import RawLog
from tests.ingestion.encoding import LATER
from tests.markets.emitting import Emitted

NFTX_1 = "0xaf93fcce0548d3124a5fc3045adaf1dde4e8bf7e"
ZAP_2 = "0x0fc584529a2aefa997697fafacba5831fac0c22d"
ZAP_3 = "0x293a0c49c85f1d8851c665ac3ce1f1dc2a79be3d"
VAULT = "0x" + "7a" * 20
WHOLE = 10**18
"""What the vault's token for one NFT comes to."""

# NFTs went into a vault; of those that left one of version 2, none was chosen.
minted = Emitted("Minted(uint256[] ids, uint256[] amounts, address to)", VAULT, "ids to")
redeemed_2 = Emitted("Redeemed(uint256[] ids, uint256[] chosen, address to)", VAULT, "ids to")
redeemed_3 = Emitted("Redeemed(uint256[] ids, address to)", VAULT, "ids to")
swapped_2 = Emitted(
    "Swapped(uint256[] taken, uint256[] amounts, uint256[] chosen, uint256[] given, address to)",
    VAULT,
    "taken given to",
)
swapped_3 = Emitted(
    "Swapped(uint256[] taken, uint256[] amounts, uint256[] given, address to)", VAULT, "taken given to"
)
# Version 1 has one contract for all vaults.
deposited_1 = Emitted(
    "NFTsDeposited(uint256 vault, uint256[] ids, address sender)", NFTX_1, "ids sender", vault=5
)
redeemed_1 = Emitted("NFTsRedeemed(uint256 vault, uint256[] ids, address to)", NFTX_1, "ids to", vault=5)


def zapped(name: str, count: int, amount: int, to: str, *, index: int = LATER, zap: str = ZAP_2) -> RawLog:
    """`Buy`, `Sell` or `Swap` of a zap: so many NFTs for so much ether."""
    return Emitted(f"{name}(uint256 count, uint256 amount, address to)", zap)(
        count=count, amount=amount, to=to, index=index
    )
