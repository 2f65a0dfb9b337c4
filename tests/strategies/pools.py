"""What drawn worlds are made of: small pools, so that ties, shared values and near misses happen all the time."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NamedTuple

from tests.builders import ALICE, APES, BOB, CAROL, DAVE, DEAD, START, ZERO
from tests.oracle.text import SYSTEM_PROGRAM, base58_encode

NOW = START + 1_000_000
"""The moment of the requests of a test, unless it moves the clock."""


class Token(NamedTuple):
    """An NFT that a world may hold."""

    chain: str
    address: str | None
    token_id: str


EDITIONS = "0x" + "e1" * 20
PUNKS = "0x" + "b4" * 20
COLLECTION = base58_encode(b"\x21" * 32)
OTHER_CASE = COLLECTION.swapcase()
MINTS = [base58_encode(bytes([first]) + b"\x55" * 31) for first in (3, 40, 90, 200)]
NOBODY = {"ethereum": ZERO, "polygon": ZERO, "solana": SYSTEM_PROGRAM}

TOKENS = [
    *(
        Token("ethereum", APES, token)
        for token in ("0", "1", "2", "10", str(2**53), str(2**53 + 1), str(2**256 - 1))
    ),
    *(Token("polygon", APES, token) for token in ("1", "2", "10")),
    *(Token("ethereum", EDITIONS, token) for token in ("1", "2", str(2**255))),
    *(Token("ethereum", PUNKS, token) for token in ("1", "7")),
    Token("solana", COLLECTION, MINTS[0]),
    Token("solana", COLLECTION, MINTS[1]),
    Token("solana", OTHER_CASE, MINTS[2]),
    Token("solana", None, MINTS[3]),
]
STANDARDS = {
    ("ethereum", APES): "ERC721",
    ("polygon", APES): "ERC721",
    ("ethereum", EDITIONS): "ERC1155",
    ("ethereum", PUNKS): "CryptoPunks",
    ("solana", COLLECTION): "Metaplex",
}

PEOPLE = [ALICE, BOB, CAROL, DAVE, DEAD]
SOLANA_PEOPLE = [base58_encode(bytes([first]) + b"\x77" * 31) for first in (5, 60, 120, 250)]
STRANGER = "0x" + "5" * 40
SOLANA_STRANGER = base58_encode(b"\x99" * 32)

MARKETS = ["opensea", "blur", "x2y2", "tiny-market"]
CURRENCIES = ["ETH", "WETH", "USDC", "APE", "XYZ", "MATIC"]
PRICES = [*("0.07", "0.070000000000000001", "1", "1.0", "0.5", "2000", "2000.5", "1000", "0"), "9" + "0" * 58]
HAIR = Decimal("0.000000000000000001")
USD = {
    "ETH": ["2000", "1999.37"],
    "WETH": ["3"],
    "USDC": ["1", "1.001"],
    "APE": ["0.5"],
    "POL": ["0.5"],
    "XYZ": ["7"],
}
RATE_TIMES = [
    *(START - 172_801, START - 172_800, START, START + 12),
    *(NOW - 90_000, NOW - 1, NOW, NOW + 1, NOW + 60),
]
ENDS = [NOW - 1, NOW, NOW + 1, NOW + 60]
MADE = [START - 1, START, START + 12]
"""When an ask was made, amid the transfers."""
LINES = [
    (NOW - 100, NOW + 100),
    (NOW - 1, NOW + 60),
    (NOW, NOW + 1),
    (NOW - 9, NOW - 1),
    (NOW + 30, NOW + 61),
]
"""From when to when a price changes."""

TRAIT_TYPES = ["Type", "Hi", "Hi-Top", "Level", ""]
TRAIT_VALUES: list[Any] = [
    *("Alien", "Ape", "Red", "Top-Red", "-1", "5", "true", 'say "hi", you', "nul\x00"),
    *(5, 5.0, 0.5, -1, True, False),
    *("  spaced  ", "日本", {"b": 1, "a": [True, "é"]}),
]
NATIVES: list[Any] = [None, 0, False, "", [], {"b": 1, "a_b": None, "C d": [1.5, "\x00"]}, 2**70]
RARITIES: list[Any] = [0, 1, 1.5, 1.25, 2, 1e-7]

WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
POOL = "0x0000000000a39bb272e79075ade125fd351887ac"
VALUES: list[Any] = [
    None,
    {"tokenAddress": ZERO, "amount": "1500000000000000000", "tokenName": "Ether"},
    {"tokenAddress": ZERO, "amount": "1"},
    {"tokenAddress": WETH, "amount": "70000000000000001", "tokenName": "WETH"},
    {"tokenAddress": POOL, "amount": "1000000000000000000"},
    {"tokenAddress": USDC, "amount": "3000001", "tokenName": "USDC"},
    {"tokenAddress": "0x" + "9" * 40, "amount": str(2**256 - 1)},
]
SWAPS = [
    {
        "contractAddress": APES,
        "tokenId": "1",
        "fromAddress": ALICE,
        "toAddress": BOB,
        "amount": "1",
        "market": "nftx",
    },
    {"contractAddress": WETH, "fromAddress": BOB, "toAddress": ALICE, "amount": "5"},
]
