"""The brute-force model of both operations: every NFT and every transfer is looked at, for every query.

    oracle = Oracle(lines)
    [item.identity for item in oracle.nfts({"traits": "Type-Alien"}, now)]

Ties are left open by the rules (only that they fall in one fixed order), so an answer is a list of `Item`s:
`tests.walks.checking` compares it with what the service pages, up to ties.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from tests.oracle import asks as asking
from tests.oracle import query as querying
from tests.oracle.holders import Holder, holders, is_after
from tests.oracle.query import Pair, Params, Query
from tests.oracle.text import plain_address, value_text
from tests.oracle.world import Line, NftKey, TransferKey, World, nobody, position

Key = tuple[Any, ...]
Identity = tuple[str, str | None, str]  # chain, contractAddress as shown, token id
NEVER: Key = (1,)


@dataclass(frozen=True)
class Item:
    """One item of an answer.

    `key` is what the order compares. Items of one `within` (an NFT, in the NFT-based orders of transfers) stand
    together, and by `inner` among themselves.
    """

    key: Key
    identity: Identity | TransferKey
    within: NftKey | None = None
    inner: Key = ()


class Backwards:
    """Compares the other way round, for texts, which have no negative."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Backwards) -> bool:
        return bool(other.value < self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Backwards) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)


