"""How frequent traits are: of one token, and of a contract as a whole."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from rest_framework.exceptions import ErrorDetail, ValidationError

from compat.contracts import ContractRow
from core.rest.records import Record
from core.rest.shares import one_of_few
from media.links import Links
from tokens.metadata.trait_texts import value_text
from tokens.models import TraitValue
from tokens.records.metadata import metadata_record
from tokens.records.nft import nft_rows, pictures_of
from tokens.records.traits import Population, trait_counts

CHEAP: Final = 2_000
MOST: Final = 10_000
"""Values that a contract's traits may have, up to which all of them are told: each is a row."""


def rarities(nft_id: int, links: Links) -> list[Record]:
    """Return the traits of an NFT, each with the share of the contract's known NFTs that have it, by two queries."""
    (row,) = nft_rows([nft_id])
    counts = trait_counts([nft_id]).get(nft_id, {}) if row.contract_address else {}
    population = Population(row.nft_count, row.rarity_computed, counts)
    told = metadata_record(row.metadata, pictures_of(row, links), population) or {}
    return [_rarity(trait) for trait in told.get("traits", ())]


def _rarity(trait: Record) -> Record:
    percent = trait.get("traitPercentFrequency")
    return {
        "value": value_text(trait["traitValue"]),
        "traitType": value_text(trait.get("traitType", "")),
        "prevalence": None if percent is None else percent / 100,
        "count": trait.get("traitFrequency"),
    }


def summary(contract: ContractRow) -> dict[str, dict[str, int]]:
    """Return how many NFTs of a contract have each value of each type of trait, by at most two queries.

    Raises ``ValidationError`` for a contract with more than :data:`MOST` values.
    """
    found = _counts(contract, CHEAP)
    if len(found) > CHEAP:
        with one_of_few():
            found = _counts(contract, MOST)
    if len(found) > MOST:
        text = f"Too expensive: the traits of this contract have more than {MOST:,} values."
        raise ValidationError({"contractAddress": [ErrorDetail(text, code="invalid")]})
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    for kind, value, count in sorted(found):
        counts[kind][value] = count
    return dict(counts)


def _counts(contract: ContractRow, most: int) -> list[Any]:
    rows = TraitValue.objects.filter(contract_id=contract.id, count__gt=0)
    return list(rows.values_list("type", "value", "count")[: most + 1])
