"""Words of 32 bytes out of topics and data (the ABI's encoding), never out of bounds.

Offsets may point anywhere within the data, overlap, and stand in any order; bytes behind what is read are ignored.
Nothing is allocated on the word of a length that the data does not bear out.
"""

from __future__ import annotations

from indexing.decode.moves import MAX_ENTRIES
from indexing.node.logs import RawLog

_NO_ADDRESS = "0x" + "0" * 24
_ZEROS = bytes(12)


class UndecodableError(Exception):
    """A log's content is not what its event says; the text is the reason, a sentence."""


def expect_topics(log: RawLog, count: int, what: str = "The event") -> None:
    """Raise ``UndecodableError`` unless a log has so many topics, the event's hash among them."""
    if len(log.topics) != count:
        topics = "1 topic" if count == 1 else f"{count} topics"
        raise UndecodableError(f"{what} has {topics}, this log {len(log.topics)}.")


def topic_address(topics: tuple[str, ...], place: int) -> str:
    """Read an address, in lower case; a topic with anything in its upper twelve bytes is none."""
    topic = topics[place]
    if not topic.startswith(_NO_ADDRESS):
        raise UndecodableError(f"Topic {place} is no address: it is longer than 20 bytes.")
    return "0x" + topic[26:]


def topic_number(topics: tuple[str, ...], place: int) -> int:
    """Read an unsigned integer of 256 bits."""
    return int(topics[place], 16)


def number(data: bytes, offset: int) -> int:
    """Read an unsigned integer of 256 bits that starts at the byte ``offset``."""
    if offset + 32 > len(data):
        raise UndecodableError(f"The data ends after {len(data)} bytes, before what should be in it.")
    return int.from_bytes(data[offset : offset + 32], "big")


def address(data: bytes, offset: int) -> str:
    """Read an address, in lower case; a word with anything in its upper twelve bytes is none."""
    if offset + 32 > len(data):
        raise UndecodableError(f"The data ends after {len(data)} bytes, before what should be in it.")
    if data[offset : offset + 12] != _ZEROS:
        raise UndecodableError(f"The word at byte {offset} is no address: it is longer than 20 bytes.")
    return "0x" + data[offset + 12 : offset + 32].hex()


def numbers(data: bytes, head: int) -> list[int]:
    """Read the ``uint256[]`` whose offset stands at the byte ``head``; at most ``MAX_ENTRIES``."""
    start, length = structs(data, head, 1)
    return [int.from_bytes(data[at : at + 32], "big") for at in range(start, start + 32 * length, 32)]


def structs(data: bytes, head: int, words: int) -> tuple[int, int]:
    """Find the list of structs of so many static words whose offset stands at the byte ``head``.

    Return the byte where the first one starts, and how many there are; all are within the data.
    """
    start, length = _dynamic(data, head, 32 * words)
    if length > MAX_ENTRIES:
        raise UndecodableError(f"A list of {length} entries is longer than {MAX_ENTRIES}.")
    return start, length


def octets(data: bytes, head: int) -> bytes:
    """Read the ``string`` or ``bytes`` whose offset stands at the byte ``head``."""
    start, length = _dynamic(data, head, 1)
    return data[start : start + length]


def _dynamic(data: bytes, head: int, size: int) -> tuple[int, int]:
    """Where the entries of a dynamic value start, and how many of ``size`` bytes there are, all within the data."""
    offset = number(data, head)
    if offset + 32 > len(data):
        raise UndecodableError("The data points beyond its end.")
    length = number(data, offset)
    start = offset + 32
    if length > (len(data) - start) // size:
        raise UndecodableError("The data is cut off: a list or text claims to be longer than what follows.")
    return start, length
