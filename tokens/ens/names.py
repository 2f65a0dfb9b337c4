"""ENS names: their normal form (ENSIP-15) and what they stand for in the tables of this service."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import IntegerField, QuerySet, Value

from core.chains import EVM
from tokens.models import Contract, EnsName

MAX_NAME_LENGTH = 255

_STATED, _CLAIMED = "ens", "contract"


@dataclass(frozen=True, slots=True)
class EnsAnswer:
    """What a name stands for: an address in lower case, or nothing.

    ``is_offchain``: only a server tells (EIP-3668), which is not asked.
    """

    address: str | None
    is_offchain: bool = False


def is_name(text: str) -> bool:
    """Tell whether a text is meant as an ENS name: any dotted text is."""
    return "." in text


def normalised(name: str) -> str:
    """Return the normal form of a name by ENSIP-15.

    Raises ``ValueError`` with a reason when it has none, is no dotted name, or is longer than 255 characters.
    """
    if len(name) > MAX_NAME_LENGTH:  # before the work, which grows with it
        raise ValueError(f"Is longer than {MAX_NAME_LENGTH} characters")
    import ens_normalize  # here: it takes a third of a second, which commands save

    try:
        normal = str(ens_normalize.ens_normalize(name))
    except ens_normalize.DisallowedSequence as error:
        raise ValueError(str(error)) from error
    if not is_name(normal):
        raise ValueError("Has no dot")
    if len(normal) > MAX_NAME_LENGTH:
        raise ValueError(f"Is longer than {MAX_NAME_LENGTH} characters")
    return normal


def addresses(names: Collection[str]) -> dict[str, str | None]:
    """Return what names in normal form stand for, in one query; a name that no table has is left out.

    ``None``: the name is known to resolve to nothing.
    """
    if not names:
        return {}
    stated, claimed = stored(names)
    return chosen(stated.union(claimed, all=True))


def stored(names: Collection[str]) -> tuple[QuerySet[Any, Any], QuerySet[Any, Any]]:
    """Return queries of what the tables say of names: rows for :func:`chosen`, to be made a union with others.

    Each row is (source, name, address, nothing).
    """
    nothing = Value(None, IntegerField())
    stated = EnsName.objects.filter(name__in=names).annotate(source=Value(_STATED), number=nothing)
    claimed = Contract.objects.filter(ens_name__in=names, chain__kind=EVM).annotate(
        source=Value(_CLAIMED), number=nothing
    )
    return (
        stated.values_list("source", "name", "address", "number"),
        claimed.values_list("source", "ens_name", "address", "number"),
    )


def chosen(rows: Iterable[tuple[str, str, str | None, None]]) -> dict[str, str | None]:
    """Return the address of each name that rows of :func:`stored` tell of; those of other sources are passed over.

    A stated ``ens`` row wins over a contract's own name; of several contracts that claim one name the lowest address
    counts, so that every database answers alike.
    """
    told = [row for row in rows if row[0] in (_STATED, _CLAIMED)]
    found: dict[str, str | None] = {}
    for _, name, address, _ in sorted(told, key=lambda row: (row[0] != _STATED, row[2] or "")):
        found.setdefault(name, address)
    return found
