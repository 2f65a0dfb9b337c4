"""The shape of a benchmark's world: its contracts, their sizes, the traits that their NFTs may have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd
from typing import Literal

START = 1_600_000_000
"""Unix time at which the first NFT may be minted."""

SPAN = 150_000_000
"""Seconds over which the transfers are spread: nearly five years."""

ETH_USD = 2_000
"""One rate for the whole span, so that the USD values of the world are easy to check."""

TRAITS: dict[str, tuple[str, ...]] = {
    "Metal": ("Gold", "Silver", "Bronze", "Iron"),
    "Hat": ("None", "Hat999", "Beanie", "Fez", "Halo", "Crown"),
    "Fur": ("Blue", "Brown", "Red", "Green", "Gray", "Teal", "Pink", "Black"),
    "Era": ("Old", "New"),
    "Skin": ("Flesh", "Bark", "Stone", "Ice"),
    "Eyes": tuple(f"Eyes{number}" for number in range(10)),
    "Level": tuple(str(number) for number in range(1, 31)),
}
"""Seven types, one value of each an NFT; ``statements/traits.sql`` says who has which."""

SLOTS = tuple((kind, value) for kind, values in TRAITS.items() for value in values)
"""All pairs; a trait value's id is ``contract id * SLOT_STRIDE`` + its place here."""

SLOT_STRIDE = 100

MARKETS = (
    *("opensea", "blur", "looksrare", "x2y2", "magiceden", "rarible"),
    *("foundation", "superrare", "sudoswap", "zora", "rareone", "nobody"),
)
"""From the one with most sales to one with none; ``rareone`` has 21 NFTs of the largest contract."""

ESCROW = "0xe5c" + "0" * 37
"""Holds one NFT in twenty (``statements/functions.sql``)."""

Ids = Literal["small", "wide", "mint"]


@dataclass(frozen=True, slots=True)
class ContractShape:
    """A contract of the world.

    ``first`` is the place of its first NFT among all, ``moves`` how many transfers an NFT has on average.

    ``ids``: ``small`` token ids from 0 on, ``wide`` ones of 256 bits, or base58 mints. ``shared`` contracts have the
    address of the one before, on another chain.
    """

    number: int
    first: int
    size: int
    chain: str
    ids: Ids
    multiple: bool
    rated: bool
    marked: bool
    shared: bool
    moves: float

    @property
    def address(self) -> str:
        """An EVM address, or a base58 one on a mint-identified chain."""
        number = self.number - 1 if self.shared else self.number
        if self.ids == "mint":
            return "9Bench" + "".join("ABCDEFGHJK"[int(digit)] for digit in f"{number:038d}")
        return f"0xbe{number:038x}"


def contracts(nfts: int) -> Iterator[ContractShape]:
    """Yield the contracts of a world with that many NFTs, in order.

    The first has a fifth of all NFTs and three tenths of all transfers; three have a twentieth each, two of
    these one address on two chains; ten a fiftieth, thirty 0.6 %; the others share the rest by a power law.
    """
    first = 0
    for number, size in enumerate(_sizes(nfts), 1):
        chain = _chain(number)
        yield ContractShape(
            number=number,
            first=first,
            size=size,
            chain=chain,
            ids="mint" if chain == "solana" else "wide" if number > 4 and number % 3 == 0 else "small",
            multiple=number % 20 == 13,
            rated=number % 10 != 5,
            marked=number % 97 == 50,
            shared=number == 3,
            moves=7.5 if number == 1 else 4.4,
        )
        first += size


def _sizes(nfts: int) -> list[int]:
    large = [nfts // 5, *[nfts // 20] * 3, *[nfts // 50] * 10, *[nfts * 6 // 1000] * 30]
    rest = nfts - sum(large)
    tail = max(nfts // 1000 - len(large), 20)
    weights = [1 / (place + 25) ** 0.85 for place in range(tail)]
    small = [int(rest * weight / sum(weights)) for weight in weights]
    small[0] += rest - sum(small)
    return [*large, *small]


def _chain(number: int) -> str:
    if number <= 4:
        return ("ethereum", "ethereum", "polygon", "solana")[number - 1]
    return (*("ethereum",) * 6, "polygon", "polygon", "base", "solana")[number % 10]


def stride(nfts: int) -> int:
    """Return a step that visits all places once, so that the rows of a contract lie scattered over the table."""
    step = int(nfts * 0.6180339887) | 1
    while gcd(step, nfts) != 1:
        step += 2
    return step
