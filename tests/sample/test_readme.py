"""The walks that the README shows, run as they stand there, against a server with the sample."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from nftsite.sample.loading import load_sample
from tests import machine
from tests.sample.lines import CONTRACTS, NFTS, TRANSFERS
from tests.sample.readme import README

HERE = "127.0.0.1:8000"
"""Where `make run` serves."""


def block(language: str, address: str) -> str:
    """The README's only block of code in a language, with another server's address in it."""
    (code,) = re.findall(rf"^```{language}\n(.+?)^```$", README, re.MULTILINE | re.DOTALL)
    assert code.count(HERE) == 1
    return str(code).replace(HERE, address)


def of(lines: list[dict[str, Any]], contract_name: str) -> list[dict[str, Any]]:
    """The sample's lines of one contract."""
    (address,) = (line["contractAddress"] for line in CONTRACTS if line["name"] == contract_name)
    return [line for line in lines if line["contractAddress"] == address]


@pytest.mark.django_db(transaction=True)
def test_both_walks_tell_everything_once(live_server: LiveServer, capsys: pytest.CaptureFixture[str]) -> None:
    """In Python the lanterns, the rarest first; in a shell the transfers of the tides."""
    load_sample()
    address = live_server.url.removeprefix("http://")

    exec(block("python", address), {})
    told = [line.split(" ", 1) for line in capsys.readouterr().out.splitlines()]
    scores = [float(score) for score, _ in told]
    assert scores == sorted(scores, reverse=True)
    lanterns = [line["metadata"]["name"] for line in of(NFTS, "Paper Lanterns")]
    assert sorted(name for _, name in told) == sorted(lanterns)

    if shutil.which("curl") is None:
        pytest.skip("no curl on this machine: the walk in a shell was not run")
    command = ["sh", "-euc", block("sh", address)]
    done = subprocess.run(command, env=machine.bare(), capture_output=True, text=True, check=True)
    pages = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(pages) > 1
    found = [(one["transactionHash"], one["tokenId"]) for page in pages for one in page["data"]]
    tides = [(line["transactionHash"], line["tokenId"]) for line in of(TRANSFERS, "Tide Circles")]
    assert sorted(found) == sorted(tides)
