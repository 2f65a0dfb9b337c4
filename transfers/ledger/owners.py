"""Who holds an NFT, as a pure function of its transfers in chain order, its stated ownership and its standard."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from core.memo import cached_if_short
from transfers.ledger.ledger import NOBODY, Event, Held, Holding, Ledger, Statement

_ONE_OWNER = frozenset(
    (
        *("cryptopunks", "cryptokitties", "metaplex", "metaplexcore", "mplcore", "bubblegum"),
        *("nonfungible", "programmablenonfungible", "pnft", "cnft"),
    )
)
_BALANCES = frozenset(("fungible", "fungibleasset", "semifungible", "erc3525", "erc20"))


@cached_if_short(maxsize=1_000, longest=100)
def has_one_owner(standard: str) -> bool | None:
    """Tell whether tokens of a standard have one owner at a time (not balances); ``None``: the standard tells nothing.

    Letter case, dashes and blanks do not matter.
    """
    name = re.sub("[^a-z0-9]", "", standard.casefold())
    if name.startswith("erc721") or name in _ONE_OWNER:
        return True
    if name.startswith("erc1155") or name in _BALANCES:
        return False
    return None


class Appended(NamedTuple):
    """What new transfers come to: the number of holders, ``None`` where it is not known.

    ``born``: the newest of them with which the NFT came into being, or did anew.
    """

    total: int | None
    born: Event | None


def replay(
    events: Sequence[Event], standard: str, statement: Statement | None, openings: Sequence[Held] = ()
) -> Ledger:
    """Return the ledger of an NFT from all its transfers in chain order, its stated owners and its openings."""
    ledger = _begun(events, standard, statement, openings)
    if statement is not None:
        for event in events:
            if statement.covers(event):
                ledger.witness(event)
        ledger.state(statement)
    due = _due(openings, events, statement)
    for event in events:
        if statement is None or not statement.covers(event):
            _reach(ledger, due, event.block)
            ledger.apply(event)
    _reach(ledger, due)
    return ledger


def append(
    holdings: dict[str, Holding],
    total: int | None,
    events: Sequence[Event],
    standard: str,
    statement: Statement | None,
    openings: Sequence[Held] = (),
) -> Appended:
    """Bring stored holdings up to date with transfers that lie after all that were applied.

    ``openings`` are new ones, of later blocks than all that were applied, and tell amounts.

    ``holdings`` holds at least the rows of the addresses that events and openings name, and every holder where
    ``total`` is below 2 or the standard has one owner; it is changed in place, former holders stay. Raises
    ``NeedsReplayError`` when the events do not determine the outcome: of a standard that tells nothing, where one owner
    and balances would now part ways.
    """
    one_owner = has_one_owner(standard)
    if one_owner is None and openings:
        raise NeedsReplayError
    undecided = one_owner is None and not (
        (total or 0) > 1
        or any(holding.amount > 1 for holding in holdings.values())
        or (statement is not None and statement.shows_balances)
    )
    ledger = Ledger(bool(one_owner), holdings)
    ledger.known = total is not None
    ledger.is_stated = statement is not None
    unseen = (total or 0) - len(ledger.holders)
    stated_updates = _stated_updates(statement)
    due = _due(openings, events, statement)
    born = None
    for event in events:
        covered = statement is not None and statement.covers(event)
        if covered and event.is_mint and not one_owner:
            raise NeedsReplayError  # who held it before the owners were stated
        if undecided and not _alike_either_way(ledger, event, covered):
            raise NeedsReplayError
        if not covered:
            _reach(ledger, due, event.block)
        if event.is_mint and (one_owner or (ledger.total() == 0 and not unseen)):
            born = event
        if covered:
            ledger.witness(event, stated_updates)
        else:
            ledger.apply(event)
    _reach(ledger, due)
    count = ledger.total()
    return Appended((count or 0) + unseen if unseen else count, born)


def minting(
    events: Sequence[Event], standard: str, statement: Statement | None, openings: Sequence[Held] = ()
) -> Event | None:
    """Return the mint with which an NFT came into being, from the arguments of :func:`replay`.

    The newest one where it was burnt and minted anew: that is, minted while nobody held any of it. Where it can have
    one owner alone, whoever mints it anew has burnt it, seen or not. Further units of what exists are no such mint.
    """
    mints = [event for event in events if event.is_mint]
    if len(mints) <= 1 or has_one_owner(standard):
        return mints[-1] if mints else None
    ledger, due, born = _begun(events, standard, statement, openings), deque[Held](), None
    waiting = statement
    if statement is None:
        due = _due(openings, events, None)
    for event in events:
        if waiting is not None and not waiting.covers(event):
            ledger.state(waiting)
            due, waiting = _due(openings, events, waiting), None
        _reach(ledger, due, event.block)
        if event.is_mint and (born is None or ledger.total() == 0):
            born = event
        ledger.apply(event)
    return born


def _begun(
    events: Sequence[Event], standard: str, statement: Statement | None, openings: Sequence[Held]
) -> Ledger:
    """Return an empty ledger of one owner or of balances, whichever the standard says, else what is known shows."""
    one_owner = has_one_owner(standard)
    if one_owner is None:
        one_owner = not openings and not _shows_balances(events, statement)
    return Ledger(one_owner)


class NeedsReplayError(Exception):
    """The stored holdings do not tell enough; all transfers must be replayed."""


def _due(openings: Sequence[Held], events: Sequence[Event], statement: Statement | None) -> deque[Held]:
    """Return the openings that stated owners do not reflect already, oldest first."""
    if not openings:
        return deque()
    if statement is not None:
        covered = max((event.block for event in events if statement.covers(event)), default=-1)
        openings = [one for one in openings if one.block > covered and not statement.covers_block(one.block)]
    return deque(sorted(openings, key=lambda one: one.block))


def _reach(ledger: Ledger, due: deque[Held], block: int | None = None) -> None:
    """Set right what the openings up to a block tell of, ``None``: all of them; they are due no more."""
    while due and (block is None or due[0].block <= block):
        ledger.set_right(due.popleft())


def _shows_balances(events: Sequence[Event], statement: Statement | None) -> bool:
    """Tell whether an NFT of unknown standard shows that it is held in balances."""
    held = False
    if statement is not None:
        if statement.shows_balances:
            return True
        covered = [event for event in events if statement.covers(event)]
        if _any_balances(covered, held)[0]:
            return True
        held = bool(statement.owners)
        events = [event for event in events if not statement.covers(event)]
    return _any_balances(events, held)[0]


def _any_balances(events: Sequence[Event], held: bool) -> tuple[bool, bool]:
    for event in events:
        if event.amount != 1 or (held and event.is_mint):
            return True, held
        held = event.receiver is not None and event.receiver not in NOBODY
    return False, held


def _alike_either_way(ledger: Ledger, event: Event, covered: bool) -> bool:
    """Tell whether one owner and balances give the same: one unit moves on from who alone holds it, or from nobody."""
    if event.amount != 1:
        return False
    if covered:
        return not event.is_mint
    return not ledger.holders or (event.sender in ledger.holders and len(ledger.holders) == 1)


def _stated_updates(statement: Statement | None) -> frozenset[str]:
    if statement is None:
        return frozenset()
    return frozenset(
        owner.address
        for owner in statement.owners
        if owner.updated_at is not None or owner.updated_at_block is not None
    )
