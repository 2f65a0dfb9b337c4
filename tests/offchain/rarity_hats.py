"""A contract whose NFTs have hats, and their rarity, as it is stored and as it should be."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import APES, Line, ask, contract, nft, transfer
from tests.offchain.rarity_reference import ratings
from tokens.models import Contract, Nft
from tokens.rarity import computing as rarity

HATS = ["red", "red", "blue", "green", "red", "green"]


def hats() -> list[Line]:
    """Six NFTs with hats, which trade, and a seventh without metadata."""
    lines = [nft(str(number), traits=[("Hat", hat)]) for number, hat in enumerate(HATS, start=1)]
    trades = [transfer("3", block=5, markets=["opensea"]), ask("4", market="blur")]
    return [contract(), *lines, nft("7"), *trades]


def compute(**options: Any) -> rarity.Computed | None:
    return rarity.compute(Contract.objects.get(address=APES).pk, **options)


def computed() -> dict[str, tuple[float | None, float | None]]:
    return {row.token_id: (row.rarity, row.rank) for row in Nft.objects.order_by("token_key")}


def expected(hats: list[str]) -> dict[str, tuple[float, int]]:
    found = ratings({number: [("Hat", hat)] for number, hat in enumerate(hats, start=1)})
    return {
        str(number): (pytest.approx(score, abs=1e-9), rank)  # type: ignore[misc]
        for number, (score, rank) in found.items()
    }
