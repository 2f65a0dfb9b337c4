"""Pages of collections: the list, one with its figures, its sales, and its marked NFTs."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from media.models import CachedImage
from nftsite.browse import home, sales
from tests.builders import ALICE, APES, BOB, contract, load_lines, nft, transfer
from tests.pages.figures import NOW, PAGE, apes, cards, filled, html, text
from tokens.models import Contract, Nft
from transfers.figures.counting import sweep

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_a_card_has_the_figures_of_its_collection() -> None:
    filled()
    found = text("/")
    assert "Apes of Old ethereum NFTs 3 Owners 2 Floor 2.75 ETH Sales, 30 days 2" in found, (
        "the ask of 2.5 ended at this second"
    )


def test_what_was_not_counted_yet_is_said_and_the_rest_is_there() -> None:
    load_lines(apes())
    assert "NFTs 3 Floor 2.75 ETH Owners, sales not counted yet" in text("/")
    assert "Owners, sales not yet counted within minutes" in text(PAGE)


def test_collections_are_walked_by_size_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "SIZE", 2)
    addresses = [f"0x{number:040x}" for number in range(1, 6)]
    chains = ["ethereum", "polygon", "ethereum", "base", "polygon"]
    load_lines(
        [
            *(
                contract(one, on=on, name=f"C{place}")
                for place, (one, on) in enumerate(zip(addresses, chains, strict=True))
            ),
            *(
                nft(str(token), one, on)
                for place, (one, on) in enumerate(zip(addresses, chains, strict=True))
                for token in range(1 + place // 2)
            ),
        ]
    )
    seen, address = [], "/"
    while address:
        seen += cards(address)
        following = re.search(r'rel="next" href="([^"]+)"', html(address))
        address = unescape(following[1]) if following else ""
    assert seen == ["C4", "C3", "C2", "C1", "C0"], "the larger first, then the newer"


@pytest.mark.parametrize(
    ("sought", "is_found"),
    [
        ("apes", True),
        ("OLD ape", True),
        ("of+old", True),
        ("pes", False),
        ("apes young", False),
        (APES, True),
        (APES.upper().replace("0X", "0x"), True),
        ("'", False),
        ("\\", False),
        ("%", False),
        ("&|!:*()", False),
        ("%00", False),
    ],
)
def test_a_search_finds_words_of_a_name_by_their_beginnings_and_addresses(
    sought: str, is_found: bool
) -> None:
    filled()
    assert (cards(f"/?q={sought.replace('&', '%26')}") == ["Apes of Old"]) == is_found or sought == "%00"


def test_a_search_that_finds_nothing_says_so_and_leads_back() -> None:
    filled()
    assert "No collection has words in its name that begin so." in text("/?q=punks")


def test_a_collection_says_its_figures_with_their_moment_and_how_fresh_they_are() -> None:
    filled()
    found = text(PAGE)
    for said in (
        "NFTs 3",
        "Floor 2.75 ETH on opensea",
        "Owners 2",
        "Sales, 30 days 2 1.75 ETH",
        "owners and sales as counted 2023-11-14 22:13:20 UTC",
        "Price of sales, in ETH",
        "Indexed up to not from a node",
        "Metadata read of 2 of 3 NFTs",
    ):
        assert said in found, said


def test_the_plot_has_its_table_behind_it_and_is_told_in_words() -> None:
    filled()
    page = html(PAGE)
    assert 'aria-label="Prices of 2 sales from 2023-11-12 to 2023-11-13: from 0.25 to 1.5 ETH."' in page
    rows = re.findall(r'<tr><th scope="row">(\d{4}[^<]*)</th><td>(\d+)</td><td>([\d.]*)</td>', page)
    assert rows == [("2023-11-13", "1", "1.5"), ("2023-11-12", "1", "0.25")]


def test_a_trait_leads_to_the_nfts_that_have_it_and_nothing_is_marked_up_by_strangers() -> None:
    filled()
    page = html(PAGE)
    links = [
        unescape(one) for one in re.findall(r'<li><a href="(/api/v1/nfts/by-token[^"]+traits[^"]+)"', page)
    ]
    assert len(links) == 2
    for link in links:
        assert len(Client().get(link).json()["data"]) == 1, link
    assert "Brown, &quot;dark&quot;" in page


def test_sales_above_a_price_newest_first() -> None:
    filled()
    assert re.findall(r">#(\d)<", html(f"{PAGE}/sales").replace("<bdi>", "").replace("</bdi>", "")) == [
        "1",
        "3",
    ]
    above = html(f"{PAGE}/sales?from=1").replace("<bdi>", "").replace("</bdi>", "")
    assert re.findall(r">#(\d)<", above) == ["1"]
    assert "No sale of 2 ETH or more is known." in text(f"{PAGE}/sales?from=2")


@pytest.mark.parametrize("price", ["x", "-1", "1e3", "1,5", "٣", "1." + "0" * 30])
def test_a_price_that_is_none_is_told_at_its_field(price: str) -> None:
    filled()
    assert "A price is a number such as 1 or 0.25." in text(f"{PAGE}/sales?from={price}", 400)


def test_sales_are_walked_each_once_also_where_few_cost_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sales, "SIZE", 2)
    monkeypatch.setattr(sales, "LOOKED_AT", 3)
    load_lines(
        [
            contract(APES),
            *(
                transfer(
                    str(number),
                    block=number,
                    sender=ALICE,
                    receiver=BOB,
                    transferType="sale",
                    ethValue=(number % 4 == 0) + 0.5,
                )
                for number in range(1, 13)
            ),
        ]
    )
    for query, wanted in (("", list(range(12, 0, -1))), ("?from=1", [12, 8, 4])):
        seen, address, pages = [], f"{PAGE}/sales{query}", 0
        while address:
            page = html(address)
            seen += re.findall(r"<bdi>#(\d+)</bdi>", page)
            following = re.search(r'rel="next" href="([^"]+)"', page)
            address, pages = (unescape(following[1]) if following else ""), pages + 1
        assert [int(one) for one in seen] == wanted
        assert pages <= 7


def test_marked_nfts_are_listed_with_the_reasons() -> None:
    filled()
    assert "Marked NFTs" in text(PAGE)
    assert cards(f"{PAGE}/marked") == ["#2"]
    assert "Marked : stolen in <May>" in text(f"{PAGE}/marked")
    load_lines([contract(APES, marked=True, markedReason="a copy")])
    assert "The whole collection is marked : a copy" in text(f"{PAGE}/marked")


def shown_image(token: str) -> CachedImage:
    """Give an NFT a cached picture."""
    image = CachedImage.objects.create(
        key=token * 32, url=f"https://a.example/{token}", state="ready", preview_path=f"aa/{token}.webp"
    )
    Nft.objects.filter(token_key=f"01{token}").update(image=image)
    return image


def test_a_withheld_picture_stands_for_no_collection() -> None:
    filled()
    image = shown_image("1")
    sweep(lambda: NOW, everything=True)
    assert "aa/1.webp" in html("/")
    assert "aa/1.webp" in html(PAGE)
    for rows, hidden, shown in (
        (CachedImage.objects.filter(pk=image.pk), {"state": "withheld"}, {"state": "ready"}),
        (Nft.objects.all(), {"media_withheld": True}, {"media_withheld": False}),
        (Contract.objects.all(), {"media_withheld": True}, {"media_withheld": False}),
    ):
        rows.update(**hidden)
        assert "aa/1.webp" not in html("/")
        assert "aa/1.webp" not in html(PAGE)
        assert "aa/1.webp" not in html(f"/nfts/ethereum/{APES}/1")
        assert "keeps the pictures" in html(f"/nfts/ethereum/{APES}/1")
        rows.update(**shown)
    assert "aa/1.webp" in html(f"/nfts/ethereum/{APES}/1")
