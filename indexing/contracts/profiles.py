"""What contracts say when they are asked, whatever they answer: some revert, some burn all gas, some lie."""

from __future__ import annotations

import logging
from collections.abc import Container, Mapping, Sequence
from typing import Any, NamedTuple

from core.net.rpc import abi
from core.net.rpc.errors import RpcError
from indexing.decode.moves import ERC721, ERC1155
from indexing.node.asking import NOT_TOLD, Ask, Call, call, has_code, present
from transfers.ledger.transfer_facts import PaidTokenFacts

logger = logging.getLogger(__name__)

_QUESTIONS = {
    "supportsInterface of ERC-721": abi.supports(abi.ERC721_ID),
    "supportsInterface of ERC-1155": abi.supports(abi.ERC1155_ID),
    "supportsInterface of nothing": abi.supports(abi.NO_ID),
    "a function that there is not": abi.of_token(abi.NO_FUNCTION, 0),
    "decimals": abi.DECIMALS,
    "name": abi.NAME,
    "symbol": abi.SYMBOL,
}
_OF_TOKENS = {"ownerOf": abi.OWNER_OF, "getApproved": abi.GET_APPROVED}
_OF_NAMES = frozenset(("name", "symbol"))

Samples = Mapping[str, Sequence[int]]
"""What would be token ids of some contracts, by address."""


class Profile(NamedTuple):
    """What a contract says of itself.

    ``standard``: by ERC-165; ``None`` when it says nothing by that, or lies. ``owns``: ``ownerOf`` or ``getApproved``
    answered for one of the sample ids, as only ERC-721 has them (an owner of 0: the token is burnt by now, and the
    contract older than ERC-721). ``is_silent``: it answered nothing at all; ``is_absent``: as an address without a
    contract does. ``untold``: the questions that the node did not answer, which says nothing of the contract.
    """

    standard: str | None
    decimals: int | None
    owns: bool
    is_silent: bool
    is_absent: bool
    untold: tuple[str, ...]
    name: str | None
    symbol: str | None

    @property
    def kind_untold(self) -> tuple[str, ...]:
        """The questions left open by the node that tell of what kind a contract is."""
        return tuple(one for one in self.untold if one not in _OF_NAMES)


def profiles_of(
    tags: Mapping[str, str], samples: Samples, plain: Container[str], ask: Ask
) -> dict[str, Profile]:
    """Ask contracts what they are, each as of a block, given by its tag.

    Those of ``samples`` are asked about these ids too where what else they say does not tell: ``plain`` are those whose
    logs are no ERC-721's by themselves. Raises ``NodeError`` while the node does not answer.
    """
    own = _asked([(one, data, tag) for one, tag in tags.items() for data in _QUESTIONS.values()], ask)
    count = len(_QUESTIONS)
    found = {
        address: dict(zip(_QUESTIONS, own[place * count : (place + 1) * count], strict=True))
        for place, address in enumerate(tags)
    }
    places = [
        (address, name, token)
        for address in tags
        if address in samples and _is_in_doubt(found[address], address in plain)
        for token in samples[address]
        for name in _OF_TOKENS
    ]
    told = _asked(
        [(one, abi.of_token(_OF_TOKENS[name], token), tags[one]) for one, name, token in places], ask
    )
    of_tokens: dict[str, list[tuple[str, Any]]] = {}
    for (address, name, _), answer in zip(places, told, strict=True):
        of_tokens.setdefault(address, []).append((name, answer))
    return {address: _profile(found[address], of_tokens.get(address, ())) for address in tags}


def paid_tokens_of(addresses: Sequence[str], block: int, ask: Ask) -> list[PaidTokenFacts]:
    """Ask contracts of tokens in which something was paid up to a block for names, symbols and decimals (EIP-20).

    Whatever they answer: some have no such functions, some have names of 32 bytes. One that the node does not tell
    of is left out: it may be asked again. Raises ``NodeError`` while the node does not answer.
    """
    found = _paid(dict.fromkeys(addresses, "latest"), ask)
    empty = [address for address, own in found.items() if all(answer == "0x" for answer in own)]
    there = present(dict.fromkeys(empty, block), ask)
    found |= _paid({address: hex(block) for address, has_code in there.items() if has_code}, ask)
    return [_paid_token(address, own) for address, own in found.items() if NOT_TOLD not in own]


