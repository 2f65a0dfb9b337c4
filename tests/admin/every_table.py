"""A world with a row in every table that the admin shows."""

from __future__ import annotations

from django.utils import timezone

from tests import indexed, waiting
from tests.builders import ALICE, BOB, ask, contract, ens, load_lines, nft, rate, transfer
from tokens.models import Contract, Nft, WideHolder
from tokens.store import fetches
from transfers.figures.counting import sweep


def a_world() -> None:
    """Load what can be loaded, and write by hand what indexing and the workers would."""
    report = load_lines(
        [
            contract(ensName="apes.eth", name="Apes"),
            ens("bob.eth", BOB),
            rate(),
            nft(
                "1",
                traits=[("Hat", "red")],
                metadata={"name": "one", "imageUrl": "https://example.com/1.png"},
                owners=[{"address": ALICE, "amount": "1"}],
            ),
            transfer("1", receiver=ALICE, nftValue={"tokenAddress": "0x" + "0" * 40, "amount": "5"}),
            ask("1", maker=ALICE),
        ]
    )
    assert report.faults == []
    indexed.an_indexed_chain(head_number=120, beat_at=1, fault="no answer", fault_at=1)
    indexed.a_checkpoint(117, at=1_700_000_000)
    indexed.a_block(117)
    indexed.an_evidence(117)
    indexed.an_undecoded_log(117)
    indexed.a_market_fault(117)
    indexed.a_market_contract()
    indexed.an_order_fill(117)
    indexed.a_paid_token()
    indexed.a_statement(117)
    indexed.a_punk_bid(117)
    indexed.an_opening(Nft.objects.get())
    fetches.request([Nft.objects.get().pk], timezone.now())
    waiting.a_document(Nft.objects.get())
    waiting.a_refresh(Contract.objects.get())
    waiting.a_rarity(Contract.objects.get())
    WideHolder.objects.create(address=ALICE, nfts=1_001)
    sweep()
