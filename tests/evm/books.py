"""Order books on a test's chain: all markets that keep some, and what they would sell at a block.

The markets are at the addresses that Ethereum has them at, but for four that an operator has to add. `standing` asks
the contracts what each of them keeps, and whether anybody who brings the price would get it.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from eth_abi.abi import decode

from tests.evm import seaport
from tests.evm.chain import BLOCK_SECONDS, ZERO_ADDRESS, Chain, Deployed

USERS = 4
PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
PUNKS_V1 = "0x6ba6f2207e343923ba692e5cae646fb0f566db8d"
KITTIES = "0x06012c8cf97bead5deae237070f9587f8e7a266d"
PLACED = {
    "Punks": PUNKS,
    "PunksV1": PUNKS_V1,
    "Kitties": KITTIES,
    "SaleClockAuction": "0xb1690c08e213a35ed9bab7b318de14420fb57d8c",
    "BuyPrices": "0xcda72070e455bb31c7690a170224ce43623d0b6f",
    "ModuleManager": "0x850a7c6fe2cf48eea1393554c8a3ba23f20cc401",
    "TransferHelper": "0x909e9efe4d87d1a6018c2065ae642b6d0447bc91",
    "Marketplace": "0x8e5660b4ab70168b5a6feea0e0315cb49c8cd539",
}
ADDED = {
    "Asks": ("zora", "zora-3"),
    "Bazaar": ("superrare", "superrare"),
    "Listings": ("manifold", "manifold"),
    "PairFactory": ("sudoswap", "sudoswap-factory"),
}
"""Market and protocol of those that an operator adds."""

WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
CURRENCIES = {ZERO_ADDRESS: "ETH", WETH: "WETH"}
"""What is asked in anything else is shown at no price."""

MINTED = {"Erc721": range(1, 7), "Punks": range(3), "PunksV1": range(2), "Kitties": range(1, 4)}
UNITS = range(1, 3)
"""Ids of the ERC-1155."""
MOST_PAIRS = 4
RICH = 10**19
"""What buyers bring, in wei: more than anything costs."""

APPROVED = "isApprovedForAll(address,address)"
APPROVE = "setApprovalForAll(address,bool)"
MOVE = "transferFrom(address,address,uint256)"


class Standing(NamedTuple):
    """What a market keeps for an NFT. `live`: anybody who brings the price would get it now."""

    market: str
    contract: str
    token: int
    maker: str
    price: int
    """Wei for one unit, fees on top included."""
    units: int
    live: bool
    taker: str = ZERO_ADDRESS
    place: Any = None
    """The market's own name of it."""
    currency: str = "ETH"


