"""How the query string is read, as a client notices it: blanks, flags, lists, spellings, and what is refused."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from tests.builders import ALICE, APES, nft, transfer
from tests.conftest import Api
from tests.operations.promises import MINT, given, ids, refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_blank_scalars_count_as_not_given(api: Api) -> None:
    given(nft("1"), nft("2"))
    found = api.nfts("contractAddress=&chain=&cursor=&limit=&sortBy=")
    assert ids(found) == ids(api.nfts()) != []
    given(transfer("1"))
    assert ids(api.transfers(f"contractAddress={APES}&tokenId=&chain&cursor&limit&sortBy")) == ["1"]


def test_a_blank_price_filter_is_refused(api: Api) -> None:
    assert refused(api, "priceFilter=") == [("priceFilter", "invalid")]


@pytest.mark.parametrize("on", ["true", "TRUE", "True", "1", ""])
def test_a_flag_is_on(api: Api, on: str) -> None:
    given(nft("1", marked=True), nft("2"))
    assert ids(api.nfts(excludeMarkedNfts=on)) == ["2"]


@pytest.mark.parametrize("off", ["false", "FALSE", "0"])
def test_a_flag_is_off(api: Api, off: str) -> None:
    given(nft("1", marked=True), nft("2"))
    assert ids(api.nfts(excludeMarkedNfts=off, sortBy="tokenId")) == ["1", "2"]


def test_a_bare_flag_is_on(api: Api) -> None:
    given(transfer("1"))
    assert "lastTransfer" in api.nfts("includeLastTransfer")["data"][0]
    assert "lastTransfer" not in api.nfts()["data"][0]


@pytest.mark.parametrize("flag", ["includeLastTransfer", "excludeMarkedNfts"])
def test_anything_else_is_no_flag(api: Api, flag: str) -> None:
    for value in ("yes", "on", "2", "null"):
        assert refused(api, **{flag: value}) == [(flag, "invalid")]


def test_lists_are_comma_separated_or_repeated_or_both(api: Api) -> None:
    given(*(nft(str(number)) for number in range(6)))
    for query in (
        "tokenId=1,2,3",
        "tokenId=1&tokenId=2&tokenId=3",
        "tokenId=1,2&tokenId=3",
        "tokenId=%201 ,2,,3,",
    ):
        assert ids(api.nfts(query + "&sortBy=tokenId")) == ["1", "2", "3"]


def test_an_entry_with_a_comma_is_quoted_as_in_csv(api: Api) -> None:
    given(
        nft("1", traits=[("Mouth", "Bored, Pierced")]),
        nft("2", traits=[("Mouth", "Bored")]),
        nft("3", traits=[("Mouth", 'say "hi"')]),
        nft("4", traits=[("Mouth", "Bored, Pierced"), ("Fur", "Brown")]),
    )
    assert ids(api.nfts(traits='"Mouth-Bored, Pierced",Fur-Brown')) == ["4"]
    assert ids(api.nfts(traits='"Mouth-say ""hi"""')) == ["3"]
    assert ids(api.nfts(traits='Mouth-say "hi"')) == ["3"], "quoted only when the first character is a quote"


@pytest.mark.parametrize("broken", ['"Mouth-Bored', '"Mouth-Bored" x', '"a-b"c,d-e'])
def test_quotes_that_do_not_pair_are_refused(api: Api, broken: str) -> None:
    assert refused(api, traits=broken) == [("traits", "invalid")]


def test_duplicates_count_once_after_normalisation(api: Api) -> None:
    given(*(nft(str(number)) for number in range(31)))
    spelled = [*map(str, range(30)), *(f"0{number}" for number in range(30)), *map(hex, range(30))]
    assert len(api.nfts(tokenId=",".join(spelled))["data"]) == 30
    assert refused(api, tokenId=",".join([*spelled, "30"])) == [("tokenId", "max_length")]


@pytest.mark.parametrize("limit", ["1", "01", "30", " 7 "])
def test_a_limit_is_one_or_two_digits(api: Api, limit: str) -> None:
    given(*(nft(str(number)) for number in range(30)))
    assert len(api.nfts(limit=limit)["data"]) == int(limit)


@pytest.mark.parametrize("limit", ["0", "31", "100", "-1", "1.0", "1e1", "001", "x", "\u0663"])
def test_a_wrong_limit_is_refused_and_never_clamped(api: Api, limit: str) -> None:
    assert refused(api, limit=limit) == [("limit", "invalid")]