class Oracle:
    """What the service should answer, after the files loaded so far."""

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self.world = World()
        self.load(lines)

    def load(self, lines: Iterable[Line]) -> None:
        """Load one more file."""
        self.world.load(lines)
        for name in ("_transfers_of", "_asks_of", "_holders_of", "_traits_of"):
            self.__dict__.pop(name, None)

    # the two operations

    def nfts(self, params: Params, now: int) -> list[Item]:
        """All matching NFTs in order."""
        query = querying.parse(params)
        matching = self._matching(query, now)
        return sorted(
            (Item(self._key(nft, query, now), self.identity(nft)) for nft in matching),
            key=lambda item: item.key,
        )

    def transfers(self, params: Params, now: int) -> list[Item]:
        """All matching transfers in order."""
        query = querying.parse_transfers(params)
        found = []
        for nft in self._known_by(query):
            for transfer in self._transfers_of[nft]:
                identity = transfer_key(nft, transfer)
                if query.order == "recent":
                    found.append(Item(recency(transfer), identity))
                else:
                    found.append(Item(self._key(nft, query, now), identity, nft, recency(transfer)))
        return sorted(found, key=lambda item: (item.key, item.inner))

    # filters

    def _matching(self, query: Query, now: int) -> list[NftKey]:
        if query.empty:
            return []
        contracts = None if query.contract is None else querying.named_contracts(self.world, query.contract)
        scope = [
            nft
            for nft in self.world.nfts
            if (query.chain is None or nft[0] == query.chain)
            and (contracts is None or self._contract_key(nft) in contracts)
        ]
        data = self.world.nfts if contracts is None else scope
        scope = self._owned(scope, query)
        groups = [] if query.traits is None else querying.trait_groups(query.traits, self._pairs_in(data))
        return [nft for nft in scope if self._passes(nft, query, groups, now)]

    def _passes(self, nft: NftKey, query: Query, groups: list[set[str]], now: int) -> bool:
        traits = self.traits(nft)
        return (
            (query.tokens is None or nft[2] in query.tokens)
            and (query.excluded_tokens is None or nft[2] not in query.excluded_tokens)
            and all(querying.has_any(traits, group) for group in groups)
            and not querying.has_any(traits, query.excluded_traits or ())
            and (query.markets is None or self._trades_on(nft, query.markets, now))
            and (query.price is None or self._priced(nft, query, now))
            and not (query.unmarked and self.is_marked(nft))
        )

    def _owned(self, nfts: list[NftKey], query: Query) -> list[NftKey]:
        """Those that the named owner holds now, as far as it is known who holds them."""
        if query.owner is None:
            return nfts
        named = querying.named_owners(self.world, query.owner)
        return [nft for nft in nfts if any(one.address in named for one in self.holders(nft) or ())]

    def _known_by(self, query: Query) -> list[NftKey]:
        """NFTs of Transfers by Token: of the contract, or the mint that stands in its place."""
        named = querying.named_contracts(self.world, query.contract or "")
        known = [
            nft
            for nft in self.world.nfts
            if (query.chain is None or nft[0] == query.chain)
            and (self._contract_key(nft) in named or (self.is_mint(nft) and nft[2] == query.contract))
            and (query.tokens is None or nft[2] in query.tokens)
        ]
        return self._owned(known, query)

    def _pairs_in(self, nfts: Iterable[NftKey]) -> set[Pair]:
        return {pair for nft in nfts for pair in self.traits(nft)}

    def _trades_on(self, nft: NftKey, markets: frozenset[str], now: int) -> bool:
        return bool(markets & self.markets(nft)) or any(
            ask["marketplace"] in markets for ask in self.live_asks(nft, now)
        )

    def _priced(self, nft: NftKey, query: Query, now: int) -> bool:
        counting = asking.on_markets(self.live_asks(nft, now), query.markets)
        assert query.price is not None
        return asking.in_bounds(counting, query.price, self.world.rates, now)

    # orders

    def _key(self, nft: NftKey, query: Query, now: int) -> Key:
        if query.order in ("lowestAsk", "highestAsk"):
            counting = asking.on_markets(self.live_asks(nft, now), query.markets)
            values = [asking.worth(ask, self.world.rates, now) for ask in counting]
            if not values:
                return (1, self.recency_of(nft))
            return (0, min(values) if query.order == "lowestAsk" else max(values))
        if query.order == "rarity":
            rarity = self.world.nfts[nft].get("rarity")
            return NEVER if rarity is None else (0, -Decimal(str(rarity)))
        if query.order.startswith("tokenId"):
            key = (1, 0, nft[2].encode()) if self.is_mint(nft) else (0, int(nft[2]), b"")
            return (Backwards(key),) if query.order == "tokenId-desc" else key
        return self.recency_of(nft)

    def recency_of(self, nft: NftKey) -> Key:
        """By the last transfer, newest first; behind all when there is none."""
        return recency(self._transfers_of[nft][-1]) if self._transfers_of[nft] else NEVER

    # what is derived, an NFT at a time

    @cached_property
    def _transfers_of(self) -> dict[NftKey, list[Line]]:
        found: dict[NftKey, list[Line]] = defaultdict(list)
        for transfer in sorted(self.world.transfers.values(), key=position):
            found[transfer["nft"]].append(transfer)
        return found

    @cached_property
    def _asks_of(self) -> dict[NftKey, list[Line]]:
        found: dict[NftKey, list[Line]] = defaultdict(list)
        for ask in self.world.asks.values():
            found[ask["nft"]].append(ask)
        return found

    @cached_property
    def _holders_of(self) -> dict[NftKey, list[Holder] | None]:
        return {
            nft: holders(fields, self.world.as_of.get(nft), self._transfers_of[nft], self.standard(nft))
            for nft, fields in self.world.nfts.items()
        }

    def is_mint(self, nft: NftKey) -> bool:
        return self.world.kinds[nft[0]] == "mint"

    def collection(self, nft: NftKey) -> str | None:
        """The contract, or on a mint-identified chain the collection that the latest line named."""
        return self.world.nfts[nft]["collection"]  # type: ignore[no-any-return]

    def identity(self, nft: NftKey) -> Identity:
        return nft[0], self.collection(nft), nft[2]

    def _contract_key(self, nft: NftKey) -> tuple[str, str | None]:
        return nft[0], self.collection(nft)

    def contract(self, nft: NftKey) -> Line:
        """The contract's own fields."""
        return self.world.contracts.get((nft[0], self.collection(nft) or ""), {})

    def standard(self, nft: NftKey) -> str | None:
        own = self.world.nfts[nft].get("contractStandard")
        return own or self.contract(nft).get("contractStandard")

    def is_marked(self, nft: NftKey) -> bool:
        """By a mark of its own or its contract's."""
        return bool(self.world.nfts[nft].get("marked") or self.contract(nft).get("marked"))

    @cached_property
    def _traits_of(self) -> dict[NftKey, set[Pair]]:
        return {
            nft: {
                (entry.get("traitType") or "", value_text(entry["traitValue"]))
                for entry in (fields.get("metadata") or {}).get("traits") or []
            }
            for nft, fields in self.world.nfts.items()
        }

    def traits(self, nft: NftKey) -> set[Pair]:
        """Its traits as (type, text of the value)."""
        return self._traits_of[nft]

    def holders(self, nft: NftKey) -> list[Holder] | None:
        """Owners in order; None when it is not known who holds it."""
        return self._holders_of[nft]

    def owner(self, nft: NftKey) -> str:
        known = self.holders(nft)
        return known[0].address if known else nobody(self.world.kinds[nft[0]])

    def markets(self, nft: NftKey) -> set[str]:
        """Stated and derived markets together."""
        derived = {
            slug.lower() for transfer in self._transfers_of[nft] for slug in transfer.get("markets") or []
        }
        return derived | {slug.lower() for slug in self.world.nfts[nft].get("markets") or []}

    def minter(self, nft: NftKey) -> str | None:
        """As stated, else the sender of the transaction of the mint that it exists by: the newest, after a burn."""
        stated = self.world.nfts[nft].get("minter")
        zero = nobody(self.world.kinds[nft[0]])
        past = self._transfers_of[nft]
        mints = [at for at, t in enumerate(past) if plain_address(t.get("fromAddress") or "") == zero]
        if (self.standard(nft) or "").upper().startswith("ERC721"):
            born = mints[-1:]
        else:
            born = [at for place, at in enumerate(mints) if not place or self._is_gone(nft, past, at)][-1:]
        sender = stated or (past[born[0]].get("transactionFrom") if born else None)
        return plain_address(sender) if sender else None

    def _is_gone(self, nft: NftKey, past: list[Line], at: int) -> bool:
        """Whether nobody holds it just before one of its transfers."""
        as_of, fields = self.world.as_of.get(nft), self.world.nfts[nft]
        stated = fields if is_after(past[at], as_of) else {}
        return holders(stated, as_of if stated else None, past[:at], self.standard(nft)) == []

    def live_asks(self, nft: NftKey, now: int) -> list[Line]:
        """Live asks; where it is known who holds the NFT, only those of holders, where the seller is stated."""
        known = self.holders(nft)
        holders = None if known is None else {one.address for one in known}
        moves = self._transfers_of[nft]
        return [ask for ask in self._asks_of[nft] if asking.is_live(ask, now, holders, moves)]

    def transfers_of(self, nft: NftKey) -> list[Line]:
        """Its transfers, oldest first."""
        return self._transfers_of[nft]

    def population(self, nft: NftKey) -> list[NftKey]:
        """The known NFTs of its contract."""
        return [other for other in self.world.nfts if self._contract_key(other) == self._contract_key(nft)]


def recency(transfer: Line) -> Key:
    """Sort key of a transfer, newest first."""
    return (0, *(-part for part in position(transfer)))


def transfer_key(nft: NftKey, transfer: Line) -> TransferKey:
    return nft[0], transfer["transactionHash"], transfer["logIndex"], transfer["batchIndex"]
