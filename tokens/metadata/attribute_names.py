"""What authors call attributes, their types and their values, in lower case and without separators."""

LISTS = ("attributes", "traits")
OTHER_LISTS = ("features", "characteristics", "attrs", "attribute", "nftattributes", "traitlist")
TYPES = (
    *(
        "traittype",
        "trait",
        "key",
        "name",
        "property",
        "label",
        "traitname",
        "attributename",
        "attributetype",
    ),
    *("attribute", "feature", "type"),
)
VALUES = ("value", "traitvalue", "val", "attributevalue", "displayvalue")
DATA_TYPES = frozenset(
    ("string", "number", "int", "integer", "float", "double", "bool", "boolean", "array", "object")
)
"""What ``type`` says of a value's kind (RMRK, SIP-16), rather than of what it is the value."""
MEDIA = (
    "",
    "image",
    "images",
    "video",
    "audio",
    "vr",
    "html",
    "model",
    "nft",
    "document",
    "file",
    "text",
    "json",
)
ROYALTY = "royalty"
"""RMRK's type of a property that is about money."""
ENTRY_ONLY = ("traittype", "displaytype", "maxvalue")
"""Members that only an entry has, if it lacks its value too."""
NO_TRAITS = ("files", "category", "creators")
"""Members of ``properties`` in Metaplex's JSON, which has no traits there."""
DESCRIPTIVE = (
    *(
        "name",
        "title",
        "description",
        "image",
        "imageurl",
        "imageuri",
        "imagedata",
        "imagedetails",
        "symbol",
        "type",
    ),
    *("animationurl", "animation", "externalurl", "externaluri", "media", "content", "decimals", "preview"),
    *(
        "mediauri",
        "mediaurl",
        "thumbnailuri",
        "thumbnailurl",
        "displayuri",
        "artifacturi",
        "contenturl",
        "previewuri",
    ),
    *("rawmediafileuri", "rawmediafiletype", "rawmediafilesignature", "rawmediafilesignaturetype"),
)
"""Members of ``properties`` that say what the NFT is (ERC-1155, Metadata), rather than being a trait of it."""
