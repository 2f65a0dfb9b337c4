"""Asks contracts where the metadata of their tokens is: ``tokenURI`` (EIP-721), ``uri`` (EIP-1155), at one block.

A contract may answer anything: it may revert, burn all gas, answer megabytes or bytes that are no text. What it says
is told apart from what went wrong with the node.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from core.batches import batched
from core.net.rpc import abi
from core.net.rpc.answers import Call
from core.net.rpc.errors import Kind, NodeError, RpcError
from core.net.rpc.jsonrpc import Node
from core.net.rpc.wording import is_of_contract
from tokens.metadata.outcomes import State, Verdict, broken, unusable

GAS = 5_000_000
"""Gas of the first question: a stored text takes less, and with it no answer can be larger than 1.6 MB."""

MORE_GAS = 50_000_000
"""Gas of the second one, to those that gave none: what geth allows a call unless told otherwise. Some draw with it."""

MAX_URI_BYTES = 4 << 20
AT_ONCE, AT_ONCE_AGAIN = 20, 4
"""Tokens in a batch of first and of second questions: as many as one answer of 64 MB has room for."""

MAX_BODY = 64 << 20

FUNCTIONS = {"ERC721": (abi.TOKEN_URI,), "ERC1155": (abi.URI,)}
ANY = (abi.TOKEN_URI, abi.URI)
_NAMES = {abi.TOKEN_URI: "tokenURI", abi.URI: "uri"}

logger = logging.getLogger(__name__)

_NO_SUCH_TOKEN = re.compile(
    r"non-?\s?exist|not exist|n't exist|no such|invalid token|not (?:been )?minted|unminted|"
    r"unknown token|not a valid token",
    re.IGNORECASE,
)
_NO_SUCH_TOKEN_ERRORS = {
    "0x7e273289": "ERC721NonexistentToken(uint256)",
    "0xa14c4b50": "URIQueryForNonexistentToken()",
    "0xdf2d9b42": "OwnerQueryForNonexistentToken()",
    "0xceea21b6": "TokenDoesNotExist()",
    "0xb1d04f08": "NonexistentToken()",
    "0x9430a17e": "NonExistentToken()",
    "0x96f1504a": "NonExistentTokenId()",
    "0xd03ce9df": "TokenNotMinted()",
    "0x4d5e5fb3": "NotMinted()",
}
"""Errors by selector, of OpenZeppelin 5, ERC721A, Solady and others."""

_SAID = re.compile(
    r"revert(?:ed)?(?: with reason(?: string)?)?[:\s'\"]+(?!0x\W*$)(?P<reason>[^\s'\"].*)", re.DOTALL
)
_NO_GAS = re.compile(r"out of ?gas|gas required exceeds", re.IGNORECASE)


class Asked(NamedTuple):
    """A token: address of its contract (lower case), token id, standard of the contract ("": not known)."""

    address: str
    token_id: int
    standard: str


class Told(NamedTuple):
    """What a contract says of a token: a URI, not empty, as of a block; or why there is none.

    ``lacks``: it has no function that tells, so that a URI known from elsewhere may be taken. ``is_left``: there was no
    time to ask all that is to be asked, so that nothing follows.
    """

    uri: str = ""
    block: int | None = None
    verdict: Verdict | None = None
    lacks: bool = False
    is_left: bool = False


class _Answer(NamedTuple):
    function: str
    given: Any


def read(node: Node, tokens: Sequence[Asked], is_over: Callable[[], bool] = lambda: False) -> list[Told]:
    """Return what contracts say of at most ``AT_ONCE`` tokens, in their order, as of the node's newest block.

    Once ``is_over``, nothing is asked again. Raises ``NodeError`` when the node does not even tell its newest block;
    what it fails at otherwise is what is told of the tokens concerned.
    """
    block = node.block_number()
    ask = _Questions(node, block, is_over)
    answers = ask.all(tokens, [functions_of(one)[0] for one in tokens], GAS)
    told = [_told(token, [found], None, block) for token, found in zip(tokens, answers, strict=True)]
    again = [place for place, one in enumerate(told) if one.verdict is not None and not one.verdict.is_ours]
    for places in batched(again, AT_ONCE_AGAIN):
        if is_over():
            for place in places:
                told[place] = Told(is_left=True)
            continue
        part = [tokens[place] for place in places]
        own = ask.all(part, [functions_of(one)[0] for one in part], MORE_GAS)
        other = ask.all(part, [_other(one) for one in part], MORE_GAS)
        owners = ask.all(part, [abi.OWNER_OF] * len(part), GAS)
        for place, *more, owner in zip(places, own, other, owners, strict=True):
            told[place] = _told_again(tokens[place], answers[place], more, owner.given, block)
    return told


def beside_files(
    node: Node, tokens: Sequence[Asked], is_over: Callable[[], bool] = lambda: False
) -> list[Told]:
    """Like :func:`read`, of tokens whose URI is the work itself: where the documents beside it are.

    Told by ``tokenMetadataURI`` (Zora's Media, Catalog); ``lacks`` where the contract says nothing of one.
    """
    block = node.block_number()
    answers = _Questions(node, block, is_over).all(tokens, [abi.METADATA_URI] * len(tokens), GAS)
    return [_told_beside(one.given, block) for one in answers]


def _told_beside(given: Any, block: int) -> Told:
    if isinstance(given, NodeError) and _is_fault(given):
        return Told(verdict=of_node(given))
    uri = None if isinstance(given, NodeError) else _text(given)
    return Told(uri, block) if uri else Told(block=block, lacks=True)


def functions_of(token: Asked) -> tuple[str, ...]:
    """Return the selectors of the functions that the standard of a token has; of one not known, those of all."""
    return FUNCTIONS.get(token.standard, ANY)


def _other(token: Asked) -> str:
    return abi.TOKEN_URI if functions_of(token)[0] == abi.URI else abi.URI


class _Questions:
    """Calls contracts at one block. One that the node takes too long over costs its neighbours no answer."""

    def __init__(self, node: Node, block: int, is_over: Callable[[], bool]) -> None:
        self._node, self._block, self._is_over = node, block, is_over

    def all(self, tokens: Sequence[Asked], functions: Sequence[str], gas: int) -> list[_Answer]:
        """Return what a function gives for each token; a ``NodeError`` where the node gives nothing.

        Raises ``NodeError`` when the node does not answer anything any more.
        """
        calls: list[Call] = [
            (
                "eth_call",
                [
                    {"to": one.address, "data": abi.of_token(function, one.token_id), "gas": hex(gas)},
                    hex(self._block),
                ],
            )
            for one, function in zip(tokens, functions, strict=True)
        ]
        return list(map(_Answer, functions, self._settled(calls)))

    def _settled(self, calls: Sequence[Call], fault: NodeError | None = None) -> list[Any]:
        """Ask all at once; then, as long as there is time, halves of what failed. ``fault``: why it is asked again."""
        if fault is not None and self._is_over():
            return [fault] * len(calls)
        try:
            return self._node.batch(calls)
        except NodeError as error:
            self._node.block_number()  # raises when it is not for what was asked
            if len(calls) == 1:
                return [error]
            fault = error
        half = len(calls) // 2
        return self._settled(calls[:half], fault) + self._settled(calls[half:], fault)


def _told_again(token: Asked, first: _Answer, more: Sequence[_Answer], owner: Any, block: int) -> Told:
    """Judge a token by the second answers too; where the node gave none, or refuses so much gas, the first stands.

    That nothing comes of a token for good is not concluded from a first answer for want of a second one.
    """
    known = [one for one in more if not _is_fault(one.given)]
    told = _told(token, [first, *known], None if _is_fault(owner) else owner, block)
    lost = [
        one.given for one in more if isinstance(one.given, NodeError) and not isinstance(one.given, RpcError)
    ]
    if lost and told.verdict is not None and told.verdict.state == State.GONE:
        return Told(verdict=of_node(lost[0]))
    return told


def _told(token: Asked, answers: Sequence[_Answer], owner: Any, block: int) -> Told:
    """Judge a token; whatever its contract does to us, it must not stop the others."""
    try:
        return _judged(token, answers, owner, block)
    except Exception as fault:
        logger.exception("What %s says of token %d cannot be read", token.address, token.token_id)
        return Told(block=block, verdict=broken("What the contract says cannot be read", fault))


def _judged(token: Asked, answers: Sequence[_Answer], owner: Any, block: int) -> Told:
    """Judge all that a contract said of a token; ``owner``: what ``ownerOf`` gave, ``None`` when it was not asked."""
    for one in answers:
        if isinstance(one.given, NodeError) and _is_fault(one.given):
            return Told(verdict=of_node(one.given))
    texts = [_text(one.given) for one in answers]
    uri = next(filter(None, texts), None)
    if uri:
        return Told(uri, block)
    errors = [one.given for one in (*answers, _Answer("", owner)) if isinstance(one.given, RpcError)]
    is_absent = any(map(_says_absent, errors)) or (token.standard == "ERC721" and _owns_nobody(owner))
    if is_absent:
        return Told(block=block, verdict=Verdict(State.ABSENT, "The contract knows no such token."))
    name = _NAMES[functions_of(token)[0]]
    if "" in texts:
        return Told(block=block, verdict=Verdict(State.UNREVEALED, f"The contract's {name} is empty."))
    refusal = _refusal(name, answers)
    return Told(block=block, verdict=refusal, lacks=refusal.state == State.GONE)


def _refusal(name: str, answers: Sequence[_Answer]) -> Verdict:
    """Tell why a contract that knows the token gives no text."""
    errors = [one.given for one in answers if isinstance(one.given, RpcError)]
    if any(_NO_GAS.search(error.message) for error in errors):
        return unusable(f"The contract's {name} takes more than {MORE_GAS:,} gas.")
    for error in errors:
        said = _SAID.search(error.message)
        if said or len(error.data or "") >= 10:  # at least a selector
            words = said["reason"].strip() if said else f"error {(error.data or '')[:10]}"
            return Verdict(State.UNREVEALED, f"The contract's {name} refuses: {words}")
    if any(len(abi.as_bytes(one.given)) > MAX_URI_BYTES for one in answers):
        return unusable(f"The contract's {name} is longer than {MAX_URI_BYTES:,} bytes.")
    if any(abi.as_bytes(one.given) for one in answers):
        return unusable(f"The contract's {name} is no text.")
    return unusable(f"The contract has no {name}.")


def _text(answer: Any) -> str | None:
    """Return the text in an answer, ``None`` when there is none: no text, too long a one, or nothing in UTF-8."""
    raw = abi.text_bytes(answer)
    if raw is None or len(raw) > MAX_URI_BYTES:
        return None
    text = raw.decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}").strip()
    return None if text and not text.strip("\N{REPLACEMENT CHARACTER}") else text


def _is_fault(answer: Any) -> bool:
    """Tell whether an answer is an error that says nothing of the contract."""
    return isinstance(answer, NodeError) and not (isinstance(answer, RpcError) and is_of_contract(answer))


def _says_absent(error: RpcError) -> bool:
    if not is_of_contract(error):
        return False
    return (
        _NO_SUCH_TOKEN.search(error.message) is not None or (error.data or "")[:10] in _NO_SUCH_TOKEN_ERRORS
    )


def _owns_nobody(answer: Any) -> bool:
    """Tell whether ``ownerOf`` says that there is no such token (EIP-721: it throws for those of the zero address)."""
    return (isinstance(answer, RpcError) and is_of_contract(answer)) or abi.as_number(answer) == 0


def of_node(fault: NodeError) -> Verdict:
    """Return the verdict when a node cannot be read; its reason holds no keys."""
    # What a node cannot do today, for want of money, of history or of a method, it may tomorrow.
    after = fault.retry_after if fault.kind is not Kind.FINAL else None
    return Verdict(State.UNREACHABLE, f"The node: {fault}", after, is_ours=True)
