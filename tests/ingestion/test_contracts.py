"""What is found out about contracts, whatever they answer: some revert, some lie, some are no NFTs at all."""

from __future__ import annotations

from typing import Any

import pytest

from indexing.follow.runner import Progress
from tests.builders import contract, load_lines
from tests.ingestion.answers import (
    DECIMALS,
    IS_721,
    IS_1155,
    IS_ANYTHING,
    NAME,
    NO,
    OWNER_OF,
    SYMBOL,
    YES,
    answering,
    text,
)
from tests.ingestion.chain import Chain, Emitted, FakeNode, emitted, nft, tx, units
from tests.ingestion.encoding import ALICE, APES, BOB, ZERO, word
from tests.ingestion.indexing import index, narrow, owners
from tokens.models import Contract
from transfers.models import Transfer

pytestmark = pytest.mark.django_db

OLD = "0x" + "01" * 20
KITTIES = "0x06012c8cf97bead5deae237070f9587f8e7a266d"
PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"


def described(log: Emitted, answers: dict[str, Any]) -> tuple[str, str | None, str | None]:
    """Standard, name and symbol of the contract of a log, after it was indexed."""
    chain = Chain()
    chain.mine(tx(log))
    index(FakeNode(chain, {log.contract: answering(**answers)}))
    return Contract.objects.values_list("standard", "name", "symbol").get(address=log.contract)


def test_a_contract_is_described_by_its_logs_and_by_what_it_says() -> None:
    answers = {
        IS_721: YES,
        IS_1155: NO,
        IS_ANYTHING: NO,
        NAME: text(b"Bored \xf0\x9f\xa6\x8d"),
        SYMBOL: text(b"APE"),
    }
    assert described(nft(1, ZERO, ALICE), answers) == ("ERC721", "Bored 🦍", "APE")
    assert described(units(1, ZERO, ALICE, 1), {}) == ("ERC1155", None, None)


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (text(b"x" * 1_000), "x" * 200),
        (text(b"\xff\xfe!"), "��!"),
        (text(b"a\0b"), "a�b"),
        (text(b"   "), None),
        ("0x" + b"Old style".hex().ljust(64, "0"), "Old style"),
        ("0x" + word(32) + word(2**255), None),
        ("0x", None),
        ("no hexadecimal", None),
        ({"not": "text"}, None),
        ("0x" + word(32) + word(5) + "zz", None),
    ],
)
def test_a_name_is_cut_and_cleaned(answer: Any, name: str | None) -> None:
    assert described(nft(1, ZERO, ALICE), {NAME: answer})[1] == name


def test_a_contract_with_decimals_whose_logs_look_like_nfts_is_none() -> None:
    """It indexes the amount of ERC-20 as a third topic."""
    chain = Chain()
    chain.mine(tx(nft(10**18, ZERO, ALICE, OLD), nft(1, ZERO, ALICE)))
    index(FakeNode(chain, {OLD: answering(**{DECIMALS: "0x" + word(18)})}))
    assert owners() == {(APES, 1): {ALICE: 1}}
    assert not Contract.objects.filter(address=OLD).exists()


def test_one_that_supports_everything_is_a_liar_and_known_by_its_logs() -> None:
    everything = {IS_721: NO, IS_1155: YES, IS_ANYTHING: YES}
    assert described(nft(1, ZERO, ALICE), everything)[0] == "ERC721"


@pytest.mark.parametrize(
    ("answers", "count"),
    [
        ({OWNER_OF: "0x" + word(ALICE)}, 1),  # behaves like an NFT contract
        ({IS_721: YES}, 1),
        ({}, 1),  # says nothing at all, as contracts did in 2017
        ({DECIMALS: "0x" + word(18), OWNER_OF: "0x" + word(ALICE)}, 0),
        ({NAME: text(b"Money")}, 0),
    ],
)
def test_logs_that_index_nothing_are_read_where_the_contract_holds_nfts(answers: Any, count: int) -> None:
    chain = Chain()
    log = emitted("Transfer(address,address,uint256)", [], word(ZERO) + word(ALICE) + word(7), OLD)
    chain.mine(tx(log))
    index(FakeNode(chain, {OLD: answering(**answers)}))
    assert Transfer.objects.count() == count


def test_contracts_from_before_the_standards_are_described_too() -> None:
    chain = Chain()
    kitty = emitted("Transfer(address,address,uint256)", [], word(ZERO) + word(ALICE) + word(7), KITTIES)
    punk = emitted("Assign(address,uint256)", [ALICE], word(7), PUNKS)
    chain.mine(tx(kitty, punk))
    index(FakeNode(chain, {KITTIES: answering(**{NAME: text(b"CryptoKitties")})}))
    assert sorted(Contract.objects.values_list("standard", "name")) == [
        ("CryptoKitties", "CryptoKitties"),
        ("CryptoPunks", None),
    ]
    assert owners() == {(KITTIES, 7): {ALICE: 1}, (PUNKS, 7): {ALICE: 1}}


def test_a_contract_that_mints_by_ranges_alone_is_described() -> None:
    signature = "ConsecutiveTransfer(uint256,uint256,address,address)"
    assert described(emitted(signature, [0, ZERO, ALICE], word(3)), {NAME: text(b"R")}) == (
        "ERC721",
        "R",
        None,
    )
    assert Transfer.objects.count() == 4


def test_a_contract_is_asked_once_and_not_again_by_the_next_process(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow(monkeypatch, 1)
    chain = Chain()
    for token in range(4):
        chain.mine(tx(nft(token, ZERO, ALICE)))
    node = FakeNode(chain)
    index(node, to_block=2)
    index(node)
    assert sum(params[0]["data"] == NAME for method, params in node.asked if method == "eth_call") == 1


def test_a_name_that_an_operator_gave_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a contract says is written when it is first seen, never over what was corrected since."""
    narrow(monkeypatch, 1)
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    chain.mine(tx(nft(1, ALICE, BOB)))
    node = FakeNode(chain, {APES: answering(**{NAME: text(b"wrong")})})

    def correct(progress: Progress) -> None:
        Contract.objects.update(name="right")

    index(node, tell=correct)
    assert Contract.objects.get(address=APES).name == "right"


def test_a_name_that_a_file_stated_before_stays() -> None:
    load_lines([contract(APES, standard=None, name="stated")])
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    index(FakeNode(chain, {APES: answering(**{NAME: text(b"told by the contract, and longer")})}))
    assert Contract.objects.get(address=APES).name == "stated"
