"""The queue of metadata in tests: work it off as if all had been read, see what waits in it, and rows made by hand."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from core.db.keys import uint_key
from tokens.models import Contract, ContractRarity, MetadataDocument, MetadataFetch, MetadataRefresh, Nft
from tokens.store import fetches


def a_document(nft: Nft, body: bytes = b'{"name": "one"}', **fields: Any) -> MetadataDocument:
    """What an NFT's metadata was read from."""
    given = {
        "url": "https://example.com/1.json",
        "media_type": "application/json",
        "fetched_at": timezone.now(),
    }
    return MetadataDocument.objects.create(nft=nft, body=body, **{**given, **fields})


def a_refresh(contract: Contract, first: int = 1, last: int = 9) -> MetadataRefresh:
    """A range of tokens to be read again."""
    return MetadataRefresh.objects.create(
        contract=contract,
        next_key=uint_key(first),
        last_key=uint_key(last),
        reason="The contract said so in block 7.",
        requested_at=timezone.now(),
    )


def a_rarity(contract: Contract) -> ContractRarity:
    """A contract whose rarity is to be computed."""
    return ContractRarity.objects.create(contract=contract, due_at=timezone.now())


def all_read() -> None:
    """Have all metadata that waits read, none of it to be read again by itself."""
    fetches.expand(10**6, timezone.now())
    now = timezone.now()
    MetadataFetch.objects.update(
        state=MetadataFetch.State.READY, attempts=0, next_attempt_at=None, lease="", tried_at=now
    )


def waits(address: str | None = None) -> set[int]:
    """The token ids, of a contract or of all, whose metadata is to be read now."""
    fetches.expand(10**6, timezone.now())
    assert not MetadataRefresh.objects.exists()
    due = MetadataFetch.objects.filter(
        state=MetadataFetch.State.PENDING, next_attempt_at__lte=timezone.now(), lease=""
    )
    rows = due if address is None else due.filter(contract__address=address)
    return {int(key[2:]) for key in rows.values_list("nft__token_key", flat=True)}
