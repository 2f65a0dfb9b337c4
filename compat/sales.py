"""Sales in the order of blocks: found by one bounded walk of a list, whatever the filters, and their records.

The shortest list that holds every match is walked: of the token, the buyer, the seller, the contract, or the chain.
What else is asked is looked at sale by sale, at no more than so many a page (``compat.lists``); so a page may hold
fewer sales than its limit, or none, and still have a pageKey.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.db.models import F, Q, QuerySet, Value

from compat import paging
from compat.chains import AskedChain, shown
from compat.contracts import contract_row
from compat.filters import Asked
from compat.lists import Listed, walk
from core.db.keys import digits_from_key, token_id_from_key
from core.db.statements import rows_where
from core.db.texts import storable
from core.rest.records import Record, texts
from tokens.models import CurrencyToken, Nft
from transfers.models import PaidToken, Transfer

METHOD: Final = "getNFTSales"
MOST: Final = 1_000
BUYER, SELLER = "BUYER", "SELLER"
_BLOCKS = ("block_number", "log_index", "batch_index", "id")
_RECENCY = ("recent_key", "id")


class Page(NamedTuple):
    """Ids of a page's sales in order, and the pageKey; ``None``: it is the last one."""

    ids: list[int]
    page_key: str | None


def page_of(asked: Asked, chain: AskedChain) -> Page:
    """Return the page of a query, by at most three queries. Raises ``ValidationError`` for a key of another query."""
    start = paging.start_of(METHOD, chain.slug, asked)
    size = asked.limit or MOST
    listed = _listed(asked, chain)
    if listed is None:
        return Page([], None)
    found, last = walk(listed, start, size)
    key = None if last is None else paging.key_of(METHOD, chain.slug, asked, last)
    return Page(found, key)


def _listed(asked: Asked, chain: AskedChain) -> Listed | None:
    """Return the list to walk; ``None`` where it is plain that there is no sale."""
    row = None if asked.contract is None else contract_row(chain, asked.contract)
    if asked.from_block > asked.to_block or (asked.contract is not None and row is None):
        return None
    sold = Q(transfer_type=Transfer.Type.SALE)
    descending, rest = asked.order == "desc", _beside(asked, chain)
    blocks = Q(block_number__gte=asked.from_block, block_number__lte=asked.to_block)
    if asked.token is not None and row is not None:
        nft = Nft.objects.filter(contract_id=row.id, token_key=asked.token).values_list("id").first()
        # Its transfers are kept by recency alone, newest first, and are few but for editions.
        rows = Transfer.objects.filter(nft_id=nft[0]) if nft else Transfer.objects.none()
        people = _people(asked, buyer=True, seller=True)
        return Listed(rows, _RECENCY, not descending, sold & blocks & people & rest)
    of_contract = Q(contract_id=row.id) if row else Q()
    if asked.buyer is not None:
        own, rest = Q(to_address=asked.buyer), of_contract & _people(asked, seller=True) & rest
    elif asked.seller is not None:
        own, rest = Q(from_address=asked.seller), of_contract & rest
    else:
        own = of_contract
    of_chain = Q() if own and own == of_contract else Q(chain_id=chain.id)
    return Listed(Transfer.objects.filter(sold & own & of_chain & blocks), _BLOCKS, descending, rest)


def _people(asked: Asked, *, buyer: bool = False, seller: bool = False) -> Q:
    condition = Q(to_address=asked.buyer) if buyer and asked.buyer else Q()
    return condition & (Q(from_address=asked.seller) if seller and asked.seller else Q())


def _beside(asked: Asked, chain: AskedChain) -> Q:
    """Return the conditions that no list is kept by: who took the order, and where."""
    by_seller = Q(transaction_from__isnull=False, transaction_from=F("from_address"))
    condition = Q()
    if asked.taker is not None:
        condition = by_seller if asked.taker == SELLER else ~by_seller
    if asked.marketplace is not None:
        condition &= on_marketplace(asked.marketplace, chain.slug)
    return condition


# Their marketplaces are protocols. OpenSea's sales were Wyvern's until Seaport came.
SEAPORT_BLOCK: Final = 14_946_474
"""Of Ethereum: that of the first Seaport (1.1, 0x0000…c581), before which OpenSea had Wyvern alone."""
_OF_OPENSEA = {"seaport", "wyvern"}


def marketplace_of(markets: str, block: int, chain: str) -> str:
    """Return their name of the marketplace of a sale, by the markets of its transfer (a JSON list)."""
    found = texts(markets)
    if not found:
        return "unknown"
    if found[0] != "opensea":
        return found[0]
    return "wyvern" if chain == "ethereum" and block < SEAPORT_BLOCK else "seaport"


