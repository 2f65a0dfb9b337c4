"""What good queries of NFTs by Token select (specification, Endpoints; each rule of reading the query string)."""

from __future__ import annotations

import base64
from dataclasses import fields
from decimal import Decimal
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.db.keys import token_key
from core.rest.cursors import Cursor, encode
from tokens.models import Chain, Contract, Currency, EnsName
from tokens.query.filters import NftFilterSet
from tokens.query.selection import ContractRef, PriceBounds, Query, Selection

pytestmark = pytest.mark.django_db

EVM = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
CHECKSUMMED = "0xb47e3cd837dDF8e4c57F05d70Ab865de6e193BBB"
MINT = "Ax7EjwgRaerUacfCAptcMnkckmf8Wiee5T9KLqSzsF6"
DIGITS = "1" * 32
NOTHING: frozenset[str] = frozenset()


def select(query: str) -> Query:
    """The query object of a query that must be good."""
    filters = NftFilterSet(query)
    assert filters.faults == {}
    selected = filters.qs
    assert isinstance(selected, Query)
    return selected


def keys(*token_ids: str) -> frozenset[str]:
    """The keys of token ids."""
    return frozenset(map(token_key, token_ids))


@pytest.mark.parametrize(
    "query",
    [
        "",
        "contractAddress=",
        "chain=&cursor=&limit=&sortBy=",
        "chain=%20&limit=%09",
        "chain&limit",
        "format=json",
        "format",
    ],
)
def test_blank_scalars_count_as_not_given(query: str) -> None:
    assert select(query) == Query(limit=30, cursor=None)
    assert select(query).order.name == ""


@pytest.mark.parametrize(
    ("value", "limit"), [("1", 1), ("30", 30), ("05", 5), ("%205%20", 5), ("+7", 7), ("5&limit=05&limit=", 5)]
)
def test_limit(value: str, limit: int) -> None:
    assert select(f"limit={value}").limit == limit


@pytest.mark.parametrize(
    ("value", "is_set"),
    [
        ("excludeMarkedNfts", True),
        ("excludeMarkedNfts=", True),
        ("excludeMarkedNfts=%20", True),
        ("excludeMarkedNfts=true", True),
        ("excludeMarkedNfts=TRUE", True),
        ("excludeMarkedNfts=1", True),
        ("excludeMarkedNfts=false", False),
        ("excludeMarkedNfts=False", False),
        ("excludeMarkedNfts=0", False),
        ("excludeMarkedNfts=0&excludeMarkedNfts=false", False),
        ("excludeMarkedNfts=1&excludeMarkedNfts=true", True),
        ("excludeMarkedNfts&excludeMarkedNfts=0", False),
        ("excludeMarkedNfts&excludeMarkedNfts", True),
        ("limit=1", False),
    ],
)
def test_flags(value: str, is_set: bool) -> None:
    assert select(value).unmarked is is_set
    assert select(value.replace("excludeMarkedNfts", "includeLastTransfer")).last_transfers is is_set


@pytest.mark.parametrize(
    ("value", "order"),
    [
        ("", ""),
        ("lowestAsk", "lowestAsk"),
        ("LOWESTASK", "lowestAsk"),
        ("highestask", "highestAsk"),
        ("tokenId", "tokenId"),
        ("tokenid-asc", "tokenId"),
        ("TokenId-DESC", "tokenId-desc"),
        ("rarity", "rarity"),
        ("tokenId&sortBy=tokenId-asc&sortBy=", "tokenId"),
    ],
)
def test_orders(value: str, order: str) -> None:
    assert select(f"sortBy={value}").order.name == order


@pytest.mark.parametrize(
    ("value", "slug"),
    [
        ("ethereum", "ethereum"),
        ("ETHEREUM", "ethereum"),
        ("1", "ethereum"),
        ("eip155:1", "ethereum"),
        ("EIP155:137", "polygon"),
        ("%20solana%20", "solana"),
        ("ethereum&chain=1&chain=eip155:1&chain=", "ethereum"),
    ],
)
def test_chains_and_their_aliases(value: str, slug: str) -> None:
    assert select(f"chain={value}").chain == slug


def test_a_chain_that_a_line_registered_is_known() -> None:
    Chain.objects.create(slug="testnet", kind="evm", chain_id=31337, native_currency="ETH")
    assert select("chain=31337").chain == select("chain=TestNet").chain == "testnet"


