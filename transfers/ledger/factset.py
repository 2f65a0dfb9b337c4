"""Facts of any kind, written with all that follows from them, in one transaction of the caller's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar, cast

from django.db.models import Exists, OuterRef, Q, Subquery

from core.batches import batched
from core.db import bulk
from tokens.models import Ask, Nft, StatedOwnership
from tokens.store import asks, chains, contracts, currencies, ens, fetches, markets, nfts, rates, takedowns
from tokens.store.chains import ChainRow
from tokens.store.facts import (
    UNSET,
    AskFacts,
    ChainFacts,
    ContractFacts,
    CurrencyFacts,
    CurrencyTokenFacts,
    EnsFacts,
    Identity,
    MarketFacts,
    NftFacts,
    RateFacts,
    TakedownFacts,
)
from tokens.store.nfts import Mentions, NftIds
from transfers.ledger import (
    derive,
    derived_rows,
    fills,
    market_contracts,
    openings,
    order_asks,
    orders,
    orphans,
    transfers,
    values,
)
from transfers.ledger.ledger import NOBODY
from transfers.ledger.openings import NO_CHANGES, OpeningChanges
from transfers.ledger.orders import Placed
from transfers.ledger.transfer_facts import FillFacts, MarketContractFacts, TransferFacts
from transfers.models import Transfer

_NO_SIGNER = (UNSET, *NOBODY)
_OF_NFTS = (NftFacts, TransferFacts, AskFacts)
RESTATED_AT_ONCE = 5_000
T = TypeVar("T")


class FactSet:
    """Facts that are written together, in the order in which they came, ``of_chain`` as its logs tell them or stated.

    ``mentions``: the NFTs and contracts that they name. ``mints``: the NFTs that have a whole transfer here, with who
    signed each mint. ``named``: the NFTs that a source names by a record of their own or by a whole transfer or ask.
    """

    def __init__(self, *, of_chain: bool = False) -> None:
        self.of_chain = of_chain
        self.facts: dict[type, list[Any]] = defaultdict(list)
        self.mentions = Mentions()
        self.mints: dict[Identity, list[str | None]] = {}
        self.named: set[Identity] = set()

    def of(self, kind: type[T]) -> list[T]:
        """Return the facts of one kind, in order."""
        return self.facts.get(kind, [])

    def take(self, one: Any) -> None:
        """Sort a fact in, and do all the work on it that needs no database."""
        self.facts[type(one)].append(one)
        if isinstance(one, _OF_NFTS) and one.identity is not None:
            self.mentions.add(one.identity, cast(str, one.token_key), one.address)
            if not self.of_chain and _is_whole(one):
                self.named.add(one.identity)
        elif isinstance(one, ContractFacts):
            self.mentions.contracts[one.chain, one.address] = None
        elif isinstance(one, TakedownFacts) and one.reason is not None:  # one that is lifted names nothing
            if one.identity is not None:
                address = one.identity[1] if len(one.identity) == 3 else UNSET
                self.mentions.add(one.identity, one.token_key, address)
            elif isinstance(one.address, str):
                self.mentions.contracts[one.chain, one.address] = None
        if isinstance(one, TransferFacts):
            transfers.prepare(one)
            if one.identity is not None and transfers.is_whole(one):
                mints = self.mints.setdefault(one.identity, [])
                if one.from_address in NOBODY:
                    mints.append(
                        None if one.transaction_from in _NO_SIGNER else cast(str, one.transaction_from)
                    )


def _is_whole(one: NftFacts | TransferFacts | AskFacts) -> bool:
    """Tell whether facts say all that a new row needs, so that the NFT that they are of is one whatever comes."""
    if isinstance(one, TransferFacts):
        return UNSET not in (one.block_number, one.timestamp)
    return not isinstance(one, AskFacts) or UNSET not in (one.currency, one.price)


class RefusedError(Exception):
    """Facts that cannot be written as things are, each with the reason.

    ``waiting``: those of unknown transfers and asks that lack what other facts of the same may still bring.
    """

    def __init__(self, faults: list[tuple[Any, str]], waiting: list[tuple[Any, str]]) -> None:
        super().__init__(f"{len(faults) + len(waiting)} facts")
        self.faults = faults
        self.waiting = waiting


def write(facts: FactSet, opened: OpeningChanges = NO_CHANGES) -> NftIds:
    """Write facts and all that follows from them; return the NFTs that they name. Called within ``writing()``.

    ``opened`` is what changes of the openings of NFTs that the facts name.

    Raises :class:`RefusedError` for those that turn out not to be writable. Then the transaction is to be rolled back,
    since it may hold what such a fact only mentioned.
    """
    refused: list[tuple[Any, str]] = []
    waiting: list[tuple[Any, str]] = []

    def refuse(one: Any, reason: str, *, waits: bool = False) -> None:
        (waiting if waits else refused).append((one, reason))

    bulk.keyed_plans()
    chains.write(facts.of(ChainFacts))
    currencies.write(facts.of(CurrencyFacts))
    currencies.write_tokens(facts.of(CurrencyTokenFacts))
    markets.write(facts.of(MarketFacts))
    market_contracts.write(facts.of(MarketContractFacts))
    ens.write(facts.of(EnsFacts))
    write_rates(facts.of(RateFacts))
    known = chains.known()
    contract_rows = contracts.write(
        facts.of(ContractFacts), facts.mentions.contracts, known, of_chain=facts.of_chain
    )
    # Who minted an NFT is known in advance where one fact alone says so.
    minters = {identity: mints[0] if len(mints) == 1 else None for identity, mints in facts.mints.items()}
    found = nfts.write(facts.of(NftFacts), facts.mentions.homes, contract_rows, known, minters, facts.named)
    _follow(found.moved)
    fetches.state_given(_with_metadata(facts.of(NftFacts), found))
    changes = transfers.write(facts.of(TransferFacts), found, refuse)
    asked = asks.write(facts.of(AskFacts), found, refuse)
    if refused or waiting:
        raise RefusedError(refused, waiting)
    asked |= fills.write(facts.of(FillFacts), known) if facts.of(FillFacts) else set()
    held = openings.write(opened, found.rows)
    restated = found.changed | {nft_id for nft_id, _, _ in opened.gone}
    standards = {row.id: row.standard for row in contract_rows.rows.values()}
    bare = derived_rows.bare(found, standards, held)
    derive.refresh(changes=changes, restated=restated, asked=asked, fresh=found.fresh, opened=held, bare=bare)
    _restate(contract_rows.restated | found.restated)
    released = takedowns.write(facts.of(TakedownFacts), known)
    if not facts.of_chain:  # a line may have taken a transfer or an ask from an NFT that no other names
        named = found.mentioned | changes.changed | asked | set(released)
        orphans.remove(named - changes.arrived.keys())
    return found


def write_orders(chain: ChainRow, placed: Sequence[Placed]) -> None:
    """Keep what logs said of orders, and bring the asks that they open, reprice and end into line.

    What the same blocks moved is written before: who offers an NFT may follow from it. Called within ``writing()``.
    """
    new = orders.write(chain, placed)
    if new:
        write_asks(order_asks.asks_of(chain, new))
        derive.refresh(asked=orders.touched(new))


def rewrite_orders(chain: ChainRow, gone: Sequence[orders.Row], placed: Sequence[Placed]) -> None:
    """Keep what contracts were asked about orders in the place of what they said before, and bring asks into line.

    Called within ``writing()``.
    """
    orders.drop(gone)
    changed = [*gone, *orders.write(chain, placed)]
    if changed:
        derive.refresh(asked=orders.touched(changed))


def write_asks(found: Sequence[AskFacts]) -> None:
    """Write asks that follow from the chain alone. Called within ``writing()``."""
    if found:
        facts = FactSet(of_chain=True)
        for one in found:
            facts.take(one)
        write(facts)


def write_rates(facts: Sequence[RateFacts]) -> None:
    """Write rates, and bring the sort keys of asks and the values of transfers into line with them.

    Called within ``writing()``.
    """
    changed = rates.write(facts) if facts else ()
    if changed:
        rates.rekey()
        values.fill(changed)


def _with_metadata(stated: Iterable[NftFacts], found: NftIds) -> list[int]:
    """Return the ids of NFTs whose metadata is stated and that may be waiting for it."""
    rows = (found.rows[one.identity] for one in stated if isinstance(one.metadata, str))
    return [row.id for row in rows if row.id not in found.fresh]


def _follow(nft_ids: Iterable[int]) -> None:
    """Have the transfers of NFTs follow them into another collection."""
    nft_ids = sorted(nft_ids)
    if nft_ids:
        contract = Nft.objects.filter(id=OuterRef("nft_id")).values("contract_id")
        for part in batched(nft_ids, RESTATED_AT_ONCE):
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
        for part in batched(list(concerned.order_by("id").values_list("id", flat=True)), RESTATED_AT_ONCE):
            derive.refresh(restated=set(part))
