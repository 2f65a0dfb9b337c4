"""The style sheets of a document: which rules apply to the picture of it, and what its animations begin with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

import cssselect2
import tinycss2
from tinycss2 import ast

from core.net.http.data_uris import decode_data_uri, is_data_uri
from core.net.http.uri_errors import BadUriError
from media.decoding import BadImageError
from media.drawing.tree import local, text_of
from media.drawing.values import Nodes, solid, split

MAX_RULES = 5_000
"""Selectors of a document at most: each element is asked of each."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A property and its value as written. ``needs_units`` is false in attributes, also in that of style."""

    name: str
    value: str
    is_important: bool = False
    needs_units: bool = True


@dataclass(slots=True)
class Sheets:
    """All rules of a document that apply to a picture on a light screen, in their order."""

    matcher: Any = field(default_factory=cssselect2.Matcher)
    keyframes: dict[str, list[tuple[float, list[Declaration]]]] = field(default_factory=dict)
    fonts: list[list[Declaration]] = field(default_factory=list)
    """What each `@font-face` tells."""
    count: int = 0

    def add(self, text: str) -> None:
        """Add a style sheet. Raises :class:`BadImageError` for rules that are not computed here."""
        self._add(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True))

    def _add(self, rules: Iterable[ast.Node]) -> None:
        for rule in rules:
            if rule.type == "qualified-rule":
                self._add_rule(rule)
            elif rule.type == "at-rule":
                self._add_at_rule(rule)

    def _add_rule(self, rule: ast.QualifiedRule) -> None:
        declarations = declared(rule.content)
        if any(node.type == "function" and node.lower_name == "lang" for node in rule.prelude):
            raise BadImageError("Its style depends on languages.")
        try:
            selectors = cssselect2.compile_selector_list(rule.prelude)
        except cssselect2.SelectorError:
            return  # browsers leave out a rule that they do not understand, too
        self.count += len(selectors)
        if self.count > MAX_RULES:
            raise BadImageError(f"It has more than {MAX_RULES} rules of style.")
        for selector in selectors:
            if selector.pseudo_element is None:
                self.matcher.add_selector(selector, declarations)

    def _add_at_rule(self, rule: ast.AtRule) -> None:
        name = rule.lower_at_keyword
        if name == "media":
            if is_of_pictures(rule.prelude):
                self._add(_rules(rule))
        elif name == "import":
            self._import(rule)
        elif name == "supports":
            if any(node.type == "ident" and node.lower_value == "not" for node in rule.prelude):
                raise BadImageError("Its style depends on what browsers support.")
            self._add(_rules(rule))
        elif name in ("keyframes", "-webkit-keyframes"):
            self._add_keyframes(rule)
        elif name == "font-face" and rule.content is not None:
            self.fonts.append(declared(rule.content))
        elif name in ("layer", "container", "scope", "property", "starting-style"):
            raise BadImageError(f"Its style has @{name}, which is not computed here.")

    def _import(self, rule: ast.AtRule) -> None:
        """Add a sheet that is in the address itself; browsers fetch none for a picture."""
        found = solid(rule.prelude)
        target = next((getattr(node, "value", None) or _argument(node) for node in found[:1]), "")
        if not is_data_uri(target):
            return
        if len(found) > 1:
            raise BadImageError("Its style takes in a sheet under a condition, which is not computed here.")
        try:
            text = decode_data_uri(target).body.decode(errors="replace")
        except BadUriError:
            return
        if "@import" in text.lower():
            raise BadImageError("Its style takes in sheets by others.")
        self.add(text)

    def _add_keyframes(self, rule: ast.AtRule) -> None:
        name = "".join(getattr(node, "value", "") for node in solid(rule.prelude))
        frames = []
        for frame in _rules(rule):
            if frame.type == "qualified-rule":
                declarations = declared(frame.content)
                frames += [(place, declarations) for place in _places(frame.prelude)]
        self.keyframes[name] = frames


def of_document(root: Element) -> Sheets:
    """Return the rules of all `style` elements, which are taken to be of CSS unless they say another type."""
    sheets = Sheets()
    for element in root.iter():
        if local(element) == "style" and element.get("type", "text/css").strip().lower() in ("", "text/css"):
            media = element.get("media", "")
            if not media or is_of_pictures(tinycss2.parse_component_value_list(media)):
                sheets.add(text_of(element).replace("<!--", "").replace("-->", ""))
    return sheets


def declared(content: Nodes | str) -> list[Declaration]:
    """Return the declarations of a block. Raises :class:`BadImageError` for rules within rules."""
    found = []
    for node in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
        if node.type in ("qualified-rule", "at-rule"):
            raise BadImageError("Its style has rules within rules, which are not computed here.")
        if node.type == "declaration":
            name = node.name if node.name.startswith("--") else node.lower_name
            found.append(Declaration(name, tinycss2.serialize(node.value).strip(), node.important))
    return found


def _argument(node: ast.Node) -> str:
    """Return what `url("…")` names."""
    is_url = node.type == "function" and node.lower_name == "url" and node.arguments
    return str(getattr(node.arguments[0], "value", "")) if is_url else ""


def _rules(rule: ast.AtRule) -> list[ast.Node]:
    if rule.content is None:
        return []
    return tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)  # type: ignore[no-any-return]


def _places(prelude: Nodes) -> Iterator[float]:
    """The moments of a keyframe, from 0 to 1."""
    for part in split(prelude):
        if len(part) == 1 and part[0].type == "percentage":
            yield part[0].value / 100
        elif len(part) == 1 and part[0].type == "ident" and part[0].lower_value in ("from", "to"):
            yield 0.0 if part[0].lower_value == "from" else 1.0


def is_of_pictures(prelude: Nodes) -> bool:
    """Tell whether a media query (Media Queries 4) is true of a picture on a light, still screen with a mouse.

    Raises :class:`BadImageError` where it depends on how large the picture is shown.
    """
    queries = split(prelude)
    return not queries or any(_is_true(query) for query in queries)


_FEATURES = {
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
    "prefers-contrast": "no-preference",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "any-pointer": "fine",
    "scripting": "none",
    "update": "fast",
}
_IS_SET = {"hover", "any-hover", "pointer", "any-pointer", "update", "color", "prefers-color-scheme"}


def _is_true(query: list[ast.Node]) -> bool:
    words = [node.lower_value for node in query if node.type == "ident"]
    if "or" in words or any(node.type == "() block" and _has_blocks(node) for node in query):
        raise BadImageError("Its style depends on a condition that is not computed here.")
    kinds = [word for word in words if word not in ("only", "not", "and")]
    is_true = all(word in ("all", "screen") for word in kinds) and all(
        _has(node) for node in query if node.type == "() block"
    )
    return is_true != ("not" in words)


def _has_blocks(node: ast.ParenthesesBlock) -> bool:
    return any(child.type == "() block" for child in node.content)


def _has(node: ast.ParenthesesBlock) -> bool:
    parts = solid(node.content)
    name = parts[0].lower_value if parts and parts[0].type == "ident" else ""
    if len(parts) == 1 and name:
        return name in _IS_SET
    value = parts[2].lower_value if len(parts) == 3 and parts[2].type == "ident" else ""
    if name in _FEATURES and value:
        return _FEATURES[name] == value
    raise BadImageError("Its style depends on how large it is shown, or on what is not computed here.")
