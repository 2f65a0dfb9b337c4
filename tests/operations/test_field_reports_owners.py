"""Field reports F49 to F57: burns, editions, and owners that other services got wrong."""

from __future__ import annotations

import pytest

from tests.builders import ALICE, APES, BOB, CAROL, DAVE, DEAD, START, ZERO, contract, nft, transfer
from tests.conftest import Api
from tests.operations.promises import EDITIONS, given, ids, only

pytestmark = pytest.mark.django_db


def test_a_burn_leaves_no_owner_behind(api: Api) -> None:
    """F49: CryptoPunk #685 was burned and still owned by its last holder."""
    given(
        contract(),
        transfer("685", block=1),
        transfer("685", block=2, sender=ALICE, receiver=ZERO, transferType="burn"),
    )
    record = only(api.nfts(includeLastTransfer="true"))
    assert (record["owner"], record["owners"]) == (ZERO, [])
    assert record["lastTransfer"]["transferType"] == "burn"


def test_the_dead_address_is_an_owner_like_any_other(api: Api) -> None:
    """F49: what was sent to 0x…dEaD has a holder; only the zero address is nobody."""
    given(
        contract(),
        transfer("1", block=1),
        transfer("1", block=2, sender=ALICE, receiver="0x000000000000000000000000000000000000dEaD"),
    )
    record = only(api.nfts())
    assert record["owner"] == DEAD
    assert [(owner["address"], owner["amount"]) for owner in record["owners"]] == [(DEAD, "1")]


def test_one_burnt_edition_of_a_hundred_hides_nothing(api: Api) -> None:
    """F50: burnt only when all units are gone."""
    given(
        contract(EDITIONS, standard="ERC1155"),
        transfer("1", EDITIONS, block=1, amount="100"),
        transfer("1", EDITIONS, block=2, sender=ALICE, receiver=ZERO, amount="1"),
    )
    record = only(api.nfts())
    assert (record["owner"], record["owners"][0]["amount"]) == (ALICE, "99")
    given(transfer("1", EDITIONS, block=3, sender=ALICE, receiver=ZERO, amount="99"))
    record = only(api.nfts())
    assert (record["owner"], record["owners"]) == (ZERO, [])


def test_the_owner_of_several_is_the_one_that_holds_most(api: Api) -> None:
    """F51: owner was null, "NullAddress" or ""; here by amount, then by entering first, then by address."""
    given(
        contract(EDITIONS, standard="ERC1155"),
        transfer("1", EDITIONS, block=3, receiver=CAROL, amount="5"),
        transfer("1", EDITIONS, block=2, receiver=BOB, amount="5"),
        transfer("1", EDITIONS, block=2, receiver=DAVE, amount="7", log=1),
        transfer("1", EDITIONS, block=2, receiver=ALICE, amount="5", log=0, batch=1),
    )
    record = only(api.nfts())
    assert record["owner"] == DAVE
    assert [owner["address"] for owner in record["owners"]][:1] == [DAVE]
    assert [owner["amount"] for owner in record["owners"]] == ["7", "5", "5", "5"]
    assert [owner["address"] for owner in record["owners"]][3] == CAROL


def test_owners_are_cut_at_a_hundred_and_their_number_is_told(api: Api) -> None:
    """F51: the list was incomplete and did not say so."""
    holders = ["0x" + f"{number:040x}" for number in range(1, 131)]
    given(
        contract(EDITIONS, standard="ERC1155"),
        *(
            transfer("1", EDITIONS, log=index, receiver=holder, amount=str(200 - index))
            for index, holder in enumerate(holders)
        ),
    )
    record = only(api.nfts())
    assert [owner["address"] for owner in record["owners"]] == holders[:100]
    assert record["ownersTotal"] == 130


def test_an_empty_string_never_stands_for_unknown(api: Api) -> None:
    """F52: `order_hash: ""` in a required field; here what is unknown is absent."""
    given(
        nft("1", uri="", minter="", metadata={"name": "", "imageUrl": ""}),
        transfer("1", sender="", transferType="", markets=[]),
    )
    record = only(api.nfts(includeLastTransfer="true"))
    assert not {"uri", "minter", "contractStandard", "rarity"} & set(record)
    assert not {"name", "imageUrl"} & set(record["metadata"])
    assert not {"fromAddress", "transferType", "nftValue"} & set(record["lastTransfer"])


def test_a_transfer_to_oneself_keeps_one_owner_row(api: Api) -> None:
    """F53: it doubled the item; the first entry stays and the last dealing moves on."""
    given(
        contract(),
        transfer("1", block=1),
        transfer("1", block=9, sender=ALICE, receiver=ALICE),
    )
    assert only(api.nfts())["owners"] == [
        {
            "address": ALICE,
            "amount": "1",
            "enteredAtBlock": 1,
            "enteredAt": START + 12,
            "updatedAtBlock": 9,
            "updatedAt": START + 108,
        }
    ]


def test_a_transfer_of_editions_to_oneself_makes_none(api: Api) -> None:
    """F53: nor does it lose any."""
    given(
        contract(EDITIONS, standard="ERC1155"),
        transfer("1", EDITIONS, block=1, amount="5"),
        transfer("1", EDITIONS, block=2, sender=ALICE, receiver=ALICE, amount="3"),
    )
    assert [owner["amount"] for owner in only(api.nfts())["owners"]] == ["5"]


def test_the_owner_follows_block_and_log_and_not_arrival(api: Api) -> None:
    """F56: the owner was the receiver of whichever transfer came in last."""
    given(
        contract(),
        transfer("4531", block=3, log=2, sender=BOB, receiver=CAROL),
        transfer("4531", block=3, log=1, sender=ALICE, receiver=BOB),
    )
    given(transfer("4531", block=1))
    assert only(api.nfts())["owner"] == CAROL
    given(transfer("4531", block=2, sender=ALICE, receiver=ALICE))
    assert only(api.nfts())["owner"] == CAROL


def test_a_spam_token_with_many_receivers_is_one_row(api: Api) -> None:
    """F57: a contract that calls itself ERC-721 minted one id to many; the NFT came once for each."""
    given(
        contract(),
        *(transfer("1", block=block, receiver=holder) for block, holder in enumerate([ALICE, BOB, CAROL])),
    )
    for query in ({}, {"contractAddress": APES}, {"tokenId": "1"}, {"sortBy": "tokenId"}):
        assert ids(api.nfts(**query)) == ["1"]
    assert only(api.nfts())["owner"] == CAROL
    assert len(api.transfers(contractAddress=APES)["data"]) == 3
