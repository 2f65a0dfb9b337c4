"""A chain for tests that need no other."""

import pytest

from tests.ingestion.chain import FROGS, Chain, batch, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, BOB, CAROL, ZERO, word
from tests.markets.punk_events import PUNKS


@pytest.fixture
def chain() -> Chain:
    """Five blocks: mints, a sale on, and an ERC-1155 in parts."""
    made = Chain()
    made.mine(tx(nft(1, ZERO, ALICE), nft(2, ZERO, ALICE)), tx(units(7, ZERO, BOB, 100)))
    made.mine(tx(nft(1, ZERO, BOB, FROGS)))
    made.mine(tx(nft(1, ALICE, BOB), value=10**18, sender=BOB))
    made.mine(tx(batch([(7, 30), (8, 0), (7, 5)], BOB, CAROL)))
    made.mine()
    return made


@pytest.fixture
def punk() -> Chain:
    """Alice was given punk 7."""
    chain = Chain()
    chain.mine(tx(emitted("Assign(address,uint256)", [ALICE], word(7), PUNKS), target=PUNKS))
    return chain


@pytest.fixture
def ape() -> Chain:
    """Bob has ape 7."""
    chain = Chain()
    chain.mine(tx(nft(7, ZERO, BOB)))
    return chain
