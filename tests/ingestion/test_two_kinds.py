"""Contracts of two kinds: NFTs that are money too (ERC-404)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from indexing.follow.rewind import rewind
from indexing.management.commands import index as command
from indexing.models import DoubtfulContract
from tests.builders import load_lines
from tests.ingestion.answers import (
    DECIMALS,
    IS_721,
    IS_1155,
    IS_ANYTHING,
    NAME,
    NO,
    OWNER_OF,
    YES,
    answering,
    text,
)
from tests.ingestion.chain import Chain, Emitted, FakeNode, Moved, emitted, nft, tx
from tests.ingestion.encoding import ALICE, BOB, CAROL, ZERO, word
from tests.ingestion.indexing import ethereum, in_one_go, index, narrow, owners, tables
from tests.ingestion.selling import erc20
from tests.ingestion.two_kinds import ETHER, HALF, MONEY, half, second
from tokens.models import Contract
from transfers.models import Transfer

pytestmark = pytest.mark.django_db

MIRROR = "0x" + "41" * 20
ENCODED = 2**255 + 7
"""An id as ERC-404's second version has them."""
APPROVED = "0x081812fc"


def renamed(token_id: int, sender: str, receiver: str, contract: str = HALF) -> Emitted:
    """An `ERC721Transfer`."""
    log = emitted("ERC721Transfer(address,address,uint256)", [sender, receiver, token_id], contract=contract)
    return log._replace(moves=[Moved(contract, token_id, sender, receiver, 1)])


def money(amount: int, sender: str, receiver: str) -> Emitted:
    """An `ERC20Transfer`."""
    return emitted("ERC20Transfer(address,address,uint256)", [sender, receiver], word(amount), HALF)


def pandora(token_id: int, sender: str, receiver: str) -> list[Emitted]:
    """ERC-404 as it first was: `Transfer` with three indexed arguments, and `ERC20Transfer`."""
    return [half(token_id, sender, receiver), money(ETHER, sender, receiver)]


def between(token_id: int, sender: str, receiver: str) -> list[Emitted]:
    """As in between: `ERC20Transfer` and `ERC721Transfer`."""
    return [money(ETHER, sender, receiver), renamed(token_id, sender, receiver)]


def of_both_names(token_id: int, sender: str, receiver: str) -> list[Emitted]:
    """Mended by its author: `Transfer` beside `ERC721Transfer`."""
    return [
        half(token_id, sender, receiver),
        renamed(token_id, sender, receiver)._replace(moves=[]),
        money(5, sender, receiver),
    ]


FORMS = [pandora, second, between, of_both_names]
Form = Callable[[int, str, str], list[Emitted]]
GONE: dict[str, Any] = {**MONEY}
"""What it says when all ids that are tried are burnt: nothing of owners."""
KNOWN: dict[str, Any] = {**MONEY, OWNER_OF: "0x" + word(ALICE)}
CLAIMS: dict[str, Any] = {**MONEY, IS_721: NO, IS_1155: NO, IS_ANYTHING: NO, APPROVED: "0x" + word(0)}


