"""Orders that are signed off the chain, with the real keys of a chain's accounts, for the real Seaport.

Seaport stands where it is on every chain, and knows itself to be there: what its constructor put into its code (the
hash of its domain, and by which code conduits are found) is set as it is on Ethereum. So signatures hold, and OpenSea's
conduit moves what its key says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from eth_abi.abi import encode

from indexing.judge.markets.seaport_parameters import operator
from tests.evm import seaport
from tests.evm.chain import Chain, Deployed, keccak256
from tests.orders.made_up import CONDUIT, CONDUIT_KEY

WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
CONTROLLER = "0x00000000f9490004c11cef243f5400493c00ad63"
CONDUIT_CODE_HASH = "023d904f2503c37127200ca07b976c3a53cc562623f67023115bf311f5805059"
NO_KEY = "0x" + "0" * 64
OPEN, PARTIAL, RESTRICTED = 0, 1, 2
"""``OrderType``: filled at once, in parts, or once the zone agrees."""
_AT_ONCE = 100
"""Calls in one request to the node."""
_ITEM = (
    ("itemType", "uint8"),
    ("token", "address"),
    ("identifierOrCriteria", "uint256"),
    ("startAmount", "uint256"),
    ("endAmount", "uint256"),
)
_ORDER = (
    ("offerer", "address"),
    ("zone", "address"),
    ("offer", "OfferItem[]"),
    ("consideration", "ConsiderationItem[]"),
    ("orderType", "uint8"),
    ("startTime", "uint256"),
    ("endTime", "uint256"),
    ("zoneHash", "bytes32"),
    ("salt", "uint256"),
    ("conduitKey", "bytes32"),
    ("counter", "uint256"),
)
_DOMAIN = (
    ("name", "string"),
    ("version", "string"),
    ("chainId", "uint256"),
    ("verifyingContract", "address"),
)
_TYPES = {
    "EIP712Domain": _DOMAIN,
    "OrderComponents": _ORDER,
    "OfferItem": _ITEM,
    "ConsiderationItem": (*_ITEM, ("recipient", "address")),
}
Order = dict[str, Any]
"""``OrderComponents`` in JSON, as books show them."""


class Signed(NamedTuple):
    """An order that its maker has signed."""

    order: Order
    hash: str
    signature: bytes

    @property
    def size(self) -> int:
        """Units that it sells."""
        return int(self.order["offer"][0]["startAmount"])

    @property
    def is_partial(self) -> bool:
        """Whether it may be filled in parts."""
        return bool(self.order["orderType"] == PARTIAL)


class Exchange:
    """Seaport, its conduit, a zone and WETH on a chain with Ethereum's id."""

    def __init__(self, chain: Chain, published: seaport.Published) -> None:
        chain.contracts = {**chain.contracts, **published}
        self.chain = chain
        self.weth = chain.place("Weth", WETH)
        self.zone = chain.deploy("Zone")
        controller = chain.place("ConduitController", CONTROLLER)
        made = chain.deploy("Seaport", controller.address)
        self.seaport = Deployed(chain, seaport.ADDRESS, made.contract)
        code = str(chain.rpc("eth_getCode", made.address, "latest"))
        own, _ = controller.call("getConduitCodeHashes()")
        _, domain, _ = made.call("information()")
        for before, after in ((own, CONDUIT_CODE_HASH), (domain, _domain_hash().hex())):
            assert before.hex() in code
            code = code.replace(before.hex(), after)
        chain.rpc("anvil_setCode", seaport.ADDRESS, code)
        assert self.seaport.call("information()")[1] == _domain_hash()
        assert operator(CONDUIT_KEY, seaport.ADDRESS) == CONDUIT
        chain.place("Conduit", CONDUIT).send("updateChannel(address,bool)", seaport.ADDRESS, True)
        self._fill = self._signature("fulfillAdvancedOrder")
        self._fillings: dict[tuple[str, int, str], str] = {}

    def sign(self, orders: Sequence[Order]) -> list[Signed]:
        """Have the makers sign orders, by their keys; Seaport itself says which hashes they have."""
        signatures = self._batch(
            ("eth_signTypedData_v4", [one["offerer"], _typed_data(one)]) for one in orders
        )
        get_hash = self._signature("getOrderHash")
        calls = [self.seaport.data(get_hash, components(one)) for one in orders]
        hashes = self.ask([{"data": data} for data in calls])
        return [
            Signed(order, str(hash_), bytes.fromhex(signature[2:]))
            for order, hash_, signature in zip(orders, hashes, signatures, strict=True)
        ]

    def filling(self, signed: Signed, units: int, receiver: str) -> str:
        """The input by which somebody buys units of an order for a receiver."""
        key = (signed.hash, units, receiver)
        if key not in self._fillings:  # the same is asked after each step, and takes long to encode
            part = (units, signed.size) if signed.is_partial else (1, 1)
            advanced = (parameters(signed.order), *part, signed.signature, b"")
            self._fillings[key] = self.seaport.data(self._fill, advanced, [], bytes(32), receiver)
        return self._fillings[key]

    def ask(self, calls: Iterable[dict[str, Any]], block: str = "latest") -> list[str | None]:
        """What Seaport would return to calls at a block; ``None``: it would revert."""
        to = {"to": seaport.ADDRESS}
        return self._batch((("eth_call", [to | one, block]) for one in calls), or_none=True)

    def data(self, name: str, *arguments: Any) -> str:
        """The input of a call of Seaport's function of a name."""
        return self.seaport.data(self._signature(name), *arguments)

    def _signature(self, name: str) -> str:
        (found,) = (one for one in self.seaport.contract.functions if one.startswith(f"{name}("))
        return found

    def _batch(self, calls: Iterable[tuple[str, Sequence[Any]]], *, or_none: bool = False) -> list[Any]:
        waiting, found = list(calls), []
        for begin in range(0, len(waiting), _AT_ONCE):
            found += self.chain.batch(waiting[begin : begin + _AT_ONCE], or_none=or_none)
        return found


