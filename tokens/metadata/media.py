"""The image and the animation of an NFT: all the places in which authors put them. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from core.net.http.data_uris import is_data_uri
from tokens.metadata import inline, media_types
from tokens.metadata.media_types import is_image, stated
from tokens.metadata.places import Place

Canonical = Callable[[str], str]
"""A URI as it is stored; raises ``ValueError`` for one that leads nowhere."""

_IMAGES = (
    *("image", "imageurl", "imageuri", "imagedata", "svgimagedata", "imagedetails", "img"),
    *(
        "originalimageurl",
        "imageoriginalurl",
        "imagecontent",
        "svg",
        "svgdata",
        "imagesvg",
        "displayuri",
        "displayurl",
    ),
    *("images", "imageurls", "picture", "pictureurl", "photo", "photourl", "imgurl", "imguri"),
    *("imagelink", "imageipfs", "ipfsimage", "imagehref", "imagesrc", "nftimage", "tokenimage", "svgimage"),
    *("svgcontent", "imagesvgdata", "onchainimage", "mainimage", "primaryimage", "displayimage"),
    *("imageoriginaluri", "imagelarge", "primarymediauri"),
)
_WORKS = (
    *("mediauri", "mediaurl", "artifacturi", "artifacturl", "contenturi", "contenturl", "rawmediafileuri"),
    "resources",
)
"""Where the work itself is, of whatever kind. Names and their sources are in docs/metadata.md."""
_TYPED_WORKS = ("resource", "asset", "assets", "asseturl", "asseturi", "file", "fileurl", "fileuri", "uri")
"""The same where its type is told; else it may be anything, such as the address that an error is about."""
_PREVIEWS = (
    *(
        "imagepreviewurl",
        "previewuri",
        "previewurl",
        "preview",
        "previewimage",
        "previewimageurl",
        "cover",
        "coverimage",
        "coverimageurl",
        "coverurl",
        "artwork",
        "artworkurl",
        "poster",
    ),
    *(
        "thumbnailuri",
        "thumbnailurl",
        "thumbnail",
        "thumbnailimage",
        "imagethumbnailurl",
        "thumb",
        "fallbackimage",
        "logo",
        "icon",
        "previewmediafile",
    ),
)
_ANIMATIONS = (
    "animationurl",
    "animationuri",
    "animation",
    "animationdetails",
    "animationurls",
    "originalanimationurl",
)
_RECORDINGS = (
    "video",
    "videourl",
    "videouri",
    "audio",
    "audiourl",
    "audiouri",
    "losslessaudio",
    "lossyaudio",
)
_FILES = ("media", "files", "formats")
_CONTENT = ("content",)
"""The same; but a string whose type nothing tells is the text of an article (Mirror, Lens), or its address."""
_ADDRESSES = (
    *(
        "url",
        "uri",
        "href",
        "src",
        "item",
        "original",
        "full",
        "large",
        "raw",
        "originalurl",
        "cachedurl",
        "pngurl",
        "thumbnailurl",
        "gateway",
        "ipfs",
        "cid",
        "info",
    ),
    *("value", "description"),
)
_TYPES = ("mime", "mimetype", "mediatype", "contenttype", "type", "format", "filetype", "extension")
_IMAGE_TYPES = ("imagemimetype", "imagemediatype", "imagecontenttype", "imagetype", "encodingformat")
_ANIMATION_TYPES = (
    *("animationmimetype", "animationmediatype", "mediamimetype", "animationtype", "animationurlmimetype"),
)
_WORK_TYPES = ("resourcemimetype", "rawmediafiletype", "mediamimetype", "artifactmimetype", "filemimetype")
_GENERAL_TYPES = ("mimetype", "mime", "mediatype", "contenttype", "type")
_AROUND = ("properties", "links", "lens", "body", "display")
"""Objects of a document that hold media besides itself."""
_BESIDE = ("media", "video", "audio", "files", "resources", "project", "release")
"""Objects that may hold a preview of what they are."""
_CHUNK = 64
"""Bytes that a string has at most on Cardano (CIP-25): longer ones become lists."""
_MAX_CHUNKS = 1_000
_SCHEME_ALONE = re.compile(r"(?:https?|ipfs|ar):/*|data:.*", re.IGNORECASE | re.DOTALL)
_MAX_DEPTH = 3
_MAX_CANDIDATES = 100


class Medium(NamedTuple):
    """Where a medium is, and its media type; empty when nothing tells."""

    url: str
    media_type: str


def media_of(places: Sequence[Place], canonical: Canonical) -> dict[str, str]:
    """Return ``imageUrl``, ``imageMediaType``, ``mediaUrl`` and ``mediaType``, as far as they are known.

    The first that is an image, or may be one, of what is called so; of the works and files; of the previews. An
    animation that is an image is the image too when there is no other; what stands in an image's place and is none (a
    video) is the animation when there is no other.
    """
    holders = [*places, *(inner for place in places for inner in place.objects(*_AROUND))]
    general = _first_type(_values(holders, _GENERAL_TYPES))
    contents = _candidates(
        [holder for holder in holders if general or not any(map(_is_article, holder.values(*_CONTENT)))],
        _CONTENT,
        of_any_kind=True,
    )
    files = list(chain(contents, _candidates(holders, _FILES, of_any_kind=True)))[:_MAX_CANDIDATES]
    types = {url: media_type for url, media_type in files if media_type}

    def usable(found: Iterator[Medium], own_type: str = "") -> list[Medium]:
        return list(_usable(found, types, own_type, canonical))

    shown = usable(_candidates(holders, _IMAGES), _own_type(holders, _IMAGE_TYPES, "imagedetails"))
    played = usable(
        _candidates(holders, _ANIMATIONS + _RECORDINGS),
        _own_type(holders, _ANIMATION_TYPES, "animationdetails"),
    )
    works_type = _first_type(_values(holders, _WORK_TYPES)) or general
    worked = usable(_candidates(holders, _WORKS, of_any_kind=True), works_type)
    told = usable(_candidates(holders, _TYPED_WORKS, of_any_kind=True), works_type)
    worked += [one for one in told if one.media_type]
    filed = usable(iter(files))
    beside = [*holders, *(inner for holder in holders for inner in holder.objects(*_BESIDE))]
    previews = usable(_candidates(beside, _PREVIEWS))
    images = [
        *_untyped_or_images(shown),
        *(one for one in [*worked, *filed, *played] if is_image(one.media_type)),
        *(one for one in [*worked, *filed] if not one.media_type),
        *_untyped_or_images(previews),
    ]
    media = [
        *played,
        *(one for one in [*worked, *filed, *shown] if one.media_type and not is_image(one.media_type)),
    ]
    return _stated(images[:1], media[:1], general)


def _is_article(content: Any) -> bool:
    return isinstance(content, str) and not media_types.of_uri(content)


def _untyped_or_images(found: Sequence[Medium]) -> list[Medium]:
    return [one for one in found if is_image(one.media_type) or not one.media_type]


def _stated(images: list[Medium], media: list[Medium], general: str) -> dict[str, str]:
    """Return the fields. A type stated of the whole document is the animation's, or of an image without animation."""
    fields = {}
    for one in images:
        fields["imageUrl"] = one.url
        fields["imageMediaType"] = one.media_type or (general if is_image(general) and not media else "")
    for one in media:
        fields["mediaUrl"] = one.url
        fields["mediaType"] = one.media_type or ("" if is_image(general) else general)
    return {name: value for name, value in fields.items() if value}


