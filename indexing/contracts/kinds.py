"""What a contract's logs look like, and whether by what it says of itself they are of NFTs. Pure."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Container, Iterable
from typing import NamedTuple

from core.addresses import ZERO_ADDRESS
from indexing.contracts.profiles import Profile
from indexing.decode.erc721 import indexed_transfer, old_transfer
from indexing.decode.moves import ERC721
from indexing.decode.words import UndecodableError
from indexing.models import DoubtfulContract
from indexing.node.events import (
    CONSECUTIVE_TRANSFER,
    ERC20_TRANSFER,
    ERC721_TRANSFER,
    PUNK_EVENTS,
    TRANSFER,
    TRANSFER_BATCH,
    TRANSFER_SINGLE,
)
from indexing.node.logs import RawLog

MOST_SAMPLES = 3
"""Ids that a contract is asked for at a time."""

TakenFor = DoubtfulContract.TakenFor


class Form(enum.Enum):
    """Forms of logs, of which some alone do not tell what is moved."""

    INDEXED = "Transfer with three indexed arguments, as ERC-721 has it, and some ERC-20"
    RENAMED = "ERC721Transfer, as ERC-404 has it, and contracts that note what they did with others' NFTs"
    PLAIN = "Transfer with two, as ERC-20 has it, and some NFTs of 2018"
    BARE = "Transfer with one or none, as the oldest of either have it"
    PUNK = "an event of CryptoPunks"
    PLAINLY_NFTS = "an event of ERC-1155 or ERC-2309"


OWN_FORMS = frozenset((Form.INDEXED, Form.RENAMED))
"""Those of an NFT beside which its contract's other ``Transfer`` is of money (ERC-404)."""


class Doubt(NamedTuple):
    """Why logs of a contract are left out, or what is not told of it.

    ``block``: of the first log that is left out; ``None``: none is. ``is_final``: this process does not ask it again.
    """

    taken_for: str
    reason: str
    block: int | None
    is_final: bool = False

    @property
    def keeps_logs(self) -> bool:
        """Whether it may well be NFTs that are left out, so that their logs are kept."""
        return self.taken_for != TakenFor.MONEY and not self.is_final


def form_of(log: RawLog) -> Form | None:
    """Return the form of a log; ``None`` for events that move nothing."""
    if not log.topics:
        return None
    event = log.topics[0]
    if event == TRANSFER:
        return Form.INDEXED if len(log.topics) == 4 else Form.PLAIN if len(log.topics) == 3 else Form.BARE
    if event in PUNK_EVENTS:
        return Form.PUNK
    if event == ERC721_TRANSFER:
        return Form.RENAMED if len(log.topics) == 4 else None
    return Form.PLAINLY_NFTS if event in (TRANSFER_SINGLE, TRANSFER_BATCH, CONSECUTIVE_TRANSFER) else None


class Holders(NamedTuple):
    """Contracts that hold NFTs by their logs alone, whatever they say.

    ``erc404``: they move money and something else in one transaction; ``erc1155``: they have events of ERC-1155 or
    ERC-2309.
    """

    erc404: set[str]
    erc1155: set[str]

    def hold(self, address: str, form: Form) -> bool:
        """Tell whether logs of a form are of the NFTs that a contract holds."""
        if form is Form.INDEXED and address in self.erc1155:
            return True
        return form in OWN_FORMS and address in self.erc404

    def learn(self, logs: Iterable[RawLog]) -> None:
        """Take note of what more logs tell.

        Beside ERC-721's own form of ``Transfer``, or ``ERC721Transfer``, ERC-404 emits ``ERC20Transfer`` or ERC-20's
        form of ``Transfer``. No ERC-20 contract has use for two; and none has use for its own where it has ERC-1155's.
        """
        found: dict[tuple[str, str], set[bool]] = defaultdict(set)
        for log in logs:
            form = form_of(log)
            is_money = form is Form.PLAIN or bool(log.topics and log.topics[0] == ERC20_TRANSFER)
            if is_money or form in OWN_FORMS:
                found[log.transaction_hash, log.address].add(is_money)
            elif form is Form.PLAINLY_NFTS:
                self.erc1155.add(log.address)
        self.erc404.update(address for (_, address), kinds in found.items() if len(kinds) == 2)


