"""Rows of transfers as the database holds them, and how what a source states or the rules judge is merged into one."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from core.db.keys import recency_key, scaled, uint_key
from tokens.store.facts import UNSET
from tokens.store.nfts import NftRow
from transfers.ledger.transfer_facts import TransferFacts, VerdictColumns, slugs_text
from transfers.models import Transfer

CHAIN, STATED = int(Transfer.Origin.CHAIN), int(Transfer.Origin.STATED)
LOOSE, APART = int(Transfer.Origin.LOOSE), int(Transfer.Origin.APART)

Key = tuple[str, int, int, int]
"""Identity of a transfer: transaction hash, log index, batch index, chain id."""

KEY_COLUMNS = ("transaction_hash", "log_index", "batch_index", "chain_id")

Place = tuple[int, int]
"""Log index and batch index: where in its transaction a transfer stands."""

NOT_STATED = -1
"""In place of a block number or a time that nobody has told."""


class Row(NamedTuple):
    """A row of the table as the database holds it, in the order of ``COLUMNS``."""

    id: int
    chain_id: int
    contract_id: int
    nft_id: int
    block_number: int
    transaction_hash: str
    log_index: int
    batch_index: int
    timestamp: int
    recent_key: str
    from_address: str | None
    to_address: str | None
    transaction_from: str | None
    amount: str
    value: str | None
    nft_value_token: str | None
    nft_value_name: str | None
    nft_value_amount: str | None
    usd_value: str | None
    eth_value: str | None
    stated_usd_value: str | None
    stated_eth_value: str | None
    is_commercial: bool | None
    transfer_type: str | None
    markets: str
    swaps: str
    native: str | None
    judged: bool
    origin: int
    overruled: str | None
    shares: str | None = None

    @property
    def key(self) -> Key:
        return self.transaction_hash, self.log_index, self.batch_index, self.chain_id

    @property
    def place(self) -> Place:
        """Where in its transaction it stands."""
        return self.log_index, self.batch_index

    @property
    def is_whole(self) -> bool:
        """Whether all is known that a row needs: its NFT, block and time."""
        return self.nft_id != 0 and self.recent_key != ""


COLUMNS = Row._fields
_NOTHING_KNOWN = (NOT_STATED, "", None, None, None, uint_key(1), *(None,) * 10, "[]", "[]", None)
"""The columns from ``timestamp`` to ``native`` of a transfer of one unit of which nothing else is known."""


NOTHING_SAID = VerdictColumns(None, None, None, None, None, "[]", "[]")


def verdict_of(row: Row) -> VerdictColumns:
    """Return what a row says that the transfer was."""
    return VerdictColumns(
        row.nft_value_token,
        row.nft_value_name,
        row.nft_value_amount,
        row.is_commercial,
        row.transfer_type,
        row.markets,
        row.swaps,
        row.shares,
    )


def blank(key: Key) -> Row:
    """Return the row of a transfer of which nothing but its identity is known."""
    return Row._make((0, key[3], 0, 0, NOT_STATED, *key[:3], *_NOTHING_KNOWN, False, STATED, None, None))


def merge(row: Row, one: TransferFacts, nft: NftRow | None) -> Row | None:
    """Return the row with the facts applied, or ``None`` when its place does not fit into a key.

    What the rules judged makes it a row of the chain; anything else a source states.
    """
    block = row.block_number if one.block_number is UNSET else one.block_number
    timestamp = row.timestamp if one.timestamp is UNSET else one.timestamp
    try:
        recent_key = _recent_key(row, block, timestamp)
    except ValueError:
        return None
    usd, eth, judged = one.usd_value, one.eth_value, one.judged
    verdict = _stated(row, one) if judged is None else judged
    token, name, amount, is_commercial, transfer_type, markets, swaps, shares = verdict
    return Row(
        row.id,
        row.chain_id,
        row.contract_id if nft is None else nft.contract_id,
        row.nft_id if nft is None else nft.id,
        block,
        row.transaction_hash,
        row.log_index,
        row.batch_index,
        timestamp,
        recent_key,
        row.from_address if one.from_address is UNSET else one.from_address,
        row.to_address if one.to_address is UNSET else one.to_address,
        row.transaction_from if one.transaction_from is UNSET else one.transaction_from,
        row.amount if one.amount is UNSET else uint_key(one.amount),
        row.value if one.value is UNSET else None if one.value is None else uint_key(one.value),
        token,
        name,
        amount,
        row.usd_value,
        row.eth_value,
        row.stated_usd_value if usd is UNSET else None if usd is None else uint_key(scaled(usd)),
        row.stated_eth_value if eth is UNSET else None if eth is None else uint_key(scaled(eth)),
        is_commercial,
        transfer_type,
        markets,
        swaps,
        row.native if one.native is UNSET else one.native,
        judged is not None,
        row.origin if judged is None else CHAIN,
        None,
        shares,
    )


def _recent_key(row: Row, block: int, timestamp: int) -> str:
    """Return the key of a row that is known to be of this block and time; ``ValueError``: it does not fit into one."""
    is_same = row.recent_key and (block, timestamp) == (row.block_number, row.timestamp)
    if is_same or NOT_STATED in (block, timestamp):
        return row.recent_key
    return recency_key(timestamp, block, row.log_index, row.batch_index)


def of_chain(one: TransferFacts) -> Row | None:
    """Return the row of a transfer that the chain tells, all of it, as :func:`merge` makes it, but for its ids.

    ``None`` when its place does not fit into a key.
    """
    told: Any = one
    try:
        recent_key = recency_key(told.timestamp, told.block_number, told.log_index, told.batch_index)
    except ValueError:
        return None
    token, name, price, is_commercial, transfer_type, markets, swaps, shares = told.judged
    return Row(
        0, 0, 0, 0, told.block_number, told.transaction_hash, told.log_index, told.batch_index,
        told.timestamp, recent_key, told.from_address, told.to_address, told.transaction_from,
        uint_key(told.amount), uint_key(told.value), token, name, price, None, None, None, None,
        is_commercial, transfer_type, markets, swaps, None, True, CHAIN, None, shares,
    )  # fmt: skip


def moved(row: Row, place: Place) -> Row:
    """Return a whole row at another place of its transaction."""
    recent_key = recency_key(row.timestamp, row.block_number, *place)
    return row._replace(log_index=place[0], batch_index=place[1], recent_key=recent_key)


def rejudged(row: Row, judged: VerdictColumns) -> Row:
    """Return a row of the chain of which nothing else was stated, as the rules judge it now."""
    if row.judged and row.overruled is None and verdict_of(row) == judged:
        return row
    return row._replace(**judged._asdict(), judged=True, overruled=None)


def chain_part(row: Row) -> Row:
    """Return what the chain alone says of an indexed transfer: the row without what was stated of it."""
    bare = row._replace(
        stated_usd_value=None, stated_eth_value=None, native=None, judged=True, overruled=None
    )
    return bare if row.overruled is None else bare._replace(**_verdict_of_text(row.overruled)._asdict())


def overlaid(row: Row, stated: Row, cleared: frozenset[str]) -> Row:
    """Return a row of the chain with what was stated of the transfer.

    Block, time, parties, amount and value are the chain's. Of what the rules judge, a statement that says anything
    stands whole, and only a type that it leaves out is judged, and how a price was split that it states as judged;
    ``cleared`` are the keys that it says nothing is to be in.
    """
    judged, said = verdict_of(row), verdict_of(stated)
    verdict = _without(judged, cleared)
    if said != NOTHING_SAID:
        verdict = said._replace(
            transfer_type=said.transfer_type or verdict.transfer_type,
            shares=judged.shares if _price(said) == _price(judged) else None,
        )
    is_judged = _text(verdict) == _text(judged)
    return row._replace(
        **verdict._asdict(),
        stated_usd_value=stated.stated_usd_value,
        stated_eth_value=stated.stated_eth_value,
        native=stated.native,
        judged=is_judged,
        overruled=None if is_judged else _text(judged),
    )


def beneath(low: Row, high: Row) -> Row:
    """Return what two statements of one transfer say: the ``high`` one wins for what it says, and has the place."""
    unsaid = blank(high.key)
    values = [mine if its == nothing else its for mine, its, nothing in zip(low, high, unsaid, strict=True)]
    both = Row._make(values)._replace(
        log_index=high.log_index, batch_index=high.batch_index, origin=high.origin
    )
    if high.nft_value_token is not None:
        both = both._replace(nft_value_name=high.nft_value_name)
    whole = NOT_STATED not in (both.block_number, both.timestamp)
    return moved(both, high.place) if whole else both._replace(recent_key="")


def _price(verdict: VerdictColumns) -> tuple[str | None, str | None]:
    return verdict.nft_value_token, verdict.nft_value_amount


def _stated(row: Row, one: TransferFacts) -> VerdictColumns:
    token, name, amount = row.nft_value_token, row.nft_value_name, row.nft_value_amount
    price, markets, swaps = one.nft_value, one.markets, one.swaps
    if price is None:
        token = name = amount = None
    elif price is not UNSET:
        token, name, amount = price.token_address, price.token_name, uint_key(price.amount)
    return VerdictColumns(
        token,
        name,
        amount,
        row.is_commercial if one.is_commercial is UNSET else one.is_commercial,
        row.transfer_type if one.transfer_type is UNSET else one.transfer_type,
        row.markets if markets is UNSET else slugs_text(markets or ()),
        row.swaps if swaps is UNSET else "[]" if swaps is None else swaps,
    )


_CLEARS = {
    "nft_value": ("nft_value_token", "nft_value_name", "nft_value_amount", "shares"),
    "is_commercial": ("is_commercial",),
    "transfer_type": ("transfer_type",),
    "markets": ("markets",),
    "swaps": ("swaps",),
}
"""Columns of a verdict by the field of the facts."""


def cleared_by(one: TransferFacts, before: frozenset[str], *, on_chain: bool) -> frozenset[str]:
    """Return the fields of a verdict that are cleared once facts are taken, of those that were ``before``.

    ``None`` clears what the rules say, where there is something: ``on_chain``.
    """
    now = {name for name in _CLEARS if on_chain and getattr(one, name) is None}
    told = {name for name in _CLEARS if getattr(one, name) not in (None, UNSET)}
    return (before - told) | now


def _without(verdict: VerdictColumns, cleared: frozenset[str]) -> VerdictColumns:
    columns = {column for name in cleared for column in _CLEARS[name]}
    return verdict._replace(**{column: getattr(NOTHING_SAID, column) for column in columns})


def _text(verdict: VerdictColumns) -> str:
    """Return a verdict as JSON; SQLite has integers for booleans."""
    commercial = verdict.is_commercial
    plain = verdict._replace(is_commercial=None if commercial is None else bool(commercial))
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False)


def _verdict_of_text(text: str) -> VerdictColumns:
    return VerdictColumns(*json.loads(text))
