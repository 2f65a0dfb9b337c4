"""Field reports F44 to F48: addresses whose letter case mattered too much or too little, and names."""

from __future__ import annotations

import pytest

from tests.builders import ALICE, APES, contract, ens, nft, transfer
from tests.conftest import Api
from tests.operations.promises import COLLECTION, MINT, OTHER_MINT, given, ids, only, refused

pytestmark = pytest.mark.django_db

MIXED = "0xB66a603f4cFe17e3D27B87a8BfCaD319856518B8"
SPELLINGS = {
    "lower": MIXED.lower(),
    "upper": "0X" + MIXED[2:].upper(),
    "checksum": MIXED,
    "wrong checksum": "0x" + MIXED[2:].swapcase(),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_an_evm_address_is_one_address(api: Api, spelling: str) -> None:
    """F44, F47: the mixed case had blank fields where the lower one was full; a wrong checksum was a 422."""
    given(nft("1", MIXED, metadata={"name": "Same"}), nft("1", MIXED.lower(), rarity=2), transfer("1", MIXED))
    record = only(api.nfts(contractAddress=SPELLINGS[spelling]))
    assert record == only(api.nfts(contractAddress=MIXED.lower()))
    assert (record["contractAddress"], record["metadata"]["name"], record["rarity"]) == (
        MIXED.lower(),
        "Same",
        2,
    )
    moved = only(api.transfers(contractAddress=SPELLINGS[spelling]))
    assert moved["contractAddress"] == MIXED.lower()


def test_base58_addresses_that_differ_in_case_are_two(api: Api) -> None:
    """F45: lower-casing corrupts base58, so case is folded by chain and never there."""
    lower = "ax7EjwgRaerUacfCAptcMnkckmf8Wiee5T9KLqSzsF6"
    given(nft(MINT, COLLECTION, "solana"), nft(OTHER_MINT, lower, "solana"))
    assert ids(api.nfts(contractAddress=COLLECTION)) == [MINT]
    assert ids(api.nfts(contractAddress=lower)) == [OTHER_MINT]
    assert only(api.nfts(contractAddress=COLLECTION))["contractAddress"] == COLLECTION


def test_mints_that_differ_in_case_are_two(api: Api) -> None:
    """F45: and so are token ids."""
    lower = "ax7EjwgRaerUacfCAptcMnkckmf8Wiee5T9KLqSzsF6"
    given(nft(COLLECTION, None, "solana"))
    assert ids(api.nfts(tokenId=COLLECTION)) == [COLLECTION]
    assert ids(api.nfts(tokenId=lower)) == []


def test_one_bad_mint_is_named_before_anything_is_looked_up(api: Api) -> None:
    """F46: an EVM address twice over was sent as a mint, and one bad id failed the whole batch with a 500."""
    address = "0x1668E0FB0Dd39e54fE33f80a9F37c4dBF172E1b0"
    bad = f"solana.{address}{address}11"
    query = {"chain": "solana", "tokenId": f"{MINT},{bad}"}
    assert refused(api, **query) == [("tokenId", "invalid")]
    response = api.get(f"{api.base}/nfts/by-token", query)
    assert bad[:20] in response.json()["errors"][0]["detail"]


@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_a_name_that_nobody_knows_never_means_everything(api: Api, operation: str) -> None:
    """F48: without a node to ask, a name that is not in the table is refused by a code of its own."""
    given(nft("1"))
    assert refused(api, operation=operation, contractAddress="expired-name.eth") == [
        ("contractAddress", "ens_unavailable")
    ]


@pytest.mark.parametrize("operation", ["nfts", "transfers"])
def test_a_name_that_resolves_to_nothing_has_nothing(api: Api, operation: str) -> None:
    """F48: a name known to have no address is an empty page."""
    given(transfer("1"), ens("nobody.eth", None))
    ask_for = api.nfts if operation == "nfts" else api.transfers
    assert ask_for(contractAddress="nobody.eth") == {"data": []}


@pytest.mark.parametrize("name", ["boredapes.eth", "BoredApes.ETH", "BOREDAPES.eth"])
def test_a_name_is_normalised(api: Api, name: str) -> None:
    """F48: mixed case is the same name."""
    given(transfer("1"), nft("2", "0x" + "2" * 40), ens("boredapes.eth", APES))
    assert ids(api.nfts(contractAddress=name)) == ["1"]
    assert ids(api.transfers(contractAddress=name)) == ["1"]


def test_a_homograph_is_no_name(api: Api) -> None:
    """F48: `boredapes.eth` with a Cyrillic а is another name, and mixing scripts makes it none at all."""
    given(nft("1"), ens("boredapes.eth", APES))
    assert refused(api, contractAddress="bored\u0430pes.eth") == [("contractAddress", "invalid")]


def test_a_name_stands_for_its_address_on_every_evm_chain(api: Api) -> None:
    """F48: `foo.eth` on polygon has a defined outcome."""
    given(nft("1"), nft("2", on="polygon"), contract(APES, ensName="foo.eth"))
    assert ids(api.nfts(contractAddress="foo.eth", sortBy="tokenId")) == ["1", "2"]
    assert ids(api.nfts(contractAddress="foo.eth", chain="polygon")) == ["2"]
    assert ids(api.nfts(contractAddress="foo.eth", chain="solana")) == []


def test_a_stated_name_wins_over_a_contracts_own_claim(api: Api) -> None:
    """F48: anybody can write a name into a contract's line; the table of names is what counts."""
    given(nft("1"), nft("2", ALICE), contract(ALICE, ensName="foo.eth"), ens("foo.eth", APES))
    assert ids(api.nfts(contractAddress="foo.eth")) == ["1"]
