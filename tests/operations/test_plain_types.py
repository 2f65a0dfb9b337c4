"""A loaded transfer of which nobody says what it was is a mint or a burn by its ends (decisions, sections 6 and 10)."""

from __future__ import annotations

from typing import Any

import pytest

from core.addresses import SYSTEM_PROGRAM
from tests.builders import ALICE, APES, BOB, DEAD, ZERO, contract, load_lines, nft, transfer
from tests.conftest import Api
from tests.files.lines import COLLECTION, MINT_A, MINT_B, dumped

pytestmark = pytest.mark.django_db

ENDS = [
    ("minted", ZERO, ALICE, "mint"),
    ("burnt", ALICE, ZERO, "burn"),
    ("sent to 0x…dEaD", ALICE, DEAD, "burn"),
    ("in the letters of a checksum", ALICE, DEAD.replace("dead", "dEaD"), "burn"),
    ("from nobody to nobody", ZERO, ZERO, "mint"),
    ("minted to 0x…dEaD", ZERO, DEAD, "mint"),
    ("from 0x…dEaD", DEAD, ALICE, None),
    ("moved", ALICE, BOB, None),
    ("from who is not told", None, ALICE, None),
    ("to who is not told", ALICE, None, None),
    ("minted to who is not told", ZERO, None, "mint"),
    ("burnt by who is not told", None, ZERO, "burn"),
]


@pytest.mark.parametrize(
    ("sender", "receiver", "kind"), [one[1:] for one in ENDS], ids=[one[0] for one in ENDS]
)
def test_a_transfer_without_type_has_the_one_of_its_ends(
    api: Api, sender: str | None, receiver: str | None, kind: str | None
) -> None:
    load_lines([transfer("1", sender=sender, receiver=receiver)])
    assert api.transfers(contractAddress=APES)["data"][0].get("transferType") == kind
    (record,) = api.nfts(contractAddress=APES, includeLastTransfer="true")["data"]
    assert record["lastTransfer"].get("transferType") == kind


@pytest.mark.parametrize("stated", ["transfer", "sale", "swap", "burn", "mint"])
def test_a_stated_type_stays(api: Api, stated: str) -> None:
    load_lines(
        [
            transfer("1", transferType=stated),
            transfer("2", log=1, sender=ALICE, receiver=ZERO, transferType=stated),
        ]
    )
    assert [one["transferType"] for one in api.transfers(contractAddress=APES)["data"]] == [stated, stated]


def test_a_type_that_is_taken_back_is_that_of_the_ends_again_and_one_that_comes_late_wins(api: Api) -> None:
    load_lines([transfer("1", transferType="sale"), transfer("1", transferType=None)])
    assert api.transfers(contractAddress=APES)["data"][0]["transferType"] == "mint"
    load_lines([transfer("1", sender=BOB)])
    assert "transferType" not in api.transfers(contractAddress=APES)["data"][0]
    load_lines([transfer("1", receiver=ZERO, sender=BOB)])
    assert api.transfers(contractAddress=APES)["data"][0]["transferType"] == "burn"
    load_lines([transfer("1", sender=BOB, receiver=ZERO, transferType="swap")])
    assert api.transfers(contractAddress=APES)["data"][0]["transferType"] == "swap"


def test_units_are_minted_and_burnt_likewise(api: Api) -> None:
    load_lines(
        [
            contract(standard="ERC1155"),
            transfer("7", amount="5"),
            transfer("7", block=2, sender=ALICE, receiver=ZERO, amount="2"),
            transfer("7", block=3, batch=4, sender=ALICE, receiver=DEAD, amount="3"),
            transfer("7", block=4, sender=ZERO, receiver=ZERO, amount="0"),
        ]
    )
    assert [one["transferType"] for one in api.transfers(contractAddress=APES)["data"]] == [
        "mint",
        "burn",
        "burn",
        "mint",
    ]


def test_on_a_mint_identified_chain_the_system_program_is_nobody(api: Api) -> None:
    accounts: dict[str, Any] = {"on": "solana", "address": None}
    load_lines(
        [
            nft(MINT_A, on="solana", address=COLLECTION),
            nft(MINT_B, on="solana", address=COLLECTION),
            transfer(MINT_A, **accounts, sender=SYSTEM_PROGRAM, receiver=MINT_B, transactionHash="a" * 80),
            transfer(MINT_B, **accounts, sender=MINT_A, receiver=SYSTEM_PROGRAM, transactionHash="b" * 80),
        ]
    )
    found = {one["tokenId"]: one["transferType"] for one in api.transfers(contractAddress=COLLECTION)["data"]}
    assert found == {MINT_A: "mint", MINT_B: "burn"}


def test_a_last_transfer_without_type_has_the_one_of_its_ends_and_a_dump_states_none(api: Api) -> None:
    last = transfer("1", sender=ALICE, receiver=ZERO)
    load_lines([nft("1", lastTransfer=last)])
    assert api.transfers(contractAddress=APES)["data"][0]["transferType"] == "burn"
    assert "transferType" not in dumped()
