"""Runs of `index_das` in this process, and what the API answers behind them."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command

from tests.conftest import Api
from tests.das.played_das import PlayedDas
from tests.das.shapes import LADS


def index(das: PlayedDas, *arguments: str) -> str:
    """What the command prints, of a run in which nothing is wrong."""
    out = io.StringIO()
    call_command("index_das", "--rpc-url", das.url, *arguments, stdout=out, stderr=out)
    return out.getvalue()


def faulty(das: PlayedDas, *arguments: str) -> tuple[str, str]:
    """What the command prints and complains of, of a run that ends with exit code 1."""
    out, errors = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("index_das", "--rpc-url", das.url, *arguments, stdout=out, stderr=errors)
    assert ended.value.code == 1
    return out.getvalue(), errors.getvalue()


def members(api: Api, collection: str = LADS) -> dict[str, Any]:
    """The records of a collection by mint."""
    records = api.nfts(chain="solana", contractAddress=collection)["data"]
    return {record["tokenId"]: record for record in records}


def only(api: Api, mint: str) -> dict[str, Any]:
    """The record of a mint, by itself."""
    (record,) = api.nfts(chain="solana", tokenId=mint)["data"]
    return dict(record)
