"""Rows of transfers as the database holds them, and how what a source states or the rules judge is merged into one."""

from __future__ import annotations

import json
from typing import NamedTuple

from nftsite.db.keys import recency_key, scaled, uint_key
from tokens.facts import UNSET
from tokens.store.nfts import NftRow
from transfers.facts import JudgedFacts, TransferFacts

Key = tuple[str, int, int, int]
"""Identity of a transfer: transaction hash, log index, batch index, chain id."""

KEY_COLUMNS = ("transaction_hash", "log_index", "batch_index", "chain_id")


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

    @property
    def key(self) -> Key:
        """The transfer's identity."""
        return self.transaction_hash, self.log_index, self.batch_index, self.chain_id


COLUMNS = Row._fields
_NOTHING_KNOWN = (0, "", None, None, None, uint_key(1), *(None,) * 10, "[]", "[]", None, False)
"""The columns from ``timestamp`` on of a transfer of one unit of which nothing else is known."""


def blank(key: Key) -> Row:
    """Return the row of a transfer of which nothing but its identity is known."""
    return Row._make((0, key[3], 0, 0, 0, *key[:3], *_NOTHING_KNOWN))


def merge(row: Row, one: TransferFacts, nft: NftRow | None) -> Row | None:
    """Return the row with the facts applied, or ``None`` when its place does not fit into a key."""
    block = row.block_number if one.block_number is UNSET else one.block_number
    timestamp = row.timestamp if one.timestamp is UNSET else one.timestamp
    recent_key = row.recent_key
    if not recent_key or (block, timestamp) != (row.block_number, row.timestamp):
        try:
            recent_key = recency_key(timestamp, block, row.log_index, row.batch_index)
        except ValueError:
            return None
    usd, eth = one.usd_value, one.eth_value
    token, name, amount, is_commercial, transfer_type, markets, swaps, judged = _verdict(row, one)
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
        judged,
    )


def rejudged(row: Row, judged: JudgedFacts) -> Row:
    """Return the row as the rules judge it now; what was stated of it stays."""
    facts = TransferFacts("", row.transaction_hash, row.log_index, row.batch_index, judged=judged)
    return row._replace(**_verdict(row, facts)._asdict())


class _Verdict(NamedTuple):
    """The columns that say what a transfer was."""

    nft_value_token: str | None
    nft_value_name: str | None
    nft_value_amount: str | None
    is_commercial: bool | None
    transfer_type: str | None
    markets: str
    swaps: str
    judged: bool


_UNJUDGED = _Verdict(None, None, None, None, None, "[]", "[]", False)


def _verdict(row: Row, one: TransferFacts) -> _Verdict:
    """Return what a transfer was, by what is stored and what is new: what was stated wins over what was judged."""
    stored = _Verdict(
        row.nft_value_token,
        row.nft_value_name,
        row.nft_value_amount,
        row.is_commercial,
        row.transfer_type,
        row.markets,
        row.swaps,
        row.judged,
    )
    if one.judged is not None:
        if row.judged or stored == _UNJUDGED:
            return _judged(one.judged)
        return stored._replace(transfer_type=row.transfer_type or one.judged.transfer_type)
    stated = _stated(stored, one)
    # Who states anything else than what the evidence says has taken it into their own hands.
    return stated._replace(judged=bool(row.judged) and stated == stored)


def _judged(one: JudgedFacts) -> _Verdict:
    price, markets = one.nft_value, _json(one.markets)
    if price is None:
        return _Verdict(None, None, None, one.is_commercial, one.transfer_type, markets, one.swaps, True)
    return _Verdict(
        price.token_address,
        price.token_name,
        uint_key(price.amount),
        one.is_commercial,
        one.transfer_type,
        markets,
        one.swaps,
        True,
    )


def _stated(stored: _Verdict, one: TransferFacts) -> _Verdict:
    token, name, amount = stored[:3]
    price, markets, swaps = one.nft_value, one.markets, one.swaps
    if price is None:
        token = name = amount = None
    elif price is not UNSET:
        token, name, amount = price.token_address, price.token_name, uint_key(price.amount)
    return _Verdict(
        token,
        name,
        amount,
        stored.is_commercial if one.is_commercial is UNSET else one.is_commercial,
        stored.transfer_type if one.transfer_type is UNSET else one.transfer_type,
        stored.markets if markets is UNSET else _json(markets or []),
        stored.swaps if swaps is UNSET else "[]" if swaps is None else swaps,
        stored.judged,
    )


def _json(slugs: list[str]) -> str:
    return json.dumps(slugs, separators=(",", ":")) if slugs else "[]"
