"""Pools and vaults are contracts that nothing lists: they are known by their events, read together, and read last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from indexing.judge.classify import classify
from indexing.judge.markets.declaring import Protocol
from indexing.judge.markets.reading import ANY, Around, Deployment
from indexing.judge.markets.registry import CLONES, PROTOCOLS, registry
from indexing.judge.verdicts import Fill
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log, topic0
from tests.markets.building import erc721, moves_of, of_transaction
from tests.markets.seaport_events import SEAPORT_15, nft_item, order_fulfilled, paid

Seen = tuple[str, list[str], frozenset[int], int]
"""What a reader is called with: its deployment, who emitted the logs, and what of moves and money is taken."""

POOL, OTHER_POOL = "0x" + "3a" * 20, "0x" + "3b" * 20


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Seen]:
    """The calls of the reader of a made-up protocol."""
    calls: list[Seen] = []

    def reader(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill]:
        calls.append((deployment.address, [one.address for one in logs], around.taken, around.spent))
        yield from ()

    monkeypatch.setitem(PROTOCOLS, "made-up", Protocol("made-up", reader))
    monkeypatch.setitem(CLONES, topic0("Filled()"), Deployment(ANY, "made-up", "bazaar"))
    return calls


def test_all_contracts_with_such_an_event_are_read_together_and_told_what_known_markets_sold(
    seen: list[Seen],
) -> None:
    sale = order_fulfilled(
        offerer=BOB, recipient=ALICE, offer=[nft_item(APES, 7)], consideration=[paid(5, BOB)], index=3
    )
    logs = [
        log("Filled()", contract=POOL, index=1),
        log("Filled()", contract=OTHER_POOL, index=2),
        sale,
        erc721(APES, 6, CAROL, ALICE, index=4),
        erc721(APES, 7, BOB, ALICE, index=5),
    ]
    transaction = of_transaction(logs, target=SEAPORT_15, value=5)
    classify(transaction, moves_of(transaction), registry(1))
    assert seen == [(ANY, [POOL, OTHER_POOL], frozenset({1}), 5)]


def test_a_pool_that_an_operator_added_is_read_by_itself(seen: list[Seen]) -> None:
    transaction = of_transaction(
        [log("Filled()", contract=POOL, index=1), log("Filled()", contract=OTHER_POOL, index=2)]
    )
    classify(transaction, [], registry(1, [Deployment(POOL, "made-up", "own")]))
    assert sorted((address, emitters) for address, emitters, *_ in seen) == [
        (ANY, [OTHER_POOL]),
        (POOL, [POOL]),
    ]
