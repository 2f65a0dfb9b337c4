"""What sellers, buyers and admins do at the markets of `tests.evm.books`: chosen at random, and free to fail."""

from collections.abc import Callable
from typing import Any

from tests.evm import seaport
from tests.evm.books import APPROVE, MOST_PAIRS, MOVE, RICH, UNITS, WETH, Standing, World
from tests.evm.chain import ZERO_ADDRESS, Deployed

MINUTE = 60


def trade(world: World, blocks: int, most: int = 8) -> int:
    """Mine blocks in which up to so many things are tried; the last one's number."""
    for _ in range(blocks):
        world.standing(world.chain.head)
        for _ in range(world.random.randint(1, most)):
            _act(world)
        number = world.mine()
    return number


def _act(world: World) -> None:
    kinds = {_list: 8, _buy: 4, _end: 3, _reprice: 3, _move: 3, _approve: 3, _pool: 3, _odd: 3}
    world.random.choices([*kinds], [*kinds.values()])[0](world)


def _list(world: World) -> None:
    market = world.random.choice([*_LISTED, "opensea", "opensea", "units"])
    if market in ("opensea", "units"):
        _validate(world, market == "units")
    elif found := world.owned(_LISTED[market][0]):
        token, owner = found
        _LISTED[market][1](world, token, owner)


def _set_buy_price(world: World, token: int, owner: str) -> None:
    price = world.random.choice((0, world.price()))
    world.send(
        "list", "BuyPrices", "setBuyPrice(address,uint256,uint256)", _ones(world), token, price, sender=owner
    )


def _create_ask(world: World, token: int, owner: str) -> None:
    signature = "createAsk(address,uint256,uint256,address)"
    world.send("list", "Asks", signature, _ones(world), token, world.price(), ZERO_ADDRESS, sender=owner)


def _set_sale_price(world: World, token: int, owner: str) -> None:
    taker = world.random.choice((ZERO_ADDRESS, world.user()))
    signature = "setSalePrice(address,uint256,uint256,address)"
    world.send("list", "Bazaar", signature, _ones(world), token, world.price(), taker, sender=owner)


def _create_order(world: World, token: int, owner: str) -> None:
    until = world.random.choice((world.now() + 2 * MINUTE, 1000 * (world.now() + MINUTE), 2**255))
    signature = "createOrder(address,uint256,uint256,uint256)"
    world.send("list", "Marketplace", signature, _ones(world), token, world.price(), until, sender=owner)


def _times(world: World) -> tuple[int, int]:
    """Start and end of a listing: from its first purchase on, at once, or soon."""
    now, length = world.now(), world.random.choice((2 * MINUTE, 2**40))
    return world.random.choice(((0, length), (now, now + length), (now + MINUTE, now + MINUTE + length)))


def _create_listing(world: World, token: int, owner: str) -> None:
    verifier = world.random.choice((ZERO_ADDRESS, ZERO_ADDRESS, world.user()))
    contract, units, lot = _ones(world), 0, 1
    if world.random.random() < 0.5:
        contract, lot = world.at["Erc1155"].address, world.random.choice((1, 3))
        token, units = world.random.choice(UNITS), lot * world.random.randint(1, 3)
    signature = "createListing(address,uint256,uint24,uint24,uint48,uint48,uint256,address)"
    args = (contract, token, units, lot, *_times(world), world.price(), verifier)
    world.send("list", "Listings", signature, *args, sender=owner)


def _offer_punk(world: World, token: int, owner: str, name: str = "Punks") -> None:
    taker = world.random.choice((ZERO_ADDRESS, ZERO_ADDRESS, world.user()))
    price = world.price() if taker == ZERO_ADDRESS else 0
    signature = "offerPunkForSaleToAddress(uint256,uint256,address)"
    world.send("list", name, signature, token, price, taker, sender=owner)


def _offer_old_punk(world: World, token: int, owner: str) -> None:
    _offer_punk(world, token, owner, "PunksV1")


def _auction_kitty(world: World, token: int, owner: str) -> None:
    start, end = world.price(), world.price()
    seconds = world.random.choice((MINUTE, 7 * MINUTE + 1))
    start, end = world.random.choice(((start, start), (max(start, end), min(start, end))))
    signature = "createSaleAuction(uint256,uint256,uint256,uint256)"
    world.send("list", "Kitties", signature, token, start, end, seconds, sender=owner)


