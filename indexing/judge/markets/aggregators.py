"""Markets without events of their own: aggregators, which buy at others, and sites that list on others' contracts."""

from __future__ import annotations

from indexing.judge.markets.declaring import ETHEREUM, Market

MARKETS = (
    Market(
        "gem",
        "Gem",
        targets={
            ETHEREUM: (
                "0x83c8f28c26bf6aaca652df1dbbe0e1b56f8baba2",  # GemSwap 2
                "0x0000000031f7382a812c64b604da4fc520afef4b",  # Gem's single-item contracts
                "0x0000000035634b55f3d99b071b5a354f48e10bef",
                "0x00000000a50bb64b4bbeceb18715748dface08af",
            )
        },
    ),
    Market(
        "genie",
        "Genie",
        targets={
            ETHEREUM: (
                "0x0a267cf51ef038fc00e71801f5a524aec06e4f07",  # GenieSwap
                "0x2af4b707e1dce8fc345f38cfeeaa2421e54976d5",  # its first contract
            )
        },
    ),
    Market("ens-vision", "ENS Vision", sources=("0xa7673ab3b0949a0efcd818c86c71fff7cd645ac7",)),
)
