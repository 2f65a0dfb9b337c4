"""Field reports F24 to F31: numbers that lost digits on their way through other services."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from tests.builders import ALICE, APES, BOB, ask, contract, nft, transfer
from tests.conftest import Api
from tests.operations.promises import EDITIONS, WETH, given, ids, only, refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

MOST = str(2**256 - 1)


def integers_in(value: Any) -> Iterator[int]:
    """All integers within a JSON value; `ethValue` and its like are fractions by their nature."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for entry in value:
            yield from integers_in(entry)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value


def test_a_token_id_of_77_digits_comes_back_whole_and_is_found(api: Api) -> None:
    """F24: it came back as 143792929083931510000…"""
    token_id = "14379292908393150618135233488573383004656525077407763333845734711826897045468"
    given(nft(token_id), nft(token_id[:-1] + "9"))
    assert only(api.nfts(tokenId=token_id))["tokenId"] == token_id
    assert only(api.nfts(tokenId=hex(int(token_id))))["tokenId"] == token_id


def test_neighbours_above_two_to_the_53_are_told_apart(api: Api) -> None:
    """F25: ids that large were rounded to the nearest float."""
    given(nft("9007199254740993"), nft("9007199254740992"))
    assert ids(api.nfts(tokenId="9007199254740993")) == ["9007199254740993"]
    assert ids(api.nfts(excludedTokenIds="9007199254740993")) == ["9007199254740992"]


def test_scientific_notation_is_no_token_id(api: Api) -> None:
    """F25: large ids were turned into it."""
    assert refused(api, tokenId="1e21") == [("tokenId", "invalid")]


def test_no_quantity_is_a_json_number_anywhere(api: Api) -> None:
    """F26, F30: token ids, amounts, values and supplies beyond 2^53 are exact decimal strings, in cursors too."""
    given(
        contract(EDITIONS, standard="ERC1155"),
        *(
            transfer(
                token_id,
                EDITIONS,
                log=log,
                amount=MOST,
                value=MOST,
                nftValue={"tokenAddress": WETH, "amount": MOST},
                swaps=[
                    {
                        "contractAddress": APES,
                        "tokenId": MOST,
                        "fromAddress": ALICE,
                        "toAddress": BOB,
                        "amount": MOST,
                    }
                ],
            )
            for log, token_id in enumerate((MOST, "8881594973561640000"))
        ),
    )
    shown = api.nfts(contractAddress=EDITIONS, sortBy="tokenId-desc", limit=1, includeLastTransfer="true")
    moved = api.transfers(contractAddress=EDITIONS, sortBy="tokenId-desc", limit=1)
    (record,) = shown["data"]
    assert (record["tokenId"], record["owners"][0]["amount"]) == (MOST, MOST)
    for last in (record["lastTransfer"], moved["data"][0]):
        assert (last["tokenId"], last["amount"], last["value"]) == (MOST, MOST, MOST)
        assert last["nftValue"]["amount"] == MOST
        assert (last["swaps"][0]["tokenId"], last["swaps"][0]["amount"]) == (MOST, MOST)
    for page in (shown, moved):
        assert all(abs(number) < 2**53 for number in integers_in(page["data"]))
        payload = page["nextCursor"].partition(".")[0]
        parts = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        assert all(abs(number) < 2**53 for number in integers_in(parts))


@pytest.mark.parametrize("price", ["0.07", "2.3", "4.35", "0.000000000000000001", "1.1"])
def test_a_price_is_met_exactly(api: Api, price: str) -> None:
    """F28: 0.07 ETH was 70000000000000008 wei by floats; both ends are inclusive."""
    given(ask("1", price=price), ask("2", price=f"{Decimal(price) + Decimal('1e-18'):f}"))
    assert ids(api.nfts(priceFilter=f"ETH,{price},{price}")) == ["1"]


def test_one_wei_more_is_another_price(api: Api) -> None:
    """F28: prices compare as decimals of 18 places."""
    given(ask("1", price="0.07"), ask("2", price="0.070000000000000001"))
    assert ids(api.nfts(priceFilter="ETH,0.07,0.07")) == ["1"]
    assert ids(api.nfts(priceFilter="ETH,0.070000000000000001,0.070000000000000001")) == ["2"]
    assert ids(api.nfts(sortBy="lowestAsk")) == ["1", "2"]


def test_ids_sort_as_numbers(api: Api) -> None:
    """F31: "10" came before "2"."""
    given(nft("10"), nft("2"), nft("100"), nft(MOST))
    assert ids(api.nfts(sortBy="tokenId")) == ["2", "10", "100", MOST]
    assert ids(api.nfts(sortBy="tokenId-desc")) == [MOST, "100", "10", "2"]


@pytest.mark.parametrize("written", ["7", "007", "0x7", "0X07", "0x0000000000000007"])
def test_hexadecimal_and_leading_zeros_are_the_same_number(api: Api, written: str) -> None:
    """F31: one rule for ids that are asked for and ids that are loaded."""
    given(nft(written), nft("70"))
    assert ids(api.nfts(tokenId=written)) == ["7"]
    assert ids(api.nfts(tokenId="7,007,0x7")) == ["7"]
