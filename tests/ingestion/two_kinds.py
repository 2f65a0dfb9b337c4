"""Contracts of two kinds, and the logs of one whose NFTs are money too."""

from __future__ import annotations

from tests.ingestion.answers import DECIMALS, NAME, SYMBOL, text
from tests.ingestion.chain import Emitted, nft
from tests.ingestion.encoding import word
from tests.ingestion.selling import erc20

HALF = "0x" + "40" * 20
"""A contract of ERC-404, or what looks like one."""
ASSET = "0x" + "a5" * 20
"""A contract with the events of ERC-721 and ERC-1155."""
ETHER = 10**18
MONEY = {DECIMALS: "0x" + word(18), NAME: text(b"Half"), SYMBOL: text(b"H")}


def half(token_id: int, sender: str, receiver: str) -> Emitted:
    return nft(token_id, sender, receiver, HALF)


def second(token_id: int, sender: str, receiver: str) -> list[Emitted]:
    """As released later: both standards' `Transfer`, of one contract, money's first."""
    return [erc20(HALF, ETHER, sender, receiver), half(token_id, sender, receiver)]
