"""A day in its life: four hours' worth of a chain in forty minutes, with all that happens to a service meanwhile.

    make drill NAME=soak ARGS="--minutes 5"

Everything that a deployment has is at work: a chain that grows six times as fast as Ethereum, 20 NFTs a block, followed
from two nodes; metadata and images from a gateway; asks from a stand-in for OpenSea; two web processes and nginx as in
`deploy/`; readers at half of what the machine can answer, and an operator. Then the web processes and the workers are
replaced, one of the nodes is lost, the disk of the images is full, and the database is gone for a minute. A table tells
what readers were answered in each part, another how much memory each process had. It needs nginx, PostgreSQL and, for
the full disk, root.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

from nftsite.bench.made_up_node import MadeUpChain
from tests import machine
from tests.clusters import Cluster, cluster
from tests.deploying.site import NGINX, Site, serving
from tests.machines.cluster import free_port
from tests.orders.made_up import APES
from tests.orders.stand_in import KEY
from tests.patience import comes
from tests.postgres import find_binaries
from tests.processes import ROOT
from tests.soak.outside import Gateway, disk, market
from tests.soak.readers import Reader, Seen, reading
from tests.soak.workers import Worker, complaints, memory_mib
from tests.strangers.measure import percentile

BLOCK_SECONDS = 2.0
"""Ethereum has a block every twelve: six hours in one."""
READERS = 8


@dataclass
class Soak:
    """What is at work, and what is noted of it."""

    folder: Path
    minutes: float
    site: Site
    database: Cluster
    ports: tuple[int, int]
    blocks: int
    begun: float
    seen: Seen = field(default_factory=Seen)
    nodes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    workers: dict[str, Worker] = field(default_factory=dict)
    memory: dict[str, list[float]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def tell(self, text: str) -> None:
        """Say what happens."""
        print(f"{time.monotonic() - self.started:6.0f} s  {text}", flush=True)

    def __post_init__(self) -> None:
        self.started = time.monotonic()

    def node(self, place: int) -> None:
        """Start a node."""
        words = [str(self.ports[place]), str(self.blocks), str(BLOCK_SECONDS), str(self.begun)]
        process = subprocess.Popen([sys.executable, "-m", "tests.soak.node", *words], cwd=ROOT)
        self.nodes[place : place + 1] = [process]

    def close(self) -> None:
        """End workers and nodes."""
        for worker in self.workers.values():
            worker.close()
        for process in self.nodes:
            process.kill()

    def look(self) -> None:
        """Note how much memory each process has."""
        pids = {name: process.pid for name, process in self.site.web.items()}
        pids |= {name: one.process.pid for name, one in self.workers.items() if one.process is not None}
        if self.database.process is not None:
            pids["PostgreSQL"] = self.database.process.pid
        with suppress(OSError):
            pids["nginx"] = int((self.folder / "nginx.pid").read_text())
        for name, pid in pids.items():
            self.memory.setdefault(name, []).append(memory_mib(pid))

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """A part of the run; readers' answers count for it, those of requests sent in it."""
        self.tell(name)
        self.seen.part = name
        yield
        self.seen.part = "calm"

    def calm(self, share: float) -> None:
        """Let so large a share of the run pass."""
        ends = time.monotonic() + share * self.minutes * 60
        while (left := ends - time.monotonic()) > 0:
            self.look()
            time.sleep(min(left, 5))

    def run(self) -> None:
        """Have all of it happen."""
        self.calm(0.15)
        with self.part("deploy: web"):
            for number in (1, 2):
                self.site.stop(number)
                self.site.start(number)
        self.calm(0.15)
        with self.part("a node is lost"):
            self.nodes[0].kill()
            self.nodes[0].wait()
            self.calm(0.08)
            self.node(0)
        self.calm(0.1)
        with self.part("the disk is full"):
            filler = self.folder / "var" / "files" / "filler"
            free = os.statvfs(filler.parent)
            with suppress(OSError):
                filler.write_bytes(b"\0" * (free.f_bavail * free.f_frsize))
            self.calm(0.08)
            filler.unlink()
        self.calm(0.1)
        with self.part("the database is gone"):
            self.database.stop("immediate")
            time.sleep(min(60.0, self.minutes * 6))
            self.database.start()
            self.comes("pages after the database came back", lambda: self.status() == 200)
        self.calm(0.1)
        with self.part("deploy: all"):
            for worker in self.workers.values():
                worker.restart()
            for number in (1, 2):
                self.site.stop(number)
                self.site.start(number)
        self.calm(0.24)

    def status(self) -> int:
        """Of a page, asked by itself."""
        try:
            return self.site.ask("/api/v1/nfts/by-token?limit=3", source="127.0.2.1")[0].status
        except (OSError, HTTPException):
            return 0

    def comes(self, what: str, condition: Callable[[], bool]) -> None:
        """Wait for something, and note how long it took."""
        begun = time.monotonic()
        assert comes(condition, every=0.5), what
        self.notes.append(f"{what}: {time.monotonic() - begun:.1f} s")

    def metrics(self) -> dict[str, float]:
        """All samples of `/metrics`."""
        text = self.site.ask("/metrics")[1].decode()
        return {name: float(value) for name, value in re.findall(r"^(nft_\S+) (\S+)$", text, re.MULTILINE)}

    def logs(self) -> dict[str, Path]:
        """Of workers and web processes."""
        return {name: self.folder / f"{name}.log" for name in (*self.workers, "web-1", "web-2")}

    def ends(self) -> None:
        """Wait until all that there is has been taken in."""
        checkpoint = 'nft_indexer_checkpoint_block{chain="ethereum",contract="all"}'
        self.comes("the head indexed", lambda: self.metrics().get(checkpoint, 0) >= self.blocks)
        waiting = 'nft_metadata_fetches{state="pending"}', 'nft_cached_images{state="pending"}'
        self.comes(
            "metadata and images read", lambda: all(self.metrics().get(one, 0) == 0 for one in waiting)
        )


