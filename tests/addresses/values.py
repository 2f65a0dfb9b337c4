"""What may stand in an address besides what belongs there, in the form in which it is sent."""

from __future__ import annotations

from random import Random
from urllib.parse import quote

HOSTILE = [
    *("", "0", "-0", "-1", "1.5", "NaN", "Infinity", "-inf", "1e5", "1e999", "1E-400", "0x10", "1_0", "007"),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775809", "99999999999999999999999999"),
    *("1" * 4_299, "1" * 5_000, "-" + "9" * 30, "0" * 200, "0x" + "f" * 64, "0x" + "f" * 65),
    *(
        "\x00",
        "a\x00b",
        "1\x00",
        "\ud800",
        "a\udfff",
        "\ufeff1",
        "\u202e",
        "\ufffe",
        "\x1b[31m",
        "\r\nX: y",
        "\n",
    ),
    *(
        "é",
        "e\u0301",
        "ﬃ",
        "ß",
        "İ",
        "🦖" * 300,
        "x" * 3_000,
        "١٢",
        "１２",
        "²",
        "Ⅷ",
        "\u2028",
        "\xa0",
        " 7 ",
    ),
    *(
        "' OR 1=1 --",
        '"',
        '""',
        '"a',
        '"a"b',
        "\\",
        "%",
        "%%",
        "%s",
        "%(id)s",
        "{}",
        "{0}",
        "{{ 7 }}",
        "$1",
        ";",
        "--",
    ),
    *(
        "True",
        "true",
        "None",
        "null",
        "[]",
        "[1]",
        '{"a": 1}',
        "1,2",
        ",",
        ",,,",
        "1," * 1_500,
        "(1,2)",
        "a" * 256,
    ),
    *(
        "9999-99-99",
        "2024-02-30",
        "2024-01-01T25:00",
        "0000-01-01",
        "0001-01-01",
        "9999-12-31",
        "10000-01-01",
    ),
    *("9999-12-31T23:59:59.999999-23:59", "-0001-01-01", "2024-W01", "1969", "0", "13", "32", "24:60"),
    *(
        "../..",
        "a/b",
        "/",
        "//",
        ".",
        "..;/",
        "_5F",
        "_",
        "_0",
        "_00",
        "_ZZ",
        "_5",
        "1_2F1",
        "#",
        "?",
        "&",
        "=",
        "+",
    ),
    *(
        "<script>",
        "javascript:alert(1)",
        "http://127.0.0.1/",
        "file:///etc/passwd",
        "//host/",
        "\\\\host",
        "*",
        "a.b",
    ),
    *(
        "pk",
        "id",
        "__",
        "id__",
        "__in",
        "password",
        "nft__contract__chain",
        "-1.2.3",
        "." * 500,
        "-" * 500,
        "A-",
    ),
]
"""Texts of which each has stopped some service."""

RAW = [
    *(
        "%",
        "%z",
        "%zz",
        "%0",
        "%u0041",
        "%C0%80",
        "%ED%A0%80",
        "%ff",
        "%ff%fe",
        "%F4%90%80%80",
        "%00",
        "%25%30%30",
    ),
    *(
        "\xff",
        "caf\xe9",
        "+",
        "%2B",
        "%26",
        "%3D",
        "%2e%2e%2f",
        "%5F",
        "%0d%0a",
        "1%20",
        "%E2%80%AE",
        "%EF%BF%BF",
    ),
]
"""Spellings on the wire that decode to no text, or to another one than it seems."""

ALPHABETS = [
    "".join(map(chr, range(32))) + "\x7f\x80\x9f",
    "0123456789٠١٢٣४५六７８９²½Ⅻ",
    "-+.,_eExXaAfF0123456789",
    "'\"`\\/%;:&=?#[]{}()<>|^~*!@$,",
    "\ud800\udbff\udc00\udfff\ufffe\uffff\U0010ffff",
    "aÀéßıİſKÅ𝔸e\u0301\u200d\u200b\u202e🏳️‍🌈中ا",
    "abcdefghijklmnopqrstuvwxyz-_.",
]


def text_of(random: Random, known: list[str]) -> str:
    """Some text: one of the hostile, a number of any size, letters of odd alphabets, or a `known` value gone wrong."""
    kind = random.randrange(8)
    if kind <= 2:
        return random.choice(HOSTILE)
    if kind == 3:
        number = random.choice([-1, 1]) * (2 ** random.randrange(300) + random.randrange(-1, 2))
        return random.choice(
            [str(number), hex(number), f"{number}.0", f"{float(number)!r}", f"{number}e{number % 9}"]
        )
    if kind == 4:
        letters = random.choice(ALPHABETS) if random.randrange(3) else "".join(ALPHABETS)
        return "".join(random.choices(letters, k=random.choice([1, 2, 5, 20, 80])))
    return altered(random, random.choice(known)) if kind == 5 and known else random.choice(known or HOSTILE)


def altered(random: Random, text: str) -> str:
    """The text with a letter lost, doubled, replaced or swapped, cut off, repeated, or in another case."""
    if not text:
        return random.choice(HOSTILE)
    place = random.randrange(len(text))
    letter = random.choice(random.choice(ALPHABETS))
    return random.choice(
        [
            text[:place] + text[place + 1 :],
            text[:place] + text[place] + text[place:],
            text[:place] + letter + text[place + 1 :],
            text[:place] + letter + text[place:],
            text[:place],
            text[place:] + text[:place],
            text * random.choice([2, 30]),
            text.swapcase(),
            f" {text} ",
            f'"{text}"',
            f"{text},{text}",
            chr(ord(text[0]) ^ 1) + text[1:],
        ]
    )


def sent(random: Random, text: str) -> str:
    """The text as a client sends it: percent-encoded as it should be, twice, hardly, or not at all (latin-1)."""
    octets = text.encode("utf-8", "surrogatepass")
    how = random.randrange(12)
    if how == 0:
        return quote(quote(octets, safe=""))
    if how == 1:
        return octets.decode("latin-1")
    if how == 2:
        return quote(octets, safe="/:;,=&?%+'\"[]{}").lower()
    if how == 3:
        return quote(octets, safe="") + random.choice(RAW)
    if how == 4:
        return "".join(f"%{octet:02x}" for octet in octets)
    return quote(octets, safe="")


def value_of(random: Random, known: list[str]) -> str:
    """Some value, as it is sent."""
    return random.choice(RAW) if random.randrange(12) == 0 else sent(random, text_of(random, known))
