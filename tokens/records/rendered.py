"""What of an NFT's record seldom changes, rendered when it is written: its URI, metadata and native data as JSON texts.

:func:`render` makes the parts, :func:`metadata_text` and its neighbours put an answer's text together of them and of
what is read live: numbers of traits by the traits' ids, gateways of the settings, and what the cache knows of images.
The result is byte for byte what :mod:`tokens.records.metadata` and JSON make of the stored document; a test holds the
two together.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from typing import Any, Final, NamedTuple

from django.conf import settings

from core.db.texts import storable
from core.net.http.uris import public_url
from core.rest.records import Record, number, present, third_party_json
from core.rest.rendering import json_bytes
from tokens.metadata.trait_texts import value_text
from tokens.records import metadata as computed
from tokens.records.metadata import Pictures
from tokens.records.traits import DERIVED, derived, readable, type_text

VERSION: Final = "1"
"""Of the form of the parts, and of the rules by which they are made: whoever changes these changes it."""

# JSON in ASCII holds no control character, so these tell its texts apart.
_PART, _TRAIT, _OR, _IPFS, _ARWEAVE = "\x1d", "\x1e", "\x1f", "\x01", "\x02"
_UNSHOWN, _NONE = "-", "[]"


class Rendered(NamedTuple):
    """The parts, each a JSON text or empty.

    ``told``: name and description as members of an object; ``traits``: the list, in pieces between which the numbers of
    each trait go, and ``slots``: whose these are; ``plays``: whether there is an animation, and whether it is the image
    itself. URIs are as :func:`_uri_text` keeps them.
    """

    uri: str
    native: str
    told: str
    image_type: str
    image: str
    media_type: str
    media: str
    plays: str
    slots: str
    traits: str


def digest_of(contract_id: int, uri: str | None, metadata: str | None, native: str | None) -> str:
    """Return what is equal only where everything that parts are made of is."""
    made_of = f"{VERSION}\0{contract_id}\0{uri!r}\0{native!r}\0{metadata}"
    return hashlib.blake2b(made_of.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def render(
    uri: str | None, metadata: str | None, native: str | None, trait_ids: Mapping[tuple[str, str], int]
) -> str | None:
    """Return the parts of an NFT by its stored columns and the ids of the traits that it is posted under.

    ``None`` where there is nothing to keep: without metadata, or where a URI holds what tells parts apart.
    """
    stated = third_party_json(metadata)
    document: Record = stated if isinstance(stated, dict) else {}
    uris = uri, document.get("imageUrl"), document.get("mediaUrl")
    if not document or any(isinstance(one, str) and not one.isprintable() for one in uris):
        return None
    told = {name: computed.told(document, name) for name in ("name", "description")}
    image, animation = computed.string(document.get("imageUrl")), computed.string(document.get("mediaUrl"))
    slots, pieces = _traits(document.get("traits"), trait_ids)
    parts = Rendered(
        uri=_uri_text(uri),
        native=_text(third_party_json(native)),
        told=_text(present(told))[1:-1],
        image_type=_text(computed.string(document.get("imageMediaType"))),
        image=_uri_text(image),
        media_type=_text(computed.string(document.get("mediaType"))),
        media=_uri_text(animation),
        plays=("a" if animation is not None else "") + ("i" if animation in (None, image) else ""),
        slots=slots,
        traits=pieces,
    )
    return _PART.join(parts)


def parts_of(text: str) -> Rendered:
    """Return kept parts."""
    return Rendered._make(text.split(_PART))


def trait_ids_of(parts: Rendered) -> list[str]:
    """Return the ids of the traits whose numbers are in a record, as texts."""
    slots = parts.slots.split(_TRAIT)
    if _OR in parts.slots:
        slots = [slot.partition(_OR)[0] for slot in slots]
    return [slot for slot in slots if slot] if "" in slots else slots


def uri_text(kept: str) -> str:
    """Return the JSON text of a kept URI, at the gateways of the settings."""
    mark = kept[:1]
    if mark not in (_IPFS, _ARWEAVE):
        return kept
    gateway = settings.IPFS_PUBLIC_GATEWAY if mark == _IPFS else settings.ARWEAVE_PUBLIC_GATEWAY
    place, _, plain = kept[1:].partition(_OR)
    return f"{_opened(gateway)}{place[1:]}" if gateway else plain


def metadata_text(
    parts: Rendered, pictures: Pictures, size: int, is_computed: bool, counts: Mapping[str, int] | None
) -> str:
    """Return the JSON text of an NFT's metadata.

    ``size`` and ``is_computed`` are as in :class:`tokens.records.traits.Population`, ``counts`` by the traits' ids;
    ``None``: of an NFT without a collection. Raises ``KeyError`` where a trait is none any more.
    """
    members = [parts.told] if parts.told else []
    members += _media(parts, pictures)
    pieces = parts.traits.split(_TRAIT)
    traits = pieces * 2
    traits[::2] = pieces
    traits[1::2] = [*_numbers_of(parts, size, is_computed, counts), ""]
    members.append(f'"traits":{"".join(traits)}')
    return "{" + ",".join(members) + "}"


def _numbers_of(parts: Rendered, size: int, is_computed: bool, counts: Mapping[str, int] | None) -> list[str]:
    """Return the numbers of each trait, as further members of its entry."""
    if not parts.slots and parts.traits == _NONE:
        return []
    slots = parts.slots.split(_TRAIT)
    if counts is not None and _OR not in parts.slots and "" not in slots:  # as nearly all are
        return [_numbers(counts[slot], size) for slot in slots]
    found = []
    for slot in slots:
        row_id, is_stated, stated = slot.partition(_OR)
        count = counts[row_id] if row_id and counts is not None else None
        if is_stated and not is_computed:
            found.append(_stated_numbers(stated, count, size))
        else:
            found.append(_numbers(count, size))
    return found


def _media(parts: Rendered, pictures: Pictures) -> Iterator[str]:
    """Yield the members that :func:`tokens.records.metadata._media` says, by the same rules."""
    image_type, image, media_type, media = (
        parts.image_type,
        uri_text(parts.image),
        parts.media_type,
        parts.media,
    )
    found = pictures.image_type
    if "a" in parts.plays and not media_type and pictures.media_type:
        media_type = encode_basestring_ascii(pictures.media_type)
    if found and found.startswith("image/"):
        image_type = encode_basestring_ascii(found)
    elif found and found.startswith(("video/", "audio/")):
        image_type = ""
        if "i" in parts.plays:
            media, media_type = parts.image, encode_basestring_ascii(found)
    if image_type:
        yield f'"imageMediaType":{image_type}'
    if image:
        yield f'"imageUrl":{image}'
    for name, url in pictures.urls.items():
        yield f'"{name}":{encode_basestring_ascii(url)}'
    if media_type:
        yield f'"mediaType":{media_type}'
    if media:
        yield f'"mediaUrl":{uri_text(media)}'


def _traits(stated: Any, trait_ids: Mapping[tuple[str, str], int]) -> tuple[str, str]:
    """Return the slots and the pieces of a document's traits.

    A slot is the trait's id, if the NFT is posted under it; behind it, where numbers are stated, each as JSON.
    """
    slots, pieces, opening = [], [], "["
    for short, entry in readable(stated if isinstance(stated, list) else []):
        pair = storable(type_text(entry.get("traitType"))), storable(value_text(entry["traitValue"]))
        numbers = [_stated(entry.get(name)) for name in DERIVED]
        slots.append(_OR.join([str(trait_ids.get(pair, "")), *(numbers if any(numbers) else ())]))
        shown = {"traitType": short.kind} if short.kind else {}
        pieces.append(f"{opening}{_text({**shown, 'traitValue': short.value})[:-1]}")
        opening = "},"
    return _TRAIT.join(slots), _TRAIT.join([*pieces, "}]"]) if pieces else _NONE


@lru_cache(maxsize=10_000)
def _numbers(count: int | None, size: int) -> str:
    """Return the numbers that follow from a count, as further members."""
    return "".join(f',"{name}":{_text(value)}' for name, value in derived(count, size).items())


def _stated(value: Any) -> str:
    """Return a number that an entry states; one that cannot be shown keeps what follows from being shown, too."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return _text(number(value)) or _UNSHOWN if is_number else ""


