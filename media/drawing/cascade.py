"""Which value of which property each element has (CSS Cascading 4), with custom properties put in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import Element

import cssselect2
import tinycss2
from tinycss2 import ast

from core.memo import cached_if_short
from media.decoding import BadImageError
from media.drawing.sheets import Declaration, Sheets, declared
from media.drawing.values import SIMPLE_LENGTH, BadValueError, nodes, solid, split

_WITHOUT_UNIT = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*|\.\d+)(?![\w.%])")
MAX_VALUE = 65_536
"""Characters of a value with what stands for custom properties put in; they can double with each one."""


Expand = Callable[[Declaration], Iterable[Declaration]]
"""Returns what a shorthand stands for, else the declaration itself; raises ``BadValueError`` for what is no value."""


class Cascade:
    """Finds the declarations that win on each element of a document."""

    def __init__(
        self,
        root: Element,
        sheets: Sheets,
        attributes: frozenset[str],
        placed: frozenset[str],
        expand: Expand,
    ) -> None:
        """``attributes`` are the names of attributes that are properties too, ``placed`` those of them that stay as
        they are if they are simple and style says nothing else."""
        self._sheets = sheets
        self._attributes = attributes
        self._placed = placed
        self._expand = expand
        self._wrappers: dict[Element, Any] = {}
        self.variables: dict[Element, list[str]] = {}
        """The values in which elements refer to custom properties, as written."""
        if sheets.count:
            wrapper = cssselect2.ElementWrapper.from_xml_root(root)
            self._wrappers = {one.etree_element: one for one in wrapper.iter_subtree()}

    def of(
        self, element: Element, above: Mapping[str, str]
    ) -> tuple[dict[str, Declaration], Mapping[str, str]]:
        """Return the winning declaration of each property of an element and its custom properties, given its parent's.

        What is no value of its property counts as not written (CSS Cascading 4, section 4.1).
        """
        everything = list(self._all(element))
        if not everything:
            return {}, above
        ranked = [one for _, one in sorted(everything, key=lambda pair: pair[0])]
        custom = inherited({one.name: one for one in ranked if one.name.startswith("--")}, above)
        winning: dict[str, Declaration] = {}
        for declaration in ranked:
            if declaration.name.startswith("--"):
                continue
            has_variables = "var(" in declaration.value.lower()
            try:
                if has_variables:
                    self.variables.setdefault(element, []).append(declaration.value)
                    found = self._expand(replace(declaration, value=substituted(declaration.value, custom)))
                else:
                    found = self._expand(declaration)
                for one in found:
                    winning[one.name] = one
            except BadValueError:
                # Found too late for what was written before to win: as if there were nothing.
                if has_variables:
                    winning.pop(declaration.name, None)
        return winning, custom

    def depends_on_place(self, element: Element) -> bool:
        """Tell whether rules apply to an element and what is in it only by what is around it: in `use` it is alone
        (SVG 2, section 5.5.2). Asked before anything is written, since selectors look at what is taken out then."""
        if not self._wrappers:
            return False
        match = self._sheets.matcher.match
        # Alone it has nothing around it, and is no root either: what holds both of a root and within something.
        around = Element("g")
        around.append(element)
        inner = list(cssselect2.ElementWrapper.from_xml_root(around).iter_subtree())[1:]
        alone = cssselect2.ElementWrapper.from_xml_root(element).iter_subtree()
        for one, other in zip(alone, inner, strict=True):
            within = match(other)
            if [found for found in match(one) if found in within] != match(self._wrappers[one.etree_element]):
                return True
        return False

    def _all(self, element: Element) -> Iterator[tuple[tuple[Any, ...], Declaration]]:
        for name, value in element.attrib.items():
            if name == "transform-origin":  # in an attribute its lengths need no unit, and do in style
                yield (0, 0), Declaration(name, _WITHOUT_UNIT.sub(r"\g<0>px", value))
            elif name in self._attributes and not (name in self._placed and SIMPLE_LENGTH.fullmatch(value)):
                yield (0, 0), Declaration(name, value, needs_units=False)
        wrapper = self._wrappers.get(element)
        matched = [] if wrapper is None else self._sheets.matcher.match(wrapper)
        for specificity, order, _, declarations in matched:
            for declaration in declarations:
                yield (3 if declaration.is_important else 1, 0, specificity, order), declaration
        own = _own(element.attrib["style"]) if "style" in element.attrib else ()
        for declaration in own:
            yield (3 if declaration.is_important else 1, 1), replace(declaration, needs_units=False)
        for declaration in self._animated(matched, own):
            yield (2, 0), declaration

    def _animated(self, matched: list[Any], own: tuple[Declaration, ...]) -> Iterator[Declaration]:
        """What animations of CSS show at their beginning."""
        if not self._sheets.keyframes:
            return
        found: dict[str, str] = {}
        for declaration in [*(one for _, _, _, block in matched for one in block), *own]:
            name = declaration.name.removeprefix("-webkit-")
            if name == "animation":
                found = {"animation": declaration.value}
            elif name.startswith("animation-"):
                found[name] = declaration.value
        for animation in _animations(found, self._sheets.keyframes):
            yield from animation


@cached_if_short(maxsize=2_000, longest=1_000)
def _own(style: str) -> tuple[Declaration, ...]:
    return tuple(declared(style))


def _animations(
    found: Mapping[str, str], keyframes: Mapping[str, list[tuple[float, list[Declaration]]]]
) -> Iterator[list[Declaration]]:
    for part in split(nodes(found.get("animation", found.get("animation-name", "")))):
        words = [node.value if node.type == "ident" else "" for node in part]
        times = [_seconds(node) for node in part if node.type == "dimension"]
        name = next((word for word in words if word in keyframes), None)
        if name is None and "animation-name" in found:
            name = found["animation-name"] if found["animation-name"] in keyframes else None
        if name is None:
            continue
        lasts = _time(found, "animation-duration", times[0] if times else 0.0)
        waits = _time(found, "animation-delay", times[1] if len(times) > 1 else 0.0)
        words += found.get("animation-fill-mode", "").split() + found.get("animation-direction", "").split()
        place = _place(words, lasts, waits)
        if place is not None:
            yield [
                one
                for moment, declarations in keyframes[name]
                if moment == place
                for one in declarations
                if not one.name.startswith("animation")
            ]


def _place(words: list[str], lasts: float, waits: float) -> float | None:
    """Where an animation is when it is first seen: at its beginning or end; ``None`` for not begun, or over."""
    is_backwards = "reverse" in words or "alternate-reverse" in words
    if waits > 0 and not {"backwards", "both"} & set(words):
        return None
    if lasts <= 0 and waits <= 0:
        is_backwards = not is_backwards
        if not {"forwards", "both"} & set(words):
            return None
    return 1.0 if is_backwards else 0.0


def _time(found: Mapping[str, str], name: str, default: float) -> float:
    for part in split(nodes(found.get(name, ""))):
        if part and part[0].type == "dimension":
            return _seconds(part[0])
    return default


def _seconds(node: ast.DimensionToken) -> float:
    return float(node.value) / (1000 if node.lower_unit == "ms" else 1)


def inherited(winning: Mapping[str, Declaration], custom: Mapping[str, str]) -> Mapping[str, str]:
    """Return the custom properties of an element, given those of its parent."""
    own = {name: one.value for name, one in winning.items() if name.startswith("--")}
    if not own:
        return custom
    resolved = dict(custom)
    for name in own:
        found = _custom(name, own, custom, ())
        if found is None:
            resolved.pop(name, None)
        else:
            resolved[name] = found
    return resolved


def _custom(
    name: str, own: Mapping[str, str], above: Mapping[str, str], within: tuple[str, ...]
) -> str | None:
    if name in within or len(within) > 50:
        return None  # CSS Variables, section 2.3: what refers to itself is as if it were not there
    if name not in own:
        return above.get(name)
    value = own[name]
    if value.lower() in ("inherit", "unset"):
        return above.get(name)
    if value.lower() == "initial":
        return None
    try:
        return _put_in(value, lambda other: _custom(other, own, above, (*within, name)))
    except BadValueError:
        return None


def substituted(value: str, custom: Mapping[str, str]) -> str:
    """Return a value with what its `var()` stand for. Raises ``BadValueError`` where one stands for nothing."""
    return _put_in(value, custom.get) if "(" in value else value


def _put_in(value: str, known: Any) -> str:
    if "var(" not in value.lower():
        return value
    text: str = tinycss2.serialize(_replaced(tinycss2.parse_component_value_list(value), known)).strip()
    if len(text) > MAX_VALUE:
        raise BadImageError("It has custom properties that stand for very long values.")
    return text


def _replaced(given: list[ast.Node], known: Any) -> list[ast.Node]:
    done: list[ast.Node] = []
    for node in given:
        if node.type == "function" and node.lower_name == "var":
            done += _meant(node, known)
            continue
        if node.type == "function":
            node.arguments = _replaced(node.arguments, known)
        elif hasattr(node, "content") and isinstance(node.content, list):
            node.content = _replaced(node.content, known)
        done.append(node)
    return done


def _meant(node: ast.FunctionBlock, known: Any) -> list[ast.Node]:
    arguments = solid(node.arguments)
    if not arguments or arguments[0].type != "ident":
        raise BadValueError("var()")
    found = known(arguments[0].value)
    if found is not None:
        return tinycss2.parse_component_value_list(found)  # type: ignore[no-any-return]
    if len(arguments) < 2 or arguments[1].type != "literal" or arguments[1].value != ",":
        raise BadValueError("var() of what is not there")
    comma = node.arguments.index(arguments[1])
    return _replaced(node.arguments[comma + 1 :], known)
