"""What belongs to NFTs but lies in other tables and changes often, by one statement: owners, asks, counts of traits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from core.db.each import Walks, rows_for_each
from core.rest.records import Record
from tokens.prices.currency_worths import DueRates
from tokens.records import asks, owners
from tokens.records.asks import Orderbooks


class Beside(NamedTuple):
    """Owner entries and asks by NFT id, and how many NFTs have a trait by the trait's id as text."""

    owners: dict[int, list[Record]]
    books: Orderbooks
    counts: dict[str, int]


_COUNTS = """
    SELECT 2, id, NULL, NULL, NULL, NULL, NULL, NULL, count, NULL, NULL, NULL FROM tokens_traitvalue WHERE id IN """


def beside(
    owned: Sequence[int], nft_ids: Sequence[int], trait_ids: Collection[str], now: int, due: DueRates
) -> Beside:
    """Return the owners of ``owned``, the asks of all NFTs at ``now``, and the counts of traits.

    Traits that are none any more are left out. The three have the same columns: which of them a row is of, its id, six
    texts, four numbers.
    """
    walks = [Walks(owners.WALK, owned, owners.COLUMNS), Walks(asks.walk(due), nft_ids, asks.COLUMNS)]
    # Their ids are numbers that were written as text.
    terms = [f"{_COUNTS}({','.join(str(int(one)) for one in sorted(trait_ids))})"] if trait_ids else []
    parts: tuple[list[Sequence[Any]], ...] = ([], [], [])
    for row in rows_for_each(walks, terms, now=now):
        parts[row[0]].append(row)
    counts = {str(row[1]): row[8] for row in parts[2]}
    return Beside(owners.owners_of(parts[0]), asks.orderbooks(parts[1], now), counts)