def operate(soak: Soak, stop: threading.Event) -> None:
    """Look at the operators' pages every few seconds, logged in."""
    while not stop.wait(3):
        for address in ("/admin/login/", "/metrics", "/readyz"):
            part, begun = soak.seen.part, time.perf_counter()
            try:
                answer = str(soak.site.ask(address)[0].status)
            except (OSError, HTTPException) as fault:
                answer = type(fault).__name__
            soak.seen.note(f"{part} (operator)", answer, time.perf_counter() - begun)


def measured(soak: Soak, contracts: list[str], seconds: float) -> float:
    """How many pages a second the service answers to as many readers as there are, each as fast as it can."""
    free = Seen()
    with reading(lambda n: Reader(soak.site, n, contracts, free), READERS, 0):
        time.sleep(seconds)
    return free.answers["start"]["200"] / seconds


def table(soak: Soak) -> Iterator[str]:
    """Yield the tables in Markdown."""
    yield "| Part | Requests | p50 ms | p99 ms | longest ms | Answers |"
    yield "|---|---:|---:|---:|---:|---|"
    for part, answers in soak.seen.answers.items():
        times = soak.seen.times[part]
        told = ", ".join(f"{count:,} × {answer}" for answer, count in answers.most_common())
        figures = f"{percentile(times, 0.5):,.0f} | {percentile(times, 0.99):,.0f} | {max(times):,.0f}"
        yield f"| {part} | {len(times):,} | {figures} | {told} |"
    yield ""
    yield "| Process | MiB at the start | at the end | most | ended by itself |"
    yield "|---|---:|---:|---:|---|"
    for name, found in soak.memory.items():
        worker = soak.workers.get(name)
        ended = ", ".join(f"{count} × code {code}" for code, count in worker.ended.items()) if worker else ""
        yield f"| {name} | {found[min(3, len(found) - 1)]:,.0f} | {found[-1]:,.0f} | {max(found):,.0f} | {ended} |"


