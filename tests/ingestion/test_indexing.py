"""What a run reads and where the next one goes on: windows, checkpoints, contracts, and who may index at all."""

from __future__ import annotations

import fcntl
import gc
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from indexing.follow.lock import AlreadyIndexedError, only_indexer
from indexing.follow.runner import Progress
from indexing.management.commands import index as command
from indexing.models import IndexedChain, IndexedContract, UndecodedLog
from indexing.write.apply import OvertakenError
from tests.builders import ask, contract, load_lines
from tests.ingestion.chain import COINS, FROGS, Chain, FakeNode, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, word
from tests.ingestion.indexing import ethereum, index, narrow, next_block, owners, tables
from tokens.models import Ask, Nft
from transfers.models import Transfer

pytestmark = pytest.mark.django_db


def test_every_transfer_is_written_with_its_place_parties_and_transaction(chain: Chain) -> None:
    index(FakeNode(chain))
    sold = Transfer.objects.get(block_number=3)
    assert (sold.from_address, sold.to_address, sold.amount) == (ALICE, BOB, 1)
    assert (sold.transaction_from, sold.value, sold.transfer_type) == (BOB, 10**18, "transfer")
    assert sold.timestamp == chain.blocks[3].timestamp
    assert Transfer.objects.count() == len(chain.moves()) == 8
    assert owners() == chain.holders()
    assert next_block() == 6


@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_the_width_of_windows_changes_nothing(
    chain: Chain, monkeypatch: pytest.MonkeyPatch, blocks: int
) -> None:
    narrow(monkeypatch, blocks)
    seen: list[int] = []
    index(FakeNode(chain), tell=lambda progress: seen.append(progress.next_block))
    assert seen[:2] == [blocks, 2 * blocks]
    assert owners() == chain.holders()
    assert IndexedChain.objects.get().logs_total == 6


def test_a_second_run_asks_for_nothing_and_changes_nothing(chain: Chain) -> None:
    index(FakeNode(chain))
    before, node = tables(), FakeNode(chain)
    index(node)
    assert "eth_getLogs" not in {method for method, _ in node.asked}
    assert tables() == before


def test_what_is_read_again_changes_nothing(chain: Chain) -> None:
    index(FakeNode(chain))
    before = tables()
    IndexedContract.objects.update(next_block=0)
    index(FakeNode(chain))
    assert tables() == before


def test_a_run_ends_at_its_last_block_and_the_next_one_goes_on_behind_it(chain: Chain) -> None:
    index(FakeNode(chain), to_block=2)
    assert next_block() == 3
    assert set(Transfer.objects.values_list("block_number", flat=True)) == {1, 2}
    index(FakeNode(chain))
    assert owners() == chain.holders()


def test_blocks_that_are_not_confirmed_are_left_alone(chain: Chain) -> None:
    index(FakeNode(chain), confirmations=2)
    assert next_block() == 4
    index(FakeNode(chain), confirmations=100)  # more than there are blocks
    assert next_block() == 4


def test_only_the_named_contracts_are_indexed(chain: Chain) -> None:
    node = FakeNode(chain)
    index(node, contracts=[FROGS])
    assert set(Nft.objects.values_list("contract__address", flat=True)) == {FROGS}
    assert node.windows == [(0, [FROGS])]


