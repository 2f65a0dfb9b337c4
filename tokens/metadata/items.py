"""The NFTs of a batch: what must be known of each to read its metadata, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Case, F, Q, TextField, When

from core.chains import EVM, MINT, ChainKind
from core.db.keys import NEVER, recency_parts
from core.db.leases import Lease
from tokens.metadata.outcomes import FIRST_DAILY, Verdict
from tokens.models import MetadataFetch
from tokens.store.facts import UNSET, NftFacts, identity

_COLUMNS = ("nft_id", "contract_id", "chain_id", "attempts", "state")
_OF_OTHERS = (
    *("chain__slug", "chain__kind", "contract__address", "contract__standard"),
    *("nft__token_key", "nft__uri", "nft__recent__recent_key", "has_metadata", "chain_told"),
)
_HAS_METADATA = Q(nft__metadata__isnull=False)
_CHAIN_TOLD = Case(When(chain__kind=MINT, then=F("nft__metadata")), output_field=TextField())


@dataclass(frozen=True, slots=True)
class Item:
    """An NFT whose metadata is to be read.

    ``attempts`` counts this one, ``state`` is what the one before found, ``uri`` the stored one, if any, ``recent_key``
    that of its last transfer. ``has_metadata``: something is known of it. ``chain_told``: what is, on a chain that
    itself holds the names of its NFTs.
    """

    nft_id: int
    contract_id: int
    chain_id: int
    attempts: int
    state: str
    slug: str
    kind: ChainKind
    address: str
    standard: str
    token_key: str
    uri: str | None
    recent_key: str | None
    has_metadata: bool = False
    chain_told: str | None = None

    @property
    def last_block(self) -> int:
        """The block of its last transfer; 0 when none is known."""
        return recency_parts(self.recent_key)[1] if self.recent_key and self.recent_key != NEVER else 0

    def facts(self) -> NftFacts:
        """Return facts about it that state nothing yet."""
        address = self.address if self.kind == EVM else UNSET  # a mint's collection stays what it is
        return NftFacts(
            self.slug, self.token_key, identity(self.kind, self.slug, address, self.token_key), address
        )


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it came; ``block`` is that at which the contract named its URI."""

    url: str
    body: bytes = field(repr=False)
    media_type: str
    block: int | None


@dataclass(frozen=True, slots=True)
class Result:
    """What an attempt found: facts to write, and the document that they were read from, if there was one.

    ``file``: the token's URI led to the work itself, which is told by these fields of metadata; without a type where it
    is too large to be looked at.
    """

    item: Item
    verdict: Verdict
    facts: NftFacts | None = None
    document: Document | None = None
    file: Mapping[str, str] | None = None

    @property
    def attempts(self) -> int:
        """Attempts in a row, this one included. Those that ended otherwise count as far as they make it wait a day.

        So a server that fails once is not given up on because it has said 404 for weeks.
        """
        counted = self.item.attempts
        return counted if self.item.state == self.verdict.state else min(counted, FIRST_DAILY)


def of(lease: Lease) -> Sequence[Item]:
    """Return the NFTs of a lease, those longest due first."""
    rows = MetadataFetch.objects.filter(pk__in=lease.keys, lease=lease.token)
    rows = rows.annotate(has_metadata=_HAS_METADATA, chain_told=_CHAIN_TOLD)
    found = {row[0]: Item(*row) for row in rows.values_list(*_COLUMNS, *_OF_OTHERS)}
    return [found[key] for key in lease.keys if key in found]