def sample_ids(logs: Iterable[RawLog], refused: Container[int]) -> list[int]:
    """Return what would be token ids of a contract, a few, those first that are likeliest to have an owner still.

    Which are the newest, and of those that were burnt none; ``logs`` are the oldest first.
    """
    alive: dict[int, None] = {}
    burnt: dict[int, None] = {}
    for log in logs:
        token, receiver = _meant(log)
        alive.pop(token, None)
        burnt.pop(token, None)
        if token not in refused:
            (burnt if receiver == ZERO_ADDRESS else alive)[token] = None
    return [*reversed(alive), *reversed(burnt)][:MOST_SAMPLES]


def _meant(log: RawLog) -> tuple[int, str]:
    """Return the token and the receiver that a ``Transfer`` would mean if it were one of NFTs."""
    try:
        move = indexed_transfer(log) if len(log.topics) == 4 else old_transfer(log)
    except UndecodableError:
        words = b"".join([*(bytes.fromhex(topic[2:]) for topic in log.topics), log.data])
        return int.from_bytes(words[-32:], "big"), ""
    return move.token_id, move.receiver


def doubt_of(form: Form, profile: Profile, *, is_named: bool) -> tuple[str, str] | None:
    """Return what logs of this form are taken for instead of NFTs, and why; ``None``: they are of NFTs.

    ``is_named``: an operator says that it holds NFTs, which is believed unless the contract speaks against it.
    """
    if form is Form.PLAINLY_NFTS:
        return None
    if form is Form.PUNK:
        return _untold(profile) if profile.standard is None and profile.kind_untold else None
    if form is Form.INDEXED:
        return _doubt_of_indexed(profile)
    if form is Form.RENAMED:
        return _doubt_of_renamed(profile)
    if profile.decimals:
        return TakenFor.MONEY, f"It has {profile.decimals} decimals: its Transfer events move ERC-20 money."
    if "decimals" in profile.untold:
        return _untold(profile)
    if profile.standard == ERC721 or profile.owns or profile.is_silent:
        return None
    if profile.kind_untold:
        return _untold(profile)
    if is_named and profile.decimals is None:
        return None
    return (
        TakenFor.UNCLEAR,
        "Its Transfer events look like ERC-20's, it claims no standard, and knows no owner of the ids that were tried.",
    )


def _doubt_of_indexed(profile: Profile) -> tuple[str, str] | None:
    if profile.standard is not None or profile.owns:
        return None
    if profile.decimals is None:
        return _untold(profile) if "decimals" in profile.untold else None
    if profile.kind_untold:
        return _untold(profile)
    reason = f"It has {profile.decimals} decimals, claims no standard, and knows no owner of the ids that were tried"
    if profile.decimals:
        return TakenFor.MONEY, f"{reason}: an ERC-20 that indexes the amount."
    return TakenFor.UNCLEAR, f"{reason}."


def _doubt_of_renamed(profile: Profile) -> tuple[str, str] | None:
    if profile.standard is not None or profile.owns:
        return None
    if profile.kind_untold:
        return _untold(profile)
    return (
        TakenFor.UNCLEAR,
        "Its ERC721Transfer events may be of others' NFTs: it claims no standard, and knows no owner of the ids tried.",
    )


def _untold(profile: Profile) -> tuple[str, str]:
    return (
        TakenFor.UNTOLD,
        f"The node answers others, but not {' and '.join(profile.untold)} of this contract.",
    )


def untold(profile: Profile) -> Doubt | None:
    """Return what the node left open about a contract whose logs are taken in."""
    if not profile.untold:
        return None
    return Doubt(*_untold(profile), block=None)
