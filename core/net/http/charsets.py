"""Charsets that servers and authors state of a text, as far as they are believed: by the names that browsers know."""

from __future__ import annotations

import codecs
import re

import webencodings

_PARAMETER = re.compile(r"""charset\s*=\s*["']?\s*([A-Za-z0-9:._-]{2,40})""", re.IGNORECASE)
_BELIEVED = re.compile(
    r"iso8859-\d+|cp(?:125[0-8]|866|874|932|936|949|950)|koi8-[rtu]|gb18030|gbk|gb2312|big5(?:hkscs)?|shift_jis|euc_jp|"
    r"euc_kr|mac-(?:roman|cyrillic)|tis-620|utf-(?:8|16|32)(?:-[lb]e)?"
)
_OF_WINDOWS = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gbk",
    "iso8859-11": "cp874",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
"""Charsets that browsers read as the larger one of Windows (WHATWG Encoding, section 4.2)."""


def charset_in(media_type: str) -> str:
    """Return the charset that a media type states as its parameter; empty for none."""
    found = _PARAMETER.search(media_type[:500])
    return found[1] if found else ""


def decoded_by(body: bytes, charset: str) -> str | None:
    """Return a text as a stated charset has it; ``None`` for a charset that is not known, or that it is not in."""
    for codec in _codecs(charset):
        try:
            return body.decode(codec)
        except UnicodeError:
            continue
    return None


def as_utf_8(body: bytes, charset: str) -> bytes:
    """Return a text in UTF-8; as it is where it is that already, or where the stated charset does not explain it."""
    try:
        body.decode()
    except UnicodeDecodeError:
        text = decoded_by(body, charset)
        return body if text is None else text.encode("utf-8", "replace")
    return body


def _codecs(charset: str) -> list[str]:
    """Return the codecs to be tried: by Python's name, else by the label that browsers know.

    Python has some beside that are no charsets, such as ``rot13`` and ``idna``.
    """
    label = charset.strip()
    if not label or not label.isascii():
        return []
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        known = webencodings.lookup(label)
        name = "" if known is None else known.codec_info.name
    if name != "ascii" and not _BELIEVED.fullmatch(name):
        return []
    return [*([_OF_WINDOWS[name]] if name in _OF_WINDOWS else []), name]
