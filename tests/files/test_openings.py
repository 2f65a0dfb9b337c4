"""A dump keeps who holds an NFT of which only a node could tell what was held before its first transfer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command

from tests.builders import load_lines
from tests.files.lines import dumped
from tests.ingestion.chain import COINS, Chain, FakeNode, nft, tx, units
from tests.ingestion.encoding import ALICE, BOB, CAROL, ZERO
from tests.ingestion.indexing import index, owners
from tokens.models import Chain as ChainRow
from tokens.models import Currency, CurrencyToken, Market, Owner
from tokens.models.well_known import write_known
from transfers.models import Opening

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def chain() -> Chain:
    """Indexed from block 2 on: ALICE had 100 of token 7 before; of token 8 and of the ERC-721 all is seen."""
    made = Chain()
    made.mine(tx(units(7, ZERO, ALICE, 100)))
    made.mine(tx(units(7, ALICE, BOB, 30)), tx(units(8, ZERO, BOB, 3)), tx(nft(1, ZERO, ALICE)))
    made.mine(tx(units(7, BOB, CAROL, 10)))
    made.mine(tx(units(8, BOB, CAROL, 1)))
    return made


def nft_lines() -> dict[str, dict[str, Any]]:
    lines = [json.loads(line) for line in dumped().splitlines()]
    return {line["tokenId"]: line for line in lines if line["record"] == "nft"}


def load_anew(lines: list[str]) -> None:
    """Empty the database, and load lines into it."""
    call_command("flush", "--no-input", "--verbosity", "0")
    write_known(ChainRow, Currency, CurrencyToken, Market)
    assert load_lines(lines).fault_count == 0


def dates() -> set[tuple[str, Any, Any, Any, Any]]:
    """Entry and last change of who holds token 7."""
    names = ("entered_at_block", "entered_at", "updated_at_block", "updated_at")
    return set(Owner.objects.filter(nft__token_key="017").values_list("address", *names))


def test_owners_and_their_dates_survive_a_dump_and_a_load(chain: Chain) -> None:
    index(FakeNode(chain), from_block=2)
    held, before, lines = owners(), dates(), dumped().splitlines()
    assert held == chain.holders(2)
    load_anew(lines)
    assert owners() == held
    assert dates() == before
    assert dumped().splitlines() == lines


def test_only_what_transfers_do_not_tell_is_stated(chain: Chain) -> None:
    index(FakeNode(chain), from_block=2)
    lines = nft_lines()
    assert lines["7"]["asOfBlock"] == 3
    assert [(one["address"], one["amount"]) for one in lines["7"]["owners"]] == [
        (ALICE, "70"),
        (BOB, "20"),
        (CAROL, "10"),
    ]
    assert "enteredAtBlock" not in lines["7"]["owners"][0]
    assert (lines["7"]["owners"][1]["enteredAtBlock"], lines["7"]["owners"][1]["updatedAtBlock"]) == (2, 3)
    assert "owners" not in lines["8"]
    assert "owners" not in lines["1"]


def test_who_holds_an_nft_that_the_node_could_not_tell_of_is_not_stated(chain: Chain) -> None:
    chain.mine()
    index(FakeNode(chain, oldest=chain.head), from_block=2, to_block=chain.head - 1)
    assert list(Opening.objects.values_list("amount", flat=True)) == [None]
    assert "owners" not in nft_lines()["7"]


def test_what_a_source_states_of_a_later_block_stays_as_it_is(chain: Chain) -> None:
    index(FakeNode(chain), from_block=2)
    stated = {"record": "nft", "chain": "ethereum", "contractAddress": COINS, "tokenId": "7",
              "owners": [{"address": BOB, "amount": "1"}], "asOfBlock": 9}  # fmt: skip
    assert load_lines([stated]).fault_count == 0
    line = nft_lines()["7"]
    assert (line["owners"], line["asOfBlock"]) == ([{"address": BOB, "amount": "1"}], 9)


def test_transfers_that_are_loaded_later_go_on_from_there(chain: Chain) -> None:
    index(FakeNode(chain), from_block=2)
    lines = dumped().splitlines()
    chain.mine(tx(units(7, ALICE, CAROL, 70)))
    index(FakeNode(chain))
    later = [line for line in dumped().splitlines() if json.loads(line).get("blockNumber") == 5]
    load_anew([*lines, *later])
    assert owners() == chain.holders(2)
    assert owners()[COINS, 7] == {BOB: 20, CAROL: 80}
