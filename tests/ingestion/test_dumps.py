"""One chain gives one dump, byte for byte, whatever the windows in which it is indexed, and whatever else is loaded."""

from __future__ import annotations

import random
from typing import Any

import pytest

from indexing.write.checkpoints import EVERY
from tests import drawn
from tests.builders import ask, load_lines, transfer
from tests.builders import nft as nft_line
from tests.deriving.tables import rolled_back
from tests.files.lines import dumped
from tests.ingestion.chain import COINS, FROGS, Chain, Emitted, batch, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.indexing import index, narrow
from tests.ingestion.moods import PARCELS, node_of, parcel
from tests.ingestion.selling import coins_sale, sale

pytestmark = pytest.mark.django_db
BLOCKS = 9
SEEDS = [drawn.seed(part) for part in range(drawn.fewer(2))]
HOLDERS = (ALICE, BOB, CAROL)


def a_chain(seed: int) -> Chain:
    """NFTs of four contracts, several in a transaction and in a block, minted, sold, moved and burnt."""
    dice = random.Random(seed)
    chain = Chain()
    owned: dict[tuple[str, int], str] = {}

    def moved() -> Emitted:
        contract = dice.choice((APES, FROGS, PARCELS))
        token_id = dice.randrange(5)
        holder = owned.get((contract, token_id), ZERO)
        receiver = dice.choice([one for one in (*HOLDERS, ZERO) if one != holder])
        owned[contract, token_id] = receiver
        if contract == PARCELS:
            return parcel(token_id, holder, receiver)
        return nft(token_id, holder, receiver, contract)

    for number in range(BLOCKS):
        transactions = [tx(*(moved() for _ in range(dice.randint(1, 3)))) for _ in range(dice.randint(0, 3))]
        dice.shuffle(transactions)
        if dice.random() < 0.5:
            transactions.append(tx(batch([(number, 50), (7, 10)], ZERO, ALICE)))
            transactions.append(tx(units(7, ALICE, BOB, 3)))
            transactions.append(coins_sale(number, 2, 10**18, order="0x" + f"{number:064x}"))
        if (seller := owned.get((APES, 9))) is None:
            owned[APES, 9] = ALICE
            transactions.append(tx(nft(9, ZERO, ALICE)))
        elif number % 2:
            buyer = owned[APES, 9] = BOB if seller == ALICE else ALICE
            transactions.append(sale(9, 10**17 * number, seller=seller, buyer=buyer))
        chain.mine(*transactions)
    return chain


def dumps(
    chain: Chain, patch: pytest.MonkeyPatch, contracts: tuple[str, ...], lines: list[dict[str, object]]
) -> set[str]:
    """The dumps of a chain that is indexed in windows of each width."""
    found = set()
    for blocks in range(1, BLOCKS + 2):
        with rolled_back():
            assert load_lines(lines).faults == []
            narrow(patch, blocks)
            index(node_of(chain), contracts=contracts)
            found.add(dumped())
    return found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("contracts", [(EVERY,), (APES, COINS), (FROGS, APES, PARCELS)])
def test_one_chain_gives_one_dump_whatever_the_windows(
    seed: int, contracts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = dumps(a_chain(seed), monkeypatch, contracts, [])
    assert len(found) == 1
    assert all('"record":"transfer"' in one for one in found)


@pytest.mark.parametrize("seed", SEEDS)
def test_so_does_one_of_which_lines_state_something_too(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = a_chain(seed)
    mined = [
        (block, one, log)
        for block in chain.blocks
        for one in block.transactions
        for log in one.logs
        if log.moves
    ]
    stated = []
    for block, one, log in mined[::3]:
        move = log.moves[0]
        token: dict[str, Any] = {"token_id": str(move.token_id), "address": move.contract}
        known = {"transactionHash": one.hash, "blockNumber": block.number, "timestamp": block.timestamp}
        stated.append(nft_line(**token, lastTransfer={**known, "amount": "1", "native": {"said": True}}))
        stated.append(ask(**token, price="2"))
    stated.append(transfer("3", FROGS, block=2, log=77, native=[1]))
    assert len(dumps(chain, monkeypatch, (EVERY,), stated)) == 1
