"""The contracts that are left out or in doubt, as the database has them: written, said, and read again when cleared."""

from __future__ import annotations

import contextlib
import json
import logging
import re
import time
import zlib
from collections.abc import Iterable

from django.db.models import Window as Partition
from django.db.models.functions import RowNumber

from core.db import bulk
from core.db.writing import writing
from indexing.contracts.kinds import OWN_FORMS, Doubt, TakenFor, form_of
from indexing.contracts.profiles import Profile
from indexing.contracts.sorting import Stored
from indexing.models import DoubtfulContract, Evidence, IndexedContract, UndecodedLog
from indexing.node.asking import Ask, present
from indexing.node.logs import MalformedLogError, RawLog, raw_log
from indexing.write.evidence import unpack
from indexing.write.window import Window
from tokens.models import Contract
from tokens.store.chains import ChainRow
from transfers.models import Transfer

logger = logging.getLogger(__name__)

MOST_AGAIN = 1_000
"""Contracts that are asked again when a process begins, before their next log."""
MOST_KEPT = 20
"""Logs of each of them that it is asked by."""

_NO_HASH = "0x" + "0" * 64
"""In the place of a block's hash, which is not kept of these."""

_MONEY = re.compile(r"erc-?(?:20|223|777|4626)", re.IGNORECASE)
"""Standards of contracts without NFTs, which another source may state."""


def stored(chain: ChainRow, named: Iterable[str] = ()) -> Stored:
    """Return what is known of the contracts of a chain; ``named`` are an operator's."""
    rows = Contract.objects.filter(chain_id=chain.id).exclude(standard="").values_list("address", "standard")
    standards = {
        address: standard
        for address, standard in rows.iterator(chunk_size=10_000)
        if _MONEY.fullmatch(standard) is None
    }
    doubtful = DoubtfulContract.objects.filter(chain_id=chain.id).order_by("id")
    untold = doubtful.filter(taken_for__in=(TakenFor.UNTOLD, TakenFor.UNCLEAR))
    again = frozenset(untold.values_list("address", flat=True)[:MOST_AGAIN])
    return Stored(
        standards,
        frozenset(doubtful.values_list("address", flat=True)),
        again,
        _kept_logs(chain, again),
        frozenset(one for one in named if one in standards and _moves_by_its_own_form(chain, one)),
    )


def write(chain: ChainRow, window: Window) -> list[str]:
    """Write the doubts that a window's logs were met with, and drop those that it cleared. Within ``writing()``.

    Returns the contracts whose checkpoints it has put back to their first log that was left out.
    """
    if not window.doubts and not window.cleared:
        return []
    keys = [(address, chain.id) for address in {**window.doubts, **window.cleared}]
    known = {
        address: (taken_for, block)
        for address, taken_for, block in bulk.rows_by(
            DoubtfulContract, ("address", "chain_id"), keys, ("address", "taken_for", "block_number")
        )
    }
    again = []
    for address, profile in window.cleared.items():
        if address not in window.doubts:
            _name(chain, address, profile)
            bulk.delete_rows(DoubtfulContract, ("address", "chain_id"), [(address, chain.id)])
            again += _read_again(chain, address, known.get(address, ("", None))[1], window.first)
    doubts = dict(window.doubts)
    for address, doubt in window.doubts.items():
        taken_for, block = known.get(address, ("", None))
        if doubt.block is None:
            again += _read_again(chain, address, block, window.first)
        elif block is not None:
            doubts[address] = doubt._replace(block=min(block, doubt.block))
        if taken_for != doubt.taken_for:
            _say(chain, address, doubt)
    _store(chain, doubts)
    return again


def note_empty(chain: ChainRow, named: Iterable[str], block: int, ask: Ask) -> list[str]:
    """Note those of the contracts that an operator named of which no NFT has moved up to a block; return them.

    One about which something is noted already is left alone.
    """
    keys = [(address, chain.id) for address in named]
    holders = bulk.rows_by(Contract, ("address", "chain_id"), keys, ("address", "nft_count"))
    noted = bulk.rows_by(DoubtfulContract, ("address", "chain_id"), keys, ("address",))
    known = {address for address, count in holders if count} | {address for (address,) in noted}
    empty = [address for address, _ in keys if address not in known]
    if not empty:
        return []
    there = present(dict.fromkeys(empty, block), ask)
    nothing = f"No NFT of it has moved up to block {block:,}"
    doubts = {
        address: Doubt(
            TakenFor.NOTHING,
            f"{nothing}, and there is no contract." if there[address] is False else f"{nothing}.",
            block=None,
        )
        for address in empty
    }
    for address, doubt in doubts.items():
        _say(chain, address, doubt)
    with writing():
        _store(chain, doubts)
    return empty


