"""What a person reads in 29 metadata documents of well-known collections: facts, written down by hand.

Long texts and `data:` URIs are named by the member of the document in which they stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Known:
    """What is known of an NFT; `None` for what its document does not tell.

    `described` and `drawn`: the names of members that lead to its description, and to an image too long to be here.
    """

    collection: str
    name: str | None
    described: tuple[str, ...] = ("description",)
    image: str | None = None
    image_type: str | None = None
    media: str | None = None
    media_type: str | None = None
    traits: tuple[tuple[str | None, Any], ...] = ()
    drawn: str | None = None


def many(kind: str, *values: Any) -> tuple[tuple[str | None, Any], ...]:
    """Traits of one type."""
    return tuple((kind, value) for value in values)


SVG = "image/svg+xml"
KNOWN = [
    Known(
        "a painting described by a JSON schema",
        "Curry Street",
        described=("properties", "description", "description"),
        image="https://ipfs.io/ipfs/QmZM62hFkFDW255RhbaFs7u1xLiAJ25KFi8rUuaKxgNxbd",
    ),
    Known("Autoglyphs", "Autoglyph #1", image="https://www.larvalabs.com/autoglyphs/glyphimage?index=1"),
    Known(
        "GhostSoftware",
        "The Cheering Minty Green Man #1",
        image="ipfs://Qmda92saoBewnX35Nh78nfjymE5Ggg85P2Q3htZ2VUjrxJ",
        media="https://api.heaven.computer/ghost/1",
        traits=(
            ("ghost download date", 1629396703),
            ("ghost energy emotion", "Cheering"),
            ("ghost energy gender", "Male"),
            ("ghost skin surface", "Smooth"),
            ("ghost skin shade", "Minty Green"),
            ("temple chiaroscuro", "Light"),
            ("temple ambiance shade", "Tiffany Rose"),
            ("temple water shade", "Opal Turquoise"),
            ("ghost distortion", 86),
            ("temple mist", 47),
            ("ghost skeleton corruption", "Right Forearm"),
        ),
    ),
    Known(
        "Meebits",
        "Meebit #1",
        # `imageType=jpg` is the server's affair: no extension.
        image="http://meebits.larvalabs.com/meebitimages/characterimage?index=1&type=full&imageType=jpg",
        traits=(
            ("Type", "Human"),
            ("Hair Style", "Bald"),
            ("Hat", "Backwards Cap"),
            ("Hat Color", "Gray"),
            ("Shirt", "Skull Tee"),
            ("Overshirt", "Athletic Jacket"),
            ("Overshirt Color", "Red"),
            ("Pants", "Cargo Pants"),
            ("Pants Color", "Camo"),
            ("Shoes", "Workboots"),
        ),
    ),
    Known(
        "Holly+",
        "Genesis - Holly+ Speaking Model I",
        image="ipfs://bafybeicfql3wz5ulh4de6spanczunyolqa5uhahqqzdrd6vcnu5tqxnhly",
        media="ipfs://bafybeihjm3f4bqyn5j4gsyhsp62lomuerjcyu4uah6oc2ha4pkki4c226u",  # the zip is another file
    ),
    Known(
        "Cryptovoxels",
        "70 Block Fork",
        image="https://map.cryptovoxels.com/tile/parcel?x=0.09&y=0.11",
        traits=(
            ("area", 234.00000000000003),
            ("depth", 18),
            ("elevation", 0),
            ("has_basement", False),
            ("height", 9),
            ("island", "Origin City"),
            ("suburb", "The Center"),
            ("title", "plot"),
            ("width", 13),
        ),
    ),
    Known(
        "Settlements",
        "Settlement #1",
        drawn="image",
        image_type=SVG,
        traits=(
            ("Size", "Hamlet"),
            ("Spirit", "Fire"),
            ("Age", "Ancient"),
            ("Resource", "Wood"),
            ("Morale", "Expectant"),
            ("Government", "Aristocracy"),
            ("Realm", "Genesis"),
        ),
    ),
    Known(
        "Blitmap",
        "#1 - Rose",
        image="https://api.blitmap.com/v1/png/1",
        traits=(
            ("Type", "Original"),
            ("Composition", "Rose (#1)"),
            ("Palette", "Rose (#1)"),
            ("Affinity", "Fire III"),
            ("Slabs", "◢ ◢ ◢ ◥"),
            ("Attunement", "Attuned"),
        ),
    ),
    Known(
        "KnownOrigin",
        "The Doomed (red)",
        image="https://ipfs.infura.io/ipfs/QmXKQXNLe16vjuBPAAkw8fWaFBwAPjrVJtijvovbJv7tTJ/asset.gif",
        image_type="image/gif",
        traits=(
            ("artist", "XCOPY"),
            ("asset_size_in_bytes", 621118),
            ("asset_type", "image/gif"),
            ("scarcity", "rare"),
            ("tags", ["doomed", "KnownOrigin", "cryptoart", "hope", "skull", "technology"]),
        ),
    ),
    Known(
        "Art Blocks, seven traits of one type",
        "Blaschke Ballet #537",
        image="https://media.artblocks.io/167000537.png",
        image_type="image/png",
        media="https://generator.artblocks.io/167000537",
        traits=many(
            "Blaschke Ballet",
            "All Blaschke Ballets",
            "Rang: Chassé",
            "Ballet: Le Casse-Noisette",
            "Collant: Dégagé",
            "Fluidité: Adagio",
            "Mouvement: Balançoire",
            "Ballerines: Vingt",
        ),
    ),
    Known(
        "Foundation",
        "Core Surge",
        image="https://d1hiserqh6k9o1.cloudfront.net/76/TF/QmQULkQrpsZvoN6FixBc1nQmPXpEaW6SrSfmjDvnV976TF/nft.png",
        image_type="image/png",
        media="ipfs://QmQULkQrpsZvoN6FixBc1nQmPXpEaW6SrSfmjDvnV976TF/nft.glb",
        media_type="model/gltf-binary",
    ),
    Known(
        "Solvency",
        "Solvency #420",
        image="https://solvency.s3.amazonaws.com/420-1619139823837.jpg",
        image_type="image/jpeg",
        media="https://solvency.s3.amazonaws.com/420-1619139823837.mp4",
        media_type="video/mp4",
        traits=(("Type", "Worms"), ("Textures", "Random"), ("Direction", "Up"), ("Look", "Pixelated")),
    ),
    Known(
        "FNTN, a file's name behind the question mark",
        "FNTN // 59",
        described=(),
        image="https://gateway.ipfs.io/ipfs/QmP3HjvRhwLhrcUSedcSLiiu6f23zbQSTTiYFxRMbBBRcc",
        media="https://gateway.ipfs.io/ipfs/QmWdFtZyrSKxGMeMuhWyi5bCUoNR8hgpWwoVKdJQsftipQ?0059_final_edit.mp4",
        media_type="video/mp4",
        traits=(("Creator", "SHL0MS"),),
    ),
    Known(
        "Mannys",
        "Manny #1290",
        image="ipfs://Qmf5ZxJ3jNX9egrwUmWRQWKgRqL62AJXfCTjHVG8KFRgWh",
        media="https://mannys-game-viewer.herokuapp.com/view/1290",
        traits=(("skin", "Base Common"), ("mood", "agony")),
    ),
    Known(
        "The Humanoids",
        "Humanoid #368",
        image="https://thehumanoids.co/api/img/368.jpg",
        image_type="image/jpeg",
        traits=(
            ("Background", "Grey"),
            ("Type", "Human"),
            ("Body", "Light Green"),
            ("Face", "Sticker ETH"),
            ("Eyes", "Heart Glasses"),
            ("Head", "Halo"),
            ("Neck", "Bow Tie"),
        ),
    ),
    Known(
        "CyberKongz VX",
        "CyberKong VX #12152",
        described=(),
        image="https://cyberkongz.fra1.cdn.digitaloceanspaces.com/public/12152/12152_preview.jpg",
        image_type="image/jpeg",
        media="https://vxviewer.vercel.app/12152",
        traits=(("Head Accessory", "Gold Earring"), ("Body Accessory", "KJJ White Belt"), ("Hat", "CK Cap")),
    ),
    Known("Wrapped Punks, without an image", "W#416"),
    Known(
        "Brotchain, untyped traits",
        "Seahorse Valley #26",
        drawn="image",
        image_type="image/bmp",
        traits=((None, "Seahorse Valley"), ("Palette Changes", 0), (None, "Original Palette")),
    ),
    Known("Lil Nouns", "Noun 23", drawn="image", image_type=SVG),
    Known("Nouns", "Noun 23", drawn="image", image_type=SVG),
    Known(
        "Decentraland estates, an empty description",
        "The Ocean Meta",
        described=(),
        image="https://api.decentraland.org/v2/estates/4550/map.png?size=24&width=1024&height=1024",
        image_type="image/png",
        traits=(("Size", 2), ("Distance to District", 8), ("Distance to Road", 6)),
    ),
    Known(
        "Decentraland parcels, a number in quotes",
        "Dream land",
        image="https://api.decentraland.org/v2/parcels/42/-14/map.png?size=24&width=1024&height=1024",
        image_type="image/png",
        traits=(("X", 42), ("Y", "-14"), ("Distance to Road", 6)),
    ),
    Known(
        "ENS, dates in milliseconds",
        "steev.eth",
        image="https://metadata.ens.domains/mainnet/0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85/"
        "0x165a16ce2915e51295772b6a67bfc8ceee2c1c7caa85591fba107af4ee24f704/image",
        traits=(
            ("Created Date", 1633123738000),
            ("Length", 5),
            ("Segment Length", 5),
            ("Character Set", "letter"),
            ("Registration Date", 1633123738000),
            ("Expiration Date", 1822465450000),
        ),
    ),
    Known(
        "Hashmasks, without a name",
        None,
        image="https://hashmasksstore.blob.core.windows.net/hashmasks/10694.jpg",
        image_type="image/jpeg",
        traits=(
            ("Character", "Male"),
            ("Mask", "Basic"),
            ("Skin Color", "Blue"),
            ("Eye Color", "Green"),
            ("Item", "Book"),
            ("Background", "Pixel"),
        ),
    ),
    Known(
        "NFTs2Me, raw SVG",
        "NFTs2Me Collection Owner - drako",
        drawn="image_data",
        image_type=SVG,
        traits=(
            ("Collection Name", "drako"),
            ("Collection Address", "0x0fF562Ab42325222cF72971d32ED9CDF373b927B"),
            ("Owner Address", "0x64Ad181f69466bD4D15076aC1d33a22c6Cc9d748"),
            ("Revenue", 100),
        ),
    ),
    Known(
        "Art Blocks, eleven traits of one type",
        "Tentura #125",
        image="https://media.artblocks.io/265000125.png",
        image_type="image/png",
        media="https://generator.artblocks.io/265000125",
        traits=many(
            "Tentura",
            *("All Tenturas", "Fog: Yes", "Mask: Edges", "Mode: Partial", "Beams: Less", "Shape: Two lines"),
            *(
                "Layout: Bent",
                "Palette: Dawn",
                "Grayscale: None",
                "Background: Lighten",
                "Distribution: Circle",
            ),
        ),
    ),
    # The image is the token URI itself, which the document does not repeat: a type of nothing is not told.
    Known("Zora", "Reform: A Lonely Soul"),
    Known(
        "MakersPlace, imageUrl and a JSON schema beside it",
        "Infinite library",
        image="https://ipfsgateway.makersplace.com/ipfs/QmRP5shGPgRAuRpfJRi36ABgUd4zABGZ4XmB8s3CedipNK",
        traits=(("Creator", "Tyrone Doyle"),),
    ),
    Known("a collection served without metadata", None, described=()),
]
"""In the order of the file."""
