"""What the currencies of asks are worth: now, and when the sort keys of the asks were written.

Keys are written at the newest rates by whoever writes rates or asks. A rate that is dated ahead counts from its second
on, but a request writes nothing: from that second until the next write, the keys that the rate changes are computed
as the asks are read. This costs the use of the indexes by price; it is as right as any other answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Case, Exists, ExpressionWrapper, F, OuterRef, QuerySet, Subquery, When
from django.db.models.expressions import Combinable, Func

from core.db.fields import KeyField
from core.db.keys import PLACES, uint_from_key
from core.db.statements import Slot, rows_where
from tokens.models import Currency, Rate
from tokens.prices.pricing import KEY_PLACES, MOST, Worth, price_key

_SCALE = 10 ** (KEY_PLACES - PLACES)


@dataclass(frozen=True, slots=True)
class DueRates:
    """What has changed since keys were written, through rates whose time has come.

    ``usd``: the scaled rate of every currency that has one, or ``None`` when nothing is due; ``worths``: of the
    currencies whose asks have other keys now.
    """

    usd: Mapping[int, int] | None
    worths: Mapping[int, Worth]

    def price_key(self) -> Combinable:
        """Return the sort key of an ask as an expression."""
        if not self.worths:
            return F("price_key")
        cases = [When(currency_id=row_id, then=_PriceKey(worth)) for row_id, worth in self.worths.items()]
        return Case(*cases, default=F("price_key"), output_field=KeyField())

    def price_key_sql(self) -> str:
        """Return the sort key of an ask as SQL, over the columns of its table."""
        if not self.worths:
            return "price_key"
        cases = " ".join(
            f"WHEN {row_id} THEN {_key_sql('price', worth)}" for row_id, worth in self.worths.items()
        )
        return f"CASE currency_id {cases} ELSE price_key END"


NOTHING_DUE = DueRates(None, {})


def due_rates(now: int) -> DueRates:
    """Return what rates have come due by ``now`` (Unix seconds) since keys were written, in one query."""
    return due_of(list(map(CurrencyRow._make, rows_where(_rows_if_due, now=now))))


def due_of(currencies: Sequence[CurrencyRow]) -> DueRates:
    """Return what has come due from the rows of :func:`currencies_if_due`."""
    if not currencies:
        return NOTHING_DUE
    current, keyed = current_worths(currencies), keyed_worths(currencies)
    differing = {row_id: worth for row_id, worth in current.items() if not worth.same_key(keyed[row_id])}
    if differing and connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.connection.create_function("nft_price_key", 3, _key_of_texts, deterministic=True)
    return DueRates(
        {row_id: worth.rate for row_id, worth in current.items() if worth.rate is not None}, differing
    )


class CurrencyRow(NamedTuple):
    """A currency with the rate that its asks are keyed at and its newest one, as keys."""

    id: int
    symbol: str
    wraps_id: int | None
    keyed: str | None
    newest: str | None


def currencies_if_due(now: int | Slot) -> QuerySet[Any, Any]:
    """Return the currencies as :class:`CurrencyRow`, and none unless a rate has come due since keys were written."""
    return _currencies(now).filter(Exists(Currency.objects.filter(next_rate_at__lte=now)))


def _rows_if_due(now: Slot) -> QuerySet[Any, Any]:
    return currencies_if_due(now).values_list(*CurrencyRow._fields)


def currency_rows(now: int) -> list[CurrencyRow]:
    """Return all currencies, with their newest rates that are not dated after ``now`` (Unix seconds)."""
    return list(map(CurrencyRow._make, _currencies(now).values_list(*CurrencyRow._fields)))


def _currencies(now: int | Slot) -> QuerySet[Any, Any]:
    rates = Rate.objects.filter(currency=OuterRef("id"), timestamp__lte=now).order_by("-timestamp")
    keys = KeyField()  # not decimals
    return Currency.objects.order_by().annotate(
        keyed=ExpressionWrapper(F("keyed_usd"), output_field=keys),
        newest=Subquery(rates.values("usd")[:1], output_field=keys),
    )


def current_worths(currencies: Sequence[CurrencyRow]) -> dict[int, Worth]:
    """Return what each currency is worth at the newest rates.

    A wrapped native currency has the native one's rate, and its own only where there is none.
    """
    newest = {row.id: row.newest for row in currencies if row.newest is not None}
    return _worths({row.id: newest.get(row.wraps_id or row.id, row.newest) for row in currencies}, currencies)


def keyed_worths(currencies: Sequence[CurrencyRow]) -> dict[int, Worth]:
    """Return what each currency was worth when the keys of its asks were made."""
    return _worths({row.id: row.keyed for row in currencies}, currencies)


def _worths(keys: Mapping[int, str | None], currencies: Sequence[CurrencyRow]) -> dict[int, Worth]:
    rates = {row_id: None if key is None else uint_from_key(key) for row_id, key in keys.items()}
    ether = next((row.id for row in currencies if row.symbol == "ETH"), None)
    eth_rate = None if ether is None else rates[ether]
    return {
        row.id: Worth(rates[row.id], eth_rate, ether is not None and ether in (row.id, row.wraps_id))
        for row in currencies
    }


class _PriceKey(Func):
    """The key of an ask's price at a worth: what ``Worth.price_key`` returns, computed by the database."""

    def __init__(self, worth: Worth) -> None:
        super().__init__(F("price"), output_field=KeyField())
        self.worth = worth

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        """Return the SQL; its numbers are integers that this module computed."""
        price, parameters = compiler.compile(self.source_expressions[0])
        assert not parameters, "a column"
        return _key_sql(price, self.worth), []


def _key_sql(price: str, worth: Worth) -> str:
    """Return ``Worth.price_key`` of a price's column as SQL."""
    ratio = worth.ratio()
    numerator, denominator = ratio or (1, 1)
    mark = "1" if ratio is None else "0"
    if connection.vendor == "sqlite":
        return f"nft_price_key({price}, '{'' if ratio is None else numerator}', '{denominator}')"
    # Half to even: the quotient rounded half up, less one where that was a tie which came to an odd number.
    twice = f"(2 * substr({price}, 3)::numeric * {numerator * _SCALE} + {denominator})"
    up = f"div({twice}, {2 * denominator})"
    tie = f"(mod({twice}, {2 * denominator}) = 0 AND mod({up}, 2) = 1)"
    digits = f"least({up} - {tie}::int, {MOST})::text"
    return f"('{mark}' || lpad(length({digits})::text, 2, '0') || {digits}) COLLATE \"C\""


def _key_of_texts(price: str, numerator: str, denominator: str) -> str:
    ratio = (int(numerator), int(denominator)) if numerator else None
    return price_key(uint_from_key(price), ratio)
