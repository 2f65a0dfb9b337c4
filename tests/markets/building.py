"""Transactions made by hand, log by log, and what they were judged to be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import pytest

from indexing.decode.decode import decode
from indexing.decode.moves import Move
from indexing.judge.classify import classify
from indexing.judge.markets.listings import Listings, noted
from indexing.judge.markets.orders import order_events
from indexing.judge.markets.registry import registry
from indexing.judge.verdicts import Judgement, Verdict
from indexing.node.logs import RawLog
from indexing.node.transactions import ChainTransaction
from tests.ingestion.encoding import ALICE, APES, BLOCK, LATER, TRANSACTION, log, word
from tests.markets.currencies import ETHER, WETH
from tests.markets.explained import hold_together
from transfers.ledger.order_facts import OrderEvent

ETHEREUM = 1
PRICELESS = "It was sold, but nothing in the transaction tells the price."
"""The fault of a sale whose price nothing tells."""


def erc721(contract: str, token_id: int, sender: str, receiver: str, *, index: int = LATER) -> RawLog:
    """The `Transfer` of an ERC-721 token."""
    signature = "Transfer(address,address,uint256)"
    return log(signature, [sender, receiver, token_id], contract=contract, index=index)


def erc1155(
    contract: str,
    token_id: int,
    amount: int,
    sender: str,
    receiver: str,
    *,
    index: int = LATER,
    operator: str = ALICE,
) -> RawLog:
    """The `TransferSingle` of an ERC-1155 token."""
    signature = "TransferSingle(address,address,address,uint256,uint256)"
    data = word(token_id) + word(amount)
    return log(signature, [operator, sender, receiver], data, contract=contract, index=index)


def erc20(currency: str, amount: int, sender: str, receiver: str, *, index: int = LATER) -> RawLog:
    """The `Transfer` of an ERC-20 token, in base units."""
    signature = "Transfer(address,address,uint256)"
    return log(signature, [sender, receiver], word(amount), contract=currency, index=index)


def ape(sender: str, receiver: str, token_id: int = 7) -> RawLog:
    """The `Transfer` of an ape."""
    return erc721(APES, token_id, sender, receiver)


def weth(amount: int, sender: str, receiver: str) -> RawLog:
    """The `Transfer` of wrapped ether, in wei."""
    return erc20(WETH, amount, sender, receiver)


def of_transaction(
    logs: Sequence[RawLog], *, sender: str = ALICE, target: str | None = None, value: int = 0
) -> ChainTransaction:
    """A transaction with these logs, which may be given in any order; `value` is in wei."""
    return ChainTransaction(
        hash=TRANSACTION,
        index=5,
        block_number=BLOCK,
        timestamp=1_700_000_000,
        sender=sender,
        target=target,
        value=value,
        logs=tuple(sorted(_numbered(logs), key=lambda one: one.log_index)),
    )


def _numbered(logs: Sequence[RawLog]) -> Iterator[RawLog]:
    """Give each log that has no index of its own the next one; the first is 1."""
    last = 0
    for one in logs:
        last = last + 1 if one.log_index == LATER else one.log_index
        yield one._replace(log_index=last)


def moves_of(transaction: ChainTransaction, chain_id: int = ETHEREUM) -> list[Move]:
    """The NFT moves of a transaction, in log order."""
    decoded = decode(transaction.logs, chain_id)
    assert decoded.undecoded == []
    return decoded.moves


def verdict(
    transaction: ChainTransaction, chain_id: int = ETHEREUM, earlier: Sequence[RawLog] = ()
) -> Verdict:
    """What a transaction was, by the built-in markets of a chain; what is told of it may not contradict that.

    `earlier` are logs of a transaction in the block before.
    """
    moves = moves_of(transaction, chain_id)
    found = classify(transaction, moves, registry(chain_id), listings=_listings(earlier, chain_id))
    hold_together(transaction, moves, found)
    return found


def _listings(logs: Sequence[RawLog], chain_id: int) -> Listings:
    before = of_transaction(logs)
    events = order_events(before.logs, registry(chain_id), moves_of(before, chain_id))
    return Listings(noted((BLOCK - 1, one) for one in events if isinstance(one, OrderEvent)))


def sold(price: int, currency: str = ETHER) -> Judgement:
    """A sale of one NFT at a price of its own, in base units."""
    return Judgement("sale", currency, price)


Faults = int | Sequence[int | str | tuple[str, int] | tuple[int, int] | tuple[int, str]]
"""What a row says of faults; see :meth:`Case.was`."""


class Row(Protocol):
    """A row of a table of what is said."""

    def holds(self) -> None:
        """Assert it."""


def judged(rows: Mapping[str, Row]) -> Callable[[Row], None]:
    """The test of a table: each of its rows holds."""

    @pytest.mark.parametrize("row", rows.values(), ids=rows)
    def holds(row: Row) -> None:
        row.holds()

    return holds


class Case:
    """A transaction, and what is said of it: ``Case(log, log, to=MARKET, value=100).was(sold(100))``."""

    def __init__(
        self,
        *logs: RawLog | Sequence[RawLog],
        to: str | None = None,
        value: int = 0,
        sender: str = ALICE,
        chain: int = ETHEREUM,
        earlier: Sequence[RawLog] = (),
    ) -> None:
        each = [log for some in logs for log in ([some] if isinstance(some, RawLog) else some)]
        self.sent = of_transaction(each, sender=sender, target=to, value=value)
        self.chain = chain
        self.earlier = earlier
        self._variants: list[tuple[ChainTransaction, int, dict[str, Any]]] = []
        self._next = self.sent, chain

    def was(
        self,
        *judgements: Judgement | str,
        faults: Faults = (),
        also: Callable[[Verdict], object] | None = None,
        **said: Any,
    ) -> Case:
        """Say what it was; what is not said is not looked at, faults excepted.

        Each move was what a judgement says, or of a type and without a price. Of each fault the index of its log is
        said, its market's protocol before that, its price or words of its reason behind, or only such words, or of
        all their number. `markets`, `commercial`, `at` (commercial, and of one market), `fills` (their number) and
        `swaps` (all that has legs has these) are the verdict's; `deal` is side, seller and buyer of its first fill,
        any other name a field of that.
        """
        self._variants.append(
            (*self._next, {"judgements": judgements, "faults": faults, "also": also, **said})
        )
        return self

    def but(self, *, chain: int | None = None, **changes: Any) -> Case:
        """Say what the same logs are in another transaction, to another contract, of another `value` or `sender`."""
        changes = {"target" if name == "to" else name: value for name, value in changes.items()}
        self._next = replace(self.sent, **changes), self.chain if chain is None else chain
        return self

    @property
    def is_sound(self) -> bool:
        """Whether no fault is said."""
        return bool(self._variants[0][2]["faults"] == ())

    def holds(self) -> None:
        """Assert it."""
        for sent, chain, told in self._variants:
            said = dict(told)
            found = verdict(sent, chain, self.earlier)
            _judged_as(found, said.pop("judgements"))
            _faulty_as(found, said.pop("faults"))
            also = said.pop("also")
            for name, value in said.items():
                assert _of_verdict(found, name) == value, name
            assert also is None or also(found)


def _of_verdict(found: Verdict, name: str) -> object:
    if name == "at":
        assert found.is_commercial
        (market,) = found.markets
        return market
    if name == "swaps":
        (legs,) = {one.swaps for one in found.judgements if one.swaps} or {()}
        return legs
    if name == "deal":
        return found.fills[0].side, found.fills[0].seller, found.fills[0].buyer
    whole = {"markets": found.markets, "commercial": found.is_commercial, "fills": len(found.fills)}
    return whole[name] if name in whole else getattr(found.fills[0], name)


def _judged_as(found: Verdict, said: Sequence[Judgement | str]) -> None:
    """Legs beside a move that is said by its type alone are not looked at."""
    bare = [
        one._replace(swaps=()) if isinstance(was, str) else one
        for one, was in zip(found.judgements, said, strict=True)
    ]
    assert bare == [Judgement(one) if isinstance(one, str) else one for one in said]


def _faulty_as(found: Verdict, said: Faults) -> None:
    if isinstance(said, int):
        assert len(found.faults) == said, found.faults
        return
    assert len(found.faults) == len(said), found.faults
    for one, what in zip(found.faults, said, strict=True):
        if isinstance(what, str):
            assert what in one.reason
        elif isinstance(what, tuple) and isinstance(what[1], str):
            assert (one.log_index, what[1] in one.reason) == (what[0], True), one
        else:
            known = one.log_index, (one.protocol, one.log_index), (one.log_index, one.price)
            assert what in known, one
