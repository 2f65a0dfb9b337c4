"""Tokens that something was paid in, as their contracts describe them."""

from __future__ import annotations

from collections.abc import Iterable

from core.db import bulk
from tokens.models import CurrencyToken
from tokens.models.well_known import CURRENCY_NAMES
from transfers.ledger.transfer_facts import PaidTokenFacts
from transfers.models import PaidToken


def write(facts: Iterable[PaidTokenFacts], chain_id: int) -> None:
    """Write tokens that are not described yet. Called within ``writing()``."""
    rows = {one.address: (chain_id, one.address, one.name, one.symbol, one.decimals) for one in facts}
    stored = bulk.rows_by(
        PaidToken, ("address", "chain_id"), [(address, chain_id) for address in rows], ("address",)
    )
    for (address,) in stored:
        del rows[address]
    bulk.copy_rows(PaidToken, ("chain_id", "address", "name", "symbol", "decimals"), list(rows.values()))


def names(chain_id: int) -> dict[str, str | None]:
    """Return the names of a chain's currencies by contract, ``None`` for one that tells none.

    What is a known currency is called by the well-known name of that, whatever its contract says.
    """
    described = PaidToken.objects.filter(chain_id=chain_id).values_list("address", "name", "symbol")
    found = {address: name or symbol or None for address, name, symbol in described}
    known = CurrencyToken.objects.filter(chain_id=chain_id).values_list("address", "currency__symbol")
    return found | {address: CURRENCY_NAMES.get(symbol, symbol) for address, symbol in known}