def test_a_contract_named_later_catches_up_and_then_goes_on_with_the_others(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow(monkeypatch, 2)
    index(FakeNode(chain), contracts=[APES], to_block=3)
    node = FakeNode(chain)
    index(node, contracts=[APES, COINS])
    assert node.windows == [(0, [COINS]), (2, [COINS]), (4, [APES, COINS])]
    assert owners() == {key: held for key, held in chain.holders().items() if key[0] != FROGS}


def test_a_window_that_somebody_else_has_written_meanwhile_is_given_up(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def move_on(*args: Any) -> None:
        IndexedContract.objects.update(next_block=99)

    narrow(monkeypatch, 2)
    with pytest.raises(OvertakenError, match="no longer at block 2"):
        index(FakeNode(chain), tell=move_on)
    assert not Transfer.objects.filter(block_number__gte=2).exists()


def test_a_second_indexer_of_the_same_chain_is_refused_and_moves_nothing(
    chain: Chain, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(FakeNode(chain))
    monkeypatch.setattr(command, "Node", lambda urls, **options: FakeNode(chain))
    with locked_elsewhere():
        with pytest.raises(AlreadyIndexedError, match="Another process indexes ethereum"):
            index(FakeNode(chain))
        with pytest.raises(CommandError, match="Another process"):
            call_command(
                *("index", "--chain", "ethereum", "--rpc-url", "http://node.example", "-v0"),
                *("--from-block", "0", "--rewind-to", "1"),
            )
    assert next_block() == 6
    assert Transfer.objects.count() == 8
    index(FakeNode(chain))  # the lock went with who held it


class locked_elsewhere:  # noqa: N801 - reads as a context
    """Has the lock held on a connection, or a file, that is not this one."""

    def __enter__(self) -> None:
        if connection.vendor == "postgresql":
            self._copy = connection.copy()
            with self._copy.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_lock(%s, %s)", [730_512_187, ethereum().id])
        else:
            name = Path(str(connection.settings_dict["NAME"]))
            self._file = name.with_name(f"{name.name}.index-ethereum.lock").open("w")
            fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *fault: object) -> None:
        if connection.vendor == "postgresql":
            self._copy.close()
        else:
            self._file.close()


def test_another_chain_may_be_indexed_meanwhile(chain: Chain) -> None:
    with only_indexer(ethereum()._replace(slug="polygon", id=ethereum().id + 1_000)):
        index(FakeNode(chain))
    assert next_block() == 6


def test_a_log_that_says_something_else_than_its_event_is_kept_with_the_reason(chain: Chain) -> None:
    bad = emitted(
        "TransferSingle(address,address,address,uint256,uint256)", [ALICE, ZERO, BOB], word(7), COINS
    )
    chain.mine(tx(bad, nft(9, ZERO, CAROL)))
    index(FakeNode(chain))
    kept = UndecodedLog.objects.get()
    assert (kept.block_number, kept.log_index, kept.address, kept.data) == (6, 0, COINS, "0x" + word(7))
    assert kept.reason.startswith("The data ends after 32 bytes")
    assert owners()[APES, 9] == {CAROL: 1}  # the rest of the transaction is read


def test_what_is_no_log_at_all_is_told_and_left_out(chain: Chain) -> None:
    def spoil(method: str, params: list[Any], answer: Any) -> Any:
        if method in ("eth_getLogs", "eth_getTransactionReceipt"):
            logs = answer if method == "eth_getLogs" else answer["logs"]
            for log in logs:
                if log["address"] == FROGS:
                    log["topics"] = ["0x12", *log["topics"][1:]] if method != "eth_getLogs" else log["topics"]
                    log["data"] = "0xzz"
        return answer

    index(FakeNode(chain, alter=spoil))
    assert not Nft.objects.filter(contract__address=FROGS).exists()
    assert (
        "1 logs that are none, the first: the log's data is not hexadecimal"
        in IndexedChain.objects.get().fault
    )
    assert next_block() == 6


def test_the_ask_of_a_former_owner_is_no_longer_live(chain: Chain) -> None:
    load_lines(
        [contract(APES), ask("1", APES, price="1", maker=ALICE), ask("2", APES, price="1", maker=ALICE)]
    )
    index(FakeNode(chain), to_block=2)
    assert dict(Ask.objects.values_list("nft__token_key", "active")) == {"011": True, "012": True}
    index(FakeNode(chain))
    assert dict(Ask.objects.values_list("nft__token_key", "active")) == {"011": False, "012": True}


def test_burns_mints_again_and_moves_to_oneself_end_with_who_holds_it() -> None:
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)), tx(units(7, ZERO, ALICE, 5)))
    chain.mine(tx(nft(1, ALICE, ALICE)), tx(units(7, ALICE, ALICE, 5)))
    chain.mine(
        tx(nft(1, ALICE, ZERO), nft(2, ZERO, ALICE), nft(2, ALICE, ZERO)), tx(units(7, ALICE, ZERO, 5))
    )
    index(FakeNode(chain))
    assert owners() == {(APES, 1): {}, (APES, 2): {}, (COINS, 7): {}}
    chain.mine(tx(nft(1, ZERO, BOB)), tx(units(7, ZERO, CAROL, 2), units(7, ZERO, CAROL, 0)))
    index(FakeNode(chain))
    assert owners() == {(APES, 1): {BOB: 1}, (APES, 2): {}, (COINS, 7): {CAROL: 2}}
    assert Nft.objects.get(contract__address=APES, token_key="011").minter == ALICE


def test_thousands_of_logs_in_a_window_are_written_at_once() -> None:
    chain = Chain()
    chain.mine(*(tx(*(nft(40 * one + token, ZERO, ALICE) for token in range(40))) for one in range(50)))
    index(FakeNode(chain))
    assert Transfer.objects.count() == 2_000


@pytest.mark.sqlite
def test_memory_does_not_grow_with_the_number_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a window took is let go: after four windows as much is held as after twelve, but for 100 kB.

    What eight windows read and wrote would be a megabyte.
    """
    narrow(monkeypatch, 5)
    chain = Chain()
    for block in range(60):
        chain.mine(
            *(tx(*(nft(100 * block + 10 * one + log, ZERO, ALICE) for log in range(10))) for one in range(2))
        )
    node = FakeNode(chain)
    sizes = []

    def measure(progress: Progress) -> None:
        node.asked.clear()
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])

    tracemalloc.start()
    try:
        index(node, tell=measure)
    finally:
        tracemalloc.stop()
    assert Transfer.objects.count() == 1_200
    assert max(sizes[8:]) - max(sizes[2:6]) < 100_000
