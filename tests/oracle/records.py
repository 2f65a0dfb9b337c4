"""The full records that the service should show, as the decoded JSON of a response.

`OPEN` stands for a value that the rules leave open; `Either` order of equal things is for the comparison to forgive.
"""

from __future__ import annotations

from decimal import Context, Decimal
from typing import Any

from tests.oracle.asks import EXACT, WRAPPED, Rates, newest_rate, orderbook
from tests.oracle.model import Oracle
from tests.oracle.text import SYSTEM_PROGRAM, ZERO, plain_address, plain_token_id, value_text
from tests.oracle.world import Line, NftKey

NFT_FIELDS = ("uri", "rarity", "rank", "native")
TRANSFER_FIELDS = ("value", "isCommercial", "native")
TOKENS = {
    ("ethereum", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"): ("WETH", 18),
    ("ethereum", "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"): ("USDC", 6),
    ("ethereum", "0x0000000000a39bb272e79075ade125fd351887ac"): ("ETH", 18),
}
TWO_DAYS = 48 * 3600
MOST_OWNERS, MOST_ASKS = 100, 50


class Open:
    """Equal to whatever is there, and to nothing there."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "OPEN"


OPEN = Open()


def nft_record(oracle: Oracle, nft: NftKey, now: int, last_transfer: bool = False) -> Line:
    """The NFT record. `orderbook` is a list of (worth, text), since equal asks may stand in any order."""
    fields = oracle.world.nfts[nft]
    known = oracle.holders(nft)
    transfers = oracle.transfers_of(nft)
    record: Line = {
        "chain": nft[0],
        "contractAddress": oracle.collection(nft),
        "contractStandard": oracle.standard(nft),
        "tokenId": nft[2],
        "metadata": metadata(oracle, nft),
        "owner": oracle.owner(nft),
        "owners": None if known is None else [holder.entry() for holder in known[:MOST_OWNERS]],
        "ownersTotal": len(known) if known and len(known) > MOST_OWNERS else None,
        "minter": oracle.minter(nft),
        "markets": sorted(oracle.markets(nft)) or None,
        "orderbook": orderbook(oracle.live_asks(nft, now), oracle.world.rates, now)[:MOST_ASKS] or None,
        "lastTransfer": transfer_record(oracle, nft, transfers[-1]) if last_transfer and transfers else None,
        **{name: fields.get(name) for name in NFT_FIELDS},
    }
    return without_nulls(record)


def metadata(oracle: Oracle, nft: NftKey) -> Line | None:
    """As stated, each trait with its counts over the known NFTs of the contract, unless those are stated too."""
    stated = oracle.world.nfts[nft].get("metadata")
    if stated is None:
        return None
    shown = {name: value for name, value in stated.items() if not name.startswith("imageCache")}
    population = [oracle.traits(other) for other in oracle.population(nft)]
    shown["traits"] = [
        _trait(entry, population, oracle.collection(nft)) for entry in stated.get("traits") or []
    ]
    return without_nulls(shown)


def _trait(entry: Line, population: list[set[tuple[str, str]]], collection: str | None) -> Line:
    kind = entry.get("traitType") or ""
    count = sum((kind, value_text(entry["traitValue"])) in traits for traits in population)
    computed = {
        "traitFrequency": count,
        "traitPercentFrequency": 100 * count / len(population),
        "traitRarity": len(population) / count,
    }
    if collection is None:  # nothing to count among
        computed = {}
    counts = {name: entry.get(name, value) for name, value in computed.items()}
    return {"traitType": kind, "traitValue": entry["traitValue"], **counts}


def transfer_record(oracle: Oracle, nft: NftKey, transfer: Line) -> Line:
    """The transfer record."""
    usd, eth = worths(oracle, transfer)
    record: Line = {
        "chain": nft[0],
        "contractAddress": oracle.collection(nft),
        "tokenId": nft[2],
        "blockNumber": transfer["blockNumber"],
        "transactionHash": transfer["transactionHash"],
        "fromAddress": _address(transfer.get("fromAddress")),
        "toAddress": _address(transfer.get("toAddress")),
        "nftValue": transfer.get("nftValue"),
        "swaps": transfer.get("swaps") or [],
        "usdValue": usd,
        "ethValue": eth,
        "amount": transfer["amount"],
        "timestamp": transfer["timestamp"],
        "markets": [slug.lower() for slug in transfer.get("markets") or []],
        "transferType": transfer.get("transferType") or _plain_type(transfer),
        **{name: transfer.get(name) for name in TRANSFER_FIELDS},
    }
    return without_nulls(record)


def worths(oracle: Oracle, transfer: Line) -> tuple[Any, Any]:
    """`usdValue` and `ethValue`: in decimals, 6 and 18 places, half to even, by rates at most 48 hours old."""
    value = transfer.get("nftValue")
    if not value:
        return None, None
    if oracle.is_mint(transfer["nft"]):
        return OPEN, OPEN
    symbol, decimals = _token(oracle, transfer["nft"][0], plain_address(value["tokenAddress"]))
    if symbol is None:
        return None, None
    amount = EXACT.scaleb(Decimal(value["amount"]), -decimals)
    at = transfer["timestamp"]
    rate, eth_rate = _rate(oracle.world.rates, symbol, at), _rate(oracle.world.rates, "ETH", at)
    if rate is OPEN:
        return OPEN, OPEN
    usd = None if rate is None else EXACT.multiply(amount, rate)
    if WRAPPED.get(symbol, symbol) == "ETH":
        eth: Decimal | None = amount
    elif usd is None or not eth_rate:
        eth = None
    else:
        eth = EXACT.divide(usd, eth_rate)
    return _rounded(usd, 6), _rounded(eth, 18)


def _token(oracle: Oracle, chain: str, address: str) -> tuple[str | None, int]:
    if address == ZERO:
        return oracle.world.native[chain] or None, 18
    return TOKENS.get((chain, address), (None, 0))


def _rate(rates: Rates, symbol: str, at: int) -> Any:
    """At par with the native token. Only a rate of its own, and none of the native one: the rules do not say."""
    native = newest_rate(rates, WRAPPED.get(symbol, symbol), at, at - TWO_DAYS)
    if native is None and newest_rate(rates, symbol, at, at - TWO_DAYS) is not None:
        return OPEN
    return native


def _rounded(value: Decimal | None, places: int) -> float | None:
    if value is None:
        return None
    return float(value.quantize(Decimal(1).scaleb(-places), context=Context(prec=400)))


def _plain_type(transfer: Line) -> str | None:
    """By the zero address (the system program's where NFTs are mints), or 0x…dEaD as the receiver."""
    nobody = (ZERO, SYSTEM_PROGRAM)
    if _address(transfer.get("fromAddress")) in nobody:
        return "mint"
    is_burn = _address(transfer.get("toAddress")) in (*nobody, "0x000000000000000000000000000000000000dead")
    return "burn" if is_burn else None


def _address(text: str | None) -> str | None:
    return plain_address(text) if text else None


def without_nulls(record: Line) -> Line:
    """Optional fields are left out when unknown."""
    return {name: value for name, value in record.items() if value is not None}


def token_key(text: str) -> str:
    """The token id of a record, as the oracle keys it."""
    return plain_token_id(text)
