"""The contracts of one chain, as far as their logs alone do not say what they move: asked once, or until they tell."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.net.rpc.errors import LaggingNodeError
from indexing.contracts.kinds import (
    OWN_FORMS,
    Doubt,
    Form,
    Holders,
    TakenFor,
    doubt_of,
    form_of,
    sample_ids,
    untold,
)
from indexing.contracts.profiles import Profile, profiles_of
from indexing.contracts.sorting import Sorted, Stored
from indexing.node.asking import Ask, present
from indexing.node.logs import RawLog

ENOUGH_SAMPLES = 12
"""Ids without an owner after which a contract is not asked for more by this process."""

WAITS = 3
"""Times that a node which says nothing of a contract that it has is given time to catch up."""

LONGEST_REST = 1_024
"""Windows at most until a contract is asked again of which the node did not tell."""


_ASKED_BY_IDS = (Form.PLAIN, Form.BARE, Form.RENAMED, Form.INDEXED)


class Met(NamedTuple):
    """What logs brought to light: profiles to be written, doubts, and what those say that are in doubt no more."""

    profiles: Mapping[str, Profile]
    doubts: Mapping[str, Doubt]
    cleared: Mapping[str, Profile]


@dataclass(slots=True)
class _Asked:
    """How often a contract was asked, what for, and when it may be asked again."""

    times: int = 0
    next_turn: int = 0
    is_open: bool = False
    is_final: bool = False
    forms: set[Form] = field(default_factory=set)
    refused: set[int] = field(default_factory=set)


class Contracts(Sorted):
    """The contracts of one chain that logs have named. What is stored as holding NFTs does."""

    def __init__(self, ask: Ask, chain_id: int, stored: Stored = Stored(), named: Iterable[str] = ()) -> None:  # noqa: B008
        """``named`` are an operator's: they hold NFTs unless they speak against it."""
        super().__init__(chain_id, stored)
        self._holders = Holders(set(), set())
        self._ask = ask
        self._named = frozenset(named)
        self._asked: dict[str, _Asked] = {}
        self._profiles: dict[str, Profile] = {}
        self._left_out: dict[tuple[str, Form], Doubt] = {}
        self._untold: dict[str, Doubt] = {}
        self._doubtful = set(stored.doubtful)
        self._cleared: dict[str, Profile] = {}
        self._described: set[str] = set()
        self._kept = list(stored.kept)
        self._again = set(stored.again)
        self._waits: Counter[str] = Counter()
        self._turn = 0

    def meet(self, logs: Sequence[RawLog]) -> Met:
        """Return what is to be written of the contracts of these logs, as far as it is not :meth:`described` yet.

        Each is asked once, and again while it is in doubt: what is left out meanwhile is among the doubts. Raises
        ``NodeError`` while the node does not answer, or is behind these logs.
        """
        self._turn += 1
        self._holders.learn(logs)
        seen: dict[str, dict[Form, list[RawLog]]] = defaultdict(lambda: defaultdict(list))
        for log in (*self._kept, *logs):
            form = form_of(log)
            if form is not None:
                seen[log.address][form].append(log)
        self.indexed.update(one for one in self.stored.keys() & seen.keys() if OWN_FORMS & seen[one].keys())
        self.halves -= self.indexed
        new = sorted(
            {address for address, forms in seen.items() if self._is_due(address, forms)} | self._again
        )
        samples = {one: self._samples(one, seen[one]) for one in new if one in seen}
        plain = {one for one in samples if seen[one].keys() & {Form.PLAIN, Form.BARE, Form.RENAMED}}
        blocks = {log.address: log.block_number for log in logs}
        profiles = self._answers(new, samples, plain, blocks)
        for address, profile in profiles.items():
            self._judge(address, profile, seen.get(address, {}), samples.get(address, ()))
        self._kept, self._again = [], set()
        # Another thread may take some away meanwhile: see `described`.
        told = {address: self._profiles.get(address) for address in sorted({*seen, *new})}
        return Met(
            {address: profile for address, profile in told.items() if profile is not None},
            dict(self._doubts(seen, new)),
            dict(self._cleared),
        )

    def believe_stored(self) -> None:
        """Take contracts for what is stored of them, since there is nobody to ask."""
        self.fungible = self._doubtful - self.stored.keys()
        self.halves = set(self._named & self.stored.keys()) - self.indexed

    def may_hold_nfts(self, address: str) -> bool:
        """Tell whether a contract may hold NFTs although its ``Transfer`` has the form of ERC-20's."""
        return address in self.old or address in self._named or address in self.punks

    def left_out(self, log: RawLog) -> str | None:
        """Return why a log is left out that may be of NFTs all the same, so that it is to be kept."""
        form = form_of(log) if self._left_out else None
        doubt = None if form is None else self._left_out.get((log.address, form))
        return doubt.reason if doubt is not None and doubt.keeps_logs else None

    def described(self, addresses: Iterable[str], cleared: Iterable[str] = ()) -> None:
        """Take note that what contracts say of themselves is written, and which are in doubt no more.

        May be called while ``meet`` is at work.
        """
        for address in addresses:
            self._profiles.pop(address, None)
            self._described.add(address)
        for address in cleared:
            self._cleared.pop(address, None)

    def doubt(self, addresses: Iterable[str]) -> None:
        """Take note that contracts are in doubt for another reason than their logs: that they have none."""
        self._doubtful.update(addresses)

    def _samples(self, address: str, forms: Mapping[Form, Sequence[RawLog]]) -> list[int]:
        logs = [log for form in _ASKED_BY_IDS for log in forms.get(form, ())]
        asked = self._asked.get(address)
        return sample_ids(logs, asked.refused if asked is not None else ())

    def _wants(self, address: str, forms: Iterable[Form]) -> set[Form]:
        """Return the forms of logs of which a contract has to say what they are, or that it is to be described by."""
        stored = address in self.stored
        wanted = set()
        for form in forms:
            if form is Form.PLAIN:
                is_wanted = address in self._named or (address in self.old and not stored)
            elif form is Form.BARE:
                is_wanted = address not in self.nfts and not (address in self.old and stored)
            elif form is Form.PUNK:
                is_wanted = address not in self.punks and not (address in self.old and stored)
            else:
                is_wanted = not stored
            if is_wanted:
                wanted.add(form)
        return wanted

    def _is_due(self, address: str, forms: Mapping[Form, Sequence[RawLog]]) -> bool:
        wanted = self._wants(address, forms)
        asked = self._asked.get(address)
        if asked is None:
            return bool(wanted)
        if any(self._holders.hold(address, form) for form in wanted if (address, form) in self._left_out):
            return True
        if asked.is_open:
            return self._turn >= asked.next_turn
        if not wanted <= asked.forms:
            return True
        if asked.is_final or not any((address, form) in self._left_out for form in wanted):
            return False
        return bool(self._samples(address, forms))

    def _answers(
        self,
        new: Sequence[str],
        samples: Mapping[str, Sequence[int]],
        plain: Container[str],
        blocks: Mapping[str, int],
    ) -> dict[str, Profile]:
        """Ask contracts, whose newest logs are of ``blocks``.

        Of those that seem not to be there, make sure that it is not the node that is behind.
        """
        profiles = profiles_of(dict.fromkeys(new, "latest"), samples, plain, self._ask)
        absent = [one for one in new if profiles[one].is_absent and one in blocks]
        there = present({one: blocks[one] for one in absent}, self._ask)
        tags = {one: hex(blocks[one]) for one in absent if there[one]}
        for address, profile in profiles_of(tags, samples, plain, self._ask).items():
            if profile.is_absent and self._waits[address] < WAITS:
                self._waits[address] += 1
                raise LaggingNodeError("the node", 0, f"has a contract at {address} that does not answer yet")
            profiles[address] = profile._replace(is_absent=False)
        return profiles

    def _judge(
        self, address: str, profile: Profile, forms: Mapping[Form, Sequence[RawLog]], samples: Sequence[int]
    ) -> None:
        wanted = self._wants(address, forms) | {form for one, form in self._left_out if one == address}
        for form in sorted(wanted, key=list(Form).index):
            doubt = self._doubt(address, form, profile)
            self.place(address, form, profile, doubt is None)
            if doubt is None or self.is_the_other_side(address, form, doubt[0], wanted):
                self._left_out.pop((address, form), None)
            else:
                is_final = form in (Form.BARE, Form.PLAIN) and doubt[0] == TakenFor.MONEY
                self._left_out[address, form] = Doubt(*doubt, block=None, is_final=is_final)
        self._note(address, self._asked.setdefault(address, _Asked()), profile, wanted, samples)

    def _doubt(self, address: str, form: Form, profile: Profile) -> tuple[str, str] | None:
        """Return what speaks against logs of this form being of NFTs. What is known to hold them does."""
        if address in self.old or (form is Form.BARE and address in self.nfts):
            return None
        if self._holders.hold(address, form):
            return None
        doubt = doubt_of(form, profile, is_named=address in self._named)
        is_stored = address in self.stored and doubt is not None and doubt[0] == TakenFor.UNCLEAR
        return None if is_stored else doubt

    def _note(
        self, address: str, asked: _Asked, profile: Profile, wanted: set[Form], samples: Sequence[int]
    ) -> None:
        """Remember what a contract said, and when to ask it again."""
        left = {form for form in wanted if (address, form) in self._left_out}
        asked.times += 1
        asked.next_turn = self._turn + min(2 ** (asked.times - 1), LONGEST_REST)
        asked.forms |= wanted
        if left:
            asked.refused.update(samples)
        # As if it had no code, though it has: it answers nothing, or the node does not know it yet.
        is_mute = self._waits[address] > 0 and profile.is_silent and not profile.is_absent
        asked.is_open = bool(profile.untold) or profile.is_absent or is_mute
        if profile.is_absent:
            asked.next_turn = 0
        if len(asked.refused) >= ENOUGH_SAMPLES and not asked.is_open:
            for form in left:
                self._left_out[address, form] = self._left_out[address, form]._replace(is_final=True)
        asked.is_final = all(self._left_out[address, form].is_final for form in left)
        note = untold(profile)
        if is_mute:
            note = Doubt(TakenFor.UNTOLD, "It has code, and answers nothing.", block=None)
        if note is not None and not left:
            self._untold[address] = note
        else:
            self._untold.pop(address, None)
        if left or asked.is_open:
            self._doubtful.add(address)
            self._cleared.pop(address, None)
        elif address in self._doubtful:
            self._doubtful.discard(address)
            self._cleared[address] = profile
        if not left and address not in self.stored and address not in self._described:
            self._profiles[address] = profile

    def _doubts(
        self, seen: Mapping[str, Mapping[Form, Sequence[RawLog]]], new: Iterable[str]
    ) -> Iterable[tuple[str, Doubt]]:
        """Yield the doubts that these logs are met with, each with the first block of what is left out."""
        for address in sorted({*seen, *new}):
            if address in self._untold:
                yield address, self._untold[address]
            for form, logs in seen.get(address, {}).items():
                doubt = self._left_out.get((address, form))
                if doubt is not None:
                    yield address, doubt._replace(block=min(log.block_number for log in logs))
