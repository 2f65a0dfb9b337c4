"""`manage.py index`: what its options make of a run, and what it refuses."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from indexing.management.commands import index as command
from indexing.models import IndexedContract
from tests.deriving.tables import rolled_back
from tests.ingestion.chain import COINS, FROGS, Chain, FakeNode
from tests.ingestion.encoding import APES, BOB, CAROL
from tests.ingestion.indexing import narrow, next_block, owners, tables
from tokens.models import Nft
from transfers.models import Transfer

pytestmark = pytest.mark.django_db


def run_command(*arguments: str) -> None:
    call_command("index", "--chain", "ethereum", "--rpc-url", "http://node.example", "-v0", *arguments)


@pytest.fixture
def played(chain: Chain, monkeypatch: pytest.MonkeyPatch) -> FakeNode:
    """The node that the command reads, whatever URL it is given."""
    node = FakeNode(chain)
    monkeypatch.setattr(command, "Node", lambda urls, **options: node)
    return node


def test_the_command_indexes_from_a_block_to_a_block(played: FakeNode) -> None:
    run_command("--from-block", "2", "--to-block", "3")
    assert set(Transfer.objects.values_list("block_number", flat=True)) == {2, 3}
    assert next_block() == 4


def test_the_command_goes_on_with_the_contracts_that_were_named_once(played: FakeNode) -> None:
    run_command("--contract", FROGS.upper().replace("0X", "0x"), "--to-block", "1")
    assert next_block(FROGS) == 2  # it was made in block 2: there is nothing before
    run_command()
    assert next_block(FROGS) == 6
    assert set(Nft.objects.values_list("contract__address", flat=True)) == {FROGS}


def test_the_command_begins_a_contract_where_it_was_made(played: FakeNode) -> None:
    run_command("--contract", FROGS)
    assert played.windows == [(2, [FROGS])]


def test_the_command_takes_back_blocks_and_reads_them_again(played: FakeNode, chain: Chain) -> None:
    run_command()
    before = tables()
    run_command("--rewind-to", "2", "--to-block", "2")
    assert Transfer.objects.filter(block_number__gt=2).count() == 0
    assert next_block() == 3
    run_command()
    assert tables() == before


def test_the_command_begins_earlier_when_told_to(played: FakeNode, chain: Chain) -> None:
    run_command("--contract", APES, "--from-block", "3")
    assert owners() == {(APES, 1): {BOB: 1}}
    run_command("--contract", APES, "--from-block", "0")
    assert owners() == {key: held for key, held in chain.holders().items() if key[0] == APES}


def test_the_command_begins_before_what_balances_were_asked_for(played: FakeNode, chain: Chain) -> None:
    run_command("--from-block", "4")  # BOB has 100 of token 7, of which no log is read
    run_command("--from-block", "2")
    assert owners()[COINS, 7] == chain.holders()[COINS, 7] == {BOB: 65, CAROL: 35}


@pytest.mark.parametrize("begin", ["0", "3"])
def test_the_command_goes_back_from_one_contract_to_every_contract(
    played: FakeNode, monkeypatch: pytest.MonkeyPatch, begin: str
) -> None:
    """The tables are those of one run over all, whatever was judged while only one contract was read."""
    with rolled_back():
        run_command("--from-block", "0")
        expected = tables()
    for contract in (COINS, FROGS):
        run_command("--contract", contract, "--from-block", begin)
    narrow(monkeypatch, 2)
    run_command("--every-contract")
    found = tables()
    assert {name for name in found if found[name] != expected[name]} == {"checkpoints"}
    assert [row[:2] for row in found["checkpoints"]] == [("", 6), (COINS, 6), (FROGS, 6)]


def test_every_contract_is_remembered_as_contracts_are(played: FakeNode, chain: Chain) -> None:
    run_command("--contract", FROGS)
    run_command("--every-contract", "--to-block", "1")
    chain.mine()
    run_command()
    assert next_block() == next_block(FROGS) == 7
    assert set(Nft.objects.values_list("contract__address", flat=True)) == {APES, COINS, FROGS}
    run_command("--contract", COINS)
    chain.mine()
    run_command()
    assert next_block() == next_block(FROGS) == next_block(COINS) == 8


def test_a_run_over_one_contract_leaves_the_others_where_they_are(played: FakeNode, chain: Chain) -> None:
    run_command("--every-contract")
    chain.mine()
    run_command("--contract", FROGS)
    assert (next_block(), next_block(FROGS)) == (6, 7)


def test_every_contract_begins_where_it_is_told_to(played: FakeNode) -> None:
    run_command("--contract", FROGS)
    run_command("--every-contract", "--from-block", "3")
    assert IndexedContract.objects.get(address="").first_block == 3
    run_command("--every-contract")
    assert IndexedContract.objects.get(address="").first_block == 3


def test_the_chain_is_the_one_evm_chain_that_nodes_are_configured_of(
    played: FakeNode, settings: LazySettings
) -> None:
    """Nodes of Solana are read by `index_das`."""
    settings.RPC_URLS = {"ethereum": ["http://node.example"], "solana": ["http://das.example"]}
    call_command("index", "-v0", "--from-block", "2", "--to-block", "3")
    assert set(Transfer.objects.values_list("chain__slug", flat=True)) == {"ethereum"}
    settings.RPC_URLS |= {"base": ["http://node.example"]}
    with pytest.raises(CommandError, match="Name a chain by --chain, of base, ethereum"):
        call_command("index", "-v0")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--chain", "nowhere"], "The chain 'nowhere' is not known"),
        (["--chain", "solana"], "no EVM chain"),
        (["--chain", "ethereum", "--contract", "0x12"], "40 hexadecimal digits, not 0x12"),
        (
            ["--chain", "ethereum", "--contract", APES, "--every-contract"],
            "--contract or --every-contract, not both",
        ),
        (["--from-block", "-1"], "invalid block number"),
        (["--to-block", "9" * 20], "invalid block number"),
    ],
)
def test_what_the_command_cannot_do_it_says(played: FakeNode, arguments: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        call_command("index", *arguments, "--rpc-url", "http://node.example")