def _validate(world: World, is_of_units: bool) -> None:
    """Have a maker validate an order: whole or in parts, for somebody alone, or at a price that changes."""
    found = world.owned("Erc721")
    if found is None:
        return
    token, maker = found
    item, kind = seaport.one(world.at["Erc721"], token), seaport.FULL
    if is_of_units:
        units = world.random.randint(1, 5)
        item = seaport.units(world.at["Erc1155"], world.random.choice(UNITS), units)
        kind = world.random.choice((seaport.FULL, seaport.PARTIAL))
    start = end = item.amount * world.price()
    since, until = 0, seaport.NEVER
    if item.amount == 1 and world.random.random() < 0.5:
        end = world.price()
        since = world.now() - MINUTE * world.random.randint(-1, 1)
        until = since + 5 * MINUTE + world.random.randrange(60)
    wants: list[tuple[Any, ...]] = [(seaport.NATIVE, ZERO_ADDRESS, 0, start, end, maker)]
    if world.random.random() < 0.2:
        wants.append((*item, item.amount, world.user()))
    order = (
        *(maker, ZERO_ADDRESS, [(*item, item.amount)], wants, kind, since, until),
        *(bytes(32), len(world.orders), bytes(32), len(wants)),
    )
    world.orders.append(order)
    if not is_of_units and world.random.random() < 0.3:
        operator = world.at["Seaport"].address
        world.send("approve one", "Erc721", "approve(address,uint256)", operator, token, sender=maker)
    _seaport(world, "list", "validate", [(order, b"")], sender=maker)


def _seaport(world: World, action: str, name: str, *args: Any, sender: str, value: int = 0) -> None:
    (signature,) = (one for one in world.at["Seaport"].contract.functions if one.startswith(f"{name}("))
    world.send(f"{action} at opensea", "Seaport", signature, *args, sender=sender, value=value)


_LISTED: dict[str, tuple[str, Callable[[World, int, str], None]]] = {
    "foundation": ("Erc721", _set_buy_price),
    "zora": ("Erc721", _create_ask),
    "superrare": ("Erc721", _set_sale_price),
    "decentraland": ("Erc721", _create_order),
    "manifold": ("Erc721", _create_listing),
    "cryptopunks": ("Punks", _offer_punk),
    "cryptopunks-v1": ("PunksV1", _offer_old_punk),
    "cryptokitties-auction": ("Kitties", _auction_kitty),
}


def _ones(world: World) -> str:
    return world.at["Erc721"].address


def _buy(world: World) -> None:
    one = world.one_of()
    if one is None:
        return
    buyer = one.taker if one.taker != ZERO_ADDRESS else world.user()
    # Whoever fills a part of his own order at Seaport validates the rest, whatever its counter, without an event.
    if one.market == "opensea" and buyer != one.maker:
        order = world.orders[one.place]
        size = order[2][0][3]
        part = (world.random.randint(1, one.units), size) if order[4] == seaport.PARTIAL else (1, 1)
        _seaport(
            *(world, "buy", "fulfillAdvancedOrder", (order, *part, b"", b""), [], bytes(32), buyer),
            sender=buyer,
            value=RICH,
        )
    if one.market == "opensea":
        return
    name, signature, args = {
        "foundation": ("BuyPrices", "buy(address,uint256)", (one.contract, one.token)),
        "zora": ("Asks", "fillAsk(address,uint256)", (one.contract, one.token)),
        "superrare": ("Bazaar", "buy(address,uint256)", (one.contract, one.token)),
        "decentraland": ("Marketplace", "executeOrder(address,uint256)", (one.contract, one.token)),
        "manifold": ("Listings", "purchase(uint40,uint24)", (one.place and one.place[0], 1)),
        "cryptopunks": ("Punks", "buyPunk(uint256)", (one.token,)),
        "cryptopunks-v1": ("PunksV1", "buyPunk(uint256)", (one.token,)),
        "cryptokitties-auction": ("SaleClockAuction", "bid(uint256)", (one.token,)),
        "sudoswap": (one.maker, "swapTokenForSpecificNFTs(uint256[])", ([one.token],)),
    }[one.market]
    value = 0 if one.market == "decentraland" else RICH
    world.send(f"buy at {one.market}", name, signature, *args, sender=buyer, value=value)


