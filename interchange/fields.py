"""Which keys a line of each record kind may have, where each value goes, and how it is read."""

from __future__ import annotations

from typing import Any, NamedTuple

from core import values
from core.chains import EVM, MINT, ChainKind
from core.values import Reader, WrongValueError
from interchange.nested import nft_value, owner_list, owner_of, swap_list
from tokens.ens import names as ens
from tokens.prices.pricing import MOST_DECIMALS


class Field(NamedTuple):
    """Where a key's value goes; ``clears``: whether ``null`` is taken, and clears it."""

    name: str
    read: Reader
    clears: bool = True


def ens_name(value: Any) -> str | None:
    """An ENS name in its normal form."""
    if not values.string(value):
        return None
    try:
        return ens.normalised(value)
    except ValueError as error:
        raise WrongValueError(f"is not a valid ENS name: {error}.") from None


# What depends on the kind of chain: readers of (contract, token id, account, transaction).
CONTRACT: dict[ChainKind, Reader] = {EVM: values.evm_address, MINT: values.collection}
TOKEN: dict[ChainKind, Reader] = {EVM: values.evm_token, MINT: values.mint_token}
ACCOUNT: dict[ChainKind, Reader] = {EVM: values.evm_address, MINT: values.mint_account}
TRANSACTION: dict[ChainKind, Reader] = {EVM: values.evm_hash, MINT: values.mint_signature}

_MARKED = {
    "marked": Field("marked", values.flag),
    "markedReason": Field("marked_reason", values.text(10_000)),
}
CONTRACT_FIELDS = _MARKED | {
    "contractStandard": Field("standard", values.text(40)),
    "name": Field("name", values.text(10_000)),
    "symbol": Field("symbol", values.text(10_000)),
    "ensName": Field("ens_name", ens_name),
}
CURRENCY_FIELDS = {"aliasOf": Field("alias_of", values.symbol), "wraps": Field("wraps", values.symbol)}
CURRENCY_TOKEN_FIELDS = {"decimals": Field("decimals", values.whole(MOST_DECIMALS), clears=False)}
MARKET_FIELDS = {"name": Field("name", values.text(80))}
MARKET_CONTRACT_FIELDS = {"protocol": Field("protocol", values.text(40))}
CHAIN_FIELDS = {
    "kind": Field("kind", values.one_of(EVM, MINT), clears=False),
    "chainId": Field("chain_id", values.whole(2**63 - 1)),
    "nativeCurrency": Field("native_currency", values.symbol, clears=False),
}


def _nft_fields(kind: ChainKind) -> dict[str, Field]:
    return _MARKED | {
        "uri": Field("uri", values.text(10_000_000)),
        "rarity": Field("rarity", values.number),
        "rank": Field("rank", values.number),
        "minter": Field("minter", owner_of(ACCOUNT[kind])),
        "markets": Field("markets", values.slugs),
        "asOfBlock": Field("as_of_block", values.block),
        "asOf": Field("as_of", values.seconds),
    }


def _transfer_fields(kind: ChainKind) -> dict[str, Field]:
    account = ACCOUNT[kind]
    return {
        "blockNumber": Field("block_number", values.block, clears=False),
        "timestamp": Field("timestamp", values.seconds, clears=False),
        "fromAddress": Field("from_address", account),
        "toAddress": Field("to_address", account),
        "transactionFrom": Field("transaction_from", account),
        "amount": Field("amount", values.uint256, clears=False),
        "value": Field("value", values.uint256),
        "nftValue": Field("nft_value", nft_value(account)),
        "usdValue": Field("usd_value", values.amount_of_money),
        "ethValue": Field("eth_value", values.amount_of_money),
        "isCommercial": Field("is_commercial", values.flag),
        "transferType": Field("transfer_type", values.one_of("mint", "transfer", "sale", "swap", "burn")),
        "markets": Field("markets", values.slugs),
        "swaps": Field("swaps", swap_list(account, TOKEN[kind])),
    }


def _ask_fields(kind: ChainKind) -> dict[str, Field]:
    return {
        "currency": Field("currency", values.symbol, clears=False),
        "price": Field("price", values.decimal(60), clears=False),
        "amount": Field("amount", values.uint256),
        "maker": Field("maker", ACCOUNT[kind]),
        "validFrom": Field("valid_from", values.seconds),
        "validUntil": Field("valid_until", values.seconds),
        "status": Field("status", values.one_of("open", "filled", "cancelled")),
        "taker": Field("taker", owner_of(ACCOUNT[kind])),
        "holder": Field("holder", ACCOUNT[kind]),
        "operator": Field("operator", ACCOUNT[kind]),
        "approved": Field("approved", values.flag),
        "exchange": Field("exchange", ACCOUNT[kind]),
        "nonce": Field("nonce", values.uint256),
        "wakes": Field("wakes", values.flag),
        "endPrice": Field("end_price", values.decimal(60)),
        "priceFrom": Field("price_from", values.seconds),
        "priceUntil": Field("price_until", values.seconds),
        "source": Field("source", values.text(40)),
        "seenAt": Field("seen_at", values.seconds),
        "goneAt": Field("gone_at", values.seconds),
    }


_KINDS: tuple[ChainKind, ...] = (EVM, MINT)
NFT_FIELDS = {kind: _nft_fields(kind) for kind in _KINDS}
TRANSFER_FIELDS = {kind: _transfer_fields(kind) for kind in _KINDS}
ASK_FIELDS = {kind: _ask_fields(kind) for kind in _KINDS}
OWNERS = {kind: owner_list(ACCOUNT[kind]) for kind in _KINDS}
OWNER = {kind: owner_of(ACCOUNT[kind]) for kind in _KINDS}
