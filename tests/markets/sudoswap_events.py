"""The events of Sudoswap's pools, as they declare them."""

from __future__ import annotations

from tests.markets.emitting import Emitted

POOL = "0x" + "50" * 20
ROUTER_1 = "0x2b2e8cda09bba9660dca5cb6233787738ad68329"
ROUTER_2 = "0x090c236b62317db226e6ae6cd4c0fd25b7028b65"
FACTORY_1 = "0xb16c1342e617a5b6e4b631eb114483fdb289c0a4"
FACTORY_2 = "0xa020d57ab0448ef74115c112d18a9c231cc86000"

# What the pool asks for next.
spot_price = Emitted("SpotPriceUpdate(uint128 price)", POOL, "price")
# Out: the pool sold something; in: it bought. Version 2 tells what, by ids or for an ERC-1155 by units.
out_1, in_1 = Emitted("SwapNFTOutPair()", POOL), Emitted("SwapNFTInPair()", POOL)
out_2 = Emitted("SwapNFTOutPair(uint256 amount, uint256[] ids)", POOL, "amount ids")
in_2 = Emitted("SwapNFTInPair(uint256 amount, uint256[] ids)", POOL, "amount ids")
out_2_units = Emitted("SwapNFTOutPair(uint256 amount, uint256 units)", POOL, "amount units")
in_2_units = Emitted("SwapNFTInPair(uint256 amount, uint256 units)", POOL, "amount units")
