"""Loading a file twice changes nothing: the same dump and bad lines, whatever the lines leave out or contradict."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import drawn
from tests.builders import ALICE, APES, BOB, START, Line, ask, load_lines, nft, transaction_hash, transfer
from tests.deriving.tables import rolled_back
from tests.files.lines import COLLECTION, MINT_A, MINT_B, OTHER_COLLECTION, derived, dumped
from tokens.models import Nft

pytestmark = pytest.mark.django_db
OTHER = "0x" + "ee" * 20
HASHES = [transaction_hash("twice", number) for number in range(2)]
PARTS = 4
"""Lines are drawn in so many parts, each by a seed of its own: the same ones everywhere, others on each engine."""


def loaded(
    lines: list[Line | str], batch_lines: int
) -> tuple[str, list[tuple[int, str]], dict[str, int], Any]:
    """What a load leaves and says: the dump, bad lines, what it counts, and what is derived."""
    report = load_lines(lines, batch_lines=batch_lines)
    faults = [(fault.line, fault.reason) for fault in report.faults]
    return dumped(), faults, dict(report.counts), derived()


def owned_by_nothing() -> list[str]:
    """NFTs that no line names for itself, without transfer or ask."""
    rows = Nft.objects.filter(stated=False, transfers=None, asks=None, own_marked=False, media_withheld=False)
    return [str(row) for row in rows]


PARTIAL_MOVE = {"record": "transfer", "chain": "ethereum", "transactionHash": HASHES[0], "logIndex": 0}
PARTIAL_ASK = {"record": "ask", "chain": "ethereum", "marketplace": "opensea", "orderHash": "0x1"}
OF_ONE = {"contractAddress": APES, "tokenId": "1"}
WHOLE_MOVE = transfer("2", transactionHash=HASHES[0])
WHOLE_ASK = ask("2", order="0x1")


@pytest.mark.parametrize("batch_lines", [1, 2, 100])
@pytest.mark.parametrize(
    "lines",
    [
        [{**PARTIAL_MOVE, **OF_ONE}, WHOLE_MOVE],
        [{**PARTIAL_MOVE, **OF_ONE, "native": [1], "amount": "5"}, nft("9"), WHOLE_MOVE],
        [{**PARTIAL_MOVE, "blockNumber": 5}, {**PARTIAL_MOVE, "timestamp": START}, {**PARTIAL_MOVE, **OF_ONE}],
        [{**PARTIAL_ASK, **OF_ONE}, WHOLE_ASK],
        [{**PARTIAL_ASK, "status": "filled", "amount": "3"}, nft("9"), WHOLE_ASK],
        [{**PARTIAL_ASK, **OF_ONE, "maker": ALICE}, {**PARTIAL_ASK, "price": "4", "currency": "ETH"}],
        [nft("1", lastTransfer={"transactionHash": HASHES[0], "logIndex": 0, "native": 7}), nft("5"), WHOLE_MOVE],
        [nft("2", lastTransfer={"transactionHash": HASHES[0], "native": 7}), nft("5"), WHOLE_MOVE],
        [{"record": "chain", "chain": "new", "chainId": 4242}, nft("1", on="4242"), nft("2", on="new"),
         {"record": "chain", "chain": "new", "kind": "evm", "nativeCurrency": "NEW"}, nft("3", on="eip155:4242")],
        [{"record": "chain", "chain": "new", "chainId": 4242}, {"record": "chain", "chain": "new", "kind": "mint"},
         nft(MINT_A, None, on="new")],
        [{**PARTIAL_MOVE, "chain": "new", **OF_ONE}, {**WHOLE_MOVE, "chain": "new"},
         {"record": "chain", "chain": "new", "kind": "evm"}],
    ],
)  # fmt: skip
def test_a_partial_line_before_the_whole_one_is_taken_the_first_time_as_the_second(
    lines: list[Line | str], batch_lines: int
) -> None:
    first = loaded(lines, batch_lines)
    assert owned_by_nothing() == []
    if '"kind": "mint"' not in json.dumps(lines):
        assert first[1] == []
        assert sum(first[2].values()) == len(lines)
    assert loaded(lines, batch_lines) == first
    assert owned_by_nothing() == []


@pytest.mark.parametrize("batch_lines", [1, 100])
def test_what_nothing_completes_is_bad_both_times_and_leaves_nothing(batch_lines: int) -> None:
    lines: list[Line | str] = [
        {**PARTIAL_MOVE, **OF_ONE},
        nft("7", on="nowhere"),
        {**PARTIAL_ASK, **OF_ONE},
        nft("8", lastTransfer={"transactionHash": HASHES[0], "logIndex": 3}),
        {"record": "chain", "chain": "nowhere", "chainId": 5},
    ]
    first = loaded(lines, batch_lines)
    assert [number for number, _ in first[1]] == [1, 2, 3, 4, 5]
    assert first[1][0][1] == "A transfer that is not yet known needs blockNumber, timestamp."
    assert [row.token_id for row in Nft.objects.all()] == ["8"]
    assert loaded(lines, batch_lines) == first


def test_a_strict_load_stops_at_what_nothing_completes_and_takes_all_back() -> None:
    report = load_lines([{**PARTIAL_MOVE, **OF_ONE}, nft("1")], strict=True)
    assert [fault.line for fault in report.faults] == [1]
    assert not Nft.objects.exists()


def some(**values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Some of these keys, or none, with values."""
    return st.fixed_dictionaries({}, optional=values)


