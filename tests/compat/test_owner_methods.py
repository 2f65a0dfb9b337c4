"""Who owns what: getNFTsForOwner, getContractsForOwner and getOwnersForContract, by examples with real values."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import ALICE, APES, BOB, CAROL, Line, contract, ens, nft, transfer
from tests.compat.client import Alchemy
from tests.operations.promises import EDITIONS, given

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def wallet() -> list[Line]:
    """ALICE holds three apes, one of them marked, seven units of an edition, and an ape of another chain."""
    return [
        contract(APES, name="Apes"),
        contract(EDITIONS, standard="ERC1155", name="Editions", marked=True),
        *(transfer(str(token), block=10 + token, receiver=ALICE) for token in (3, 1, 2)),
        nft("3", marked=True, markedReason="stolen", metadata={"name": "Ape 3"}),
        transfer("5", EDITIONS, block=40, receiver=ALICE, amount="7"),
        transfer("9", on="polygon", block=1, receiver=ALICE),
        transfer("4", block=50, receiver=ALICE),
        transfer("4", block=51, sender=ALICE, receiver=BOB),
        ens("alice.eth", ALICE),
    ]


def tokens(page: dict[str, Any]) -> list[tuple[str, str]]:
    """Token id and balance of each NFT of a page."""
    return [(one["tokenId"], one["balance"]) for one in page["ownedNfts"]]


@pytest.mark.parametrize("owner", [ALICE, ALICE.upper().replace("X", "x"), "alice.eth"])
def test_an_owners_nfts_go_by_contract_and_token_id(alchemy: Alchemy, owner: str) -> None:
    given(*wallet())
    page = alchemy.get("getNFTsForOwner", owner=owner)
    assert tokens(page) == [("1", "1"), ("2", "1"), ("3", "1"), ("5", "7")]
    assert (page["totalCount"], page["pageKey"]) == (4, None)
    assert page["ownedNfts"][2]["name"] == "Ape 3"
    assert page["ownedNfts"][3]["contract"]["isSpam"] is True
    assert page["ownedNfts"][0]["acquiredAt"] == {"blockTimestamp": None, "blockNumber": None}, "as theirs"
    assert tokens(alchemy.get("getNFTsForOwner", "polygon-mainnet", owner=owner)) == [("9", "1")]


def test_the_newest_come_first_by_transfer_time(alchemy: Alchemy) -> None:
    given(*wallet())
    page = alchemy.get("getNFTsForOwner", owner=ALICE, orderBy="TRANSFERTIME")
    assert [one["tokenId"] for one in page["ownedNfts"]] == ["5", "3", "2", "1"]
    assert page["ownedNfts"][0]["acquiredAt"] == {"blockTimestamp": "2020-09-13T12:34:40Z", "blockNumber": 40}
    walked = alchemy.walked("getNFTsForOwner", "ownedNfts", owner=ALICE, orderBy="transferTime", pageSize=1)
    assert walked == page["ownedNfts"]


def test_spam_is_what_the_operator_marked(alchemy: Alchemy) -> None:
    given(*wallet())

    def found(**parameters: Any) -> list[str]:
        return [
            one["tokenId"] for one in alchemy.get("getNFTsForOwner", owner=ALICE, **parameters)["ownedNfts"]
        ]

    assert found(excludeFilters=["SPAM"]) == ["1", "2"]
    assert found(includeFilters=["SPAM"]) == ["3", "5"]
    status, error = alchemy.refused("getNFTsForOwner", owner=ALICE, **{"excludeFilters[]": "AIRDROPS"})
    assert (status, error["errors"][0]["attr"]) == (400, "excludeFilters"), "it cannot be told here"
    both = {"excludeFilters[]": "SPAM", "includeFilters[]": "SPAM"}
    assert alchemy.refused("getNFTsForOwner", owner=ALICE, **both)[0] == 400


def test_contracts_are_named_as_the_sdk_names_them_and_otherwise(alchemy: Alchemy) -> None:
    given(*wallet())
    path = alchemy.path("getNFTsForOwner")
    for query in (
        f"contractAddresses[]={EDITIONS}",
        f"contractAddresses%5B%5D={EDITIONS.upper().replace('X', 'x')}&contractAddresses[]={BOB}",
        f"contractAddresses[0]={EDITIONS}",
        f"contractAddresses={EDITIONS},{BOB}",
    ):
        assert tokens(alchemy.client.get(f"{path}?owner={ALICE}&{query}").json()) == [("5", "7")]
    assert tokens(alchemy.get("getNFTsForOwner", owner=ALICE, contractAddresses=[BOB])) == []
    assert len(tokens(alchemy.client.get(f"{path}?owner={ALICE}&contractAddresses[]=").json())) == 4


def test_without_metadata_there_is_the_token_alone(alchemy: Alchemy) -> None:
    given(*wallet())
    page = alchemy.get("getNFTsForOwner", owner=ALICE, withMetadata="false", pageSize=1)
    assert [list(one) for one in page["ownedNfts"]] == [["contractAddress", "tokenId", "balance"]]
    assert page["totalCount"] == 4


def test_contracts_of_an_owner_add_up_what_he_holds(alchemy: Alchemy) -> None:
    given(*wallet(), transfer("6", EDITIONS, block=41, receiver=ALICE, amount="2"))
    page = alchemy.get("getContractsForOwner", owner=ALICE)
    told = [(one["name"], one["totalBalance"], one["numDistinctTokensOwned"]) for one in page["contracts"]]
    assert told == [("Apes", "3", "3"), ("Editions", "9", "2")]
    assert [one["isSpam"] for one in page["contracts"]] == [False, True]
    assert page["contracts"][0]["displayNft"] == {"tokenId": "1", "name": None}
    assert page["totalCount"] == 2
    assert alchemy.walked("getContractsForOwner", "contracts", owner=ALICE, pageSize=1) == page["contracts"]
    newest = alchemy.get("getContractsForOwner", owner=ALICE, orderBy="transferTime")["contracts"]
    assert [one["name"] for one in newest] == ["Editions", "Apes"]


def test_contracts_without_metadata_have_numbers_and_lower_case_as_theirs(alchemy: Alchemy) -> None:
    given(*wallet())
    page = alchemy.get("getContractsForOwner", owner=ALICE, withMetadata="false")
    assert page["contracts"][1] == {
        "address": EDITIONS,
        "totalBalance": 7,
        "numDistinctTokensOwned": 1,
        "isSpam": True,
        "tokenId": "0x" + "0" * 63 + "5",
    }


def test_a_wide_holder_pages_the_same(alchemy: Alchemy, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address becomes wide with more NFTs than are read whole, and stays so."""
    for module in ("tokens.store.wide_holders", "tokens.query.owners"):
        monkeypatch.setattr(f"{module}.MANY", 5)
    monkeypatch.setattr("tokens.store.wide_holders.LOOKS", 1)
    monkeypatch.setattr("compat.holdings.FEW", 6)
    lines = [transfer(str(token), block=token, log=token, receiver=ALICE) for token in range(1, 12)]
    given(contract(APES, name="Apes"), contract(EDITIONS, standard="ERC1155", name="Editions"), *lines)
    given(
        *(transfer(str(token), EDITIONS, block=50 + token, receiver=ALICE, amount="4") for token in (1, 2)),
        *(transfer(str(token), on="polygon", block=80 + token, receiver=ALICE) for token in (1, 2)),
        nft("2", marked=True),
    )
    expected = [(str(token), "1") for token in range(1, 12)] + [("1", "4"), ("2", "4")]
    for size in (1, 4, 100):
        walked = alchemy.walked("getNFTsForOwner", "ownedNfts", owner=ALICE, pageSize=size)
        assert tokens({"ownedNfts": walked}) == expected
        newest = alchemy.walked(
            "getNFTsForOwner", "ownedNfts", owner=ALICE, pageSize=size, orderBy="transferTime"
        )
        assert [one["tokenId"] for one in newest] == ["2", "1", *(str(token) for token in range(11, 0, -1))]
        spared = alchemy.walked(
            "getNFTsForOwner", "ownedNfts", owner=ALICE, pageSize=size, excludeFilters=["SPAM"]
        )
        assert len(spared) == 12
        of_some = alchemy.walked(
            "getNFTsForOwner", "ownedNfts", owner=ALICE, pageSize=size, contractAddresses=[APES, EDITIONS]
        )
        assert of_some == walked
        contracts = alchemy.walked("getContractsForOwner", "contracts", owner=ALICE, pageSize=size)
        assert [(one["name"], one["numDistinctTokensOwned"]) for one in contracts] == [
            ("Apes", "11"),
            ("Editions", "2"),
        ]