def _end(world: World) -> None:
    one = world.one_of()
    if one is None or one.market == "sudoswap":
        return
    if one.market == "opensea":
        order = world.orders[one.place]
        counter = world.at["Seaport"].call("getCounter(address)", one.maker)
        _seaport(world, "end", "cancel", [(*order[:-1], counter)], sender=one.maker)
        return
    nft = (one.contract, one.token)
    name, signature, args = {
        "foundation": ("BuyPrices", "cancelBuyPrice(address,uint256)", nft),
        "zora": ("Asks", "cancelAsk(address,uint256)", nft),
        "superrare": ("Bazaar", "removeSalePrice(address,uint256,address)", (*nft, one.taker)),
        "decentraland": ("Marketplace", "cancelOrder(address,uint256)", nft),
        "manifold": ("Listings", "cancel(uint40)", (one.place and one.place[0],)),
        "cryptopunks": ("Punks", "punkNoLongerForSale(uint256)", (one.token,)),
        "cryptopunks-v1": ("PunksV1", "punkNoLongerForSale(uint256)", (one.token,)),
        "cryptokitties-auction": ("SaleClockAuction", "cancelAuction(uint256)", (one.token,)),
    }[one.market]
    world.send(f"end at {one.market}", name, signature, *args, sender=one.maker)


def _reprice(world: World) -> None:
    one = world.one_of("foundation", "zora", "superrare", "manifold", "cryptopunks")
    if one is None:
        return
    price = world.price()
    name, signature, args = {
        "foundation": ("BuyPrices", "setBuyPrice(address,uint256,uint256)", (one.contract, one.token, price)),
        "zora": (
            *("Asks", "setAskPrice(address,uint256,uint256,address)"),
            (
                one.contract,
                one.token,
                price,
                world.random.choice((ZERO_ADDRESS, WETH, world.market.weth.address)),
            ),
        ),
        "superrare": (
            *("Bazaar", "setSalePrice(address,uint256,uint256,address)"),
            (one.contract, one.token, price, one.taker),
        ),
        "manifold": (
            *("Listings", "modifyListing(uint40,uint256,uint48,uint48)"),
            (one.place and one.place[0], price, *_times(world)),
        ),
        "cryptopunks": ("Punks", "offerPunkForSale(uint256,uint256)", (one.token, price)),
    }[one.market]
    world.send(f"reprice at {one.market}", name, signature, *args, sender=one.maker)


def _move(world: World) -> None:
    """Give something away, often back to who has something standing for it."""
    receiver = world.user()
    name = world.random.choice(("Erc721", "Erc721", "Erc1155", "Punks", "PunksV1", "Kitties"))
    if name == "Erc1155":
        sender, amount = world.user(), world.random.randint(1, 12)
        args = (sender, receiver, world.random.choice(UNITS), amount, b"")
        world.send(
            "move", name, "safeTransferFrom(address,address,uint256,uint256,bytes)", *args, sender=sender
        )
        return
    away = [
        one
        for one in world.kept
        if one.contract == world.at[name].address and world.owners[one.contract, one.token] in world.users
    ]
    if away and world.random.random() < 0.6:
        back: Standing = world.random.choice(away)
        token, owner = back.token, world.owners[back.contract, back.token]
        receiver = back.maker if back.maker in world.users and back.maker != owner else receiver
    elif found := world.owned(name):
        token, owner = found
    else:
        return
    if name == "Erc721":
        world.send("move", name, MOVE, owner, receiver, token, sender=owner)
    elif name == "Kitties":
        world.send("move", name, "transfer(address,uint256)", receiver, token, sender=owner)
    else:
        world.send("move", name, "transferPunk(address,uint256)", receiver, token, sender=owner)


