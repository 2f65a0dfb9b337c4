"""The documentation: examples that answer on what is loaded, how to walk everything, and what each error looks like."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pytest_django.live_server_helper import LiveServer

from nftsite import guide
from tests.builders import ALICE, APES, BOB, ask, contract, load_lines, nft, transfer
from tests.conftest import Api
from tests.npm import find_node

NFTS = "/api/v1/nfts/by-token"
BROWSER = "text/html"


def fill() -> None:
    """A collection of 35 NFTs, so that a walk has two pages, with a trait whose value needs quotes."""
    load_lines(
        [
            contract(APES, name="Apes"),
            *(
                nft(str(number), traits=[("Fur", 'Brown, "dark" & 猿')], rarity=number)
                for number in range(35)
            ),
            transfer("1", block=101, timestamp=1_700_000_012, sender=ALICE, receiver=BOB, markets=["blur"]),
            ask("2", price="1.5"),
        ]
    )


def run(language: str, text: str, folder: Path) -> str:
    """What a program writes; the TypeScript has no types of its own, so that node runs it as it is."""
    file = folder / {"curl": "walk.sh", "Python": "walk.py", "TypeScript": "walk.mjs"}[language]
    file.write_text(text)
    command = {"curl": ["sh"], "Python": [sys.executable]}.get(language) or [find_node().node]
    done = subprocess.run([*command, file], check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.django_db
def test_each_example_is_a_curl_line_whose_address_finds_something_here(api: Api) -> None:
    fill()
    html = unescape(api.get("/api/v1/docs", accept=BROWSER).content.decode())
    lines = re.findall(r"^.*?(curl .*)$", html, re.M)
    assert len(lines) == 6
    for line in lines:
        address = urlsplit(shlex.split(line.replace("</pre>", ""))[1].split("<")[0])
        assert f"{address.scheme}://{address.netloc}" == "http://testserver"
        assert json.loads(api.get(address.path, address.query).content)["data"], line


@pytest.mark.django_db
def test_an_empty_database_has_no_examples_and_says_how_to_fill_it(api: Api) -> None:
    assert "There is no data yet" in api.get("/api/v1/docs", accept=BROWSER).content.decode()
    assert api.get("/api/v1/docs/walk", accept=BROWSER).status_code == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.sqlite
def test_examples_and_walks_run_as_they_stand_in_all_three_languages(
    live_server: LiveServer, tmp_path: Path
) -> None:
    fill()
    for shown in guide.shown_examples(live_server.url)[:3]:
        found = {one.language: run(one.language, one.text, tmp_path) for one in shown.snippets}
        ids = [record["tokenId"] for record in json.loads(found["curl"])["data"]]
        assert [line.split()[0] for line in found["Python"].splitlines()] == ids
        assert [line.split()[0] for line in found["TypeScript"].splitlines()] == ids
    walked = {one.language: run(one.language, one.text, tmp_path) for one in guide.walk(live_server.url)}
    assert [len(json.loads(line)["data"]) for line in walked["curl"].splitlines()] == [30, 5]
    assert walked["Python"] == walked["TypeScript"]
    assert walked["Python"].splitlines()[-1] == "35 NFTs"
    assert [line.split()[2] for line in walked["Python"].splitlines()[:-1]] == [
        str(number) for number in range(35)
    ]


@pytest.mark.django_db
def test_each_error_looks_as_the_page_says(api: Api) -> None:
    asked = [one for one in guide.errors() if one.request]
    assert len(asked) > 6
    for one in asked:
        path, _, query = one.request.partition("?")
        response = api.get(path, query)
        assert response.status_code == one.status
        assert response.json() == json.loads(one.body)
        assert (
            f"<code>{one.status} {one.code}</code>"
            in api.get("/api/v1/docs/errors", accept=BROWSER).content.decode()
        )


@pytest.mark.django_db
def test_errors_that_no_address_gets_look_as_the_page_says_too(api: Api) -> None:
    load_lines([contract(APES), nft("1"), nft("2")])
    cursor = api.get(NFTS, "limit=1").json()["nextCursor"]
    got = {
        "cursor_mismatch": api.get(NFTS, f"limit=1&sortBy=rarity&cursor={cursor}"),
        "ens_unavailable": api.get(NFTS, "contractAddress=nobody.eth"),
        "method_not_allowed": api.client.post(NFTS),
        "not_acceptable": api.get(NFTS, accept="image/png"),
    }
    told = {one.code: one for one in guide.errors()}
    for code, response in got.items():
        assert (response.status_code, response.json()) == (told[code].status, json.loads(told[code].body))
