"""The browsable API: what a browser gets, and that it works without scripts."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from media.models import CachedImage, url_key
from tests.builders import ALICE, APES, BOB, ZERO, load_lines, nft, transfer
from tests.conftest import Api
from tests.operations.rows import make_contract, make_nft, make_transfer

pytestmark = pytest.mark.django_db

NFTS = "/api/v1/nfts/by-token"
TRANSFERS = "/api/v1/transfers/by-token"
BOTH = pytest.mark.parametrize("path", [NFTS, TRANSFERS])
OF_APES = f"contractAddress={APES}"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def page(api: Api, path: str, query: str = OF_APES, status: int = 200) -> str:
    """The HTML that a browser gets."""
    response = api.get(path, query, accept=BROWSER)
    assert response.status_code == status
    assert response["Content-Type"] == "text/html; charset=utf-8"
    html: str = response.content.decode()
    return html


def make_nfts(count: int) -> None:
    """Store NFTs of one contract, each transferred once."""
    contract = make_contract()
    for number in range(count):
        make_transfer(make_nft(contract, str(number)), block=number)


@BOTH
def test_a_browser_gets_a_page_with_a_control_for_each_parameter(api: Api, path: str) -> None:
    html = page(api, path)
    view_parameters = {"chain", "cursor", "limit", "sortBy", "contractAddress", "tokenId"}
    names = set(re.findall(r'<(?:input|select)[^>]*\bname="([^"]+)"', html))
    assert view_parameters <= names
    assert "<script" not in html.replace('<script type="application/json"', "")
    assert re.search(r'<form[^>]*method="get"', html)


def test_flags_are_selects_of_three_states(api: Api) -> None:
    select = re.search(r'<select[^>]*name="excludeMarkedNfts".*?</select>', page(api, NFTS), re.S)
    assert select is not None
    assert re.findall(r'<option value="([^"]*)"', select[0]) == ["", "true", "false"]


@BOTH
def test_no_select_has_an_option_for_each_row(api: Api, path: str) -> None:
    make_nfts(60)
    html = page(api, path)
    assert all(select.count("<option") < 40 for select in re.findall(r"<select.*?</select>", html, re.S))


@BOTH
def test_a_submitted_form_leads_to_the_address_without_blank_parameters(api: Api, path: str) -> None:
    query = f"_form=1&{OF_APES}&chain=&limit=5&tokenId=&sortBy="
    response = api.get(path, query, accept=BROWSER)
    assert response.status_code == 302
    assert response["Location"] == f"{path}?{OF_APES}&limit=5"
    assert api.get(path, "_form=1&chain=", accept=BROWSER)["Location"] == path


@pytest.mark.parametrize(
    ("sent", "asked"),
    [
        (
            "priceFilter.0=weth&priceFilter.1=0.5&priceFilter.2=&priceFilter.usual=eth",
            "priceFilter=weth%2C0.5%2C",
        ),
        ("priceFilter.0=&priceFilter.1=&priceFilter.2=2&priceFilter.usual=usdc", "priceFilter=usdc%2C%2C2"),
        ("priceFilter.0=eth&priceFilter.1=&priceFilter.2=&priceFilter.usual=eth", "priceFilter=eth%2C%2C"),
        ("priceFilter.0=&priceFilter.1=&priceFilter.2=&priceFilter.usual=eth", ""),
        ("nope.0=1", "nope=1"),
    ],
)
def test_a_parameter_in_parts_is_put_together(api: Api, sent: str, asked: str) -> None:
    response = api.get(NFTS, f"_form=1&{sent}", accept=BROWSER)
    assert response["Location"] == (f"{NFTS}?{asked}" if asked else NFTS)


def test_parts_are_no_parameters_of_an_api_client(api: Api) -> None:
    assert api.get(NFTS, "priceFilter.0=eth").status_code == 400
    assert api.get(NFTS, "priceFilter.0=eth", accept=BROWSER).status_code == 400


def test_the_form_marker_is_no_parameter_of_an_api_client(api: Api) -> None:
    response = api.get(NFTS, "_form=1")
    assert response.status_code == 400
    assert response.json()["errors"][0]["code"] == "unknown_parameter"


@BOTH
def test_a_page_links_to_the_next_one_until_the_last(api: Api, path: str) -> None:
    make_nfts(5)
    query, seen = f"{OF_APES}&limit=2", []
    while True:
        html = page(api, path, query)
        seen += re.findall(r'"tokenId": "(\d+)"', unescape(html))
        link = re.search(r'rel="next" href="([^"]+)"', html)
        if link is None:
            break
        query = urlsplit(unescape(link[1])).query
        assert parse_qs(query)["contractAddress"] == [APES]
    assert seen == ["4", "3", "2", "1", "0"]


@BOTH
def test_the_form_keeps_what_was_asked(api: Api, path: str) -> None:
    html = page(api, path, f"{OF_APES}&sortBy=RARITY&chain=1")
    assert f'value="{APES}"' in html
    assert re.search(r'<option value="rarity" selected', html)
    assert re.search(r'<option value="ethereum" selected', html)


@BOTH
def test_a_refused_query_shows_its_faults_beside_the_form(api: Api, path: str) -> None:
    html = page(api, path, f"{OF_APES}&limit=99&nope=1", status=400)
    assert "The limit is a whole number from 1 to 30" in html
    assert "unknown_parameter" in html
    assert re.search(r'name="limit"[^>]*value="99"', html)


def test_what_was_sent_is_escaped(api: Api) -> None:
    html = page(api, NFTS, "contractAddress=%3Cscript%3Ealert(1)%3C/script%3E", status=400)
    assert "<script>alert" not in html


def test_third_party_texts_are_escaped(api: Api) -> None:
    make_nft(make_contract(), "1", metadata='{"name":"</pre><script>alert(1)</script>"}')
    assert "<script>alert" not in page(api, NFTS)


def test_texts_of_all_scripts_are_shown_as_they_are(api: Api) -> None:
    make_nft(make_contract(), "1", metadata='{"name":"猿 \\ud83e\\udd8d"}')
    assert "猿 🦍" in page(api, NFTS)


@BOTH
def test_a_wrong_method_is_refused_in_a_browser_too(api: Api, path: str) -> None:
    response = api.client.post(path, headers={"accept": BROWSER})
    assert response.status_code == 405


def test_an_nft_links_to_its_page_and_its_collection_and_a_transfer_back_to_the_nft(api: Api) -> None:
    make_nfts(1)
    html = unescape(page(api, NFTS))
    assert f'href="/nfts/ethereum/{APES}/0"' in html
    assert f'href="/collections/ethereum/{APES}"' in html
    back = unescape(page(api, TRANSFERS, f"contractAddress={APES}&tokenId=0"))
    assert f'<a href="/nfts/ethereum/{APES}/0"><bdi>#0</bdi></a>' in back, "in a row of the table"


def test_a_picture_comes_from_the_cache_alone(api: Api) -> None:
    url = "https://pictures.example/1.png"
    image = CachedImage.objects.create(key=url_key(url), url=url)
    make_nft(make_contract(), "1", metadata=f'{{"name":"One","imageUrl":"{url}"}}', image=image)
    assert "<img" not in page(api, NFTS), "a third party's address is never asked for"
    CachedImage.objects.update(state="ready", thumbnail_path="ab/cd.webp", original_path="ab/cd.png")
    (source,) = re.findall(r'<img src="([^"]+)"', page(api, NFTS))
    assert source == "http://testserver/files/ab/cd.webp"


def test_pictures_that_are_seen_first_are_fetched_first_and_the_others_once_they_are_near(api: Api) -> None:
    image = CachedImage.objects.create(key=url_key("x"), url="x", state="ready", thumbnail_path="ab/cd.webp")
    of_apes = make_contract()
    for number in range(9):
        make_nft(of_apes, str(number), metadata='{"imageUrl":"x"}', image=image)
    found = re.findall(r"<img [^>]+>", page(api, NFTS))
    assert ["lazy" in one for one in found] == [False] * 6 + [True] * 3, (
        "a row of a wide screen, three of a phone"
    )


def test_what_is_all_of_one_collection_leads_to_its_page(api: Api) -> None:
    make_nfts(1)
    for path in (NFTS, TRANSFERS):
        found = re.findall(r'<nav class="crumbs".*?</nav>', page(api, path, f"contractAddress={APES}"))
        assert f'href="/collections/ethereum/{APES}"' in found[0]
    assert 'class="crumbs"' not in page(api, NFTS, ""), "it is of many"


def test_no_link_leads_to_anything_but_http(api: Api) -> None:
    metadata = '{"name":"<b>x</b>","imageUrl":"javascript:alert(1)","mediaUrl":"data:text/html,x"}'
    make_nft(make_contract(), "1", metadata=metadata)
    html = unescape(page(api, NFTS))
    assert not re.findall(r'href="(?!/|http|#|data:,")[^"]*"', html)


def test_a_later_page_leads_back_to_the_first(api: Api) -> None:
    make_nfts(3)
    first = page(api, NFTS, f"{OF_APES}&limit=2")
    assert "First page" not in first
    query = urlsplit(unescape(re.findall(r'rel="next" href="([^"]+)"', first)[0])).query
    assert f'href="{NFTS}?{OF_APES}&limit=2">First page' in unescape(page(api, NFTS, query))


def test_the_rules_of_the_parameters_read_as_text_without_markup(api: Api) -> None:
    html = page(api, NFTS)
    assert "`" not in html


def test_a_bundle_says_how_many_nfts_went_for_how_many_payments(api: Api) -> None:
    parties = {"fromAddress": ALICE, "toAddress": BOB, "amount": "1"}
    legs = [{"contractAddress": APES, "tokenId": token, **parties} for token in ("1", "2")]
    money = {"contractAddress": ZERO, "fromAddress": BOB, "toAddress": ALICE, "amount": "500"}
    load_lines([transfer("1", transferType="sale", swaps=[*legs, money])])
    assert "2 NFTs, 1 payment" in page(api, TRANSFERS)


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ({"ethValue": 1234567.5, "usdValue": 2469135780.25}, ["1,234,567.5 ETH", "2,469,135,780.25 USD"]),
        (
            {"ethValue": 0.000000000000000001, "usdValue": 0.000002},
            ["0.000000000000000001 ETH", "0.000002 USD"],
        ),
        ({"ethValue": 10**16}, ["10,000,000,000,000,000 ETH"]),
        ({"ethValue": 2, "usdValue": 0}, ["2 ETH", "0.00 USD"]),
    ],
)
def test_prices_in_the_table_have_all_their_digits_and_no_exponent(
    api: Api, stated: dict[str, Any], shown: list[str]
) -> None:
    load_lines([transfer("1", transferType="sale", **stated)])
    (cell,) = re.findall(r'data-label="Price">(.*?)</td>', page(api, TRANSFERS))
    assert re.findall(r"<div>(.*?)</div>", cell) == shown


@pytest.mark.parametrize(("rank", "shown"), [(1234567, "1,234,567"), (3, "3")])
def test_ranks_on_cards_have_all_their_digits(api: Api, rank: int, shown: str) -> None:
    load_lines([nft("1", rarity=1.5, rank=rank)])
    assert f">{shown}<" in re.sub(r"\s+", "", page(api, NFTS))