def _usable(
    found: Iterator[Medium], types: Mapping[str, str], own_type: str, canonical: Canonical
) -> Iterator[Medium]:
    """Yield what has a URL that leads somewhere, with its type: stated by itself, stated elsewhere, or by its name."""
    for url, media_type in found:
        try:
            address = canonical(url)
        except ValueError:
            continue
        if is_data_uri(address):
            yield Medium(address, media_types.of_data(address))
        else:
            by_itself = media_types.of_uri(url) or media_types.of_uri(address)
            yield Medium(address, media_type or types.get(url, "") or own_type or by_itself)


def _candidates(
    holders: Sequence[Place], names: tuple[str, ...], *, of_any_kind: bool = False
) -> Iterator[Medium]:
    """Yield each URL under the names with the type that is stated beside it, at most :data:`_MAX_CANDIDATES`.

    ``of_any_kind``: what is called so may be no medium at all, and is left out where its type says so.
    """
    values = _values(holders, names)
    found = chain.from_iterable(_addresses(value, "", _MAX_DEPTH, of_any_kind) for value in values)
    for _, one in zip(range(_MAX_CANDIDATES), found, strict=False):
        yield one


def _values(holders: Sequence[Place], names: tuple[str, ...]) -> Iterator[Any]:
    """Yield all values of one name before those of the next: the outer object's first."""
    for name in names:
        for holder in holders:
            yield from holder.values(name)


def _addresses(value: Any, media_type: str, depth: int, of_any_kind: bool) -> Iterator[Medium]:
    """Yield the URLs that a value holds: a string, an object with one, or a list of such."""
    if isinstance(value, str):
        if value.strip():
            yield _medium(value.strip(), media_type)
    elif depth and isinstance(value, dict):
        place = Place(value)
        inner_type = _first_type(place.values(*_TYPES)) or media_type
        if of_any_kind and not inner_type and any(map(_is_foreign, place.values(*_TYPES))):
            return
        for inner in place.values(*_ADDRESSES):
            yield from _addresses(inner, inner_type, depth - 1, of_any_kind)
    elif depth and isinstance(value, list):
        if _is_in_chunks(value):
            yield _medium("".join(value).strip(), media_type)
        for inner in value[:_MAX_CANDIDATES]:
            yield from _addresses(inner, media_type, depth - 1, of_any_kind)


def _is_foreign(kind: Any) -> bool:
    """Tell whether a stated type is that of something else than a medium, such as an archive's."""
    return isinstance(kind, str) and "/" in kind and not stated(kind) and "octet-stream" not in kind


def _is_in_chunks(value: list[Any]) -> bool:
    """Tell whether a list is one URI in pieces, as on Cardano, rather than several."""
    if not 1 < len(value) <= _MAX_CHUNKS or not all(isinstance(part, str) for part in value):
        return False
    if any("://" in part or part[:5].lower() == "data:" for part in value[1:]):
        return False
    return _SCHEME_ALONE.fullmatch(value[0]) is not None or ("://" in value[0] and len(value[0]) == _CHUNK)


def _own_type(holders: Sequence[Place], names: tuple[str, ...], details: str) -> str:
    """Return the type that is stated of the image or the animation, be it apart from its URL (Manifold's details)."""
    apart = (
        value for holder in holders for inner in holder.objects(details) for value in inner.values(*_TYPES)
    )
    return _first_type(chain(_values(holders, names), apart))


def _first_type(values: Iterator[Any]) -> str:
    return next(filter(None, map(stated, values)), "")


def _medium(text: str, media_type: str) -> Medium:
    """Return the URL; an image that stands there itself becomes a ``data:`` URI."""
    found = inline.data_uri_of(text)
    kind = "" if found is None else media_types.of_data(found)
    if found is None or not is_image(kind):
        return Medium(text, media_type)
    return Medium(found, kind)
