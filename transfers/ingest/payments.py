"""Sales without a market's event: an NFT one way, a token payment the other (decisions, section 6)."""

from __future__ import annotations

from collections.abc import Sequence

from nftsite.net.addresses import DEAD_ADDRESS, ZERO_ADDRESS
from transfers.ingest.money import MoneyMove, Purse
from transfers.ingest.moves import Move
from transfers.ingest.sales import Judgement, Leg

_NOBODY = frozenset({ZERO_ADDRESS, DEAD_ADDRESS})


def paid_between(moves: Sequence[Move], money: Sequence[MoneyMove], purse: Purse) -> dict[int, Judgement]:
    """Return the moves whose receiver paid their sender, in one token or several, by their places.

    One NFT for one token is a sale at that price; more of either is a sale without a price of its own, with all legs.
    Mints and burns have no other side. Native money proves nothing: it may be a fee, a deposit or a refund. An NFT
    that passes through several hands may be paid for at each.
    """
    by_pair: dict[tuple[str, str], list[int]] = {}
    for place, move in enumerate(moves):
        if move.sender not in _NOBODY and move.receiver not in _NOBODY and move.sender != move.receiver:
            by_pair.setdefault((move.sender, move.receiver), []).append(place)
    judged: dict[int, Judgement] = {}
    for (seller, buyer), places in by_pair.items():
        if (buyer, seller) in by_pair:
            continue  # NFTs go both ways: an exchange
        paid = [one for one in money if one.sender == buyer and one.receiver == seller]
        currencies = list(dict.fromkeys(one.currency for one in paid))
        if not paid:
            continue
        if len(currencies) == 1 and len(places) == 1:
            price = sum(one.amount for one in paid)
            if purse.draw(currencies[0], buyer, price, {seller}):
                judged[places[0]] = Judgement("sale", currencies[0], price)
            continue
        legs = (
            *(Leg(moves[at].contract, moves[at].token_id, seller, buyer, moves[at].amount) for at in places),
            *(Leg(one.currency, None, buyer, seller, one.amount) for one in paid),
        )
        judged.update((at, Judgement("sale", swaps=legs)) for at in places)
    return judged
