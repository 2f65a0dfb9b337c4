"""Brings the sample into an empty database."""

from __future__ import annotations

from tempfile import TemporaryFile

from django.conf import settings

from core.db.writing import writing
from interchange.load import LoadReport, load_files
from nftsite.sample.lines import sample
from tokens.models import Contract, Nft


class NotEmptyError(Exception):
    """The database holds a contract or an NFT already."""


def load_sample() -> LoadReport:
    """Load the sample's lines in one transaction: a load that is killed leaves the database empty, as it was.

    Raises :class:`NotEmptyError`, having written nothing, when there is a contract or an NFT.
    """
    _refuse_others()
    settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
    # A file without a name, so that a killed load leaves none; the loader opens it by its descriptor.
    with TemporaryFile(dir=settings.VAR_DIR) as file:
        file.writelines(sample())  # drawing takes seconds, in which the database is not kept from others
        file.seek(0)
        with writing():
            _refuse_others()
            report = load_files([f"/dev/fd/{file.fileno()}"], strict=True)
            if report.fault_count:
                raise RuntimeError(f"The sample is faulty: {report.faults[0]}")  # takes the transaction back
    return report


def _refuse_others() -> None:
    if Contract.objects.exists() or Nft.objects.exists():
        raise NotEmptyError