def _stated_numbers(stated: str, count: int | None, size: int) -> str:
    """Return the numbers that are stated, and those that follow where none is, as further members."""
    followed = derived(count, size)
    texts = (
        (name, text or _text(followed.get(name)))
        for name, text in zip(DERIVED, stated.split(_OR), strict=True)
    )
    return "".join(f',"{name}":{text}' for name, text in texts if text not in ("", _UNSHOWN))


def _uri_text(uri: str | None) -> str:
    """Return a stored URI as JSON; what a gateway serves as its place there and, behind it, as it is without one."""
    shown = computed.uri_record(uri, _marked)
    if shown is None:
        return ""
    if shown[:1] not in (_IPFS, _ARWEAVE):
        return _text(shown)
    return f"{shown[0]}{_text(shown[1:])}{_OR}{_text(uri)}"


def _marked(uri: str) -> str:
    return public_url(uri, _IPFS, _ARWEAVE)


@lru_cache(maxsize=8)
def _opened(gateway: str) -> str:
    """Return a gateway as the beginning of a JSON string."""
    return encode_basestring_ascii(gateway)[:-1]


def _text(value: Any) -> str:
    """Return a value as an answer has it; nothing of ``None``, which is absent there."""
    if value is None:
        return ""
    try:
        return json_bytes(value).decode()
    except TypeError:  # as the renderer does
        return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
