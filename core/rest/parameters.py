"""The query string before anybody validates it: split, unknown names refused, comma lists taken apart.

Nothing here judges a value of a known parameter; that is the filter set's work (``core.rest.filters``), so that all
faults of a query are found in one place. Django's own ``request.GET`` is not used: it replaces invalid UTF-8 silently
and decodes by the charset of a request's Content-Type.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator
from urllib.parse import unquote_to_bytes, urlencode

from django.utils.datastructures import MultiValueDict
from rest_framework.exceptions import ErrorDetail, ValidationError

FORM_MARKER = "_form"
"""Hidden parameter of the browsable API's form: a request that has it is redirected to :func:`without_blanks`."""

ALWAYS_KNOWN = frozenset({"format"})
"""Names that no operation declares: content negotiation takes ``format``."""

OF_THE_PAGE = frozenset({"_facet", "_find", "_raw"})
"""Parameters of the browsable API's pages alone: which trait is unfolded, what is looked for in it, and whether the raw
data are shown. They select nothing, and for a program they are unknown."""

MAX_PARAMETERS = 1500
"""More than any valid request line of 8,190 bytes can hold (``limit&`` takes six)."""

SHOWN_CHARACTERS = 60


class ListSyntaxError(ValueError):
    """A comma list whose quotes do not pair; the message says where."""


def split(query_string: bytes | str) -> MultiValueDict[str, str]:
    """Return the parameters of a raw query string, every occurrence kept in order.

    ``query_string`` is WSGI's ``QUERY_STRING`` (a string of latin-1) or its bytes. A parameter without ``=`` is blank.
    Bytes of a value that are no UTF-8 become lone surrogates, which :func:`fault_of_text` finds; in a name they become
    U+FFFD. Raises ``ValidationError`` when there are more than :data:`MAX_PARAMETERS`.
    """
    pairs = [pair for pair in _raw(query_string).split(b"&") if pair]
    if len(pairs) > MAX_PARAMETERS:
        message = f"The query has {len(pairs)} parameters; at most {MAX_PARAMETERS} are read."
        raise ValidationError([ErrorDetail(message, code="invalid")])
    values: MultiValueDict[str, str] = MultiValueDict()
    for pair in pairs:
        name, _, value = pair.partition(b"=")
        values.appendlist(_decoded(name, "replace"), _decoded(value, "surrogateescape"))
    return values


def unknown(names: Iterable[str], known: Collection[str]) -> dict[str, list[ErrorDetail]]:
    """Return a fault for each name that is not known, naming the nearest known one.

    A mistyped filter must never quietly return everything.
    """
    faults = {}
    for name in names:
        if name not in known and name not in ALWAYS_KNOWN:
            message = (
                f"Unknown parameter {quoted(name)}. Did you mean {quoted(_nearest(name, known))}? "
                f"Known parameters: {', '.join(known)}."
            )
            faults[name] = [ErrorDetail(message, code="unknown_parameter")]
    return faults


def split_list(text: str) -> list[str]:
    """Split one occurrence of a comma list into its non-blank entries, in order.

    As in CSV, an entry whose first character is a double quote runs to the closing one and may hold commas; a double
    quote inside is doubled. Unquoted entries are trimmed. Raises :class:`ListSyntaxError` for an unterminated quote and
    for text after a closing one.

    >>> split_list('"Mouth-Bored, Pierced", Fur-Brown,,')
    ['Mouth-Bored, Pierced', 'Fur-Brown']
    """
    return [entry for entry in _entries(text) if entry.strip()]


def join_list(entries: Iterable[str]) -> str:
    """Write entries as one comma list that :func:`split_list` reads back."""
    return ",".join(_written(entry) for entry in entries)


def fault_of_text(text: str) -> str | None:
    """Return why a value cannot be read as text at all, or ``None``: no database stores NUL or lone surrogates."""
    if "\x00" in text:
        return "A NUL character is not allowed."
    if any("\ud800" <= character <= "\udfff" for character in text):
        return "The value is not valid UTF-8."
    return None


def quoted(text: str) -> str:
    """Return a value as error messages show it: in quotes, shortened, with what cannot be printed replaced."""
    shown = text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"
    return '"' + "".join(character if character.isprintable() else "\ufffd" for character in shown) + '"'


def has_marker(query_string: bytes | str) -> bool:
    """Tell whether the browsable API's form sent this query."""
    return any(_name_and_value(pair)[0] == FORM_MARKER for pair in _raw(query_string).split(b"&"))


def without_blanks(query_string: bytes | str) -> str:
    """Return the query of a submitted form without its marker and without the controls left blank.

    What remains is kept as it was written; parameters that were sent in parts (``name.0``, ``name.1``, …, and
    ``name.usual`` in place of a first part that is blank) are put together behind it, with commas. The result has no
    marker, so a redirect to it cannot loop.
    """
    kept, parts = [], dict[str, dict[str, str]]()
    for pair in _raw(query_string).split(b"&"):
        name, value = _name_and_value(pair)
        whole, dot, part = name.rpartition(".")
        if dot and (part in tuple("0123456789") or part == "usual"):
            parts.setdefault(whole, {})[part] = value.strip()
        elif name != FORM_MARKER and value.strip():
            kept.append(pair)
    for whole, given in parts.items():
        usual = given.pop("usual", "")
        if any(given.values()):
            given["0"] = given.get("0") or usual
            text = ",".join(given[part] for part in sorted(given))
            kept.append(urlencode({whole: text}, errors="replace").encode())
    return b"&".join(kept).decode("latin-1")


def _raw(query_string: bytes | str) -> bytes:
    return query_string if isinstance(query_string, bytes) else query_string.encode("latin-1")


def _decoded(part: bytes, errors: str) -> str:
    return unquote_to_bytes(part.replace(b"+", b" ")).decode("utf-8", errors)


def _name_and_value(pair: bytes) -> tuple[str, str]:
    name, _, value = pair.partition(b"=")
    return _decoded(name, "replace"), _decoded(value, "replace")


def _nearest(name: str, known: Collection[str]) -> str:
    by_folded = {candidate.lower(): candidate for candidate in known}
    matches = difflib.get_close_matches(name[:40].lower(), by_folded, n=1, cutoff=0.0)
    return by_folded[matches[0]]


def _entries(text: str) -> Iterator[str]:
    position = 0
    while True:
        if text.startswith('"', position):
            entry, position = _quoted_entry(text, position)
        else:
            end = text.find(",", position)
            end = len(text) if end < 0 else end
            entry, position = text[position:end].strip(), end
        yield entry
        if position == len(text):
            return
        position += 1


def _quoted_entry(text: str, start: int) -> tuple[str, int]:
    """Return the entry whose opening quote is at ``start``, and the place of what follows its closing quote."""
    pieces = []
    position = start + 1
    while True:
        end = text.find('"', position)
        if end < 0:
            raise ListSyntaxError(f"The quote before {quoted(text[start + 1 :])} is never closed.")
        pieces.append(text[position:end])
        position = end + 1
        if not text.startswith('"', position):
            break
        pieces.append('"')
        position += 1
    if position < len(text) and text[position] != ",":
        raise ListSyntaxError(f"A comma must follow a closing quote, not {quoted(text[position:])}.")
    return "".join(pieces), position


def _written(entry: str) -> str:
    plain = entry == entry.strip() and "," not in entry and not entry.startswith('"')
    return entry if plain else '"' + entry.replace('"', '""') + '"'
