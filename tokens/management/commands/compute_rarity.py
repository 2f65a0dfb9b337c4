"""`manage.py compute_rarity`: the OpenRarity score and rank of contracts' NFTs."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from core.progress import Progress
from core.stopping import end_stopped
from tokens.management.arguments import add_many, known_chain, known_contracts
from tokens.models import Contract, Nft
from tokens.rarity import computing as rarity
from tokens.rarity.openrarity import METHOD, VERSION
from tokens.store import chains, traits


class Command(BaseCommand):
    """Computes rarity, contract by contract; may be killed and repeated at any moment, also beside the service."""

    help = (
        f"Compute the {METHOD} score and rank ({VERSION}) of the NFTs that have metadata: of all contracts with such "
        "NFTs, of those that are named, or of those that are due. Stated ranks of a contract no longer hold then."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add_many(parser, "--contract", metavar="ADDRESS", help="only this one")
        add("--chain", help="slug, EIP-155 id or CAIP-2 name: only contracts of this chain")
        add("--due", action="store_true", help="only those whose traits have changed and then settled")
        add(
            "--recount",
            action="store_true",
            help="count the NFTs of each trait anew, too, and mend the numbers",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Compute, and tell of each contract how many NFTs have metadata."""
        self.quiet = options["verbosity"] == 0
        contracts = _chosen(options["contract"], options["chain"])
        if options["due"]:
            due = rarity.due(timezone.now())
            found = contracts.in_bulk(due)
            chosen = [found[one] for one in due if one in found]
        else:
            chosen = list(contracts.order_by("id"))
        try:
            for contract in chosen:
                self._compute(contract, only_due=options["due"], recount=options["recount"])
        except KeyboardInterrupt:
            end_stopped(self.stderr, "The next run does it again.")
        if not chosen:
            self._say("Nothing is due." if options["due"] else "No NFT has metadata.")

    def _compute(self, contract: Contract, *, only_due: bool, recount: bool) -> None:
        name = f"{contract.chain.slug} {contract.address}"
        if recount:
            self._say(f"{name}: {traits.recount(contract.pk):,} numbers of traits were wrong.")
        with Progress(name, "steps", 2 * contract.nft_count, quiet=self.quiet) as progress:
            done = rarity.compute(contract.pk, only_due=only_due, tell=progress.add)
        if done is None:
            self._say(f"{name}: another computation is at it.")
        elif not done.known:
            self._say(f"{name}: no NFT has metadata; what is stated holds.")
        else:
            self._say(f"{name}: {rarity.coverage(done.scored, done.known)}, {done.written:,} written.")

    def _say(self, text: str) -> None:
        if not self.quiet:
            self.stdout.write(text)


def _chosen(addresses: list[str], chain: str | None) -> QuerySet[Contract]:
    """Return the contracts that are named, or all that have or had something to compute from.

    Raises ``CommandError`` for a name that nothing has.
    """
    rows = Contract.objects.exclude(address="").select_related("chain")
    row = None if chain is None else known_chain(chain, chains.known())
    if addresses:
        return rows.filter(id__in=known_contracts(addresses, row))
    if row is not None:
        rows = rows.filter(chain_id=row.id)
    with_metadata = Nft.objects.filter(contract=OuterRef("id"), metadata__isnull=False)
    return rows.filter(Q(rarity_computed=True) | Exists(with_metadata))