def either(*values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(values)


def line(record: str, identity: dict[str, Any], **values: st.SearchStrategy[Any]) -> st.SearchStrategy[Line]:
    return st.tuples(st.fixed_dictionaries(identity), some(**values)).map(
        lambda parts: {"record": record, **parts[0], **parts[1]}
    )


EVM_NFT = {"chain": either("ethereum", "ethereum", "new", "4242"), "contractAddress": either(APES, OTHER),
           "tokenId": either("1", "2")}  # fmt: skip
MINT_NFT = {"chain": st.just("solana"), "tokenId": either(MINT_A, MINT_B)}
OF_EVM = {"contractAddress": either(APES, OTHER), "tokenId": either("1", "2", "bad")}
REASONS = either("a", "", None)
MOVE: dict[str, st.SearchStrategy[Any]] = {
    "blockNumber": either(1, 2, -1),
    "timestamp": either(START, START + 12),
    "fromAddress": either(ALICE, None),
    "toAddress": either(ALICE, BOB),
    "amount": either("1", "3"),
    "native": either(None, [1]),
    "markets": either(["blur"], None),
    "transferType": either("sale", "mint", None),
    "usdValue": either(5, None),
}
NFT: dict[str, st.SearchStrategy[Any]] = {
    "owner": either(ALICE, None),
    "owners": either([{"address": BOB, "amount": "2"}], [], None),
    "asOfBlock": either(1, 5, None),
    "metadata": either({"name": "x", "traits": [{"traitType": "A", "traitValue": 1}]}, {}, None),
    "marked": st.booleans(),
    "markedReason": either("m", None),
    "markets": either(["zora"], None),
    "rarity": either(1.5, None),
    "contractStandard": either("ERC721", "ERC1155"),
    "lastTransfer": some(
        transactionHash=either(*HASHES),
        logIndex=either(0, 1),
        blockNumber=either(1, 2),
        timestamp=either(START),
    ),
}
LINES = st.one_of(
    line(
        "transfer",
        {"chain": either("ethereum", "new"), "transactionHash": either(*HASHES), "logIndex": either(0, 1)},
        **OF_EVM,
        **MOVE,
    ),
    line(
        "ask",
        {
            "chain": either("ethereum", "new"),
            "marketplace": either("blur"),
            "orderHash": either("0x1", "0x2"),
        },
        **OF_EVM,
        currency=either("ETH", "AUX", "GLD"),
        price=either("1", "2"),
        amount=either("0", "2", None),
        maker=either(ALICE, BOB),
        status=either("open", "filled", "cancelled", None),
        validUntil=either(5, None),
    ),
    line("nft", EVM_NFT, **NFT),
    line("nft", MINT_NFT, contractAddress=either(COLLECTION, OTHER_COLLECTION, None), marked=st.booleans()),
    line(
        "contract",
        {"chain": either("ethereum", "new"), "contractAddress": either(APES, OTHER)},
        name=either("n", None),
        contractStandard=either("ERC721", "ERC1155", None),
        marked=st.booleans(),
        ensName=either("a.eth", None),
    ),
    line(
        "contract",
        {"chain": st.just("solana"), "contractAddress": either("", COLLECTION)},
        marked=st.booleans(),
    ),
    line(
        "chain",
        {"chain": either("new", "newer")},
        kind=either("evm", "evm", "mint"),
        chainId=either(4242, 4243, None),
        nativeCurrency=either("ETH", "AUX"),
    ),
    line(
        "rate",
        {"currency": either("AUX", "GLD"), "timestamp": either(1, START), "usd": either("2", "3", None)},
    ),
    line("ens", {"name": either("a.eth", "b.eth"), "address": either(APES, None)}),
    line(
        "currency",
        {"currency": either("AUX", "GLD", "NEW")},
        aliasOf=either("AUX", "GLD", None),
        wraps=either("ETH", "NEW", None),
    ),
    line(
        "currencyToken",
        {
            "chain": either("ethereum", "new"),
            "contractAddress": either(OTHER, APES),
            "currency": either("AUX", "GLD", None),
        },
        decimals=either(6, 18),
    ),
    line("market", {"marketplace": either("blur", "souk")}, name=either("Souk", None)),
    line(
        "marketContract",
        {
            "chain": either("ethereum", "new", "solana"),
            "contractAddress": either(OTHER, APES),
            "marketplace": either("souk", None),
        },
        protocol=either("seaport-1.5", "none", None),
    ),
    line("takedown", {**EVM_NFT, "reason": REASONS}),
    line(
        "takedown", {"chain": either("ethereum", "new"), "contractAddress": either(APES), "reason": REASONS}
    ),
    line("takedown", {**MINT_NFT, "reason": REASONS}),
    line("takedown", {"contentHash": either("ab" * 32), "reason": REASONS}),
    line("takedown", {"url": either("https://images.example/1.png"), "reason": REASONS}),
    either("nonsense", '{"record":"takedown"}', '{"record":"transfer","chain":"ethereum"}'),
)


@pytest.mark.parametrize("part", range(PARTS))
def test_any_lines_come_to_the_same_however_often_they_are_loaded(part: int) -> None:
    @drawn.examples(25, part)
    @given(st.lists(LINES, min_size=2, max_size=12), either(1, 3, 100))
    def holds(lines: list[Line | str], batch_lines: int) -> None:
        with rolled_back():
            first = loaded(lines, batch_lines)
            assert owned_by_nothing() == []
            for name, mine, its in zip(
                ("dump", "faults", "counts", "derived"), first, loaded(lines, batch_lines), strict=True
            ):
                assert its == mine, name
            assert owned_by_nothing() == []

    holds()
