"""`manage.py rederive`: what follows from kept evidence, derived again without a node, ends in the same state."""

from __future__ import annotations

import zlib
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from indexing.models import Evidence
from indexing.write.evidence import unpack
from tests.builders import ask, load_lines, settle, transfer
from tests.ingestion.chain import Chain, FakeNode, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.indexing import index, owners, tables
from tests.ingestion.recorded import recorded_node, run
from tests.ingestion.spoiling import spoil, traded
from tests.processes import databases, outcome
from tests.processes import run as run_apart
from tokens.models import Contract, Nft, NftRecent, Owner
from transfers.models import Transfer


def rederive(*arguments: str) -> str:
    """What the command says."""
    out = StringIO()
    call_command("rederive", *arguments, stdout=out, stderr=out)
    return out.getvalue()


@pytest.mark.shared
@pytest.mark.django_db
def test_recorded_transactions_of_ethereum_end_in_exactly_the_state_in_which_indexing_left_them() -> None:
    with recorded_node() as node:
        run(node)
    settle()
    expected = tables()
    assert "of which 0 transactions are written anew" in rederive("--chain", "ethereum")
    assert tables() == expected
    spoil()
    rederive()
    assert tables() == expected


@pytest.mark.django_db
def test_owners_transfers_and_sales_that_were_lost_come_back() -> None:
    index(FakeNode(traded()))
    expected = tables()
    spoil()
    assert owners() == {}
    rederive("--chain", "ethereum")
    assert tables() == expected


@pytest.mark.django_db
def test_what_is_right_is_not_written() -> None:
    """Rows that were deleted and written anew would have other ids."""
    index(FakeNode(traded()))
    before = [sorted(model._default_manager.values_list()) for model in (Transfer, Owner, NftRecent)]
    said = rederive()
    assert "9 transactions with 11 transfers, of which 0 transactions are written anew; 4 NFTs." in said
    assert [sorted(model._default_manager.values_list()) for model in (Transfer, Owner, NftRecent)] == before


@pytest.mark.django_db
def test_contracts_that_are_not_indexed_are_not_read_from_the_evidence_of_others() -> None:
    """All logs of a transaction are kept, also those of contracts that nobody asked for."""
    made = Chain()
    made.mine(tx(nft(1, ZERO, ALICE), units(5, ZERO, ALICE, 10)))
    index(FakeNode(made), contracts=[APES])
    expected = tables()
    rederive()
    assert tables() == expected
    assert list(Contract.objects.filter(nft_count__gt=0).values_list("address", flat=True)) == [APES]


@pytest.mark.django_db
def test_a_transfer_that_the_logs_do_not_tell_goes_and_its_nft_with_it() -> None:
    index(FakeNode(traded()))
    expected = tables()
    real = Transfer.objects.order_by("block_number", "log_index").first()
    assert real is not None
    wrong = Nft.objects.create(
        chain_id=real.chain_id, contract_id=real.contract_id, token_key="03777", transferred=True
    )
    NftRecent.objects.create(
        nft=wrong, chain_id=real.chain_id, contract_id=real.contract_id, token_key="03777"
    )
    Contract.objects.filter(id=real.contract_id).update(nft_count=real.contract.nft_count + 1)
    Transfer.objects.filter(id=real.id).update(nft=wrong, to_address=CAROL)
    assert tables() != expected
    assert "1 transactions are written anew" in rederive()
    assert tables() == expected


@pytest.mark.django_db
def test_what_other_sources_stated_stays() -> None:
    """A statement about a sale of the chain, an ask, and a transfer of which no log tells."""
    chain = traded()
    index(FakeNode(chain))
    sold = chain.blocks[2].transactions[0]
    swapped = transfer("1", APES, block=2, log=1, sender=ALICE, receiver=BOB, transferType="swap")
    load_lines(
        [
            {**swapped, "transactionHash": sold.hash},
            ask("2", APES),
            transfer("9", APES, block=1, log=7, sender=ZERO, receiver=BOB),
        ]
    )
    expected = tables()
    rederive()
    assert tables() == expected


@pytest.mark.django_db
def test_evidence_that_is_broken_is_told_and_left_alone() -> None:
    index(FakeNode(traded()))
    expected = tables()
    first = Evidence.objects.order_by("id").first()
    assert first is not None
    Evidence.objects.filter(id=first.id).update(packed=b"\x02broken")
    assert "The evidence of 1 transactions cannot be read: they stay." in rederive()
    assert tables() == expected


def test_evidence_of_before_it_told_its_time_is_read_with_the_time_of_its_block() -> None:
    """Version 1: sender, target, value 5, index 3, no log."""
    body = b"\x14" + b"\xa1" * 20 + b"\x00" + b"\x01\x05" + b"\x03" + b"\x00"
    packed = b"\x01" + zlib.compress(body)
    one = unpack(packed, "0x" + "7a" * 32, 17, 1_700_000_000)
    assert (one.sender, one.target, one.value, one.index, one.timestamp) == (ALICE, None, 5, 3, 1_700_000_000)
    with pytest.raises(ValueError, match="does not tell when"):
        unpack(packed, "0x" + "7a" * 32, 17)


def test_a_run_that_is_killed_at_any_statement_is_finished_by_the_next(tmp_path: Path) -> None:
    with databases(tmp_path, ["rederived"]) as (url,):
        done = outcome(run_apart(url, "-m", "tests.ingestion.killed_rederived"))
    assert done["killed"] >= 10
    assert done["wrong"] == []