def told(chain: ChainRow, most: int) -> list[str]:
    """Return what there is to say of the contracts in doubt, a sentence each, and how many more there are."""
    rows = DoubtfulContract.objects.filter(chain_id=chain.id).order_by("id")
    said = [_sentence(row.address, Doubt(row.taken_for, row.reason, row.block_number)) for row in rows[:most]]
    more = rows.count() - len(said)
    return [*said, f"{more:,} more are in the admin, under doubtful contracts."] if more else said


def _sentence(address: str, doubt: Doubt) -> str:
    if doubt.block is not None:
        return f"{address} is left out from block {doubt.block:,} on. {doubt.reason}"
    return f"{address}: {doubt.reason}"


def _say(chain: ChainRow, address: str, doubt: Doubt) -> None:
    logger.warning("%s: %s", chain.slug, _sentence(address, doubt))


def _store(chain: ChainRow, doubts: dict[str, Doubt]) -> None:
    now = int(time.time())
    DoubtfulContract.objects.bulk_create(
        [
            DoubtfulContract(
                chain_id=chain.id,
                address=address,
                taken_for=doubt.taken_for,
                reason=doubt.reason,
                block_number=doubt.block,
                noted_at=now,
                is_final=doubt.is_final,
            )
            for address, doubt in doubts.items()
        ],
        update_conflicts=True,
        unique_fields=["address", "chain"],
        update_fields=["taken_for", "reason", "block_number", "is_final"],
    )


def _read_again(chain: ChainRow, address: str, block: int | None, before: int) -> list[str]:
    """Have a contract read again from its first log that was left out, unless the window itself has that."""
    if block is None:
        return []
    UndecodedLog.objects.filter(
        chain_id=chain.id, address=address, block_number__range=(block, before - 1)
    ).delete()
    logger.warning("%s: %s holds NFTs after all: it is read from block %d on", chain.slug, address, block)
    if block >= before:
        return []
    row = IndexedContract.objects.filter(chain_id=chain.id, address=address).first()
    row = row or IndexedContract(chain_id=chain.id, address=address, first_block=block)
    row.first_block, row.next_block = min(row.first_block, block), block
    row.save()
    return [address]


def _name(chain: ChainRow, address: str, profile: Profile) -> None:
    """Write what a contract is called where that is not known yet: never over what was corrected since."""
    rows = Contract.objects.filter(chain_id=chain.id, address=address)
    if profile.name is not None:
        rows.filter(name=None).update(name=profile.name)
    if profile.symbol is not None:
        rows.filter(symbol=None).update(symbol=profile.symbol)


def _moves_by_its_own_form(chain: ChainRow, address: str) -> bool:
    """Tell whether the newest transfers of a contract were read from a form of ``Transfer`` that no ERC-20 has."""
    newest = Transfer.objects.filter(contract__address=address, chain_id=chain.id).order_by(
        "recent_key", "id"
    )
    keys = [(hash_, chain.id) for hash_ in set(newest.values_list("transaction_hash", flat=True)[:MOST_KEPT])]
    rows = bulk.rows_by(Evidence, ("transaction_hash", "chain_id"), keys, ("transaction_hash", "packed"))
    for hash_, packed in rows:
        with contextlib.suppress(ValueError, zlib.error):
            found = unpack(bytes(packed), hash_, block_number=0, timestamp=0)
            if any(log.address == address and form_of(log) in OWN_FORMS for log in found.logs):
                return True
    return False


def _kept_logs(chain: ChainRow, addresses: Iterable[str]) -> list[RawLog]:
    """Return the newest logs that are kept of contracts, the oldest first, without what a node sent that is none."""
    newest = Partition(RowNumber(), partition_by="address", order_by="-block_number")
    rows = UndecodedLog.objects.filter(chain_id=chain.id, address__in=addresses).annotate(place=newest)
    rows = rows.filter(place__lte=MOST_KEPT).order_by("block_number", "log_index")
    found = []
    for row in rows:
        answer = {
            "address": row.address,
            "topics": json.loads(row.topics),
            "data": row.data,
            "blockNumber": hex(row.block_number),
            "blockHash": _NO_HASH,
            "transactionHash": row.transaction_hash,
            "transactionIndex": "0x0",
            "logIndex": hex(row.log_index),
        }
        with contextlib.suppress(MalformedLogError):
            found.append(raw_log(answer))
    return found
