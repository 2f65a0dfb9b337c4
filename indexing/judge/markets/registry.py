"""All markets that can be read, and which contracts of a chain are theirs: built in, or added by an operator."""

from __future__ import annotations

from collections.abc import Iterable

from indexing.judge.markets import (
    aggregators,
    archipelago,
    blend,
    blur,
    blur_2,
    cryptokitties,
    cryptopunks,
    decentraland,
    element,
    foundation,
    knownorigin,
    loans,
    looksrare,
    manifold,
    nfttrader,
    nftx,
    nouns,
    payment_processor,
    rarible_1,
    rarible_2,
    sandbox,
    seaport,
    sudoswap,
    superrare,
    swapkiwi,
    wyvern,
    x2y2,
    zeroex,
    zora,
)
from indexing.judge.markets.declaring import (
    ARBITRUM,
    AVALANCHE,
    BASE,
    BLAST,
    BSC,
    ETHEREUM,
    EVERYWHERE,
    GNOSIS,
    OPTIMISM,
    POLYGON,
    ZORA,
    Market,
    Protocol,
)
from indexing.judge.markets.reading import ANY, Deployment, Registry

MARKETS: tuple[Market, ...] = (
    seaport.MARKET,
    wyvern.MARKET,
    blur.MARKET,
    blur_2.MARKET,
    blend.MARKET,
    *loans.MARKETS,
    *looksrare.MARKETS,
    x2y2.MARKET,
    *cryptopunks.MARKETS,
    sudoswap.MARKET,
    nftx.MARKET,
    foundation.MARKET,
    rarible_1.MARKET,
    rarible_2.MARKET,
    superrare.MARKET,
    zora.MARKET,
    element.MARKET,
    zeroex.MARKET,
    archipelago.MARKET,
    sandbox.MARKET,
    payment_processor.MARKET,
    nfttrader.MARKET,
    swapkiwi.MARKET,
    nouns.MARKET,
    cryptokitties.MARKET,
    manifold.MARKET,
    decentraland.MARKET,
    knownorigin.MARKET,
    *aggregators.MARKETS,
)
"""As their modules declare them. A slug may be declared by several modules, one for each of its protocols."""

NAMES: dict[str, str] = {market.slug: market.name for market in MARKETS if market.name}
"""Display names that every database knows from the start, by slug."""
PROTOCOLS: dict[str, Protocol] = {one.name: one for market in MARKETS for one in market.protocols}
"""By name."""
UNLISTED: dict[str, tuple[str, str]] = {
    event.topic: (one.name, market.slug)
    for market in MARKETS
    for one in market.protocols
    for event in one.unlisted
}
"""Protocol and market by the first topic of events that contracts of unknown address show themselves by."""
CLONES: dict[str, Deployment] = {
    event.topic: Deployment(ANY, one.name, market.slug)
    for market in MARKETS
    for one in market.protocols
    for event in one.clones
}
"""Protocols whose contracts are read all at once, by the first topics of their events."""
BOOK_TOPICS: tuple[str, ...] = tuple(
    dict.fromkeys(event.topic for one in PROTOCOLS.values() if not one.clones for event in one.order_events)
)
"""First topics by which a node is asked for events of orders of the contracts in ``Registry.books``."""
POOLS: dict[str, Deployment] = {
    event.topic: Deployment(ANY, one.name, market.slug)
    for market in MARKETS
    for one in market.protocols
    if one.clones
    for event in one.order_events
}
"""The same of pools, whose addresses nothing lists: protocols by the first topics, to be asked for of all contracts."""

_WETH = "0x4200000000000000000000000000000000000006"  # where the OP Stack has it
_WRAPPED_NATIVE = {
    ETHEREUM: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    OPTIMISM: _WETH,
    BSC: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
    GNOSIS: "0xe91d153e0b41518a2ce8dd3d7944fa863463a97d",
    POLYGON: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
    BASE: _WETH,
    ARBITRUM: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
    AVALANCHE: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
    BLAST: "0x4300000000000000000000000000000000000004",
    ZORA: _WETH,
}


def registry(chain_id: int, added: Iterable[Deployment] = ()) -> Registry:
    """Return the markets of a chain by its EIP-155 id; ``added`` ones win over built-in ones of the same address.

    A deployment without a protocol is only known as the target of transactions, and as a receiver of fees or a zone by
    which an order tells where it was made.
    """
    markets: dict[str, Deployment] = {}
    books: dict[str, Deployment] = {}
    targets: dict[str, str] = {}
    adapters: dict[str, str] = {}
    sources: dict[str, str] = {}
    known: dict[str, Deployment] = {}
    operators: set[str] = set()
    wrapped = [_WRAPPED_NATIVE.get(chain_id)]
    for market in MARKETS:
        for one in market.protocols:
            known |= {address: Deployment(address, one.name, market.slug) for address in one.here(chain_id)}
            operators |= {*one.operators.get(EVERYWHERE, ()), *one.operators.get(chain_id, ())}
        targets |= dict.fromkeys(market.targets.get(chain_id, ()), market.slug)
        adapters |= market.adapters.get(chain_id, {})
        sources |= dict.fromkeys(market.sources, market.slug)
        wrapped.append(market.wrapped_native.get(chain_id))
    for deployment in added:
        if deployment.protocol:
            known[deployment.address] = deployment
        else:
            targets[deployment.address] = sources[deployment.address] = deployment.market
    for address, deployment in known.items():
        protocol = PROTOCOLS.get(deployment.protocol)
        if protocol is None or protocol.read is not None:
            markets[address] = deployment
        if protocol is not None and protocol.orders is not None:
            books[address] = deployment
        if protocol is not None and protocol.is_operator:
            operators.add(address)
    return Registry(
        chain_id,
        markets,
        targets,
        adapters,
        sources,
        frozenset(filter(None, wrapped)),
        books,
        frozenset(operators),
    )
