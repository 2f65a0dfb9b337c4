"""Writes chains, and tells which there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast

from core.chains import WELL_KNOWN, ChainKind, nobody
from tokens.models import Chain, Currency, CurrencyToken
from tokens.models.well_known import NATIVE_DECIMALS
from tokens.store import currencies
from tokens.store.facts import UNSET, ChainFacts


class ChainRow(NamedTuple):
    """A chain as stored."""

    id: int
    slug: str
    kind: ChainKind
    chain_id: int | None
    native_currency: str


def known() -> dict[str, ChainRow]:
    """Return all chains by slug."""
    rows = Chain.objects.values_list("id", "slug", "kind", "chain_id", "native_currency")
    return {
        slug: ChainRow(row_id, slug, cast(ChainKind, kind), number, currency)
        for row_id, slug, kind, number, currency in rows
    }


UNKNOWN_KIND = "`kind` is missing, and the chain is not known yet."
_BUILT_IN = {one.chain_id: one.slug for one in WELL_KNOWN if one.chain_id is not None}


def fault(facts: ChainFacts, stored: ChainRow | None) -> str | None:
    """Tell why a chain, ``stored`` if it is known, cannot be taken, as a sentence; ``None`` when it can.

    It never depends on other chains that are known: one that is given another's number takes it from there.
    """
    kind = facts.kind if facts.kind is not UNSET else stored.kind if stored else None
    if kind is None:
        return UNKNOWN_KIND
    if stored and stored.kind != kind:
        return "The kind of a chain cannot change."
    number = facts.chain_id if facts.chain_id is not UNSET else None
    if number is not None and kind != "evm":
        return "`chainId` is for EVM chains only."
    return taken(facts.slug, number, _BUILT_IN)


def taken(slug: str, number: int | None, slugs: Mapping[int, str]) -> str | None:
    """Tell that a chain's number is another's, by the chains that have numbers; ``None`` when it is not."""
    other = None if number is None else slugs.get(number)
    return None if other in (None, slug) else f"`chainId` belongs to the chain {other}."


def merged(facts: ChainFacts, stored: ChainRow | None) -> ChainRow:
    """Return the row that a chain has once the facts are written; of a new one the id is 0."""
    old = stored or ChainRow(0, facts.slug, "evm", None, "")
    return ChainRow(
        old.id,
        facts.slug,
        old.kind if facts.kind is UNSET else cast(ChainKind, facts.kind),
        old.chain_id if facts.chain_id is UNSET else facts.chain_id,
        old.native_currency if facts.native_currency is UNSET else facts.native_currency,
    )


def write(facts: Iterable[ChainFacts]) -> None:
    """Write chains, with their native currencies. Those that :func:`fault` names a fault of must not come here."""
    facts = list(facts)
    if not facts:
        return
    with currencies.following():
        _write(facts)


def _write(facts: Iterable[ChainFacts]) -> None:
    stored = known()
    for stated in facts:
        old = stored.get(stated.slug)
        new = merged(stated, old)
        if new == old:
            continue
        if new.chain_id is not None:
            Chain.objects.filter(chain_id=new.chain_id).exclude(slug=new.slug).update(chain_id=None)
            stored = {
                slug: row._replace(chain_id=None) if row.chain_id == new.chain_id else row
                for slug, row in stored.items()
            }
        chain, _ = Chain.objects.update_or_create(
            slug=new.slug,
            defaults={"kind": new.kind, "chain_id": new.chain_id, "native_currency": new.native_currency},
        )
        if new.native_currency:
            currency, _ = Currency.objects.get_or_create(symbol=new.native_currency)
            decimals = NATIVE_DECIMALS.get(currency.symbol, 18)
            CurrencyToken.objects.update_or_create(
                chain=chain,
                address=nobody(new.kind),
                defaults={"currency": currency.alias_of or currency, "decimals": decimals},
            )
        stored[new.slug] = new._replace(id=chain.pk)