class World:
    """Contracts and accounts. What was sent is counted by name in `done`, where it succeeded."""

    def __init__(self, chain: Chain, published: seaport.Published, seed: int) -> None:
        self.chain, self.random = chain, random.Random(seed)
        self.prices = (10**12 * number for number in count(1))
        self.market = seaport.Market(chain, published)
        self.at = {name: chain.place(name, address) for name, address in PLACED.items()}
        self.at |= {name: chain.deploy(name) for name in ADDED}
        self.at |= {"Erc721": chain.deploy("Erc721", "Ones", "ONE"), "Erc1155": chain.deploy("Erc1155")}
        self.at["Seaport"] = self.market.seaport
        self.users = chain.accounts[:USERS]
        self.orders: list[tuple[Any, ...]] = []
        """Parameters of Seaport's."""
        self.waiting: list[tuple[str, dict[str, Any]]] = []
        """Transactions for the next block, each with the name of what it does."""
        self.done: Counter[str] = Counter()
        self.kept: list[Standing] = []
        self.seen: set[Standing] = set()
        """All that ever stood."""
        self.read = ""
        """Hash of the block that it is of."""
        self.owners: dict[tuple[str, int], str] = {}
        self.pairs: list[str] = []
        self._settle()

    def _settle(self) -> None:
        for name, tokens in MINTED.items():
            mint = "setInitialOwner(address,uint256)" if name.startswith("Punks") else "mint(address,uint256)"
            for token in tokens:
                self.at[name].submit(mint, self.users[token % USERS], token)
        for user, address in enumerate(self.users):
            for token in UNITS:
                self.at["Erc1155"].submit("mint(address,uint256,uint256)", address, token, 12)
            for nfts in ("Erc721", "Erc1155"):
                for operator in OPERATORS:
                    self.at[nfts].submit(APPROVE, self.at[operator].address, True, sender=user)
            asks = self.at["Asks"].address
            self.at["ModuleManager"].submit("setApprovalForModule(address,bool)", asks, True, sender=user)
        self.chain.mine(4)  # what stays through all reorganisations

    def mine(self) -> int:
        """Mine what was sent; the block's number."""
        hashes = self.chain.batch([("eth_sendTransaction", [one]) for _, one in self.waiting])
        number = self.chain.mine()
        receipts = self.chain.batch([("eth_getTransactionReceipt", [hash_]) for hash_ in hashes])
        for (name, _), receipt in zip(self.waiting, receipts, strict=True):
            self.done[name] += receipt["status"] == "0x1"
        self.waiting = []
        return number

    def send(self, action: str, name: str, signature: str, *args: Any, sender: str, value: int = 0) -> None:
        """Send a transaction of an account by its address to a contract by its name, or its address."""
        contract = self.at.get(name) or Deployed(self.chain, name, self.chain.contracts["Pair"])
        account = self.chain.accounts.index(sender)
        self.waiting.append((action, contract.transaction(signature, *args, sender=account, value=value)))

    def user(self) -> str:
        """Somebody."""
        return self.random.choice(self.users)

    def price(self) -> int:
        """A price that nobody has asked before, in wei."""
        return next(self.prices) + self.random.randrange(10**6)

    def owned(self, name: str) -> tuple[int, str] | None:
        """A token of a contract that a user has, and who that is."""
        address = self.at[name].address
        found = [
            (token, owner)
            for (at, token), owner in self.owners.items()
            if at == address and owner in self.users
        ]
        return self.random.choice(found) if found else None

    def one_of(self, *markets: str) -> Standing | None:
        """Something that one of some markets keeps, or of all; what is live the more often."""
        found = sorted({one.market for one in self.kept if not markets or one.market in markets})
        if not found:
            return None
        market = self.random.choice(found)
        kept = [one for one in self.kept if one.market == market]
        return self.random.choice([one for one in kept if one.live and self.random.random() < 0.7] or kept)

    def now(self) -> int:
        """When the next block will be mined, in Unix seconds."""
        return self.moment + BLOCK_SECONDS

    # What the contracts say.

    def ask(
        self, block: int, calls: Sequence[tuple[str, str, Sequence[Any]]]
    ) -> list[tuple[Any, ...] | None]:
        """What views return, by contract (name or address), signature and arguments; None: the call fails."""
        asked, types = [], []
        for name, signature, args in calls:
            contract = self.at.get(name) or Deployed(self.chain, name, self.chain.contracts["Pair"])
            asked.append(
                ("eth_call", [{"to": contract.address, "data": contract.data(signature, *args)}, hex(block)])
            )
            types.append(contract.contract.functions[signature].outputs)
        answers = self.chain.batch(asked, or_none=True)
        return [
            None if answer is None else decode(kinds, bytes.fromhex(answer[2:]))
            for kinds, answer in zip(types, answers, strict=True)
        ]

    def standing(self, block: int) -> list[Standing]:
        """All that markets keep at a block; also takes note of who has what."""
        header = self.chain.rpc("eth_getBlockByNumber", hex(block), False)
        if header["hash"] == self.read:
            return self.kept
        self.read, self.moment = header["hash"], int(header["timestamp"], 16)
        names = [(name, token) for name, tokens in MINTED.items() for token in tokens]
        owner_of = {"Punks": "punkIndexToAddress(uint256)", "PunksV1": "punkIndexToAddress(uint256)"}
        holders = self.ask(
            block, [(name, owner_of.get(name, "ownerOf(uint256)"), [token]) for name, token in names]
        )
        self.owners = {
            (self.at[name].address, token): answer[0]
            for (name, token), answer in zip(names, holders, strict=True)
            if answer is not None
        }
        pairs = self.ask(
            block, [("PairFactory", "pairs(uint256)", [number]) for number in range(2 * MOST_PAIRS)]
        )
        self.pairs = [one[0] for one in pairs if one is not None]
        given = [
            (nfts, user, name) for nfts in ("Erc721", "Erc1155") for user in self.users for name in OPERATORS
        ]
        answers = self.ask(
            block, [(nfts, APPROVED, [user, self.at[name].address]) for nfts, user, name in given]
        )
        self.approved = {
            (self.at[nfts].address, user, name)
            for (nfts, user, name), answer in zip(given, answers, strict=True)
            if answer == (True,)
        }
        self.kept = [one for book in BOOKS for one in book(self, block)]
        self.seen.update(self.kept)
        return self.kept

    def owns(self, contract: str, token: int, who: str) -> bool:
        """Whether somebody has a token."""
        return self.owners[contract, token] == who


