"""The parameters of NFTs by Token, and what both operations share of them (specification, Endpoints).

One declared filter a parameter; ``NftFilterSet(query_string).selection()`` is what the query selects, ``.options`` how
its page is made. Either raises ``ValidationError`` with every fault of the query.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.rest.cursors import Cursor, decode
from core.rest.fields import ChoiceField, CursorField, FlagField, LimitField
from core.rest.filters import QueryFilter, QueryFilterSet
from core.rest.pagination import MAX_LIMIT
from tokens.query import parameter_schemas as schemas
from tokens.query.fields import (
    ChainField,
    ContractField,
    MarketsField,
    NamingField,
    PriceField,
    TokenIdsField,
    TraitsField,
)
from tokens.query.names import Names
from tokens.query.parameter_schemas import SORT_SPELLINGS
from tokens.query.selection import Selection


@dataclass(frozen=True, slots=True)
class Options:
    """How a page is made of what a query selects: items a page, where it starts, its order's canonical name."""

    limit: int
    cursor: Cursor | None
    sort: str
    include_last_transfer: bool = False


class OperationFilterSet(QueryFilterSet):
    """What both operations have: chain, cursor, limit and order, and the look-ups of names in the query."""

    chain = QueryFilter[Selection](
        ChainField,
        Selection.on_chain,
        schema=schemas.CHAIN,
        example="ethereum",
        help_text="Only this chain: its identifier (ethereum, polygon, solana, …), or of an EVM chain its numeric id "
        "or CAIP-2 name (1, eip155:1), in any letter case. One that is not known is an error, which lists those that "
        "are.",
    )
    cursor = QueryFilter[Selection](
        CursorField,
        decode=decode,
        schema=schemas.CURSOR,
        help_text="The nextCursor of the page before, unchanged. It belongs to one operation, its filters and its "
        "order; the limit may change between pages.",
    )
    limit = QueryFilter[Selection](
        LimitField,
        maximum=MAX_LIMIT,
        schema=schemas.LIMIT,
        example="10",
        help_text=f"Items a page, from 1 to {MAX_LIMIT}; {MAX_LIMIT} when not given.",
    )
    sortBy = QueryFilter[Selection](
        ChoiceField,
        choices=SORT_SPELLINGS,
        schema=schemas.SORT,
        example="tokenId",
        help_text="Not given: most recent transaction first. lowestAsk, highestAsk: by the lowest or highest live ask "
        "in USD, ascending, what has none behind, and at most 10,000 items. tokenId (or tokenId-asc), tokenId-desc: by "
        "the number, mints behind all numbers. rarity: by the score, descending, which may differ from rank.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._names = Names(self.parameters)
        for declared in self.filters.values():
            if isinstance(declared.field, NamingField):
                declared.field.names = self._names

    def start(self) -> Selection:
        """Return the selection of everything."""
        return Selection()

    def look_up(self) -> None:
        """Ask the node for the ENS name of the query. Raises ``ServiceUnavailable`` when it does not tell in time."""
        self._names.look_up()

    @property
    def options(self) -> Options:
        """How the page is made. Raises ``ValidationError`` with every fault of the query."""
        values = self.values
        return Options(
            limit=values["limit"] or MAX_LIMIT,
            cursor=values["cursor"],
            sort=values["sortBy"] or "",
            include_last_transfer=bool(values.get("includeLastTransfer")),
        )


def _when_set(verb: Callable[[Selection], Selection]) -> Callable[[Selection, bool], Selection]:
    return lambda selection, is_set: verb(selection) if is_set else selection


class NftFilterSet(OperationFilterSet):
    """NFTs by Token."""

    includeLastTransfer = QueryFilter[Selection](
        FlagField,
        schema=schemas.FLAG,
        example="true",
        help_text="Adds lastTransfer to each NFT. A flag: true, 1, false or 0; bare, it is true.",
    )
    contractAddress = QueryFilter[Selection](
        ContractField,
        Selection.for_contract,
        schema=schemas.CONTRACT,
        example="0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb",
        help_text="The contract: an EVM address in any letter case, the address of a collection on a mint-identified "
        "chain (32 to 44 letters and digits, case sensitive), or an ENS name (name.eth), which stands for its address "
        "on every EVM chain. One that is not known, and a name that resolves to nothing, has no NFTs.",
    )
    tokenId = QueryFilter[Selection](
        TokenIdsField,
        Selection.with_token_ids,
        schema=schemas.TOKENS,
        example="1,0x2a",
        help_text="Token ids, comma separated, at most 30 different ones: decimal or 0x hexadecimal integers below "
        "2^256, or base58 mints. Given but empty: no item.",
    )
    traits = QueryFilter[Selection](
        TraitsField,
        Selection.with_traits,
        schema=schemas.TRAITS,
        example="Type-Alien",
        help_text="Traits to have, each as type, dash, value, case sensitive (-Gold when it has no type); comma "
        "separated, at most 30. Several of one type: any of them; across types: all. An entry that holds a comma is "
        "written in double quotes. Given but empty: no item.",
    )
    excludedTraits = QueryFilter[Selection](
        TraitsField,
        Selection.without_traits,
        schema=schemas.TRAITS,
        example="Fur-Brown",
        help_text="Traits not to have, written as in traits, at most 30; an NFT that has any of them is dropped. "
        "Given but empty: no item.",
    )
    priceFilter = QueryFilter[Selection](
        PriceField,
        Selection.priced,
        schema=schemas.PRICE,
        example="eth,0.5,2",
        help_text="Bounds of the lowest live ask: currency, minimum, maximum, with exactly two commas; either bound "
        "may be blank, both are inclusive, plain decimals in whole units of the currency. A wrapped native token "
        "counts as the native one (eth also finds asks in WETH). usd compares the value in US dollars.",
    )
    marketplaces = QueryFilter[Selection](
        MarketsField,
        Selection.trading_on,
        schema=schemas.MARKETPLACES,
        example="opensea,blur",
        help_text="Marketplaces, comma separated, in any letter case: keeps what was transferred on one of them or has "
        "a live ask there; with priceFilter or an order by asks, only asks there count. Given but empty: no item.",
    )
    excludedTokenIds = QueryFilter[Selection](
        TokenIdsField,
        Selection.without_token_ids,
        schema=schemas.TOKENS,
        example="7",
        help_text="Token ids to drop, written as in tokenId, at most 30 different ones. Given but empty: no item.",
    )
    excludeMarkedNfts = QueryFilter[Selection](
        FlagField,
        _when_set(Selection.without_marked),
        schema=schemas.FLAG,
        example="true",
        help_text="Drops NFTs that the operator marked (spam, stolen, delisted, …), themselves or through their "
        "contract. A flag: true, 1, false or 0; bare, it is true.",
    )
