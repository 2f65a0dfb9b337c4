"""A chain made by hand on which people trade: what they do, as the logs of the contracts and as deeds of the model.

Who cannot do what a wish says does not: the chain never tells what its contracts would refuse.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from core.net.rpc.errors import RpcError
from indexing.judge.markets.seaport_books import validated
from indexing.judge.markets.seaport_parameters import order_hash
from indexing.node.logs import RawLog
from tests.ingestion.chain import (
    COINS,
    MOVES,
    Chain,
    Emitted,
    FakeNode,
    Mined,
    Moved,
    Tx,
    emitted,
    nft,
    tx,
    units,
)
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO, word
from tests.ingestion.selling import as_emitted
from tests.markets import order_logs as logs
from tests.markets import punk_events as punks
from tests.markets.foundation_events import FOUNDATION
from tests.markets.looksrare_events import LOOKSRARE_2, some_of_2
from tests.markets.seaport_events import SEAPORT_16, nft_item, order_fulfilled, paid
from tests.markets.zora_events import ASKS
from tests.oracle.order_books import NFT, Books, Deed

ETH = 10**18
PEOPLE = (ALICE, BOB, CAROL)
HELPER = "0x909e9efe4d87d1a6018c2065ae642b6d0447bc91"
"""Zora's, which moves what is sold."""
PUNK = (punks.PUNKS, 7)
COUNTER = "CounterIncremented(uint256,address)"
APPROVAL = "ApprovalForAll(address,address,bool)"

Meant = tuple[Emitted, Deed | None]


