"""A document as the drawing library draws it like browsers do: with its style, transforms, animations and pictures
written out. What would be left out of the picture all the same is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from media import fonts
from media.decoding import BadImageError
from media.drawing import conditions, filters, foreign, pictures, properties, transforms
from media.drawing.animations import begun
from media.drawing.cascade import Cascade
from media.drawing.lettering import keeps_blanks, lettered
from media.drawing.root import arranged
from media.drawing.scripts import refuse_builders
from media.drawing.shapes import box_of, even
from media.drawing.sheets import Sheets, of_document
from media.drawing.tree import SVG, XHTML, local, parsed, removed, unpacked, written
from media.drawing.values import Frame, plain
from media.svgsize import natural, tells_size

_DROPPED = {"style", "script", "title", "desc", "metadata", "view", "discard", "tref", "font", "font-face"}
"""Elements that are not drawn, and have been heeded before."""
_TAKEN_OUT = {"style", "class", "vector-effect", *properties.DRAWN, *properties.STYLED}
_UNMARKED = ("rect", "circle", "ellipse")
"""Shapes that browsers put no markers on."""
_TEXTS = ("text", "tspan", "textPath", "a")


@dataclass(frozen=True, slots=True)
class Written:
    """A document for drawing, and the fonts that it brings along."""

    text: str
    fonts: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """What an element has from those around it."""

    frame: Frame
    custom: Mapping[str, str]
    is_shown: bool = True
    keeps_blanks: bool = False
    cased: str = "none"
    weight: int = 400
    anchor: str = "start"


def written_out(data: bytes) -> Written:
    """Return a document, not compressed, with nothing left that the drawing library would not draw.

    Raises :class:`BadImageError` for what it cannot draw as browsers do.
    """
    return _Writer(parsed(data), level=0).run()


class _Writer:
    """Goes through a document once, each element after those around it."""

    def __init__(self, root: Element, level: int, shown_at: tuple[float, float] | None = None) -> None:
        """``level`` documents show it; ``shown_at`` is width and height of what does, if it has a shape of its own."""
        self.root = root
        self.level = level
        self.shown_at = shown_at
        self.shows_at: tuple[float, float] | None = None
        self.is_sized = True
        """Whether the element whose picture is read tells its size, or has that of a filter."""
        refuse_builders(root)
        begun(root, properties.DRAWN)
        self.sheets: Sheets = of_document(root)
        self.cascade = Cascade(
            root, self.sheets, properties.ATTRIBUTES, frozenset(properties.GEOMETRY), properties.expanded
        )
        self.has_gradients = any(local(one).endswith("Gradient") for one in root.iter())
        self.has_markers = any(local(one) == "marker" for one in root.iter())
        self.ids = {one.get("id", ""): one for one in reversed(list(root.iter()))}
        self.dependent = self._dependent()
        self.around: dict[Element, Mapping[str, str]] = {}
        """Custom properties of what is around each element."""
        self.uses: list[tuple[str, Mapping[str, str]]] = []
        """The id that each `use` refers to, with the custom properties there."""
        self.fonts, self.families = fonts.embedded(self.sheets.fonts)

    def run(self) -> Written:
        winning, _ = self.cascade.of(self.root, {})
        seen, box = natural(self.root.attrib)
        frame = Frame(*(box[2:] if box else seen))
        if "font-size" in winning:
            size = properties.font_size(winning["font-size"].value, frame) or frame.font
            frame = replace(frame, root_font=size)
        place = _Place(frame, {})
        outer = {name: one.value for name, one in winning.items()}
        self._write(self.root, place, is_root=True)
        self._check_variables()
        # One that is shown by another is cut at its edges, which the drawing library does for inner elements alone.
        if self.level and box is None:
            self.root.set("viewBox", f"0 0 {plain(seen[0])} {plain(seen[1])}")
            self.root.set("preserveAspectRatio", "none")
        root = arranged(self.root, outer, self.shown_at or seen, frame, is_cut=self.level > 0)
        return Written(written(root), tuple(self.fonts))

    def _write(self, element: Element, place: _Place, is_root: bool = False) -> None:
        winning, custom = self.cascade.of(element, place.custom)
        self._note(element, place, custom)
        values = {name: one.value for name, one in winning.items()}
        is_shown = place.is_shown and values.get("display") != "none"
        frame = place.frame
        if (size := values.get("font-size")) and (pixels := properties.font_size(size, frame)) is not None:
            frame = frame.with_font(pixels)
            values["font-size"] = plain(pixels)
        if is_shown:
            for name, value in values.items():
                properties.check(name, value)
            self._check_pair(local(element), values)
        if not is_root:
            transforms.write_into(element, winning, frame)
        self._style(element, values, frame, is_root)
        are_blanks_kept = keeps_blanks(element, values, place.keeps_blanks)
        cased = values.get("text-transform", place.cased)
        self._special(element, values, frame, is_shown)
        anchor = values.get("text-anchor", place.anchor)
        if local(element) == "tspan" and "dx" in element.attrib and anchor != "start" and is_shown:
            raise BadImageError("It has text that is moved and does not begin where it is placed.")
        weight = properties.weight(values.get("font-weight", ""), place.weight) or place.weight
        if "font-weight" in values:
            element.set("font-weight", str(weight))
        if not len(element) and local(element) not in _TEXTS:
            return
        inner = _Place(self._inner(element, frame), custom, is_shown, are_blanks_kept, cased, weight, anchor)
        if local(element) in _TEXTS:
            if not is_shown and local(element) != "text":
                element.text = None
                element[:] = []
            elif is_shown:
                is_alone = not len(element) and local(element) == "text"
                element.text = lettered(element.text, cased, self.families, is_alone=is_alone)
        for child in list(element):
            self._child(element, child, inner)

    def _note(self, element: Element, place: _Place, custom: Mapping[str, str]) -> None:
        """Keep the custom properties around an element, and those of a `use`."""
        self.around[element] = place.custom
        href = element.get("href", "").strip()
        if local(element) == "use" and href.startswith("#") and place.is_shown:
            self.uses.append((href[1:], custom))

    def _child(self, parent: Element, child: Element, place: _Place) -> None:
        name = local(child)
        if not conditions.are_met(child) or (
            local(parent) == "switch" and place.is_shown and parent[0] is not child
        ):
            removed(parent, child)
            return
        if local(parent) in _TEXTS and place.is_shown:
            child.tail = lettered(child.tail, place.cased, self.families, is_alone=False)
        if name == "foreignObject":
            winning, _ = self.cascade.of(child, place.custom)
            image = foreign.as_image(child, winning, self.cascade, place.custom, place.frame)
            if image is None or not place.is_shown:
                removed(parent, child)
                return
            image.tail = child.tail
            parent[list(parent).index(child)] = image
            child, name = image, "image"
        if not name or name in _DROPPED:
            if child.tag.startswith(XHTML) and local(parent) == "svg" and foreign.shows(child):
                raise BadImageError("It has HTML in it, which is not drawn.")
            removed(parent, child)
            return
        self._write(child, place)
        if name == "svg" and "transform" in child.attrib:  # which the drawing library would do twice
            group = Element(f"{SVG}g", {"transform": child.attrib.pop("transform")})
            group.tail, child.tail = child.tail, None
            parent[list(parent).index(child)] = group
            group.append(child)

    def _style(self, element: Element, values: Mapping[str, str], frame: Frame, is_root: bool) -> None:
        """Write the values into attributes, and take out what they came from."""
        for name in element.attrib.keys() & _TAKEN_OUT:
            del element.attrib[name]
        name = local(element)
        blending = []
        for key, value in values.items():
            if key in properties.DRAWN:
                _put(element, key, self._referred(key, properties.drawn(key, value, frame)))
            elif key in properties.GEOMETRY and name in properties.GEOMETRY[key] and not is_root:
                _put(element, key, properties.geometry(key, value, frame))
            elif key == "d" and name == "path":
                element.set("d", _path(value))
            elif key in properties.STYLED:
                blending.append(f"{key}:{value}")
        if blending:
            element.set("style", ";".join(blending))
        for key, value in element.attrib.items():
            if properties.is_computed(key, value):
                element.set(key, properties.lengths(key, value, frame))
        if name in _UNMARKED and self.has_markers:
            element.attrib |= {f"marker-{end}": "none" for end in ("start", "mid", "end")}

    def _check_pair(self, name: str, values: Mapping[str, str]) -> None:
        """Refuse what depends on the element and a property."""
        if name == "mask" and values.get("mask", "none") != "none":
            raise BadImageError("It has a mask that is masked, which browsers draw in several ways.")
        if name != "mask" and self.has_gradients and values.get("color-interpolation") == "linearRGB":
            raise BadImageError("It has a gradient through linear light, which is not drawn.")

    def _check_variables(self) -> None:
        """Refuse elements that look otherwise where they are used, by custom properties that they have from there."""
        if not self.cascade.variables:
            return
        for identity, custom in self.uses:
            if (target := self.ids.get(identity)) is None:
                continue
            own = self.around.get(target, {})
            others = {name for name in own.keys() | custom.keys() if own.get(name) != custom.get(name)}
            values = (value for one in target.iter() for value in self.cascade.variables.get(one, ()))
            if others and any(name in value for value in values for name in others):
                raise BadImageError("It uses an element whose custom properties depend on where it is used.")

    def _referred(self, name: str, value: str | None) -> str | None:
        """Return a value without references to what is not there: browsers go on as if they were not written."""
        if value is None or "url(" not in value or name in ("fill", "stroke"):
            return value
        return value if all(one in self.ids for one in properties.references(value)) else None

    def _special(self, element: Element, values: Mapping[str, str], frame: Frame, is_shown: bool) -> None:
        name, href = local(element), element.get("href", "").strip()
        if name in ("image", "feImage") and href and not (name == "feImage" and href.startswith("#")):
            if is_shown:
                self.is_sized = name == "feImage" or {"width", "height"} <= element.attrib.keys()
                self.shows_at = self._room(element, frame) if name == "image" and self.is_sized else None
                element.set("href", pictures.drawable(href, self._document))
            else:
                del element.attrib["href"]
        elif name in ("use", "textPath", "mpath", "pattern", "linearGradient", "radialGradient") and is_shown:
            if href and not href.startswith("#"):
                raise BadImageError(f"It uses what is elsewhere: {href[:100]}.")
            if name == "use" and href[1:] in self.dependent:
                raise BadImageError("It uses an element that is styled by what is around it.")
        elif name == "filter" and is_shown:
            filters.check(element)
        elif name == "a":
            element.attrib.pop("href", None)
        if "pathLength" in element.attrib:
            even(element, frame)

    def _dependent(self) -> set[str]:
        """The ids of elements that look otherwise where they are used."""
        targets = {one.get("href", "").strip()[1:] for one in self.root.iter() if local(one) == "use"}
        return {one for one in targets if one in self.ids and self.cascade.depends_on_place(self.ids[one])}

    def _document(self, data: bytes) -> bytes:
        """A document within the document, for the drawing library, which draws no third one."""
        if self.level:
            raise BadImageError("It shows documents within documents within it.")
        inner = _Writer(parsed(unpacked(data)), self.level + 1, self.shows_at)
        # Without one its size is told by the element that shows it, in a way that differs here.
        if not tells_size(inner.root.attrib) and ("viewBox" not in inner.root.attrib or not self.is_sized):
            raise BadImageError("It shows a document within it of a size that is not computed here.")
        found = inner.run()
        self.fonts += found.fonts
        return found.text.encode()

    @staticmethod
    def _room(element: Element, frame: Frame) -> tuple[float, float] | None:
        """Return width and height in which a document has its own shape; ``None`` if it is stretched to them."""
        found = box_of(element, frame)
        is_stretched = element.get("preserveAspectRatio", "").strip().startswith("none")
        if is_stretched or found is None or min(found.width, found.height) <= 0:
            return None
        return found.width, found.height

    def _inner(self, element: Element, frame: Frame) -> Frame:
        """The frame of what is within an element."""
        if element is self.root or local(element) not in ("svg", "symbol", "marker"):
            return frame
        seen, box = natural(element.attrib)
        width, height = box[2:] if box else seen
        return replace(frame, width=width, height=height)


def _put(element: Element, name: str, value: str | None) -> None:
    if value is None:
        element.attrib.pop(name, None)
    else:
        element.set(name, value)


def _path(value: str) -> str:
    found = re.fullmatch(r"""path\(\s*(?:(?:nonzero|evenodd)\s*,\s*)?(['"])(.*)\1\s*\)""", value, re.DOTALL)
    if found is None and value != "none":
        raise BadImageError(f"It has a path that is not drawn: {value[:50]}.")
    return found[2] if found else ""
