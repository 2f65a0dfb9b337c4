"""Where very many contracts have a trait, the lists of the later ones are joined to one a chain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest

from core.db.keys import uint_key
from core.db.writing import writing
from tests.builders import nft
from tests.files.lines import load
from tokens.models import Nft, NftTrait, NftTraitRecent, TraitValue
from tokens.query.resolving import resolve
from tokens.query.selection import Selection
from tokens.store import removal, traits

pytestmark = pytest.mark.django_db

APART = 3
CONTRACTS = [f"0x{number:040x}" for number in range(1, 9)]
BLUE, RED = ("Ground", "Blue"), ("Ground", "Red")


@pytest.fixture(autouse=True)
def _apart() -> Iterator[None]:
    with patch.object(traits, "APART", APART):
        yield


def of_chains() -> dict[tuple[str, str, str], int]:
    """The numbers of the chains' traits; none may have another number of postings, in either order."""
    rows = TraitValue.objects.filter(contract=None)
    for row in rows:
        assert NftTrait.objects.filter(trait=row).count() == row.count
        assert NftTraitRecent.objects.filter(trait=row).count() == row.count
    return {
        (row.chain.slug, row.type, row.value): row.count
        for row in rows.select_related("chain")
        if row.chain is not None
    }


def of_contracts() -> Counter[Any]:
    """The numbers of the contracts' traits."""
    rows = TraitValue.objects.filter(contract__isnull=False)
    return Counter({(row.contract_id, row.type, row.value): row.count for row in rows})


def lists(**filters: Any) -> int:
    """How many lists the trait is in a query that names no contract."""
    found = resolve(Selection(traits=frozenset({"Ground-Blue"}), **filters), 0)
    assert found is not None
    (group,) = found.trait_groups
    assert group.size == NftTrait.objects.filter(trait__value="Blue", trait__contract__isnull=False).count()
    return len(group.ids)


@pytest.mark.parametrize("files", [1, len(CONTRACTS)])
def test_however_many_contracts_have_a_trait_it_is_few_lists(files: int) -> None:
    """Whether they come at once or one by one."""
    for number in range(files):
        load(*(nft("1", address, traits=[BLUE]) for address in CONTRACTS[number::files]))
    assert of_chains() == {("ethereum", *BLUE): len(CONTRACTS) - APART}
    assert lists() == lists(chain="ethereum") == APART + 1


def test_each_chain_has_a_list_of_its_own() -> None:
    load(*(nft("1", address, on, traits=[BLUE]) for address in CONTRACTS for on in ("ethereum", "polygon")))
    assert sum(of_chains().values()) == 2 * len(CONTRACTS) - APART
    assert {chain for chain, _, _ in of_chains()} == {"ethereum", "polygon"}
    assert lists() == APART + 2


def test_numbers_of_a_chain_follow_when_traits_change_or_go_or_nfts_do() -> None:
    load(*(nft("1", address, traits=[BLUE]) for address in CONTRACTS))
    load(*(nft("2", address, traits=[BLUE]) for address in CONTRACTS))
    assert of_chains() == {("ethereum", *BLUE): 10}
    load(nft("1", CONTRACTS[-1], traits=[RED]), nft("1", CONTRACTS[0], traits=[RED]))
    assert of_chains() == {("ethereum", *BLUE): 9}
    load(nft("1", CONTRACTS[-2], metadata=None))
    assert of_chains() == {("ethereum", *BLUE): 8}
    with writing():
        gone = Nft.objects.filter(contract__address=CONTRACTS[-1], token_key=uint_key(2))
        removal.remove(gone.values_list("id", flat=True))
    assert of_chains() == {("ethereum", *BLUE): 7}
    load(*(nft(token, address, metadata=None) for address in CONTRACTS for token in "12"))
    assert not TraitValue.objects.exists()


def test_a_recount_mends_the_numbers_of_the_chain_too() -> None:
    load(*(nft("1", address, traits=[BLUE]) for address in CONTRACTS))
    before = of_contracts(), of_chains()
    TraitValue.objects.update(count=77)
    for contract_id in sorted({one[0] for one in before[0]}):
        traits.recount(contract_id)
    assert (of_contracts(), of_chains()) == before
