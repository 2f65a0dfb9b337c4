"""What contracts are asked for the URIs of their tokens, and what their answers mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from core.net.rpc.errors import NodeUnavailableError
from tests.ingestion.encoding import ALICE, ZERO, word
from tests.net.played import Answer, error
from tests.offchain.played_contracts import (
    OWNER_OF,
    REVERTED,
    TOKEN_URI,
    URI,
    PlayedContracts,
    played_contracts,
    reverted,
    text,
)
from tokens.metadata import token_uris
from tokens.metadata.outcomes import State
from tokens.metadata.token_uris import GAS, MORE_GAS, Asked, Told, read

APES, COINS, OTHER = ("0x" + digit * 40 for digit in "123")
WHERE = "ipfs://QmWATWQ7fVPP2EFGu71UkfnqhYXDYH566qy47CnJDgvs8u/7"
BLOCK = 0xFFFF
OWNED = "0x" + word(ALICE)


@pytest.fixture
def contracts() -> Iterator[PlayedContracts]:
    with played_contracts() as played:
        yield played


def told(contracts: PlayedContracts, *tokens: Asked) -> list[Told]:
    return read(contracts.reader(), tokens)


def ape(contracts: PlayedContracts, answer: Any, owner: Any = OWNED) -> Told:
    """What is understood of token 7 of an ERC-721 contract."""
    contracts.give(APES, TOKEN_URI, answer)
    contracts.give(APES, OWNER_OF, owner)
    (one,) = told(contracts, Asked(APES, 7, "ERC721"))
    return one


def state(one: Told) -> State | None:
    return None if one.verdict is None else one.verdict.state


def reason(one: Told) -> str:
    assert one.verdict is not None
    return one.verdict.reason


def test_the_function_of_the_standard_is_asked_in_one_batch_at_one_block(contracts: PlayedContracts) -> None:
    contracts.give(APES, TOKEN_URI, lambda token_id, gas: text(f"https://apes.example/{token_id}"))
    contracts.give(COINS, URI, text("https://coins.example/{id}.json"))
    asked = [Asked(APES, 1, "ERC721"), Asked(COINS, 2**255, "ERC1155"), Asked(APES, 9, "")]
    assert [(one.uri, one.block) for one in told(contracts, *asked)] == [
        ("https://apes.example/1", BLOCK),
        ("https://coins.example/{id}.json", BLOCK),
        ("https://apes.example/9", BLOCK),
    ]
    assert contracts.asked == [
        (APES, TOKEN_URI, 1, GAS, "0xffff"),
        (COINS, URI, 2**255, GAS, "0xffff"),
        (APES, TOKEN_URI, 9, GAS, "0xffff"),
    ]
    assert contracts.node.asked == ["eth_blockNumber", "eth_call+eth_call+eth_call"]


def test_a_contract_of_an_unknown_standard_is_asked_for_both(contracts: PlayedContracts) -> None:
    contracts.give(OTHER, URI, text(WHERE))
    assert told(contracts, Asked(OTHER, 7, ""))[0].uri == WHERE


@pytest.mark.parametrize(
    ("answer", "uri"),
    [
        (text(f"  {WHERE}\n"), WHERE),
        ("0x" + b"ipfs://old".hex().ljust(64, "0"), "ipfs://old"),  # bytes32, as before Solidity had strings
        (text(b"https://x.example/\xff\xfe"), "https://x.example/\ufffd\ufffd"),
        (text("a\0b"), "a\ufffdb"),
        (text("data:," + "x" * 100_000), "data:," + "x" * 100_000),
    ],
)
def test_a_uri_is_cleaned_as_far_as_any_text(contracts: PlayedContracts, answer: str, uri: str) -> None:
    assert ape(contracts, answer).uri == uri


def test_one_that_draws_with_much_gas_is_given_it(contracts: PlayedContracts) -> None:
    """Collections that are drawn on the chain take tens of millions."""
    exhausted = error(-32000, "out of gas")
    assert ape(contracts, lambda token_id, gas: text(WHERE) if gas == MORE_GAS else exhausted).uri == WHERE


@pytest.mark.parametrize(
    ("answer", "owner"),
    [
        (REVERTED, reverted("ERC721: owner query for nonexistent token")),
        (REVERTED, REVERTED),
        (REVERTED, "0x" + word(ZERO)),
        (text(""), REVERTED),
        (error(3, "execution reverted", "0x7e273289" + word(7)), OWNED),
        (reverted("ERC721Metadata: URI query for nonexistent token"), "0x"),
        (reverted("Token does not exist"), "0x"),
    ],
)
def test_a_token_that_the_contract_does_not_know_is_absent(
    contracts: PlayedContracts, answer: Any, owner: Any
) -> None:
    assert state(ape(contracts, answer, owner)) == State.ABSENT


def test_a_burnt_token_whose_uri_stands_is_still_read(contracts: PlayedContracts) -> None:
    assert ape(contracts, text(WHERE), REVERTED).uri == WHERE


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (text(""), "The contract's tokenURI is empty."),
        (text("  \0"), "The contract's tokenURI is empty."),
        ("0x" + word(0), "The contract's tokenURI is empty."),
        (reverted("not revealed yet"), "The contract's tokenURI refuses: not revealed yet"),
        (error(3, "execution reverted", "0xdeadbeef"), "The contract's tokenURI refuses: error 0xdeadbeef"),
    ],
)
def test_a_token_without_a_uri_so_far_is_not_revealed(
    contracts: PlayedContracts, answer: Any, why: str
) -> None:
    one = ape(contracts, answer)
    assert (state(one), reason(one), one.lacks) == (State.UNREVEALED, why, False)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (REVERTED, "The contract has no tokenURI."),
        (error(-32015, "execution reverted: 0x"), "The contract has no tokenURI."),
        ("0x", "The contract has no tokenURI."),
        (error(-32000, "invalid opcode: INVALID"), "The contract has no tokenURI."),
        (error(-32000, "out of gas"), "The contract's tokenURI takes more than 50,000,000 gas."),
        ("0x" + word(32) + word(2**255), "The contract's tokenURI is no text."),
        (text(b"\xff\xfe"), "The contract's tokenURI is no text."),
    ],
)
def test_a_contract_that_never_tells_leaves_room_for_a_uri_known_from_elsewhere(
    contracts: PlayedContracts, answer: Any, why: str
) -> None:
    one = ape(contracts, answer)
    assert (state(one), reason(one), one.lacks) == (State.GONE, why, True)


def test_what_the_node_fails_at_says_nothing_of_the_token(contracts: PlayedContracts) -> None:
    contracts.give(APES, TOKEN_URI, lambda token_id, gas: error(-32000, "missing trie node 12ab"))
    contracts.give(COINS, URI, text(WHERE))
    lost, found = told(contracts, Asked(APES, 7, "ERC721"), Asked(COINS, 7, "ERC1155"))
    assert lost.verdict is not None
    assert (state(lost), lost.verdict.is_ours, lost.lacks) == (State.UNREACHABLE, True, False)
    assert "missing trie node" in reason(lost)
    assert found.uri == WHERE


def test_a_node_that_does_not_even_tell_its_newest_block_is_down(contracts: PlayedContracts) -> None:
    contracts.node.script.extend([Answer(b"", status=502)] * 2)
    with pytest.raises(
        NodeUnavailableError, match=r"given up after 2 attempts, the last: http://127\.0\.0\.1"
    ):
        told(contracts, Asked(APES, 7, "ERC721"))


def test_a_node_that_goes_down_at_a_question_is_down(contracts: PlayedContracts) -> None:
    down = Answer(b"", status=502)
    contracts.node.script.extend([contracts.node.by_methods, *[down] * 4])
    with pytest.raises(NodeUnavailableError):
        told(contracts, *(Asked(APES, number, "ERC721") for number in range(20)))
    assert len(contracts.node.seen) == 5


def test_a_contract_that_the_node_takes_too_long_over_costs_its_neighbours_nothing(
    contracts: PlayedContracts,
) -> None:
    contracts.slow.add((OTHER, GAS))
    contracts.give(APES, TOKEN_URI, lambda token_id, gas: text(f"https://apes.example/{token_id}"))
    asked = [Asked(OTHER if number == 13 else APES, number, "ERC721") for number in range(20)]
    found = told(contracts, *asked)
    assert [one.uri for one in found] == [
        "" if number == 13 else f"https://apes.example/{number}" for number in range(20)
    ]
    assert found[13].verdict is not None
    assert (state(found[13]), found[13].verdict.is_ours) == (State.UNREACHABLE, True)
    assert "504" in reason(found[13])


def test_the_first_answers_stand_when_the_second_question_takes_too_long(contracts: PlayedContracts) -> None:
    """But that a contract takes too much gas is no conclusion from the first, small amount."""
    contracts.slow.update({(OTHER, MORE_GAS), (COINS, MORE_GAS)})
    contracts.give(APES, TOKEN_URI, text(WHERE))
    contracts.give(OTHER, TOKEN_URI, error(-32000, "out of gas"))
    contracts.give(OTHER, OWNER_OF, OWNED)
    contracts.give(COINS, URI, reverted("not revealed yet"))
    asked = Asked(APES, 7, "ERC721"), Asked(OTHER, 7, "ERC721"), Asked(COINS, 7, "ERC1155")
    apes, other, coins = told(contracts, *asked)
    assert (apes.uri, state(other), state(coins)) == (WHERE, State.UNREACHABLE, State.UNREVEALED)
    assert "504" in reason(other)


def test_when_time_is_up_nothing_is_asked_again(contracts: PlayedContracts) -> None:
    """What failed is told as it is, and comes again later; what had no second question yet is left as it was."""
    contracts.give(APES, TOKEN_URI, text(WHERE))
    found = read(
        contracts.reader(), [Asked(APES, 7, "ERC721"), Asked(OTHER, 7, "ERC721")], is_over=lambda: True
    )
    assert found == [Told(WHERE, BLOCK), Told(is_left=True)]
    contracts.slow.add((OTHER, GAS))
    lost = read(contracts.reader(), [Asked(OTHER, 7, "ERC721")] * 20, is_over=lambda: True)
    assert [state(one) for one in lost] == [State.UNREACHABLE] * 20


def test_a_node_that_refuses_so_much_gas_leaves_the_first_answer(contracts: PlayedContracts) -> None:
    refused = error(-32602, "gas limit is too high")
    contracts.give(APES, TOKEN_URI, lambda token_id, gas: refused if gas == MORE_GAS else text(""))
    contracts.give(APES, OWNER_OF, OWNED)
    assert [state(one) for one in told(contracts, Asked(APES, 7, "ERC721"))] == [State.UNREVEALED]


def test_an_answer_that_breaks_the_reading_costs_its_token_alone(
    contracts: PlayedContracts, monkeypatch: pytest.MonkeyPatch
) -> None:
    contracts.give(APES, TOKEN_URI, lambda token_id, gas: text(f"poison {token_id}"))
    as_text = token_uris._text

    def fragile(answer: Any) -> str | None:
        found = as_text(answer)
        if found == "poison 2":
            raise RecursionError
        return found

    monkeypatch.setattr(token_uris, "_text", fragile)
    first, second = told(contracts, Asked(APES, 1, "ERC721"), Asked(APES, 2, "ERC721"))
    assert first.uri == "poison 1"
    assert state(second) == State.GONE
    assert reason(second) == "What the contract says cannot be read (RecursionError); the log says more."
