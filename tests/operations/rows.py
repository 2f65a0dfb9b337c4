"""Rows of records made by hand: what the builders of records take, and rows in the database without a loader."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from core.db.keys import recency_key, scaled, token_key, uint_key
from media.links import Links
from media.models import CachedImage
from tests.builders import ALICE, APES, ZERO, transaction_hash
from tokens.models import (
    Ask,
    Chain,
    Contract,
    Currency,
    Market,
    Nft,
    NftRecent,
    NftTrait,
    NftTraitRecent,
    TraitValue,
)
from tokens.models.trait import label_key, pair_key
from tokens.records.nft import NftRow
from transfers.models import Transfer
from transfers.records.transfer import TransferRow

LINKS = Links("https://nft.example")


def decimal_key(number: str) -> str:
    """Return a decimal as a row has it."""
    return uint_key(scaled(Decimal(number)))


BARE_NFT = NftRow._make([None] * len(NftRow._fields))._replace(
    id=1,
    chain="ethereum",
    chain_kind="evm",
    contract_address=APES,
    contract_standard="",
    nft_count=1,
    rarity_computed=False,
    token_key=token_key("7"),
)
"""An NFT of which nothing but its identity is known."""

BARE_TRANSFER = TransferRow._make([None] * len(TransferRow._fields))._replace(
    id=1,
    contract_address=APES,
    token_key=token_key("7"),
    chain="ethereum",
    block_number=12,
    transaction_hash=transaction_hash("bare"),
    amount=uint_key(1),
    timestamp=1_600_000_000,
    markets="[]",
    swaps="[]",
)
"""A transfer of which only what every record has is known."""


def make_contract(address: str = APES, on: str = "ethereum", **fields: Any) -> Contract:
    """Store a contract."""
    chain = Chain.objects.get(slug=on)
    return Contract.objects.create(chain=chain, address=address, folded_address=address.lower(), **fields)


def make_nft(
    contract: Contract, token_id: str = "1", *, owners_total: int | None = None, **fields: Any
) -> Nft:
    """Store an NFT that was never transferred."""
    nft = Nft.objects.create(chain=contract.chain, contract=contract, token_key=token_key(token_id), **fields)
    NftRecent.objects.create(
        nft=nft,
        contract=contract,
        chain=contract.chain,
        token_key=nft.token_key,
        owners_total=owners_total,
    )
    return nft


def make_trait(nft: Nft, kind: str, value: str, count: int) -> None:
    """Store that an NFT has a trait, which ``count`` NFTs have."""
    trait, _ = TraitValue.objects.get_or_create(
        contract=nft.contract,
        pair_key=pair_key(kind, value),
        defaults={"type": kind, "value": value, "count": count, "label_key": label_key(f"{kind}-{value}")},
    )
    NftTrait.objects.create(nft=nft, trait=trait, token_key=nft.token_key)
    NftTraitRecent.objects.create(nft=nft, trait=trait)


def make_ask(nft: Nft, price: str, *, currency: str = "ETH", market: str = "opensea", **fields: Any) -> Ask:
    """Store an active ask; its price alone decides its place."""
    return Ask.objects.create(
        chain=nft.chain,
        contract=nft.contract,
        nft=nft,
        market=Market.objects.get(slug=market),
        currency=Currency.objects.get(symbol=currency),
        order_hash=f"order {Ask.objects.count()}",
        price=Decimal(price),
        price_key="0" + uint_key(int(Decimal(price) * 10**18)),
        **fields,
    )


def make_transfer(nft: Nft, block: int = 1, **fields: Any) -> Transfer:
    """Store a transfer, the NFT's last one."""
    known: dict[str, Any] = {
        "transaction_hash": transaction_hash(nft.pk, block),
        "from_address": ZERO,
        "to_address": ALICE,
        "timestamp": 1_600_000_000 + block,
        "amount": 1,
    }
    place = recency_key(1_600_000_000 + block, block)
    transfer = Transfer.objects.create(
        chain=nft.chain,
        contract=nft.contract,
        nft=nft,
        block_number=block,
        log_index=0,
        recent_key=place,
        **known | fields,
    )
    NftRecent.objects.filter(nft=nft).update(recent_key=place, last_transfer_id=transfer.pk)
    Nft.objects.filter(pk=nft.pk).update(transferred=True)
    return transfer


def make_image(url: str = "https://images.example/1.png", **fields: Any) -> CachedImage:
    """Store a cached image."""
    return CachedImage.objects.create(key=url[-32:], url=url, **fields)