@pytest.mark.parametrize("answers", [GONE, KNOWN, CLAIMS], ids=["burnt by now", "owned", "approved"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("named", [True, False])
def test_nfts_that_are_money_too_are_indexed_in_every_form(
    named: bool, form: Form, answers: dict[str, Any]
) -> None:
    chain = Chain()
    chain.mine(tx(*form(ENCODED, ZERO, ALICE)), tx(*form(2, ZERO, BOB)))
    chain.mine(tx(*form(2, BOB, ZERO), *form(3, ZERO, ALICE)))
    chain.mine(tx(*form(ENCODED, ALICE, CAROL)))
    index(FakeNode(chain, {HALF: answering(**answers)}), contracts=[HALF] if named else [""])
    assert owners() == {(HALF, ENCODED): {CAROL: 1}, (HALF, 2): {}, (HALF, 3): {ALICE: 1}}
    assert Transfer.objects.count() == 5
    assert not DoubtfulContract.objects.exists()
    assert Contract.objects.values_list("standard", "name").get() == ("ERC721", "Half")


def test_money_that_moves_in_parts_of_an_nft_moves_none() -> None:
    """Most transfers of ERC-404 are of fractions, and only one of its events is emitted then."""
    chain = Chain()
    chain.mine(tx(money(5, ALICE, BOB)), tx(erc20(HALF, 5, ALICE, BOB)))
    chain.mine(tx(*pandora(1, ZERO, ALICE)))
    chain.mine(tx(erc20(HALF, ETHER // 2, ALICE, BOB)), tx(money(7, BOB, CAROL)))
    index(FakeNode(chain, {HALF: answering(**KNOWN)}))
    assert owners() == {(HALF, 1): {ALICE: 1}}
    assert Transfer.objects.count() == 1


@pytest.mark.parametrize("decimals", [{}, {DECIMALS: "0x" + word(0)}, MONEY], ids=["none", "0", "18"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("blocks", [1, 9])
def test_money_of_a_named_contract_is_money_to_every_process(
    blocks: int, form: Form, decimals: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its number of decimals may say nothing; that its NFTs move by a form of their own does."""
    narrow(monkeypatch, blocks)
    chain = Chain()
    chain.mine(tx(*form(1, ZERO, ALICE)))
    chain.mine(tx(erc20(HALF, ETHER, ALICE, BOB)))
    node = FakeNode(chain, {HALF: answering(**{**decimals, OWNER_OF: "0x" + word(ALICE)})})
    index(node, contracts=[HALF])
    chain.mine(tx(erc20(HALF, 5, BOB, CAROL)))
    index(node, contracts=[HALF])
    chain.mine(tx(*form(1, ALICE, BOB)), tx(erc20(HALF, 6, BOB, CAROL)))
    index(node, contracts=[HALF])
    assert owners() == {(HALF, 1): {BOB: 1}}
    rewind(ethereum(), 1)
    index(node, contracts=[HALF])
    assert owners() == {(HALF, 1): {BOB: 1}}
    assert Transfer.objects.count() == 2
    assert not DoubtfulContract.objects.exists()


def test_money_of_a_named_contract_that_a_file_told_of_is_money() -> None:
    load_lines(
        [{"record": "contract", "chain": "ethereum", "contractAddress": HALF, "contractStandard": "ERC721"}]
    )
    chain = Chain()
    chain.mine(tx(erc20(HALF, 5, ALICE, BOB)), tx(*second(1, ZERO, ALICE)))
    index(
        FakeNode(chain, {HALF: answering(**{DECIMALS: "0x" + word(0), OWNER_OF: "0x" + word(ALICE)})}),
        contracts=[HALF],
    )
    assert owners() == {(HALF, 1): {ALICE: 1}}


@pytest.mark.parametrize("blocks", [1, 9])
def test_an_old_contract_that_is_named_goes_on_by_erc_20_s_form(
    blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some NFTs of 2018 move so, and by no other event."""
    narrow(monkeypatch, blocks)
    chain = Chain()
    node = FakeNode(chain, {HALF: answering(**{OWNER_OF: "0x" + word(ALICE)})})
    for token in (1, 2, 3):
        chain.mine(tx(erc20(HALF, token, ZERO, ALICE)))
        index(node, contracts=[HALF])
    rewind(ethereum(), 1)
    index(node, contracts=[HALF])
    assert owners() == {(HALF, token): {ALICE: 1} for token in (1, 2, 3)}


@pytest.mark.parametrize("blocks", [1, 2, 9])
def test_what_was_left_out_before_its_money_was_seen_is_read_again(
    blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first NFTs move alone, all are burnt by now, and the contract tells of none: it looks like odd money."""
    narrow(monkeypatch, blocks)
    chain = Chain()
    for token in range(30):
        chain.mine(tx(half(token, ZERO, ALICE)), tx(half(token, ALICE, ZERO)))
    node = FakeNode(chain, {HALF: answering(**GONE)})
    index(node)
    assert Transfer.objects.count() == 0
    assert DoubtfulContract.objects.get().taken_for == "money"
    chain.mine(tx(*pandora(30, ZERO, BOB)))
    index(node)
    assert not DoubtfulContract.objects.exists()
    assert tables() == in_one_go(node)
    assert Transfer.objects.count() == 61


def test_a_mirror_holds_the_nfts_of_its_money() -> None:
    """DN404: the NFTs have a contract of their own, which answers as any; the money's looks like any other."""
    chain = Chain()
    chain.mine(
        tx(erc20(HALF, 3 * ETHER, ZERO, ALICE), *(nft(token, ZERO, ALICE, MIRROR) for token in (1, 2, 3)))
    )
    chain.mine(tx(nft(2, ALICE, ZERO, MIRROR), nft(4, ZERO, BOB, MIRROR), erc20(HALF, ETHER, ALICE, BOB)))
    mirror = answering(**{IS_721: YES, IS_1155: NO, IS_ANYTHING: NO, NAME: text(b"Half")})
    index(FakeNode(chain, {HALF: answering(**MONEY), MIRROR: mirror}))
    assert owners() == {
        (MIRROR, 1): {ALICE: 1},
        (MIRROR, 2): {},
        (MIRROR, 3): {ALICE: 1},
        (MIRROR, 4): {BOB: 1},
    }
    assert not DoubtfulContract.objects.exists()


LEFT_OUT: dict[str, tuple[Emitted, dict[str, Any]]] = {
    "ERC-20 that indexes the amount, of six decimals": (half(5_000_000, ALICE, BOB), {DECIMALS: "0x" + word(6)}),
    "points without decimals that do": (half(5, ALICE, BOB), {DECIMALS: "0x" + word(0)}),
    "a vault that notes what it sent": (renamed(5, ALICE, BOB), {NAME: text(b"Vault")}),
    "a treasury that notes a token's address": (renamed(5, "0x" + "cc" * 20, BOB), {**MONEY}),
}  # fmt: skip


@pytest.mark.parametrize(("log", "answers"), LEFT_OUT.values(), ids=LEFT_OUT)
@pytest.mark.parametrize("named", [True, False])
def test_what_is_no_nft_stays_out_and_is_said(
    named: bool,
    log: Emitted,
    answers: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    chain = Chain()
    chain.mine(tx(log))
    node = FakeNode(chain, {HALF: answering(**answers)})
    monkeypatch.setattr(command, "Node", lambda urls, **options: node)
    one = ["--contract", HALF] if named else []
    call_command("index", "--chain", "ethereum", "--rpc-url", "http://node.example", "-v0", *one)
    assert not Transfer.objects.exists()
    assert f"{HALF} is left out from block 1 on." in capsys.readouterr().err
    assert f"{HALF} is left out from block 1 on." in caplog.text
    assert DoubtfulContract.objects.get().address == HALF
