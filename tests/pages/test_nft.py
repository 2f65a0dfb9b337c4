"""An NFT's page: traits with their share, asks and why others are not live, its history, its animation, explorers."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils.html import strip_tags

from core.environment import Environment
from nftsite.browse import nft as page_of
from nftsite.browse.animation import animation
from tests.builders import ALICE, APES, BOB, CAROL, ask, contract, load_lines, nft, transfer
from tokens.models import Ask

NOW = 1_700_000_000
PAGE = f"/nfts/ethereum/{APES}/1"
MINT = "So11111111111111111111111111111111111111112"


@pytest.fixture
def clock() -> Any:
    """It is always the same moment."""
    with time_machine.travel(NOW, tick=False):
        yield


def html(address: str = PAGE) -> str:
    """A page."""
    response = Client(headers={"accept": "text/html"}).get(address)
    assert response.status_code == 200
    text: str = response.content.decode()
    return text


def text(address: str = PAGE) -> str:
    """What a person reads of it, in one line."""
    return re.sub(r"\s+", " ", unescape(strip_tags(html(address).replace("<", " <"))))


@pytest.mark.django_db
@pytest.mark.usefixtures("clock")
def test_asks_that_are_live_come_first_and_others_say_why_they_are_not() -> None:
    load_lines(
        [
            contract(APES, name="Apes"),
            nft("1"),
            transfer("1", receiver=BOB),
            ask("1", price="3", maker=BOB),
            ask("1", price="2", maker=BOB, market="blur"),
            ask("1", price="1", maker=ALICE),
            ask("1", price="4", maker=BOB, validUntil=NOW),
            ask("1", price="5", maker=BOB, validFrom=NOW + 60),
            ask("1", price="6", maker=BOB, taker=CAROL),
            ask("1", price="7", maker=BOB, status="cancelled"),
        ]
    )
    found = html().partition('id="asks"')[2].partition("</table>")[0]
    rows = [unescape(strip_tags(one.replace("<", " <"))).split() for one in found.split("<tr")[2:]]
    said = [" ".join(row) for row in rows]
    assert [re.search(r"(\d) ETH", one)[1] for one in said][:2] == ["2", "3"]  # type: ignore[index]
    whole = " ".join(said)
    for why in (
        "no: who must hold the NFT does not",
        "no: it ended at 2023-11-14 22:13:20 UTC",
        "no: it begins at 2023-11-14 22:14:20 UTC",
        "no: it is for one buyer alone",
        "no: it was cancelled",
    ):
        assert why in whole, why


@pytest.mark.django_db
def test_why_an_ask_is_not_live_is_what_the_admin_says() -> None:
    assert {str(label) for label in Ask.Reason.labels} >= {"it was filled", "it was cancelled"}


@pytest.mark.django_db
def test_a_history_is_walked_each_transfer_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_of, "HISTORY", 2)
    load_lines(
        [
            contract(APES),
            *(
                transfer("1", block=block, sender=sender, receiver=receiver)
                for block, (sender, receiver) in enumerate(
                    [(ALICE, BOB), (BOB, CAROL)] * 2 + [(ALICE, BOB)], 1
                )
            ),
        ]
    )
    seen, address = [], PAGE
    while address:
        page = html(address)
        seen += re.findall(r"title=\"block (\d+),", page)
        following = re.search(r'rel="next" href="([^"#]+)', page)
        address = unescape(following[1]) if following else ""
    assert seen == ["5", "4", "3", "2", "1"]


@pytest.mark.django_db
def test_traits_say_the_share_of_nfts_that_have_them_and_lead_to_these() -> None:
    fur = 'Gold, "old"'
    load_lines([contract(APES), nft("1", traits=[("Fur", fur)]), nft("2", traits=[("Fur", "Brown")])])
    assert f"Fur {fur} 50.0 % (1)" in text()
    link = re.search(r'<dd><a href="([^"]+traits[^"]+)"', html())
    assert link is not None
    assert [one["tokenId"] for one in Client().get(unescape(link[1])).json()["data"]] == ["1"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "spelling", [f"/nfts/1/{APES}/0x1", f"/nfts/ETHEREUM/{APES.upper().replace('0X', '0x')}/01"]
)
def test_another_spelling_leads_to_the_address(spelling: str) -> None:
    load_lines([contract(APES), nft("1")])
    assert Client().get(spelling)["Location"] == PAGE


@pytest.mark.django_db
def test_a_mint_in_no_collection_has_its_page_under_itself() -> None:
    load_lines([nft(MINT, None, "solana", metadata={"name": "Alone"})])
    found = text(f"/nfts/solana/{MINT}/{MINT}")
    assert "Collection in none, solana" in found
    assert f'href="https://explorer.solana.com/address/{MINT}"' in html(f"/nfts/solana/{MINT}/{MINT}")


@pytest.mark.django_db
def test_an_animation_is_played_once_it_is_asked_for_from_its_host_alone() -> None:
    video = {"name": "Moving", "mediaUrl": "https://films.example/a.mp4", "mediaType": "video/mp4"}
    load_lines([contract(APES), nft("1", metadata=video)])
    client = Client(headers={"accept": "text/html"})
    at_rest, played = client.get(PAGE), client.get(f"{PAGE}?play")
    assert b"<video" not in at_rest.content
    assert "films.example" not in at_rest["Content-Security-Policy"]
    assert b'<video controls src="https://films.example/a.mp4"' in played.content
    assert played["Content-Security-Policy"].endswith("; media-src https://films.example")
    assert "'unsafe" not in played["Content-Security-Policy"]


@pytest.mark.django_db
def test_a_document_is_played_without_the_rights_of_any_origin() -> None:
    page = {"mediaUrl": "https://art.example/x.html", "mediaType": "text/html"}
    load_lines([contract(APES), nft("1", metadata=page)])
    response = Client(headers={"accept": "text/html"}).get(f"{PAGE}?play")
    assert b'<iframe sandbox="allow-scripts" referrerpolicy="no-referrer"' in response.content
    assert response["Content-Security-Policy"].endswith("; frame-src https://art.example")


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://a.example/x",
        "https://",
        "https://a.example/x;script-src *",
        "https://a.example/ x",
        "https://[::1",
        "//a.example/x",
    ],
)
def test_what_no_page_may_lead_to_is_no_animation(url: str) -> None:
    assert animation({"metadata": {"mediaUrl": url, "mediaType": "video/mp4"}}) is None


@pytest.mark.django_db
def test_explorers_are_those_of_the_setting(settings: Any) -> None:
    load_lines([contract(APES), nft("1")])
    assert f'href="https://etherscan.io/address/{APES}"' in html()
    settings.EXPLORERS = {"ethereum": "https://explorer.example/eth"}
    assert f'href="https://explorer.example/eth/address/{APES}"' in html()
    settings.EXPLORERS = {"ethereum": ""}
    assert "Elsewhere" not in text()


def test_the_setting_adds_to_what_is_built_in_and_takes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    built_in = {"ethereum": "https://a.example", "zora": "https://z.example"}
    monkeypatch.setenv("EXPLORERS", "ethereum=https://b.example/, base=http://c.example/x,zora=")
    assert Environment().urls_by_name("EXPLORERS", built_in) == {
        "ethereum": "https://b.example",
        "zora": "",
        "base": "http://c.example/x",
    }
    for wrong in ("ethereum", "ethereum=b.example", "Ether eum=https://b.example", "x=javascript:alert(1)"):
        monkeypatch.setenv("EXPLORERS", wrong)
        with pytest.raises(ImproperlyConfigured, match="EXPLORERS must be chain=URL"):
            Environment().urls_by_name("EXPLORERS", built_in)
