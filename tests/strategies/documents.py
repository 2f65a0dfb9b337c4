"""Metadata documents as authors might write them: good fields in the forms that exist, among bad ones and junk."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tokens.metadata.jsonish import MAX_DEPTH

Draw = Any

any_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.just("ipfs://QmX/1.png"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=10,
)
texts = st.text(min_size=1, max_size=20).filter(str.strip)
scalars = (
    texts | st.integers(-(10**80), 10**80) | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)
)
_WORDS = (
    *(
        "name",
        "description",
        "title",
        "image",
        "image_url",
        "imageUrl",
        "image_data",
        "image_details",
        "url",
        "uri",
    ),
    *(
        "animation_url",
        "animation",
        "content",
        "media",
        "files",
        "mime",
        "mimeType",
        "type",
        "format",
        "value",
    ),
    *(
        "attributes",
        "traits",
        "properties",
        "trait_type",
        "traitType",
        "key",
        "display_type",
        "max_value",
        "val",
    ),
    *("metadata", "data", "result", "links", "category", "creators"),
)


def tangles() -> st.SearchStrategy[Any]:
    """Any JSON, made of the names that mean something, so that each value is sought where any other may stand."""
    return st.recursive(
        any_json
        | st.sampled_from(["<svg/>", "data:image/png;base64,AAAA", "image/png", '{"name": "x"}', "[]", "{"]),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_WORDS), inner, max_size=5)
        ),
        max_leaves=25,
    )


@dataclass(frozen=True)
class Partly:
    """A document in part bad, and what must be read in it all the same."""

    document: Any
    expected: dict[str, Any]


@st.composite
def partly_bad(draw: Draw) -> Partly:
    """A document some of whose fields are good; the others are missing or bad, and junk stands between them."""
    fields: dict[str, Any] = {}
    expected: dict[str, Any] = {}
    for name in ("name", "description"):
        if draw(st.booleans()):
            fields[name] = expected[name] = draw(texts)
        else:
            fields[name] = draw(st.sampled_from([None, "", " \n", True, [], ["a", {}], {"a": 1}]))
    _draw_image(draw, fields, expected)
    _draw_animation(draw, fields, expected)
    _draw_traits(draw, fields, expected)
    junk = draw(st.dictionaries(st.text(max_size=8).map("x_".__add__), any_json, max_size=3))
    names = draw(st.permutations([*fields, *junk]))
    return Partly({name: {**fields, **junk}[name] for name in names}, expected)


_BAD_URLS: tuple[Any, ...] = (
    None,
    "",
    " ",
    7,
    False,
    [],
    {},
    [[]],
    {"url": None},
    "1.png",
    "//x.example/1.png",
    "javascript:alert(1)",
)


def _draw_image(draw: Draw, fields: dict[str, Any], expected: dict[str, Any]) -> None:
    places = draw(
        st.lists(st.sampled_from(["image", "image_url", "imageURI", "image_data"]), unique=True, max_size=3)
    )
    good = draw(st.sampled_from([None, *places]))
    for place in places:
        fields[place] = draw(st.sampled_from(_BAD_URLS))
    if good is not None:
        form = draw(
            st.sampled_from(["{}", " {}\n", ["{}"], {"url": "{}"}, {"type": "string", "description": "{}"}])
        )
        fields[good] = json.loads(json.dumps(form).replace("{}", "ipfs://QmImage/1.png"))
        expected |= {"imageUrl": "ipfs://QmImage/1.png", "imageMediaType": "image/png"}


def _draw_animation(draw: Draw, fields: dict[str, Any], expected: dict[str, Any]) -> None:
    fields["animation_url"] = draw(st.sampled_from([*_BAD_URLS, "ipfs://QmClip/1.mp4"]))
    if fields["animation_url"] == "ipfs://QmClip/1.mp4":
        expected |= {"mediaUrl": "ipfs://QmClip/1.mp4", "mediaType": "video/mp4"}


_BAD_ENTRIES: tuple[Any, ...] = (
    None,
    {},
    [],
    {"trait_type": "x"},
    {"trait_type": "x", "value": None},
    {"display_type": "date"},
    [[]],
)


def _draw_traits(draw: Draw, fields: dict[str, Any], expected: dict[str, Any]) -> None:
    types = draw(st.lists(texts | st.just(""), max_size=5, unique=True))
    pairs = [(kind, draw(scalars)) for kind in types]
    kind_name = draw(st.sampled_from(["trait_type", "traitType", "key", "name"]))
    value_name = draw(st.sampled_from(["value", "trait_value"]))
    entries = [{kind_name: kind, value_name: value} if kind else {value_name: value} for kind, value in pairs]
    for bad in draw(st.lists(st.sampled_from(_BAD_ENTRIES), max_size=3)):
        entries.insert(draw(st.integers(0, len(entries))), bad)
    good, bad = draw(st.permutations(["attributes", "traits"]))
    fields[good] = [entries] if draw(st.booleans()) and entries else entries
    fields[bad] = draw(st.sampled_from([None, "", "none", 5, True, {}, [], [None], "{"]))
    traits = [
        {"traitType": kind, "traitValue": value} if kind else {"traitValue": value} for kind, value in pairs
    ]
    if traits:
        expected["traits"] = traits


@st.composite
def bodies(draw: Draw, documents: st.SearchStrategy[Any]) -> bytes:
    """The bytes of a document, written as strictly or as loosely as authors do; NaN comes only where it was drawn."""
    text = json.dumps(
        draw(documents), ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 2]))
    )
    if text.startswith("{") and text != "{}" and draw(st.booleans()):
        text = (
            "// " + draw(st.sampled_from(["a comment", "}", '"'])) + "\n" + text[:-1] + ", /* the end, */ }"
        )
        deep = "[" * (MAX_DEPTH * 15) + "]" * (MAX_DEPTH * 15)
        text = text if draw(st.booleans()) else text[:-1] + f'"x_deep": {deep},' + "}"
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"]))
    return text.encode(encoding, "surrogatepass")