@pytest.mark.parametrize("number", ["\u0661", "+1", "-1", "1_0", "1e3", "1.0", "0x", "x1"])
def test_numbers_are_plain_ascii(api: Api, number: str) -> None:
    assert refused(api, tokenId=number) == [("tokenId", "invalid")]
    if number != "1.0":
        assert refused(api, priceFilter=f"eth,{number},") == [("priceFilter", "invalid")]


def test_letter_case_does_not_matter_where_it_means_nothing(api: Api) -> None:
    given(transfer("1", markets=["blur"]), transfer("2", block=2))
    query = {
        "chain": "ETHEREUM",
        "contractAddress": APES.upper().replace("0X", "0x"),
        "sortBy": "TOKENID-ASC",
        "marketplaces": "BLUR",
    }
    assert ids(api.nfts(**query)) == ["1"]


def test_letter_case_matters_in_mints_and_traits(api: Api) -> None:
    given(nft(MINT, None, "solana", traits=[("Type", "Alien")]))
    assert ids(api.nfts(tokenId=MINT)) == [MINT]
    assert ids(api.nfts(traits="Type-Alien")) == [MINT]
    assert ids(api.nfts(traits="type-alien")) == []


@pytest.mark.parametrize(
    "same", ["chain=ethereum&chain=1", "chain=1&chain=&chain=eip155:1", "chain=Ethereum&chain=ethereum"]
)
def test_a_scalar_may_be_repeated_with_the_same_meaning(api: Api, same: str) -> None:
    given(nft("1"), nft("2", on="polygon"))
    assert ids(api.nfts(same)) == ["1"]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("chain=ethereum&chain=polygon", "chain"),
        ("limit=1&limit=2", "limit"),
        ("sortBy=rarity&sortBy=tokenId", "sortBy"),
        ("excludeMarkedNfts=true&excludeMarkedNfts=0", "excludeMarkedNfts"),
        (f"contractAddress={APES}&contractAddress={ALICE}", "contractAddress"),
        ("priceFilter=eth,1,2&priceFilter=eth,1,3", "priceFilter"),
    ],
)
def test_a_scalar_given_twice_with_different_values_is_refused(api: Api, query: str, name: str) -> None:
    assert refused(api, query) == [(name, "invalid")]


def test_a_mistyped_filter_never_returns_everything(api: Api) -> None:
    given(nft("1"))
    assert refused(api, "tokenIds=2") == [("tokenIds", "unknown_parameter")]
    response = api.get(f"{api.base}/nfts/by-token", "tokenIds=2")
    assert "tokenId" in response.json()["errors"][0]["detail"]
    assert api.nfts("format=json")["data"]


def test_all_faults_are_told_at_once(api: Api) -> None:
    faults = refused(api, "limit=99&chain=nope&sortBy=best&tokenId=x,y&colour=red&priceFilter=eth")
    assert sorted(faults) == [
        ("chain", "invalid_choice"),
        ("colour", "unknown_parameter"),
        ("limit", "invalid"),
        ("priceFilter", "invalid"),
        ("sortBy", "invalid_choice"),
        ("tokenId", "invalid"),
        ("tokenId", "invalid"),
    ]


def test_a_cursor_of_another_query_is_told_only_when_nothing_else_is_wrong(api: Api) -> None:
    given(nft("1"), nft("2"))
    cursor = api.nfts(limit=1)["nextCursor"]
    assert refused(api, cursor=cursor, sortBy="rarity") == [("cursor", "cursor_mismatch")]
    assert refused(api, cursor=cursor, sortBy="rarity", limit=99) == [("limit", "invalid")]


@pytest.mark.parametrize(
    "name", ["chain", "cursor", "limit", "sortBy", "contractAddress", "tokenId", "traits"]
)
@pytest.mark.parametrize("bad", ["%00", "%ed%a0%80", "%ff", "a" * 4000])
def test_bytes_that_no_database_holds_are_refused(api: Api, name: str, bad: str) -> None:
    assert {parameter for parameter, _ in refused(api, f"{name}=a-{bad}")} == {name}


def test_the_longest_valid_query_is_answered(api: Api) -> None:
    token_ids = [str(2**256 - 1 - number) for number in range(30)]
    given(nft(token_ids[0], traits=[("Background", "x" * 20)]))
    query = {
        "tokenId": ",".join(token_ids),
        "excludedTokenIds": ",".join(str(2**255 - number) for number in range(30)),
        "traits": ",".join(["Background-" + "x" * 20, *(f"Background-{number:020}" for number in range(29))]),
        "excludedTraits": ",".join(f"Background-{number:020}" for number in range(30)),
    }
    assert len(urlencode(query)) > 6500
    assert ids(api.nfts(**query)) == [token_ids[0]]
