"""The queue of metadata to read: what puts NFTs into it, and what takes them out again.

Only the fetching of metadata itself (``manage.py fetch_metadata``) works it off. Everything here but :func:`expand` is
called within ``writing()``, in the transaction of what gave rise to it, so that no request is lost or left over.
"""

# ruff: noqa: S608 - table and column names are the models' own; values are parameters
from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection

from core.db import bulk
from core.db.writing import writing
from tokens.models import MetadataFetch, MetadataRefresh, Nft

MOST_RANGES = 100
"""Ranges of one contract that wait at a time; when there are more, they and all between them become one."""

Range = tuple[str, str]
"""First and last token key, both included."""

LAST_KEY = "~~"
"""Behind every token key: mints are letters and digits behind one tilde."""

WHOLE: Range = ("", LAST_KEY)
"""Every token of a contract."""

_AGAIN: dict[str, Any] = {
    "state": MetadataFetch.State.PENDING.value,
    "attempts": 0,
    "lease": "",
    "fault": "",
    "asked_again": False,
}

HEEDED = timedelta(hours=1)
"""After which a host that does not answer is asked again at the latest because a contract announced a change."""


class Met(NamedTuple):
    """An NFT that has its first transfer, and no metadata."""

    nft_id: int
    contract_id: int
    chain_id: int


_MET = (*Met._fields, "next_attempt_at")


def request(nft_ids: Iterable[int], now: datetime, *, by_hand: bool = False) -> int:
    """Have the metadata of NFTs read again as soon as may be; return how many rows that changes.

    Contracts may announce changes with every block, faster than anybody reads. So what is being read is read to its
    end, and then once more; what waits keeps its place; and a host that does not answer is asked again
    :data:`HEEDED` after the announcement at the latest, its failures still counted. A request ``by_hand`` waits for
    nothing of that: all is as if for the first time, and whoever is at one of them loses the lease.
    """
    sql, parameter = bulk.id_list(nft_ids)
    moment, rows = _moment(now), MetadataFetch._meta.db_table
    names, values = ", ".join(_AGAIN), list(_AGAIN.values())
    marks = ", ".join(["%s"] * len(_AGAIN))
    again = ", ".join(f"{name} = excluded.{name}" for name in (*_AGAIN, "next_attempt_at"))
    statement = (
        f"INSERT INTO {rows} (nft_id, contract_id, chain_id, next_attempt_at, {names}) "
        f"SELECT n.id, n.contract_id, n.chain_id, %s, {marks} "
        f"FROM {sql} wanted CROSS JOIN {Nft._meta.db_table} n WHERE n.id = wanted.id "
        f"ON CONFLICT (nft_id) DO UPDATE SET {again}"
    )
    if by_hand:
        return bulk.run(statement, [moment, *values, parameter])
    pending, unreachable = MetadataFetch.State.PENDING.value, MetadataFetch.State.UNREACHABLE.value
    is_held = f"{rows}.lease > '' AND {rows}.next_attempt_at > %s"
    is_waiting = f"{rows}.lease = '' AND {rows}.state = %s AND {rows}.next_attempt_at <= %s"
    is_down = f"{rows}.lease = '' AND {rows}.state = %s"
    wanted = f"nft_id IN (SELECT id FROM {sql} wanted)"
    heeded = _moment(now + HEEDED)
    asked = bulk.run(
        f"UPDATE {rows} SET asked_again = %s WHERE {is_held} AND {wanted}", [True, moment, parameter]
    )
    sooner = bulk.run(
        f"UPDATE {rows} SET next_attempt_at = %s WHERE {is_down} AND next_attempt_at > %s AND {wanted}",
        [heeded, unreachable, heeded, parameter],
    )
    left = [moment, pending, moment, unreachable]
    return (
        asked
        + sooner
        + bulk.run(
            f"{statement} WHERE ({is_held} OR {is_waiting} OR {is_down}) IS NOT TRUE",
            [moment, *values, parameter, *left],
        )
    )


def met(nfts: Sequence[Met], now: datetime) -> int:
    """Have the metadata read of NFTs that have their first transfer; return how many are new here.

    Where a row stands already, it says better when to try.
    """
    moment = _moment(now)
    return bulk.add_rows(MetadataFetch, _MET, [(*one, moment) for one in nfts])


def created(nfts: Sequence[Met], now: datetime) -> None:
    """Like :func:`met`, of NFTs that this very transaction created, so that no row stands already."""
    moment = _moment(now)
    bulk.copy_rows(MetadataFetch, _MET, [(*one, moment) for one in nfts])


def request_absent(nft_ids: Sequence[int], now: datetime) -> int:
    """Like :func:`request`, of those only that their contracts did not know, or may just be found not to know."""
    if not nft_ids:
        return 0
    sql, parameter = bulk.id_list(nft_ids)
    rows, wanted = MetadataFetch._meta.db_table, f"nft_id IN (SELECT id FROM {sql} wanted)"
    bulk.run(f"UPDATE {rows} SET asked_again = %s WHERE lease > '' AND {wanted}", [True, parameter])
    sets = ", ".join(f"{name} = %s" for name in (*_AGAIN, "next_attempt_at"))
    return bulk.run(
        f"UPDATE {rows} SET {sets} WHERE state = %s AND lease = '' AND {wanted}",
        [*_AGAIN.values(), _moment(now), MetadataFetch.State.ABSENT.value, parameter],
    )


