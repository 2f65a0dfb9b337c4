"""Small adversarial worlds, as interchange lines.

Equal keys wherever a key can be equal, NFTs of which little is known, prices that differ in the eighteenth place,
asks at the edge of their time, later lines that change what earlier ones said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.builders import APES, START, Line, ask, contract, ens, nft, rate, transaction_hash
from tests.strategies import pools
from tests.strategies.histories import History, draw_history
from tests.strategies.pools import Token

Draw = Callable[..., Any]
TOKENS = st.sampled_from(pools.TOKENS)


@st.composite
def worlds(draw: Draw, most: int = 8) -> list[Line]:
    """Lines of a world with 1 to `most` NFTs; of each identity in the order in which they are to be loaded."""
    lines = draw_surroundings(draw)
    taken: set[tuple[Any, ...]] = set()
    least = draw(st.sampled_from([most, most // 2, 1]))
    for token in draw(st.lists(TOKENS, min_size=max(least, 1), max_size=most, unique=True)):
        lines += draw_token(draw, token, taken, is_erc721(token, lines))
    if draw(st.booleans()):
        lines += draw_updates(draw, lines)
    return lines


def is_erc721(token: Token, lines: list[Line]) -> bool:
    """Whether the world says so: then the last receiver is the owner, and only the owner's asks are live."""
    return any(
        line["record"] == "contract"
        and (line["chain"], line["contractAddress"]) == token[:2]
        and line.get("contractStandard") == "ERC721"
        for line in lines
    )


def draw_surroundings(draw: Draw) -> list[Line]:
    """Contracts, rates and names. That of editions is always stated: nothing else says that they have owners."""
    lines: list[Line] = []
    for (chain, address), standard in pools.STANDARDS.items():
        if draw(st.integers(0, 3)) or address == pools.EDITIONS:
            fields: Line = {"marked": True, "markedReason": "spam"} if draw(st.integers(0, 4)) == 0 else {}
            if address == pools.EDITIONS:
                fields["ensName"] = "editions.eth"
            lines.append(contract(address, chain, standard, **fields))
    for symbol in draw(st.lists(st.sampled_from(sorted(pools.USD)), max_size=6)):
        lines.append(
            rate(symbol, draw(st.sampled_from(pools.USD[symbol])), at=draw(st.sampled_from(pools.RATE_TIMES)))
        )
    if draw(st.booleans()):
        lines.append(ens("apes.eth", APES))
    return lines


def draw_token(draw: Draw, token: Token, taken: set[tuple[Any, ...]], erc721: bool) -> list[Line]:
    """All lines of one NFT, which may be known by a transfer or an ask alone."""
    history = draw_history(draw, token, taken, strays=erc721)
    count = draw(st.sampled_from([0, 0, 1, 1, 2, 3]))
    asks = [draw_ask(draw, token, number, sleeps=erc721) for number in range(count)]
    stated: list[Line] = []
    if not (history.lines or asks) or draw(st.integers(0, 3)):
        stated = [draw_nft(draw, token, history, erc721)]
    return [*stated, *history.lines, *asks]


def draw_nft(draw: Draw, token: Token, history: History, erc721: bool) -> Line:
    """An `nft` line that states some of what can be stated."""
    fields = draw_attributes(draw)
    fields |= _draw_statement(draw, token, history, erc721)
    if history.lines and draw(st.integers(0, 3)) == 0:
        fields["lastTransfer"] = _embedded(draw, history)
    return nft(token.token_id, token.address, token.chain, **fields)


def draw_attributes(draw: Draw) -> Line:
    """Fields of an NFT that have nothing to do with its transfers."""
    fields: Line = {}
    if draw(st.integers(0, 3)):
        fields["metadata"] = draw_metadata(draw)
    if draw(st.booleans()):
        fields["rarity"] = draw(st.sampled_from(pools.RARITIES))
        fields["rank"] = draw(st.integers(1, 3))
    if draw(st.integers(0, 3)) == 0:
        fields["markets"] = draw(st.lists(st.sampled_from(pools.MARKETS), max_size=2, unique=True))
    if draw(st.integers(0, 4)) == 0:
        fields["marked"] = draw(st.booleans())
    if draw(st.integers(0, 3)) == 0:
        fields |= {"native": draw(st.sampled_from(pools.NATIVES)), "uri": "https://example.org/1.json"}
    return fields


