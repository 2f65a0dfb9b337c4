"""Markets whose events do not name what they sold are read last, and told what the others sold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from indexing.judge.classify import classify
from indexing.judge.markets.declaring import Protocol
from indexing.judge.markets.reading import Around, Deployment
from indexing.judge.markets.registry import PROTOCOLS, registry
from indexing.judge.verdicts import Fill
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, log
from tests.markets.building import erc721, moves_of, of_transaction
from tests.markets.seaport_events import SEAPORT_15, nft_item, order_fulfilled, paid

MARKET = "0x" + "3a" * 20


@pytest.mark.parametrize("event_at", [1, 9])
def test_such_a_market_knows_which_moves_the_others_sold_wherever_its_event_stands(
    monkeypatch: pytest.MonkeyPatch, event_at: int
) -> None:
    seen = []

    def reader(logs: Sequence[RawLog], deployment: Deployment, around: Around) -> Iterator[Fill]:
        seen.append(around.taken)
        yield from ()

    monkeypatch.setitem(PROTOCOLS, "made-up", Protocol("made-up", reader, is_nameless=True))
    transaction = of_transaction(
        [
            log("Filled()", contract=MARKET, index=event_at),
            order_fulfilled(
                offerer=BOB, recipient=ALICE, offer=[nft_item(APES, 7)], consideration=[paid(5, BOB)], index=2
            ),
            erc721(APES, 6, CAROL, ALICE, index=3),
            erc721(APES, 7, BOB, ALICE, index=4),
        ],
        target=SEAPORT_15,
        value=5,
    )
    found = classify(
        transaction, moves_of(transaction), registry(1, [Deployment(MARKET, "made-up", "bazaar")])
    )
    assert seen == [frozenset({1})]
    assert [one.transfer_type for one in found.judgements] == ["transfer", "sale"]
