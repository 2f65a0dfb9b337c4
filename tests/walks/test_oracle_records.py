"""The oracle's holders and records, on small worlds whose right answers follow from the rules by reasoning."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.builders import ALICE, APES, BOB, CAROL, DEAD, START, ZERO, ask, contract, nft, rate, transfer
from tests.oracle.model import Oracle
from tests.oracle.records import metadata, nft_record, transfer_record

NOW = START + 1_000_000
WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"


def record(oracle: Oracle, token_id: str = "1", now: int = NOW) -> dict[str, Any]:
    """The NFT record of a token of the default contract."""
    return nft_record(oracle, ("ethereum", APES, token_id), now)


# holders


def test_first_entry_survives_selling_and_buying_back() -> None:
    oracle = Oracle(
        [
            contract(),
            transfer("1", block=1),
            transfer("1", block=2, sender=ALICE, receiver=BOB),
            transfer("1", block=3, sender=BOB, receiver=ALICE),
        ]
    )
    assert record(oracle)["owners"] == [
        {
            "address": ALICE,
            "amount": "1",
            "enteredAtBlock": 1,
            "enteredAt": START + 12,
            "updatedAtBlock": 3,
            "updatedAt": START + 36,
        }
    ]


def test_burned_unknown_and_dead() -> None:
    oracle = Oracle(
        [
            transfer("1"),
            transfer("1", block=2, sender=ALICE, receiver=ZERO),
            nft("2"),
            transfer("3", receiver=DEAD, log=1),
        ]
    )
    assert record(oracle)["owners"] == []
    assert record(oracle)["owner"] == ZERO
    assert "owners" not in record(oracle, "2")
    assert record(oracle, "2")["owner"] == ZERO
    assert record(oracle, "3")["owner"] == DEAD


def test_several_holders_most_first_then_first_entered() -> None:
    oracle = Oracle(
        [
            transfer("1", block=1, receiver=CAROL, amount="2"),
            transfer("1", block=2, receiver=BOB, amount="2"),
            transfer("1", block=3, receiver=ALICE, amount="3"),
            transfer("1", block=4, sender=BOB, receiver=BOB, amount="1"),
        ]
    )
    assert [(o["address"], o["amount"]) for o in record(oracle)["owners"]] == [
        (ALICE, "3"),
        (CAROL, "2"),
        (BOB, "2"),
    ]


@pytest.mark.parametrize(
    ("as_of", "owner"),
    [({"asOfBlock": 1}, CAROL), ({"asOf": START + 12}, CAROL), ({"asOfBlock": 2}, BOB), ({}, BOB)],
)
def test_stated_owner_with_later_transfers_on_top(as_of: dict[str, Any], owner: str) -> None:
    oracle = Oracle(
        [contract(), nft("1", owner=BOB, **as_of), transfer("1", block=2, sender=ALICE, receiver=CAROL)]
    )
    assert record(oracle)["owner"] == owner
    oracle.load([transfer("1", block=3, sender=CAROL, receiver=ALICE)])
    assert record(oracle)["owner"] == ALICE


# records


def test_minter_markets_and_last_transfer() -> None:
    oracle = Oracle(
        [
            nft("1", markets=["X2Y2"]),
            transfer("1", block=2, sender=ALICE, receiver=BOB, markets=["blur"]),
            transfer("1", block=1, transactionFrom=CAROL),
        ]
    )
    shown = nft_record(oracle, ("ethereum", APES, "1"), NOW, last_transfer=True)
    assert (shown["minter"], shown["markets"]) == (CAROL, ["blur", "x2y2"])
    assert shown["lastTransfer"]["blockNumber"] == 2


def test_orderbook_cheapest_first() -> None:
    oracle = Oracle([rate(), ask("1", price="2.50", market="Blur"), ask("1", price="3", currency="weth")])
    assert [text for _, text in record(oracle)["orderbook"]] == ["blur,ETH,2.5", "opensea,WETH,3"]


def test_trait_counts() -> None:
    oracle = Oracle([nft("1", traits=[("A", 1)]), nft("2", traits=[("A", "1")]), nft("3")])
    assert metadata(oracle, ("ethereum", APES, "1")) == {
        "traits": [
            {
                "traitType": "A",
                "traitValue": 1,
                "traitFrequency": 2,
                "traitPercentFrequency": pytest.approx(200 / 3),
                "traitRarity": 1.5,
            }
        ]
    }


@pytest.mark.parametrize(
    ("token", "amount", "usd", "eth"),
    [
        (ZERO, "1500000000000000000", 3000.0, 1.5),
        (WETH, "1", 0.0, 1e-18),
        (USDC, "3000000", 3.003, 0.0015015),
        ("0x" + "9" * 40, "1", None, None),
    ],
)
def test_worth_of_a_sale(token: str, amount: str, usd: float | None, eth: float | None) -> None:
    at = START + 48 * 3600
    oracle = Oracle(
        [
            rate("ETH", "2000"),
            rate("USDC", "1.001"),
            transfer("1", timestamp=at, nftValue={"tokenAddress": token, "amount": amount}),
        ]
    )
    [(key, line)] = oracle.world.transfers.items()
    shown = transfer_record(oracle, line["nft"], line)
    assert (shown.get("usdValue"), shown.get("ethValue")) == (usd, eth)
    identity = {"record": "transfer", "chain": key[0], "transactionHash": key[1], "logIndex": 0}
    oracle.load([{**identity, "timestamp": at + 1}])
    shown = transfer_record(oracle, line["nft"], line)
    assert "usdValue" not in shown


def test_a_last_transfer_joins_the_transfer_of_its_transaction() -> None:
    line = transfer("1", log=7)
    last = {name: value for name, value in line.items() if name not in ("record", "logIndex", "batchIndex")}
    for lines in ([nft("1", lastTransfer=last), line], [line, nft("1", lastTransfer=last)]):
        assert [key[2] for key in Oracle(lines).world.transfers] == [7]
    assert [key[2] for key in Oracle([nft("1", lastTransfer=last)]).world.transfers] == [0]


def test_later_lines_win_for_the_keys_they_hold() -> None:
    oracle = Oracle([nft("1", uri="ipfs://a", rarity=1), nft("1", uri=None, rank=3)])
    assert {"rarity": 1, "rank": 3}.items() <= record(oracle).items()
    assert "uri" not in record(oracle)
    assert Decimal(oracle.world.nfts["ethereum", APES, "1"]["rarity"]) == 1
