"""Finds out where the documents of a batch are: from contracts, by a node of their chain, or from what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from nftsite.batches import batched
from nftsite.chains import EVM, node_setting
from nftsite.db.keys import token_id_from_key
from nftsite.net.jsonrpc import Node
from tokens.metadata import token_uris
from tokens.metadata.hosts import Silences
from tokens.metadata.items import Item
from tokens.metadata.outcomes import State, Verdict, unusable
from tokens.metadata.token_uris import Asked, Told


@dataclass(frozen=True, slots=True)
class Start:
    """Where a document is: a URI as its author wrote it, as of a block if a node was asked; or why it is not known."""

    uri: str = ""
    block: int | None = None
    verdict: Verdict | None = None


class Locator:
    """Asks ``nodes``, by slug of their chain. One that does not answer is left alone for a while (``silences``)."""

    def __init__(self, nodes: Mapping[str, Node], silences: Silences) -> None:
        self._nodes = nodes
        self._silences = silences

    def starts(self, batch: Sequence[Item], is_over: Callable[[], bool]) -> list[Start | None]:
        """Return where the document of each NFT is; ``None`` for those that are not asked for once ``is_over``."""
        found: list[Start | None] = [None] * len(batch)
        by_chain: dict[str, list[int]] = {}
        for place, item in enumerate(batch):
            if item.kind == EVM and item.slug in self._nodes:
                by_chain.setdefault(item.slug, []).append(place)
            else:
                found[place] = _stored(item)
        for slug, places in by_chain.items():
            items = [batch[place] for place in places]
            for place, start in zip(places, self._asked(slug, items, is_over), strict=False):
                found[place] = start
        return found

    def _asked(self, slug: str, items: Sequence[Item], is_over: Callable[[], bool]) -> Iterable[Start]:
        """Yield what contracts of a chain say of NFTs, in their order, as far as there is time."""
        place = f"the node of {slug}"
        for part in batched(items, token_uris.AT_ONCE):
            if is_over():
                return
            silence = self._silences.left(place)
            if silence:
                verdict = Verdict(
                    State.UNREACHABLE, f"{place} did not answer a moment ago.", silence, is_ours=True
                )
                yield from [Start(verdict=verdict)] * len(part)
                continue
            told = token_uris.read(self._nodes[slug], [_question(item) for item in part])
            if all(one.verdict is not None and one.verdict.is_ours for one in told):
                self._silences.failed(place)
            else:
                self._silences.answered(place)
            yield from map(_start, part, told)


def _question(item: Item) -> Asked:
    return Asked(item.address, int(token_id_from_key(item.token_key)), item.standard)


def _start(item: Item, told: Told) -> Start:
    """Return what follows from what a contract said; a node that lags knows nothing of what is new."""
    if told.block is not None and told.block < item.last_block:
        reason = (
            f"The node: it is at block {told.block}, and the last transfer was in block {item.last_block}."
        )
        return Start(verdict=Verdict(State.UNREACHABLE, reason, is_ours=True))
    if told.lacks and item.uri:
        return Start(item.uri, told.block)
    return Start(told.uri, told.block, told.verdict)


def _stored(item: Item) -> Start:
    """Return where the document of an NFT is that no node can be asked about."""
    if item.uri:
        return Start(item.uri)
    if item.kind != EVM:
        return Start(verdict=unusable("No URI of it is known: `index_das` or `load` tell it."))
    reason = (
        f"No node of {item.slug} can be asked for its URI: set {node_setting(item.slug)}, or give --rpc-url."
    )
    return Start(verdict=Verdict(State.UNREACHABLE, reason, is_ours=True))
