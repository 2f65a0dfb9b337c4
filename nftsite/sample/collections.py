"""The six collections of the sample: what they are called, how many NFTs they have, and which traits those have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from nftsite.sample import names

Value = str | int | bool
Traits = Mapping[str, Value]


@dataclass(frozen=True)
class Kind:
    """A type of trait: its values from the most common to the rarest, and the share of NFTs that have none."""

    name: str
    values: Sequence[Value]
    missing: float = 0.0


@dataclass(frozen=True)
class Collection:
    """A contract of the sample. ``slug`` names it in addresses, URLs and drawings; ``item`` begins NFTs' names."""

    slug: str
    name: str
    symbol: str
    chain: str
    standard: str
    size: int
    item: str
    story: str
    kinds: Sequence[Kind]
    ens: str | None = None
    marked: str | None = None
    markets: Sequence[str] = ("opensea",)
    price: float = 0.1
    """A usual price, in the chain's native currency."""
    by_mint: bool = False

    @property
    def address(self) -> str:
        """The contract's address."""
        return (
            names.account("collection", self.slug) if self.by_mint else names.address("contract", self.slug)
        )

    def token_id(self, number: int) -> str:
        """The token id of the NFT with this number, from 1; a mint where the chain identifies tokens so."""
        return names.account("mint", self.slug, number) if self.by_mint else str(number)


COLLECTIONS = (
    Collection(
        "paper-lanterns", "Paper Lanterns", "LANTERN", "ethereum", "ERC721", 400, "Lantern",
        "Four hundred lanterns let go over the same lake. No two drifted the same way.",
        [
            Kind("Sky", ["Dusk", "Midnight", "Dawn", "Storm", "Aurora"]),
            Kind("Paper", ["Vermilion", "Amber", "Rose", "Jade", "Indigo", "Pearl"]),
            Kind("Shape", ["Round", "Tall", "Drum", "Diamond"]),
            Kind("Glow", ["Soft", "Bright", "Flickering", "Blinding"]),
            Kind("Tassel", ["Red", "Gold", "Black, Knotted"], missing=0.35),
            Kind("Ribs", [5, 7, 9, 3]),
        ],
        ens="paper-lanterns.nft-sample.eth", markets=("opensea", "blur", "looksrare", "x2y2"), price=0.4,
    ),
    Collection(
        "tide-circles", "Tide Circles", "TIDE", "ethereum", "ERC721", 300, "Tide",
        "Rings left on the sand by a sea that counts.",
        [
            Kind("Palette", ["Shore", "Kelp", "Coral", "Deep", "Foam"]),
            Kind("Rings", [4, 5, 6, 8, 11]),
            Kind("Rhythm", ["Even", "Ebbing", "Broken"]),
            Kind("Moon", ["New", "Half", "Full"], missing=0.5),
            Kind("Spring Tide", [False, True]),
        ],
        ens="tide-circles.nft-sample.eth", markets=("opensea", "blur", "sudoswap"), price=1.8,
    ),
    Collection(
        "quilted-fields", "Quilted Fields", "QUILT", "base", "ERC721", 300, "Field",
        "Farmland from above, sewn together patch by patch.",
        [
            Kind("Season", ["Summer", "Spring", "Autumn", "Winter"]),
            Kind("Patch", ["Squares", "Triangles", "Stripes", "Half-Moons"]),
            Kind("Patches", [4, 5, 6, 3]),
            Kind("Thread", ["White", "Navy", "Gold"]),
            Kind("Pond", ["Small", "Large"], missing=0.6),
        ],
        markets=("opensea", "zora", "element"), price=0.03,
    ),
    Collection(
        "seed-packets", "Seed Packets", "SEED", "base", "ERC1155", 60, "Packet",
        "Printed in batches and handed around; most gardeners hold a few.",
        [
            Kind("Flower", ["Poppy", "Aster", "Sunflower", "Bluebell", "Night Orchid"]),
            Kind("Petals", [6, 8, 12, 5]),
            Kind("Paper", ["Cream", "Mint", "Sky", "Charcoal"]),
            Kind("Organic", [True, False]),
        ],
        ens="seeds.nft-sample.eth", markets=("opensea", "rarible"), price=0.01,
    ),
    Collection(
        "night-signals", "Night Signals", "SIGNAL", "solana", "Metaplex", 300, "Signal",
        "Windows of a city that never quite sleeps, and what stands above it.",
        [
            Kind("Hour", ["Late", "Blue", "Witching", "First Light"]),
            Kind("District", ["Harbour", "Old Town", "Heights", "Works"]),
            Kind("Windows", ["Warm", "Cold", "Mixed", "Dark"]),
            Kind("Above", ["Moon", "Comet", "Balloon"], missing=0.45),
            Kind("Towers", [5, 6, 7, 8]),
        ],
        markets=("magiceden",), price=6.0, by_mint=True,
    ),
    Collection(
        "lucky-vouchers", "Lucky Vouchers", "LUCKY", "ethereum", "ERC721", 140, "Voucher",
        "Claim your prize now! (There is no prize: this contract shows what marked NFTs look like.)",
        [Kind("Colour", ["Pink", "Yellow", "Lime"]), Kind("Prize", [100, 500, 1000, 5000])],
        marked="Spam: sent to thousands of wallets unasked, and promises a prize.", price=0.001,
    ),
)  # fmt: skip

BY_SLUG = {collection.slug: collection for collection in COLLECTIONS}
STOLEN = {
    ("paper-lanterns", 77): "Reported stolen by its holder.",
    ("paper-lanterns", 213): "Reported stolen by its holder.",
    ("tide-circles", 19): "Delisted at the artist's request.",
    ("tide-circles", 250): "Reported stolen by its holder.",
    ("quilted-fields", 101): "The image shows a trademark.",
    ("night-signals", 42): "Reported stolen by its holder.",
}
"""Why single NFTs are marked, by collection and number."""


@cache
def traits_of(slug: str) -> tuple[Traits, ...]:
    """Return the traits of each NFT of a collection, by number less one. Rarer values stand later in their kind."""
    collection = BY_SLUG[slug]
    random = Random(f"traits of {slug}")  # noqa: S311 - a sample's data, not a secret
    return tuple(_traits(random, collection.kinds) for _ in range(collection.size))


def _traits(random: Random, kinds: Sequence[Kind]) -> Traits:
    chosen: dict[str, Value] = {}
    for kind in kinds:
        if random.random() >= kind.missing:
            weights = [0.55**place for place in range(len(kind.values))]
            chosen[kind.name] = random.choices(kind.values, weights)[0]
    return chosen
