"""A second reading of logs, by their words as text, against which the decoder is held."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.ingestion.encoding import topic0

TRANSFER = topic0("Transfer(address,address,uint256)")
SINGLE = topic0("TransferSingle(address,address,address,uint256,uint256)")
BATCH = topic0("TransferBatch(address,address,address,uint256[],uint256[])")
PUNK_MOVES = {
    topic0("Assign(address,uint256)"),
    topic0("PunkTransfer(address,address,uint256)"),
    topic0("PunkBought(uint256,uint256,address,address)"),
}
KITTIES = "0x06012c8cf97bead5deae237070f9587f8e7a266d"
NOBODY = "0x" + "0" * 40
PUNKS = {"0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb", "0x6ba6f2207e343923ba692e5cae646fb0f566db8d"}


class Moved(NamedTuple):
    """What a transfer comes down to."""

    log_index: int
    contract: str
    token_id: int
    sender: str
    receiver: str
    amount: int


def second_reading(log: dict[str, Any]) -> list[Moved]:
    """What a log moves, by its words as text: topics and data in one row, as the signature's arguments come.

    It leaves bounds, bids accepted and strangers aside, so it holds for well-formed logs only.
    """
    signature, *topics = log["topics"] or [""]
    contract, index = log["address"].lower(), int(log["logIndex"], 16)
    words = [topic[2:] for topic in topics]
    words += [log["data"][2 + at : 66 + at] for at in range(0, len(log["data"]) - 2, 64)]
    if signature == SINGLE:
        return [
            Moved(index, contract, int(words[3], 16), party(words[1]), party(words[2]), int(words[4], 16))
        ]
    if signature == BATCH:
        ids, amounts = (listed(words[3:], int(words[place], 16) // 32) for place in (3, 4))
        return [
            Moved(index, contract, token, party(words[1]), party(words[2]), amount)
            for token, amount in zip(ids, amounts, strict=True)
        ]
    if signature in PUNK_MOVES and contract in PUNKS:
        if len(topics) == 1:
            return [Moved(index, contract, int(words[1], 16), NOBODY, party(words[0]), 1)]
        punk, sender, receiver = (words[2], *words[:2]) if len(topics) == 2 else (words[0], *words[1:3])
        return [Moved(index, contract, int(punk, 16), party(sender), party(receiver), 1)]
    if signature == TRANSFER and len(topics) != 2:
        return [Moved(index, contract, int(words[2], 16), party(words[0]), party(words[1]), 1)]
    return []


def party(word: str) -> str:
    return f"0x{word[24:]}"


def listed(words: list[str], start: int) -> list[int]:
    return [int(word, 16) for word in words[start + 1 : start + 1 + int(words[start], 16)]]
