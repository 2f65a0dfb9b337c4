"""What `ownerAddress` finds, an addition to the specification, by the service and by the oracle."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.builders import ALICE, APES, BOB, CAROL, ZERO, ask, contract, ens, nft, transfer
from tests.conftest import Api
from tests.operations.counting import MOST, queries_of
from tests.operations.everything import FILTERS, ORDERS, everything
from tests.operations.promises import COLLECTION, MINT, OTHER_MINT, given, refused
from tests.operations.rules import Rule, check
from tests.walks.wide import wide_from

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

OF_ALICE, OF_BOB = f"ownerAddress={ALICE}", f"ownerAddress={BOB}"
SOLD: dict[str, Any] = {"sender": None, "receiver": OTHER_MINT, "transactionHash": "5" * 87}
UPPER = "0X" + ALICE.removeprefix("0x").upper()

RULES: dict[str, Rule] = {
    "who holds it now counts, not who held it": [
        *(transfer("1", block=1), transfer("2", block=2)),
        transfer("1", block=3, sender=ALICE, receiver=BOB),
        {OF_ALICE: "2", OF_BOB: "1", f"ownerAddress={CAROL}": "", f"ownerAddress={ZERO}": ""},
    ],
    "any units of it": [
        contract(standard="ERC1155"),
        *(transfer("1", amount="5"), transfer("1", block=2, sender=ALICE, receiver=BOB, amount="2")),
        {OF_ALICE: "1", OF_BOB: "1"},
    ],
    "stated owners count too, and whoever came after them": [
        nft("1", owner=ALICE, asOfBlock=5),
        {OF_ALICE: "1"},
        transfer("1", block=9, sender=ALICE, receiver=BOB),
        {OF_ALICE: "", OF_BOB: "1"},
    ],
    "an address is one on every EVM chain, in any letter case, and a name stands for it": [
        *(transfer("1"), transfer("2", on="polygon"), ens("alice.eth", ALICE), ens("nobody.eth", None)),
        {f"{OF_ALICE}&sortBy=tokenId": "1 2", f"ownerAddress={UPPER}&chain=polygon": "2"},
        {"ownerAddress=Alice.eth&sortBy=tokenId": "1 2", "ownerAddress=nobody.eth": ""},
    ],
    "on a mint-identified chain an address is as it is written": [
        transfer(MINT, COLLECTION, "solana", **SOLD),
        {f"ownerAddress={OTHER_MINT}": MINT, f"ownerAddress={OTHER_MINT.swapcase()}": ""},
    ],
    "of transfers it is all those of NFTs that the address holds now": [
        *(transfer("1", block=1), transfer("2", block=2)),
        transfer("1", block=3, sender=ALICE, receiver=BOB),
        {f"transfers?contractAddress={APES}&{OF_BOB}": "1@3 1@1"},
        {
            f"transfers?contractAddress={APES}&{OF_ALICE}": "2@2",
            f"transfers?contractAddress={APES}&tokenId=2&{OF_BOB}": "",
        },
    ],
    "blank is not given": [
        transfer("1"),
        {"ownerAddress=": "1", f"ownerAddress={ALICE}&ownerAddress=": "1"},
    ],
}


@pytest.mark.parametrize("most", [0, 100])
@pytest.mark.parametrize("rule", RULES)
def test_rules(rule: str, most: int) -> None:
    """Whether they are read whole or are the lists of wide holders."""
    with wide_from(most):
        check(RULES[rule])


@pytest.mark.parametrize("operation", ["nfts", "transfers"])
@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("0x12", "invalid"),
        ("nonsense", "invalid"),
        (f"{ALICE},{BOB}", "invalid"),
        ([ALICE, BOB], "invalid"),
        ("a" * 300 + ".eth", "max_length"),
        ("unknown.eth", "ens_unavailable"),
        ("\x00", "invalid"),
    ],
)
def test_bad_values_are_refused(api: Api, operation: str, value: Any, code: str) -> None:
    """As those of contractAddress are: one address, or a name that is known."""
    fixed = {} if operation == "nfts" else {"contractAddress": APES}
    assert refused(api, operation=operation, **fixed, ownerAddress=value) == [("ownerAddress", code)]


def test_a_cursor_is_bound_to_the_owner(api: Api) -> None:
    given(*(transfer(str(number), block=number + 1) for number in range(3)), ens("alice.eth", ALICE))
    page = api.nfts(ownerAddress="alice.eth", limit="1")
    again = api.nfts(ownerAddress=UPPER, limit="1", cursor=page["nextCursor"])
    assert [record["tokenId"] for record in again["data"]] == ["1"]
    assert refused(api, limit="1", cursor=page["nextCursor"]) == [("cursor", "cursor_mismatch")]


@pytest.mark.parametrize("most", [0, 100])
def test_it_takes_no_more_queries_than_a_page_may(api: Api, most: int) -> None:
    with wide_from(most):
        given(*everything())
        holder = {"ownerAddress": api.nfts(limit="1")["data"][0]["owner"]}
        for order in ORDERS:
            fixed = {"sortBy": order, "includeLastTransfer": "true", "limit": "3"}
            assert queries_of(api, **FILTERS, **holder, **fixed) <= MOST, order
            assert queries_of(api, **holder, **fixed) <= MOST, order
            for name, value in FILTERS.items():
                assert queries_of(api, **holder, **{name: value}, **fixed) <= MOST, (order, name)
            assert queries_of(api, "transfers", contractAddress="apes.eth", **holder, sortBy=order) <= MOST


def test_a_query_without_it_asks_nothing_more(api: Api) -> None:
    given(*everything(), ask("1", price="1"))
    with CaptureQueriesContext(connection) as queries:
        api.nfts(contractAddress=APES)
    assert not any("wideholder" in query["sql"] for query in queries.captured_queries)
