"""What a contract is: asked once by ERC-165 and by its behaviour, whatever it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from nftsite.net import abi
from nftsite.net.rpc_errors import RpcError
from nftsite.net.rpc_wording import is_of_contract
from transfers.facts import PaidTokenFacts
from transfers.ingest.decode import unclear_contracts
from transfers.ingest.events import (
    ASSIGN,
    CONSECUTIVE_TRANSFER,
    PUNK_BOUGHT,
    PUNK_TRANSFER,
    TRANSFER,
    TRANSFER_BATCH,
    TRANSFER_SINGLE,
)
from transfers.ingest.known import OLD_NFTS, PUNKS
from transfers.ingest.logs import RawLog
from transfers.ingest.moves import ERC721, ERC1155

GAS = hex(1_000_000)
"""Gas that a question may use: thirty times what ERC-165 allows it, and too little for an answer of a megabyte."""

PUNK_EVENTS = frozenset((ASSIGN, PUNK_TRANSFER, PUNK_BOUGHT))
_QUESTIONS = (
    abi.supports(abi.ERC721_ID),
    abi.supports(abi.ERC1155_ID),
    abi.supports(abi.NO_ID),
    abi.DECIMALS,
    abi.NAME,
    abi.SYMBOL,
)

Ask = Callable[[Sequence[tuple[str, list[Any]]]], list[Any]]
"""Makes calls of a node; an ``RpcError`` stands in the place of a result that it has not."""


class Profile(NamedTuple):
    """What a contract says of itself: by ERC-165, and by answering questions that only one standard knows.

    Either is ``None`` when it tells nothing. ``has_decimals``: its units have places behind the point, which no
    NFT has. ``is_silent``: it answered nothing at all; ``is_absent``: as an address without a contract does.
    """

    standard: str | None
    behaves: str | None
    has_decimals: bool
    is_silent: bool
    is_absent: bool
    name: str | None
    symbol: str | None

    @property
    def is_fungible(self) -> bool:
        """Whether it holds money: it has decimals, and says of no NFT standard that it follows it."""
        return self.has_decimals and self.standard is None


class Contracts:
    """The contracts of one chain that logs have named, each asked once.

    ``nfts``: hold NFTs though their logs look like ERC-20's; ``fungible``: hold none though their logs look like
    ERC-721's; ``punks``: have the events of CryptoPunks.
    """

    def __init__(self, ask: Ask, chain_id: int, known: Iterable[str] = (), named: Iterable[str] = ()) -> None:
        """``known`` are described already; ``named`` are an operator's: NFT contracts unless they are plainly none."""
        self.nfts: set[str] = set()
        self.fungible: set[str] = set()
        self.punks: set[str] = set()
        self._ask = ask
        self._chain_id = chain_id
        self._known = set(known)
        self._named = frozenset(named)
        self._old = OLD_NFTS.get(chain_id, {}).keys() | PUNKS.get(chain_id, frozenset())
        self._asked: set[str] = set()
        self._profiles: dict[str, Profile] = {}

    def meet(self, logs: Sequence[RawLog]) -> dict[str, Profile]:
        """Return what the contracts of these logs say of themselves, as far as it is not :meth:`described` yet.

        Each is asked once, whatever becomes of what it said.
        """
        unclear = unclear_contracts(logs, self._chain_id)
        samples = {log.address: log for log in reversed(logs) if log.address in unclear}
        punks = {log.address for log in logs if log.topics and log.topics[0] in PUNK_EVENTS}
        emitters = {log.address for log in logs if log.address in self._named or _is_nft_event(log)}
        emitters |= {log.address for log in logs if log.address in self._old}
        # Of what kind the logs of the unclear ones are is kept nowhere, so that they are asked once a process.
        new = sorted(((emitters - self._known) | unclear | punks | (emitters & self._named)) - self._asked)
        profiles = dict(zip(new, profiles_of(new, samples, self._ask), strict=True))
        # The node that was asked may be a block behind the one that had the logs: asked again at the next log.
        self._asked.update(address for address, profile in profiles.items() if not profile.is_absent)
        for address, profile in profiles.items():
            if address in punks and profile.standard is None:
                self.punks.add(address)
            elif profile.is_fungible and address not in self._old:
                self.fungible.add(address)
            elif not profile.has_decimals and (
                address in self._named or (address in unclear and _holds_nfts(profile))
            ):
                self.nfts.add(address)
            if address not in self.fungible and address not in self._known:
                self._profiles[address] = profile
        # Another thread may take some away meanwhile: see `described`.
        told = {address: self._profiles.get(address) for address in sorted({log.address for log in logs})}
        return {address: profile for address, profile in told.items() if profile is not None}

    def may_hold_nfts(self, address: str) -> bool:
        """Tell whether a contract may hold NFTs although its ``Transfer`` has the form of ERC-20's."""
        return address in self._old or address in self._named or address in self.nfts or address in self.punks

    def described(self, addresses: Iterable[str]) -> None:
        """Take note that what contracts say of themselves is written. May be called while ``meet`` is at work."""
        for address in addresses:
            self._profiles.pop(address, None)


