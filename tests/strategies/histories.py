"""Transfers of one NFT that could have happened: units move between those who hold them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from tests.builders import START, Line, transaction_hash, transfer
from tests.oracle.text import base58_encode
from tests.strategies.pools import (
    EDITIONS,
    MARKETS,
    NOBODY,
    PEOPLE,
    SOLANA_PEOPLE,
    SOLANA_STRANGER,
    STRANGER,
    SWAPS,
    VALUES,
    Token,
)

Draw = Callable[..., Any]
Slot = tuple[int, int, int]  # block, log index, batch index

SLOTS = st.tuples(st.integers(0, 5), st.integers(0, 3), st.sampled_from([0, 0, 1]))


@dataclass
class History:
    """Transfer lines of an NFT, oldest first, and who held it after each."""

    lines: list[Line] = field(default_factory=list)
    balances: list[dict[str, int]] = field(default_factory=list)


def draw_history(
    draw: Draw, token: Token, taken: set[tuple[Any, ...]], strays: bool, at_most: int = 3
) -> History:
    """Draw the transfers of an NFT at places that no other transfer has (`taken` is added to).

    Blocks 2n and 2n+1 share a second. With `strays` some come from an address that does not hold the NFT, as
    contracts of the spam kind report, of which only the last receiver counts on an ERC-721.
    """
    history = History()
    held: dict[str, int] = {}
    slots: dict[Slot, str] = {}
    for slot in draw(st.lists(SLOTS, max_size=at_most, unique=True)):
        hash_ = _transaction(token.chain, slot[0], slot[1] // 2, draw(st.sampled_from([0, 0, 0, 1])))
        if (token.chain, hash_, *slot[1:]) not in taken:
            taken.add((token.chain, hash_, *slot[1:]))
            slots[slot] = hash_
    for slot, hash_ in sorted(slots.items()):
        moved, fields = _draw_move(draw, token, held, strays)
        held = moved
        block, log, batch = slot
        place: dict[str, Any] = {
            "block": 100 + block,
            "log": log,
            "batch": batch,
            "timestamp": START + 12 * (block // 2),
        }
        fields |= _draw_details(draw, token) | {
            "transactionHash": hash_,
            "native": {"place": [hash_, log, batch]},
        }
        address = token.address if token.chain != "solana" or draw(st.booleans()) else None
        history.lines.append(transfer(token.token_id, address, token.chain, **place, **fields))
        history.balances.append(held)
    return history


def _transaction(chain: str, *place: int) -> str:
    if chain == "solana":
        return base58_encode(bytes([7, *place]) + b"\x33" * 60)
    return transaction_hash("any EVM chain", *place)  # a transaction may be replayed on another


def _draw_move(draw: Draw, token: Token, held: dict[str, int], strays: bool) -> tuple[dict[str, int], Line]:
    """Draw one movement; returns the balances after it and the fields that tell it."""
    people = SOLANA_PEOPLE if token.chain == "solana" else PEOPLE
    nobody = NOBODY[token.chain]
    many = token.address == EDITIONS
    holders = sorted(held)
    receiver = draw(st.sampled_from(people))
    amount, kind = 1, "transfer"
    if strays and draw(st.integers(0, 4)) == 0:
        sender = draw(st.sampled_from(people))
        held = {}
    elif not holders or (many and draw(st.booleans())):
        sender = draw(
            st.sampled_from([nobody, nobody, SOLANA_STRANGER if token.chain == "solana" else STRANGER])
        )
        kind = "mint" if sender == nobody else "transfer"
        amount = draw(st.sampled_from([1, 2, 5, 2**200])) if many else 1
    else:
        sender = draw(st.sampled_from(holders))
        receiver = draw(st.sampled_from([receiver, receiver, receiver, sender, nobody]))
        kind = "burn" if receiver == nobody else "transfer"
        amount = draw(st.integers(1, min(held[sender], 3)))
    after = dict(held)
    after[sender] = after.get(sender, 0) - amount
    after[receiver] = after.get(receiver, 0) + amount
    after = {address: count for address, count in after.items() if count > 0 and address != nobody}
    fields: Line = {"sender": sender, "receiver": receiver, "amount": str(amount)}
    if draw(st.integers(0, 2)):
        fields["transferType"] = kind
    if sender == nobody and draw(st.booleans()):
        fields["transactionFrom"] = draw(st.sampled_from(people))
    return after, fields


def _draw_details(draw: Draw, token: Token) -> Line:
    """What else a source may say of a transfer."""
    fields: Line = {}
    markets = draw(st.sampled_from([[], [], MARKETS[:1], MARKETS[1:2], MARKETS[:2], MARKETS[3:]]))
    if markets or draw(st.booleans()):
        fields["markets"] = markets
    value = draw(st.sampled_from(VALUES))
    if value is not None and token.chain != "solana":
        fields |= {"nftValue": value, "transferType": "sale", "value": value["amount"]}
    if token.chain != "solana" and draw(st.integers(0, 3)) == 0:
        fields |= {"swaps": SWAPS, "isCommercial": draw(st.booleans())}
    return fields
