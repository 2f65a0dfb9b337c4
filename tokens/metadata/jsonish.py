"""JSON as authors of metadata write it, read as far as that is safe: nothing is run, nothing guessed. Pure, linear.

Strict JSON (RFC 8259) is tried first, and what it gives is never changed. What fails is written anew as strict JSON,
token by token: without comments and superfluous commas, ``NaN`` and a missing value as ``null``, a word processor's
quotes straight. The libraries there are do not serve: those for JSON5 refuse raw line breaks and lone surrogates in
strings and turn ``¯\\_(ツ)_/¯`` into ``¯_(ツ)_/¯``; those that repair JSON invent what is missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from core.net.http.charsets import decoded_by
from core.rest.records import exact_float, exact_integer

MAX_DEPTH = 100
"""Levels of a text that is no strict JSON; what lies deeper counts as ``null``."""

MAX_CHARACTERS = 4 * 2**20
"""Length of a text that is no strict JSON, and that is read nevertheless."""

MAX_TOKENS = 500_000
"""Tokens of such a text, a second or two of work: 10,000 attributes have some 100,000."""

_NULLS = ("null", "none", "nan", "undefined", "infinity", "inf")
# No group is repeated possessively: before Python 3.11.5 such a repetition may miss what is there.
_TOKEN = re.compile(
    r"""(?P<space>(?:[\s\0\ufeff\u200b-\u200f\u2060]++|//[^\n\r]*+|/\*(?:[^*]++|\*(?!/))*\*/)+)
    |(?P<string>"(?:[^"\\]++|\\(?s:.))*"|'(?:[^'\\]++|\\(?s:.))*'
      |[“”„‟](?:[^“”„‟\\]++|\\(?s:.)|[“”„‟](?!\s{0,20}[:,\]}]))*[“”„‟](?=\s{0,20}[:,\]}])
      |[‘’‚‛](?:[^‘’‚‛\\]++|\\(?s:.)|[‘’‚‛](?!\s{0,20}[:,\]}]))*[‘’‚‛](?=\s{0,20}[:,\]}]))
    |(?P<mark>[\[\]{}:,])
    |(?P<word>(?![“”„‟‘’‚‛])[^\s\0\ufeff\u200b-\u200f\u2060\[\]{}:,"'/]++)""",
    re.VERBOSE,
)
_ESCAPE = re.compile(
    r"""\\(?:(?P<good>["\\/bfnrt]|u[0-9a-fA-F]{4})|x(?P<byte>[0-9a-fA-F]{2})|(?P<end>\r\n|[\n\r])|(?P<quote>'))?|"""
    r"""(?P<bare>")"""
)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)
_LOOSE_NUMBER = re.compile(r"([+-]?)([0-9]*)\.?([0-9]*)", re.ASCII)


class UnreadableError(ValueError):
    """Why a text cannot be read as JSON, as a sentence."""


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_STRICT = json.JSONDecoder(parse_float=exact_float, parse_int=exact_integer, parse_constant=_refuse)
# Not strict in one thing: control characters may stand in strings as they are.
_LENIENT = json.JSONDecoder(parse_float=exact_float, parse_int=exact_integer, strict=False)


def decoded(body: bytes, charset: str = "") -> str:
    """Return the text of a body: UTF-8, 16 or 32 by its first bytes, else ``charset``. Never raises.

    Bytes that no charset explains become U+FFFD, so that they cost no more than the string they are in.
    """
    try:
        return body.decode(json.detect_encoding(body), "surrogatepass")
    except UnicodeError:
        text = decoded_by(body, charset)
    return body.decode("utf-8", "replace") if text is None else text


def read(text: str) -> Any:
    """Return the JSON value of a text; floats are ``ExactFloat``. Of a key that comes twice the last one counts.

    Raises :class:`UnreadableError` for what neither is JSON nor can be read as if it were.
    """
    try:
        return _STRICT.decode(text)
    except json.JSONDecodeError as error:
        fault = f"It is not JSON: {error.msg} at character {error.pos + 1:,}."
    except (ValueError, RecursionError):
        fault = "It is not JSON."
    if len(text) > MAX_CHARACTERS:
        raise UnreadableError(fault)
    try:
        return _LENIENT.decode(_rewritten(text))
    except ValueError:
        raise UnreadableError(fault) from None


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each token but space. Raises ``ValueError`` where there is none, or too many."""
    at = count = 0
    while at < len(text):
        count += 1
        if count > MAX_TOKENS:
            raise ValueError(f"more than {MAX_TOKENS} tokens")
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"no token at {at}")
        at = found.end()
        if found.lastgroup != "space":
            yield str(found.lastgroup), found[0]


def _shallow(text: str) -> Iterator[tuple[str, str]]:
    """Yield the tokens of a text, with ``null`` for each value that lies deeper than :data:`MAX_DEPTH`."""
    depth = 0
    for kind, part in _tokens(text):
        if kind == "mark" and part in "[{":
            depth += 1
            if depth == MAX_DEPTH + 1:
                yield "word", "null"
        if depth <= MAX_DEPTH:
            yield kind, part
        if kind == "mark" and part in "]}":
            depth -= 1


def _rewritten(text: str) -> str:
    """Return strict JSON that says the same, as far as the text says anything; else something that is none."""
    written = [""]
    has_comma = False
    last = ""
    for kind, part in _shallow(text):
        if kind == "mark" and part in ",]}" and last == ":":
            written.append("null")
        if part == ",":
            has_comma = last not in ("[", "{")
            last = part if has_comma else last
            continue
        if has_comma and part not in ("]", "}"):
            written.append(",")
        has_comma = False
        if part == ":" and last.startswith("word "):
            written[-1] = json.dumps(last.removeprefix("word "))  # a name without quotes
        written.append(_value(kind, part))
        last = f"word {part}" if kind == "word" else part[:1]
    return " ".join(written)


def _value(kind: str, token: str) -> str:
    if kind == "string":
        return '"' + _ESCAPE.sub(_escape, token[1:-1]) + '"'
    return _word(token) if kind == "word" else token


def _escape(found: re.Match[str]) -> str:
    """Return JSON's escape of what an escape means; a backslash that escapes nothing is one that is meant to show."""
    if found["good"]:
        return found[0]
    if found["byte"]:
        return f"\\u00{found['byte']}"
    if found["bare"]:
        return '\\"'
    return "'" if found["quote"] else "" if found["end"] else "\\\\"


def _word(token: str) -> str:
    """Return JSON's word for one that is not in quotes; a number that JSON has no form for is kept as text."""
    if token.lower() in ("true", "false"):
        return token.lower()
    if token.lower().lstrip("+-") in _NULLS:
        return "null"
    if _NUMBER.fullmatch(token):
        return token
    loose = _LOOSE_NUMBER.fullmatch(token)
    if loose and (loose[2] or loose[3]):
        plain = f"{loose[1].strip('+')}{loose[2] or '0'}{'.' if loose[3] else ''}{loose[3]}"
        if _NUMBER.fullmatch(plain):
            return plain
    return json.dumps(token) if token.lstrip("+-.")[:1].isdigit() else token
