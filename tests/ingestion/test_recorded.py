"""1,830 recorded transactions of Ethereum, from a node into the database: plain, flaky, again, killed, reorganised."""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command

from core.db.keys import uint_from_key
from indexing.follow.rewind import rewind
from indexing.management.commands import index as command
from indexing.models import Evidence, IndexedContract, UndecodedLog
from tests.conftest import Api
from tests.ingestion.indexing import ethereum, owners, tables
from tests.ingestion.recorded import database_url, head_of, recorded_node, tell
from tests.ingestion.test_real_logs import KITTIES, Moved, second_reading
from tests.processes import outcome
from tests.processes import run as run_apart
from tests.shared import DATA, TRANSACTIONS
from tokens.models import Contract, Nft, NftRecent
from transfers.models import Transfer

pytestmark = [
    pytest.mark.shared,
    pytest.mark.django_db,
    pytest.mark.xdist_group("recorded node"),
]

KILLS = 10
ZERO = "0x" + "0" * 40


@pytest.fixture(scope="module")
def node() -> Iterator[str]:
    """One whose chain nobody changes."""
    with recorded_node() as url:
        yield url


@pytest.fixture(scope="module")
def transactions() -> list[dict[str, Any]]:
    """The recorded transactions in the order of the chain, in which their blocks are numbered anew from 1."""
    with gzip.open(TRANSACTIONS, "rt") as lines:
        found = [json.loads(line) for line in lines]
    found.sort(key=lambda one: (int(one["block"]["number"], 16), int(one["receipt"]["transactionIndex"], 16)))
    return found


@pytest.fixture(scope="module")
def moves(transactions: list[dict[str, Any]]) -> list[tuple[str, Moved]]:
    """What their logs move, by a reading that is none of the decoder's."""
    return [
        (one["transaction"]["hash"], move)
        for one in transactions
        for log in one["receipt"]["logs"]
        for move in second_reading(log)
    ]


def run(url: str, *options: str) -> None:
    call_command("index", "--chain", "ethereum", "--rpc-url", url, "-v0", *options)


def stored() -> list[tuple[str, Moved]]:
    """The transfers of the database."""
    rows = Transfer.objects.values_list(
        *(
            "transaction_hash",
            "log_index",
            "contract__address",
            "nft__token_key",
            "from_address",
            "to_address",
        ),
        "amount",
    )
    return [
        (row[0], Moved(row[1], row[2], uint_from_key(row[3]), row[4], row[5], int(row[6]))) for row in rows
    ]


def holders(moves: list[tuple[str, Moved]]) -> dict[tuple[str, int], dict[str, int]]:
    """Who holds what by the moves alone, of those NFTs whose moves tell.

    The chain begins in mid-history, and its node knows no balances: where somebody gives of an ERC-1155 what nobody
    was seen to give it, there is no telling who holds it.
    """
    held: dict[tuple[str, int], dict[str, int]] = defaultdict(dict)
    unknown = set()
    balances = set(Contract.objects.filter(standard="ERC1155").values_list("address", flat=True))
    for _, (_, contract, token, sender, receiver, amount) in moves:
        of = held[contract, token]
        if contract not in balances:
            of.clear()
        elif sender != ZERO:
            of[sender] = of.get(sender, 0) - amount
            if of[sender] < 0:
                unknown.add((contract, token))
        if receiver != ZERO:
            of[receiver] = of.get(receiver, 0) + amount
    return {
        key: {who: left for who, left in of.items() if left} for key, of in held.items() if key not in unknown
    }