@pytest.mark.parametrize(
    "address", [EVM, CHECKSUMMED, EVM.upper().replace("0X", "0x"), EVM.upper(), f"%20{EVM}%20"]
)
def test_evm_addresses_in_any_case_are_one(address: str) -> None:
    """F44, F47."""
    assert select(f"contractAddress={address}").contract == ContractRef("evm", EVM)
    assert select(f"contractAddress={address}&contractAddress={EVM}&contractAddress=").contract is not None


def test_collection_addresses_keep_their_case() -> None:
    """F45."""
    assert select(f"contractAddress={MINT}").contract == ContractRef("mint", MINT)
    assert select(f"contractAddress={MINT.lower()}").contract == ContractRef("mint", MINT.lower())


@pytest.mark.parametrize("name", ["punks.eth", "PUNKS.eth", "%20Punks.ETH%20", "%E2%84%99unks.eth"])
def test_ens_names_stand_for_their_address(name: str) -> None:
    EnsName.objects.create(name="punks.eth", address=EVM)
    assert select(f"contractAddress={name}").contract == ContractRef("evm", EVM)
    assert select(f"contractAddress={name}&contractAddress={CHECKSUMMED}").contract == ContractRef("evm", EVM)


def test_an_ens_name_that_resolves_to_nothing_is_no_fault() -> None:
    EnsName.objects.create(name="gone.eth", address=None)
    assert select("contractAddress=gone.eth").contract == ContractRef("evm", None)


def test_a_stated_ens_name_wins_over_a_contracts_own() -> None:
    ethereum = Chain.objects.get(slug="ethereum")
    Contract.objects.create(chain=ethereum, address="0x" + "2" * 40, ens_name="twice.eth")
    Contract.objects.create(chain=ethereum, address="0x" + "1" * 40, ens_name="twice.eth")
    assert select("contractAddress=twice.eth").contract == ContractRef("evm", "0x" + "1" * 40)
    EnsName.objects.create(name="twice.eth", address=EVM)
    assert select("contractAddress=twice.eth").contract == ContractRef("evm", EVM)


@pytest.mark.parametrize(
    ("value", "token_ids"),
    [
        ("1", ["1"]),
        ("1,01,0x1,0X01", ["1"]),
        ("2,1&tokenId=3", ["1", "2", "3"]),
        ("1&tokenId=", ["1"]),
        ("%221%22,2", ["1", "2"]),
        (str(2**256 - 1), [str(2**256 - 1)]),
        (hex(2**256 - 1), [str(2**256 - 1)]),
        ("0" * 100 + "7", ["7"]),
        ("9007199254740993", ["9007199254740993"]),
        (MINT, [MINT]),
        (f"{MINT},{MINT},1", [MINT, "1"]),
        (",".join(map(str, range(30))), [str(number) for number in range(30)]),
        (",".join(f"{number},{number:#x}" for number in range(30)), [str(number) for number in range(30)]),
        (DIGITS, [DIGITS]),
    ],
)
def test_token_ids(value: str, token_ids: list[str]) -> None:
    """F24, F25, F31, F89."""
    assert select(f"tokenId={value}").token_keys == keys(*token_ids)
    assert select(
        f"excludedTokenIds={value.replace('tokenId', 'excludedTokenIds')}"
    ).excluded_token_keys == keys(*token_ids)


def test_the_chain_decides_what_a_token_id_is() -> None:
    """F46."""
    assert select(f"tokenId={DIGITS}").token_keys == keys(DIGITS)
    assert select(f"tokenId={DIGITS}&chain=1").token_keys == keys(DIGITS)
    assert select(f"tokenId={DIGITS}&chain=solana").token_keys == keys(DIGITS)
    assert select(f"tokenId={MINT}&chain=Solana").token_keys == keys(MINT)


LISTS = {
    "tokenId": "token_keys",
    "excludedTokenIds": "excluded_token_keys",
    "traits": "traits",
    "excludedTraits": "excluded_traits",
    "marketplaces": "markets",
}


@pytest.mark.parametrize("value", ["=", "", "=,", "=%20,%20", "=%22%22", "=%22%20%22,", "=&{name}=,"])
@pytest.mark.parametrize(("name", "field"), LISTS.items())
def test_a_list_without_entries_is_defined_but_empty(name: str, field: str, value: str) -> None:
    """F90."""
    selection = select(f"{name}{value.format(name=name)}")
    assert getattr(selection, field) == NOTHING
    assert selection.is_empty


