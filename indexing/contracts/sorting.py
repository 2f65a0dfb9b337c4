"""Contracts sorted by what their logs move, as far as it is known: NFTs, money, or both."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from indexing.contracts.kinds import Form, TakenFor
from indexing.contracts.profiles import Profile
from indexing.decode.moves import CRYPTOPUNKS, ERC1155
from indexing.decode.old_contracts import OLD_NFTS, PUNKS
from indexing.node.events import TRANSFER
from indexing.node.logs import RawLog


class Stored(NamedTuple):
    """What the database knows of a chain's contracts when a process begins.

    ``standards``: of those that hold NFTs, by address; ``doubtful``: addresses of those in doubt; ``again``: those of
    them to ask before their next log; ``kept``: some logs of theirs that were left out; ``indexed``: those of an
    operator's whose NFTs move by ERC-721's own form of ``Transfer``.
    """

    standards: Mapping[str, str] = {}
    doubtful: frozenset[str] = frozenset()
    again: frozenset[str] = frozenset()
    kept: Sequence[RawLog] = ()
    indexed: frozenset[str] = frozenset()


class Sorted:
    """The contracts of a chain by what their logs move.

    ``nfts``: hold NFTs though their logs look like ERC-20's; ``fungible``: hold none, or may hold none, though their
    logs look like ERC-721's; ``punks``: have the events of CryptoPunks; ``renaming``: have ``ERC721Transfer`` for
    ``Transfer``; ``halves``: have NFTs and money; ``indexed``: ERC-721's own form of ``Transfer``, or ERC-404's.
    ``old`` are those that are known by heart.
    """

    def __init__(self, chain_id: int, stored: Stored) -> None:
        self.old = OLD_NFTS.get(chain_id, {}).keys() | PUNKS.get(chain_id, frozenset())
        self.stored = stored.standards
        self.nfts = {one for one, standard in self.stored.items() if standard not in (ERC1155, CRYPTOPUNKS)}
        self.punks = {one for one, standard in self.stored.items() if standard == CRYPTOPUNKS}
        self.renaming = set(self.nfts)
        self.fungible: set[str] = set()
        self.halves: set[str] = set()
        self.indexed = set(stored.indexed)

    def is_money(self, log: RawLog) -> bool:
        """Tell whether a log is ERC-20's, be it of a contract that holds NFTs besides (ERC-404)."""
        if len(log.topics) != 3 or log.topics[0] != TRANSFER:
            return False
        return not (log.address in self.halves or log.address in self.old or log.address in self.punks)

    def is_the_other_side(self, address: str, form: Form, taken_for: str, forms: Container[Form]) -> bool:
        """Tell whether logs are the money of a contract that holds NFTs too (ERC-404), and so no matter of doubt."""
        if form is not Form.PLAIN:
            return False
        if Form.PUNK in forms or address in self.punks:
            return True  # CryptoPunks have such a Transfer beside each move
        is_holder = address in self.nfts or Form.PLAINLY_NFTS in forms
        return address in self.indexed or (is_holder and taken_for == TakenFor.MONEY)

    def place(self, address: str, form: Form, profile: Profile, is_nfts: bool) -> None:
        """Sort a contract in by one form of its logs."""
        if form is Form.INDEXED:
            (self.fungible.discard if is_nfts else self.fungible.add)(address)
            if is_nfts:
                self.nfts.add(address)
                self.indexed.add(address)
        elif form is Form.RENAMED:
            (self.renaming.add if is_nfts else self.renaming.discard)(address)
            if is_nfts:
                self.indexed.add(address)
        elif form is Form.PUNK and profile.standard is None:
            (self.punks.add if is_nfts else self.punks.discard)(address)
        elif form is Form.BARE and is_nfts:
            self.nfts.add(address)
        elif form is Form.PLAIN:
            # Who has ERC-721's own form of Transfer has no use for this one but for money.
            is_half = is_nfts and address not in self.indexed
            (self.halves.add if is_half else self.halves.discard)(address)
            if is_half:
                self.nfts.add(address)