def _paid(tags: Mapping[str, str], ask: Ask) -> dict[str, list[Any]]:
    questions = (abi.NAME, abi.SYMBOL, abi.DECIMALS)
    told = _asked([(address, data, tag) for address, tag in tags.items() for data in questions], ask)
    return {address: told[3 * place : 3 * place + 3] for place, address in enumerate(tags)}


def _paid_token(address: str, answers: Sequence[Any]) -> PaidTokenFacts:
    name, symbol, decimals = answers
    return PaidTokenFacts(address, abi.as_text(name), abi.as_text(symbol), _decimals(decimals))


def _asked(questions: Sequence[tuple[str, str, str]], ask: Ask) -> list[Any]:
    """Return what contracts answer to call data as of a block, given by its tag: ``None`` where they fail."""
    calls: list[Call] = [call(address, data, tag) for address, data, tag in questions]
    return [None if isinstance(one, RpcError) else one for one in ask(calls)] if calls else []


def _is_in_doubt(answers: Mapping[str, Any], is_plain: bool) -> bool:
    """Tell whether more than what a contract says by itself is needed to know what it holds."""
    profile = _profile(answers, ())
    if profile.standard is not None or profile.is_silent:
        return False
    return is_plain or profile.decimals is not None or bool(profile.kind_untold)


def _profile(answers: Mapping[str, Any], of_tokens: Sequence[tuple[str, Any]]) -> Profile:
    erc721, erc1155, nothing, anything, decimals, name, symbol = answers.values()
    answers_all = len(abi.as_bytes(anything)) >= 32
    standard = None
    # Who supports what nothing supports is a liar, and so is who answers what nobody has.
    if not answers_all and not abi.as_number(nothing):
        # Some are both, and have units of some of their tokens.
        standard = ERC1155 if abi.as_flag(erc1155) else ERC721 if abi.as_flag(erc721) else None
    untold = [one for one, answer in answers.items() if answer is NOT_TOLD]
    untold += sorted({one for one, answer in of_tokens if answer is NOT_TOLD})
    told = [*answers.values(), *(answer for _, answer in of_tokens)]
    return Profile(
        standard=standard,
        decimals=None if answers_all and decimals == anything else _decimals(decimals),
        owns=not answers_all and any(_is_owner(answer) for _, answer in of_tokens),
        is_silent=not untold and not any(map(abi.as_bytes, told)),
        is_absent=all(answer == "0x" for answer in answers.values()),
        untold=tuple(untold),
        name=abi.as_text(name),
        symbol=abi.as_text(symbol),
    )


def _is_owner(answer: Any) -> bool:
    number = abi.as_number(answer)
    return number is not None and number < 2**160


def _decimals(answer: Any) -> int | None:
    """Return a number of decimals, ``None`` for what cannot be one (EIP-20: ``uint8``)."""
    number = abi.as_number(answer)
    return number if number is not None and number < 256 else None


def first_block(address: str, head: int, ask: Ask) -> int:
    """Return the block in which a contract was made, by halving, in about 25 calls of ``eth_getCode``.

    0, with a word in the log, where there is no telling: it has no code at ``head``, or the node keeps no old states.
    Raises ``NodeError`` while the node does not answer.
    """

    def exists(number: int) -> bool | None:
        (code,) = ask([("eth_getCode", [address, hex(number)])])
        return has_code(code)

    if exists(head) is False:
        logger.warning("%s has no code at block %d: it is read from block 0", address, head)
        return 0
    low, high = 0, head
    while low < high:
        middle = (low + high) // 2
        found = exists(middle)
        if found is None:
            text = "the node cannot tell when %s was made (not as of block %d): it is read from block 0"
            logger.warning(text, address, middle)
            return 0
        low, high = (low, middle) if found else (middle + 1, high)
    return low
