"""Writes the contracts of markets that are added to the built-in ones."""

from __future__ import annotations

from collections.abc import Iterable

from tokens.models import Chain
from tokens.store.facts import UNSET
from tokens.store.registers import market_ids
from transfers.ledger.transfer_facts import MarketContractFacts
from transfers.models import MarketContract


def write(facts: Iterable[MarketContractFacts]) -> None:
    """Write contracts of markets, in order; no market takes one away. Called within ``writing()``.

    Transfers that are indexed already are judged by them once ``classify`` has run.
    """
    facts = list(facts)
    if not facts:
        return
    chains = dict(Chain.objects.values_list("slug", "id"))
    markets = market_ids(one.market for one in facts if one.market is not None)
    for one in facts:
        rows = MarketContract.objects.filter(chain=chains[one.chain], address=one.address)
        if one.market is None:
            rows.delete()
            continue
        protocol = {} if one.protocol is UNSET else {"protocol": one.protocol or ""}
        MarketContract.objects.update_or_create(
            chain_id=chains[one.chain],
            address=one.address,
            defaults={"market_id": markets[one.market], **protocol},
        )