def test_every_transfer_of_every_log_is_there_with_who_holds_what_after_it(
    node: str, moves: list[tuple[str, Moved]], api: Api
) -> None:
    run(node)
    assert sorted(stored()) == sorted(moves)
    assert owners() == holders(moves)
    check_recency(moves)
    check_vectors()
    assert Evidence.objects.count() == len({hash_ for hash_, _ in moves})
    assert UndecodedLog.objects.count() == 0
    assert Contract.objects.get(address=KITTIES).standard == "CryptoKitties"
    sizes = sorted(len(packed) for packed in Evidence.objects.values_list("packed", flat=True))
    assert sizes[len(sizes) // 2] < 350
    check_records(api, moves)


def check_recency(moves: list[tuple[str, Moved]]) -> None:
    """The last transfer of each NFT is the last of the chain that moves it."""
    last = {(move.contract, move.token_id): (hash_, move.log_index) for hash_, move in moves}
    places = {row[0]: row[1:] for row in Transfer.objects.values_list("id", "transaction_hash", "log_index")}
    rows = NftRecent.objects.values_list("nft__contract__address", "nft__token_key", "last_transfer_id")
    assert {(row[0], uint_from_key(row[1])): places.get(row[2] or 0) for row in rows} == last


def check_vectors() -> None:
    """The hand-checked cases: contract, token, sender, receiver and amount of each transfer, and how many there are."""
    with gzip.open(DATA / "vectors.jsonl.gz", "rt") as lines:
        cases = [json.loads(line) for line in lines]
    assert len(cases) == 84
    by_hash: dict[str, list[Moved]] = defaultdict(list)
    places = Transfer.objects.order_by("log_index", "batch_index").values_list(
        *(
            "transaction_hash",
            "log_index",
            "contract__address",
            "nft__token_key",
            "from_address",
            "to_address",
        ),
        "amount",
    )
    for row in places:
        by_hash[row[0]].append(Moved(row[1], row[2], uint_from_key(row[3]), row[4], row[5], int(row[6])))
    for case in cases:
        stated = [
            Moved(
                one["logIndex"],
                one["contract"],
                int(one["tokenId"]),
                one["from"],
                one["to"],
                int(one["amount"]),
            )
            for one in case["transfers"]
        ]
        found = by_hash[case["tx"]]
        assert len(found) == case["transferCount"], case["title"]
        assert found[: len(stated)] == stated, case["title"]


def check_records(api: Api, moves: list[tuple[str, Moved]]) -> None:
    """What both operations serve of the newest NFT."""
    known = holders(moves)
    hash_, move = next(one for one in reversed(moves) if known.get((one[1].contract, one[1].token_id)))
    (record,) = api.nfts(contractAddress=move.contract, tokenId=str(move.token_id))["data"]
    assert record["owner"].lower() in known[move.contract, move.token_id]
    newest = api.transfers(contractAddress=move.contract, tokenId=str(move.token_id))["data"][0]
    assert newest["transactionHash"] == hash_


def test_a_second_run_and_a_flaky_node_give_the_same(node: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run(node)
    expected = tables()
    run(node)
    assert tables() == expected
    run(node, "--rewind-to", "0")
    assert tables() == expected
    # What the flaky node calls a connection cut off stays open, without an answer.
    monkeypatch.setattr(command, "NODE_TIMEOUT", 0.5)
    forget()
    with recorded_node("--flaky") as flaky:
        run(flaky)
    assert tables() == expected


def forget() -> None:
    """Take all back that was indexed."""
    rewind(ethereum(), 0)
    Contract.objects.filter(nft_count=0).delete()
    assert not Nft.objects.exists()


def test_blocks_that_are_replaced_and_restored_go_and_come_back(
    api: Api, moves: list[tuple[str, Moved]]
) -> None:
    with recorded_node() as url:
        run(url)
        expected = tables()
        head = head_of(url)
        lost = set(
            Transfer.objects.filter(block_number__gt=head - 10).values_list("transaction_hash", flat=True)
        )
        tell(url, "/rewind", blocks=10)
        run(url)
        left = [one for one in moves if one[0] not in lost]
        assert 0 < len(left) < len(moves)
        assert sorted(stored()) == sorted(left)
        assert owners() == holders(left)
        check_recency(left)
        check_gone(api, moves, lost)
        tell(url, "/restore")
        run(url)
        assert tables() == expected


def check_gone(api: Api, moves: list[tuple[str, Moved]], lost: set[str]) -> None:
    """Neither operation serves anything of lost blocks; NFTs that only they named are gone."""
    stay = {(move.contract, move.token_id) for hash_, move in moves if hash_ not in lost}
    touched = {(move.contract, move.token_id) for hash_, move in moves if hash_ in lost}
    assert touched - stay
    for contract, token in sorted(touched):
        of = {"contractAddress": contract, "tokenId": str(token)}
        shown = api.transfers(**of)["data"]
        assert lost.isdisjoint(record["transactionHash"] for record in shown)
        assert len(api.nfts(**of)["data"]) == ((contract, token) in stay)


@pytest.mark.django_db(transaction=True)
def test_a_run_that_is_killed_at_any_statement_is_finished_by_the_next(node: str) -> None:
    count = indexed_apart(node)["statements"]
    expected = tables()
    forget()
    IndexedContract.objects.all().delete()
    draw = random.Random(9)
    # Up to half of a whole run: it writes its first blocks after a quarter, and each run goes on from the last.
    found = indexed_apart(node, *(draw.randrange(1, count // 2) for _ in range(KILLS)))
    assert len(set(found["reached"])) > 1, "none of the runs that were killed came to write anything"
    assert tables() == expected


def indexed_apart(node: str, *moments: int) -> dict[str, Any]:
    """Index in other processes, killed at each of these statements, and then to the end."""
    words = ["-m", "tests.ingestion.killed", node, ",".join(map(str, moments))]
    return outcome(run_apart(database_url(), *words))
