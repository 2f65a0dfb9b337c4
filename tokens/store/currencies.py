"""Writes what currencies stand for, wrap and are paid in, and has all that is stored follow.

An alias is another name: asks, rates and contracts of a currency that becomes one are the other currency's from then
on, and stay so when it is an alias no longer. Of contradicting relations the later one stands: what is said of a
currency never depends on what was said before, so that the same lines come to the same however often they are loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from django.dispatch import Signal

from tokens.models import Ask, Chain, Currency, CurrencyToken, Rate
from tokens.store import rates
from tokens.store.facts import UNSET, CurrencyFacts, CurrencyTokenFacts

Token = tuple[int, str]
"""Id of a chain and the address of a contract on it."""

revalued = Signal()
"""Sent when amounts are worth something else, with ``tokens``: the contracts (:data:`Token`) that they are in.

``None`` stands for all of them. Sent within ``writing()``.
"""

ETHER = "ETH"
DECIMALS = 18


def fault(symbol: str, alias_of: str | None, wraps: str | None) -> str | None:
    """Tell why a currency cannot have these relations, as a sentence; ``None`` when it can."""
    if symbol in (alias_of, wraps):
        return "A currency cannot name itself."
    if alias_of is not None and wraps is not None:
        return "A currency that is another's alias wraps nothing itself: leave one of both empty."
    if symbol == ETHER and (alias_of or wraps):
        return "Values are told in ETH: it stands for itself."
    return None


def write(facts: Iterable[CurrencyFacts]) -> None:
    """Write currencies with their relations, in order; those that are named are registered.

    Those that :func:`fault` names a fault of must not come here. Called within ``writing()``.
    """
    facts = list(facts)
    if facts:
        with following():
            for one in facts:
                _relate(one)


def write_tokens(facts: Iterable[CurrencyTokenFacts]) -> None:
    """Write contracts of currencies, in order; no currency takes one away. Called within ``writing()``."""
    facts = list(facts)
    if not facts:
        return
    chains = dict(Chain.objects.values_list("slug", "id"))
    with following():
        for one in facts:
            rows = CurrencyToken.objects.filter(chain=chains[one.chain], address=one.address)
            if one.currency is None:
                rows.delete()
                continue
            decimals = {} if one.decimals is UNSET else {"decimals": one.decimals}
            CurrencyToken.objects.update_or_create(
                chain_id=chains[one.chain],
                address=one.address,
                defaults={"currency": _canonical(one.currency), **decimals},
                create_defaults={"currency": _canonical(one.currency), "decimals": DECIMALS, **decimals},
            )


@contextmanager
def following() -> Iterator[None]:
    """Have keys of asks and values of transfers follow what is changed of currencies and their contracts within.

    Called within ``writing()``.
    """
    before = _State.now()
    yield
    after = _State.now()
    moved = _follow_aliases()
    wraps = {row_id for row_id in after.wraps if after.wraps[row_id] != before.wraps.get(row_id)}
    for row_id in sorted(moved.asked | (wraps & before.wraps.keys())):
        rates.key_anew(row_id)
    rates.rekey()
    after = _State.now()
    concerned = {
        row_id for row_id, wrapped in after.wraps.items() if {row_id, wrapped} & (wraps | moved.rated)
    }
    tokens = {
        token
        for token in before.tokens.keys() | after.tokens.keys()
        if before.tokens.get(token) != after.tokens.get(token)
        or (token in after.tokens and after.tokens[token][0] in concerned)
    }
    if tokens:
        is_all = Currency.objects.filter(symbol=ETHER, id__in=moved.rated).exists()
        revalued.send(sender=Currency, tokens=None if is_all else sorted(tokens))


class _State(NamedTuple):
    """``wraps``: what each currency wraps, by id. ``tokens``: currency and decimals of each contract."""

    wraps: Mapping[int, int | None]
    tokens: Mapping[Token, tuple[int, int]]

    @classmethod
    def now(cls) -> _State:
        rows = CurrencyToken.objects.values_list("chain_id", "address", "currency_id", "decimals")
        return cls(
            dict(Currency.objects.values_list("id", "wraps_id")),
            {(chain, address): (currency, decimals) for chain, address, currency, decimals in rows},
        )


def _relate(one: CurrencyFacts) -> None:
    row, _ = Currency.objects.get_or_create(symbol=one.symbol)
    if one.alias_of is None:
        row.alias_of = None
    if one.wraps is None:
        row.wraps = None
    if one.wraps not in (None, UNSET):
        target = _target(row, one.wraps)
        if target.wraps_id == row.pk:
            target.wraps = None
            target.save(update_fields=["wraps"])
        elif target.wraps is not None:
            target = target.wraps
        Currency.objects.filter(wraps=row).exclude(id=target.pk).update(wraps=target)
        row.alias_of, row.wraps = None, target
    if one.alias_of not in (None, UNSET):
        target = _target(row, one.alias_of)
        if target.wraps_id == row.pk:
            target.wraps = None
            target.save(update_fields=["wraps"])
        Currency.objects.filter(wraps=row).update(wraps=target.wraps or target)
        Currency.objects.filter(alias_of=row).update(alias_of=target)
        row.alias_of, row.wraps = target, None
    row.save(update_fields=["alias_of", "wraps"])


def _target(row: Currency, symbol: str) -> Currency:
    """Return what a symbol stands for; when it stands for ``row``, it is taken from there and stands for itself."""
    target, _ = Currency.objects.get_or_create(symbol=symbol)
    if target.alias_of_id == row.pk:
        target.alias_of = None
        target.save(update_fields=["alias_of"])
    return target.alias_of or target


def _canonical(symbol: str) -> Currency:
    row, _ = Currency.objects.get_or_create(symbol=symbol)
    return row.alias_of or row


class _Moved(NamedTuple):
    """Ids of the currencies that have come to have the asks and rates of aliases."""

    asked: set[int]
    rated: set[int]


def _follow_aliases() -> _Moved:
    """Have asks, rates and contracts of aliases be those of what they stand for; its own rates win."""
    moved = _Moved(set(), set())
    for alias_id, target_id in Currency.objects.exclude(alias_of=None).values_list("id", "alias_of_id"):
        if Ask.objects.filter(currency=alias_id).update(currency=target_id):
            moved.asked.add(target_id)
        CurrencyToken.objects.filter(currency=alias_id).update(currency=target_id)
        stated = Rate.objects.filter(currency=alias_id)
        own: Sequence[int] = list(Rate.objects.filter(currency=target_id).values_list("timestamp", flat=True))
        if stated.exclude(timestamp__in=own).update(currency=target_id):
            moved.rated.add(target_id)
        stated.delete()
    return moved
