"""Why a transfer is what it is, in words: the event, what was held against the transaction, and what came out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indexing.judge.classify import classify
from indexing.judge.explanation import explain
from indexing.judge.markets.registry import registry
from indexing.judge.trace import UNDELIVERED
from indexing.node.logs import RawLog
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL, ZERO
from tests.markets.building import PRICELESS, ape, erc20, erc721, judged, moves_of, of_transaction, weth
from tests.markets.currencies import ETHER, ONE_ETHER, POOL_ETHER, WETH
from tests.markets.punk_events import PUNKS, accept_bid
from tests.markets.seaport_events import SEAPORT_15, erc20_item, nft_item, numbered, order_fulfilled, paid

FROGS = "0x" + "f0" * 20
TOKENS = {ETHER: "wei", WETH: "of wrapped wei"}
MISSING = "No NFT log delivers 1 of the 2 items that the event names."


def written(currency: str, amount: int) -> str:
    return f"{amount} {TOKENS.get(currency, currency)}"


class Told:
    """One of a transaction's transfers, which Alice sent, and what is told of it: ``Told(log, log).says(…)``."""

    def __init__(self, *logs: RawLog, place: int = 0, to: str | None = SEAPORT_15, value: int = 0) -> None:
        self.transaction = of_transaction(logs, target=to, value=value)
        self.place = place
        self._checks: Mapping[str, bool | None] = {}
        self._said: dict[str, Any] = {}

    def says(self, checks: Mapping[str, bool | None] | None = None, **said: Any) -> Told:
        """Say it: checks of the first event among its others, in their order, and whether each holds.

        `kind` and `currency` are the judgement's; `why_type` and `why_price` what is told; `fault` is why the event
        is not believed, `because` the same as the only reason that there is no price; `faults` is the operator's
        list, `events` says of each its protocol and the logs that deliver it, and `checked` counts the checks.
        """
        self._checks, self._said = checks or {}, said
        return self

    def holds(self) -> None:
        """Assert it."""
        moves = moves_of(self.transaction)
        found = explain(classify(self.transaction, moves, registry(1)), self.place, written)
        assert found.judgement == found.verdict.judgements[self.place]
        checks = [(one.text(written), one.holds) for event in found.events[:1] for one in event.checks]
        assert [one for one in checks if one[0] in self._checks] == list(self._checks.items()), checks
        fault = found.events[0].fault if found.events else None
        told = {
            "kind": found.judgement.transfer_type,
            "currency": found.judgement.currency,
            "why_type": found.why_type,
            "why_price": found.why_price,
            "fault": fault and fault.text(written),
            "faults": [one.reason for one in found.verdict.faults],
            "events": [(one.fill.protocol, found.delivered(one)) for one in found.events],
            "checked": len(checks),
        }
        if "because" in self._said:
            assert told["why_price"] == f"None. {self._said['because']}"
        for name, value in self._said.items():
            assert told["fault" if name == "because" else name] == value, name


def ask(price: int, *items: int, fee: int = 0) -> RawLog:
    """Bob's ask for ape 7, or others, filled by Alice in ether."""
    asked = [paid(price - fee, BOB), *([paid(fee, CAROL)] if fee else [])]
    return order_fulfilled(offer=[nft_item(APES, one) for one in items or (7,)], consideration=asked)


def token_ask(price: int, token_id: int = 7) -> RawLog:
    """The same in wrapped ether."""
    item, asked = nft_item(APES, token_id), erc20_item(WETH, price, BOB)
    return order_fulfilled(offer=[item], consideration=[asked], order=numbered(token_id))