def draw_metadata(draw: Draw) -> Line:
    """Metadata: a name that text columns dislike at times, traits with dashes, numbers, one type twice."""
    entries = draw(
        st.lists(
            st.tuples(st.sampled_from(pools.TRAIT_TYPES), st.sampled_from(pools.TRAIT_VALUES)),
            max_size=4,
            unique_by=lambda pair: (pair[0], repr(pair[1])),
        )
    )
    traits = [
        {"traitType": kind, "traitValue": value} if kind else {"traitValue": value} for kind, value in entries
    ]
    metadata: Line = {"name": draw(st.sampled_from(["One", "nul \x00", "é 🦍", ""])), "traits": traits}
    if draw(st.integers(0, 3)) == 0:
        metadata |= {
            "description": "It is.",
            "imageUrl": "https://example.org/1.png",
            "imageMediaType": "image/png",
        }
    return metadata


def _draw_statement(draw: Draw, token: Token, history: History, erc721: bool) -> Line:
    """Owners as somebody saw them: at a block or second of the history, or just now.

    What a history leads to, so that what follows can apply on top; of an ERC-721 anything may be stated.
    """
    if draw(st.integers(0, 2)):
        return {}
    fields: Line = {}
    at = draw(st.integers(-1, len(history.lines) - 1))
    seen = history.lines[at] if at >= 0 else None
    how = draw(st.sampled_from(["asOfBlock", "asOf", "now"]))
    if how == "now":
        at = len(history.lines) - 1
    elif seen is None:
        fields[how] = 99 if how == "asOfBlock" else START - 1
    else:
        name = "blockNumber" if how == "asOfBlock" else "timestamp"
        fields[how] = seen[name]
        at = max(index for index, line in enumerate(history.lines) if line[name] == seen[name])
    held = history.balances[at] if at >= 0 else {}
    if erc721 and draw(st.booleans()):
        held = {draw(st.sampled_from(pools.PEOPLE)): 1}
    if len(held) == 1 and token.address != pools.EDITIONS and draw(st.booleans()):
        return {**fields, "owner": next(iter(held))}
    dated = {"enteredAtBlock": 50, "enteredAt": START - 600, "updatedAtBlock": 60, "updatedAt": START - 480}
    extra = dated if draw(st.booleans()) else {}
    return {
        **fields,
        "owners": [{"address": address, "amount": str(n), **extra} for address, n in held.items()],
    }


def _embedded(draw: Draw, history: History) -> Line:
    """A `lastTransfer` that repeats a transfer line, with or without its log index."""
    line = draw(st.sampled_from(history.lines))
    last = {name: value for name, value in line.items() if name not in ("record", "batchIndex")}
    alone = [other["transactionHash"] for other in history.lines].count(line["transactionHash"]) == 1
    if line["batchIndex"]:
        last["batchIndex"] = line["batchIndex"]
    elif alone and draw(st.booleans()):
        del last["logIndex"]
    return last


def draw_ask(draw: Draw, token: Token, number: int, sleeps: bool = False) -> Line:
    """An ask, often at the edge of something; `number` tells the asks of an NFT apart.

    With `sleeps` it may be one that does not come back with the NFT.
    """
    fields: Line = {}
    if draw(st.integers(0, 2)) == 0:
        fields["validUntil"] = draw(st.sampled_from(pools.ENDS))
    if draw(st.integers(0, 3)) == 0:
        fields["validFrom"] = draw(st.sampled_from(pools.ENDS))
    if draw(st.integers(0, 2)) == 0 and token.chain != "solana":
        fields["maker"] = draw(st.sampled_from(pools.PEOPLE))
    if draw(st.integers(0, 4)) == 0:
        fields["status"] = draw(st.sampled_from(["open", "filled", "cancelled"]))
    if draw(st.integers(0, 3)) == 0:
        fields |= draw_line(draw)
    if draw(st.integers(0, 3)) == 0:
        fields |= _draw_terms(draw, token, sleeps)
    return ask(
        token.token_id,
        token.address,
        token.chain,
        price=draw(st.sampled_from(pools.PRICES)),
        currency=draw(st.sampled_from(pools.CURRENCIES)),
        market=draw(st.sampled_from([*pools.MARKETS, "Blur"])),
        order=transaction_hash("order", token, number),
        **fields,
    )


def draw_line(draw: Draw) -> Line:
    """A price that changes: by much or by little in a second, up or down, or not yet, or no longer."""
    since, until = draw(st.sampled_from(pools.LINES))
    return {"endPrice": draw(st.sampled_from(pools.PRICES)), "priceFrom": since, "priceUntil": until}


