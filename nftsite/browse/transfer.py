"""One transfer, and how it was found what it was, in words for everyone."""

from __future__ import annotations

from typing import Any

from core.rest.states import Link
from indexing.admin.explanations import told_of
from media.links import Links
from nftsite.browse import explorers
from nftsite.browse.nft import address_of
from nftsite.browse.places import is_named
from nftsite.browse.words import found_by
from tokens.browse.beside import NOTHING, beside, identity
from transfers.models import Transfer
from transfers.records.cards import transfer_row
from transfers.records.transfer import transfer_records


def transfer_of(chain: str, transaction: str, log_index: int, batch_index: int) -> Transfer | None:
    """Return a transfer by its identity, the hash in any letter case where that tells nothing."""
    if (
        not transaction.isascii()
        or not transaction.isprintable()
        or len(transaction) > 90
        or max(log_index, batch_index) >= 2**31
    ):
        return None
    hash_ = transaction.lower() if transaction[:2].lower() == "0x" else transaction
    rows = Transfer.objects.select_related("chain", "contract__chain", "nft__contract__chain")
    place = {"log_index": log_index, "batch_index": batch_index}
    found = rows.filter(transaction_hash=hash_, **place)
    return next((row for row in found if is_named(row.chain, chain)), None)


def context(transfer: Transfer, links: Links) -> dict[str, Any]:
    """Return what the page of a transfer shows."""
    record = transfer_records([transfer.pk], links=links)[0]
    own = beside([transfer.nft_id], links).get(identity(record), NOTHING)
    chain = transfer.chain.slug
    ends = (transfer.from_address, transfer.to_address)
    at = [explorers.of_transaction(chain, transfer.transaction_hash)]
    at += [explorers.of_address(chain, end) for end in ends if end]
    names = ("Transaction", "Sender", "Receiver")
    return {
        "row": transfer_row(record, own),
        "transfer": transfer,
        "chain": chain,
        "collection": own.collection,
        "nft_url": address_of(transfer.nft),
        "found_by": found_by(record, transfer.judged),
        "explanation": told_of(transfer),
        "explorers": [
            Link(f"{name} at {link.text}", link.url) for name, link in zip(names, at, strict=False) if link
        ],
    }
