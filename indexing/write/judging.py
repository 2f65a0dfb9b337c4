"""Judges the transfers of one chain as its markets are now, and states what comes out like any other source's facts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.db.keys import uint_key
from indexing.contracts.profiles import Profile
from indexing.decode.decode import place, whole
from indexing.decode.moves import ERC1155, Move
from indexing.decode.punks import PunkBids
from indexing.judge.classify import classify
from indexing.judge.markets.listings import Listings
from indexing.judge.markets.reading import Deployment, Registry
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Fault, Judgement, Leg, Share, Verdict
from indexing.node.transactions import ChainTransaction
from indexing.write import listings as stored_listings
from indexing.write import punk_bids as stored_bids
from tokens.store.chains import ChainRow
from tokens.store.facts import ContractFacts
from transfers.ledger import paid_tokens
from transfers.ledger.factset import FactSet
from transfers.ledger.transfer_facts import FillFacts, TransferFacts, VerdictColumns, slugs_text
from transfers.models import MarketContract

NO_ORDER = "0x" + "0" * 64
"""Stands in events for an order that nobody signed."""


class Judged(NamedTuple):
    """A transaction with the moves that are asked about, in log order, and what each of them was."""

    transaction: ChainTransaction
    moves: Sequence[Move]
    judgements: Sequence[Judgement]
    verdict: Verdict
    """Of all that the transaction moved."""
    shares: Sequence[tuple[Share, ...]]
    """How the price of each of the moves was split; empty where that is not known."""

    @property
    def faults(self) -> list[tuple[ChainTransaction, Fault]]:
        """What the rules could not explain, with the transaction."""
        return [(self.transaction, one) for one in self.verdict.faults]


@dataclass(slots=True)
class Judge:
    """What transfers of a chain are judged by."""

    chain: ChainRow
    registry: Registry
    names: dict[str, str | None] = field(default_factory=dict)
    """Names of currencies by contract; ``None`` for one whose contract tells none."""

    bids: PunkBids = field(default_factory=PunkBids)
    """Bids for punks that were entered so far; whoever reads on adds to them."""
    listings: Listings = field(default_factory=Listings)
    """Listings that were made so far, and bids in them; likewise."""

    def judge(self, transaction: ChainTransaction, moves: Sequence[Move], *, complete: bool = True) -> Judged:
        """Say what the moves of a transaction were, in their order.

        Unless they are ``complete`` its other NFTs are read from its logs, and judged along: what was paid for all of
        them is not the price of one.
        """
        if complete:
            verdict = classify(transaction, moves, self.registry, self.bids, self.listings)
            parts = (
                [verdict.shares.get(at, ()) for at in range(len(moves))]
                if verdict.shares
                else [()] * len(moves)
            )
            return Judged(transaction, moves, verdict.judgements, verdict, parts)
        every = whole(transaction, moves, self.chain.chain_id or 0)
        verdict = classify(transaction, every, self.registry, self.bids, self.listings)
        at = {place(move): number for number, move in enumerate(every)}
        own = [at[place(move)] for move in moves]
        parts = [verdict.shares.get(number, ()) for number in own]
        return Judged(transaction, moves, [verdict.judgements[number] for number in own], verdict, parts)

    def unnamed(self, judged: Iterable[Judged]) -> list[str]:
        """Return the currencies of prices of which it is not known whether they have a name."""
        paid = {judgement.currency for one in judged for judgement in one.judgements}
        return sorted(currency for currency in paid if currency is not None and currency not in self.names)

    def columns(self, one: Judged) -> list[VerdictColumns]:
        """Return what the moves of a transaction were as the database has it, one a move."""
        markets, is_commercial = slugs_text(one.verdict.markets), one.verdict.is_commercial
        texts: dict[tuple[Leg, ...], str] = {(): "[]"}
        found = []
        for own, parts in zip(one.judgements, one.shares, strict=True):
            if own.swaps not in texts:
                texts[own.swaps] = _swaps(own.swaps)
            price: tuple[str | None, str | None, str | None] = (None, None, None)
            if own.currency is not None:
                price = own.currency, self.names.get(own.currency), uint_key(own.price)
            shares = _shares(parts) if parts else None
            found.append(
                VerdictColumns(*price, is_commercial, own.transfer_type, markets, texts[own.swaps], shares)
            )
        return found

    def fills(self, one: Judged) -> Iterator[FillFacts]:
        """Yield the orders that a transaction filled."""
        for fill in one.verdict.fills:
            units = max((item.amount for item in (*fill.items, *fill.returned)), default=1)
            for order in dict.fromkeys(fill.order_hashes):
                if order != NO_ORDER and not fill.is_loan:
                    yield FillFacts(self.chain.slug, order, one.transaction.hash, fill.log_index, units)


def of_chain(chain: ChainRow, before: Judge | None = None) -> Judge:
    """Return a judge of a chain as it is now: the built-in markets, and those that operators added.

    ``before``: one that knows already what earlier blocks said, which is not read again.
    """
    return Judge(
        chain,
        markets_of(chain),
        paid_tokens.names(chain.id),
        stored_bids.load(chain.id) if before is None else before.bids,
        stored_listings.load(chain.id) if before is None else before.listings,
    )


def markets_of(chain: ChainRow) -> Registry:
    """Return the markets of a chain as they are now: the built-in ones, and those that operators added."""
    added = MarketContract.objects.filter(chain_id=chain.id).values_list(
        "address", "protocol", "market__slug"
    )
    return registry(chain.chain_id or 0, [Deployment(*row) for row in added])


def facts_of(profiles: Mapping[str, Profile], judge: Judge, judged: Iterable[Judged]) -> FactSet:
    """Return what blocks of a chain state: transfers, the orders that they filled, and contracts, new ones by profiles.

    Pure, so that it can be made ahead of the database's turn.
    """
    slug = judge.chain.slug
    facts = FactSet(of_chain=True)
    standards: dict[str, str] = {}
    for one in judged:
        for move, verdict in zip(one.moves, judge.columns(one), strict=True):
            # A contract whose events of ERC-1155 are beside others has units.
            if move.standard == ERC1155 or move.contract not in standards:
                standards[move.contract] = move.standard
            facts.take(_transfer(one.transaction, move, verdict, slug))
        for fill in judge.fills(one):
            facts.take(fill)
    for address, standard in standards.items():
        profile = profiles.get(address)
        # What is described already may have had no units until now.
        if profile is not None or standard == ERC1155:
            contract = ContractFacts(slug, address, standard=standard)
            if profile is not None and profile.name is not None:
                contract.name = profile.name
            if profile is not None and profile.symbol is not None:
                contract.symbol = profile.symbol
            facts.take(contract)
    return facts


def _transfer(transaction: ChainTransaction, move: Move, judged: VerdictColumns, slug: str) -> TransferFacts:
    token_key = uint_key(move.token_id)
    return TransferFacts(
        chain=slug,
        transaction_hash=move.transaction_hash,
        log_index=move.log_index,
        batch_index=move.batch_index,
        address=move.contract,
        token_key=token_key,
        identity=(slug, move.contract, token_key),
        block_number=move.block_number,
        timestamp=transaction.timestamp,
        from_address=move.sender,
        to_address=move.receiver,
        transaction_from=transaction.sender,
        amount=move.amount,
        value=transaction.value,
        judged=judged,
    )


def _shares(shares: Sequence[Share]) -> str:
    """Return how a price was split as its column has it."""
    return json.dumps(
        [(role, str(amount), receiver) for role, amount, receiver in shares], separators=(",", ":")
    )


def _swaps(legs: Sequence[Leg]) -> str:
    """Return the parts of an exchange as the ``swaps`` of a transfer have them (specification, Swap entry)."""
    entries = []
    for leg in legs:
        entry = {"contractAddress": leg.contract}
        if leg.token_id is not None:
            entry["tokenId"] = str(leg.token_id)
        entry |= {"fromAddress": leg.sender, "toAddress": leg.receiver, "amount": str(leg.amount)}
        if leg.market is not None:
            entry["market"] = leg.market
        entries.append(entry)
    return json.dumps(entries, separators=(",", ":"), ensure_ascii=False)
