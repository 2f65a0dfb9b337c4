"""A market on a test's chain: real Seaport 1.6 where it is on every chain, with orders that their makers validate.

An order that its maker has validated on the chain needs no signature, so that no key is needed either.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.evm.chain import ZERO_ADDRESS, Chain, Deployed
from tests.evm.toolchain import Contract

ADDRESS = "0x0000000000000068f116a894984e2db1123eb395"
NATIVE, ERC20, ERC721, ERC1155, ERC721_CRITERIA = range(5)
"""`ItemType`."""

FULL, PARTIAL = range(2)
"""`OrderType`: to be filled at once, or in parts."""

NEVER = 2**40
"""When orders end, in seconds."""


Published = dict[str, Contract]
"""Compiled contracts of others by name."""


class Item(NamedTuple):
    """What an order gives or wants: type, contract, id and amount."""

    kind: int
    contract: str
    token: int
    amount: int


def ether(wei: int) -> Item:
    """Native money."""
    return Item(NATIVE, ZERO_ADDRESS, 0, wei)


def weth(contract: Deployed, wei: int) -> Item:
    """Wrapped ether."""
    return Item(ERC20, contract.address, 0, wei)


def one(contract: Deployed, token: int) -> Item:
    """An ERC-721 token."""
    return Item(ERC721, contract.address, token, 1)


def any_of(contract: Deployed) -> Item:
    """Any ERC-721 token of a contract."""
    return Item(ERC721_CRITERIA, contract.address, 0, 1)


def units(contract: Deployed, token: int, amount: int) -> Item:
    """Units of an ERC-1155 token."""
    return Item(ERC1155, contract.address, token, amount)


class Order(NamedTuple):
    """An order that its maker has validated: `OrderParameters`, and its hash."""

    parameters: tuple[Any, ...]
    hash: str


class Market:
    """Seaport and WETH on a chain. Makers and takers are indices of its accounts; who gives something lets it move."""

    def __init__(self, chain: Chain, published: Published) -> None:
        chain.contracts = {**chain.contracts, **published}
        self.chain = chain
        self.weth = chain.deploy("Weth")
        controller = chain.deploy("ConduitController")
        # Its code holds the hash of its domain for the address that it was made at: only signatures need that.
        self.seaport = chain.place("Seaport", ADDRESS, controller.address)

    def wrap(self, account: int, wei: int) -> None:
        """Turn ether of an account into WETH that Seaport may take."""
        self.weth.send("deposit()", sender=account, value=wei)
        self.weth.send("approve(address,uint256)", ADDRESS, wei, sender=account)

    def allow(self, contract: Deployed, *accounts: int) -> None:
        """Let Seaport move all NFTs of a contract that accounts have."""
        for account in accounts:
            contract.send("setApprovalForAll(address,bool)", ADDRESS, True, sender=account)

    def order(
        self, maker: int, gives: Sequence[Item], wants: Sequence[tuple[Item, int]], kind: int = FULL
    ) -> Order:
        """An order in the book: what it wants goes to accounts by index. Equal orders are one order."""
        maker_address = self.chain.accounts[maker]
        parameters = (
            maker_address,
            ZERO_ADDRESS,
            [(*item, item.amount) for item in gives],
            [(*item, item.amount, self.chain.accounts[receiver]) for item, receiver in wants],
            kind,
            0,
            NEVER,
            bytes(32),
            0,
            bytes(32),
            len(wants),
        )
        receipt = self.send("validate", [(parameters, b"")], sender=maker)
        (log,) = receipt["logs"]
        assert log["address"] == ADDRESS
        return Order(parameters, log["data"][:66])

    def fulfill(self, order: Order, taker: int, *, value: int = 0) -> dict[str, Any]:
        """Fill a whole order; the receipt."""
        return self.send("fulfillOrder", (order.parameters, b""), bytes(32), sender=taker, value=value)

    def fulfill_basic(self, order: Order, taker: int, *, value: int) -> dict[str, Any]:
        """Fill an ask of one ERC-721 token for ether by the function that is made for such orders; the receipt."""
        maker, zone, [gives], [price, *fees] = order.parameters[:4]
        basic = (
            *(ZERO_ADDRESS, 0, price[3], maker, zone),
            *(gives[1], gives[2], gives[3], 0, 0, NEVER),
            *(bytes(32), 0, bytes(32), bytes(32), len(fees)),
            [(fee[3], fee[5]) for fee in fees],
            b"",
        )
        return self.send("fulfillBasicOrder", basic, sender=taker, value=value)

    def fulfill_any(self, order: Order, token: int, taker: int) -> dict[str, Any]:
        """Fill an order whose first wanted item is any token of a collection, by one of them; the receipt."""
        consideration = 1
        resolver: tuple[Any, ...] = (0, consideration, 0, token, [])
        arguments: tuple[Any, ...] = (
            (order.parameters, 1, 1, b"", b""),
            [resolver],
            bytes(32),
            self.chain.accounts[taker],
        )
        return self.send("fulfillAdvancedOrder", *arguments, sender=taker)

    def fulfill_part(self, order: Order, part: tuple[int, int], taker: int, *, value: int) -> dict[str, Any]:
        """Fill a fraction of an order; the receipt."""
        advanced = (order.parameters, *part, b"", b"")
        arguments: tuple[Any, ...] = (advanced, [], bytes(32), self.chain.accounts[taker])
        return self.send("fulfillAdvancedOrder", *arguments, sender=taker, value=value)

    def sweep(
        self, orders: Sequence[Order], together: Sequence[Sequence[int]], taker: int, *, value: int
    ) -> dict[str, Any]:
        """Fill orders at once, each of one item for one payment; those of a group in one transfer and one payment."""
        components = [[(number, 0) for number in group] for group in together]
        whole = [(order.parameters, b"") for order in orders]
        arguments = (whole, components, components, bytes(32), len(orders))
        return self.send("fulfillAvailableOrders", *arguments, sender=taker, value=value)

    def match(
        self,
        orders: Sequence[Order],
        pairs: Sequence[tuple[tuple[int, int], tuple[int, int]]],
        caller: int,
        *,
        value: int = 0,
    ) -> dict[str, Any]:
        """Match orders: each pair is an item of an offer with one of a consideration, as (order, item)."""
        whole = [(order.parameters, b"") for order in orders]
        fulfillments = [([offer], [consideration]) for offer, consideration in pairs]
        return self.send("matchOrders", whole, fulfillments, sender=caller, value=value)

    def send(self, name: str, *arguments: Any, sender: int, value: int = 0) -> dict[str, Any]:
        """Call a function of Seaport by its name."""
        (signature,) = (one for one in self.seaport.contract.functions if one.startswith(f"{name}("))
        return self.seaport.send(signature, *arguments, sender=sender, value=value)
