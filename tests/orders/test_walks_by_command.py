"""`sync_asks`: what is named is read, and what cannot be is said."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from indexing.models import BookWalk
from tests.builders import load_lines, nft
from tests.orders.apes import (
    COLLECTION,
    FIVE,
    MINTS,
    OTHER_COLLECTION,
    STATES,
    hashes,
    live,
    on_solana,
    states,
)
from tests.orders.made_up import APES
from tests.orders.stand_in import KEY, StandIn
from tokens.models import Ask

pytestmark = pytest.mark.django_db


@pytest.fixture
def opensea(server: StandIn, settings: Any) -> StandIn:
    """The stand-in as the settings name it."""
    settings.OPENSEA_API_URL, settings.OPENSEA_API_KEY = server.url, KEY
    return server


def test_the_command_reads_what_is_named_and_then_all_that_was(opensea: StandIn, capsys: Any) -> None:
    call_command("sync_asks", "--contract", APES.upper().replace("0X", "0x"))
    assert "5 asks on 3 pages, 0 orders refused" in capsys.readouterr().out
    opensea.listings["apes"] = FIVE[:4]
    Ask.objects.update(seen_at=5)
    call_command("sync_asks")
    assert "4 asks on 2 pages" in capsys.readouterr().out
    assert live() == hashes(FIVE[:4])


def test_the_command_tells_a_fault_without_the_key(opensea: StandIn, settings: Any, capsys: Any) -> None:
    settings.OPENSEA_API_KEY = KEY + "-wrong"
    with pytest.raises(SystemExit):
        call_command("sync_asks", "--contract", APES)
    told = capsys.readouterr()
    assert "HTTP 401" in told.err
    assert KEY not in told.out + told.err + str(list(BookWalk.objects.values()))


WRONG: dict[str, tuple[list[str], str]] = {
    "nothing named": ([], "Name what to read"),
    "no address": (["--contract", "apes"], "--contract must be 0x"),
    "a collection of nothing": (["--collection", "apes"], "--collection needs the one --contract"),
    "no collection": (["--chain", "solana", "--contract", APES], "--contract must be a collection's address"),
    "no chain": (["--chain", "tron", "--contract", APES], "is not known"),
    "no place": (["--source", "reservoir", "--contract", APES], "--from FILE|URL goes with"),
    "no file": (["--source", "reservoir", "--from", "/nowhere", "--contract", APES], "Cannot read"),
}


@pytest.mark.parametrize(("arguments", "why"), WRONG.values(), ids=WRONG)
def test_what_the_command_cannot_do_it_says(arguments: list[str], why: str, opensea: StandIn) -> None:
    with pytest.raises(CommandError, match=why):
        call_command("sync_asks", *arguments)


@pytest.mark.parametrize("key", ["", "two words", "línea", "a\nb"])
def test_a_key_that_is_none_is_not_sent_or_shown(key: str, settings: Any) -> None:
    settings.OPENSEA_API_KEY = key
    with pytest.raises(CommandError, match="Set OPENSEA_API_KEY") as refused:
        call_command("sync_asks", "--contract", APES)
    assert not key or key not in str(refused.value)


def test_a_collection_on_solana_is_walked_by_the_slug_that_an_operator_names(
    opensea: StandIn, capsys: Any
) -> None:
    """OpenSea names no collection of an address there, and an order names no collection of its mint."""
    load_lines([nft(MINTS[2], OTHER_COLLECTION, on="solana"), nft(MINTS[1], None, on="solana")])
    opensea.listings["frogs"] = [on_solana(mint, state) for mint, state in zip(MINTS, STATES, strict=True)]
    given = ("--chain", "solana", "--contract", COLLECTION, "--collection", "frogs")
    call_command("sync_asks", *given)
    assert "2 asks on 2 pages, 0 orders refused" in capsys.readouterr().out, "one is of another collection"
    found = dict(Ask.objects.values_list("nft__token_key", "contract__address"))
    assert found == {f"~{mint}": COLLECTION for mint in MINTS[:2]}
    assert set(states().values()) == {""}
    del opensea.listings["frogs"][0]
    Ask.objects.update(seen_at=5)
    call_command("sync_asks", "--chain", "solana")
    assert sorted(states().values()) == ["", "gone-from-source"]