@pytest.mark.parametrize(
    ("value", "entries"),
    [
        ("Type-Alien", {"Type-Alien"}),
        ("Type-Alien,type-alien", {"Type-Alien", "type-alien"}),
        ('"Mouth-Bored, Pierced",Fur-Brown', {"Mouth-Bored, Pierced", "Fur-Brown"}),
        (" Type-Alien , Type-Alien", {"Type-Alien"}),
        ('" Type-Alien "', {" Type-Alien "}),
        ("-Gold", {"-Gold"}),
        ("Level--1", {"Level--1"}),
        ("Level-5.0,Level-5", {"Level-5.0", "Level-5"}),
        ('weapon-"Grim Shout" Grave Wand of Skill +1', {'weapon-"Grim Shout" Grave Wand of Skill +1'}),
        ('a-b"c', {'a-b"c'}),
        ("-", {"-"}),
        ("Größe-groß,国-中", {"Größe-groß", "国-中"}),
        (
            ",".join(f"a-{number}" for number in [*range(30), *range(30)]),
            {f"a-{number}" for number in range(30)},
        ),
        ("a-" + "b" * 998, {"a-" + "b" * 998}),
    ],
)
def test_traits_are_taken_as_written(value: str, entries: set[str]) -> None:
    """F33, F34."""
    assert select(f"traits={quote(value)}").traits == frozenset(entries)
    assert select(f"excludedTraits={quote(value)}").excluded_traits == frozenset(entries)


def test_marketplaces_are_lower_case_and_have_no_limit_of_thirty() -> None:
    assert select("marketplaces=OpenSea,opensea,%20BLUR").markets == frozenset({"opensea", "blur"})
    assert len(select("marketplaces=" + ",".join(f"m{number}" for number in range(200))).markets or ()) == 200


@pytest.mark.parametrize(
    ("value", "bounds"),
    [
        ("eth,0.5,2", PriceBounds("eth", Decimal("0.5"), Decimal(2))),
        ("ETH,0.07,0.07", PriceBounds("eth", Decimal("0.07"), Decimal("0.07"))),
        ("Eth,,", PriceBounds("eth", None, None)),
        ("eth,0,", PriceBounds("eth", Decimal(0), None)),
        ("eth,,3", PriceBounds("eth", None, Decimal(3))),
        ("matic,1,", PriceBounds("pol", Decimal(1), None)),
        ("weth,1,", PriceBounds("weth", Decimal(1), None)),
        ("USD,10,20", PriceBounds("usd", Decimal(10), Decimal(20))),
        ("eth, 0.5 ,2", PriceBounds("eth", Decimal("0.5"), Decimal(2))),
        ("eth,007,7.0", PriceBounds("eth", Decimal(7), Decimal(7))),
        ("eth,0.50,&priceFilter=ETH,.5,".replace(",.5", ",0.5"), PriceBounds("eth", Decimal("0.5"), None)),
        ("POL,1,&priceFilter=matic,1,", PriceBounds("pol", Decimal(1), None)),
        ("eth,0.070000000000000001,", PriceBounds("eth", Decimal("0.070000000000000001"), None)),
        ("eth," + "9" * 100 + ",", PriceBounds("eth", Decimal("9" * 100), None)),
        ("eth,0." + "1" * 98 + ",", PriceBounds("eth", Decimal("0." + "1" * 98), None)),
    ],
)
def test_price_filters(value: str, bounds: PriceBounds) -> None:
    """F28."""
    selection = select(f"priceFilter={value}")
    assert selection.price == bounds
    assert selection.fingerprint()


def test_a_currency_that_a_line_registered_is_known() -> None:
    Currency.objects.create(symbol="DOUBLOON")
    assert select("priceFilter=Doubloon,1,").price == PriceBounds("doubloon", Decimal(1), None)


def test_a_cursor_arrives_decoded() -> None:
    cursor = Cursor("nfts", "", "abc", 0, ("key", 7))
    assert select(f"cursor={encode(cursor)}").cursor == cursor
    assert select(f"cursor={encode(cursor)}&cursor=&cursor={encode(cursor)}").cursor == cursor
    text = encode(cursor)
    changed = text[:10] + ("A" if text[10] != "A" else "B") + text[11:]
    (fault,) = NftFilterSet(f"cursor={changed}").faults["cursor"]
    assert fault.code == "cursor_invalid"


