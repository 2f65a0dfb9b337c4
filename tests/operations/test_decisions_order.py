"""The orders: by recency, token id, rarity and asks, for NFTs and for transfers."""

from __future__ import annotations

import pytest

from tests.builders import ALICE, APES, BOB, START, ask, nft, rate, transfer
from tests.conftest import Api
from tests.operations.promises import MINT, NOW, OTHER_MINT, given, ids, pages

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_most_recent_first_goes_by_time_block_log_and_batch(api: Api) -> None:
    given(
        transfer("1", block=5, log=9, timestamp=START),
        transfer("2", block=6, log=0, timestamp=START),
        transfer("3", block=6, log=1, batch=0, timestamp=START),
        transfer("4", block=6, log=1, batch=1, timestamp=START),
        transfer("5", block=4, log=0, timestamp=START + 1),
    )
    assert ids(api.transfers(contractAddress=APES)) == ["5", "4", "3", "2", "1"]
    assert ids(api.nfts()) == ["5", "4", "3", "2", "1"]


def test_an_nft_sorts_by_its_last_transfer_and_never_transferred_ones_come_last(api: Api) -> None:
    given(nft("9"), transfer("1", block=1), transfer("2", block=2))
    assert ids(api.nfts()) == ["2", "1", "9"]
    given(transfer("1", block=3, sender=ALICE, receiver=BOB))
    assert ids(api.nfts()) == ["1", "2", "9"]
    given(transfer("9", block=4))
    assert ids(api.nfts()) == ["9", "1", "2"]


def test_a_transfer_that_arrives_late_moves_nothing_ahead(api: Api) -> None:
    given(transfer("1", block=5), transfer("2", block=6))
    given(transfer("1", block=2, sender=ALICE, receiver=ALICE))
    assert ids(api.nfts()) == ["2", "1"]


def test_numbers_by_value_then_mints_by_bytes_and_descending_is_the_exact_reverse(api: Api) -> None:
    most = 2**256 - 1
    numbers = ["0", "2", "10", str(2**53), str(2**53 + 1), str(most - 1), str(most)]
    given(
        *(nft(number) for number in reversed(numbers)),
        *(nft(mint, None, "solana") for mint in (OTHER_MINT, MINT)),
    )
    expected = [*numbers, *sorted([MINT, OTHER_MINT])]
    assert ids(api.nfts(sortBy="tokenId")) == ids(api.nfts(sortBy="tokenId-asc")) == expected
    assert ids(api.nfts(sortBy="tokenId-desc")) == expected[::-1]


def test_descending_is_the_reverse_among_equal_ids_too(api: Api) -> None:
    given(*(nft("1", "0x" + digit * 40) for digit in "123456789"))

    def shown(order: str) -> list[str]:
        return [record["contractAddress"] for record in api.nfts(sortBy=order)["data"]]

    assert shown("tokenId-desc") == shown("tokenId")[::-1]


def test_the_rarest_first_by_score_and_unknown_ones_last(api: Api) -> None:
    """The score decides, which may differ from `rank`."""
    given(nft("1", rarity=1.5, rank=1), nft("2"), nft("3", rarity=2, rank=2), nft("4", rarity=0))
    assert ids(api.nfts(sortBy="rarity")) == ["3", "1", "4", "2"]


def test_asks_ascend_and_the_rest_follows_in_the_default_order(api: Api) -> None:
    given(
        transfer("1", block=1),
        transfer("2", block=2),
        nft("3"),
        ask("4", price="5"),
        ask("5", price="1"),
        ask("5", price="9"),
    )
    assert ids(api.nfts(sortBy="lowestAsk")) == ["5", "4", "2", "1", "3"]
    assert ids(api.nfts(sortBy="highestAsk")) == ["4", "5", "2", "1", "3"]


