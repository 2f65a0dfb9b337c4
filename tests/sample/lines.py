"""The lines of the sample, by their kinds."""

from __future__ import annotations

import json
from typing import Any

from nftsite.sample.loading import SAMPLE

LINES: list[dict[str, Any]] = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


def of(record: str) -> list[dict[str, Any]]:
    """The lines of one kind."""
    return [line for line in LINES if line["record"] == record]


CONTRACTS, NFTS, TRANSFERS, ASKS = map(of, ("contract", "nft", "transfer", "ask"))