def test_equal_queries_have_equal_fingerprints() -> None:
    """F10: how a filter is spelled does not matter to a cursor; what it selects does."""
    EnsName.objects.create(name="punks.eth", address=EVM)
    one = (
        f"chain=1&contractAddress={CHECKSUMMED}&tokenId=2,1&traits=a-b,c-d&marketplaces=Blur"
        "&priceFilter=ETH,0.50,&limit=3"
    )
    same = (
        "limit=5&includeLastTransfer&priceFilter=eth,0.5,&marketplaces=blur,BLUR&traits=c-d&traits=%22a-b%22"
        "&tokenId=0x1,2,01&contractAddress=Punks.eth&chain=ethereum&excludeMarkedNfts=0"
    )
    assert select(one) == select(same).at_most(3).with_last_transfers(False)
    assert select(one).fingerprint() == select(same).fingerprint()
    assert select(one).fingerprint() != select(one.replace("a-b", "a-B")).fingerprint()


def test_every_filter_counts_in_the_fingerprint_and_nothing_else_does() -> None:
    queries = {
        "chain": "chain=1",
        "contract": f"contractAddress={EVM}",
        "token_keys": "tokenId=1",
        "excluded_token_keys": "excludedTokenIds=1",
        "traits": "traits=a-b",
        "excluded_traits": "excludedTraits=a-b",
        "markets": "marketplaces=blur",
        "price": "priceFilter=eth,,",
        "unmarked": "excludeMarkedNfts",
        "owner": f"ownerAddress={EVM}",
    }
    assert list(queries) == [field.name for field in fields(Selection)]
    assert len({select(query).fingerprint() for query in ["", *queries.values()]}) == len(queries) + 1
    assert select("limit=1&sortBy=rarity&includeLastTransfer").fingerprint() == Query().fingerprint()


def test_a_cursor_that_was_given_before_still_continues_its_query() -> None:
    query = select(
        f"chain=1&contractAddress={EVM}&tokenId=2,1&excludedTokenIds=&traits=a-b&marketplaces=Blur"
        "&priceFilter=ETH,0.50,&excludeMarkedNfts"
    )
    assert query.fingerprint() == "5030610d4a630389fb71380e"
    assert Query().fingerprint() == "872369ef49021c609e7d1a1e"


@pytest.mark.parametrize(
    ("query", "queries"),
    [
        ("", 0),
        (
            f"contractAddress={EVM}&tokenId=1,2&traits=a-b&marketplaces=blur&excludeMarkedNfts&sortBy=rarity",
            0,
        ),
        ("priceFilter=usd,1,2", 0),
        ("chain=ethereum", 1),
        ("chain=ethereum&chain=1&tokenId=1&priceFilter=eth,1,&priceFilter=ETH,1,", 1),
        ("priceFilter=eth,1,2", 1),
        ("contractAddress=a.eth&contractAddress=b.eth", 1),
        ("contractAddress=a.eth&chain=ethereum&priceFilter=eth,1,2", 1),
    ],
)
def test_all_names_are_looked_up_in_one_query(query: str, queries: int) -> None:
    with CaptureQueriesContext(connection) as captured:
        filters = NftFilterSet(query)
        filters.is_valid()
    assert len(captured) == queries


def test_the_longest_valid_query_is_read() -> None:
    numbers = [str(2**256 - 1 - number) for number in range(60)]
    query = (
        f"chain=ethereum&contractAddress={EVM}&limit=30&sortBy=tokenId-desc&includeLastTransfer=true&excludeMarkedNfts=true"
        f"&tokenId={','.join(numbers[:30])}&excludedTokenIds={','.join(numbers[30:])}"
        f"&traits={','.join(f'Trait type {number}-Some value of it' for number in range(30))}".replace(
            " ", "%20"
        )
        + f"&excludedTraits={','.join(f'Other-Value{number}' for number in range(30))}"
        "&marketplaces=opensea,blur,looksrare,x2y2&priceFilter=eth,0.000000000000000001,99999999999"
    )
    assert 6500 < len(query) < 8000
    assert len(select(query).token_keys or ()) == 30


def test_base64_of_anything_is_no_cursor() -> None:
    forged = base64.urlsafe_b64encode(b'[1,"nfts","","",0,"",0]').decode()
    (fault,) = NftFilterSet(f"cursor={forged}").faults["cursor"]
    assert fault.code == "cursor_invalid"
