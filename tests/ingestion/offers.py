"""What markets log of offers on the chain of these tests, and what is offered by it."""

from __future__ import annotations

from typing import Any

from core.net.rpc.errors import RpcError
from indexing.judge.markets.seaport_books import validated
from indexing.judge.markets.seaport_parameters import order_hash
from indexing.node.logs import RawLog
from tests.ingestion.chain import MOVES, Answer, Emitted
from tests.ingestion.encoding import APES, BOB, ZERO, word
from tests.markets import order_logs as logs
from tests.markets.seaport_events import SEAPORT_16
from tokens.models import Ask

ETH = 10**18


def told(log: RawLog) -> Emitted:
    """A log of a market as the chain of these tests has it."""
    return Emitted(log.address, list(log.topics), "0x" + log.data.hex(), [])


def live() -> list[str]:
    """What is offered, each as `<market> <token id> <price>`, the newest last."""
    rows = (
        Ask.objects.filter(active=True).order_by("opened_block", "opened_log").select_related("nft", "market")
    )
    return [f"{one.market.slug} {one.nft.token_id} {one.price.normalize():f}" for one in rows]


def reasons() -> dict[str, str]:
    """Why those that are not live are not, by price."""
    return {
        f"{one.price.normalize():f}": one.reason for one in Ask.objects.filter(active=False).order_by("id")
    }


def approving(flag: int) -> Answer:
    """A contract that says of everybody that they are approved, or not, and lets them move NFTs, or not."""

    def answer(address: str, data: str, block: int) -> Any:
        is_refused = data.startswith(MOVES) and not flag
        return RpcError("played", 3, "execution reverted") if is_refused else "0x" + word(flag)

    return answer


def validated_for(counter: int) -> Emitted:
    """Bob's ape 7 for one ether, validated on the chain under a counter of his."""
    offer, asked = [(2, APES, 7, 1, 1)], [((0, ZERO, 0, ETH, ETH), BOB)]
    log = logs.validated(offer, asked, contract=SEAPORT_16)
    name = order_hash(validated(log)[1], counter)
    return told(log._replace(data=bytes.fromhex(name[2:]) + log.data[32:]))
