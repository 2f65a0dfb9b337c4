"""What indexing leaves behind in the database, made by hand: the indexer itself needs a node."""

from __future__ import annotations

from typing import Any

from core.db.keys import uint_key, unscaled
from indexing.models import Block, Evidence, IndexedChain, IndexedContract, MarketFault, PunkBid, UndecodedLog
from indexing.node.logs import RawLog
from indexing.node.transactions import ChainTransaction
from indexing.write.evidence import pack
from tests.builders import ALICE, APES, transaction_hash
from tokens.models import Chain, Market, Nft
from transfers.models import MarketContract, Opening, OrderEvent, OrderFill, PaidToken, TransferStatement

TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
"""keccak256 of Transfer(address,address,uint256) (ERC-20, ERC-721)."""


def an_indexed_chain(slug: str = "ethereum", **fields: Any) -> IndexedChain:
    """A chain that is indexed from a node."""
    return IndexedChain.objects.create(chain=Chain.objects.get(slug=slug), **fields)


def a_checkpoint(
    last_block: int, address: str = "", on: str = "ethereum", first_block: int = 0, at: int | None = None
) -> IndexedContract:
    """A contract (or all) of a chain is indexed up to a block, of a time in Unix seconds."""
    return IndexedContract.objects.create(
        chain=Chain.objects.get(slug=on),
        address=address,
        first_block=first_block,
        next_block=last_block + 1,
        reached_at=at,
    )


def a_block(number: int, on: str = "ethereum") -> Block:
    """A block whose hash is kept."""
    chain = Chain.objects.get(slug=on)
    return Block.objects.create(
        chain=chain, number=number, hash=transaction_hash("block", number), timestamp=number * 12
    )


def an_evidence(number: int, on: str = "ethereum", **fields: Any) -> Evidence:
    """A transaction in a block, with one log of APES and 2 ETH sent along."""
    hash_ = transaction_hash("evidence", number)
    log = RawLog(APES, (TRANSFER_TOPIC,), bytes(32), number, "0x" + "b" * 64, hash_, 0, 5)
    transaction = ChainTransaction(hash_, 0, number, number * 12, ALICE, APES, 2 * 10**18, (log,))
    row = {"packed": pack(transaction), **fields}
    return Evidence.objects.create(
        chain=Chain.objects.get(slug=on), block_number=number, transaction_hash=hash_, **row
    )


def an_undecoded_log(number: int, address: str = APES, on: str = "ethereum") -> UndecodedLog:
    """A log in a block that could not be decoded."""
    return UndecodedLog.objects.create(
        chain=Chain.objects.get(slug=on),
        block_number=number,
        transaction_hash=transaction_hash("evidence", number),
        log_index=5,
        address=address,
        topics=f'["{TRANSFER_TOPIC}"]',
        data="0x" + "00" * 40,
        reason="Transfer with <1> topic and 40 bytes of data",
    )


def an_opening(nft: Nft, address: str = ALICE, amount: str | None = "3") -> Opening:
    """What a holder had at the start of block 99."""
    return Opening.objects.create(nft=nft, address=address, amount=amount, block_number=99)


def a_market_fault(
    number: int,
    price: int = 500,
    protocol: str = "seaport-1.5",
    on: str = "ethereum",
    currency: str = "0x" + "0" * 40,
) -> MarketFault:
    """A market event in a block that its transaction does not bear out; only a price in ether has a value."""
    return MarketFault.objects.create(
        chain=Chain.objects.get(slug=on),
        block_number=number,
        transaction_hash=transaction_hash("evidence", number),
        log_index=5,
        protocol=protocol,
        reason="No one sent the <500> that the event tells.",
        currency=currency,
        price=price,
        eth_value=unscaled(0 if int(currency, 16) else price),
    )


def a_market_contract(address: str = APES, market: str = "opensea", on: str = "ethereum") -> MarketContract:
    """A contract with Seaport's events that an operator added."""
    return MarketContract.objects.create(
        chain=Chain.objects.get(slug=on),
        address=address,
        protocol="seaport-1.5",
        market=Market.objects.get(slug=market),
    )


def an_order_fill(number: int, order_hash: str = "0x" + "0d" * 32, on: str = "ethereum") -> OrderFill:
    """An order that was filled in a block."""
    return OrderFill.objects.create(
        chain=Chain.objects.get(slug=on),
        order_hash=order_hash,
        transaction_hash=transaction_hash("evidence", number),
        log_index=5,
        units=1,
    )


def an_order_event(number: int, on: str = "ethereum", **fields: Any) -> OrderEvent:
    """A contract of a market said something of an order: by default that an NFT was offered."""
    told: dict[str, Any] = {
        "kind": "opened",
        "market": "foundation",
        "exchange": APES,
        "contract": APES,
        "token_key": uint_key(number),
        "order_hash": f"{APES}:{number}",
        "maker": ALICE,
        "operator": APES,
        **fields,
    }
    return OrderEvent.objects.create(
        chain=Chain.objects.get(slug=on),
        block_number=number,
        log_index=0,
        transaction_hash=transaction_hash("order event", number),
        timestamp=12 * number,
        **told,
    )


def a_statement(number: int, on: str = "ethereum") -> TransferStatement:
    """What was stated of a transfer without a log index."""
    return TransferStatement.objects.create(
        chain=Chain.objects.get(slug=on),
        transaction_hash=transaction_hash("evidence", number),
        nft=Nft.objects.first(),
        stated='{"native":"{}"}',
    )


def a_paid_token(address: str = APES, on: str = "ethereum") -> PaidToken:
    """A token that something was paid in."""
    chain = Chain.objects.get(slug=on)
    return PaidToken.objects.create(chain=chain, address=address, name="Gold", symbol="GLD", decimals=8)


def a_punk_bid(number: int, on: str = "ethereum") -> PunkBid:
    """A bid for punk 7."""
    return PunkBid.objects.create(
        chain=Chain.objects.get(slug=on),
        block_number=number,
        log_index=5,
        contract_address=APES,
        token_key=uint_key(7),
        bidder=ALICE,
        value=60,
    )
