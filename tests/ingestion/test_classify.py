"""`manage.py classify`: transfers judged again from what is kept of their transactions, without a node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError

from indexing.follow import reclassify
from indexing.models import MarketFault
from indexing.write import judging
from tests.builders import ask, contract, load_lines, rate, transfer
from tests.conftest import Api
from tests.ingestion.chain import START as MINED
from tests.ingestion.chain import Chain, FakeNode, nft, tx
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.indexing import classify, ethereum, index, tables
from tests.ingestion.selling import MADE_UP_MARKET, sale, token_sale
from tokens.models import Ask, Market
from transfers.models import MarketContract, OrderFill, PaidToken, Transfer

pytestmark = pytest.mark.django_db

ORDER = "0x" + "0d" * 32


@pytest.fixture
def chain() -> Chain:
    """A mint, and two sales on a market of which nobody has told yet, in blocks 2 and 3."""
    made = Chain()
    made.mine(tx(nft(1, ZERO, ALICE)))
    made.mine(sale(1, 500, market=MADE_UP_MARKET, order=ORDER))
    made.mine(sale(1, 600, seller=BOB, buyer=CAROL, market=MADE_UP_MARKET, order="0x" + "0e" * 32))
    return made


def add_market() -> None:
    """An operator tells of the market."""
    market, _ = Market.objects.get_or_create(slug="bazaar")
    MarketContract.objects.create(
        chain_id=ethereum().id, address=MADE_UP_MARKET, protocol="seaport-1.5", market=market
    )


def types() -> list[tuple[int, str | None, str, int | None]]:
    """Block, type, markets and price of each transfer, in order."""
    rows = Transfer.objects.order_by("block_number").values_list(
        "block_number", "transfer_type", "markets", "nft_value_amount"
    )
    return [
        (block, kind, markets, None if price is None else int(price)) for block, kind, markets, price in rows
    ]


def test_a_market_that_an_operator_adds_explains_what_was_indexed_before(chain: Chain, api: Api) -> None:
    index(FakeNode(chain))
    load_lines([ask("1", APES, order=ORDER)])
    assert types() == [(1, "mint", "[]", None), (2, "transfer", "[]", None), (3, "transfer", "[]", None)]
    add_market()
    said = classify("--chain", "ethereum")
    assert types() == [
        (1, "mint", "[]", None),
        (2, "sale", '["bazaar"]', 500),
        (3, "sale", '["bazaar"]', 600),
    ]
    # Two transfers are sales now, of one NFT.
    assert "3 transactions with 3 transfers; 1 NFTs have transfers that were another thing before" in said
    (record,) = api.nfts(contractAddress=APES, marketplaces="bazaar")["data"]
    assert record["markets"] == ["bazaar"]
    assert Ask.objects.get().status == "filled"


def test_classifying_again_is_as_indexing_with_the_market_known(chain: Chain) -> None:
    index(FakeNode(chain))
    add_market()
    classify()
    again = tables()
    classify()
    assert tables() == again
    Transfer.objects.update(judged=False)  # as if they were stated
    classify()
    assert types()[1] == (2, "sale", '["bazaar"]', 500)


def test_only_what_is_from_a_block_on_is_judged_again(chain: Chain) -> None:
    index(FakeNode(chain))
    add_market()
    classify("--since-block", "3")
    assert [kind for _, kind, _, _ in types()] == ["mint", "transfer", "sale"]


def test_a_market_that_an_operator_takes_away_is_forgotten(chain: Chain, api: Api) -> None:
    add_market()
    index(FakeNode(chain))
    load_lines([ask("1", APES, order=ORDER)])
    assert Ask.objects.get().status == "filled"
    MarketContract.objects.all().delete()
    classify()
    assert (Ask.objects.get().status, OrderFill.objects.count()) == ("open", 0)
    assert types()[1:] == [(2, "transfer", "[]", None), (3, "transfer", "[]", None)]
    assert api.nfts(contractAddress=APES, marketplaces="bazaar")["data"] == []


def test_what_was_stated_of_a_transfer_stays(chain: Chain) -> None:
    index(FakeNode(chain))
    stated = chain.blocks[2].transactions[0]
    load_lines(
        [
            {
                **transfer("1", APES, block=2, log=1, sender=ALICE, receiver=BOB, transferType="swap"),
                "transactionHash": stated.hash,
            }
        ]
    )
    add_market()
    classify()
    assert [kind for _, kind, _, _ in types()] == ["mint", "swap", "sale"]


def test_a_transfer_without_a_log_is_not_judged(chain: Chain) -> None:
    index(FakeNode(chain))
    mint = chain.blocks[1].transactions[0]
    line = transfer("2", APES, block=1, log=5, sender=ALICE, receiver=BOB)
    load_lines([contract(APES), {**line, "transactionHash": mint.hash}])
    classify()
    assert Transfer.objects.get(log_index=5).transfer_type is None


def test_faults_that_are_explained_now_are_gone(chain: Chain) -> None:
    gold = "0x" + "60" * 20
    chain.mine(token_sale(1, gold, 500, 499, seller=CAROL, buyer=ALICE))
    index(FakeNode(chain))
    kept = MarketFault.objects.get()
    MarketFault.objects.create(
        chain_id=kept.chain_id,
        block_number=3,
        transaction_hash=chain.blocks[3].transactions[0].hash,
        log_index=0,
        protocol="seaport-1.5",
        reason="as an older version saw it",
        currency=gold,
        price=1,
    )
    classify()
    assert list(MarketFault.objects.values_list("transaction_hash", flat=True)) == [kept.transaction_hash]


def test_faults_are_valued_again_at_the_rates_that_are_known_now(chain: Chain) -> None:
    """USDC at half a dollar each, and ETH at 3: 3,000 USDC are 500 ETH."""
    usdc = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
    chain.mine(token_sale(1, usdc, 3_000_000_000, 1, seller=CAROL, buyer=ALICE))
    index(FakeNode(chain))
    assert MarketFault.objects.get().eth_value == 0
    load_lines([rate("USDC", "0.5", at=MINED), rate("ETH", "3", at=MINED)])
    classify()
    assert MarketFault.objects.get().eth_value == 500


def test_a_run_that_is_cut_short_is_finished_by_the_next_one(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(FakeNode(chain))
    add_market()
    monkeypatch.setattr(reclassify, "AT_ONCE", 2)
    whole: Callable[..., Any] = reclassify._part

    def part(judge: Any, evidence: Any) -> Any:
        if evidence[0][1] > 2:
            raise KeyboardInterrupt
        return whole(judge, evidence)

    monkeypatch.setattr(reclassify, "_part", part)
    with pytest.raises(SystemExit):
        classify()
    assert [kind for _, kind, _, _ in types()] == ["mint", "sale", "transfer"]
    monkeypatch.setattr(reclassify, "_part", whole)
    classify()
    assert [kind for _, kind, _, _ in types()] == ["mint", "sale", "sale"]


def test_what_an_indexer_writes_meanwhile_is_left_to_it(
    chain: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(FakeNode(chain))
    monkeypatch.setattr(reclassify, "AT_ONCE", 1)
    parts = reclassify.reclassify(judging.of_chain(ethereum()))
    next(parts)
    add_market()
    chain.mine(sale(1, 700, seller=CAROL, buyer=BOB, market=MADE_UP_MARKET, order="0x" + "0f" * 32))
    index(FakeNode(chain))
    assert sum(part.transactions for part in parts) == 2
    assert types()[-1] == (4, "sale", '["bazaar"]', 700)


def test_a_name_that_was_learnt_is_kept(chain: Chain) -> None:
    gold = "0x" + "60" * 20
    chain.mine(token_sale(1, gold, 500, 500, seller=CAROL, buyer=ALICE))
    index(FakeNode(chain))
    PaidToken.objects.update(name="Gold")
    classify()
    assert Transfer.objects.get(nft_value_token=gold).nft_value_name == "Gold"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--chain", "solana"], "solana is no EVM chain"),
        (["--chain", "atlantis"], "'atlantis' is not known"),
        ([], "No chain has been indexed"),
        (["--since-block", "-1"], "invalid block number value"),
    ],
)
def test_what_cannot_be_classified_is_refused(arguments: list[str], complaint: str) -> None:
    with pytest.raises(CommandError, match=complaint):
        classify(*arguments)
