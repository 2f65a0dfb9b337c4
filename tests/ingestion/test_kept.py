"""What is kept of a transaction is judged as the indexer judged it, whatever else was stated of it since."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from indexing.admin.explanations import rows_of
from indexing.follow.reclassify import anew
from indexing.judge.verdicts import Judgement
from indexing.write.checkpoints import EVERY
from tests import builders
from tests.builders import Line, load_lines
from tests.ingestion.chain import COINS, Chain, FakeNode, Tx, batch, emitted, nft, tx
from tests.ingestion.encoding import ALICE, APES, BOB, ZERO, word
from tests.ingestion.indexing import classify, index
from tests.ingestion.selling import token_sale
from transfers.models import Transfer

pytestmark = pytest.mark.django_db

PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
GOLD = "0x" + "60" * 20
STRANGER = "0x" + "57" * 20


def judgement(transfer: Transfer) -> Judgement:
    """What the rules make of it today."""
    found = anew(transfer)
    return found.verdict.judgements[found.place]


def is_explained_as_judged(transfer: Transfer) -> None:
    """Today's verdict on it is what the table says, and its page says nothing else."""
    one = judgement(transfer)
    price = None if transfer.nft_value_amount is None else int(transfer.nft_value_amount)
    assert (one.transfer_type, one.price if one.currency else None) == (transfer.transfer_type, price)
    assert "note" not in dict(rows_of(transfer))


def sold(transaction: Tx, *, before: Sequence[Tx] = (), contract: str = APES, only: str = EVERY) -> Transfer:
    """The transfer of a contract in a transaction, once that was indexed."""
    chain = Chain()
    chain.mine(*before)
    chain.mine(transaction)
    index(FakeNode(chain), contracts=[only])
    return Transfer.objects.get(transaction_hash=transaction.hash, contract__address=contract)


def stated(transaction: Tx, log: int, token_id: str, contract: str = APES, **fields: object) -> Line:
    """A line of a transfer that somebody states of an indexed transaction."""
    line = {"record": "transfer", "chain": "ethereum", "transactionHash": transaction.hash, "logIndex": log}
    return {**line, "contractAddress": contract, "tokenId": token_id, **fields}


def test_a_bid_for_a_punk_is_known_whatever_standard_was_stated_of_its_contract() -> None:
    load_lines([builders.contract(PUNKS, standard="ERC721")])
    bid = emitted("PunkBidEntered(uint256,uint256,address)", [7, BOB], word(60), PUNKS)
    unit = emitted("Transfer(address,address,uint256)", [ALICE, BOB], word(1), PUNKS)
    bought = emitted("PunkBought(uint256,uint256,address,address)", [7, ALICE, ZERO], word(0), PUNKS)
    transfer = sold(
        tx(unit, bought, sender=ALICE, target=PUNKS),
        before=[tx(bid, sender=BOB, target=PUNKS, value=60)],
        contract=PUNKS,
    )
    assert int(transfer.nft_value_amount or 0) == 60
    is_explained_as_judged(transfer)


def test_a_money_log_that_was_stated_to_be_an_nfts_is_still_a_payment() -> None:
    transaction = token_sale(1, GOLD, 500, 500)
    transfer = sold(transaction)
    load_lines([stated(transaction, 2, "9", fromAddress=BOB, toAddress=ALICE)])
    is_explained_as_judged(transfer)
    classify()
    transfer.refresh_from_db()
    assert int(transfer.nft_value_amount or 0) == 500


def test_of_a_batch_that_is_not_indexed_and_was_stated_in_part_all_is_judged_along() -> None:
    """An ape for two coins, of which one is stated: the exchange has three legs."""
    coins = batch([(1, 1), (2, 1)], BOB, ALICE, COINS)
    transaction = tx(nft(1, ALICE, BOB), coins)
    transfer = sold(transaction, only=APES)
    load_lines([stated(transaction, 1, "1", COINS, batchIndex=0, fromAddress=BOB, toAddress=ALICE)])
    assert len(judgement(transfer).swaps) == 3
    is_explained_as_judged(transfer)
