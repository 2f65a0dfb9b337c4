"""ENS names that no table has, looked up at a node: what they resolve to, wildcards included."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import ALICE, APES, ens, nft, transfer
from tests.conftest import Api
from tests.net.played import error
from tests.operations.ens_world import (
    NOTHING,
    OFFCHAIN,
    RESOLVER,
    EnsWorld,
    has_addr,
    has_resolve,
    reverted,
    word,
)
from tests.operations.promises import given, ids, page_of, refused
from tokens.models import EnsName

pytestmark = pytest.mark.django_db

BOTH = pytest.mark.parametrize("operation", ["nfts", "transfers"])


@BOTH
def test_a_name_stands_for_what_its_resolver_says_on_every_chain(
    api: Api, mainnet: EnsWorld, operation: str
) -> None:
    given(transfer("1"), transfer("2", on="polygon", log=1), transfer("3", ALICE, log=2))
    mainnet.register("apes.eth", APES)
    assert sorted(ids(page_of(api, operation, contractAddress="apes.eth"))) == ["1", "2"]
    assert ids(page_of(api, operation, contractAddress="apes.eth", chain="polygon")) == ["2"]
    assert page_of(api, operation, contractAddress="apes.eth", chain="solana") == {"data": []}


@pytest.mark.parametrize("name", ["Apes.ETH", "%E2%84%99unks.eth", "sub.apes.eth", "🦍.eth"])
def test_a_name_is_asked_for_in_normal_form(api: Api, mainnet: EnsWorld, name: str) -> None:
    given(nft("1"))
    for normal in ("apes.eth", "punks.eth", "sub.apes.eth", "🦍.eth"):
        mainnet.register(normal, APES)
    assert ids(api.nfts(f"contractAddress={name}")) == ["1"]


def test_the_tables_win_and_need_no_node(api: Api, mainnet: EnsWorld) -> None:
    given(nft("1"), nft("2", ALICE), ens("apes.eth", APES), ens("gone.eth", None))
    mainnet.register("apes.eth", ALICE)
    mainnet.register("gone.eth", ALICE)
    assert ids(api.nfts(contractAddress="apes.eth")) == ["1"]
    assert api.nfts(contractAddress="gone.eth") == {"data": []}
    assert mainnet.calls == 0


NO_ADDRESS = {
    "zero address": NOTHING,
    "no data: no code, or no such function": "0x",
    "less than a word": "0x" + "11" * 20,
    "a word that is no address": "0x" + "11" * 32,
    "revert": reverted(),
    "revert with a reason": reverted("0x08c379a0" + "00" * 64),
    "revert told by words alone": error(-32000, "execution reverted"),
    "out of gas": error(-32000, "out of gas"),
    "out of gas, on anvil": error(-32603, "EVM error OutOfGas"),
    "invalid opcode": error(-32000, "invalid opcode: INVALID"),
}


@BOTH
@pytest.mark.parametrize("answer", NO_ADDRESS.values(), ids=NO_ADDRESS)
def test_a_resolver_without_an_address_means_nothing(
    api: Api, mainnet: EnsWorld, operation: str, answer: Any
) -> None:
    """F48: an empty page, and never everything."""
    given(transfer("1"))
    mainnet.register("apes.eth", answer)
    assert page_of(api, operation, contractAddress="apes.eth") == {"data": []}


@BOTH
def test_a_name_without_a_resolver_means_nothing(api: Api, mainnet: EnsWorld, operation: str) -> None:
    given(transfer("1"))
    assert page_of(api, operation, contractAddress="nobody.eth") == {"data": []}


@pytest.mark.parametrize("name", ["apes.eth", "nobody.eth"])
def test_the_same_name_is_not_asked_for_twice(api: Api, mainnet: EnsWorld, name: str) -> None:
    """Neither a hit nor a miss; and neither goes into the table, since a GET writes nothing."""
    given(nft("1"))
    mainnet.register("apes.eth", APES)
    first = api.nfts(contractAddress=name)
    asked = mainnet.calls
    assert asked > 0
    assert api.nfts(contractAddress=name) == first
    assert mainnet.calls == asked
    assert not EnsName.objects.exists()


@BOTH
def test_a_name_that_a_server_resolves_is_refused(api: Api, mainnet: EnsWorld, operation: str) -> None:
    """EIP-3668, which is not followed: whoever sets the resolver would choose what this service requests."""
    mainnet.register("apes.eth", OFFCHAIN)
    for _ in range(2):  # asked, and remembered
        assert refused(api, operation=operation, contractAddress="Apes.eth") == [
            ("contractAddress", "ens_unsupported")
        ]


# Wildcards, ENSIP-10


@pytest.mark.parametrize("owner", ["apes.eth", "eth"])
def test_a_parent_may_resolve_for_its_children(api: Api, mainnet: EnsWorld, owner: str) -> None:
    given(nft("1"))
    mainnet.resolvers[owner] = RESOLVER
    mainnet.contracts[RESOLVER] = has_resolve({"one.sub.apes.eth": word(APES), "two.sub.apes.eth": NOTHING})
    assert ids(api.nfts(contractAddress="one.sub.apes.eth")) == ["1"]
    assert api.nfts(contractAddress="two.sub.apes.eth") == {"data": []}


def test_a_parent_that_knows_addr_alone_is_not_asked_for_its_children(api: Api, mainnet: EnsWorld) -> None:
    """ENSIP-10: a legacy method must not be called on the resolver of a parent."""
    mainnet.resolvers["apes.eth"] = RESOLVER
    mainnet.contracts[RESOLVER] = has_addr({"sub.apes.eth": word(APES)})
    given(nft("1"))
    assert api.nfts(contractAddress="sub.apes.eth") == {"data": []}


def test_a_name_whose_own_resolver_knows_resolve_is_asked_so(api: Api, mainnet: EnsWorld) -> None:
    given(nft("1"))
    mainnet.resolvers["apes.eth"] = RESOLVER
    extended = has_resolve({"apes.eth": word(APES)})
    legacy = has_addr({"apes.eth": OFFCHAIN})
    mainnet.contracts[RESOLVER] = lambda data: (
        legacy(data) if data.startswith(bytes.fromhex("3b3b57de")) else extended(data)
    )
    assert ids(api.nfts(contractAddress="apes.eth")) == ["1"]


@pytest.mark.parametrize(
    "inner",
    ["0x", "0x" + "11" * 31, reverted(), "0x" + "ff" * 32],
    ids=["no bytes", "too few bytes", "revert", "no address"],
)
def test_a_wildcard_without_an_address_means_nothing(api: Api, mainnet: EnsWorld, inner: Any) -> None:
    given(nft("1"))
    mainnet.resolvers["eth"] = RESOLVER
    mainnet.contracts[RESOLVER] = has_resolve({"apes.eth": inner})
    assert api.nfts(contractAddress="apes.eth") == {"data": []}


@pytest.mark.parametrize("raw", ["0x", word(APES), "0x" + "ff" * 96, NOTHING], ids=len)
def test_resolve_may_answer_anything(api: Api, mainnet: EnsWorld, raw: str) -> None:
    """One that claims every interface, as a proxy with a fallback may."""
    given(nft("1"))
    mainnet.resolvers["eth"] = RESOLVER
    true = "0x" + "0" * 63 + "1"
    mainnet.contracts[RESOLVER] = lambda data: true if len(data) == 36 else raw
    assert api.nfts(contractAddress="apes.eth") == {"data": []}


def test_a_wildcard_that_asks_for_a_server_is_refused(api: Api, mainnet: EnsWorld) -> None:
    """As every name of DNS does: its top-level domain has such a resolver."""
    mainnet.resolvers["com"] = RESOLVER
    mainnet.contracts[RESOLVER] = has_resolve({"example.com": OFFCHAIN})
    assert refused(api, contractAddress="example.com") == [("contractAddress", "ens_unsupported")]


def test_a_label_that_dns_cannot_hold_resolves_to_nothing(api: Api, mainnet: EnsWorld) -> None:
    """Of more than 255 bytes, that is, though of fewer characters; a wildcard cannot be asked for it."""
    mainnet.resolvers["eth"] = RESOLVER
    mainnet.contracts[RESOLVER] = has_resolve({})
    assert api.nfts(contractAddress="ж" * 128 + ".eth") == {"data": []}