def profiles_of(addresses: Sequence[str], samples: Mapping[str, RawLog], ask: Ask) -> list[Profile]:
    """Ask contracts what they are, whatever they answer: some revert, some burn all gas, some lie.

    ``samples``: a log of those of whom only their behaviour may tell, whose last word would be a token id.
    """
    calls = []
    for address in addresses:
        last = _last_word(samples[address]) if address in samples else None
        questions = [*_QUESTIONS, abi.of_token(abi.OWNER_OF, last or 0)]
        calls += [("eth_call", [{"to": address, "data": data, "gas": GAS}, "latest"]) for data in questions]
    answers = [None if isinstance(answer, RpcError) else answer for answer in ask(calls)]
    count = len(_QUESTIONS) + 1
    return [_profile(answers[place * count : (place + 1) * count]) for place in range(len(addresses))]


def paid_tokens_of(addresses: Sequence[str], ask: Ask) -> list[PaidTokenFacts]:
    """Ask the contracts of tokens that something was paid in for their names, symbols and decimals (EIP-20).

    Whatever they answer: some have no such functions, some have names of 32 bytes. Of one that the node failed to ask
    nothing is returned: it may be asked again.
    """
    questions = (abi.NAME, abi.SYMBOL, abi.DECIMALS)
    calls = [
        ("eth_call", [{"to": address, "data": data, "gas": GAS}, "latest"])
        for address in addresses
        for data in questions
    ]
    answers = ask(calls) if calls else []
    found = []
    for place, address in enumerate(addresses):
        own = answers[3 * place : 3 * place + 3]
        if any(isinstance(answer, RpcError) and not is_of_contract(answer) for answer in own):
            continue
        name, symbol, decimals = (None if isinstance(answer, RpcError) else answer for answer in own)
        number = abi.as_number(decimals)
        found.append(
            PaidTokenFacts(
                address,
                abi.as_text(name),
                abi.as_text(symbol),
                number if number is not None and number < 256 else None,
            )
        )
    return found


def _last_word(log: RawLog) -> int:
    words = [*(bytes.fromhex(topic[2:]) for topic in log.topics), log.data]
    return int.from_bytes(b"".join(words)[-32:], "big")


def _profile(answers: Sequence[Any]) -> Profile:
    erc721, erc1155, anything = map(abi.as_flag, answers[:3])
    decimals = abi.as_number(answers[3])
    standard = None
    if anything is not True and erc721 is not erc1155:  # one who supports what nothing supports is a liar
        standard = ERC721 if erc721 else ERC1155 if erc1155 else None
    # ERC-721 has no decimals; where a contract has them all the same, they are 0.
    has_decimals = decimals is not None and 0 < decimals < 256
    owner = abi.as_number(answers[6])  # 0: the token is burnt by now, and the contract older than ERC-721
    behaves = ERC721 if decimals is None and owner is not None and owner < 2**160 else None
    is_silent = not any(map(abi.as_bytes, answers))
    name, symbol = map(abi.as_text, answers[4:6])
    is_absent = all(answer == "0x" for answer in answers)
    return Profile(standard, behaves, has_decimals, is_silent, is_absent, name, symbol)


def _holds_nfts(profile: Profile) -> bool:
    """Tell whether a contract whose logs name no kind holds NFTs; one that answers nothing is believed to."""
    return ERC721 in (profile.standard, profile.behaves) or profile.is_silent


def _is_nft_event(log: RawLog) -> bool:
    if not log.topics:
        return False
    event = log.topics[0]
    if event == TRANSFER:
        return len(log.topics) == 4
    return event in (TRANSFER_SINGLE, TRANSFER_BATCH, CONSECUTIVE_TRANSFER)
