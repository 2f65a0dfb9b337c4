"""Brings the sample into an empty database."""

from __future__ import annotations

from pathlib import Path

from core.db.writing import writing
from interchange.load import LoadReport, load_files
from tokens.models import Contract, Nft

SAMPLE = Path(__file__).with_name("sample.jsonl")


class NotEmptyError(Exception):
    """The database holds a contract or an NFT already."""


def load_sample() -> LoadReport:
    """Load the sample in one transaction: a load that is killed leaves the database empty, as it was.

    Raises :class:`NotEmptyError`, having written nothing, when there is a contract or an NFT.
    """
    with writing():
        if Contract.objects.exists() or Nft.objects.exists():
            raise NotEmptyError
        report = load_files([str(SAMPLE)], strict=True)
        if report.fault_count:
            raise RuntimeError(f"The sample is faulty: {report.faults[0]}")  # takes the transaction back
    return report