def faults(soak: Soak) -> Iterator[str]:
    """Yield what must not be: failed requests but while the database was gone, and then anything but a 503."""
    for part, answers in soak.seen.answers.items():
        allowed = {"200", "503"} if "database" in part else {"200"}
        for answer, count in answers.items():
            if answer not in allowed:
                yield f"Not as it must be: {part}: {count} × {answer}"
    for name, found in soak.memory.items():
        if name != "PostgreSQL" and found[-1] > 1.5 * found[min(3, len(found) - 1)] + 100:
            yield f"Not as it must be: {name} has grown from {found[min(3, len(found) - 1)]:.0f} to {found[-1]:.0f} MiB"


FOLLOW = {
    "index": ["index", "--chain", "ethereum", "--from-block", "1", "--follow"],
    "metadata": ["fetch_metadata", "--follow"],
    "images": ["cache_images", "--follow"],
    "orders": ["sync_asks", "--contract", APES, "--follow"],
}


@contextmanager
def deployed(minutes: float, binaries: Path) -> Iterator[Soak]:
    """All that is at work, but for readers and the operator."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nft-soak-", dir="/tmp")))
        folder.chmod(0o755)
        database = stack.enter_context(cluster(binaries, folder, "pg"))
        database.run("createdb", "-h", str(database.sockets), "-U", "postgres", "nft")
        gateway, vendor = stack.enter_context(Gateway()), stack.enter_context(market())
        ports = free_port(), free_port()
        settings: dict[str, Any] = {
            "DATABASE_URL": database.url("nft"),
            "RPC_URLS_ETHEREUM": ",".join(f"http://127.0.0.1:{port}" for port in ports),
            "IPFS_GATEWAYS": gateway.url,
            "OPENSEA_API_KEY": f"{KEY}\nOPENSEA_API_URL={vendor.url}",
        }
        site = stack.enter_context(serving(folder, files=disk, **settings))
        soak = Soak(folder, minutes, site, database, ports, int(minutes * 60 / BLOCK_SECONDS), time.time())
        stack.callback(soak.close)
        for place in range(2):
            soak.node(place)
        variables = machine.bare(ENV_FILE=str(folder / "env"))
        for name, words in FOLLOW.items():
            soak.workers[name] = Worker(name, words, variables, folder)
        soak.comes("the first blocks indexed", lambda: any("checkpoint" in one for one in soak.metrics()))
        yield soak


@contextmanager
def operated(soak: Soak) -> Iterator[None]:
    """Have an operator look on, meanwhile."""
    stop = threading.Event()
    operator = threading.Thread(target=operate, args=(soak, stop))
    operator.start()
    try:
        yield
    finally:
        stop.set()
        operator.join()


def main() -> None:
    """Run the drill."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=40)
    options = parser.parse_args()
    binaries = find_binaries()
    if not NGINX or binaries is None or not (binaries / "pg_ctl").exists():
        raise SystemExit("This needs nginx and PostgreSQL (apt-get install nginx postgresql).")
    contracts = [*MadeUpChain(0).contracts, APES]
    with deployed(options.minutes, binaries) as soak:
        most = measured(soak, contracts, min(10.0, options.minutes * 2))
        pace = min(most / 2, READERS * 40)
        soak.tell(f"{most:.0f} pages a second at most; readers ask {pace:.0f} times a second.")
        soak.seen.part = "calm"
        readers = reading(lambda n: Reader(soak.site, n, contracts, soak.seen), READERS, pace)
        with operated(soak), readers:
            soak.run()
        soak.ends()
        soak.look()
        found = list(faults(soak))
        for line in (*table(soak), "", *soak.notes, *complaints(soak.logs()), *found):
            print(line, flush=True)
    sys.exit(bool(found))
