"""How fast lines are loaded: into an empty database, or into a world that stands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from django.conf import settings

from core.db.keys import NEVER, token_id_from_key
from nftsite.bench.world.shape import SPAN, START
from tokens.models import Contract, Nft, Owner

MOVING = 20_000
"""NFTs that a stream of transfers moves at most."""

BLOCK_SECONDS = 12


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load took: lines a second, and the peak of its process' memory in MiB."""

    name: str
    lines: int
    seconds: float
    per_second: float
    peak_mib: float


def write_lines(path: Path, lines: Iterable[bytes]) -> int:
    """Write lines to a file; return their number."""
    count = 0
    with path.open("wb") as file:
        for line in lines:
            file.write(line)
            count += 1
    return count


def start(path: Path, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Begin to load a file in a process of its own, whose ``environment`` may name another database."""
    return subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "manage.py", "load", str(path)],
        cwd=settings.BASE_DIR,
        env=os.environ | dict(environment or {}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def load(name: str, path: Path, lines: int, environment: Mapping[str, str] | None = None) -> Loaded:
    """Load a file in a process of its own, and measure it. Raises ``RuntimeError`` when the load fails."""
    started = time.perf_counter()
    process = start(path, environment)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status:
        raise RuntimeError(f"The load of {name} ended with {os.waitstatus_to_exitcode(status)}.")
    return Loaded(name, lines, round(seconds, 1), round(lines / seconds), round(usage.ru_maxrss / 1024))


def more_transfers(count: int, contracts: range, round_number: int) -> Iterator[bytes]:
    """Yield transfers of NFTs of the world's contracts with these numbers, each from its holder to somebody new.

    Later than the world's own, and later with each ``round_number``.
    """
    random = Random(round_number)  # noqa: S311 - a benchmark's data
    places = _places(min(count, MOVING), contracts, random)
    holders = dict(Owner.objects.filter(nft__in=places, amount__gt=0).values_list("nft_id", "address"))
    moving = sorted(holders)
    begin = START + SPAN + round_number * 40_000_000
    for number in range(count):
        nft_id = random.choice(moving)
        giver, taker = holders[nft_id], f"0xd{random.randrange(10**9):039x}"
        holders[nft_id] = taker
        chain, address, token = places[nft_id]
        moment = begin + number // 20 * BLOCK_SECONDS
        line = {
            "record": "transfer",
            "chain": chain,
            "contractAddress": address,
            "tokenId": token,
            "blockNumber": (moment - 1_400_000_000) // BLOCK_SECONDS,
            "logIndex": number % 20,
            "transactionHash": f"0x{round_number:08x}{number:056x}",
            "fromAddress": giver,
            "toAddress": taker,
            "transactionFrom": taker,
            "value": "0",
            "amount": "1",
            "timestamp": moment,
            "transferType": "transfer",
        }
        yield json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _places(most: int, contracts: range, random: Random) -> dict[int, tuple[str, str, str]]:
    """Return chain, contract and token id of NFTs with one holder, by id."""
    names = [f"Bench {number}" for number in contracts]
    ids = list(Contract.objects.filter(name__in=names, standard="ERC721").values_list("id", flat=True))
    rows = Nft.objects.filter(contract__in=ids, transferred=True, token_key__lt=NEVER, recent__owners_total=1)
    columns = ("id", "chain__slug", "contract__address", "token_key")
    found = list(rows.order_by("id").values_list(*columns)[: most * 4])
    chosen = random.sample(found, min(most, len(found)))
    return {row_id: (chain, address, token_id_from_key(key)) for row_id, chain, address, key in chosen}