def test_owners_of_a_contract_by_address_with_what_they_hold(
    alchemy: Alchemy, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(*wallet(), transfer("8", block=60, receiver=CAROL))
    whole = alchemy.get("getOwnersForContract", contractAddress=APES, includeCount="true")
    assert [one.lower() for one in whole["owners"]] == [ALICE, BOB, CAROL]
    assert (whole["totalCount"], whole["pageKey"]) == (3, None)
    assert (
        alchemy.get("getOwnersForContract", "polygon-mainnet", contractAddress=APES)["owners"]
        != whole["owners"]
    )
    balances = alchemy.get("getOwnersForContract", contractAddress=APES, withTokenBalances="true")["owners"]
    assert [sorted(held["tokenId"] for held in one["tokenBalances"]) for one in balances] == [
        ["1", "2", "3"],
        ["4"],
        ["8"],
    ]
    assert balances[0]["tokenBalances"][0]["balance"] == "1"
    monkeypatch.setattr("compat.owners.OWNERS", 2)
    assert alchemy.walked("getOwnersForContract", "owners", contractAddress=APES) == whole["owners"]
    monkeypatch.setattr("compat.owners.BALANCES", 2)
    walked = alchemy.walked("getOwnersForContract", "owners", contractAddress=APES, withTokenBalances="true")
    held = [(one["ownerAddress"], each["tokenId"]) for one in walked for each in one["tokenBalances"]]
    assert sorted(held) == sorted(
        (one["ownerAddress"], each["tokenId"]) for one in balances for each in one["tokenBalances"]
    )
    assert len(held) == 5, "an owner of more than fits a page goes on upon the next one"


def test_owners_of_the_past_are_not_told(alchemy: Alchemy) -> None:
    status, error = alchemy.refused("getOwnersForContract", contractAddress=APES, block="0x10")
    assert (status, error["errors"][0]["attr"]) == (400, "block")


def test_who_holds_nothing_has_nothing(alchemy: Alchemy) -> None:
    given(ens("nobody.eth", None))
    for owner in (CAROL, "nobody.eth"):
        assert alchemy.get("getNFTsForOwner", owner=owner)["ownedNfts"] == []
        assert alchemy.get("getContractsForOwner", owner=owner)["contracts"] == []
    assert alchemy.get("getOwnersForContract", contractAddress=APES)["owners"] == []
