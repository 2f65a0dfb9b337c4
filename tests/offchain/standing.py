"""Prints how the metadata of a database stands, as one JSON object: `python -m tests.offchain.standing`.

For a process of its own, since the tests' process has another database.
"""

from __future__ import annotations

import json
import sys
from collections import Counter

import django


def main() -> None:
    """Print states, rows that somebody holds, what each NFT says of itself, and the counts of traits."""
    django.setup()
    from tokens.models import MetadataDocument, MetadataFetch, Nft, NftTrait, TraitValue

    fetches = MetadataFetch.objects.values_list("state", "lease", "attempts")
    standing = {
        "states": Counter(state for state, _, _ in fetches),
        "held": sum(1 for _, lease, _ in fetches if lease),
        "metadata": {nft.token_id: json.loads(nft.metadata or "null") for nft in Nft.objects.all()},
        "scored": Nft.objects.filter(rarity__isnull=False).count(),
        "documents": MetadataDocument.objects.count(),
        "traits": {f"{one.type}-{one.value}": one.count for one in TraitValue.objects.all()},
        "postings": Counter(
            f"{kind}-{value}" for kind, value in NftTrait.objects.values_list("trait__type", "trait__value")
        ),
    }
    json.dump(standing, sys.stdout)


if __name__ == "__main__":
    main()
