"""Writes takedowns that lines state: they come to the same as those that operators make."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from media import withholding as contents
from tokens.models import Contract, Nft
from tokens.store import withholding
from tokens.store.chains import ChainRow
from tokens.store.facts import Identity, TakedownFacts

K = TypeVar("K", bound=Hashable)


def write(facts: Iterable[TakedownFacts], chains: Mapping[str, ChainRow]) -> list[int]:
    """Write takedowns, the last one of each thing; return the ids of the NFTs that are let go. Within ``writing()``.

    The contracts and NFTs of those with a reason exist; one that lifts nothing does nothing.
    :func:`finish` must follow, outside of the transaction.
    """
    facts = list(facts)
    if not facts:
        return []
    released = _nfts(_last(facts, lambda one: one.identity), chains)
    _contracts(
        _last(facts, lambda one: (one.chain, one.address) if isinstance(one.address, str) else None), chains
    )
    hashes, urls = (_last(facts, lambda one: one.content_hash), _last(facts, lambda one: one.url))
    contents.release_hashes([one for one, reason in hashes.items() if reason is None])
    contents.release_urls([one for one, reason in urls.items() if reason is None])
    contents.withhold_hashes({one: reason for one, reason in hashes.items() if reason is not None})
    contents.withhold_urls({one: reason for one, reason in urls.items() if reason is not None})
    return released


def finish() -> None:
    """Have cached images follow, and delete the files that go. May be killed and repeated."""
    withholding.apply_pending()
    contents.delete_doomed()


def _last(facts: Iterable[TakedownFacts], key: Callable[[TakedownFacts], K | None]) -> dict[K, str | None]:
    """Return the last reason of each thing that is taken down or let go."""
    keyed = ((key(one), one.reason) for one in facts)
    return {thing: reason for thing, reason in keyed if thing}


def _nfts(reasons: Mapping[Identity, str | None], chains: Mapping[str, ChainRow]) -> list[int]:
    released = []
    for identity, reason in reasons.items():
        chain_id = chains[identity[0]].id
        rows = Nft.objects.filter(token_key=identity[-1])
        if len(identity) == 3:
            rows = rows.filter(contract__chain=chain_id, contract__address=identity[1])
        else:
            rows = rows.filter(chain=chain_id)
        stored = rows.values_list("id", "media_withheld", "withheld_reason").first()
        if stored is None or stored[1:] == (reason is not None, reason):
            continue
        if reason is None:
            withholding.release_nfts(stored[:1])
            released.append(stored[0])
        else:
            withholding.withhold_nfts(stored[:1], reason)
    return released


def _contracts(reasons: Mapping[tuple[str, str], str | None], chains: Mapping[str, ChainRow]) -> None:
    for (slug, address), reason in reasons.items():
        ids = list(
            Contract.objects.filter(chain_id=chains[slug].id, address=address).values_list("id", flat=True)
        )
        if reason is None:
            withholding.release_contracts(ids)
        else:
            withholding.withhold_contracts(ids, reason)
