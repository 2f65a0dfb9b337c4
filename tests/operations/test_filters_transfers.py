"""What good queries of Transfers by Token select (specification, Transfers by Token)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from core.db.keys import token_key
from tokens.models import EnsName
from tokens.query.selection import ContractRef, Query
from transfers.filters import TransferFilterSet

pytestmark = pytest.mark.django_db

EVM = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
MINT = "Ax7EjwgRaerUacfCAptcMnkckmf8Wiee5T9KLqSzsF6"


def select(query: str) -> Query:
    """The query object of a query that must be good."""
    filters = TransferFilterSet(query)
    assert filters.faults == {}
    selected = filters.qs
    assert isinstance(selected, Query)
    return selected


@pytest.mark.parametrize("token_id", ["", "&tokenId=", "&tokenId", "&tokenId=%20"])
def test_a_blank_token_id_counts_as_not_given(token_id: str) -> None:
    assert select(f"contractAddress={EVM}{token_id}") == Query(contract=ContractRef("evm", EVM))


@pytest.mark.parametrize("token_id", ["42", "0x2A", "042", "42&tokenId=0x2a&tokenId="])
def test_a_token_id_is_one_number(token_id: str) -> None:
    assert select(f"contractAddress={EVM}&tokenId={token_id}").token_keys == frozenset({token_key("42")})


def test_a_mint_may_stand_for_the_contract() -> None:
    assert select(f"contractAddress={MINT}&chain=solana").contract == ContractRef("mint", MINT)
    assert select(f"contractAddress={MINT}&tokenId={MINT}&chain=solana").token_keys == frozenset(
        {token_key(MINT)}
    )


def test_ens_names_serve_here_too() -> None:
    EnsName.objects.create(name="punks.eth", address=EVM)
    assert select("contractAddress=Punks.eth").contract == ContractRef("evm", EVM)


def test_how_a_page_is_made() -> None:
    query = select(f"contractAddress={EVM}&limit=7&sortBy=RARITY")
    assert (query.limit, query.cursor, query.order.name) == (7, None, "rarity")


@pytest.mark.parametrize("name", TransferFilterSet.base_filters)
def test_every_parameter_documents_itself(name: str) -> None:
    declared: Any = TransferFilterSet.base_filters[name]
    assert len(declared.extra["help_text"]) > 40
    assert not set("<>") & set(declared.extra["help_text"])
    if declared.example is not None:
        assert name not in TransferFilterSet(f"{name}={quote(declared.example)}").faults
