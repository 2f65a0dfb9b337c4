"""Reads collections and single assets from a DAS node into the database, a page a transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from core.batches import batched
from core.db.keys import NEVER, token_id_from_key
from core.net.rpc.errors import RpcError
from core.net.rpc.jsonrpc import Node
from indexing.das import writing
from indexing.das.assets import Asset, BadAssetError, read, shown_id
from indexing.das.content import content_of
from indexing.das.listing import Listing, Page
from indexing.das.lookup import AT_ONCE, Lookup
from indexing.das.writing import Found, Names
from tokens.models import Nft
from tokens.store.chains import ChainRow

Tell = Callable[[str, str], None]
"""Takes what could not be read: its mint, as far as that can be shown, and why."""


@dataclass(slots=True)
class Counts:
    """What became of the assets that a node told of.

    ``nfts`` were written, ``burnt`` of them as held by nobody; ``left_out``: fungible tokens and collections;
    ``strangers``: listed, but no verified members, and not stored before; ``gone``: stored, but unknown to the node;
    ``unread``: NFTs whose documents are to be fetched; ``faults``: what could not be read.
    """

    nfts: int = 0
    burnt: int = 0
    left_out: int = 0
    strangers: int = 0
    gone: int = 0
    unread: int = 0
    faults: int = 0


class Reader:
    """Reads one chain from a node. ``counts`` grow as it goes; raises ``NodeError`` when the node cannot be read."""

    def __init__(
        self, chain: ChainRow, node: Node, tell: Tell, advance: Callable[[int], object] = lambda _count: None
    ) -> None:
        self.counts = Counts()
        self._chain = chain
        self._node = node
        self._lookup = Lookup(node)
        self._tell = tell
        self._advance = advance
        self._names: dict[str, Names] = {}

    def collection(self, address: str) -> bool:
        """Read a collection; true when the list of its assets was whole.

        Only then the stored members that it did not name are asked for by their mints: they may have been burnt, or
        belong elsewhere now. Of what the node does not know any more nothing is changed.
        """
        unknown = self._describe([address])
        listing = Listing(self._node, address)
        for page in listing.pages():
            self._page(page, address)
        if unknown and not listing.seen:
            self._fault(address, "The node knows neither this collection nor any asset of it.")
        if listing.whole:
            for mints in batched(self._unlisted(address, listing.seen), AT_ONCE):
                self.counts.gone += len(self._assets(mints, address))
        return listing.whole

    def assets(self, mints: Sequence[str]) -> None:
        """Read single assets, whatever collection they belong to."""
        for part in batched(mints, AT_ONCE):
            for mint in self._assets(part, None):
                self._fault(mint, "The node knows no such asset.")

    def _page(self, page: Page, collection: str) -> None:
        for refused in page.refused:
            mint = refused.get("id") if isinstance(refused, dict) else None
            self._fault(shown_id(mint), "The node cannot show it.")
        assets = [asset for one in page.items if (asset := self._read(one, page.slot)) is not None]
        found = [Found(asset, asset.home(collection)) for asset in assets]
        others = [one.asset.mint for one in found if one.home != collection]
        strangers = set(others) - writing.known(self._chain, others)
        self.counts.strangers += len(strangers)
        self._write([one for one in found if one.asset.mint not in strangers], page.asked_at)
        self._advance(len(page.items))

    def _assets(self, mints: Sequence[str], member_of: str | None) -> list[str]:
        """Read assets by their mints, and return those that the node does not know.

        ``member_of``: the collection that they are stored in, which they leave only for what the node says.
        """
        asked_at = timezone.now()
        answers = self._lookup.assets(mints)
        assets = []
        for mint, answer in answers.items():
            if isinstance(answer, RpcError):
                self._fault(mint, answer.message)
            else:
                assets.append(self._read(answer, None))
        self._write([Found(one, one.home(member_of)) for one in assets if one is not None], asked_at)
        self._advance(len(mints))
        return [mint for mint in mints if mint not in answers]

    def _read(self, answer: Any, slot: int | None) -> Asset | None:
        """Read an asset; none for what is no NFT."""
        try:
            asset = read(answer, slot)
        except BadAssetError as fault:
            self._fault(fault.mint, str(fault))
            return None
        if asset.is_fungible or asset.is_collection or asset.mint in self._names:
            self.counts.left_out += 1
            return None
        return asset

    def _write(self, found: Sequence[Found], asked_at: datetime) -> None:
        self._describe(one.home for one in found if isinstance(one.home, str))
        written = writing.write(self._chain, found, self._names, asked_at)
        for asset, reason in written.refused:
            self._fault(asset.mint, reason)
        refused = {asset.mint for asset, _ in written.refused}
        good = [asset for asset, _ in found if asset.mint not in refused]
        self.counts.nfts += len(good)
        self.counts.burnt += sum(asset.owner is None for asset in good)
        self.counts.unread += written.unread

    def _describe(self, addresses: Iterable[str]) -> set[str]:
        """Ask once what collections are called, and return those that the node does not know."""
        new = [address for address in dict.fromkeys(addresses) if address not in self._names]
        answers = self._lookup.assets(new)
        for address in new:
            answer = answers.get(address)
            content = content_of(answer.get("content") if isinstance(answer, dict) else None)
            self._names[address] = Names(content.name, content.symbol)
        return set(new) - answers.keys()

    def _unlisted(self, address: str, seen: set[str]) -> Iterator[str]:
        """Yield the stored mints of a collection that a list has not named; what is burnt stays so."""
        after = NEVER
        while True:
            rows = Nft.objects.filter(
                chain_id=self._chain.id, contract__address=address, token_key__gt=after
            ).order_by("token_key")
            part = list(rows.values_list("token_key", "recent__owners_total")[:AT_ONCE])
            for key, holders in part:
                if holders != 0 and token_id_from_key(key) not in seen:
                    yield token_id_from_key(key)
            if not part:
                return
            after = part[-1][0]

    def _fault(self, mint: str, reason: str) -> None:
        self.counts.faults += 1
        self._tell(mint, reason)
