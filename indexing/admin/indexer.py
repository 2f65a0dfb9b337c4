"""What the indexer's page shows, and its line on the index of the admin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Model
from django.utils.html import format_html

from core.backoffice import columns, html
from core.backoffice.site import Line
from indexing.models import Block, DoubtfulContract, Evidence, IndexedContract, MarketFault, UndecodedLog
from indexing.progress import COUNTED, ChainStatus, Checkpoint, statuses

RECENT = 3_600
"""Seconds for which a chain's last fault is news."""
MOST_CHECKPOINTS = 20
"""Checkpoints of a chain that its section lists, the least far first; the table of indexed contracts has all."""


@dataclass(frozen=True, slots=True)
class Section:
    """A chain on the page: whether an indexer is at work, in words too, then labelled facts, then checkpoints."""

    chain: str
    at_work: bool
    state: str
    facts: tuple[tuple[str, str], ...]
    checkpoints: str
    links: str


def context() -> dict[str, Any]:
    """Return the sections of the page, one a chain."""
    return {"sections": [_section(one) for one in statuses()]}


def lines() -> list[Line]:
    """Return how indexing of each chain stands; none where no chain is indexed from a node."""
    return [_line(one) for one in statuses()]


def _line(one: ChainStatus) -> Line:
    stands: list[str] = [f"{_position(one)}, {_state(one)}"]
    if one.lag_seconds is not None:
        stands.append(f"its newest block is {html.span(one.lag_seconds)} old")
    if one.fault:
        stands.append(f"last fault: {html.shortened(_fault(one))}")
    if one.unexplained:
        of_chain = _counted(MarketFault, one.unexplained, one.chain_id)
        stands.append(format_html("market events that are not explained: {}", of_chain))
    # A fault that the indexer has left behind is history.
    is_stuck = bool(one.fault) and one.fault_at is not None and one.now - one.fault_at <= RECENT
    return Line(
        one.chain, html.listed(stands), not one.at_work or is_stuck, html.page_link("indexer", "indexer")
    )


ELSEWHERE = columns.lists(
    "chain",
    "chain_id",
    (IndexedContract, "checkpoints"),
    (UndecodedLog, "undecoded logs"),
    (DoubtfulContract, "contracts in doubt"),
    (MarketFault, "unexplained market events"),
    (Evidence, "evidence"),
    (Block, "blocks"),
)
"""The tables of what indexing keeps of a chain."""


def _section(one: ChainStatus) -> Section:
    return Section(
        chain=one.chain,
        at_work=one.at_work,
        state=_state(one) + (f", told of itself {_ago(one.beat_at, one.now)}" if one.at_work else ""),
        facts=(
            ("Last indexed block", _reached(one)),
            ("Newest block of the node", _head(one)),
            ("Behind", _lag(one)),
            ("Speed, last minute", _speed(one)),
            ("Logs taken in", f"{one.logs_total:,}"),
            ("Reorganisations followed", f"{one.rewinds:,}"),
            ("Undecoded logs", _counted(UndecodedLog, one.undecoded, one.chain_id)),
            ("Contracts in doubt", _counted(DoubtfulContract, one.doubtful, one.chain_id)),
            ("Unexplained market events", _counted(MarketFault, one.unexplained, one.chain_id)),
            ("Last fault", _fault(one)),
        ),
        checkpoints=_checkpoints(one),
        links=ELSEWHERE(one),
    )


def _state(one: ChainStatus) -> str:
    if one.at_work:
        return "an indexer is at work"
    if one.beat_at is None:
        return "no indexer has been at work yet"
    return f"no indexer at work for {html.span(one.now - one.beat_at)}"


def _position(one: ChainStatus) -> str:
    if one.least is None or one.least.last_block is None:
        return "not begun"
    behind = "" if one.lag_blocks is None else f" ({_behind(one.lag_blocks)})"
    return f"at block {one.least.last_block:,}{behind}"


def _behind(blocks: int) -> str:
    return "at the head" if blocks == 0 else f"{blocks:,} block{'' if blocks == 1 else 's'} behind"


def _reached(one: ChainStatus) -> str:
    if one.least is None or one.least.last_block is None:
        return "nothing yet"
    reached = one.least.reached_at
    of = "" if reached is None else f", of {html.moment(reached)} UTC, {_ago(reached, one.now)}"
    return f"{one.least.last_block:,}{of}"


def _head(one: ChainStatus) -> str:
    if one.head is None:
        return "not seen yet"
    seen = "" if one.head_seen_at is None else f", seen {_ago(one.head_seen_at, one.now)}"
    return f"{one.head:,}{seen}"


def _lag(one: ChainStatus) -> str:
    if one.lag_blocks is None:
        return html.NOTHING
    text = _behind(one.lag_blocks)
    if one.lag_blocks and one.blocks_per_second > 0:
        text += f", about {html.span(int(one.lag_blocks / one.blocks_per_second))} at this speed"
    return text


def _speed(one: ChainStatus) -> str:
    if not one.at_work:
        return "none: no indexer is at work"
    return f"{one.blocks_per_second:,.1f} blocks/s, {one.logs_per_second:,.1f} logs/s"


def _counted(model: type[Model], count: int, chain_id: int) -> str:
    if not count:
        return "none"
    text = f"more than {COUNTED:,}" if count > COUNTED else f"{count:,}"
    return html.list_link(model, text, chain=chain_id)


def _fault(one: ChainStatus) -> str:
    if not one.fault:
        return "none"
    when = "" if one.fault_at is None else f"{html.moment(one.fault_at)} UTC, {_ago(one.fault_at, one.now)}: "
    return f"{when}{one.fault}"


def _ago(moment: int | None, now: int) -> str:
    return "never" if moment is None else f"{html.span(now - moment)} ago"


def _checkpoints(one: ChainStatus) -> str:
    shown = one.checkpoints[:MOST_CHECKPOINTS]
    more = len(one.checkpoints) - len(shown)
    note = f"{more:,} more have come further." if more else ""
    heads = ("Contract", "From block", "Up to block", "Time of that block (UTC)")
    return html.rows_table(heads, [_checkpoint_row(point) for point in shown], note)


def _checkpoint_row(point: Checkpoint) -> tuple[str, str, str, str]:
    name = "every contract" if not point.address else html.short(point.address)
    if point.name:
        name = f"{html.shortened(point.name, 40)} ({name})"
    last = html.NOTHING if point.last_block is None else f"{point.last_block:,}"
    return name, f"{point.first_block:,}", last, html.moment(point.reached_at)
