"""The rules by which the transfers of one chain are judged: its markets, and what its currencies are called."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from indexing.decode.moves import Move
from indexing.decode.whole import place, whole
from indexing.judge.classify import classify
from indexing.judge.markets.registry import Deployment, Registry, registry
from indexing.judge.punk_bids import PunkBids
from indexing.judge.sales import Leg, Verdict
from indexing.node.transactions import ChainTransaction
from indexing.write import stored_bids
from tokens.store.chains import ChainRow
from transfers.ledger import paid_tokens
from transfers.ledger.facts import FillFacts, JudgedFacts, NftValueFacts
from transfers.models import MarketContract

NO_ORDER = "0x" + "0" * 64
"""Stands in events for an order that nobody signed."""


@dataclass(slots=True)
class Rules:
    """What transfers of a chain are judged by."""

    chain: ChainRow
    registry: Registry
    names: dict[str, str | None] = field(default_factory=dict)
    """Names of currencies by contract; ``None`` for one whose contract tells none."""

    bids: PunkBids = field(default_factory=PunkBids)
    """Bids for punks that were entered so far; whoever reads on adds to them."""

    def verdict(
        self, transaction: ChainTransaction, moves: Sequence[Move], *, complete: bool = True
    ) -> Verdict:
        """Say what the moves of a transaction were, in their order.

        Unless they are ``complete`` its other NFTs are read from its logs, and judged along: what was paid for all of
        them is not the price of one.
        """
        if complete:
            return classify(transaction, moves, self.registry, self.bids)
        every = whole(transaction, moves, self.chain.chain_id or 0)
        verdict = classify(transaction, every, self.registry, self.bids)
        judged = dict(zip(map(place, every), verdict.judgements, strict=True))
        return verdict._replace(judgements=tuple(judged[place(move)] for move in moves))

    def unnamed(self, verdicts: Iterable[Verdict]) -> list[str]:
        """Return the currencies of prices of which it is not known whether they have a name."""
        paid = {one.currency for verdict in verdicts for one in verdict.judgements}
        return sorted(currency for currency in paid if currency is not None and currency not in self.names)

    def judged(self, verdict: Verdict) -> list[JudgedFacts]:
        """Return a verdict as facts, one a move."""
        markets = list(verdict.markets)
        texts: dict[tuple[Leg, ...], str] = {(): "[]"}
        found = []
        for one in verdict.judgements:
            if one.swaps not in texts:
                texts[one.swaps] = _swaps(one.swaps)
            price = None
            if one.currency is not None:
                price = NftValueFacts(one.currency, one.price, self.names.get(one.currency))
            found.append(
                JudgedFacts(one.transfer_type, price, verdict.is_commercial, markets, texts[one.swaps])
            )
        return found

    def fills(self, transaction: ChainTransaction, verdict: Verdict) -> Iterator[FillFacts]:
        """Yield the orders that a transaction filled."""
        for fill in verdict.fills:
            units = max((item.amount for item in (*fill.items, *fill.returned)), default=1)
            for order in dict.fromkeys(fill.order_hashes):
                if order != NO_ORDER and not fill.is_loan:
                    yield FillFacts(self.chain.slug, order, transaction.hash, fill.log_index, units)


def of_chain(chain: ChainRow, bids: PunkBids | None = None) -> Rules:
    """Return the rules of a chain as they are now: the built-in markets, and those that operators added.

    ``bids``: those for punks that are known already, not to be read again.
    """
    return Rules(
        chain,
        markets_of(chain),
        paid_tokens.names(chain.id),
        stored_bids.load(chain.id) if bids is None else bids,
    )


def markets_of(chain: ChainRow) -> Registry:
    """Return the markets of a chain as they are now: the built-in ones, and those that operators added."""
    added = MarketContract.objects.filter(chain_id=chain.id).values_list(
        "address", "protocol", "market__slug"
    )
    return registry(chain.chain_id or 0, [Deployment(*row) for row in added])


def _swaps(legs: Sequence[Leg]) -> str:
    return json.dumps([swap_entry(leg) for leg in legs], separators=(",", ":"), ensure_ascii=False)


def swap_entry(leg: Leg) -> Mapping[str, str]:
    """Return a part of an exchange as the ``swaps`` of a transfer have it (specification, Swap entry)."""
    entry = {"contractAddress": leg.contract}
    if leg.token_id is not None:
        entry["tokenId"] = str(leg.token_id)
    entry |= {"fromAddress": leg.sender, "toAddress": leg.receiver, "amount": str(leg.amount)}
    if leg.market is not None:
        entry["market"] = leg.market
    return entry
