"""What happens on a chain has metadata read: first transfers, and events that tell of changes."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.builders import load_lines
from tests.builders import nft as a_line
from tests.ingestion.chain import COINS, Chain, Emitted, FakeNode, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, ZERO, word
from tests.ingestion.indexing import index
from tests.waiting import all_read, waits
from tokens.models import MetadataFetch, MetadataRefresh, Nft
from tokens.records.rendered import digest_of
from tokens.store import fetches

pytestmark = pytest.mark.django_db

ONE, MANY = "MetadataUpdate(uint256)", "BatchMetadataUpdate(uint256,uint256)"


CID = "QmNf1UsmdGaMbpatQ6toXSkzDpizaGmC9zfunCyoz1enD5"


def uri(token_id: int, text: str) -> Emitted:
    """The `URI` event of EIP-1155."""
    raw = text.encode().hex()
    data = word(32) + word(len(text)) + raw.ljust(-(-len(raw) // 64) * 64, "0")
    return emitted("URI(string,uint256)", [token_id], data, COINS)


def test_the_metadata_of_an_nft_is_read_once_it_is_transferred() -> None:
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE), nft(2, ALICE, BOB), units(4, ZERO, ALICE, 1)))
    index(FakeNode(chain))
    assert waits() == {1, 2, 4}
    all_read()
    chain.mine(tx(nft(1, ALICE, BOB), nft(3, ZERO, ALICE)))
    index(FakeNode(chain))
    assert waits() == {3}


def test_an_nft_that_was_burnt_and_is_minted_anew_is_asked_for_anew() -> None:
    """Its contract knew no such token meanwhile, which is not asked again by itself."""
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    chain.mine(tx(nft(1, ALICE, ZERO)))
    index(FakeNode(chain))
    MetadataFetch.objects.update(state=MetadataFetch.State.ABSENT, next_attempt_at=None)
    chain.mine(tx(nft(1, ZERO, BOB)))
    index(FakeNode(chain))
    assert waits() == {1}


def test_an_nft_that_was_asked_for_before_it_was_minted_is_asked_for_anew_by_its_mint() -> None:
    """It was named in a file, so that somebody could ask; its contract knew no such token yet."""
    load_lines([a_line("1", APES)])
    fetches.request(Nft.objects.values_list("id", flat=True), timezone.now())
    MetadataFetch.objects.update(state=MetadataFetch.State.ABSENT, next_attempt_at=None)
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    index(FakeNode(chain))
    assert waits() == {1}


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
def test_the_tokens_that_are_named_are_read_again(log: Emitted, requested: set[int]) -> None:
    chain = Chain()
    chain.mine(tx(*(nft(token, ZERO, ALICE) for token in (1, 2, 9, 10))))
    index(FakeNode(chain))
    all_read()
    chain.mine(tx(log))
    index(FakeNode(chain))
    assert waits() == requested


def test_a_whole_collection_costs_the_indexer_one_row() -> None:
    chain = Chain()
    chain.mine(tx(*(nft(token, ZERO, ALICE) for token in range(50))))
    index(FakeNode(chain))
    all_read()
    chain.mine(tx(emitted(MANY, data=word(0) + word(2**256 - 1))))
    index(FakeNode(chain))
    row = MetadataRefresh.objects.get()
    assert (row.next_key, row.last_key) == ("010", "78" + str(2**256 - 1))
    assert row.reason == "The contract said so in block 2."
    assert not MetadataFetch.objects.exclude(state=MetadataFetch.State.READY).exists()


def test_a_uri_that_a_contract_of_erc1155_states_is_its_tokens_and_has_it_read_again() -> None:
    chain = Chain()
    chain.mine(tx(units(4, ZERO, ALICE, 1), units(5, ZERO, ALICE, 1)))
    index(FakeNode(chain))
    all_read()
    chain.mine(
        tx(
            uri(4, f"ipfs://{CID}/first"),
            uri(4, f"https://ipfs.io/ipfs/{CID}/{{id}}"),
            uri(7, "ipfs://nobody's"),
        )
    )
    index(FakeNode(chain))
    assert waits() == {4}
    assert list(Nft.objects.order_by("id").values_list("token_key", "uri")) == [
        ("014", f"ipfs://{CID}/{4:064x}"),
        ("015", None),
    ]


def test_a_uri_is_kept_of_a_token_that_is_minted_in_the_same_transaction() -> None:
    chain = Chain()
    chain.mine(tx(uri(4, f"https://ipfs.io/ipfs/{CID}/{{id}}"), units(4, ZERO, ALICE, 1)))
    index(FakeNode(chain))
    assert waits() == {4}
    assert Nft.objects.get().uri == f"ipfs://{CID}/{4:064x}"


@pytest.mark.parametrize(
    "useless",
    ["", "nonsense", "ftp://a.example/1", "ipfs://a/../b", "data:," + "x" * 8_000, "https://" + "x" * 9_000],
)
def test_a_uri_of_no_use_leaves_the_one_that_is_known_and_has_it_read_again(useless: str) -> None:
    """A long `data:` URI would be in every record of the NFT, and what cannot be fetched in none."""
    chain = Chain()
    chain.mine(tx(uri(4, "https://meta.example/4"), units(4, ZERO, ALICE, 1)))
    index(FakeNode(chain))
    all_read()
    chain.mine(tx(uri(4, useless)))
    index(FakeNode(chain))
    assert waits() == {4}
    assert Nft.objects.get().uri == "https://meta.example/4"


def test_thousands_of_tokens_that_are_named_one_by_one_are_read_again() -> None:
    """A collection that is revealed."""
    chain = Chain()
    chain.mine(tx(*(nft(2 * token, ZERO, ALICE) for token in range(1_500))))
    index(FakeNode(chain))
    all_read()
    chain.mine(tx(*(emitted(ONE, data=word(2 * token)) for token in range(1_500))))
    index(FakeNode(chain))
    assert not MetadataRefresh.objects.exists()
    assert waits(APES) == set(range(0, 3_000, 2))


def test_nfts_of_lost_blocks_are_asked_for_no_more_and_what_was_read_meanwhile_is_read_again() -> None:
    """A document that was read as of a lost block may tell of an NFT as it never was."""
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    chain.mine(tx(nft(2, ZERO, ALICE)))
    index(FakeNode(chain))
    all_read()
    chain.fork(back=1)
    chain.mine(tx(nft(3, ZERO, ALICE)))
    chain.mine()
    index(FakeNode(chain))
    assert waits() == {1, 3}
    assert set(MetadataFetch.objects.values_list("nft__token_key", flat=True)) == {"011", "013"}


def test_a_record_is_rendered_anew_with_the_uri_that_a_contract_states() -> None:
    chain = Chain()
    chain.mine(tx(units(4, ZERO, ALICE, 1)))
    index(FakeNode(chain))
    load_lines([a_line("4", COINS, metadata={"name": "Four"})])
    chain.mine(tx(uri(4, "https://meta.example/4")))
    index(FakeNode(chain))
    found = Nft.objects.select_related("rendering").get()
    assert found.uri == "https://meta.example/4"
    made_of = found.contract_id, found.uri, found.metadata, found.native
    assert found.rendering.digest == digest_of(*made_of)
