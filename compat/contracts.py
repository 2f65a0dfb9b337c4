"""Contracts as their records have them, and the floor prices in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from compat.chains import AskedChain, checksummed
from core.db.each import Walks, rows_for_each
from core.db.keys import uint_from_key, unscaled
from core.rest.records import Record, number
from tokens.models import Contract
from tokens.models.ask import FOREVER
from tokens.prices.lines import line_of

OPENSEA, LOOKSRARE = "opensea", "looksrare"
NOT_KNOWN = "NO_SUPPORTED_NFT_STANDARD"
"""Their token type of what follows neither standard, or of which nothing is known."""
_TYPES = {"ERC721": "ERC721", "ERC1155": "ERC1155", "CRYPTOKITTIES": "ERC721"}


class ContractRow(NamedTuple):
    """What is read of a contract."""

    id: int
    address: str
    standard: str
    name: str | None
    symbol: str | None
    marked: bool
    nft_count: int
    chain_id: int


def contract_rows(chain: AskedChain, addresses: Iterable[str]) -> dict[str, ContractRow]:
    """Return the contracts of a chain that are known, by their addresses in lower case. Takes one query."""
    found = Contract.objects.filter(address__in=sorted(set(addresses)), chain_id=chain.id)
    return {row[1]: ContractRow._make(row) for row in found.values_list(*ContractRow._fields)}


def contract_row(chain: AskedChain, address: str) -> ContractRow | None:
    """Return one contract, if it is known."""
    return contract_rows(chain, [address]).get(address)


def contracts_by_id(ids: Iterable[int]) -> dict[int, ContractRow]:
    """Return contracts by their ids. Takes one query."""
    rows = Contract.objects.filter(pk__in=sorted(set(ids))).values_list(*ContractRow._fields)
    return {row[0]: ContractRow._make(row) for row in rows}


def token_type(standard: str) -> str:
    """Return their name of a standard. CryptoKitties is an ERC721 to them, CryptoPunks neither."""
    return _TYPES.get(standard.upper(), NOT_KNOWN)


def contract_record(address: str, row: ContractRow | None, floor: float | None) -> Record:
    """Return what they tell of a contract; one that is not known (``row``: ``None``) has nothing but its address.

    ``floor`` is the lowest live ask on OpenSea, in whole units of the chain's currency. Who deployed a contract, and
    what OpenSea writes of a collection, is not known here.
    """
    name = (row.name or None) if row else None
    kind = token_type(row.standard) if row else NOT_KNOWN
    return {
        "address": checksummed(address),
        "name": name,
        "symbol": (row.symbol or None) if row else None,
        "totalSupply": str(row.nft_count) if row and kind != "ERC1155" else None,
        "tokenType": kind,
        "contractDeployer": None,
        "deployedBlockNumber": None,
        "openSeaMetadata": {
            "floorPrice": floor,
            "collectionName": name,
            "collectionSlug": None,
            "safelistRequestStatus": None,
            "imageUrl": None,
            "description": None,
            "externalUrl": None,
            "twitterUsername": None,
            "discordUrl": None,
            "bannerImageUrl": None,
            "lastIngestedAt": None,
        },
    }


def contract_of_nft(address: str, row: ContractRow | None, floor: float | None) -> Record:
    """Return the contract within an NFT's record: with the operator's mark, of which they tell reasons of their own."""
    marked: Record = {"isSpam": True if row and row.marked else None, "spamClassifications": []}
    return {**contract_record(address, row, floor), **marked}


class Floors(NamedTuple):
    """The lowest live asks by market and contract's id, and when one of them ends or has another price.

    Prices in whole units of the chain's currency, moments in Unix seconds; ``None``: none does.
    """

    asks: Mapping[str, Mapping[int, int | float | None]]
    first_end: int | None

    def of(self, contract: ContractRow | None, market: str = OPENSEA) -> int | float | None:
        """Return the lowest ask of a contract; ``None`` for none."""
        return None if contract is None else self.asks[market].get(contract.id)


# One that changes with time has the place of the last tick, and the price of now.
_FLOOR = """
    SELECT contract_id, price, valid_until, start_price, end_price, price_from, price_until
    FROM tokens_ask
    WHERE contract_id = %(id)s AND market_id = (SELECT id FROM tokens_market WHERE slug = '{market}')
        AND active AND valid_from <= %(now)s AND valid_until > %(now)s
        AND currency_id IN (
            SELECT currency.id FROM tokens_currency currency
            LEFT JOIN tokens_currency native ON native.id = currency.wraps_id
            WHERE '{symbol}' IN (currency.symbol, native.symbol)
        )
    ORDER BY price_key, nft_id LIMIT 1
"""
_SELECT = "SELECT {place}, walks.* FROM {{walks}} walks"


def floors(
    contracts: Iterable[ContractRow], chain: AskedChain, now: int, markets: Sequence[str] = (OPENSEA,)
) -> Floors:
    """Return the lowest live asks of contracts in the chain's currency or what wraps it. Takes one query."""
    symbol = chain.native_currency.replace("'", "''").replace("%", "%%")
    ids = [contract.id for contract in contracts]
    walks = [
        Walks(_FLOOR.format(market=market, symbol=symbol), ids, _SELECT.format(place=place))
        for place, market in enumerate(markets)
    ]
    found: dict[str, dict[int, int | float | None]] = {market: {} for market in markets}
    ends = []
    for place, contract_id, stored, valid_until, *moments in rows_for_each(walks, now=now):
        price, line = uint_from_key(stored), line_of(*moments)
        if line is not None:
            price = line.at(now)
            ends += line.changes_after(now)
        if valid_until < FOREVER:
            ends.append(valid_until)
        found[markets[place]][contract_id] = number(unscaled(price))
    return Floors(found, min(ends, default=None))
