"""An empty chain for every test that asks for one; the node is one for all tests of a worker."""

from collections.abc import Iterator

import pytest

from indexing.node.source import Source
from tests.evm import artefacts
from tests.evm.chain import Chain
from tests.evm.indexing import source_of
from tests.evm.seaport import Published
from tests.evm.toolchain import Toolchain, find_toolchain, running


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    """Node and contracts."""
    return find_toolchain()


@pytest.fixture(scope="session")
def node_url(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the node listens. Its chain belongs to the test that runs: ask for `chain`."""
    with running(toolchain.anvil, tmp_path_factory.mktemp("anvil")) as url:
        yield url


@pytest.fixture
def chain(node_url: str, toolchain: Toolchain) -> Iterator[Chain]:
    """A chain with nothing but block 0."""
    driver = Chain(node_url, toolchain.contracts)
    yield driver
    driver.close()


@pytest.fixture(scope="session")
def ethereum_url(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a node listens whose chain has Ethereum's id, by which the markets are known."""
    with running(toolchain.anvil, tmp_path_factory.mktemp("ethereum"), chain_id=1) as url:
        yield url


@pytest.fixture
def ethereum(ethereum_url: str, toolchain: Toolchain) -> Iterator[Chain]:
    """A chain with Ethereum's id, and nothing but block 0."""
    driver = Chain(ethereum_url, toolchain.contracts)
    yield driver
    driver.close()


@pytest.fixture
def source(chain: Chain) -> Iterator[Source]:
    """The chain as the indexer reads it."""
    with source_of(chain) as found:
        yield found


@pytest.fixture(scope="session")
def published() -> Published:
    """Seaport and WETH as their packages have them."""
    return {**artefacts.contracts(artefacts.SEAPORT), **artefacts.contracts(artefacts.WETH)}
