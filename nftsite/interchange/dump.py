"""Writes the database in the interchange format: what was stated and primary facts, not what is derived from them.

Chains, rates, names and contracts come before what hangs on them; NFTs, transfers and asks in the order in which they
came, by which ties fall. So a database that loads the lines answers every query with the same items in the same order.

One thing that is derived is written all the same: who holds an NFT of which a node told what was held before the first
transfer that is indexed. Lines have no place for that, so its owners are stated as of its newest transfer; when a
holder entered whom indexing did not see enter, they leave out. Where the node could not tell, nobody knows who holds
it. Lines cannot say that either, so that the owners of a database which loads them follow from the transfers alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any, TextIO

from django.db.models import Model

from nftsite.batches import batched
from nftsite.chains import MINT, WELL_KNOWN
from nftsite.db.keys import token_id_from_key
from nftsite.interchange import current
from nftsite.rest.snapshot import snapshot
from tokens.models import Ask, Chain, Contract, Currency, EnsName, Nft, Rate
from tokens.models.ask import FOREVER
from transfers.models import Transfer

PAGE = 2_000
"""Rows that are held at once."""


class Raw(str):
    """Text that is JSON already."""

    __slots__ = ()


def dump(out: TextIO) -> None:
    """Write everything to ``out``, from one snapshot of the database and in constant memory."""
    with snapshot():
        for lines in (_chains(), _rates(), _names(), _contracts(), _nfts(), _transfers(), _asks()):
            for line in lines:
                out.write(line)


def _chains() -> Iterator[str]:
    built_in = {(one.slug, one.kind, one.chain_id, one.native_currency) for one in WELL_KNOWN}
    for slug, kind, chain_id, currency in Chain.objects.order_by("id").values_list(
        "slug", "kind", "chain_id", "native_currency"
    ):
        if (slug, kind, chain_id, currency) not in built_in:
            yield _line(
                "chain",
                ("chain", slug),
                ("kind", kind),
                ("chainId", chain_id),
                ("nativeCurrency", currency or None),
            )


def _rates() -> Iterator[str]:
    for currency_id, symbol in Currency.objects.order_by("symbol").values_list("id", "symbol"):
        for timestamp, usd in _pages(Rate, ("timestamp", "usd"), currency=currency_id):
            yield _line("rate", ("currency", symbol), ("timestamp", timestamp), ("usd", _decimal(usd)))


def _names() -> Iterator[str]:
    for name, address in _pages(EnsName, ("name", "address")):
        yield _line("ens", ("name", name), ("address", Raw("null") if address is None else address))


def _contracts() -> Iterator[str]:
    columns = (
        "id",
        "chain__slug",
        "address",
        "standard",
        "name",
        "symbol",
        "ens_name",
        "marked",
        "marked_reason",
    )
    for _, slug, address, standard, name, symbol, ens_name, marked, reason in _pages(Contract, columns):
        if address:  # the row for a chain's NFTs without collection is none that a line could name
            yield _line(
                "contract",
                ("chain", slug),
                ("contractAddress", address),
                ("contractStandard", standard or None),
                ("name", name),
                ("symbol", symbol),
                ("ensName", ens_name),
                ("marked", marked or None),
                ("markedReason", reason),
            )


_NFT = (
    *(
        "id",
        "chain__slug",
        "contract__address",
        "contract__standard",
        "contract__rarity_computed",
        "token_key",
    ),
    *("uri", "metadata", "native", "rarity", "rank", "stated_minter", "stated_markets", "own_marked"),
    *(
        "marked_reason",
        "stated_ownership__owners",
        "stated_ownership__as_of_block",
        "stated_ownership__as_of",
    ),
)


def _nfts() -> Iterator[str]:
    for page in batched(_pages(Nft, _NFT), PAGE):
        held = current.statements([row[0] for row in page])
        yield from (_nft(row, held.get(row[0])) for row in page)


def _nft(row: tuple[Any, ...], held: current.Statement | None) -> str:
    _, slug, address, standard, computed, token_key, uri, metadata, native, rarity, rank, *rest = row
    minter, markets, marked, reason, owners, as_of_block, as_of = rest
    if held is not None:
        owners, as_of_block, as_of = held.owners, held.as_of_block, None
    return _line(
        "nft",
        ("chain", slug),
        ("contractAddress", address or None),
        ("contractStandard", None if address else standard or None),
        ("tokenId", token_id_from_key(token_key)),
        ("uri", uri),
        ("metadata", _raw(metadata)),
        ("owners", _raw(owners)),
        ("asOfBlock", as_of_block),
        ("asOf", as_of),
        ("minter", minter),
        ("markets", _raw(markets)),
        ("rarity", None if computed else _number(rarity)),
        ("rank", None if computed else _number(rank)),
        ("native", _raw(native)),
        ("marked", marked or None),
        ("markedReason", reason),
    )


_TRANSFER = (
    *("id", "chain__slug", "chain__kind", "contract__address", "nft__token_key", "block_number"),
    *("transaction_hash", "log_index", "batch_index", "timestamp", "from_address", "to_address"),
    *("transaction_from", "amount", "value", "nft_value_token", "nft_value_name", "nft_value_amount"),
    *("stated_usd_value", "stated_eth_value", "is_commercial", "transfer_type", "markets", "swaps", "native"),
)


def _transfers() -> Iterator[str]:
    for row in _pages(Transfer, _TRANSFER):
        _, slug, kind, address, token_key, block, transaction, log_index, batch_index, timestamp, *rest = row
        sender, receiver, signer, amount, value, token, name, price, usd, eth, *rest = rest
        is_commercial, transfer_type, markets, swaps, native = rest
        yield _line(
            "transfer",
            ("chain", slug),
            ("contractAddress", None if kind == MINT else address),
            ("tokenId", token_id_from_key(token_key)),
            ("blockNumber", block),
            ("transactionHash", transaction),
            ("logIndex", log_index),
            ("batchIndex", batch_index),
            ("fromAddress", sender),
            ("toAddress", receiver),
            ("transactionFrom", signer),
            ("value", _digits(value)),
            ("nftValue", _price(token, name, price)),
            ("swaps", _raw(swaps)),
            ("usdValue", None if usd is None else Raw(_decimal(usd))),
            ("ethValue", None if eth is None else Raw(_decimal(eth))),
            ("isCommercial", is_commercial),
            ("amount", _digits(amount)),
            ("timestamp", timestamp),
            ("markets", _raw(markets)),
            ("native", _raw(native)),
            ("transferType", transfer_type),
        )


_ASK = (
    *(
        "id",
        "chain__slug",
        "chain__kind",
        "contract__address",
        "nft__token_key",
        "market__slug",
        "order_hash",
    ),
    *("currency__symbol", "price", "amount", "maker", "valid_from", "valid_until", "status"),
)


def _asks() -> Iterator[str]:
    for row in _pages(Ask, _ASK):
        _, slug, kind, address, token_key, market, order_hash, currency, price, amount, maker, *rest = row
        valid_from, valid_until, status = rest
        yield _line(
            "ask",
            ("chain", slug),
            ("contractAddress", None if kind == MINT else address),
            ("tokenId", token_id_from_key(token_key)),
            ("marketplace", market),
            ("orderHash", order_hash),
            ("currency", currency),
            ("price", _decimal(price)),
            ("amount", _digits(amount)),
            ("maker", maker),
            ("validFrom", valid_from or None),
            ("validUntil", None if valid_until == FOREVER else valid_until),
            ("status", status),
        )


def _pages(model: type[Model], columns: Sequence[str], **scope: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table in the order of their first column, which is unique within the scope.

    Page by page, since a cursor of the server would not outlive a pooler, and SQLite has none.
    """
    rows = model._default_manager.filter(**scope).order_by(columns[0]).values_list(*columns)
    page = list(rows[:PAGE])
    while page:
        yield from page
        page = list(rows.filter(**{f"{columns[0]}__gt": page[-1][0]})[:PAGE]) if len(page) == PAGE else []


def _line(record: str, *members: tuple[str, Any]) -> str:
    """Return a line. Members that are ``None`` are left out."""
    texts = [f'{{"record":"{record}"']
    for name, value in members:
        if value is not None:
            texts.append(f'"{name}":{value if isinstance(value, Raw) else _encode(value)}')
    return ",".join(texts) + "}\n"


_encode: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False).encode


def _raw(text: str | None) -> Raw | None:
    """Return stored JSON as it stands; a line break in it, which can only be white space, becomes a space."""
    return None if text is None else Raw(text.replace("\n", " "))


def _digits(number: int | None) -> str | None:
    return None if number is None else str(number)


def _decimal(number: Decimal) -> str:
    return format(number, "f")


def _number(number: float | None) -> Raw | None:
    if number is None:
        return None
    return Raw(int(number) if number.is_integer() and abs(number) < 2**53 else repr(number))


def _price(token: str | None, name: str | None, amount: int | None) -> dict[str, str] | None:
    if token is None or amount is None:
        return None
    return {"tokenAddress": token, **({"tokenName": name} if name else {}), "amount": str(amount)}