class Trading:
    """The chain, and what each log on it means; all is minted in blocks 1 and 3, from which on it may be indexed.

    Wishes are a kind and numbers, taken modulo what there is to choose from.
    """

    def __init__(self) -> None:
        self.chain = Chain()
        self.deeds: dict[tuple[str, int], Deed] = {}
        self._salt = itertools.count(1)
        mint = emitted("Assign(address,uint256)", [ALICE], word(7), punks.PUNKS)
        first = (mint, Deed("move", {"nft": PUNK, "sender": ZERO, "receiver": ALICE, "units": 1}))
        self.mine([first, *(self._ape(token, ZERO, who) for token, who in ((1, ALICE), (2, BOB)))])
        self.chain.mine()
        self.mine([self._coins(ZERO, BOB, 9)], [self._coins(ZERO, CAROL, 2)])

    def mine(self, *transactions: Sequence[Meant]) -> None:
        """Add a block."""
        self.chain.mine(*(self.transaction(one) for one in transactions))

    def transaction(self, meant: Sequence[Meant], **of: Any) -> Tx:
        """A transaction with these logs, which keeps its meaning in whatever block it is."""
        made = tx(*(log for log, _ in meant), **of)
        self.deeds |= {(made.hash, at): deed for at, (_, deed) in enumerate(meant) if deed is not None}
        return made

    def trade(self, wish: tuple[str, int, int, int]) -> None:
        """Add a block in which a wish came true, or none if it cannot."""
        kind, *numbers = wish
        done = getattr(self, f"_do_{kind}")(self.books(), *numbers)
        if done is not None:
            self.chain.mine(done if isinstance(done, Tx) else self.transaction(done))

    def fork(self, back: int, kept: int) -> None:
        """Take blocks away, and put the first of their transactions into one block."""
        lost = self.chain.fork(back=min(back, self.chain.head - 3))
        again = [one for block in lost for one in block.transactions][:kept]
        if lost:
            self.chain.mine(*again)

    def books(self, blocks: Sequence[Mined] | None = None, begin: int = 0, **stated: Any) -> Books:
        """The markets as the model has them after some blocks, or all."""
        return Books(stated.get("stated", {}), begin).play(self._played(blocks or self.chain.blocks))

    def node(self) -> FakeNode:
        """A node that serves the chain, whose contracts tell approvals and counters, and what moves would do."""
        node = FakeNode(self.chain)

        def answer(address: str, data: str, block: int) -> Any:
            return self._answer(address, data, block, node.sender or "")

        node.contracts = dict.fromkeys((APES, COINS, SEAPORT_16), answer)
        return node

    def _answer(self, address: str, data: str, block: int, sender: str) -> Any:
        books = self.books(self.chain.blocks[: block + 1])
        who = ["0x" + data[10 + 64 * at + 24 : 74 + 64 * at] for at in (0, 1)]
        if data.startswith("0xe985e9c5"):
            return "0x" + word(int(books.approved.get((address, who[0], who[1]), False)))
        if data.startswith(MOVES) and books.approved.get((address, who[0], sender)):
            of = address, int(data[138:202], 16)
            units = 1 if data.startswith(MOVES[0]) else int(data[202:266], 16)
            if self.chain.balance(*of, who[0], block) >= units:
                return "0x"
        if data.startswith("0x46423aa7"):
            hash_ = "0x" + data[10:]
            whole = books.offers[hash_].amount if hash_ in books.offers else 5 if hash_ == PARTLY else 1
            taken = sum(count for _, count in books.fills.get(hash_, ()))
            told = (1, int(hash_ in books.cancelled), taken, (whole or 1) if taken else 0)
            return "0x" + "".join(word(one) for one in told)
        if data.startswith("0xf07ec373"):
            return "0x" + word(books.counters.get((SEAPORT_16, who[0]), 0))
        if data.startswith("0x00fdd58e"):
            return "0x" + word(self.chain.balance(address, int(data[74:], 16), who[0], block))
        return RpcError("played", 3, "execution reverted")

    def _played(self, blocks: Sequence[Mined]) -> Iterator[tuple[int, int, str, str, Deed]]:
        for block in blocks:
            index = itertools.count()
            for one in block.transactions:
                for at, _ in enumerate(one.logs):
                    name = f"{one.hash}:{next(index)}"
                    if (one.hash, at) in self.deeds:
                        yield block.number, block.timestamp, one.hash, name, self.deeds[one.hash, at]

    # Moves and approvals.

    def _ape(self, token: int, sender: str, receiver: str) -> Meant:
        values = {"nft": (APES, token), "sender": sender, "receiver": receiver, "units": 1}
        return nft(token, sender, receiver), Deed("move", values)

    def _coins(self, sender: str, receiver: str, count: int) -> Meant:
        values = {"nft": (COINS, 1), "sender": sender, "receiver": receiver, "units": count}
        return units(1, sender, receiver, count), Deed("move", values)

    def _do_ape(self, books: Books, token: int, to: int, _: int) -> list[Meant] | None:
        owner, token = _owner(books, (APES, 1 + token % 2)), 1 + token % 2
        receiver = PEOPLE[to % 3]
        return None if owner in (FOUNDATION, receiver) else [self._ape(token, owner, receiver)]

    def _do_coins(self, books: Books, giver: int, to: int, count: int) -> list[Meant] | None:
        sender, receiver = PEOPLE[giver % 3], PEOPLE[to % 3]
        held = books.held[COINS, 1].get(sender, 0)
        return [self._coins(sender, receiver, min(held, 1 + count))] if held and sender != receiver else None

    def _do_approve(self, books: Books, who: int, operator: int, flag: int) -> list[Meant]:
        contract, by = ((APES, HELPER), (APES, SEAPORT_16), (COINS, SEAPORT_16))[operator % 3]
        values: dict[str, Any] = {
            "contract": contract,
            "maker": PEOPLE[who % 3],
            "operator": by,
            "flag": bool(flag % 3),
        }
        log = emitted(APPROVAL, [PEOPLE[who % 3], by], word(int(values["flag"])), contract)
        return [(log, Deed("approve", values))]

    # Markets that keep one order an NFT.

    def _do_zora(self, books: Books, token: int, act: int, price: int) -> list[Meant] | None:
        token, owner = 1 + token % 2, _owner(books, (APES, 1 + token % 2))
        of: dict[str, Any] = {"exchange": ASKS, "nft": (APES, token)}
        named = books.standing.get((ASKS, (APES, token)))
        seller = owner if named is None else books.offers[named].maker
        ask: dict[str, Any] = {"token_id": token, "price": (1 + price) * ETH, "seller": seller}
        cancelled = (_log(logs.ask_canceled(**ask)), Deed("end", {**of, "outcome": "cancelled"}))
        if named is not None and act % 4 == 0:
            return [cancelled]
        if named is not None and act % 4 == 1:
            return [(_log(logs.ask_updated(**ask)), Deed("reprice", {**of, "price": 1 + price}))]
        if owner == FOUNDATION:
            return None
        ask["seller"] = owner
        terms = {**of, "market": "zora", "price": 1 + price, "maker": owner, "operator": HELPER}
        opened = (_log(logs.ask_created(**ask)), Deed("open", terms))
        return [opened] if named is None else [cancelled, opened]

    def _do_escrow(self, books: Books, token: int, act: int, price: int) -> list[Meant] | None:
        token, owner = 1 + token % 2, _owner(books, (APES, 1 + token % 2))
        of: dict[str, Any] = {"exchange": FOUNDATION, "nft": (APES, token)}
        named = books.standing.get((FOUNDATION, (APES, token)))
        seller = owner if named is None else books.offers[named].maker
        assert seller is not None
        price_set = _log(logs.price_set(token_id=token, price=price * ETH, seller=seller))
        terms = {**of, "market": "foundation", "price": price, "maker": seller, "wakes": False}
        opened = (price_set, Deed("open", {**terms, "holder": FOUNDATION}))
        if named is None:
            return [self._ape(token, owner, FOUNDATION), opened]
        if act % 2:
            return [opened]
        ended = _log(logs.price_canceled(token_id=token)), Deed("end", {**of, "outcome": "cancelled"})
        return [ended, self._ape(token, FOUNDATION, seller)]

    def _do_punk(self, books: Books, act: int, who: int, price: int) -> list[Meant] | Tx | None:
        owner, other = _owner(books, PUNK), PEOPLE[who % 3]
        of: dict[str, Any] = {"exchange": punks.PUNKS, "nft": PUNK}
        named = books.standing.get((punks.PUNKS, PUNK))
        terms = {**of, "market": "cryptopunks", "price": 1 + price, "wakes": False}
        done: list[Meant] = []
        if act % 4 == 0:
            done = [(_log(logs.punk_offered(7, (1 + price) * ETH, ZERO)), Deed("open", terms))]
        elif act % 4 == 1:
            terms["taker"] = other
            done = [(_log(logs.punk_offered(7, (1 + price) * ETH, other)), Deed("open", terms))]
        elif act % 4 == 2:
            done = [(_log(logs.punk_no_longer(7)), Deed("end", {**of, "outcome": "cancelled"}))]
        elif other != owner:
            done = self._punk_moved(owner, other, named is not None and books.offers[named].taker is None)
        return self.transaction(done, target=punks.PUNKS, value=ETH) if done else None

    def _punk_moved(self, owner: str, other: str, is_sold: bool) -> list[Meant]:
        of: dict[str, Any] = {"exchange": punks.PUNKS, "nft": PUNK}
        move = Deed("move", {"nft": PUNK, "sender": owner, "receiver": other, "units": 1})
        end = Deed("end", {**of, "outcome": "filled" if is_sold else "cancelled"})
        moved = punks.buy_punk(7, ETH, owner, other) if is_sold else punks.transfer_punk(7, owner, other)
        found: list[Meant] = [(_log(moved[0]), None), *((_log(one), end) for one in moved[1:])]
        return [(found[0][0]._replace(moves=[Moved(*PUNK, owner, other, 1)]), move), *found[1:]]

    # Orders with hashes.

    def _do_validate(self, books: Books, which: int, kind: int, price: int) -> list[Meant] | None:
        of: NFT = ((APES, 1), (APES, 2), (COINS, 1))[which % 3]
        maker = _owner(books, of)
        count, price = (1, 1 + price) if of[0] == APES else (1 + price % 4, 1 + price)
        if maker == FOUNDATION:
            return None
        counter = books.counters.get((SEAPORT_16, maker), 0)
        wanted = count * price * ETH
        log = logs.validated(
            [(2 if of[0] == APES else 3, *of, count, count)],
            [((0, ZERO, next(self._salt), wanted, wanted), maker)],
            kind=2 * (kind % 2) + (of[0] == COINS),  # what there are units of is sold in parts
        )
        log = log._replace(data=log.data.replace(word_of(BOB), word_of(maker)))
        hash_ = order_hash(validated(log)[1], counter)
        log = log._replace(data=bytes.fromhex(hash_[2:]) + log.data[32:])
        terms = {
            "hash": hash_,
            "market": "opensea",
            "nft": of,
            "price": price,
            "maker": maker,
            "operator": SEAPORT_16,
            "exchange": SEAPORT_16,
            "nonce": counter,
            "wakes": not kind % 2,
            "amount": count,
        }
        return [(_log(log), Deed("open", terms))]

    def _do_cancel(self, books: Books, which: int, *_: int) -> list[Meant] | None:
        hash_ = self._hash(books, which)
        log = emitted("OrderCancelled(bytes32,address,address)", [BOB, ZERO], hash_[2:], SEAPORT_16)
        return [(log, Deed("cancel", {"hash": hash_}))]

    def _do_counter(self, books: Books, who: int, *_: int) -> list[Meant]:
        maker = PEOPLE[who % 3]
        value = 5 + books.counters.get((SEAPORT_16, maker), 0)
        values = {"exchange": SEAPORT_16, "maker": maker, "value": value}
        return [(emitted(COUNTER, [maker], word(value), SEAPORT_16), Deed("counter", values))]

    def _do_nonces(self, books: Books, who: int, nonce: int, _: int) -> list[Meant]:
        maker, nonces = PEOPLE[who % 3], [nonce % 4, 9]
        values = {"exchange": LOOKSRARE_2, "maker": maker, "values": nonces}
        return [(_log(some_of_2(user=maker, nonces=nonces)), Deed("nonce", values))]

    def _do_fill(self, books: Books, which: int, who: int, count: int) -> Tx | None:
        """What an order sells is bought by it: whole or in part, as long as its seller has it."""
        hash_, buyer = self._hash(books, which), PEOPLE[who % 3]
        of, seller, left = (APES, 1 + which % 2), _owner(books, (APES, 1 + which % 2)), 1
        if hash_ in books.offers:
            of, seller = books.offers[hash_].nft, books.offers[hash_].maker or ""
            left = (books.found()[hash_].amount or 0) if books.found()[hash_].status == "open" else 0
        elif hash_ == PARTLY:
            of, seller, left = (COINS, 1), BOB, 5 - sum(count for _, count in books.fills.get(hash_, ()))
        elif hash_ in books.fills:
            left = 0
        count = min(1 + count % 2, books.held[of].get(seller, 0), left)
        if count < 1 or seller in (buyer, FOUNDATION) or hash_ in books.cancelled:
            return None
        sold = order_fulfilled(
            offerer=seller,
            recipient=buyer,
            offer=[nft_item(*of, amount=count, kind=3 if of[0] == COINS else 2)],
            consideration=[paid(ETH, seller)],
            order=hash_,
            contract=SEAPORT_16,
        )
        move = self._coins(seller, buyer, count) if of[0] == COINS else self._ape(of[1], seller, buyer)
        meant = [(as_emitted(sold), Deed("fill", {"hash": hash_, "units": count})), move]
        return self.transaction(meant, sender=buyer, target=SEAPORT_16, value=ETH)

    def _hash(self, books: Books, which: int) -> str:
        """An order that stands on the chain, or one that files tell of."""
        found = sorted(name for name, one in books.offers.items() if one.market == "opensea")
        return [*map(hash_of, range(6)), *found][::-1][which % (len(found) + 6)]


def hash_of(number: int) -> str:
    """The hash of an order that files tell of."""
    return "0x" + f"{number + 1:02x}" * 32


PARTLY = hash_of(4)
"""An order of five units of Bob's that files tell of."""


def word_of(address: str) -> bytes:
    """An address as a word."""
    return bytes.fromhex(word(address))


def _owner(books: Books, of: NFT) -> str:
    return max(books.held[of].items(), key=lambda one: (one[1], one[0]))[0]


def _log(log: RawLog) -> Emitted:
    return as_emitted(log)
