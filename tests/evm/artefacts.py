"""Contracts of others as their npm packages hold them compiled, pinned here, kept in var/evm."""

import json
import tarfile
from typing import Any, NamedTuple

from tests.evm.chain import keccak256
from tests.evm.toolchain import CACHE, Contract, Function
from tests.npm import find_node, packed


class Package(NamedTuple):
    """A package by its pin, and where its contracts lie in it by the name that tests call them."""

    pin: str
    integrity: str
    contracts: dict[str, str]


SEAPORT = Package(
    "@opensea/seaport-js@4.3.0",  # Seaport 1.6
    "sha512-rRUiqMX9Dqo7bj+UYRZtO5mOZeRTfFQpCan21qgWCWDNno+PV7KYHsGJCWsxJc5ga84+o60uAxPP6achZE6C3g==",
    {
        "Seaport": "src/artifacts/seaport/contracts/Seaport.sol/Seaport.json",
        "ConduitController": (
            "src/artifacts/seaport/contracts/conduit/ConduitController.sol/LocalConduitController.json"
        ),
        "Conduit": "src/artifacts/seaport/contracts/conduit/Conduit.sol/LocalConduit.json",
    },
)
WETH = Package(
    "canonical-weth@1.4.0",
    "sha512-9rkLfAFndWALLhxd5lpyTX4RkV36WmVBZ92NYtYr1kWdAUmclRp7I5KkK4wvogzDcCI++yw53TLwx/GCPcocMg==",
    {"Weth": "build/contracts/WETH9.json"},
)


def contracts(package: Package) -> dict[str, Contract]:
    """The package's contracts by name; without it they are `unavailable`."""
    CACHE.mkdir(parents=True, exist_ok=True)
    archive = packed(find_node(), package.pin, package.integrity, CACHE)
    found = {}
    with tarfile.open(archive) as files:
        for name, path in package.contracts.items():
            member = files.extractfile(f"package/{path}")
            assert member is not None, path
            found[name] = _contract(name, json.load(member))
    return found


def _contract(name: str, artefact: dict[str, Any]) -> Contract:
    """A contract out of what Hardhat and Truffle both write: `abi`, and `bytecode` with 0x."""
    constructor: tuple[str, ...] = ()
    functions = {}
    for part in artefact["abi"]:
        if part["type"] == "constructor":
            constructor = _types(part["inputs"])
        if part["type"] == "function":
            inputs = _types(part["inputs"])
            signature = f"{part['name']}({','.join(inputs)})"
            selector = keccak256(signature.encode())[:4].hex()
            functions[signature] = Function(selector, inputs, _types(part["outputs"]))
    return Contract(name, artefact["bytecode"].removeprefix("0x"), constructor, functions)


def _types(parameters: list[dict[str, Any]]) -> tuple[str, ...]:
    """ABI types, structs written out: `(address,uint256)[]`."""
    return tuple(
        f"({','.join(_types(one['components']))}){one['type'].removeprefix('tuple')}"
        if one["type"].startswith("tuple")
        else one["type"]
        for one in parameters
    )
