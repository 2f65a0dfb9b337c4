"""ENS names in queries, resolved by contracts on a real EVM: registry and resolvers as mainnet has them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from tests.builders import ALICE, APES, transfer
from tests.conftest import Api
from tests.evm.chain import Chain, Deployed, namehash
from tests.operations.promises import given, ids, refused
from tests.patience import PATIENCE
from tokens.ens import node as ens_node

pytestmark = [pytest.mark.evm, pytest.mark.django_db]

MAINNET, ANVIL = 1, 31337
BOTH = pytest.mark.parametrize("operation", ["nfts", "transfers"])


@pytest.fixture
def registry(chain: Chain, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Deployed]:
    """The registry at its address on mainnet, at the configured node."""
    settings.RPC_URLS = {"ethereum": [chain.url]}
    monkeypatch.setattr(ens_node, "PATIENCE", PATIENCE)
    ens_node.of_node.cache_clear()
    yield chain.place("EnsRegistry", settings.ENS_REGISTRY)
    ens_node.of_node.cache_clear()


@contextlib.contextmanager
def as_mainnet(chain: Chain) -> Iterator[None]:
    """The chain says that it is mainnet; it then takes no transactions, since they are signed for what it was."""
    chain.rpc("anvil_setChainId", MAINNET)
    try:
        yield
    finally:
        chain.rpc("anvil_setChainId", ANVIL)


def register(registry: Deployed, name: str, resolver: str) -> Deployed:
    """Give a name a resolver of its own, by the name of its contract."""
    deployed = registry.chain.deploy(resolver)
    registry.send("setResolver(bytes32,address)", namehash(name), deployed.address)
    return deployed


def found(api: Api, registry: Deployed, operation: str, name: str) -> list[str]:
    """The token ids of a page."""
    with as_mainnet(registry.chain):
        return ids((api.nfts if operation == "nfts" else api.transfers)(contractAddress=name))


@BOTH
def test_a_name_stands_for_the_address_that_its_resolver_holds(
    api: Api, registry: Deployed, operation: str
) -> None:
    given(transfer("1"), transfer("2", ALICE, log=1))
    resolver = register(registry, "apes.eth", "EnsResolver")
    resolver.send("setAddr(bytes32,address)", namehash("apes.eth"), APES)
    assert found(api, registry, operation, "Apes.ETH") == ["1"]


@BOTH
@pytest.mark.parametrize("resolver", ["EnsResolver", "EndlessResolver", "Reverting", "GasBurner", "Liar"])
def test_a_resolver_that_gives_no_address_means_nothing(
    api: Api, registry: Deployed, operation: str, resolver: str
) -> None:
    """One that was told none, one that loops, one that fails whatever it is asked, and others that are no resolvers."""
    given(transfer("1"))
    register(registry, "apes.eth", resolver)
    assert found(api, registry, operation, "apes.eth") == []


def test_a_name_that_is_not_registered_means_nothing(api: Api, registry: Deployed) -> None:
    given(transfer("1"))
    assert found(api, registry, "nfts", "nobody.eth") == []


@pytest.mark.parametrize("name", ["apes.eth", "sub.apes.eth"])
def test_a_name_that_a_server_resolves_is_refused(api: Api, registry: Deployed, name: str) -> None:
    """By its own resolver, and by a parent's (ENSIP-10)."""
    register(registry, "apes.eth", "OffchainResolver")
    with as_mainnet(registry.chain):
        assert refused(api, contractAddress=name) == [("contractAddress", "ens_unsupported")]


def test_a_node_of_another_chain_is_not_believed(api: Api, registry: Deployed) -> None:
    """As anvil is by default: whoever runs it may have put anything at the registry's address."""
    response = api.get(f"{api.base}/nfts/by-token", {"contractAddress": "apes.eth"})
    assert (response.status_code, response["Retry-After"]) == (503, "1")
