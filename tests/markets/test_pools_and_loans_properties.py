"""Whatever the logs of pools, vaults, zaps and loans hold, and whoever emits them, reading goes on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexing.judge.markets import blend, loans, nftx, sudoswap
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, UNHURRIED, word
from tests.markets.blur_events import BLEND
from tests.markets.building import POOL_ETHER, WETH, erc20, erc721, of_transaction, verdict
from tests.markets.loan_events import ARCADE, BENDDAO, NFTFI_2
from tests.markets.nftx_events import NFTX_1, VAULT, ZAP_2
from tests.markets.sudoswap_events import POOL

_EVENTS = [
    *sudoswap.EVENTS,
    *(*nftx.VAULT_EVENTS, *nftx.NUMBERED_EVENTS, *nftx.ZAP_EVENTS),
    *(blend.LOAN_OFFER_TAKEN, blend.REPAY, blend.REFINANCE, blend.SEIZE, blend.BUY_LOCKED),
    *(*loans.NFTFI, *loans.ARCADE, *loans.BENDDAO, loans.LIQUIDATE),
]
_TOPICS = [event.topic for event in _EVENTS]
_CONTRACTS = [POOL, VAULT, ZAP_2, NFTX_1, BLEND, NFTFI_2, ARCADE, BENDDAO, APES, ALICE]
_PARTIES = st.sampled_from([*_CONTRACTS, BOB])
_WORDS = st.sampled_from([*(word(one) for one in (0, 1, 7, 32, 64, 96, 2**255)), *map(word, _CONTRACTS)])


@st.composite
def _log(draw: st.DrawFn) -> RawLog:
    sender, receiver = draw(_PARTIES), draw(_PARTIES)
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return erc721(APES, draw(st.sampled_from([1, 7])), sender, receiver, index=0)
    if kind == 1:
        currency = draw(st.sampled_from([WETH, POOL_ETHER, VAULT]))
        return erc20(currency, draw(st.integers(0, 2)), sender, receiver, index=0)
    topics = ["0x" + one for one in draw(st.lists(_WORDS, max_size=3))]
    data = bytes.fromhex("".join(draw(st.lists(_WORDS, max_size=12))))[: draw(st.integers(0, 384))]
    plain = erc20(draw(_PARTIES), 1, ALICE, BOB, index=0)
    return plain._replace(topics=(draw(st.sampled_from(_TOPICS)), *topics), data=data)


@UNHURRIED
@given(st.lists(_log(), max_size=15), _PARTIES, st.integers(0, 2))
def test_any_of_their_logs_make_a_verdict_and_no_price_that_nobody_brought(
    logs: list[RawLog], target: str, value: int
) -> None:
    placed = [one._replace(log_index=place) for place, one in enumerate(logs)]
    found = verdict(of_transaction(placed, target=target, value=value))
    native = [
        fill for fill in found.fills if fill.protocol == "sudoswap" and fill.currency == "0x" + "0" * 40
    ]
    assert sum(fill.price for fill in native) <= value