def on_marketplace(name: str, chain: str) -> Q:
    """Return the condition that a sale was on a marketplace, as :func:`marketplace_of` calls it."""
    if name == "unknown":
        return Q(markets="[]")
    if name not in _OF_OPENSEA:
        return _first_is(name) if name != "opensea" else Q(pk__in=[])
    before = Q(block_number__lt=SEAPORT_BLOCK) if chain == "ethereum" else Q(pk__in=[])
    return _first_is("opensea") & (before if name == "wyvern" else ~before)


def _first_is(slug: str) -> Q:
    return Q(markets__startswith=f'["{storable(slug)}"')


class SaleRow(NamedTuple):
    """What is read of a sale, in the order of :data:`COLUMNS`; quantities are keys."""

    id: int
    contract_address: str
    token_key: str
    amount: str
    from_address: str | None
    to_address: str | None
    transaction_from: str | None
    nft_value_token: str | None
    nft_value_amount: str | None
    block_number: int
    log_index: int
    batch_index: int
    transaction_hash: str
    markets: str
    shares: str | None


COLUMNS = tuple(
    {"contract_address": "contract__address", "token_key": "nft__token_key"}.get(name, name)
    for name in SaleRow._fields
)


class Money(NamedTuple):
    """What a currency's contract is called, and how many decimals it has."""

    symbol: str | None
    decimals: int | None


def sale_records(ids: Sequence[int], chain: AskedChain) -> list[Record]:
    """Return the records of sales in the given order, by two queries."""
    rows = {row.id: row for row in map(SaleRow._make, rows_where(_sales, ids=list(ids)))}
    money = _money({row.nft_value_token for row in rows.values() if row.nft_value_token}, chain)
    return [_record(rows[one], money, chain.slug) for one in ids if one in rows]


def _sales(ids: Sequence[int]) -> QuerySet[Any, Any]:
    return Transfer.objects.filter(pk__in=ids).values_list(*COLUMNS)


def _money(addresses: Iterable[str], chain: AskedChain) -> dict[str, Money]:
    """Return what is known of currencies by their contracts; a known currency before what its contract says."""
    wanted = sorted(addresses)
    if not wanted:
        return {}
    known = CurrencyToken.objects.filter(chain_id=chain.id, address__in=wanted)
    told = PaidToken.objects.filter(chain_id=chain.id, address__in=wanted)
    described = told.values_list("address", "symbol", "decimals", Value(0))
    named = known.values_list("address", "currency__symbol", "decimals", Value(1))
    rows = sorted(described.union(named, all=True), key=lambda row: row[3])
    return {address: Money(symbol or None, decimals) for address, symbol, decimals, _ in rows}


_NO_FEE = dict.fromkeys(("amount", "tokenAddress", "symbol", "decimals"))


def _record(row: SaleRow, money: Mapping[str, Money], chain: str) -> Record:
    parts, marketplace = _parts(row), marketplace_of(row.markets, row.block_number, chain)
    return {
        "marketplace": marketplace,
        "marketplaceAddress": shown(row.contract_address) if marketplace == "cryptopunks" else None,
        "contractAddress": shown(row.contract_address),
        "tokenId": token_id_from_key(row.token_key),
        "quantity": digits_from_key(row.amount),
        "buyerAddress": shown(row.to_address),
        "sellerAddress": shown(row.from_address),
        "taker": SELLER if row.transaction_from and row.transaction_from == row.from_address else BUYER,
        "sellerFee": _fee(parts.seller, row, money),
        "protocolFee": _fee(parts.protocol, row, money),
        "royaltyFee": _fee(parts.royalty, row, money),
        "blockNumber": row.block_number,
        "logIndex": row.log_index,
        "bundleIndex": row.batch_index,
        "transactionHash": row.transaction_hash,
        "price": _fee(parts.price, row, money),
        "otherFee": _fee(parts.other, row, money),
    }


class Parts(NamedTuple):
    """A price and its parts, in base units; ``None``: not known. Together the parts are the price."""

    price: int | None
    seller: int | None
    protocol: int | None = None
    royalty: int | None = None
    other: int | None = None


def _parts(row: SaleRow) -> Parts:
    """Return how a price was split; where that is not known, it stands whole as what the seller got."""
    if row.nft_value_token is None or row.nft_value_amount is None:
        return Parts(None, None)
    price = int(digits_from_key(row.nft_value_amount))
    if not row.shares:
        return Parts(price, price)
    sums = dict.fromkeys(("seller", "protocol", "royalty", "other"), 0)
    for role, amount, _ in json.loads(row.shares):
        sums[role] += int(amount)
    return Parts(price, **sums)


def _fee(amount: int | None, row: SaleRow, money: Mapping[str, Money]) -> Record:
    if amount is None or row.nft_value_token is None:
        return _NO_FEE
    currency = money.get(row.nft_value_token, Money(None, None))
    return {
        "amount": str(amount),
        "tokenAddress": shown(row.nft_value_token),
        "symbol": currency.symbol,
        "decimals": currency.decimals,
    }