OPERATORS = ("BuyPrices", "Listings", "PairFactory", "TransferHelper", "Bazaar", "Marketplace", "Seaport")


# The books.


def _ones(world: World, block: int, name: str, signature: str) -> Iterator[tuple[str, int, tuple[Any, ...]]]:
    """What a market keeps for each ERC-721 token."""
    contract = world.at["Erc721"].address
    tokens = MINTED["Erc721"]
    answers = world.ask(block, [(name, signature, [contract, token]) for token in tokens])
    for token, answer in zip(tokens, answers, strict=True):
        assert answer is not None
        yield contract, token, answer


def _foundation(world: World, block: int) -> Iterator[Standing]:
    for contract, token, (seller, price) in _ones(world, block, "BuyPrices", "getBuyPrice(address,uint256)"):
        if seller != ZERO_ADDRESS:
            held = world.owns(contract, token, world.at["BuyPrices"].address)
            yield Standing("foundation", contract, token, seller, price, 1, held)


def _zora(world: World, block: int) -> Iterator[Standing]:
    asks = world.at["Asks"].address
    answers = world.ask(
        block, [("ModuleManager", "isModuleApproved(address,address)", [user, asks]) for user in world.users]
    )
    let = {user for user, answer in zip(world.users, answers, strict=True) if answer == (True,)}
    for contract, token, found in _ones(world, block, "Asks", "askForNFT(address,uint256)"):
        seller, currency, price = found[0], CURRENCIES.get(found[2]), found[4]
        if seller != ZERO_ADDRESS:
            live = world.owns(contract, token, seller) and seller in let
            live = live and (contract, seller, "TransferHelper") in world.approved and currency is not None
            yield Standing("zora", contract, token, seller, price, 1, live, currency=currency or "")


def _superrare(world: World, block: int) -> Iterator[Standing]:
    contract = world.at["Erc721"].address
    takers = [(token, taker) for token in MINTED["Erc721"] for taker in (ZERO_ADDRESS, *world.users)]
    view = "tokenSalePrices(address,uint256,address)"
    answers = world.ask(block, [("Bazaar", view, [contract, token, taker]) for token, taker in takers])
    for (token, taker), answer in zip(takers, answers, strict=True):
        assert answer is not None
        seller, _, amount = answer
        if amount:
            live = world.owns(contract, token, seller) and (contract, seller, "Bazaar") in world.approved
            live, price = live and taker == ZERO_ADDRESS, amount + amount * 3 // 100
            yield Standing("superrare", contract, token, seller, price, 1, live, taker)


def _decentraland(world: World, block: int) -> Iterator[Standing]:
    for contract, token, found in _ones(world, block, "Marketplace", "orderByAssetId(address,uint256)"):
        id_, seller, _, price, until = found
        if id_ != bytes(32):
            live = world.owns(contract, token, seller) and world.moment < until
            live = live and (contract, seller, "Marketplace") in world.approved
            yield Standing("decentraland", contract, token, seller, price, 1, live, currency="MANA")


def _manifold(world: World, block: int) -> Iterator[Standing]:
    (made,) = world.ask(block, [("Listings", "count()", [])])
    assert made is not None
    numbers = range(1, made[0] + 1)
    for number, answer in zip(
        numbers, world.ask(block, [("Listings", "listings(uint40)", [one]) for one in numbers]), strict=True
    ):
        assert answer is not None
        seller, contract, token, total, lot, start, end, price, verifier, sold, is_over = answer
        left = max(total, 1) - sold
        if left and not is_over:
            live = verifier == ZERO_ADDRESS and (start == 0 or start <= world.moment < end)
            yield Standing(
                "manifold", contract, token, seller, price // lot, left, live, verifier, (number, lot)
            )


