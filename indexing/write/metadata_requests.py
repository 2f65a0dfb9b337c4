"""Has metadata read again of which contracts say that it changed (ERC-4906, and ``URI`` of EIP-1155)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.utils import timezone

from core.db import bulk
from core.db.keys import uint_key
from core.net.http.uris import BadUriError, canonical, with_token_id
from indexing.decode.moves import Refresh
from indexing.write.window import Window
from tokens.metadata.shortening import kept_uri
from tokens.models import Contract, Nft
from tokens.store import fetches, renderings


def write(chain_id: int, window: Window) -> None:
    """Request what a window's logs name, once its NFTs are written; within ``writing()``.

    What they name one by one is looked up here, what they name as a range costs one row whatever its size. NFTs that
    are not known need no request: their first transfer is one. A URI that a log states is the NFT's from now on, until
    its contract is asked; one that is of no use only has it asked.
    """
    by_contract: dict[str, list[Refresh]] = defaultdict(list)
    for reading in window.readings:
        for one in reading.decoded.refreshes:
            by_contract[one.contract].append(one)
    if not by_contract:
        return
    now = timezone.now()
    named: dict[tuple[int, str], str | None] = {}
    keys = [(address, chain_id) for address in by_contract]
    for contract_id, address in bulk.rows_by(Contract, ("address", "chain_id"), keys, ("id", "address")):
        refreshes = by_contract[address]
        ranges = []
        for first, last in _ranges(refreshes):
            if first == last:
                named[contract_id, uint_key(first)] = None
            else:
                ranges.append((uint_key(first), uint_key(last)))
        if ranges:
            reason = f"The contract said so in block {max(one.block_number for one in refreshes)}."
            fetches.request_ranges(contract_id, ranges, reason, now)
        for one in refreshes:  # in the order of logs, so that the last one stands
            if one.uri is not None:
                named[contract_id, uint_key(one.first_token_id)] = _kept(one.uri, one.first_token_id)
    fetches.request(_with_uris(named), now)


def _kept(uri: str, token_id: int) -> str | None:
    """Return a URI that a log states as it is stored; ``None`` for one that leads nowhere, or is long data itself."""
    try:
        return kept_uri(canonical(with_token_id(uri, token_id)))
    except BadUriError:
        return None


def _with_uris(named: Mapping[tuple[int, str], str | None]) -> list[int]:
    """Give NFTs, by contract id and token key, the URIs that were stated; return the ids of those that exist."""
    found = bulk.rows_by(
        Nft, ("contract_id", "token_key"), list(named), ("id", "contract_id", "token_key", "uri")
    )
    stated = [(row[0], named[row[1], row[2]]) for row in found if named[row[1], row[2]] not in (None, row[3])]
    bulk.update_rows(Nft, ("id", "uri"), stated)
    renderings.refresh(row[0] for row in stated)
    return [row[0] for row in found]


def _ranges(refreshes: Iterable[Refresh]) -> list[tuple[int, int]]:
    """Return the token ids that refreshes name as the fewest ranges, both ends included, in order."""
    ranges: list[tuple[int, int]] = []
    for first, last in sorted((one.first_token_id, one.last_token_id) for one in refreshes):
        if ranges and first <= ranges[-1][1] + 1:
            ranges[-1] = ranges[-1][0], max(ranges[-1][1], last)
        else:
            ranges.append((first, last))
    return ranges