def test_asks_compare_by_value_at_the_newest_rate_that_is_not_of_the_future(api: Api) -> None:
    given(
        rate("ETH", "1000", START),
        rate("ETH", "2000", NOW),
        rate("ETH", "9000", NOW + 1),
        rate("USDC", "1", START),
        ask("1", price="1"),
        ask("2", currency="USDC", price="1999"),
        ask("3", currency="USDC", price="2001"),
    )
    assert ids(api.nfts(sortBy="lowestAsk")) == ["2", "1", "3"]


def test_a_new_rate_reorders_what_is_priced_in_it(api: Api) -> None:
    given(
        rate("ETH", "1000", START),
        rate("USDC", "1", START),
        ask("1", price="1"),
        ask("2", currency="USDC", price="1500"),
    )
    assert ids(api.nfts(sortBy="lowestAsk")) == ["1", "2"]
    given(rate("ETH", "2000", START + 1))
    assert ids(api.nfts(sortBy="lowestAsk")) == ["2", "1"]


def test_a_wrapped_token_has_the_native_ones_rate_and_its_own_only_where_there_is_none(api: Api) -> None:
    given(
        rate("ETH", "2000"),
        rate("WETH", "1"),
        rate("WSOL", "100"),
        rate("USDC", "1"),
        ask("1", currency="WETH", price="1"),
        ask("2", currency="USDC", price="1999"),
        ask("3", currency="WSOL", price="1"),
    )
    assert ids(api.nfts(sortBy="lowestAsk")) == ["3", "2", "1"]


def test_a_wrapped_token_without_any_rate_of_its_chain_still_compares_at_par(api: Api) -> None:
    given(ask("1", currency="WETH", price="2"), ask("2", price="1"), ask("3", price="3"))
    assert ids(api.nfts(sortBy="lowestAsk")) == ["2", "1", "3"]


def test_asks_without_a_rate_come_behind_those_with_one_by_plain_price(api: Api) -> None:
    given(
        rate("ETH", "2000"),
        ask("1", currency="DOUBLOON", price="0.1"),
        ask("2", currency="GROAT", price="0.2"),
        ask("3", price="1000"),
        ask("4", price="1"),
        ask("4", currency="GROAT", price="0.3"),
        nft("5"),
    )
    assert ids(api.nfts(sortBy="lowestAsk")) == ["4", "3", "1", "2", "5"]
    assert ids(api.nfts(sortBy="highestAsk")) == ["3", "1", "2", "4", "5"]


@pytest.mark.parametrize("order", ["tokenId", "tokenId-desc", "lowestAsk", "highestAsk", "rarity"])
def test_transfers_in_an_order_of_nfts_go_by_nft_and_then_most_recent_first(api: Api, order: str) -> None:
    given(
        *(
            transfer(str(token), block=10 * block + token, sender=ALICE, receiver=BOB)
            for token in (1, 2, 10)
            for block in range(3)
        ),
        nft("1", rarity=3),
        nft("2", rarity=2),
        nft("10", rarity=1),
        ask("1", price="1"),
        ask("2", price="2"),
    )
    tokens = ["10", "2", "1"] if order == "tokenId-desc" else ["1", "2", "10"]
    expected = [(token, 10 * block + int(token)) for token in tokens for block in (2, 1, 0)]
    found = [
        (record["tokenId"], record["blockNumber"])
        for page in pages(api, "transfers", contractAddress=APES, sortBy=order, limit=2)
        for record in page
    ]
    assert found == expected


def test_ties_fall_in_one_fixed_order(api: Api) -> None:
    given(
        *(nft(str(number), rarity=1) for number in (5, 3, 8, 1, 9)),
        *(ask(str(number)) for number in (5, 3, 8, 1, 9)),
    )
    for order in ("", "rarity", "lowestAsk", "highestAsk"):
        whole = ids(api.nfts(sortBy=order))
        assert ids(api.nfts(sortBy=order)) == whole
        assert [token for page in pages(api, sortBy=order, limit=2) for token in ids(page)] == whole
