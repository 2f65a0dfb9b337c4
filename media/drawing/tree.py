"""A stranger's SVG as a tree of elements, and such a tree as text. What is of no drawing is not in the tree."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from media.decoding import BadImageError

MAX_TEXT = 16 * 2**20
"""Characters of a document, unpacked and with its entities written out."""
MAX_DEPTH = 200
"""Elements within each other; drawing recurses, and 20,000 were seen to overflow the stack."""
MAX_ENTITY = 1000
"""Characters of an entity. Drawing programs declare their namespaces so; none refers to another."""
TOO_LONG = f"As text it has more than {MAX_TEXT // 2**20} MiB."

SVG = "{http://www.w3.org/2000/svg}"
XHTML = "{http://www.w3.org/1999/xhtml}"
_XLINK = "{http://www.w3.org/1999/xlink}"
_XML = "{http://www.w3.org/XML/1998/namespace}"
SPACE = f"{_XML}space"
_KEPT_SPACES = {SPACE: "xml:space", f"{_XML}lang": "xml:lang"}


def unpacked(data: bytes) -> bytes:
    """Return a document's bytes, unpacked if they are gzip's. Raises :class:`BadImageError` beyond ``MAX_TEXT``."""
    if data[:2] == b"\x1f\x8b":
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            data = unpacker.decompress(data, MAX_TEXT + 1)
        except zlib.error as error:
            raise BadImageError(f"It cannot be unpacked: {error}.") from None
    if len(data) > MAX_TEXT:
        raise BadImageError(TOO_LONG)
    return data


def guarded_parser() -> expat.XMLParserType:
    """Return a parser that refuses entities from outside, of other entities, and long ones (:class:`BadImageError`)."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.EntityDeclHandler = _entity
    return parser


def parsed(data: bytes) -> Element:
    """Return the root of a document: names as `{namespace}name`, `xlink:href` as `href`, no comments.

    Raises :class:`BadImageError` for what is not well-formed, has too much text, nests too deeply, or whose root is no
    `svg`.
    """
    root = _Reader().run(data)
    if root.tag != f"{SVG}svg":
        raise BadImageError("It begins as SVG and is none.")
    return root


def written(root: Element) -> str:
    """Return a tree as text; elements of other namespaces than SVG's are left out, with what is in them."""
    parts: list[str] = []
    _write(root, parts, ' xmlns="http://www.w3.org/2000/svg"')
    return "".join(parts)


def local(element: Element) -> str:
    """Return an element's name if it is one of SVG's, else ""."""
    tag = element.tag
    return tag[len(SVG) :] if tag.startswith(SVG) else ""


def text_of(element: Element) -> str:
    """Return all text in an element and within its children."""
    return "".join(element.itertext())


def removed(parent: Element, child: Element) -> None:
    """Take a child out of an element and leave the text behind it."""
    place = list(parent).index(child)
    if child.tail:
        if place:
            before = parent[place - 1]
            before.tail = (before.tail or "") + child.tail
        else:
            parent.text = (parent.text or "") + child.tail
    parent.remove(child)


def descendants(element: Element) -> Iterator[tuple[Element, Element]]:
    """Yield each element below this one with its parent, parents first; of what is taken out meanwhile nothing."""
    for child in list(element):
        yield element, child
        yield from descendants(child)


class _Reader:
    """Builds the tree from what expat tells."""

    def __init__(self) -> None:
        self.builder = TreeBuilder()
        self.scopes: list[dict[str, str]] = [{"xml": _XML}]
        self.length = 0
        self.parser = parser = guarded_parser()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.ProcessingInstructionHandler = self._instruction

    def run(self, data: bytes) -> Element:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            raise BadImageError(f"It is no well-formed XML: {error}.") from None
        return self.builder.close()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.scopes) > MAX_DEPTH:
            raise BadImageError(f"It has elements nested more than {MAX_DEPTH} deep.")
        scope = self.scopes[-1]
        declared = {
            key[6:]: f"{{{value}}}"
            for key, value in attributes.items()
            if key == "xmlns" or key.startswith("xmlns:")
        }
        if declared:
            scope = scope | declared
        self.scopes.append(scope)
        for key in (name, *attributes):
            prefix = key.rpartition(":")[0]
            if prefix and prefix != "xmlns" and prefix not in scope:
                raise BadImageError(f"It is no well-formed XML: its prefix {prefix[:50]} is not declared.")
        self.length += sum(map(len, attributes.values()))
        self._count()
        self.builder.start(self._element(name, scope), _named(attributes, scope))

    def _element(self, name: str, scope: dict[str, str]) -> str:
        prefix, _, rest = name.rpartition(":")
        # Documents that forget the namespace were made for pages of HTML, in which they have it.
        return scope.get(prefix, SVG) + rest

    def _end(self, name: str) -> None:
        scope = self.scopes.pop()
        self.builder.end(self._element(name, scope))

    def _text(self, text: str) -> None:
        self.length += len(text)
        self._count()
        self.builder.data(text)

    @staticmethod
    def _instruction(target: str, data: str) -> None:
        if target == "xml-stylesheet" and "data:" in data.lower():
            raise BadImageError("It has a style sheet before it begins, which is not heeded.")

    def _count(self) -> None:
        if self.length > MAX_TEXT:
            raise BadImageError(TOO_LONG)


def _named(attributes: dict[str, str], scope: dict[str, str]) -> dict[str, str]:
    """Return the attributes that a drawing has: without a namespace, and the few of others that mean something."""
    kept = {}
    for key, value in attributes.items():
        prefix, _, name = key.rpartition(":")
        if not prefix and name != "xmlns":
            kept[name] = value
        elif prefix == "xmlns" or name == "xmlns":
            continue
        elif scope.get(prefix) == _XLINK and name == "href":
            kept.setdefault("href", value)  # SVG 2, section 16.1.4: without xlink it counts more
        elif scope.get(prefix) == _XML:
            kept[_XML + name] = value
    if "href" in attributes:
        kept["href"] = attributes["href"]
    return kept


def _write(element: Element, parts: list[str], namespace: str = "") -> None:
    name = local(element)
    parts.append(f"<{name}{namespace}")
    for key, value in element.attrib.items():
        shown = _KEPT_SPACES.get(key, key)
        if "{" not in shown:
            parts.append(f" {shown}={quoteattr(value)}")
    parts.append(">")
    if element.text:
        parts.append(escape(element.text))
    for child in element:
        if local(child):
            _write(child, parts)
        if child.tail:
            parts.append(escape(child.tail))
    parts.append(f"</{name}>")


def _entity(
    name: str,
    is_parameter: bool,
    value: str | None,
    base: str | None,
    system_id: str | None,
    public_id: str | None,
    notation: str | None,
) -> None:
    if value is None:
        raise BadImageError(f"It takes the entity {name[:50]} from outside.")
    if is_parameter or "&" in value or "%" in value or len(value) > MAX_ENTITY:
        raise BadImageError(f"It declares the entity {name[:50]} by others, or a long one.")
