"""What is told of a transfer is what the rules checked: whatever a transaction holds, that is what was judged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.decode.decode import decode
from indexing.judge.classify import classify
from indexing.node.transactions import ChainTransaction
from tests.ingestion.encoding import UNHURRIED
from tests.markets import recorded
from tests.markets.explained import hold_together
from tests.markets.generated import MARKETS, Made, transactions


def _hold_together(transaction: ChainTransaction) -> None:
    moves = decode(transaction.logs, 1).moves
    hold_together(transaction, moves, classify(transaction, moves, MARKETS))


@UNHURRIED
@given(transactions(), st.data())
def test_of_sales_whose_transfers_or_payments_are_missing_nothing_is_told_that_the_rules_did_not_find(
    made: Made, data: st.DataObject
) -> None:
    logs = tuple(one for one in made.transaction.logs if data.draw(st.integers(0, 5)))
    value = data.draw(st.integers(0, made.transaction.value) | st.just(made.transaction.value))
    _hold_together(replace(made.transaction, logs=logs, value=value))


@UNHURRIED
@given(transactions(), st.data())
def test_of_payments_of_other_amounts_nothing_is_told_that_the_rules_did_not_find(
    made: Made, data: st.DataObject
) -> None:
    logs = tuple(
        one._replace(data=data.draw(st.integers(0, 2 * 10**20)).to_bytes(32, "big"))
        if len(one.data) == 32 and len(one.topics) == 3 and not data.draw(st.integers(0, 2))
        else one
        for one in made.transaction.logs
    )
    _hold_together(replace(made.transaction, logs=logs))


@pytest.mark.shared
def test_every_recorded_transaction_is_explained_as_it_was_judged() -> None:
    judged = recorded.verdicts()
    for hash_, (transaction, moves) in recorded.transactions().items():
        hold_together(transaction, moves, judged[hash_][1])


@pytest.mark.shared
def test_recorded_transactions_with_a_log_missing_are_explained_as_they_are_judged() -> None:
    """Each without one of its logs, which one goes round: transfers, payments and events are missing in turn."""
    for number, (transaction, _) in enumerate(recorded.transactions().values()):
        logs = transaction.logs
        gone = number % len(logs)
        _hold_together(
            replace(transaction, logs=logs[:gone] + logs[gone + 1 :], value=transaction.value // 2)
        )
