"""How type and value of a transfer were found, as its page shows it: labelled rows, everything escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.html import format_html_join

from core.backoffice import html
from indexing.models import Evidence, MarketFault
from tokens.models import CurrencyToken, Rate
from tokens.store.rates import MAX_AGE
from transfers.admin.amounts import Amounts
from transfers.models import Transfer

if TYPE_CHECKING:
    from indexing.judge.explanation import Explanation
    from indexing.judge.trace import Check
    from indexing.judge.verdicts import Fault, Fill, Item, Leg, Match

MOST = 20
"""Events, items, orders, legs and faults that are shown of each."""

Row = tuple[str, str]
_CHANGED = (
    "The rules have changed since, or what is known of earlier blocks: by today's it is as follows. "
    "`manage.py classify` applies it."
)
_OVERRULED = "The evidence by itself says otherwise, as follows."
_MARKS = {True: "holds", False: "does not hold", None: "not checked"}


def rows_of(transfer: Transfer) -> list[Row]:
    """Return what :func:`told_of` does, and links to what operators see of the transaction."""
    rows = told_of(transfer)
    if any(label == "price" for label, _ in rows):
        links = [(Evidence, "evidence"), (Transfer, "all its transfers"), (MarketFault, "market faults")]
        together = html.together(
            *(html.list_link(model, text, q=transfer.transaction_hash) for model, text in links)
        )
        rows.append(("transaction", together))
    return rows


def told_of(transfer: Transfer) -> list[Row]:
    """Return labels and texts for everyone: who says what the transfer was, why, what it was held against."""
    # Only this page needs it: what serves the API stays free of the indexer.
    from indexing.follow.reclassify import NothingKeptError, anew
    from indexing.judge.explanation import currencies, explain

    source = (
        "judged by the evidence" if transfer.judged else "stated by load: the evidence does not change it"
    )
    value = [] if transfer.nft_value_amount is None else [("rate", _rate(transfer))]
    try:
        found = anew(transfer)
    except NothingKeptError as fault:
        said = "not judged" if transfer.transfer_type is None else "stated by load"
        return [
            ("source", "judged by the evidence" if transfer.judged else said),
            ("evidence", str(fault)),
            *value,
        ]
    amounts = Amounts(transfer.chain_id, currencies(found.verdict))
    told = explain(found.verdict, found.place, amounts.written)
    shown = [("source", source)]
    if found.differs:
        shown.append(("note", _CHANGED if transfer.judged else _OVERRULED))
    shown += [
        ("type", f"{told.judgement.transfer_type}. {told.why_type}"),
        ("price", told.why_price),
        ("its parts", told.why_shares),
        *value,
    ]
    shown += [("market event", _event(transfer, told, one, amounts)) for one in told.events[:MOST]]
    if told.judgement.swaps:
        shown.append(("legs", _legs(told.judgement.swaps, amounts)))
    return [*shown, *_of_transaction(told, amounts)]


def _rate(transfer: Transfer) -> str:
    """Return the rate that values the price in USD, found as values are (decisions: newest of the last 48 hours)."""
    token = (
        CurrencyToken.objects.filter(chain_id=transfer.chain_id, address=transfer.nft_value_token)
        .select_related("currency__wraps")
        .first()
    )
    if token is None:
        return "None: the token is no known currency."
    for currency in filter(None, (token.currency.wraps, token.currency)):
        rates = Rate.objects.filter(
            currency=currency, timestamp__lte=transfer.timestamp, timestamp__gte=transfer.timestamp - MAX_AGE
        )
        rate = rates.order_by("-timestamp").first()
        if rate is not None:
            return f"{rate.usd.normalize():f} USD for one {currency}, of {html.moment(rate.timestamp)} UTC."
    return f"None: no rate of {token.currency} is known of the 48 hours before."


def _event(transfer: Transfer, found: Explanation, event: Match, amounts: Amounts) -> str:
    fill = event.fill
    heads = (f"log {fill.log_index}", f"read as {fill.protocol}, market {fill.market}, {fill.side}")
    rows: list[tuple[str, str]] = [
        ("seller", fill.seller or _unnamed_seller(transfer, fill)),
        ("buyer", fill.buyer or "not named by the event"),
        ("sold", _lines(map(_item, fill.items)) if fill.items else "what the market's logs move"),
    ]
    if fill.returned:
        rows.append(("given for it", _lines(map(_item, fill.returned))))
    rows += [
        ("price", "not told" if fill.unpriced else amounts.written(fill.currency, fill.price)),
        ("delivered by", _lines(f"log {index}" for index in found.delivered(event))),
    ]
    if fill.order_hashes:
        rows.append(("orders", _lines(fill.order_hashes)))
    fault = event.fault
    checks = [_check(one, amounts) for one in _telling(event.checks)]
    rows.append(("checked", _lines(checks, 2 * MOST) if checks else "nothing is to be checked"))
    rows.append(("result", "borne out" if fault is None else f"not borne out: {fault.text(amounts.written)}"))
    return html.rows_table(heads, [(html.together(label), text) for label, text in rows])


def _unnamed_seller(transfer: Transfer, fill: Fill) -> str:
    """Return who put an NFT up for auction, where only the ledger tells: who had sent it where it is sold from."""
    unnamed = "not named by the event"
    if fill.side != "auction":
        return unnamed
    came = Transfer.objects.filter(nft_id=transfer.nft_id, to_address=transfer.from_address).filter(
        Q(block_number__lt=transfer.block_number)
        | Q(block_number=transfer.block_number, log_index__lt=transfer.log_index)
    )
    last = came.exclude(from_address=None).order_by("-block_number", "-log_index").first()
    return unnamed if last is None else f"{last.from_address}, who had sent it there; {unnamed}"


def _telling(checks: Sequence[Check]) -> list[Check]:
    """Return checks in their order; of more than are shown, those that do not hold come first."""
    if len(checks) <= 2 * MOST:
        return list(checks)
    return sorted(checks, key=lambda one: one.holds is not False)


def _check(check: Check, amounts: Amounts) -> str:
    return f"{check.text(amounts.written)} ({_MARKS[check.holds]})"


def _item(item: Item) -> str:
    return _nft(item.contract, item.token_id, item.amount)


def _nft(contract: str, token_id: int, amount: int) -> str:
    units = "" if amount == 1 else f"{amount:,} of "
    return f"{units}{contract} #{token_id}"


def _legs(legs: Sequence[Leg], amounts: Amounts) -> str:
    rows = [
        (
            amounts.written(leg.contract, leg.amount)
            if leg.token_id is None
            else _nft(leg.contract, leg.token_id, leg.amount),
            leg.sender,
            leg.receiver,
        )
        for leg in legs[:MOST]
    ]
    more = f"Only the first {MOST} of {len(legs):,} are shown." if len(legs) > MOST else ""
    return html.rows_table(("what", "from", "to"), rows, more)


def _of_transaction(found: Explanation, amounts: Amounts) -> list[Row]:
    """Return what is common to all transfers of the transaction."""
    verdict = found.verdict
    fills = len(verdict.fills)
    others = fills - len(found.events)
    shown = []
    if verdict.markets:
        shown.append(("markets", ", ".join(verdict.markets)))
    if others:
        shown.append(("other market events", f"{others:,} of the same transaction"))
    if verdict.faults:
        shown.append(("not explained", _faults(verdict.faults, amounts)))
    return shown


def _faults(faults: Sequence[Fault], amounts: Amounts) -> str:
    rows = [
        (
            one.log_index,
            one.protocol,
            amounts.written(one.currency, one.price) if one.price else html.NOTHING,
            html.shortened(one.reason),
        )
        for one in sorted(faults, key=lambda one: -one.price)[:MOST]
    ]
    more = f"Only the largest {MOST} of {len(faults):,} are shown." if len(faults) > MOST else ""
    return html.rows_table(("log", "protocol", "price told", "why"), rows, more)


def _lines(texts: Iterable[str], most: int = MOST) -> str:
    """Return texts, one a line, the first so many."""
    listed = list(texts)
    more = [f"and {len(listed) - most:,} more"] if len(listed) > most else []
    return format_html_join("", "{}<br>", ((text,) for text in (*listed[:most], *more))) or html.NOTHING