def _draw_terms(draw: Draw, token: Token, sleeps: bool) -> Line:
    """What else decides whether an ask is live, or might."""
    if token.chain == "solana":
        return {"taker": draw(st.sampled_from([pools.NOBODY["solana"], pools.SOLANA_PEOPLE[0]]))}
    person = draw(st.sampled_from(pools.PEOPLE))
    terms: list[Line] = [
        {"taker": person},
        {"taker": pools.NOBODY[token.chain]},
        {"holder": person, "maker": pools.PEOPLE[0]},
        {"operator": person, "exchange": person, "nonce": "7", "source": "somewhere"},
    ]
    if sleeps:
        terms.append({"wakes": False, "maker": person, "validFrom": draw(st.sampled_from(pools.MADE))})
    return draw(st.sampled_from(terms))  # type: ignore[no-any-return]


def draw_updates(draw: Draw, lines: list[Line], most: int = 4) -> list[Line]:
    """Later lines about what is there: each holds its identity and the keys that it changes."""
    told_twice = [line["lastTransfer"]["native"] for line in lines if "lastTransfer" in line]
    once = [line for line in lines if line["record"] != "transfer" or line["native"] not in told_twice]
    updates = []
    for line in draw(st.lists(st.sampled_from(once), max_size=most)) if once else []:
        identity = {name: line[name] for name in IDENTITIES[line["record"]] if name in line}
        updates.append({**identity, **_draw_changes(draw, line["record"], line.get("chain"))})
    return updates


IDENTITIES = {
    "contract": ("record", "chain", "contractAddress"),
    "nft": ("record", "chain", "contractAddress", "tokenId"),
    "transfer": ("record", "chain", "transactionHash", "logIndex", "batchIndex"),
    "ask": ("record", "chain", "marketplace", "orderHash"),
    "rate": ("record", "currency", "timestamp", "usd"),
    "ens": ("record", "name", "address"),
}


def _draw_changes(draw: Draw, record: str, chain: str | None) -> Line:
    if record == "contract":
        return {"marked": draw(st.sampled_from([True, False, None])), "name": "Renamed"}
    if record == "nft":
        nothing = dict.fromkeys(("metadata", "rarity", "markets", "uri", "marked"))
        return draw(st.sampled_from([nothing, {"markets": []}, draw_attributes(draw)]))  # type: ignore[no-any-return]
    if record == "transfer":
        changes: list[Line] = [
            {"markets": None},
            {"markets": [pools.MARKETS[2]]},
            {"nftValue": None, "transferType": "transfer", "isCommercial": False},
            {"nftValue": pools.VALUES[1]},
            {"transferType": None},
        ]
        return draw(st.sampled_from(changes[:2] if chain == "solana" else changes))  # type: ignore[no-any-return]
    if record == "ask":
        changes = [
            {"status": "cancelled"},
            {"status": "open"},
            {"price": "1", "validUntil": None},
            {"currency": "USDC", "maker": None},
            {"endPrice": None, "taker": None, "wakes": None},
            draw_line(draw),
        ]
        return draw(st.sampled_from(changes))  # type: ignore[no-any-return]
    return {}


def draw_more(draw: Draw, lines: list[Line]) -> list[Line]:
    """What may come in while somebody pages: NFTs, transfers and asks, of NFTs known and new, at times a rate."""
    taken = {
        (line["chain"], line["transactionHash"], line["logIndex"], line["batchIndex"])
        for line in lines
        if line["record"] == "transfer"
    }
    known = {(line["chain"], line["tokenId"]) for line in lines if line["record"] == "nft"}
    more: list[Line] = []
    for token in draw(st.lists(TOKENS, min_size=1, max_size=3, unique=True)):
        history = draw_history(draw, token, taken, strays=is_erc721(token, lines), at_most=2)
        more += history.lines
        if draw(st.booleans()):
            more.append(draw_ask(draw, token, len(lines) + len(more), sleeps=is_erc721(token, lines)))
        if (token.chain, token.token_id) not in known:
            more.append(nft(token.token_id, token.address, token.chain, **draw_attributes(draw)))
    if draw(st.integers(0, 7)) == 0:
        more.append(rate("USDC", draw(st.sampled_from(pools.USD["USDC"])), at=pools.NOW))
    return more
