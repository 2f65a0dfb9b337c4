"""The index of present holders, against the holders of each NFT: whatever moves, in whatever order and batches."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.owners import balances_behind
from tests.builders import ALICE, APES, BOB, CAROL, ZERO, contract, load_lines, nft, transfer
from tests.oracle.model import Oracle
from tests.oracle.world import NftKey
from tests.strategies.queries import LIMITS, draw_owner, draw_query, draw_transfer_query
from tests.strategies.worlds import draw_more, worlds
from tests.walks.checking import (
    NFTS,
    TRANSFERS,
    WAYS,
    WAYS_OF_TRANSFERS,
    answer,
    assert_same_order,
    engine,
    identity,
    loaded,
    walk,
)
from tests.walks.wide import wide_from
from tokens.engine import holders
from tokens.models import Chain, Contract, Nft, NftMarket, NftRecent, Owner, WideHolder
from tokens.models.market import ANYWHERE, held_by, with_asks
from tokens.store import removal, wide_holders

pytestmark = pytest.mark.django_db


def posted() -> dict[str, tuple[set[int], set[int]]]:
    """The NFTs in the lists of each wide holder: all of them, and those with asks."""
    found = {}
    for row_id, address, count in WideHolder.objects.values_list("id", "address", "nfts"):
        all_ids, asked = (
            set(NftMarket.objects.filter(market_id=one).values_list("nft_id", flat=True))
            for one in (held_by(row_id), with_asks(held_by(row_id)))
        )
        assert count == len(all_ids)
        found[address] = all_ids, asked
    return found


def assert_right(most: int) -> None:
    """Every address with more NFTs has its lists, and every list what its address is known to hold, keys and all."""
    known = set(NftRecent.objects.filter(owners_total__isnull=False).values_list("nft_id", flat=True))
    asked = set(NftMarket.objects.filter(market_id=ANYWHERE).values_list("nft_id", flat=True))
    held: dict[str, set[int]] = {}
    for row in Owner.objects.filter(amount__gt=0).select_related("nft"):
        assert row.known == (row.nft_id in known)
        if row.known:
            held.setdefault(row.address, set()).add(row.nft_id)
    assert set(Owner.objects.values_list("nft_id", "contract_id")) <= set(
        Nft.objects.values_list("id", "contract_id")
    )
    lists = posted()
    assert {address for address, ids in held.items() if len(ids) > most} <= lists.keys()
    assert lists == {who: (held.get(who, set()), held.get(who, set()) & asked) for who in lists}
    copies = ("nft_id", "contract_id", "chain_id", "token_key", "recent_key")
    recent = set(NftRecent.objects.values_list(*copies))
    assert set(NftMarket.objects.filter(market_id__lt=ANYWHERE).values_list(*copies)) <= recent


@given(st.data(), st.sampled_from([0, 1, 2]))
def test_lists_of_wide_holders_are_right_after_every_load(data: st.DataObject, most: int) -> None:
    lines = data.draw(worlds())
    cut = data.draw(st.integers(0, len(lines)))
    whole = {"blockNumber", "timestamp", "tokenId"}
    moves = [line for line in lines if line["record"] == "transfer" and line.keys() >= whole]
    others = [line for line in lines if line["record"] != "transfer"]
    # A line that says more of another transfer is nothing before it.
    amending = [line for line in lines if line["record"] == "transfer" and not line.keys() >= whole]
    late, early = moves[1::2], [*moves[::2], *amending]
    files = data.draw(
        st.sampled_from(
            [[lines[:cut], lines[cut:]], [others, late, early], [lines, draw_more(data.draw, lines)]]
        )
    )
    with wide_from(most), loaded(*files):
        assert_right(most)


@given(worlds(), st.sampled_from([0, 1, 100]))
def test_the_reads_tell_what_the_model_tells(lines: list[dict[str, object]], most: int) -> None:
    oracle = Oracle(lines)
    held: dict[str, dict[NftKey, int]] = {}
    for key in oracle.world.nfts:
        for one in oracle.holders(key) or ():
            held.setdefault(one.address, {})[key] = one.amount
    with wide_from(most), loaded(lines):
        names = {
            row.pk: (row.chain.slug, row.contract.address or None, row.token_id)
            for row in Nft.objects.select_related("chain", "contract")
        }
        contracts: dict[int, set[str]] = {}
        for address, nfts in held.items():
            expected = {oracle.identity(key): amount for key, amount in nfts.items()}
            lately = _walked(address)
            assert {names[one.nft_id]: one.amount for one in lately} == expected
            order = [(one.since, one.nft_id) for one in lately]
            assert order == sorted(order, reverse=True)
            counts = _contracts(address)
            assert sum(counts.values()) == len(nfts)
            for contract_id, count in counts.items():
                contracts.setdefault(contract_id, set()).add(address)
                some = holders.held_lately(address, None, 100, [contract_id])
                assert len(some) == count == len({one.nft_id for one in some})
        for contract_id in Contract.objects.values_list("id", flat=True):
            found, start = [], ""
            while page := holders.owners_of(contract_id, start, 2):
                found += page
                start = page[-1]
            assert found == sorted(contracts.get(contract_id, set()))
            balances = balances_behind(contract_id, None, 1_000)
            assert set(balances) == set(_amounts(contract_id))
            assert not balances or balances_behind(contract_id, balances[0][:2], 1_000) == balances[1:]


@pytest.mark.parametrize("operation", [NFTS, TRANSFERS])
@given(st.data(), LIMITS, st.sampled_from([0, 1, 1, 100]))
def test_pages_of_what_an_owner_holds_are_what_the_model_answers(
    operation: str, data: st.DataObject, limits: list[int], most: int
) -> None:
    """With all other filters, in all orders, read whole or as the lists of a wide holder."""
    lines = data.draw(worlds())
    oracle = Oracle(lines)
    draw = draw_query if operation == NFTS else draw_transfer_query
    ways = data.draw(st.sampled_from(WAYS if operation == NFTS else WAYS_OF_TRANSFERS))
    with wide_from(most), loaded(lines):
        for _ in range(3):
            query = draw(data.draw, oracle)
            token = data.draw(st.sampled_from(sorted(oracle.world.nfts, key=repr)))
            query["ownerAddress"] = draw_owner(data.draw, oracle, token)
            expected = answer(oracle, operation, query)
            with engine(ways):
                found = walk(operation, query, limits, total=len(expected))
            assert_same_order(expected, [identity(operation, record) for record in found])


def _walked(address: str) -> list[holders.Held]:
    found: list[holders.Held] = []
    start = None
    while page := holders.held_lately(address, start, 2):
        found += page
        start = page[-1].since, page[-1].nft_id
    return found


def _contracts(address: str) -> dict[int, int]:
    found: dict[int, int] = {}
    while page := holders.contracts_held(address, max(found, default=0), 2):
        assert not found.keys() & dict(page).keys()
        found |= dict(page)
    return found


def _amounts(contract_id: int) -> list[tuple[str, int, int]]:
    rows = Owner.objects.filter(nft__contract_id=contract_id, amount__gt=0, known=True)
    return list(rows.values_list("address", "nft_id", "amount"))


def test_newest_first_is_by_the_transfer_that_brought_the_units() -> None:
    """Of an ERC-1155 token that others trade it is when this holder's own units changed, not when anybody's did."""
    load_lines(
        [
            contract(standard="ERC1155"),
            transfer("1", block=1, sender=ZERO, receiver=ALICE, amount="5"),
            transfer("2", block=2, sender=ZERO, receiver=ALICE, amount="5"),
            transfer("1", block=9, sender=ZERO, receiver=BOB, amount="1"),
        ]
    )
    held = holders.held_lately(ALICE, None, 10)
    assert [one.since_block for one in held] == [2, 1]
    assert [one.amount for one in held] == [5, 5]


def test_an_address_becomes_wide_when_it_holds_more_than_are_read_whole_and_stays_so() -> None:
    with wide_from(2):
        mints = [transfer(str(number), block=number, sender=ZERO, receiver=ALICE) for number in (1, 2)]
        load_lines([contract(standard="ERC721"), *mints])
        assert posted() == {}
        load_lines([transfer("3", block=3, sender=ZERO, receiver=ALICE)])
        assert len(posted()[ALICE][0]) == 3
        load_lines([transfer(str(n), block=9 + n, sender=ALICE, receiver=BOB) for n in (1, 2, 3)])
        assert posted()[ALICE] == (set(), set())
        assert len(posted()[BOB][0]) == 3
        assert_right(2)


def test_one_look_in_many_finds_who_holds_very_many() -> None:
    """Of 64 NFTs that an address gets one has its NFTs counted, or that it got so many at once."""
    with patch.object(wide_holders, "MANY", 20):
        load_lines(
            [transfer(str(number), block=number, sender=ZERO, receiver=ALICE) for number in range(1, 90)]
        )
        assert len(posted()[ALICE][0]) == 89


def test_an_nft_that_is_gone_leaves_the_lists() -> None:
    with wide_from(0):
        load_lines([transfer("1", sender=ZERO, receiver=ALICE), transfer("2", sender=ZERO, receiver=ALICE)])
        first = Nft.objects.order_by("id").first()
        assert first is not None
        removal.remove([first.pk])
        assert posted()[ALICE][0] == {Nft.objects.get().pk}


def test_nobody_of_whom_it_is_not_known_is_in_the_index() -> None:
    """The zero address holds nothing, and 0x…dEaD what was sent there."""
    dead = "0x" + "0" * 36 + "dead"
    load_lines(
        [nft("1"), transfer("2", sender=ALICE, receiver=ZERO), transfer("3", sender=ALICE, receiver=dead)]
    )
    assert holders.held_lately(ZERO, None, 10) == []
    assert len(holders.held_lately(dead, None, 10)) == 1
    assert holders.held_lately(CAROL, None, 10) == []
    ethereum = Chain.objects.get(slug="ethereum")
    assert holders.owners_of(Contract.objects.get(chain=ethereum, address=APES).pk, "", 10) == [dead]
