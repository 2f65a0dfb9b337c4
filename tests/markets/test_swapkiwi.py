"""SwapKiwi: `SwapExecuted` in both layouts as they are published, behind what the contract gave out."""

from __future__ import annotations

from indexing.judge.verdicts import Leg
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, LATER, log
from tests.markets.building import PRICELESS, Case, ape, erc721, erc1155, judged, of_transaction, verdict

FIRST = "0x4748495153fb86637e4fdd8e50e3c1f611f15930"
LAST = "0x1c1919ec9de318b58fa66bae7449438c673e10b8"
CATS = "0x" + "ca" * 19 + "75"


def executed(
    initiator: str, joiner: str, *, index: int = LATER, kind: str = "uint256", contract: str = FIRST
) -> RawLog:
    """`SwapExecuted`: `uint64` in the last version."""
    topics: list[int | str] = [initiator, joiner, 5]
    return log(f"SwapExecuted(address,address,{kind})", topics, contract=contract, index=index)


def test_what_both_get_out_of_custody_is_a_swap_with_both_legs() -> None:
    logs = [erc721(CATS, 8, FIRST, ALICE), erc721(APES, 7, FIRST, BOB), executed(ALICE, BOB)]
    found = verdict(of_transaction(logs, target=FIRST))
    legs = (Leg(CATS, 8, FIRST, ALICE, 1, "swapkiwi"), Leg(APES, 7, FIRST, BOB, 1, "swapkiwi"))
    assert [(one.transfer_type, one.swaps) for one in found.judgements] == [("swap", legs)] * 2
    assert (found.markets, found.is_commercial, found.faults) == (("swapkiwi",), True, ())


def test_each_swap_has_what_left_custody_since_the_one_before_it() -> None:
    logs = [
        erc721(CATS, 8, FIRST, ALICE),
        erc721(APES, 7, FIRST, BOB),
        executed(ALICE, BOB),
        erc721(CATS, 9, FIRST, ALICE),
        erc721(APES, 6, FIRST, CAROL),
        executed(ALICE, CAROL),
    ]
    found = verdict(of_transaction(logs, target=CAROL))
    assert [leg.token_id for leg in found.judgements[3].swaps] == [9, 6]


CASES = {
    **{
        f"nfts that one of them gets were sold for ether that nobody knows: {label}": Case(
            erc1155(APES, 7, 3, LAST, receiver), executed(ALICE, BOB, kind="uint64", contract=LAST), to=LAST
        ).was(
            "sale",
            seller=seller,
            buyer=receiver,
            also=lambda found: [one.reason for one in found.faults] == [PRICELESS],
            faults=(2,),
        )
        for label, (receiver, seller) in enumerate([(ALICE, BOB), (BOB, ALICE)], 1)
    },
    **{
        f"proposing and cancelling a swap is custody: {label}": Case(
            ape(sender, receiver), log(event, [ALICE, 5], contract=FIRST), to=FIRST, value=5
        ).was("transfer", markets=(), commercial=False, fills=0)
        for label, (event, sender, receiver) in enumerate(
            [
                ("SwapProposed(address,address,uint256,address[],uint256[])", ALICE, FIRST),
                ("SwapCanceled(address,uint256)", FIRST, ALICE),
            ],
            1,
        )
    },
}


test_swapkiwi = judged(CASES)


def test_a_malformed_event_is_a_fault_and_the_rest_is_read() -> None:
    good = executed(ALICE, BOB, index=4)
    logs = [
        good._replace(topics=good.topics[:3], log_index=1),
        erc721(CATS, 8, FIRST, ALICE, index=2),
        erc721(APES, 7, FIRST, BOB, index=3),
        good,
    ]
    found = verdict(of_transaction(logs, target=FIRST))
    assert [fault.log_index for fault in found.faults] == [1]
    assert [one.transfer_type for one in found.judgements] == ["swap", "swap"]


def test_the_same_event_of_another_contract_says_nothing() -> None:
    logs = [erc721(APES, 7, CATS, BOB), executed(ALICE, BOB, contract=CATS)]
    found = verdict(of_transaction(logs, target=CATS))
    assert (found.fills, found.faults, found.markets) == ((), (), ())
