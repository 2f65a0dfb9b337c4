"""Transactions made by hand, log by log, and what they were judged to be."""

from __future__ import annotations

from collections.abc import Sequence

from indexing.decode.decode import decode
from indexing.decode.moves import Move
from indexing.judge.classify import classify
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Judgement, Verdict
from indexing.node.logs import RawLog
from indexing.node.transactions import ChainTransaction
from tests.ingestion.encoding import ALICE, BLOCK, TRANSACTION, log, word
from tests.markets.explained import hold_together

ETHEREUM = 1
ETHER = "0x" + "0" * 40
WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
POOL_ETHER = "0x0000000000a39bb272e79075ade125fd351887ac"
ONE_ETHER = 10**18
PRICELESS = "It was sold, but nothing in the transaction tells the price."
"""The fault of a sale whose price nothing tells."""


def erc721(contract: str, token_id: int, sender: str, receiver: str, *, index: int) -> RawLog:
    """The `Transfer` of an ERC-721 token."""
    signature = "Transfer(address,address,uint256)"
    return log(signature, [sender, receiver, token_id], contract=contract, index=index)


def erc1155(
    contract: str,
    token_id: int,
    amount: int,
    sender: str,
    receiver: str,
    *,
    index: int,
    operator: str = ALICE,
) -> RawLog:
    """The `TransferSingle` of an ERC-1155 token."""
    signature = "TransferSingle(address,address,address,uint256,uint256)"
    data = word(token_id) + word(amount)
    return log(signature, [operator, sender, receiver], data, contract=contract, index=index)


def erc20(currency: str, amount: int, sender: str, receiver: str, *, index: int) -> RawLog:
    """The `Transfer` of an ERC-20 token, in base units."""
    signature = "Transfer(address,address,uint256)"
    return log(signature, [sender, receiver], word(amount), contract=currency, index=index)


def of_transaction(
    logs: Sequence[RawLog], *, sender: str = ALICE, target: str | None = None, value: int = 0
) -> ChainTransaction:
    """A transaction with these logs, which may be given in any order; `value` is in wei."""
    return ChainTransaction(
        hash=TRANSACTION,
        index=5,
        block_number=BLOCK,
        timestamp=1_700_000_000,
        sender=sender,
        target=target,
        value=value,
        logs=tuple(sorted(logs, key=lambda one: one.log_index)),
    )


def moves_of(transaction: ChainTransaction, chain_id: int = ETHEREUM) -> list[Move]:
    """The NFT moves of a transaction, in log order."""
    decoded = decode(transaction.logs, chain_id)
    assert decoded.undecoded == []
    return decoded.moves


def verdict(transaction: ChainTransaction, chain_id: int = ETHEREUM) -> Verdict:
    """What a transaction was, by the built-in markets of a chain; what is told of it may not contradict that."""
    moves = moves_of(transaction, chain_id)
    found = classify(transaction, moves, registry(chain_id))
    hold_together(transaction, moves, found)
    return found


def sold(price: int, currency: str = ETHER) -> Judgement:
    """A sale of one NFT at a price of its own, in base units."""
    return Judgement("sale", currency, price)
