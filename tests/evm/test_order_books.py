"""Whatever sellers, buyers and admins do, what is live is just what the markets' contracts would sell."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from core.db.keys import scaled
from indexing.models import UndecodedLog
from tests.builders import load_lines, write_lines
from tests.evm.books import ADDED, World
from tests.evm.chain import Chain
from tests.evm.indexing import Indexing, source_of
from tests.evm.seaport import Published
from tests.evm.trading import trade
from tests.processes import databases, outcome, run
from tokens.models import Ask
from tokens.prices.lines import Line

pytestmark = [pytest.mark.evm, pytest.mark.sqlite, pytest.mark.django_db]

ETHEREUM = 1
SEED, STEPS = 4, 65
MARKETS = {
    *("foundation", "zora", "superrare", "decentraland", "manifold", "cryptopunks", "cryptopunks-v1"),
    *("cryptokitties-auction", "sudoswap", "opensea"),
}
ASKS = """
    SELECT market.slug, order_hash, contract.address, nft.token_key, maker, taker, holder, operator, exchange, nonce,
        price, start_price, end_price, price_from, price_until, valid_from, valid_until, amount, status, reason, active,
        sole, opened_block, opened_log
    FROM tokens_ask ask JOIN tokens_market market ON market.id = ask.market_id
        JOIN tokens_nft nft ON nft.id = ask.nft_id JOIN tokens_contract contract ON contract.id = nft.contract_id
    ORDER BY 1, 2
"""
Sold = tuple[str, str, int, str, int, str, int]
"""Market, contract, token, maker, price of one unit in wei, currency, units."""


@pytest.fixture
def chain(ethereum: Chain) -> Chain:
    """Ethereum's, by which the markets are known."""
    return ethereum


def lines(world: World) -> list[dict[str, object]]:
    """Ethereum, with the markets that an operator adds."""
    added: list[dict[str, object]] = [
        {
            "record": "marketContract",
            "chain": "ethereum",
            "contractAddress": world.at[name].address,
            "marketplace": market,
            "protocol": protocol,
        }
        for name, (market, protocol) in ADDED.items()
    ]
    return [{"record": "chain", "chain": "ethereum", "kind": "evm", "chainId": ETHEREUM}, *added]


def live(moment: int) -> Counter[Sold]:
    """What is offered at a moment by the database."""
    rows = Ask.objects.filter(active=True, valid_from__lte=moment, valid_until__gt=moment)
    return Counter(
        (
            *(one.market.slug, one.nft.contract.address, int(one.nft.token_id), one.maker or ""),
            *(_price(one, moment), one.currency.symbol, one.amount),
        )
        for one in rows.select_related("market", "currency", "nft__contract")
    )


def _price(one: Ask, moment: int) -> int:
    if one.start_price is None or one.end_price is None or one.price_from is None or one.price_until is None:
        return scaled(one.price)
    return Line(scaled(one.start_price), scaled(one.end_price), one.price_from, one.price_until).at(moment)


def sold(world: World, block: int) -> Counter[Sold]:
    """What the contracts would sell at a block."""
    standing = world.standing(block)
    return Counter((*one[:5], one.currency, one.units) for one in standing if one.live)


def check(world: World, block: int) -> None:
    """None is missing, and none is false."""
    wanted = sold(world, block)
    found = live(world.moment)
    missing, false = sorted((wanted - found).elements()), sorted((found - wanted).elements())
    assert (missing, false) == ([], []), f"missing at block {block}: {missing}, false: {false}"


def fork(world: World, indexing: Indexing) -> None:
    """Replace the newest blocks by others, empty ones or such in which other things happen."""
    depth, chain = world.random.randint(1, 3), world.chain
    kind = world.random.randrange(3)
    if kind == 0:
        chain.reorg(depth)
    elif kind == 1:
        chain.rollback(depth)
        trade(world, depth)
    else:
        snapshot = chain.snapshot()
        trade(world, depth)
        indexing.run()
        check(world, chain.head)
        chain.revert(snapshot)
        trade(world, depth)


def test_what_is_live_is_what_the_contracts_would_sell(chain: Chain, published: Published) -> None:
    """Asked of them after every few blocks, through reorganisations and restarts: none is missing, and none false."""
    world = World(chain, published, SEED)
    load_lines(lines(world))
    reasons: set[str] = set()
    with source_of(chain, ETHEREUM) as source:
        indexing = Indexing(source, slug="ethereum")
        indexing.run()
        for step in range(STEPS):
            if step % 3 == 2:
                fork(world, indexing)
            trade(world, world.random.randint(1, 2), 16)
            (indexing.run if world.random.random() < 0.5 else indexing.indexer.run)()
            assert indexing.reached == chain.head
            check(world, chain.head)
            reasons.update(Ask.objects.values_list("reason", flat=True))
    assert not UndecodedLog.objects.exists()
    assert {one.market for one in world.seen if one.live} == MARKETS
    did = {name for name, times in world.done.items() if times}
    assert did >= {f"buy at {market}" for market in MARKETS}, "all have sold something"
    assert did >= {f"end at {market}" for market in MARKETS - {"sudoswap"}}, "and had something taken back"
    # No NFT of this world refuses who is approved; those of the made-up chain do (tests/ingestion).
    expected = {*Ask.Reason.values, ""} - {Ask.Reason.REFUSED}
    assert reasons == expected, "every other reason why one is not live was met"


def test_an_indexer_that_is_killed_has_the_same_asks_in_the_end(
    chain: Chain, published: Published, tmp_path: Path
) -> None:
    world = World(chain, published, SEED)
    trade(world, 30, 16)
    file = write_lines(tmp_path / "markets.jsonl", lines(world))
    load_lines(lines(world))
    with source_of(chain, ETHEREUM) as source:
        Indexing(source, slug="ethereum").run()
    with databases(tmp_path, ["killed"]) as [url]:
        run(url, "manage.py", "load", str(file)).check_returncode()
        moments = ",".join(str(moment) for moment in (90, 400, 60, 700, 250))
        found = outcome(run(url, "-m", "tests.ingestion.killed", chain.url, moments))
        with closing(sqlite3.connect(tmp_path / "killed.sqlite3")) as killed:
            asks = killed.execute(ASKS).fetchall()
    assert len(set(found["reached"])) > 1, "none of those that were killed came to write anything"
    with connection.cursor() as own:
        assert asks == own.execute(ASKS).fetchall()
