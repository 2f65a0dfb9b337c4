"""The parameters of NFTs by Token, and what both operations share of them (specification, Endpoints).

One declared filter a parameter; ``NftFilterSet(query_string).selection()`` is what the query selects, ``.options`` how
its page is made. Either raises ``ValidationError`` with every fault of the query.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nftsite.rest.cursors import Cursor, decode
from nftsite.rest.fields import ChoiceField, CursorField, FlagField, LimitField
from nftsite.rest.filters import QueryFilter, QueryFilterSet
from tokens.names import Names
from tokens.ordering import ORDERS, TOKEN_ID
from tokens.query_fields import (
    MAX_ENTRIES,
    ChainField,
    ContractField,
    MarketsField,
    NamingField,
    PriceField,
    TokenIdsField,
    TraitsField,
)
from tokens.selection import Selection

MAX_LIMIT = 30
SORT_SPELLINGS = {name: name for name in ORDERS if name} | {f"{TOKEN_ID.name}-asc": TOKEN_ID.name}
"""What ``sortBy`` may say, and the order meant."""
TEXT = {"type": "string"}
FLAG = {"type": "boolean", "default": False}


@dataclass(frozen=True, slots=True)
class Options:
    """How a page is made of what a query selects: items a page, where it starts, its order's canonical name."""

    limit: int
    cursor: Cursor | None
    sort: str
    include_last_transfer: bool = False


def text_list(**limits: Any) -> dict[str, Any]:
    """Return the JSON Schema of a comma list."""
    return {"type": "array", "items": TEXT, **limits}


class OperationFilterSet(QueryFilterSet):
    """What both operations have: chain, cursor, limit and order, and the look-ups of names in the query."""

    chain = QueryFilter[Selection](
        ChainField,
        Selection.on_chain,
        schema=TEXT,
        example="ethereum",
        help_text="Only this chain: its identifier, as `ethereum`, `polygon` or `solana`, in any letter case; "
        "an EVM chain also by its numeric id or CAIP-2 name (`1`, `eip155:1`).",
    )
    cursor = QueryFilter[Selection](
        CursorField,
        decode=decode,
        schema=TEXT,
        help_text="`nextCursor` of the page before, unchanged. It belongs to one operation, its filters and its order; "
        "`limit` may change between pages.",
    )
    limit = QueryFilter[Selection](
        LimitField,
        maximum=MAX_LIMIT,
        schema={"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": MAX_LIMIT},
        example="10",
        help_text=f"Items to return, from 1 to {MAX_LIMIT}; {MAX_LIMIT} when not given.",
    )
    sortBy = QueryFilter[Selection](
        ChoiceField,
        choices=SORT_SPELLINGS,
        schema={"type": "string", "enum": list(SORT_SPELLINGS)},
        example="rarity",
        help_text="Blank: most recent transaction first. `lowestAsk`, `highestAsk`: ascending, items without asks "
        "last, at most 10,000 items. `tokenId` (or `tokenId-asc`), `tokenId-desc`: by the number. `rarity`: by the "
        "score, descending.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = Names(self.parameters)
        for declared in self.filters.values():
            if isinstance(declared.field, NamingField):
                declared.field.names = names

    def start(self) -> Selection:
        """Return the selection of everything."""
        return Selection()

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
        schema=FLAG,
        help_text="Adds `lastTransfer` to each NFT. A flag: `true`, `1`, `false` or `0`; bare, it is true.",
    )
    contractAddress = QueryFilter[Selection](
        ContractField,
        Selection.for_contract,
        schema=TEXT,
        example="0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb",
        help_text="The contract: an EVM address in any letter case, a mint-identified chain's collection address "
        "(32 to 44 letters and digits, case sensitive), or an ENS name, as `name.eth`.",
    )
    tokenId = QueryFilter[Selection](
        TokenIdsField,
        Selection.with_token_ids,
        schema=text_list(maxItems=MAX_ENTRIES),
        example="1,0x2a",
        help_text="Token ids, comma separated, at most 30: decimal or 0x hexadecimal integers below 2^256, "
        "or base58 mints. Given but empty: no item.",
    )
    traits = QueryFilter[Selection](
        TraitsField,
        Selection.with_traits,
        schema=text_list(maxItems=MAX_ENTRIES),
        example="Type-Alien",
        help_text="Traits to have, each as type, dash, value, case sensitive; comma separated, at most 30. Several of "
        "one type: any of them; across types: all. An entry that holds a comma is written in double quotes. Given but "
        "empty: no item.",
    )
    excludedTraits = QueryFilter[Selection](
        TraitsField,
        Selection.without_traits,
        schema=text_list(maxItems=MAX_ENTRIES),
        example="Fur-Brown",
        help_text="Traits not to have, written as in `traits`, at most 30; an NFT that has any of them is dropped. "
        "Given but empty: no item.",
    )
    priceFilter = QueryFilter[Selection](
        PriceField,
        Selection.priced,
        schema=TEXT,
        example="eth,0.5,2",
        help_text="Bounds of the lowest live ask, as currency, minimum, maximum with exactly two commas; either bound "
        "may be blank, both are inclusive and in whole units of the currency. `usd` compares the value in US dollars.",
    )
    marketplaces = QueryFilter[Selection](
        MarketsField,
        Selection.trading_on,
        schema=text_list(),
        example="opensea,blur",
        help_text="Marketplaces, comma separated, in any letter case: keeps what was transferred on one of them or has "
        "a live ask there. Given but empty: no item.",
    )
    excludedTokenIds = QueryFilter[Selection](
        TokenIdsField,
        Selection.without_token_ids,
        schema=text_list(maxItems=MAX_ENTRIES),
        example="7",
        help_text="Token ids to drop, written as in `tokenId`, at most 30. Given but empty: no item.",
    )
    excludeMarkedNfts = QueryFilter[Selection](
        FlagField,
        _when_set(Selection.without_marked),
        schema=FLAG,
        help_text="Drops NFTs that the operator marked (spam, stolen, delisted…), themselves or through their "
        "contract. A flag: `true`, `1`, `false` or `0`; bare, it is true.",
    )
