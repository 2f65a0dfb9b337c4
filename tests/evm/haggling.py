"""What makers, buyers and the vendor of a fair do: chosen at random, and free to fail."""

from __future__ import annotations

from collections.abc import Callable

from tests.evm import seaport
from tests.evm.chain import ZERO_ADDRESS
from tests.evm.fair import APPROVE, MAKERS, RICH, TRADER, UNITS, Entry, Fair
from tests.evm.signed import components, parameters
from tests.orders.made_up import CONDUIT

MOVE = "transferFrom(address,address,uint256)"
MOVE_UNITS = "safeTransferFrom(address,address,uint256,uint256,bytes)"


def haggle(fair: Fair, acts: int) -> None:
    """Let things happen, and time pass."""
    kinds: dict[Callable[[Fair], None], float] = {
        _buy: 4,
        _cancel: 1,
        _move: 4,
        _approve: 3,
        _approve_one: 1,
        _validate: 2,
        _count: 0.25,
        _sort_out: 1,
        _withdraw: 2,
        _offer_again: 1.5,
    }
    for _ in range(acts):
        fair.random.choices([*kinds], [*kinds.values()])[0](fair)
    fair.pass_time(fair.random.choice((1, 1, 2, 8)))


def _some(fair: Fair, condition: Callable[[Entry], bool] = lambda one: True) -> Entry | None:
    found = [one for one in fair.entries.values() if not one.is_over and condition(one)]
    return fair.random.choice(found) if found else None


def _buy(fair: Fair) -> None:
    one = _some(fair, lambda one: one.is_shown)
    if one is None:
        return
    units = fair.random.randint(1, one.signed.size) if one.signed.is_partial else one.signed.size
    receiver = fair.account(fair.random.choice(MAKERS))
    data = fair.exchange.filling(one.signed, units, receiver)
    name = "buy" if units == one.signed.size else "buy a part"
    value = RICH if one.currency == "ETH" else 0
    fair.send(name, fair.exchange.seaport, data, fair.account(TRADER), value)


def _cancel(fair: Fair) -> None:
    if one := _some(fair):
        data = fair.exchange.data("cancel", [components(one.order)])
        fair.send("cancel", fair.exchange.seaport, data, one.order["offerer"])


def _count(fair: Fair) -> None:
    maker = fair.account(fair.random.choice(MAKERS))
    fair.send("count", fair.exchange.seaport, fair.exchange.data("incrementCounter"), maker)


def _validate(fair: Fair) -> None:
    one = _some(fair, lambda one: not one.is_validated and not one.is_zoned)
    if one:
        data = fair.exchange.data("validate", [(parameters(one.order), one.signed.signature)])
        fair.send("validate", fair.exchange.seaport, data, fair.account(TRADER), validated=one)


def _move(fair: Fair) -> None:
    """Give something away, often back to somebody who has an order for it."""
    one = _some(fair)
    if one is None:
        return
    (contract, token), maker = one.nft, one.order["offerer"]
    to = fair.account(fair.random.choice(MAKERS))
    if contract == fair.many.address:
        sender = fair.random.choice((maker, fair.account(fair.random.choice(MAKERS))))
        data = fair.many.data(MOVE_UNITS, sender, to, token, fair.random.randint(1, UNITS), b"")
        fair.send("move units", fair.many, data, sender)
        return
    owner = fair.owners[contract, token]
    if owner != maker and fair.random.random() < 0.7:
        to = maker
    nft = fair.ones if contract == fair.ones.address else fair.welcoming
    fair.send("move", nft, nft.data(MOVE, owner, to, token), owner)


def _approve(fair: Fair) -> None:
    contract = fair.random.choice((*fair.contracts.values(),))
    operator, is_given = fair.random.choice((seaport.ADDRESS, CONDUIT)), fair.random.random() < 0.65
    maker = fair.account(fair.random.choice(MAKERS))
    name = "approve" if is_given else "take an approval back"
    fair.send(name, contract, contract.data(APPROVE, operator, is_given), maker)


def _approve_one(fair: Fair) -> None:
    (contract, token), owner = fair.random.choice([*fair.owners.items()])
    if contract == fair.ones.address:
        operator = fair.random.choice((seaport.ADDRESS, CONDUIT, ZERO_ADDRESS))
        for one in fair.entries.values():
            one.is_unsure |= one.nft == (contract, token)
        fair.send(
            "approve one", fair.ones, fair.ones.data("approve(address,uint256)", operator, token), owner
        )


def _withdraw(fair: Fair) -> None:
    """Have an order ended at the vendor alone: its zone no longer agrees, or the vendor finds something wrong."""
    one = _some(fair, lambda one: one.is_shown)
    if one is None:
        return
    if one.is_zoned:
        _refuse(fair, one, is_refused=True)
    one.is_shown = False
    fair.vendor.say(one.signed.hash, status=fair.random.choice(("INACTIVE", "CANCELLED")))
    fair.done["withdraw"] += 1


def _offer_again(fair: Fair) -> None:
    if one := _some(fair, lambda one: not one.is_shown):
        if one.is_zoned:
            _refuse(fair, one, is_refused=False)
        one.is_shown = True
        fair.vendor.say(one.signed.hash, status="ACTIVE")
        fair.done["offer again"] += 1


def _refuse(fair: Fair, one: Entry, *, is_refused: bool) -> None:
    zone = fair.exchange.zone
    data = zone.data("refuse(bytes32,bool)", bytes.fromhex(one.signed.hash[2:]), is_refused)
    fair.send("refuse", zone, data, fair.account(TRADER))


def _sort_out(fair: Fair) -> None:
    """Have the vendor drop what is over for good, as it does sooner or later."""
    for hash_, one in fair.entries.items():
        if one.is_over and one.is_shown and fair.random.random() < 0.5:
            fair.vendor.say(hash_, status="FULFILLED")
            one.is_shown = False