BOUGHT = ape(BOB, ALICE)
FOR_A_FROG = order_fulfilled(consideration=[nft_item(FROGS, 2, BOB)])
TWO_ASKS = [token_ask(5, 7), token_ask(5, 8)]
TWO_FOR_NINE = [token_ask(9, 7), token_ask(9, 8), BOUGHT, ape(BOB, ALICE, 8), weth(9, ALICE, BOB)]
THROUGH_A_ROUTER = [weth(9, ALICE, CAROL), weth(9, CAROL, BOB), ape(BOB, CAROL), ape(CAROL, ALICE)]
_ROUND = (
    "Another contract was called with 5 wei; events by which the buyer gets back more than half of it tell "
    "100 wei together."
)
_ABOVE = "The market was called with 99 wei; its events tell 100 wei together."
_SHORT = (
    f"{BOB} was to get 9 of wrapped wei of 18 of wrapped wei by all events, and got 9 of wrapped wei in all."
)
_NO_PRICE = "None: only sales and paid mints have one."
_NOTHING_GIVEN = (
    "Nothing was given for it that the logs tell: no market event sold it, and no token was paid for it."
)
_UNBOUND = (
    "Native money leaves no log, and the transaction was sent to another contract than a market, which may pay with "
    "what it holds: nothing bounds the price."
)
ROWS = {
    "a sale in ether names its event, its transfer and the bound": Told(
        ask(100, fee=5), BOUGHT, value=100
    ).says(
        {
            "1 of 1 items are delivered.": True,
            "The market was called with 100 wei; its events tell 100 wei together.": True,
            f"{CAROL} was to get 5 wei, which leaves no log.": None,
        },
        events=[("seaport-1.5", (2,))],
        fault=None,
        why_type="The event in log 1 sold it, and this is the transfer that delivers it.",
        why_price="100 wei: all that the buyer's side paid, as the event tells, fees included.",
    ),
    "a price that goes back to the buyer is said not to hold behind another contract either": Told(
        order_fulfilled(consideration=[paid(1, BOB), paid(99, ALICE)]), BOUGHT, to=CAROL, value=5
    ).says({_ROUND: False}, because=_ROUND),
    "a price above what the transaction brought is said not to hold": Told(ask(100), BOUGHT, value=99).says(
        {_ABOVE: False}, because=_ABOVE
    ),
    "behind a router nothing bounds a price in ether": Told(ask(100), BOUGHT, to=CAROL).says(
        {_UNBOUND: None}
    ),
    "a price in a token names who sent it and in which log": Told(
        token_ask(ONE_ETHER), BOUGHT, weth(ONE_ETHER, ALICE, BOB)
    ).says(
        {
            f"{ONE_ETHER} of wrapped wei was drawn from what {ALICE} sent in log 3.": True,
            f"{BOB} was to get {ONE_ETHER} of wrapped wei, and got {ONE_ETHER} of wrapped wei in all.": True,
        }
    ),
    "a price in a token that nobody sent is said not to hold": Told(
        token_ask(9), BOUGHT, weth(7, ALICE, BOB)
    ).says(
        {
            "Nobody sent 9 of wrapped wei.": False,
            f"{BOB} was to get 9 of wrapped wei, and got 7 of wrapped wei in all.": False,
        },
        currency=None,
    ),
    # Bob sold two apes to Alice for 9 each, who sent 9: whose price was drawn first has it.
    "of two sales for one payment the first is said to have drawn it": Told(*TWO_FOR_NINE).says(
        {f"9 of wrapped wei was drawn from what {ALICE} sent in log 5.": True, _SHORT: False}, fault=_SHORT
    ),
    "of two sales for one payment the second is said to have none": Told(*TWO_FOR_NINE, place=1).says(
        {"Nobody sent 9 of wrapped wei besides what other prices took.": False}
    ),
    # No money is looked for where nothing is delivered, so that it cannot have taken another one's.
    **{
        f"of two asks of one price the delivered one has the payment: {token_id}": Told(
            *TWO_ASKS, ape(BOB, ALICE, token_id), weth(5, ALICE, BOB)
        ).says(
            {
                "1 of 1 items are delivered.": True,
                f"5 of wrapped wei was drawn from what {ALICE} sent in log 4.": True,
                f"{BOB} was to get 5 of wrapped wei, and got 5 of wrapped wei in all.": True,
            },
            checked=3,
            why_price="5 of wrapped wei: all that the buyer's side paid, as the event tells, fees included.",
            faults=["No NFT log delivers 1 of the 1 items that the event names."],
        )
        for token_id in [7, 8]
    },
    "what one price took is not said to have been sent by nobody": Told(
        *TWO_ASKS, BOUGHT, ape(BOB, ALICE, 8), weth(5, ALICE, BOB), place=1
    ).says({"Nobody sent 5 of wrapped wei besides what other prices took.": False}),
    "what only the seller sent is said not to count": Told(token_ask(9), BOUGHT, weth(9, BOB, CAROL)).says(
        {"Nobody sent 9 of wrapped wei, its seller apart.": False}
    ),
    "a price names the logs that it was drawn from and no others": Told(
        token_ask(9), BOUGHT, weth(9, ALICE, BOB), weth(9, ALICE, CAROL)
    ).says({f"9 of wrapped wei was drawn from what {ALICE} sent in log 3.": True}),
    "what the buyer owes to themselves is told beside what was drawn": Told(
        order_fulfilled(consideration=[erc20_item(WETH, 9, BOB), erc20_item(WETH, 1, ALICE)]),
        BOUGHT,
        weth(9, ALICE, BOB),
    ).says(
        {
            f"9 of wrapped wei was drawn from what {ALICE} sent in log 3. "
            "The buyer owed the other 1 of wrapped wei of the price to themselves.": True
        },
        why_price="10 of wrapped wei: all that the buyer's side paid, as the event tells, fees included.",
    ),
    "ether that was unwrapped on the way is not said to be what the market was called with": Told(
        ask(100), BOUGHT, erc20(POOL_ETHER, 60, ALICE, ZERO), value=40
    ).says(
        {
            "The market was called with 40 wei, and 60 wei was unwrapped; its events tell 100 wei together.": True
        }
    ),
    "an order of which only a part is delivered is said not to be borne out": Told(
        ask(100, 7, 8), BOUGHT, value=100
    ).says(because=MISSING, faults=[MISSING]),
    # A punk's accepted bid, of whose entering nothing is known.
    "a sale whose price nothing tells is said not to be borne out": Told(
        *accept_bid(7, BOB, ALICE), to=PUNKS
    ).says(because=PRICELESS),
    "an exchange of which one side is missing is not said to be a gift": Told(
        FOR_A_FROG, erc721(FROGS, 2, ALICE, BOB)
    ).says(kind="transfer", why_type="The event in log 1 exchanged it for what no transfer delivers."),
    "what is minted for an exchange is not said to be a gift": Told(
        FOR_A_FROG, BOUGHT, erc721(FROGS, 2, ZERO, BOB), place=1
    ).says(
        kind="mint",
        why_type="It comes from the zero address. The event in log 1 exchanged it, but a mint or a burn is that first.",
    ),
    # Carol paid Alice for ape 8 while Bob sold ape 7: where there are events, payments by themselves are no price.
    "beside a markets event no payment is said to be missing": Told(
        ask(100), BOUGHT, ape(ALICE, CAROL, 8), weth(9, CAROL, ALICE), place=1, value=100
    ).says(
        why_type="No market event of the transaction sold it; "
        "where there are any, payments beside them are no price."
    ),
    "what a router buys for money is a sale": Told(*THROUGH_A_ROUTER, to=CAROL).says(kind="sale"),
    "what a router passes on for money is not said to have been paid by nobody": Told(
        *THROUGH_A_ROUTER, place=1, to=CAROL
    ).says(kind="transfer", why_type="What was paid for this NFT is told of another transfer of it."),
    # ERC-404 tells of its NFTs once more as of money: no rule counts that as a payment, so that no page does.
    "what an NFTs own contract calls money is not said to have been paid": Told(
        BOUGHT, erc20(APES, 9, ALICE, BOB), to=CAROL
    ).says(why_type=_NOTHING_GIVEN),
    "a bundle says that one price is not split": Told(
        ask(100, 7, 8), BOUGHT, ape(BOB, ALICE, 8), value=100
    ).says(why_price="None. One price for 2 transfers is not split."),
    "what a relay passes on names the event that sold it before": Told(
        ask(100), BOUGHT, ape(ALICE, CAROL), place=1, value=100
    ).says(events=[], why_type="What the event in log 1 sold is delivered by another transfer of this NFT."),
    # Without a market.
    "a mint says that it is one": Told(ape(ZERO, ALICE), to=APES, value=5).says(
        kind="mint",
        why_type="It comes from the zero address.",
        why_price="5 wei: the value of the transaction, in which nothing else was bought.",
    ),
    "what is burned says so": Told(ape(ALICE, ZERO), to=APES).says(
        kind="burn", why_type="It goes to the zero address or to 0x…dEaD.", why_price=_NO_PRICE
    ),
    "a gift says that nothing was given for it": Told(ape(ALICE, BOB), to=APES, value=5).says(
        kind="transfer", why_type=_NOTHING_GIVEN, why_price=_NO_PRICE
    ),
    "a payment without a market is said to be one": Told(BOUGHT, weth(9, ALICE, BOB), to=CAROL).says(
        why_type="No market event sold anything in the transaction, "
        "but its receiver's side paid its sender in a token.",
        why_price="9 of wrapped wei: what its receiver's side paid for it.",
    ),
    "an event that could not be read is not said to be missing": Told(
        ask(100)._replace(data=ask(100).data[:64]), BOUGHT, weth(9, ALICE, BOB)
    ).says(
        why_type="No market event of the transaction could be read, "
        "but its receiver's side paid its sender in a token."
    ),
    **{
        f"a sale whose event tells no one sum for the NFT says so: {label}": Told(
            order_fulfilled(offer=[nft_item(APES, 7), *offered], consideration=[paid(100, BOB), *asked]),
            BOUGHT,
            money,
            value=100,
        ).says(why_price="None. The event tells no one sum that was paid for it alone.")
        for label, offered, asked, money in [
            ("two currencies", [], [erc20_item(WETH, 9, BOB)], weth(9, ALICE, BOB)),
            ("the seller gives money along", [erc20_item(WETH, 9)], [], weth(9, BOB, ALICE)),
        ]
    },
    "an order that was filled for nothing is said to be no sale": Told(
        order_fulfilled(consideration=[]), BOUGHT
    ).says(kind="transfer", why_type="The event in log 1 gave it for nothing, which is no sale."),
}

test_what_is_told_of_a_transfer = judged(ROWS)


def test_of_what_is_not_delivered_nothing_else_is_checked() -> None:
    transaction = of_transaction([*TWO_ASKS, BOUGHT, weth(5, ALICE, BOB)])
    found = classify(transaction, moves_of(transaction), registry(1))
    (undelivered,) = (one for one in found.trace.matches if one.checks[0].holds is False)
    assert undelivered.checks[1:] == [UNDELIVERED]
