"""Finds out where the documents of a batch are: from contracts, by a node of their chain, or from what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.batches import batched
from core.chains import EVM, node_setting
from core.db.keys import token_id_from_key
from core.net.rpc.errors import NodeError
from core.net.rpc.jsonrpc import Node
from tokens.metadata import token_uris
from tokens.metadata.hosts import Silences
from tokens.metadata.items import Item
from tokens.metadata.outcomes import State, Verdict, unusable
from tokens.metadata.token_uris import Asked, Told

Ask = Callable[[Node, Sequence[Asked], Callable[[], bool]], list[Told]]
"""Asks contracts about tokens at a node, until it is over."""


@dataclass(frozen=True, slots=True)
class Start:
    """Where a document is: a URI as its author wrote it, as of a block if a node was asked; or why it is not known."""

    uri: str = ""
    block: int | None = None
    verdict: Verdict | None = None


class Locator:
    """Asks ``nodes``, by slug of their chain.

    A node that does not answer is left alone for a while (``silences``), and so is a contract that it takes too long
    over.
    """

    def __init__(self, nodes: Mapping[str, Node], silences: Silences) -> None:
        self._nodes = nodes
        self._silences = silences

    def starts(self, batch: Sequence[Item], is_over: Callable[[], bool]) -> list[Start | None]:
        """Return where the document of each NFT is; ``None`` for those that are not asked for once ``is_over``."""
        return self._starts(batch, token_uris.read, _stored, is_over)

    def beside_files(self, batch: Sequence[Item], is_over: Callable[[], bool]) -> list[Start | None]:
        """Like :meth:`starts`, of NFTs whose URI is the work itself; an empty :class:`Start` where that is all."""
        batch = [replace(item, uri=None) for item in batch]
        return self._starts(batch, token_uris.beside_files, lambda item: Start(), is_over)

    def _starts(
        self,
        batch: Sequence[Item],
        ask: Ask,
        without_node: Callable[[Item], Start],
        is_over: Callable[[], bool],
    ) -> list[Start | None]:
        found: list[Start | None] = [None] * len(batch)
        by_chain: dict[str, list[int]] = {}
        for place, item in enumerate(batch):
            if item.kind == EVM and item.slug in self._nodes:
                by_chain.setdefault(item.slug, []).append(place)
            else:
                found[place] = without_node(item)
        for slug, places in by_chain.items():
            items = [batch[place] for place in places]
            for place, start in zip(places, self._asked(slug, items, ask, is_over), strict=False):
                found[place] = start
        return found

    def _asked(
        self, slug: str, items: Sequence[Item], ask: Ask, is_over: Callable[[], bool]
    ) -> Iterable[Start | None]:
        """Yield what contracts of a chain say of NFTs, in their order, as far as there is time."""
        for part in batched(items, token_uris.AT_ONCE):
            if is_over():
                return
            put_off = [self._put_off(slug, item) for item in part]
            asked = [item for item, start in zip(part, put_off, strict=True) if start is None]
            told = iter(self._told(slug, asked, ask, is_over) if asked else ())
            yield from [next(told) if start is None else start for start in put_off]

    def _put_off(self, slug: str, item: Item) -> Start | None:
        """Return what is said of an NFT whose node or contract is left alone, ``None`` when it may be asked about."""
        for place in (_node_of(slug), _contract_of(slug, item)):
            left = self._silences.left(place)
            if left:
                reason = f"{place} did not answer a moment ago."
                return Start(verdict=Verdict(State.UNREACHABLE, reason, left, is_ours=True))
        return None

    def _told(
        self, slug: str, part: Sequence[Item], ask: Ask, is_over: Callable[[], bool]
    ) -> list[Start | None]:
        """Ask the node about a few NFTs, and take note of who answered."""
        try:
            told = ask(self._nodes[slug], [_question(item) for item in part], is_over)
        except NodeError as fault:
            self._silences.failed(_node_of(slug))
            return [Start(verdict=token_uris.of_node(fault))] * len(part)
        self._silences.answered(_node_of(slug))
        answers: dict[str, bool] = {}
        for item, one in zip(part, told, strict=True):
            is_lost = one.verdict is not None and one.verdict.is_ours
            place = _contract_of(slug, item)
            answers[place] = answers.get(place, False) or not is_lost
        for place, has_answered in answers.items():
            (self._silences.answered if has_answered else self._silences.failed)(place)
        return list(map(_start, part, told))


def _node_of(slug: str) -> str:
    return f"the node of {slug}"


def _contract_of(slug: str, item: Item) -> str:
    return f"contract {item.address} at the node of {slug}"


def _question(item: Item) -> Asked:
    return Asked(item.address, int(token_id_from_key(item.token_key)), item.standard)


def _start(item: Item, told: Told) -> Start | None:
    """Return what follows from what a contract said; a node that lags knows nothing of what is new."""
    if told.is_left:
        return None
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
