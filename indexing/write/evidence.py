"""Transactions as evidence: packed small, so that rules can be applied again without the node."""

from __future__ import annotations

import zlib

from indexing.node.logs import RawLog
from indexing.node.transactions import ChainTransaction

_VERSION = 2
_WITHOUT_TIME = 1
"""The version that told no time."""
_LEVEL = 3  # a fifth faster than 6, and one byte in a hundred longer
_SMALL, _LARGE = (12, 5), (zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL)
"""Bits of zlib's window, and its level of memory. To clear what it has by default takes ten times as long as to pack a
transaction, and makes one of :data:`_SMALL_BYTES` not a byte shorter."""
_SMALL_BYTES = 4_096
_NOBODY = ""


def pack(transaction: ChainTransaction) -> bytes:
    """Return a transaction's sender, target, value, time and logs in about 250 bytes: the median, some take more.

    Its hash and block are not among them: the row has these.
    """
    out = bytearray()
    for address in (transaction.sender, transaction.target or _NOBODY):
        raw = bytes.fromhex(address[2:])
        out.append(len(raw))
        out += raw
    value = transaction.value.to_bytes((transaction.value.bit_length() + 7) // 8, "big")
    out.append(len(value))
    out += value
    _put(out, transaction.index)
    _put(out, transaction.timestamp)
    _put(out, len(transaction.logs))
    for log in transaction.logs:
        _put(out, log.log_index)
        out += bytes.fromhex(log.address[2:])
        out.append(len(log.topics))
        for topic in log.topics:
            out += bytes.fromhex(topic[2:])
        _put(out, len(log.data))
        out += log.data
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, *(_SMALL if len(out) <= _SMALL_BYTES else _LARGE))
    return bytes([_VERSION]) + packer.compress(out) + packer.flush()


def unpack(
    packed: bytes, transaction_hash: str, block_number: int, timestamp: int | None = None
) -> ChainTransaction:
    """Return the transaction that :func:`pack` was given; its logs name no block by hash.

    ``timestamp`` is that of evidence which tells no time. Raises ``ValueError`` for bytes of another version or cut
    off, or without any time, ``zlib.error`` for what is not packed.
    """
    version = packed[0] if packed else 0
    if version not in (_WITHOUT_TIME, _VERSION):
        raise ValueError(f"Evidence of version {packed[:1].hex() or 'none'} is not known.")
    reader = _Reader(zlib.decompress(packed[1:]))
    sender = "0x" + reader.take(reader.byte()).hex()
    target = reader.take(reader.byte()).hex()
    value = int.from_bytes(reader.take(reader.byte()), "big")
    index = reader.number()
    if version != _WITHOUT_TIME:
        timestamp = reader.number()
    elif timestamp is None:
        raise ValueError("The evidence does not tell when it was.")
    logs = []
    for _ in range(reader.number()):
        log_index = reader.number()
        address = "0x" + reader.take(20).hex()
        digits = reader.take(32 * reader.byte()).hex()
        topics = tuple(["0x" + digits[at : at + 64] for at in range(0, len(digits), 64)])
        data = reader.take(reader.number())
        logs.append(RawLog(address, topics, data, block_number, "", transaction_hash, index, log_index))
    return ChainTransaction(
        hash=transaction_hash,
        index=index,
        block_number=block_number,
        timestamp=timestamp,
        sender=sender,
        target=f"0x{target}" if target else None,
        value=value,
        logs=tuple(logs),
    )


def _put(out: bytearray, number: int) -> None:
    """Append a number, seven bits a byte, the lowest first."""
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


class _Reader:
    """Reads bytes from front to back. Raises ``ValueError`` when they end too early."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def take(self, count: int) -> bytes:
        piece = self._data[self._place : self._place + count]
        if len(piece) != count:
            raise ValueError("The evidence is cut off.")
        self._place += count
        return piece

    def byte(self) -> int:
        return self.take(1)[0]

    def number(self) -> int:
        number = shift = 0
        while (byte := self.byte()) & 128:
            number |= (byte & 127) << shift
            shift += 7
        return number | byte << shift
