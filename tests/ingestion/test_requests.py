"""Events that tell of changed metadata have it read again: of one token, of a range, of the whole collection."""

from __future__ import annotations

import pytest

from tests.ingestion.chain import COINS, Chain, Emitted, FakeNode, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, ZERO, word
from tests.ingestion.indexing import index
from tokens.models import Nft

pytestmark = pytest.mark.django_db

ONE, MANY = "MetadataUpdate(uint256)", "BatchMetadataUpdate(uint256,uint256)"


@pytest.mark.parametrize(
    ("log", "requested"),
    [
        (emitted(ONE, data=word(2)), {2}),
        (emitted(MANY, data=word(2) + word(9)), {2, 9}),
        (emitted(MANY, data=word(0) + word(2**256 - 1)), {1, 2, 9, 10}),
        (emitted(ONE, data=word(5)), set()),
        (emitted(MANY, data=word(9) + word(2)), set()),
        (emitted(ONE, data=word(2), contract=COINS), set()),
    ],
)
def test_the_tokens_that_are_named_are_marked(log: Emitted, requested: set[int]) -> None:
    chain = Chain()
    chain.mine(tx(*(nft(token, ZERO, ALICE) for token in (1, 2, 9, 10))))
    chain.mine(tx(log))
    index(FakeNode(chain))
    found = Nft.objects.exclude(metadata_requested_at=None).values_list("token_key", flat=True)
    assert {int(key[2:]) for key in found} == requested


def test_a_uri_that_a_contract_of_erc1155_states_marks_its_token() -> None:
    chain = Chain()
    chain.mine(tx(units(4, ZERO, ALICE, 1), units(5, ZERO, ALICE, 1)))
    chain.mine(tx(emitted("URI(string,uint256)", [4], word(32) + word(1) + "61" + "0" * 62, COINS)))
    index(FakeNode(chain))
    assert Nft.objects.exclude(metadata_requested_at=None).get().token_key == "014"


def test_thousands_of_tokens_that_are_named_one_by_one_are_marked() -> None:
    """A collection that is revealed; in one expression they would be more than SQLite takes."""
    chain = Chain()
    chain.mine(tx(*(nft(2 * token, ZERO, ALICE) for token in range(1_500))))
    chain.mine(tx(*(emitted(ONE, data=word(2 * token)) for token in range(1_500))))
    index(FakeNode(chain))
    assert not Nft.objects.filter(metadata_requested_at=None).exists()
    assert Nft.objects.filter(contract__address=APES).count() == 1_500