def request_tried_since(chain_id: int, since: datetime, now: datetime) -> int:
    """Like :func:`request` by hand, of the NFTs of a chain that were last tried at ``since`` or later, or are now."""
    rows = MetadataFetch.objects.filter(chain_id=chain_id)
    held = rows.filter(lease__gt="").update(next_attempt_at=now, **_AGAIN)
    return held + rows.filter(tried_at__gte=since).update(next_attempt_at=now, **_AGAIN)


def state_given(nft_ids: Sequence[int]) -> int:
    """Take NFTs out of the queue whose metadata another source has stated; return how many were in it.

    Their rows say that they are read and not when to read them again. Those that were read before stay as they are,
    and so does when they are read again.
    """
    if not nft_ids:
        return 0
    sql, parameter = bulk.id_list(nft_ids)
    rows = MetadataFetch._meta.db_table
    ready = MetadataFetch.State.READY.value
    return bulk.run(
        f"UPDATE {rows} SET state = %s, attempts = 0, lease = '', fault = '', asked_again = %s, "
        f"next_attempt_at = NULL WHERE state <> %s AND nft_id IN (SELECT id FROM {sql} wanted)",
        [ready, False, ready, parameter],
    )


def request_range(
    contract_id: int, first_key: str, last_key: str, reason: str, now: datetime, *, by_hand: bool = False
) -> None:
    """Have the metadata of a contract's NFTs between two token keys, both included, read again.

    It costs one row, however many NFTs there are; :func:`expand` turns it into work, as :func:`request` says of it.
    """
    request_ranges(contract_id, [(first_key, last_key)], reason, now, by_hand=by_hand)


def request_ranges(
    contract_id: int, ranges: Iterable[Range], reason: str, now: datetime, *, by_hand: bool = False
) -> None:
    """Like :func:`request_range`, of any number of ranges. What waits already is not written again.

    Nothing that waits is put back to its beginning, so that a contract that announces changes with every block still
    has its last tokens read.
    """
    rows = MetadataRefresh.objects.filter(contract_id=contract_id).order_by("next_key", "id")
    rows = rows.filter(by_hand=True) if by_hand else rows
    waiting = list(rows.values_list("next_key", "last_key"))
    asked = sorted(set(ranges))
    if len(asked) > MOST_RANGES:
        asked = [_hull(asked)]
    added: list[Range] = []
    for wanted in asked:
        added += _gaps(wanted, sorted([*waiting, *added]))
    if len(waiting) + len(added) > MOST_RANGES:
        # The oldest is the one that is being worked off, and what an operator asked for is not a contract's any more.
        oldest = rows.order_by("id").first()
        others = rows.filter(by_hand=by_hand)
        others = others if oldest is None else others.exclude(pk=oldest.pk)
        added += others.values_list("next_key", "last_key")
        others.delete()
        added = [_hull(added)]
    MetadataRefresh.objects.bulk_create(
        MetadataRefresh(
            contract_id=contract_id,
            next_key=first,
            last_key=last,
            by_hand=by_hand,
            reason=reason,
            requested_at=now,
        )
        for first, last in added
    )


def _hull(ranges: Sequence[Range]) -> Range:
    """Return what reaches from the first to the last of some ranges."""
    return min(first for first, _ in ranges), max(last for _, last in ranges)


def _gaps(wanted: Range, waiting: Iterable[Range]) -> list[Range]:
    """Return what ranges in order leave of the one that is wanted; where two meet, both have the token."""
    at, end = wanted
    gaps = []
    for first, last in waiting:
        if last < at or end < first:
            continue
        if at < first:
            gaps.append((at, first))
        at = max(at, last)
        if end <= at:
            return gaps
    return [*gaps, (at, end)]


def expand(
    limit: int, now: datetime, *, contract_ids: Sequence[int] | None = None, chain_id: int | None = None
) -> int:
    """Turn ranges, the oldest first, into requests of at most ``limit`` NFTs; return of how many.

    ``contract_ids``, ``chain_id``: of those contracts only, and of that chain. Opens its own transaction: a worker
    that is killed leaves its ranges as they were. Ranges that another worker has locked are passed over.
    """
    ranges = MetadataRefresh.objects.order_by("id")
    if contract_ids is not None:
        ranges = ranges.filter(contract_id__in=contract_ids)
    if chain_id is not None:
        ranges = ranges.filter(contract__chain_id=chain_id)
    if not ranges.exists():
        return 0
    count = 0
    with writing():
        while count < limit:
            refresh = ranges.select_for_update(skip_locked=True, of=("self",)).first()
            if refresh is None:
                break
            count += _expand(refresh, limit - count, now)
    return count


def _expand(refresh: MetadataRefresh, limit: int, now: datetime) -> int:
    nfts = Nft.objects.filter(
        contract_id=refresh.contract_id, token_key__range=(refresh.next_key, refresh.last_key)
    )
    found = list(nfts.order_by("token_key").values_list("id", "token_key")[: limit + 1])
    if len(found) > limit:
        refresh.next_key = found[limit][1]
        refresh.save(update_fields=["next_key"])
    else:
        refresh.delete()
    taken = [row_id for row_id, _ in found[:limit]]
    request(taken, now, by_hand=refresh.by_hand)
    return len(taken)


def _moment(moment: datetime) -> str:
    """Return a moment as the database takes it in a statement of ours."""
    return str(connection.ops.adapt_datetimefield_value(moment))
