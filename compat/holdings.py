"""What an address holds: which NFTs, in which order, of which contracts.

Of most addresses all is read at once, which is little. A wide holder's NFTs (``WideHolder``) are walked a page at a
time, in lists that are kept for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from django.db.models import Max, Min, Q
from rest_framework.exceptions import ErrorDetail, ValidationError

from compat import paging
from compat.chains import AskedChain
from compat.contracts import ContractRow, contract_rows, contracts_by_id, token_type
from compat.filters import Asked
from compat.lists import Listed, walk
from core.db.each import Walks, rows_for_each
from core.db.keys import uint_key
from core.db.keyset import Lists, behind, merge
from core.db.statements import Slot
from core.rest.cursors import Position
from tokens.engine.holders import Held, contracts_held, held_lately
from tokens.models import Nft, NftMarket, Owner, WideHolder
from tokens.models.market import held_by
from tokens.store.wide_holders import LOOKS, MANY

NFTS: Final = "getNFTsForOwner"
CONTRACTS: Final = "getContractsForOwner"
PAGE: Final = 100
FEW: Final = MANY + LOOKS
"""NFTs that an address may hold without being known as a wide holder."""
_BY_CONTRACT = ("contract_id", "token_key", "nft_id")
_NO_CONTRACT: Final = -1


class Token(NamedTuple):
    """An NFT that an address holds."""

    contract_id: int
    token_key: str
    nft_id: int
    held: Held


class Page(NamedTuple):
    """A page of what is held, how much there is in all (``None``: that is not counted), and the pageKey."""

    items: Sequence[Token]
    total: int | None
    page_key: str | None


def nfts_of(asked: Asked, chain: AskedChain) -> Page:
    """Return a page of the NFTs that an address holds. Raises ``ValidationError`` for a key of another query."""
    owner, start, size = asked.owner or "", paging.start_of(NFTS, chain.slug, asked), asked.limit or PAGE
    contracts = contract_ids(asked, chain)
    if not owner or contracts == (_NO_CONTRACT,):
        return Page([], 0, None)
    wide = WideHolder.objects.filter(address=owner).first()
    held = [] if wide else held_lately(owner, None, FEW + 1, contracts)
    if wide is None and len(held) <= FEW:
        tokens = sorted(_tokens(held, asked, chain), key=lambda one: _place(one, asked))
        behind_start = [one for one in tokens if start is None or _place(one, asked) > _bound(start, asked)]
        found, total = behind_start[: size + 1], len(tokens)
        last = _position(found[size - 1], asked) if len(found) > size else None
    elif asked.by_time or wide is None:
        found, last, total = *_lately(owner, asked, chain, contracts, start, size), None
    else:
        found, last, total = (
            *_by_contract(wide, asked, chain, contracts, start, size),
            _total(wide, asked, chain),
        )
    key = None if last is None else paging.key_of(NFTS, chain.slug, asked, last)
    return Page(found[:size], total, key)


def contract_ids(asked: Asked, chain: AskedChain) -> tuple[int, ...]:
    """Return the ids of the contracts that are named; empty where none is, one that is none where none is known."""
    if not asked.contracts:
        return ()
    return tuple(sorted(row.id for row in contract_rows(chain, asked.contracts).values())) or (_NO_CONTRACT,)


def _marked(asked: Asked) -> Q:
    return Q(marked=False) if asked.without_spam else Q(marked=True) if asked.only_spam else Q()


def _tokens(held: Sequence[Held], asked: Asked, chain: AskedChain) -> list[Token]:
    """Return those of some NFTs that are on the chain and asked for."""
    by_id = {one.nft_id: one for one in held}
    rows = Nft.objects.filter(_marked(asked), pk__in=list(by_id), chain_id=chain.id)
    return [
        Token(contract_id, key, nft_id, by_id[nft_id])
        for contract_id, key, nft_id in rows.values_list("contract_id", "token_key", "id")
    ]


def _place(token: Token, asked: Asked) -> tuple[int, str | int, int]:
    """Return what a page is ordered by: ascending, also where the newest come first."""
    if asked.by_time:
        return -token.held.since, 0, -token.nft_id
    return token.contract_id, token.token_key, token.nft_id


def _position(token: Token, asked: Asked) -> Position:
    if asked.by_time:
        return token.held.since, token.nft_id
    return token.contract_id, token.token_key, token.nft_id


def _bound(start: Position, asked: Asked) -> tuple[int, str | int, int]:
    if asked.by_time:
        return -int(start[0]), 0, -int(start[1])
    return int(start[0]), str(start[1]), int(start[2])


def _lately(
    owner: str, asked: Asked, chain: AskedChain, contracts: Sequence[int], start: Position | None, size: int
) -> tuple[list[Token], Position | None]:
    """Return the newest behind a place, of those that are asked for among so many that are looked at."""
    place = None if start is None else (int(start[0]), int(start[1]))
    looked = 3 * size
    held = held_lately(owner, place, looked, contracts)
    of_page = {one.nft_id: one for one in _tokens(held, asked, chain)}
    found = [of_page[one.nft_id] for one in held if one.nft_id in of_page]
    if len(found) > size:
        return found[:size], (found[size - 1].held.since, found[size - 1].nft_id)
    return found, (held[-1].since, held[-1].nft_id) if len(held) == looked else None


def _by_contract(
    wide: WideHolder,
    asked: Asked,
    chain: AskedChain,
    contracts: Sequence[int],
    start: Position | None,
    size: int,
) -> tuple[list[Token], Position | None]:
    """Return the NFTs of a wide holder behind a place, by contract and token id."""
    rows = NftMarket.objects.filter(market_id=held_by(wide.id))
    marked = Q(nft__marked=False) if asked.without_spam else Q(nft__marked=True) if asked.only_spam else Q()
    if contracts:
        some = rows.filter(marked, contract_id=Slot("contract"))
        if start is not None:
            some = some.filter(behind(_BY_CONTRACT, start))
        list_of_one = some.order_by(*_BY_CONTRACT).values_list(*_BY_CONTRACT)[: size + 1]
        read = merge([Lists(list_of_one, [{"contract": one} for one in contracts])], size + 1)
        ids, last = [row[2] for row in read[:size]], tuple(read[size - 1]) if len(read) > size else None
    else:
        ids, last = walk(Listed(rows, _BY_CONTRACT, False, Q(chain_id=chain.id) & marked), start, size)
    held = _held(str(wide.address), ids)
    tokens = {one.nft_id: one for one in _tokens(held, asked, chain)}
    return [tokens[one] for one in ids if one in tokens], last


def _held(owner: str, ids: Sequence[int]) -> list[Held]:
    rows = Owner.objects.filter(address=owner, nft_id__in=ids, amount__gt=0, known=True)
    columns = ("nft_id", "contract_id", "amount", "updated_at", "updated_at_block")
    return [
        Held(nft_id, contract_id, amount, at or 0, block)
        for nft_id, contract_id, amount, at, block in rows.values_list(*columns)
    ]


def _total(wide: WideHolder, asked: Asked, chain: AskedChain) -> int | None:
    """Return how many NFTs a wide holder has, where all are asked for and on this chain: else that is not counted."""
    if asked.contracts or asked.without_spam or asked.only_spam:
        return None
    there = NftMarket.objects.filter(market_id=held_by(wide.id)).aggregate(
        first=Min("chain_id"), last=Max("chain_id")
    )
    return int(wide.nfts) if there["first"] == there["last"] == chain.id else None


class HeldContract(NamedTuple):
    """What an address holds of a contract: how many NFTs, units in all (``None``: not added up), and one of them."""

    contract: ContractRow
    nfts: int
    units: int | None
    nft_id: int


def contracts_of(asked: Asked, chain: AskedChain) -> tuple[list[HeldContract], int | None, str | None]:
    """Return a page of the contracts of which an address holds NFTs, how many there are in all, and the pageKey.

    Raises ``ValidationError`` for a key of another query.
    """
    owner, start, size = asked.owner or "", paging.start_of(CONTRACTS, chain.slug, asked), asked.limit or PAGE
    if not owner:
        return [], 0, None
    wide = WideHolder.objects.filter(address=owner).exists()
    held = [] if wide else held_lately(owner, None, FEW + 1)
    if wide or len(held) > FEW:
        found, last = _of_wide(owner, asked, chain, start, size)
        total = None
    else:
        every = _of_held(_tokens(held, asked, chain), asked)
        total = len(every)
        rest = [(place, one) for place, one in every if start is None or place > tuple(start)]
        found = [one for _, one in rest[:size]]
        last = rest[size - 1][0] if len(rest) > size else None
    key = None if last is None else paging.key_of(CONTRACTS, chain.slug, asked, last)
    return found, total, key


def _of_held(tokens: Sequence[Token], asked: Asked) -> list[tuple[tuple[int, int], HeldContract]]:
    """Return the contracts of NFTs in order, each with its place."""
    by_contract: dict[int, list[Token]] = {}
    for token in sorted(tokens, key=lambda one: (one.contract_id, one.token_key)):
        by_contract.setdefault(token.contract_id, []).append(token)
    rows = contracts_by_id(by_contract)
    found = []
    for contract_id, own in by_contract.items():
        newest = -max(one.held.since for one in own) if asked.by_time else 0
        units = sum(one.held.amount for one in own)
        found.append(((newest, contract_id), HeldContract(rows[contract_id], len(own), units, own[0].nft_id)))
    return sorted(found, key=lambda one: one[0])


def _of_wide(
    owner: str, asked: Asked, chain: AskedChain, start: Position | None, size: int
) -> tuple[list[HeldContract], Position | None]:
    """Return the contracts of a wide holder by their ids; which are on the chain is looked at one by one."""
    if asked.by_time:
        text = "An owner of very many NFTs has its contracts in their own order alone."
        raise ValidationError({"orderBy": [ErrorDetail(text, code="invalid")]})
    pairs = contracts_held(owner, 0 if start is None else int(start[1]), 2 * size)
    rows = _on_chain(contracts_by_id(one for one, _ in pairs), asked, chain)
    shown = [(one, count) for one, count in pairs if one in rows][:size]
    first = _first_of(owner, [one for one, _ in shown])
    found = [
        HeldContract(
            rows[one], count, None if token_type(rows[one].standard) == "ERC1155" else count, first[one]
        )
        for one, count in shown
        if one in first
    ]
    is_cut = len(shown) == size and shown[-1][0] != pairs[-1][0]
    if is_cut:
        return found, (0, shown[-1][0])
    return found, (0, pairs[-1][0]) if len(pairs) == 2 * size else None


_FIRST = """
    SELECT contract_id, nft_id FROM tokens_owner
    WHERE contract_id = %(id)s AND address = '{address}' AND amount > '{nothing}' AND known ORDER BY nft_id LIMIT 1
"""


def _first_of(owner: str, contracts: Sequence[int]) -> dict[int, int]:
    """Return one NFT of each contract that an address holds; the address is one by its form."""
    first = _FIRST.format(address=owner, nothing=uint_key(0))
    return dict(rows_for_each([Walks(first, contracts, "SELECT walks.* FROM {walks} walks")]))


def _on_chain(rows: Mapping[int, ContractRow], asked: Asked, chain: AskedChain) -> dict[int, ContractRow]:
    wanted = None if not (asked.without_spam or asked.only_spam) else asked.only_spam
    return {
        one: row
        for one, row in rows.items()
        if row.chain_id == chain.id and (wanted is None or row.marked == wanted)
    }
