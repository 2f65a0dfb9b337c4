"""Whatever the order of loads, indexing, forks, rewinds and new rules: transfers follow from what was told alone.

The model is as plain as can be: what the lines stated is folded in their order, and laid over what indexing the final
chain gives in an empty database.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.db.writing import writing
from indexing.follow.rewind import rewind
from indexing.models import IndexedChain
from tests import drawn
from tests.builders import START, load_lines, nft, transfer
from tests.deriving.tables import NFT, TRANSFER, everything, rolled_back
from tests.ingestion.chain import COINS, FROGS, Chain, FakeNode, Tx, tx, units
from tests.ingestion.chain import nft as log
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.ingestion.indexing import classify, ethereum, in_one_go, index
from tokens.models import Nft
from transfers.ledger import derive
from transfers.models import Transfer

pytestmark = pytest.mark.django_db

Token = tuple[str, int]
Fields = dict[str, Any]
Place = tuple[int, int]

TOKENS = [(APES, 1), (APES, 2), (COINS, 1), (FROGS, 1)]
INDEXED = [[""], [APES, COINS]]
COLUMNS = (
    *(
        "transaction_hash",
        "log_index",
        "batch_index",
        "nft__contract__address",
        "nft__token_key",
        "block_number",
    ),
    *("timestamp", "from_address", "to_address", "transaction_from", "amount", "value", "native"),
    *("stated_usd_value", "transfer_type", "markets", "nft_value_amount", "swaps", "is_commercial", "judged"),
)
VERDICT = ("transfer_type", "markets", "nft_value_amount", "swaps", "is_commercial")
NOTHING = {
    "transfer_type": None,
    "markets": "[]",
    "nft_value_amount": None,
    "swaps": "[]",
    "is_commercial": None,
}
ETHER = {"tokenAddress": ZERO, "amount": "500"}

LOGS = st.one_of(
    st.builds(log, st.integers(1, 2), st.sampled_from([ZERO, ALICE]), st.sampled_from([BOB, CAROL])),
    st.builds(lambda who: log(1, BOB, who, FROGS), st.sampled_from([ALICE, CAROL])),
    st.builds(
        lambda who, count: units(1, ZERO, who, count), st.sampled_from([ALICE, BOB]), st.integers(1, 3)
    ),
)
SAID = st.fixed_dictionaries(
    {},
    optional={
        "native": st.sampled_from([None, 1, 2]),
        "usdValue": st.sampled_from([None, 1, 2]),
        "transferType": st.sampled_from(["sale", "swap"]),
        "nftValue": st.just(ETHER),
        "markets": st.sampled_from([[], ["blur"]]),
        "value": st.sampled_from(["7", None]),
    },
)
TX = st.integers(0, 2)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("mine"), st.lists(TX, max_size=2, unique=True)),
        st.tuples(st.just("fork"), st.integers(1, 2), st.lists(TX, max_size=2, unique=True)),
        st.tuples(st.just("index")),
        st.tuples(st.just("rewind"), st.integers(0, 3)),
        st.tuples(st.just("classify")),
        st.tuples(st.just("line"), TX, st.integers(0, 3), st.sampled_from(TOKENS), SAID),
        st.tuples(st.just("part"), TX, st.integers(1, 3), SAID),
        st.tuples(st.just("last"), TX, st.sampled_from(TOKENS), SAID, st.booleans()),
    ),
    min_size=3,
    max_size=12,
)


class Statements:
    """What the lines that were taken say: by transaction and place, and without a place by transaction and NFT."""

    def __init__(self) -> None:
        self.placed: dict[tuple[str, Place], Fields] = {}
        self.loose: dict[tuple[str, Token], Fields] = {}

    def line(self, hash_: str, place: Place, token: Token | None, said: Fields) -> None:
        held = self.placed.setdefault((hash_, place), {})
        held |= said if token is None else {**said, "token": token}
        loose = self.loose.pop((hash_, held["token"]), None) if "token" in held else None
        self.placed[hash_, place] = _clean({**(loose or {}), **_clean(held)})

    def last(self, hash_: str, token: Token, said: Fields) -> None:
        places = [
            place for (of, place), held in self.placed.items() if of == hash_ and held.get("token") == token
        ]
        if places:
            newest = max(places, key=lambda place: (self.placed[hash_, place].get("blockNumber", -1), place))
            self.line(hash_, newest, token, said)
        else:
            held = self.loose.get((hash_, token), {})
            self.loose[hash_, token] = _clean({**held, **said, "token": token})


def _clean(said: Fields) -> Fields:
    return {name: value for name, value in said.items() if value is not None and value != []}


def columns(said: Fields) -> Fields:
    """Columns of a row of which only a statement tells."""
    return {
        **NOTHING,
        "nft__contract__address": said["token"][0],
        "nft__token_key": f"01{said['token'][1]}",
        "block_number": said["blockNumber"],
        "timestamp": said["timestamp"],
        "from_address": said.get("fromAddress"),
        "to_address": said.get("toAddress"),
        "transaction_from": None,
        "amount": 1,
        "value": None if "value" not in said else int(said["value"]),
        "judged": False,
        **stated_columns(said),
    }


def stated_columns(said: Fields) -> Fields:
    """Columns that a statement fills whatever the chain tells."""
    found: Fields = {
        "native": None if "native" not in said else str(said["native"]),
        "stated_usd_value": said.get("usdValue"),
    }
    if {"transferType", "nftValue", "markets"} & said.keys():
        found |= NOTHING
        found["transfer_type"] = said.get("transferType")
        found["nft_value_amount"] = 500 if "nftValue" in said else None
        found["markets"] = '["blur"]' if "markets" in said else "[]"
    return found


def expected(chain_rows: list[Fields], statements: Statements) -> list[Fields]:
    """The transfers that follow from what the chain tells and what was stated."""
    rows = {(row["transaction_hash"], (row["log_index"], row["batch_index"])): row for row in chain_rows}
    token_at = {
        key: (row["nft__contract__address"], int(row["nft__token_key"][2:])) for key, row in rows.items()
    }
    over: dict[tuple[str, Place], list[Fields]] = {key: [] for key in rows}
    strays: dict[tuple[str, Token | None], list[Fields]] = {}
    alone: list[tuple[str, Place | None, Fields]] = []
    for (hash_, place), said in sorted(statements.placed.items()):
        token = said.get("token")
        if token_at.get((hash_, place)) is not None and token in (None, token_at[hash_, place]):
            over[hash_, place].append(said)
        elif any(key[0] == hash_ and token_at[key] == token for key in rows):
            strays.setdefault((hash_, token), []).append(said)
        else:
            alone.append((hash_, place, said))
    for (hash_, token), some in strays.items():
        keys = sorted(key for key in rows if key[0] == hash_ and token_at[key] == token)
        free = [key for key in keys if not over[key]]
        for said, key in zip(some[::-1], free[::-1], strict=False):
            over[key].append(said)
        over[keys[-1]][:0] = some[: max(len(some) - len(free), 0)]
    for (hash_, token), said in statements.loose.items():
        keys = sorted(key for key in rows if key[0] == hash_ and token_at[key] == token)
        if keys:
            over[keys[-1]].insert(0, said)
        else:
            alone.append((hash_, None, said))
    for key, some in over.items():
        said = {name: value for one in some for name, value in one.items()}
        verdict = {name: rows[key][name] for name in VERDICT}
        rows[key] = {**rows[key], **stated_columns(said)}
        rows[key]["transfer_type"] = rows[key]["transfer_type"] or verdict["transfer_type"]
        rows[key]["judged"] = {name: rows[key][name] for name in VERDICT} == verdict
    stand(rows, alone)
    return [
        {**row, "transaction_hash": hash_, "log_index": place[0], "batch_index": place[1]}
        for (hash_, place), row in rows.items()
    ]


def stand(rows: dict[tuple[str, Place], Fields], alone: list[tuple[str, Place | None, Fields]]) -> None:
    """Give those a row of which only statements tell: at their places, else at the first free one of log 0."""
    whole = [one for one in alone if {"token", "blockNumber", "timestamp"} <= one[2].keys()]
    taken = set(rows)
    homeless = []
    for hash_, place, said in whole:
        if place is None or (hash_, place) in taken:
            homeless.append((hash_, said["token"], place or (-1, 0), said))
        else:
            rows[hash_, place] = columns(said)
    for hash_, _, _, said in sorted(homeless, key=lambda one: one[:3]):
        free = next(at for at in range(99) if (hash_, (0, at)) not in rows)
        rows[hash_, (0, free)] = columns(said)


def stored() -> list[Fields]:
    """The transfers in the database."""
    return plain(dict(zip(COLUMNS, row, strict=True)) for row in Transfer.objects.values_list(*COLUMNS))


def plain(rows: Iterable[Fields]) -> list[Fields]:
    """Rows with plain numbers."""
    numbers = ("amount", "value", "nft_value_amount", "stated_usd_value")
    return [
        {name: int(value) if name in numbers and value is not None else value for name, value in row.items()}
        for row in rows
    ]


def in_order(rows: list[Fields]) -> list[list[Any]]:
    return sorted(([row[name] for name in COLUMNS] for row in rows), key=repr)


class History:
    """A chain, a database and the model beside them."""

    def __init__(self, pool: list[Tx], contracts: list[str]) -> None:
        self.pool, self.contracts = pool, contracts
        self.chain = Chain()
        self.chain.mine()
        self.statements = Statements()
        self.named: set[Token] = set()

    def act(self, kind: str, *rest: Any) -> None:
        getattr(self, f"_{kind}")(*rest)

    def _mine(self, wanted: list[int]) -> None:
        mined = {one.hash for block in self.chain.blocks for one in block.transactions}
        self.chain.mine(*(self.pool[at] for at in wanted if self.pool[at].hash not in mined))

    def _fork(self, back: int, wanted: list[int]) -> None:
        back = min(back, self.chain.head - 1)
        if back:
            self.chain.fork(back=back)
            self._mine(wanted)
            for _ in range(back):
                self.chain.mine()

    def _index(self) -> None:
        index(FakeNode(self.chain), contracts=self.contracts)

    def _rewind(self, last: int) -> None:
        rewind(ethereum(), last)

    def _classify(self) -> None:
        if IndexedChain.objects.exists():
            classify()

    def _line(self, at: int, log_index: int, token: Token, said: Fields) -> None:
        hash_ = self.pool[at].hash
        line = transfer(
            str(token[1]),
            token[0],
            block=90 + at,
            log=log_index,
            sender=CAROL,
            receiver=ALICE,
            transactionHash=hash_,
            **said,
        )
        assert load_lines([line]).faults == []
        whole = {
            "blockNumber": 90 + at,
            "timestamp": START + 12 * (90 + at),
            "fromAddress": CAROL,
            "toAddress": ALICE,
        }
        self.named.add(token)
        self.statements.line(hash_, (log_index, 0), token, {**whole, **said})

    def _part(self, at: int, log_index: int, said: Fields) -> None:
        """Taken where the transfer is known."""
        hash_ = self.pool[at].hash
        line = {
            "record": "transfer",
            "chain": "ethereum",
            "transactionHash": hash_,
            "logIndex": log_index,
            **said,
        }
        is_known = (hash_, (log_index, 0)) in self.statements.placed or Transfer.objects.filter(
            transaction_hash=hash_, log_index=log_index, origin=Transfer.Origin.CHAIN
        ).exists()
        assert load_lines([line]).fault_count == (not is_known)
        if is_known:
            self.statements.line(hash_, (log_index, 0), None, said)

    def _last(self, at: int, token: Token, said: Fields, is_whole: bool) -> None:
        """Taken where it says all that a row needs, or the transfer is known; the NFT's own line stands."""
        hash_ = self.pool[at].hash
        self.named.add(token)
        whole = {"blockNumber": 90 + at, "timestamp": START + 12 * (90 + at)} if is_whole else {}
        line = nft(str(token[1]), token[0], lastTransfer={"transactionHash": hash_, **whole, **said})
        if load_lines([line]).fault_count == 0:
            self.statements.last(hash_, token, {**whole, **said})
        else:
            assert not is_whole

    def check(self) -> None:
        """Compare what is stored with the model, and what is derived with all of it derived anew."""
        names = (*NFT, *TRANSFER)
        alone = in_one_go(FakeNode(self.chain), contracts=self.contracts)["transfers"]
        chain_rows = plain(dict(zip(names, row, strict=True)) for row in alone)
        assert in_order(stored()) == in_order(expected(chain_rows, self.statements))
        found = everything()
        with rolled_back(), writing():
            derive.refresh(restated=set(Nft.objects.values_list("id", flat=True)))
            assert everything() == found
        nfts = {(row[1], int(row[2][2:])) for row in found["nfts"]}
        moved = {(row["nft__contract__address"], int(row["nft__token_key"][2:])) for row in stored()}
        assert nfts == moved | self.named


@drawn.examples(30)
@given(
    st.lists(st.lists(LOGS, min_size=1, max_size=4), min_size=3, max_size=3), st.sampled_from(INDEXED), STEPS
)
def test_transfers_follow_from_what_was_stated_and_from_the_chain_as_it_is(
    pool: list[Any], contracts: list[str], steps: list[Any]
) -> None:
    with rolled_back():
        history = History([tx(*logs, sender=BOB) for logs in pool], contracts)
        for step in steps:
            history.act(*step)
        history._index()
        history.check()