def _punks(world: World, block: int) -> Iterator[Standing]:
    for name, market in (("Punks", "cryptopunks"), ("PunksV1", "cryptopunks-v1")):
        contract, tokens = world.at[name].address, MINTED[name]
        answers = world.ask(block, [(name, "punksOfferedForSale(uint256)", [token]) for token in tokens])
        for token, answer in zip(tokens, answers, strict=True):
            assert answer is not None
            is_offered, _, seller, price, taker = answer
            if is_offered:
                live = world.owns(contract, token, seller) and taker == ZERO_ADDRESS
                yield Standing(market, contract, token, seller, price, 1, live, taker)


def _kitties(world: World, block: int) -> Iterator[Standing]:
    tokens = MINTED["Kitties"]
    house = "SaleClockAuction"
    answers = world.ask(block, [(house, "getAuction(uint256)", [token]) for token in tokens])
    prices = world.ask(block, [(house, "getCurrentPrice(uint256)", [token]) for token in tokens])
    for token, answer, price in zip(tokens, answers, prices, strict=True):
        assert answer is not None
        if answer[4] and price is not None:
            yield Standing("cryptokitties-auction", KITTIES, token, answer[0], price[0], 1, live=True)


def _sudoswap(world: World, block: int) -> Iterator[Standing]:
    contract = world.at["Erc721"].address
    quotes = world.ask(block, [(pair, "getBuyNFTQuote(uint256,uint256)", [0, 1]) for pair in world.pairs])
    for pair, quote in zip(world.pairs, quotes, strict=True):
        assert quote is not None
        for token in MINTED["Erc721"]:
            if world.owns(contract, token, pair):
                yield Standing("sudoswap", contract, token, pair, quote[3], 1, live=quote[0] == 0)


def _seaport(world: World, block: int) -> Iterator[Standing]:
    counters = world.ask(block, [("Seaport", "getCounter(address)", [user]) for user in world.users])
    current = {user: answer[0] for user, answer in zip(world.users, counters, strict=True) if answer}
    get_hash = next(one for one in world.at["Seaport"].contract.functions if one.startswith("getOrderHash("))
    hashes = world.ask(
        block, [("Seaport", get_hash, [(*order[:-1], current[order[0]])]) for order in world.orders]
    )
    states = world.ask(block, [("Seaport", "getOrderStatus(bytes32)", hash_ or ()) for hash_ in hashes])
    units = [(user, token) for user in world.users for token in UNITS]
    held = world.ask(block, [("Erc1155", "balanceOf(address,uint256)", one) for one in units])
    has = {one: answer[0] for one, answer in zip(units, held, strict=True) if answer}
    tokens, contract = MINTED["Erc721"], world.at["Erc721"].address
    answers = world.ask(block, [("Erc721", "getApproved(uint256)", [token]) for token in tokens])
    seaport_ = world.at["Seaport"].address
    alone = {(contract, token) for token, one in zip(tokens, answers, strict=True) if one == (seaport_,)}
    for number, (order, state) in enumerate(zip(world.orders, states, strict=True)):
        assert state is not None
        maker, _, [(kind, contract, token, amount, _)], wants, parts, since, until = order[:7]
        is_valid, is_cancelled, filled, size = state
        if not is_valid or is_cancelled or (size and filled == size):
            continue
        whole, passed = until - since, min(max(world.moment - since, 0), until - since)
        asked = -(-(wants[0][3] * (whole - passed) + wants[0][4] * passed) // whole)
        own = world.owns(contract, token, maker) if kind == seaport.ERC721 else has[maker, token]
        left = min(amount - (amount * filled // size if size else 0), own or amount)
        given = (contract, maker, "Seaport") in world.approved or (contract, token) in alone
        live = own >= (1 if parts == seaport.PARTIAL else amount) and given
        live = live and since <= world.moment < until and len(wants) == 1
        taker = wants[1][5] if len(wants) > 1 else ZERO_ADDRESS
        yield Standing("opensea", contract, token, maker, asked // amount, left, live, taker, number)


BOOKS = (
    *(_foundation, _zora, _superrare, _decentraland, _manifold),
    *(_punks, _kitties, _sudoswap, _seaport),
)
