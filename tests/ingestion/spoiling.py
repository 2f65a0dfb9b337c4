"""A chain on which people trade, and the loss of all that follows from what is kept of it."""

from __future__ import annotations

from core.db.keys import NEVER
from tests.ingestion.chain import COINS, Chain, batch, nft, tx, units
from tests.ingestion.encoding import ALICE, BOB, CAROL, ZERO
from tests.ingestion.selling import sale, token_sale
from tokens.models import Nft, NftMarket, NftRecent, Owner
from transfers.models import OrderFill, Transfer

GOLD = "0x" + "60" * 20


def traded() -> Chain:
    """Mints, sales for native money and for a token, units of two holders, a burn and a mint anew."""
    made = Chain()
    made.mine(tx(nft(1, ZERO, ALICE), nft(2, ZERO, ALICE)), tx(units(5, ZERO, ALICE, 10), target=COINS))
    made.mine(sale(1, 500), tx(units(5, ALICE, BOB, 4), target=COINS))
    made.mine(token_sale(2, GOLD, 700, 700), tx(batch([(5, 2), (6, 1)], BOB, CAROL)))
    made.mine(tx(nft(1, BOB, ZERO), sender=BOB))
    made.mine(tx(nft(1, ZERO, CAROL), sender=CAROL), tx(nft(2, BOB, BOB), sender=BOB))
    return made


def spoil() -> None:
    """Lose transfers, fills, owners, postings and what NFTs say of their transfers."""
    for model in (Transfer, OrderFill, Owner, NftMarket):
        model._default_manager.all().delete()
    Nft.objects.update(transferred=False, minter=None)
    NftRecent.objects.update(recent_key=NEVER, last_transfer_id=None, markets="[]", owners_total=None)
