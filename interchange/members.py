"""Members of a line by name: read, required, or refused with a reason that names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core import values
from core.chains import EVM, ChainKind
from core.values import Reader, WrongValueError
from interchange import fields
from interchange.fields import Field
from interchange.jsontext import BadLineError
from tokens.store.facts import UNSET, AskFacts, identity
from transfers.ledger.transfer_facts import TransferFacts

Line = dict[str, Any]
Kinds = Mapping[str, tuple[str, ChainKind]]
"""Slug and kind of each known chain, by every name it has in lower case."""


_NO_CHAIN = "`chain` is not a known chain: a line of record `chain` must come before its use."


class UnknownChainError(BadLineError):
    """A line that names a chain which is not known; ``name``: how it names it, in lower case."""

    def __init__(self, name: str) -> None:
        super().__init__(_NO_CHAIN)
        self.name = name


def chain_of(line: Line, chains: Kinds) -> tuple[str, ChainKind]:
    """Return slug and kind of the chain that a line names. Raises :class:`UnknownChainError`."""
    named = line.get("chain")
    if named is None:
        raise BadLineError("`chain` is missing.")
    found = chains.get(str(named).lower()) if isinstance(named, str | int) else None
    if found is None and isinstance(named, str | int):
        raise UnknownChainError(str(named).lower())
    if found is None:
        raise BadLineError(_NO_CHAIN)
    return found


def contract_of(line: Line, kind: ChainKind) -> Any:
    """Return the contract that an NFT's line names: required on an EVM chain, an attribute elsewhere."""
    if kind == EVM:
        return required(line, "contractAddress", values.evm_address)
    if "contractAddress" not in line:
        return UNSET
    stated = line["contractAddress"]
    return None if stated in (None, "") else read_value("contractAddress", stated, values.collection)


def name_nft(facts: TransferFacts | AskFacts, line: Line, kind: ChainKind) -> None:
    """Set the NFT that a transfer or an ask is of; a line for one that is known may leave it out."""
    if "tokenId" in line or (kind == EVM and "contractAddress" in line):
        facts.token_key = token_key = required(line, "tokenId", fields.TOKEN[kind])
        if kind == EVM or line.get("contractAddress") not in (None, ""):
            facts.address = required(line, "contractAddress", fields.CONTRACT[kind])
        facts.identity = identity(kind, facts.chain, facts.address, token_key)


def required(line: Line, name: str, read: Reader) -> Any:
    """Return a member that may neither be missing nor empty."""
    value = line.get(name)
    if value is None or value == "":
        raise BadLineError(f"`{name}` is missing.")
    try:
        return read(value)
    except WrongValueError as fault:
        raise BadLineError(f"`{name}` {fault}") from None


def required_or_null(line: Line, name: str, read: Reader) -> Any:
    """Return a member that may not be missing; `null` clears."""
    if name not in line:
        raise BadLineError(f"`{name}` is missing.")
    return None if line[name] is None else read_value(name, line[name], read)


def read_value(name: str, value: Any, read: Reader) -> Any:
    """Return a value as it is read. Raises :class:`BadLineError`, which names the member."""
    try:
        return read(value)
    except WrongValueError as fault:
        raise BadLineError(f"`{name}` {fault}") from None


def fill_fields(facts: object, line: Line, known: Mapping[str, Field]) -> None:
    """Set what the line holds; an empty string counts as null."""
    for name, value in line.items():
        field = known.get(name)
        if field is None:
            continue
        attribute, read, clears = field
        if value is None or value == "":
            if not clears:
                raise BadLineError(f"`{name}` cannot be cleared.")
            setattr(facts, attribute, None)
            continue
        try:
            setattr(facts, attribute, read(value))
        except WrongValueError as fault:
            raise BadLineError(f"`{name}` {fault}") from None
