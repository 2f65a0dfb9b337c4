"""What files tell of asks on a chain on which people trade, how they tell it, and all asks as the database has them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from core.db.keys import token_key
from core.db.writing import writing
from tests.ingestion.chain import COINS, START
from tests.ingestion.encoding import ALICE, APES, BOB, CAROL
from tests.ingestion.trading import HELPER, PARTLY, hash_of
from tests.markets.foundation_events import FOUNDATION
from tests.markets.looksrare_events import LOOKSRARE_2
from tests.markets.seaport_events import SEAPORT_16
from tests.oracle.order_books import Offer
from tokens.models import Ask
from tokens.store.facts import AskFacts
from transfers.ledger import factset
from transfers.ledger.factset import FactSet

_SEAPORT: dict[str, Any] = {"exchange": SEAPORT_16, "operator": SEAPORT_16}
_LOOKSRARE: dict[str, Any] = {"exchange": LOOKSRARE_2, "nonce": 3}
FILES = {
    hash_of(number): offer
    for number, offer in enumerate(
        (
            Offer("opensea", (APES, 1), 1, BOB),
            Offer("opensea", (APES, 1), 2, ALICE, **_SEAPORT, nonce=0, made_at=START + 60),
            Offer("opensea", (APES, 2), 3, BOB, holder=FOUNDATION, operator=HELPER),
            Offer("opensea", (APES, 2), 4, ALICE, taker=CAROL, **_SEAPORT),
            Offer("opensea", (COINS, 1), 5, BOB, amount=5, exchange=SEAPORT_16, made_at=START + 70),
            Offer("opensea", (APES, 2), 6, BOB, made_at=START + 50, wakes=False),
            Offer("looksrare", (APES, 2), 7, BOB, **_LOOKSRARE, wakes=False, made_at=START + 48),
            Offer("looksrare", (APES, 1), 8, CAROL, **_LOOKSRARE),
            Offer("looksrare", (APES, 1), 9, BOB, **_LOOKSRARE),
        )
    )
}
"""What files tell of: plain asks, signed orders, of escrow, for one buyer, of several units, that share a nonce."""
VALIDATED_UNTIL = 1_800_000_000
"""When orders end that were validated on the chain, as these tests write them."""


def load(name: str, offer: Offer) -> None:
    """Have a file tell of an ask: of one that was validated on the chain all that the order says."""
    facts = AskFacts("ethereum", offer.market, name)
    facts.address, facts.token_key = offer.nft[0], token_key(str(offer.nft[1]))
    facts.identity = ("ethereum", facts.address, facts.token_key)
    facts.currency, facts.price = "ETH", Decimal(offer.price)
    facts.maker, facts.taker, facts.holder = offer.maker, offer.taker, offer.holder
    facts.operator, facts.exchange, facts.nonce = offer.operator, offer.exchange, offer.nonce
    facts.wakes, facts.amount, facts.status = offer.wakes, offer.amount, offer.status
    facts.valid_from = offer.made_at or None
    facts.valid_until = None if name in FILES else VALIDATED_UNTIL
    facts.gone_at = START if offer.gone else None
    facts.seen_at = offer.seen_at or None
    with writing():
        stated = FactSet()
        stated.take(facts)
        factset.write(stated)


NFT = ("market__slug", "nft__contract__address", "nft__token_key")
COLUMNS = (
    *("order_hash", *NFT, "currency__symbol", "price", "start_price", "end_price", "price_from"),
    *("price_until", "stated_amount", "stated_status", "amount", "status", "reason", "active", "sole"),
    *("maker", "taker", "holder", "operator", "exchange", "nonce", "wakes", "source", "seen_at", "gone_at"),
    *("opened_block", "opened_log", "valid_from", "valid_until", "price_key"),
)


def table() -> dict[str, Any]:
    """All asks but the one of several units: what its stated amount is less already depends on when it was stated."""
    rows = Ask.objects.exclude(order_hash=PARTLY).values_list(*COLUMNS)
    return {row[0]: dict(zip(COLUMNS, row, strict=True)) for row in rows}
