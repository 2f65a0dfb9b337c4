"""What the tests of loading share: the dump of the test database, and snapshots of what is derived in it."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

from interchange.dump import dump
from tests.builders import Line, load_lines
from tokens.models import Contract, Nft, NftMarket, NftRecent, NftTrait, NftTraitRecent, Owner, TraitValue
from transfers.models import Transfer

MINT_A = "So11111111111111111111111111111111111111112"
MINT_B = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
COLLECTION = "J1S9H3QjnRtBbbuD4HjPV6RpRhwuk4zKbxsnCHuTgh9w"
OTHER_COLLECTION = "SMBH3wF6baUj6JWtzYvqcKuj2XCKWDqQxzspY12xPND"


def dumped() -> str:
    """The dump of the test database."""
    out = io.StringIO()
    dump(out)
    return out.getvalue()


def load(*lines: Line | str, **options: Any) -> None:
    """Load lines as one file, all of which must be good."""
    report = load_lines(lines, **options)
    assert [str(fault) for fault in report.faults] == []


def fault_of(line: Line | str, *before: Line) -> str:
    """Load lines of which the last one must be the only bad one, and return its reason."""
    report = load_lines([*before, line])
    assert report.fault_count == 1, report.faults
    assert report.faults[0].line == len(before) + 1
    return report.faults[0].reason


def derived() -> dict[str, list[tuple[Any, ...]]]:
    """What is derived in the database, without ids, which two histories of writes may number differently."""
    nft = ("nft__chain__slug", "nft__contract__address", "nft__token_key")
    wide = ("chain__slug", "contract__address", "token_key", "minter", "marked", "transferred", "rarity_key")
    return {
        "nfts": _rows(Nft.objects.values_list(*wide)),
        "recent": _rows(
            NftRecent.objects.values_list(
                *nft, "contract__address", "recent_key", "markets", "owners_total", "marked"
            )
        ),
        "owners": _rows(
            Owner.objects.values_list(
                *(*nft, "address", "amount", "entered_key", "entered_at_block", "entered_at"),
                *("updated_at_block", "updated_at"),
            )
        ),
        "markets": _rows(
            NftMarket.objects.values_list(
                *(
                    *nft,
                    "market__slug",
                    "contract__address",
                    "traded",
                    "recent_key",
                    "token_key",
                    "rarity_key",
                )
            )
        ),
        "contracts": _rows(
            Contract.objects.exclude(address="", nft_count=0).values_list(
                "address", "nft_count", "marks_pending"
            )
        ),
        "traits": _rows(
            TraitValue.objects.values_list("contract__address", "type", "value", "label_key", "count")
        ),
        "postings": _rows(
            NftTrait.objects.values_list(*nft, "trait__type", "trait__value", "token_key", "rarity_key")
        ),
        "recent postings": _rows(
            NftTraitRecent.objects.values_list(*nft, "trait__type", "trait__value", "recent_key")
        ),
        "values": _rows(
            Transfer.objects.values_list("transaction_hash", "log_index", "usd_value", "eth_value")
        ),
        "last": _rows(
            (NftRecent.objects.get(nft=t.nft_id).nft_id == t.nft_id, t.transaction_hash, t.log_index)
            for t in Transfer.objects.filter(id__in=NftRecent.objects.values("last_transfer_id"))
        ),
    }


def _rows(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=repr)
