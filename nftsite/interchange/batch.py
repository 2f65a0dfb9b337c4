"""A batch of lines: read into facts, and written in one transaction with all that follows from them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from django.db.models import Exists, OuterRef, Q, Subquery

from nftsite.chains import ChainKind
from nftsite.db import bulk
from nftsite.interchange.jsontext import BadLineError
from nftsite.interchange.lines import RawLine
from nftsite.interchange.records import Facts, read_line
from nftsite.net.addresses import SYSTEM_PROGRAM, ZERO_ADDRESS
from tokens.facts import (
    UNSET,
    AskFacts,
    ChainFacts,
    ContractFacts,
    EnsFacts,
    Identity,
    NftFacts,
    RateFacts,
)
from tokens.models import Ask, Nft, StatedOwnership
from tokens.store import asks, chains, contracts, ens, nfts, rates
from tokens.store.chains import ChainRow
from tokens.store.nfts import Mentions
from transfers.facts import TransferFacts
from transfers.models import Transfer
from transfers.store import derive, transfers, values

NOBODY = (ZERO_ADDRESS, SYSTEM_PROGRAM)
_NO_SIGNER = (UNSET, *NOBODY)
RESTATED_AT_ONCE = 5_000
T = TypeVar("T")


class ChainNames:
    """The chains that lines may name: by slug, by EIP-155 id and by CAIP-2 name, in lower case."""

    def __init__(self, rows: Mapping[str, ChainRow]) -> None:
        self._rows = dict(rows)
        self.kinds: dict[str, tuple[str, ChainKind]] = {}
        for row in rows.values():
            self._name(row)

    def learn(self, facts: ChainFacts) -> None:
        """Take a chain that a line states. Raises :class:`BadLineError` when it cannot be."""
        fault = chains.fault(facts, self._rows.values())
        if fault:
            raise BadLineError(fault)
        self._rows[facts.slug] = chains.merged(facts, self._rows.get(facts.slug))
        self._name(self._rows[facts.slug])

    def _name(self, row: ChainRow) -> None:
        named = (row.slug, row.kind)
        self.kinds[row.slug] = named
        if row.chain_id is not None:
            self.kinds[str(row.chain_id)] = self.kinds[f"eip155:{row.chain_id}"] = named


@dataclass
class Batch:
    """Consecutive lines and the facts in them, in order.

    ``joining``: it holds last transfers that join the transfer of the same transaction, at the end of a file; they
    are all that is taken of its lines, and all that is left out of those of another batch. ``mints``: the NFTs that
    have a whole transfer here, with who signed each mint. ``counts``: lines by kind of record; ``faults``: number and
    reason of each bad line among them.
    """

    joining: bool = False
    lines: list[RawLine] = field(default_factory=list)
    facts: dict[type, list[Any]] = field(default_factory=lambda: defaultdict(list))
    mentions: Mentions = field(default_factory=Mentions)
    mints: dict[Identity, list[str | None]] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)
    size: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: RawLine, names: ChainNames) -> list[Facts]:
        """Read a line and return all that it states. Raises :class:`BadLineError`."""
        if line.fault:
            raise BadLineError(line.fault)
        facts = read_line(line.text, names.kinds)
        for one in facts:
            if isinstance(one, ChainFacts):
                names.learn(one)
            if is_joining(one) == self.joining:
                self._take(one)
                self.numbers[id(one)] = line.number
        self.lines.append(line)
        self.size += len(line.text)
        self.counts[_kind(facts)] += 1
        return facts

    def of(self, kind: type[T]) -> list[T]:
        """Return the facts of one kind, in order."""
        return self.facts.get(kind, [])

    def _take(self, one: Facts) -> None:
        """Sort a fact in, and do all the work on it that needs no database."""
        self.facts[type(one)].append(one)
        if isinstance(one, NftFacts | TransferFacts | AskFacts) and one.identity is not None:
            self.mentions.add(one.identity, cast(str, one.token_key), one.address)
        if isinstance(one, TransferFacts):
            transfers.prepare(one)
            if one.identity is not None and transfers.is_whole(one):
                mints = self.mints.setdefault(one.identity, [])
                if one.from_address in NOBODY:
                    mints.append(
                        None if one.transaction_from in _NO_SIGNER else cast(str, one.transaction_from)
                    )


def _kind(facts: list[Facts]) -> str:
    """Return the kind of record of the line that facts came from."""
    main = next((one for one in facts if isinstance(one, NftFacts)), facts[0])
    return type(main).__name__.removesuffix("Facts").lower()


def is_joining(facts: Facts) -> bool:
    """Whether these are of a last transfer without log index, which joins one that a later line may bring."""
    return isinstance(facts, TransferFacts) and facts.log_index is None


class RefusedError(Exception):
    """Lines whose facts cannot be written as things are; ``faults``: the reason by number of line."""

    def __init__(self, faults: dict[int, str]) -> None:
        super().__init__(f"{len(faults)} lines")
        self.faults = faults


def write(batch: Batch) -> None:
    """Write a batch and all that follows from it. The caller has opened the transaction.

    Raises :class:`RefusedError` for lines that turn out not to be writable. Then the transaction is to be rolled back,
    since it may hold what such a line only mentioned.
    """
    refused: dict[int, str] = {}

    def refuse(facts: Any, reason: str) -> None:
        refused.setdefault(batch.numbers[id(facts)], reason)

    bulk.keyed_plans()
    chains.write(batch.of(ChainFacts))
    ens.write(batch.of(EnsFacts))
    _write_rates(batch.of(RateFacts))
    known = chains.known()
    contract_rows = contracts.write(batch.of(ContractFacts), batch.mentions.contracts, known)
    # Who minted an NFT is known in advance where one line alone says so.
    minters = {identity: mints[0] if len(mints) == 1 else None for identity, mints in batch.mints.items()}
    found = nfts.write(batch.of(NftFacts), batch.mentions.homes, contract_rows, known, minters)
    _follow(found.moved)
    moves = transfers.write(batch.of(TransferFacts), found, refuse)
    asked = asks.write(batch.of(AskFacts), found, refuse)
    if refused:
        raise RefusedError(refused)
    derive.refresh(moves=moves, restated=found.changed, asked=asked, fresh=found.fresh)
    _restate(contract_rows.restated | found.restated)


def _write_rates(facts: list[RateFacts]) -> None:
    changed = rates.write(facts) if facts else ()
    if changed:
        rates.rekey()
        values.fill(changed)


def _follow(nft_ids: Iterable[int]) -> None:
    """Have the transfers of NFTs follow them into another collection."""
    nft_ids = sorted(nft_ids)
    if nft_ids:
        contract = Nft.objects.filter(id=OuterRef("nft_id")).values("contract_id")
        for part in _parts(nft_ids):
            Transfer.objects.filter(nft_id__in=part).update(contract_id=Subquery(contract))


def _restate(contract_ids: Iterable[int]) -> None:
    """Derive anew what hangs on the standards of contracts."""
    for contract_id in sorted(contract_ids):
        concerned = Nft.objects.filter(
            Q(transferred=True)
            | Exists(StatedOwnership.objects.filter(nft=OuterRef("id")))
            | Exists(Ask.objects.filter(nft=OuterRef("id"))),
            contract_id=contract_id,
        )
        for part in _parts(list(concerned.order_by("id").values_list("id", flat=True))):
            derive.refresh(restated=set(part))


def _parts(ids: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(ids), RESTATED_AT_ONCE):
        yield ids[start : start + RESTATED_AT_ONCE]
