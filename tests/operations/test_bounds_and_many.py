"""What only shows at an edge: an ask at a bound of the price, and more NFTs than are walked one by one."""

from __future__ import annotations

import pytest

from tests.builders import ALICE, APES, BOB, ZERO, ask, load_lines, nft, transfer
from tests.conftest import Api
from tests.operations.promises import walked

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("order", ["lowestAsk", "highestAsk"])
@pytest.mark.parametrize("where", [{}, {"contractAddress": APES}, {"marketplaces": "opensea,blur"}])
def test_asks_at_both_bounds_of_a_price_are_within_it(api: Api, order: str, where: dict[str, str]) -> None:
    load_lines([one for number in "01234" for one in (nft(number), ask(number, price=number + ".5"))])
    found = api.nfts(priceFilter="eth,1.5,3.5", sortBy=order, **where)
    assert [record["tokenId"] for record in found["data"]] == ["1", "2", "3"]


@pytest.mark.parametrize("count", [3, 70])
def test_transfers_of_however_many_nfts_one_holds_are_all_found_newest_first(api: Api, count: int) -> None:
    """Of more than 64 NFTs PostgreSQL first looks at the newest transfer of each."""
    held = [transfer(str(number), block=100 + number, sender=ZERO, receiver=ALICE) for number in range(count)]
    load_lines([*held, transfer("999", block=99, sender=ZERO, receiver=BOB)])
    found = walked(api, "transfers", contractAddress=APES, ownerAddress=ALICE)
    assert [int(record["tokenId"]) for record in found] == list(range(count))[::-1]
