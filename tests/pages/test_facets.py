"""Facets: what a page offers to narrow its results by, each value as a link that adds it or takes it away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.builders import ALICE, APES, BOB, Line, ask, contract, load_lines, nft, transfer
from tests.conftest import Api
from tests.operations.rows import make_contract
from tokens.browse import counts

pytestmark = pytest.mark.django_db

NFTS = "/api/v1/nfts/by-token"
TRANSFERS = "/api/v1/transfers/by-token"
OF_APES = f"contractAddress={APES}"
CATS = "0x" + "ca" * 20
BROWSER = "text/html"


class Value(NamedTuple):
    """A value of a facet as a person sees it."""

    text: str
    note: str
    is_set: bool
    query: str


class Facet(NamedTuple):
    """A facet as a person sees it."""

    values: dict[str, Value]
    note: str
    is_open: bool
    html: str


def facets(api: Api, query: str, path: str = NFTS, status: int = 200) -> dict[str, Facet]:
    """The facets of a page by title."""
    response = api.get(path, query, accept=BROWSER)
    assert response.status_code == status
    found = {}
    for is_open, html in re.findall(
        r'<details class="facet"( open)?>(.*?)\n</details>', response.content.decode(), re.S
    ):
        title = unescape(re.findall(r"<summary>(.*?)</summary>", html)[0])
        values = {}
        for url, current, rest in re.findall(
            r'<li><a href="([^"]*)"( aria-current="true")?>(.*?)</a></li>', html
        ):
            text = unescape(re.findall(r"<bdi>(.*?)</bdi>", rest)[0])
            note = "".join(re.findall(r"<small>(.*?)</small>", rest))
            values[text] = Value(text, note, bool(current), urlsplit(unescape(url)).query)
        notes = re.findall(r'<p class="note">(.*?)</p>', html)
        found[title] = Facet(values, unescape(notes[0]) if notes else "", bool(is_open), html)
    return found


def notes(facet: Facet) -> dict[str, str]:
    """What stands beside each value."""
    return {value.text: value.note for value in facet.values.values()}


def apes(*traits: Sequence[tuple[str, Any]]) -> list[Line]:
    """An ape for each list of traits, numbered from 0."""
    return [
        contract(APES, name="Apes"),
        *(nft(str(number), traits=list(some)) for number, some in enumerate(traits)),
    ]


FURS = apes(
    *([("Fur", "Brown"), ("Hat", "Cap")] for _ in range(3)),
    [("Fur", "Gold, old"), ("Hat", "Cap")],
    *([("Fur", "Blue")] for _ in range(30)),
)


def test_a_contract_offers_its_traits_with_how_many_nfts_of_it_have_each(api: Api) -> None:
    load_lines(FURS)
    found = facets(api, OF_APES)
    assert notes(found["Fur"]) == {"Blue": "30", "Brown": "3", "Gold, old": "1"}
    assert list(found["Fur"].values) == ["Blue", "Brown", "Gold, old"], "the most frequent first"
    assert notes(found["Hat"]) == {"Cap": "4"}
    assert "Of the whole collection." in found["Fur"].note


def test_a_value_is_added_by_its_link_found_by_it_and_taken_away_by_it_again(api: Api) -> None:
    load_lines(FURS)
    added = facets(api, OF_APES)["Fur"].values["Gold, old"]
    assert not added.is_set
    assert [record["tokenId"] for record in api.get(NFTS, added.query).json()["data"]] == ["3"]
    chosen = facets(api, added.query)["Fur"].values["Gold, old"]
    assert chosen.is_set
    assert chosen.query == OF_APES


def test_values_of_one_type_are_added_to_each_other_and_other_filters_stay(api: Api) -> None:
    load_lines(FURS)
    query = facets(api, f"{OF_APES}&traits=Fur-Brown&sortBy=tokenId")["Fur"].values["Gold, old"].query
    assert dict(parse_qsl(query)) == {
        "contractAddress": APES,
        "sortBy": "tokenId",
        "traits": 'Fur-Brown,"Fur-Gold, old"',
    }
    assert [record["tokenId"] for record in api.get(NFTS, query).json()["data"]] == ["0", "1", "2", "3"]


def test_counts_are_of_the_selection_where_all_of_it_is_on_the_page_and_it_says_so(api: Api) -> None:
    load_lines(FURS)
    found = facets(api, f"{OF_APES}&traits=Hat-Cap")
    assert notes(found["Fur"]) == {"Brown": "3", "Gold, old": "1"}
    assert "Of the 4 NFTs found." in found["Fur"].note
    assert notes(found["Hat"]) == {"Cap": "4"}
    assert "Of the whole collection." in found["Hat"].note, "of a type that is set others can be added"
    part = facets(api, f"{OF_APES}&traits=Hat-Cap&limit=2")
    assert notes(part["Fur"])["Blue"] == "30"
    assert "Of the whole collection." in part["Fur"].note


def test_numbers_and_truths_are_counted_as_they_are_found(api: Api) -> None:
    load_lines(apes([("Level", 5.0), ("Vip", True)], [("Level", 5)], [("Level", "5")]))
    for query in (OF_APES, f"{OF_APES}&tokenId=0,1,2"):
        found = facets(api, query)
        assert notes(found["Level"]) == {"5": "3"}, query
        assert notes(found["Vip"]) == {"true": "1"}, query


def test_the_twenty_most_frequent_values_of_a_type_are_shown_and_any_other_can_be_looked_for(
    api: Api,
) -> None:
    many = [[("Seed", f"s{number}")] for number in range(70)]
    load_lines(apes(*many, *([("Seed", "often")] for _ in range(3)), [("Seed", "Grün-Tee")]))
    found = facets(api, OF_APES)["Seed"]
    assert len(found.values) == 20
    assert found.values["often"].note == "3"
    (more,) = re.findall(r'<a href="([^"]*)">Find others</a>', found.html)
    unfolded = facets(api, urlsplit(unescape(more)).query)["Seed"]
    assert len(unfolded.values) == 20
    assert f'name="contractAddress" value="{APES}"' in unfolded.html, "the form keeps what is set"
    for sought, texts in (("grün", ["Grün-Tee"]), ("S69", ["s69"]), ("ofte", ["often"]), ("nowhere", [])):
        sent = facets(api, f"{OF_APES}&_facet=Seed&_find={sought}")["Seed"]
        assert list(sent.values) == texts
    assert "Nothing found." in facets(api, f"{OF_APES}&_facet=Seed&_find=nowhere")["Seed"].note


def test_a_value_beyond_the_most_frequent_is_found_by_its_whole_text(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tokens.browse.counts.SOUGHT", 2)
    load_lines(apes(*([("Seed", f"s{number}")] for number in range(5))))
    assert list(facets(api, f"{OF_APES}&_facet=Seed&_find=s4")["Seed"].values) == ["s4"]


def test_types_beyond_what_a_page_links_to_unfold_by_themselves(api: Api) -> None:
    load_lines(apes(*([(f"T{kind:02}", f"v{number}") for kind in range(25)] for number in range(15))))
    found = facets(api, OF_APES)
    linked = [title for title, facet in found.items() if title.startswith("T") and facet.values]
    assert len(linked) == 2, "15 values each, 40 at most in all"
    assert "Show its values" in found["T19"].note
    assert "T20" not in found
    assert "The first 20 types" in found["More traits"].note


@pytest.mark.parametrize(
    "trait",
    [
        ("", "Gold"),
        ("Fur-Colour", "Half-Moon"),
        ("Fur", '"quoted", and more'),
        ("Fur", " white space "),
        ("Ж" * 200, "long type"),
        ("<b>&amp;", "<script>alert(1)</script>"),
        ("?&=#", "100% + 1"),
    ],
)
def test_whatever_a_source_wrote_its_link_finds_it(api: Api, trait: tuple[str, str]) -> None:
    load_lines(apes([trait], [("Other", "x")]))
    links = [value for facet in facets(api, OF_APES).values() for value in facet.values.values()]
    asked = [one.query for one in links if "traits=" in one.query and "Other" not in one.query]
    assert [[record["tokenId"] for record in api.get(NFTS, one).json()["data"]] for one in asked] == [["0"]]


def test_a_value_that_no_query_can_name_has_no_link(api: Api) -> None:
    load_lines(apes([("Fur", "x" * 2000), ("Fur", "Brown")]))
    assert list(facets(api, OF_APES)["Fur"].values) == ["Brown"]


def test_marketplaces_are_those_that_the_collection_traded_on_or_is_listed_at(api: Api) -> None:
    load_lines(
        [
            contract(APES),
            nft("1"),
            transfer("1", block=1, sender=ALICE, receiver=BOB, markets=["blur"]),
            ask("1", price="1", maker=BOB),
            nft("1", CATS),
            transfer("1", CATS, block=2, markets=["sudoswap"]),
        ]
    )
    found = facets(api, OF_APES)["Marketplaces"]
    assert list(found.values) == ["blur", "opensea"]
    assert found.values["blur"].query == f"{OF_APES}&marketplaces=blur"
    chosen = facets(api, f"{OF_APES}&marketplaces=BLUR")["Marketplaces"].values["blur"]
    assert chosen.is_set


def test_a_marketplace_whose_asks_have_all_ended_is_not_offered(api: Api) -> None:
    """A query for it would find nothing. One asked for is shown all the same, to be taken away."""
    ended = ask("1", price="1", maker=BOB, validUntil=1_000_000_000)
    load_lines([contract(APES), nft("1", owner=BOB), ended])
    assert not facets(api, OF_APES)["Marketplaces"].values
    assert facets(api, f"{OF_APES}&marketplaces=opensea")["Marketplaces"].values["opensea"].is_set
    load_lines([ask("1", price="1", maker=BOB)])
    assert list(facets(api, OF_APES)["Marketplaces"].values) == ["opensea"]


def test_asks_are_counted_past_those_that_ended(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "COUNTED", 3)
    tokens = [str(number) for number in range(1, 9)]
    ends: dict[str, dict[str, Any]] = {
        token: {"validUntil": 1_000_000_000} if int(token) <= 6 else {} for token in tokens
    }
    load_lines(
        [
            contract(APES),
            *(nft(token, owner=ALICE) for token in tokens),
            *(ask(token, price=token, **ends[token]) for token in tokens),
        ]
    )
    assert notes(facets(api, OF_APES)["For sale"]) == {"In ETH": "2 asks"}, "six that ended are cheaper"


def test_prices_are_bounded_in_the_currency_that_most_asks_are_in(api: Api) -> None:
    asks = [("1", "USDC", "90"), ("2", "WETH", "0.5"), ("3", "ETH", "2"), ("4", "ETH", "0.07")]
    load_lines(
        [
            contract(APES),
            *(nft(token, owner=ALICE) for token, *_ in asks),
            *(ask(token, price=price, currency=currency) for token, currency, price in asks),
        ]
    )
    found = facets(api, OF_APES)["For sale"]
    assert notes(found) == {"In ETH": "3 asks", "In USDC": "1 ask"}, "WETH counts as ETH, as in a query"
    assert "From 0.07 to 2 ETH." in found.note
    assert 'placeholder="eth"' in found.html
    assert found.values["In ETH"].query == f"{OF_APES}&priceFilter=eth,,"
    assert facets(api, f"{OF_APES}&priceFilter=eth,,1")["For sale"].values["In ETH"].query == OF_APES
    sent = f"_form=1&{OF_APES}&priceFilter.0=&priceFilter.1=0.1&priceFilter.2=1&priceFilter.usual=eth"
    assert api.get(NFTS, sent, accept=BROWSER)["Location"] == f"{NFTS}?{OF_APES}&priceFilter=eth%2C0.1%2C1"


def test_asks_that_ended_are_for_sale_no_more(api: Api) -> None:
    load_lines([contract(APES), nft("1", owner=ALICE), ask("1", price="1", validUntil=1_000_000_000)])
    assert "For sale" not in facets(api, OF_APES)


def test_without_a_contract_the_largest_collections_are_offered(api: Api) -> None:
    load_lines(
        [
            contract(APES, name="Apes"),
            nft("1"),
            nft("2"),
            contract(CATS, on="polygon"),
            nft("1", CATS, "polygon"),
        ]
    )
    found = facets(api, "sortBy=tokenId")["Collections"]
    assert notes(found) == {"Apes": "2", f"{CATS[:6]}…{CATS[-4:]}": "1"}
    assert found.values["Apes"].query == f"sortBy=tokenId&chain=ethereum&contractAddress={APES}"
    assert notes(facets(api, "chain=polygon")["Collections"]).keys() == {f"{CATS[:6]}…{CATS[-4:]}"}


def test_no_more_than_twenty_collections_are_offered(api: Api) -> None:
    for number in range(25):
        make_contract(address=f"0x{number:040x}", name=f"C{number}", nft_count=number)
    found = facets(api, "")["Collections"]
    assert list(found.values) == [f"C{number}" for number in range(24, 4, -1)]


def test_an_address_on_several_chains_offers_these(api: Api) -> None:
    load_lines(
        [
            contract(APES),
            nft("1"),
            contract(APES, on="polygon"),
            nft("1", on="polygon"),
            nft("2", on="polygon"),
        ]
    )
    for path in (NFTS, TRANSFERS):
        assert notes(facets(api, OF_APES, path)["Chains"]) == {"polygon": "2", "ethereum": "1"}, path
    assert "Chains" not in facets(api, f"{OF_APES}&chain=polygon")


def test_marked_nfts_say_why_and_can_be_left_out(api: Api) -> None:
    load_lines([contract(APES), nft("1", marked=True, markedReason="Reported <stolen>"), nft("2")])
    html = api.get(NFTS, OF_APES, accept=BROWSER).content.decode()
    assert "<b>Marked</b>: <bdi>Reported &lt;stolen&gt;</bdi>" in html
    assert html.count('class="mark-reason"') == 1
    link = facets(api, OF_APES)["Marked by the operator"].values["Leave them out"]
    assert link.query == f"{OF_APES}&excludeMarkedNfts=true"
    assert facets(api, link.query)["Marked by the operator"].values["Leave them out"].query == OF_APES


def test_transfers_without_a_contract_offer_collections_to_choose_from(api: Api) -> None:
    load_lines([contract(APES, name="Apes"), nft("1")])
    assert list(facets(api, "", TRANSFERS, status=400)["Collections"].values) == ["Apes"]
    assert facets(api, "limit=99", TRANSFERS, status=400).keys() == {"Every filter"}


def test_what_a_page_alone_takes_is_unknown_to_programs(api: Api) -> None:
    for name in ("_facet", "_find", "_raw"):
        assert api.get(NFTS, f"{name}=x").json()["errors"][0]["code"] == "unknown_parameter"
        assert api.get(NFTS, f"{name}=x", accept=BROWSER).status_code == 200
    assert api.get(NFTS, "_nope=x", accept=BROWSER).status_code == 400


def test_nothing_matches_and_facets_still_lead_on(api: Api) -> None:
    load_lines(FURS)
    found = facets(api, f"{OF_APES}&traits=Fur-Nope")
    assert found["Fur"].values["Brown"].query.endswith("traits=Fur-Nope,Fur-Brown")