def _approve(world: World) -> None:
    """Approve what sells somebody's NFTs, or take that back: that of one NFT alone no event is read of."""
    one = world.one_of("zora", "superrare", "decentraland", "opensea")
    if one is None:
        return
    is_given = world.random.random() < 0.6
    operator = {"superrare": "Bazaar", "decentraland": "Marketplace", "opensea": "Seaport"}.get(one.market)
    if operator is None and world.random.random() < 0.5:
        signature = "setApprovalForModule(address,bool)"
        world.send(
            "approve", "ModuleManager", signature, world.at["Asks"].address, is_given, sender=one.maker
        )
    else:
        nfts = "Erc721" if one.contract == _ones(world) else "Erc1155"
        helper = world.at[operator or "TransferHelper"].address
        world.send("approve", nfts, APPROVE, helper, is_given, sender=one.maker)


def _pool(world: World) -> None:
    """Make a pool, give it something, or change its price."""
    found = world.owned("Erc721")
    if not world.pairs or (len(world.pairs) < MOST_PAIRS and world.random.random() < 0.2):
        tokens = [found[0]] if found else []
        spot, delta = world.random.choice(((0, 0), (world.price(), world.price()), (2**128 - 1, 1)))
        signature = "createPair(address,uint256,uint256,uint256[])"
        args = (_ones(world), spot, delta, tokens)
        world.send("make a pool", "PairFactory", signature, *args, sender=found[1] if found else world.user())
        return
    pair = world.random.choice(world.pairs)
    owner = Deployed(world.chain, pair, world.chain.contracts["Pair"]).call("owner()")
    held = [token for (at, token), who in world.owners.items() if at == _ones(world) and who == pair]
    kind = world.random.randrange(6)
    if kind == 0:
        world.send("change a pool", pair, "changeSpotPrice(uint256)", world.price(), sender=owner)
    elif kind == 1:
        world.send("change a pool", pair, "changeDelta(uint256)", world.price(), sender=owner)
    elif kind == 2 and held:
        world.send("take from a pool", pair, "withdrawERC721(uint256[])", held, sender=owner)
    elif kind == 3 and found:
        world.send("send to a pool", "Erc721", MOVE, found[1], pair, found[0], sender=found[1])
    elif kind == 4 and found:
        given = (_ones(world), [found[0]], pair)
        world.send(
            "deposit", "PairFactory", "depositNFTs(address,uint256[],address)", *given, sender=found[1]
        )
    elif kind == 5 and found:
        world.send("sell to a pool", "Erc721", APPROVE, pair, True, sender=found[1])
        world.send("sell to a pool", pair, "swapNFTsForToken(uint256[])", [found[0]], sender=found[1])


def _odd(world: World) -> None:
    """What ends an ask without saying so, or says something of it otherwise."""
    kind = world.random.randrange(7)
    ones, punk = world.owned("Erc721"), world.owned("Punks")
    if kind == 0 and punk:
        bidder = world.user()
        world.send(
            "bid for a punk", "Punks", "enterBidForPunk(uint256)", punk[0], sender=bidder, value=world.price()
        )
        world.send("accept a bid", "Punks", "acceptBidForPunk(uint256,uint256)", punk[0], 0, sender=punk[1])
    elif kind == 1 and ones:
        args = (_ones(world), ones[0], world.user(), world.price())
        signature = "acceptOffer(address,uint256,address,uint256)"
        world.send("accept an offer", "Bazaar", signature, *args, sender=ones[1])
    elif kind == 2 and (one := world.one_of("foundation")):
        nft = (one.contract, one.token)
        world.send("auction", "BuyPrices", "createReserveAuction(address,uint256)", *nft, sender=one.maker)
        if world.random.random() < 0.5:
            world.send("auction bid", "BuyPrices", "placeBid(address,uint256)", *nft, sender=world.user())
    elif kind == 3:
        for token in range(1, 7):
            nft = (_ones(world), token)
            world.send(
                "auction end",
                "BuyPrices",
                "finalizeReserveAuction(address,uint256)",
                *nft,
                sender=world.user(),
            )
    elif kind == 4:
        _seaport(world, "count", "incrementCounter", sender=world.user())
    elif kind == 5 and (one := world.one_of("manifold")):
        world.send("finalize", "Listings", "finalize(uint40)", one.place[0], sender=world.user())
    elif kind == 6 and ones:
        signature = "removeSalePrice(address,uint256,address)"
        taker = world.random.choice((ZERO_ADDRESS, world.user()))
        world.send("end at superrare", "Bazaar", signature, _ones(world), ones[0], taker, sender=ones[1])