def components(order: Order) -> tuple[Any, ...]:
    """An order as ``OrderComponents``."""
    return (*parameters(order)[:-1], order["counter"])


def parameters(order: Order) -> tuple[Any, ...]:
    """An order as ``OrderParameters``."""

    def items(name: str) -> list[tuple[Any, ...]]:
        return [
            (
                *(one["itemType"], one["token"]),
                *(int(one[part]) for part in ("identifierOrCriteria", "startAmount", "endAmount")),
                *([one["recipient"]] if name == "consideration" else []),
            )
            for one in order[name]
        ]

    return (
        *(order["offerer"], order["zone"], items("offer"), items("consideration"), order["orderType"]),
        *(int(order["startTime"]), int(order["endTime"]), bytes.fromhex(order["zoneHash"][2:])),
        *(int(order["salt"], 0), bytes.fromhex(order["conduitKey"][2:]), len(order["consideration"])),
    )


def _typed_data(order: Order) -> dict[str, Any]:
    domain = {"name": "Seaport", "version": "1.6", "chainId": 1, "verifyingContract": seaport.ADDRESS}
    types = {name: [{"name": of, "type": kind} for of, kind in parts] for name, parts in _TYPES.items()}
    message = {name: order[name] for name, _ in _ORDER} | {"counter": str(order["counter"])}
    return {"types": types, "primaryType": "OrderComponents", "domain": domain, "message": message}


def _domain_hash() -> bytes:
    described = f"EIP712Domain({','.join(f'{kind} {name}' for name, kind in _DOMAIN)})"
    texts = [keccak256(text.encode()) for text in (described, "Seaport", "1.6")]
    return keccak256(
        encode(["bytes32", "bytes32", "bytes32", "uint256", "address"], [*texts, 1, seaport.ADDRESS])
    )
