"""Writes the database in the interchange format: what was stated and primary facts, not what is derived from them.

Chains, currencies, markets, rates, names and contracts come before what hangs on them, takedowns behind all; NFTs,
transfers and asks in the order in which they came, by which ties fall. So a database that loads the lines answers every
query with the same items in the same order.

One thing that is derived is written all the same: who holds an NFT of which a node told what was held before the first
transfer that is indexed. Lines have no place for that, so its owners are stated as of its newest transfer; when a
holder entered whom indexing did not see enter, they leave out. Where the node could not tell, nobody knows who holds
it. Lines cannot say that either, so that the owners of a database which loads them follow from the transfers alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, TextIO

from core.batches import batched
from core.chains import MINT
from core.db.estimates import estimated_rows
from core.db.keys import token_id_from_key
from core.rest.snapshot import snapshot
from interchange import current, decided
from interchange.out import NULL, PAGE, Raw, line, pages, raw_json
from tokens.models import Ask, Contract, Currency, EnsName, Nft, Rate
from tokens.models.ask import FOREVER
from tokens.store.asks import LOADED
from transfers.models import Transfer

TOLD = 1_000
"""Lines after which progress is told."""


def expected() -> int | None:
    """Return about how many lines there will be, where that costs next to nothing: by PostgreSQL's own estimates."""
    return sum(estimated_rows(model) for model in (Contract, Nft, Transfer, Ask, Rate)) or None


def dump(out: TextIO, tell: Callable[[int], None] = lambda count: None) -> None:
    """Write everything to ``out``, from one snapshot of the database and in constant memory.

    ``tell`` is called with the number of lines that were written since the last time, now and then.
    """
    with snapshot():
        for lines in (
            *decided.dictionaries(),
            _rates(),
            _names(),
            _contracts(),
            _nfts(),
            _transfers(),
            _asks(),
            *decided.takedowns(),
        ):
            for some in batched(lines, TOLD):
                out.writelines(some)
                tell(len(some))


def _rates() -> Iterator[str]:
    for currency_id, symbol in Currency.objects.order_by("symbol").values_list("id", "symbol"):
        for timestamp, usd in pages(Rate, ("timestamp", "usd"), currency=currency_id):
            yield line("rate", ("currency", symbol), ("timestamp", timestamp), ("usd", _decimal(usd)))


def _names() -> Iterator[str]:
    for name, address in pages(EnsName, ("name", "address")):
        yield line("ens", ("name", name), ("address", NULL if address is None else address))


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
    for _, slug, address, standard, name, symbol, ens_name, marked, reason in pages(Contract, columns):
        # The row of a chain's NFTs without collection goes without saying, but for what was decided of them.
        if address or marked or reason is not None:
            yield line(
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
    for page in batched(pages(Nft, _NFT), PAGE):
        held = current.statements([row[0] for row in page])
        yield from (_nft(row, held.get(row[0])) for row in page)


def _nft(row: tuple[Any, ...], held: current.Statement | None) -> str:
    _, slug, address, standard, computed, token_key, uri, metadata, native, rarity, rank, *rest = row
    minter, markets, marked, reason, owners, as_of_block, as_of = rest
    if held is not None:
        owners, as_of_block, as_of = held.owners, held.as_of_block, None
    return line(
        "nft",
        ("chain", slug),
        ("contractAddress", address or None),
        ("contractStandard", None if address else standard or None),
        ("tokenId", token_id_from_key(token_key)),
        ("uri", uri),
        ("metadata", raw_json(metadata)),
        ("owners", raw_json(owners)),
        ("asOfBlock", as_of_block),
        ("asOf", as_of),
        ("minter", minter),
        ("markets", raw_json(markets)),
        ("rarity", None if computed else _number(rarity)),
        ("rank", None if computed else _number(rank)),
        ("native", raw_json(native)),
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
    for row in pages(Transfer, _TRANSFER):
        _, slug, kind, address, token_key, block, transaction, log_index, batch_index, timestamp, *rest = row
        sender, receiver, signer, amount, value, token, name, price, usd, eth, *rest = rest
        is_commercial, transfer_type, markets, swaps, native = rest
        yield line(
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
            ("swaps", raw_json(swaps)),
            ("usdValue", None if usd is None else Raw(_decimal(usd))),
            ("ethValue", None if eth is None else Raw(_decimal(eth))),
            ("isCommercial", is_commercial),
            ("amount", _digits(amount)),
            ("timestamp", timestamp),
            ("markets", raw_json(markets)),
            ("native", raw_json(native)),
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
    *("currency__symbol", "price", "start_price", "end_price", "price_from", "price_until", "amount"),
    *("maker", "taker", "holder", "operator", "exchange", "nonce", "wakes", "valid_from", "valid_until"),
    *("status", "source", "approved", "reason", "seen_at", "gone_at"),
)


def _asks() -> Iterator[str]:
    for row in pages(Ask, _ASK):
        _, slug, kind, address, token_key, market, order_hash, currency, price, start, end, *rest = row
        price_from, price_until, amount, maker, taker, holder, operator, exchange, nonce, wakes, *rest = rest
        valid_from, valid_until, status, source, approved, reason, seen_at, gone_at = rest
        # What the chain said of approvals, and against a source's word, is not written: what it came to is.
        approved = False if reason in (Ask.Reason.NO_APPROVAL, Ask.Reason.REFUSED) else approved
        gone_at = None if status == Ask.Status.OPEN and reason != Ask.Reason.GONE else gone_at
        yield line(
            "ask",
            ("chain", slug),
            ("contractAddress", None if kind == MINT else address),
            ("tokenId", token_id_from_key(token_key)),
            ("marketplace", market),
            ("orderHash", order_hash),
            ("currency", currency),
            ("price", _decimal(price if start is None else start)),
            ("endPrice", None if end is None else _decimal(end)),
            ("priceFrom", price_from),
            ("priceUntil", price_until),
            ("amount", _digits(amount)),
            ("maker", maker),
            ("taker", taker),
            ("holder", holder),
            ("operator", operator),
            ("approved", approved),
            ("exchange", exchange),
            ("nonce", _digits(nonce)),
            ("wakes", None if wakes else False),
            ("validFrom", valid_from or None),
            ("validUntil", None if valid_until == FOREVER else valid_until),
            ("status", status),
            ("source", None if source == LOADED else source),
            ("seenAt", seen_at),
            ("goneAt", gone_at),
        )


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
