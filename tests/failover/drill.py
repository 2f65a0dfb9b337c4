"""The leader of three databases is killed, cut off, paused and switched over, under load: what do clients see?

    make drill NAME=failover ARGS="--times 20 --rate 200"

Five hosts are network namespaces that the drill makes and removes, so it runs as root, on a machine that has Debian's
patroni, etcd-server, haproxy, pgbouncer and postgresql. Three keep the database (Patroni over etcd, one standby
confirming each commit). Two serve, each by gunicorn over its own PgBouncer in transaction mode, HAProxy before who
leads, and the three as replicas; one of them indexes a chain that grows. A sixth has the clients: so many requests a
second, a walk after the other, and a writer that keeps what was acknowledged. The exit code is 1 where something that
was acknowledged is lost, something is there twice, a walk is not whole, or an answer older than REPLICA_MAX_LAG.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from nftsite.bench.made_up_node import LOGS_A_BLOCK
from tests.failover.databases import Databases, missing
from tests.failover.hosts import Host, hosts, until
from tests.failover.reckoning import KINDS, Reckoning
from tests.failover.service import NFTS, STATIC, Service

PATHS = (
    "/api/v1/nfts/by-token?chain=ethereum&limit=10",
    f"/api/v1/nfts/by-token?chain=polygon&contractAddress={STATIC}&sortBy=tokenId&limit=10",
    "/api/v1/nfts/by-token?chain=ethereum&limit=10&includeLastTransfer=true",
    f"/api/v1/transfers/by-token?chain=polygon&contractAddress={STATIC}&limit=10",
)
WALK = f"/api/v1/nfts/by-token?chain=polygon&contractAddress={STATIC}&sortBy=tokenId-desc&limit=30"


def main() -> None:
    """Run the drill, and print what came of it."""
    parser = argparse.ArgumentParser(prog="make drill NAME=failover", description=__doc__)
    parser.add_argument("--times", type=int, default=20, help="how often the leader goes away (20)")
    parser.add_argument("--rate", type=float, default=200, help="requests a second, over both hosts (200)")
    parser.add_argument("--lag", type=int, default=30, metavar="SECONDS", help="REPLICA_MAX_LAG (30)")
    parser.add_argument("--pace", type=float, default=1, help="blocks a second that the chain grows by (1)")
    parser.add_argument("--keep", action="store_true", help="keep the logs, and say where they are")
    options = parser.parse_args()
    lacking = missing()
    if os.geteuid() != 0 or lacking:
        print(
            f"This drill runs as root, with these programs: it lacks {', '.join(lacking) or 'root'}.",
            file=sys.stderr,
        )
        sys.exit(2)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = Path(tempfile.mkdtemp(prefix="nft-failover-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        with hosts(folder, ["a", "b", "c", "w", "v", "cl"]) as (a, b, c, w, v, clients):
            sys.exit(0 if _drill(options, folder, Databases([a, b, c]), [w, v], clients) else 1)
    finally:
        if options.keep:
            print(f"Logs: {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _drill(
    options: argparse.Namespace, folder: Path, databases: Databases, web: list[Host], clients: Host
) -> bool:
    started = time.monotonic()
    databases.start()
    leader = databases.hosts[databases.leader()]
    psql = ("psql", "-h", str(leader.folder), "-U", "postgres", "-Xq", "-v", "ON_ERROR_STOP=1")
    leader.run(*psql, "-c", "CREATE DATABASE nft", "-c", "CREATE ROLE web SUPERUSER LOGIN")
    leader.run(
        *psql, "-d", "nft", "-c", "CREATE TABLE drill (n bigint PRIMARY KEY, at timestamptz DEFAULT now())"
    )
    _tune(leader, psql)
    service = Service(web, databases, options.lag, blocks=6_000, pace=options.pace)
    service.start(folder)
    tell(f"Ready after {time.monotonic() - started:.0f} s; {databases.leader()} leads.")
    with _clients(options, folder, clients, web) as reckoning:
        try:
            _pass(10, service)
            for number in range(options.times):
                kind = KINDS[number % len(KINDS)]
                told = _failed_over(kind, reckoning, databases, service)
                tell(f"{number + 1:3} {kind} of {told}")
                _pass(5, service)
        except TimeoutError as fault:
            tell(f"Given up. {fault}: {databases.members()}")
    return _judged(options, reckoning, databases, service)


def _failed_over(kind: str, reckoning: Reckoning, databases: Databases, service: Service) -> str:
    """Have the leader go away, and return when all is whole again: with what happened, for who watches."""
    began, old = time.time(), databases.leader()
    new = databases.fail(kind)
    led = time.time() - began
    until(lambda: _settled(databases, service), 240, f"whole after {kind} of {old}")
    reckoning.faults.append((kind, began, time.time()))
    return f"{old}: {new} leads after {led:.0f} s, whole after {time.time() - began:.0f} s"


def _settled(databases: Databases, service: Service) -> bool:
    service.keep_indexing()
    return databases.is_whole()


def _pass(seconds: float, service: Service) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        service.keep_indexing()
        time.sleep(0.5)


def _tune(leader: Host, psql: Sequence[str]) -> None:
    from core.db.planning import PAGES

    settings = [word.split("=", 1) for word in PAGES.split() if word != "-c"]
    for name, value in (("statement_timeout", "15s"), *settings):
        leader.run(*psql, "-c", f"ALTER ROLE web SET {name} = '{value}'")


@contextmanager
def _clients(
    options: argparse.Namespace, folder: Path, clients: Host, web: list[Host]
) -> Iterator[Reckoning]:
    """Have clients at work meanwhile; afterwards the reckoning has what they saw."""
    end, addresses = folder / "end", [f"{host.address}:8000" for host in web]
    asks = ("ask", str(options.rate), "64", " ".join(PATHS), str(end), *addresses)
    dsn = "host=127.0.0.1 port=6432 dbname=nft user=web"
    at_work = [
        (host, kind, host.start(kind, sys.executable, "-m", "tests.failover.clients", *words))
        for host, kind, words in (
            (clients, "ask", asks),
            (clients, "walk", ("walk", WALK, str(end), *addresses)),
            (web[1], "write", ("write", str(end), dsn)),
        )
    ]
    reckoning = Reckoning([], [], [])
    yield reckoning
    end.touch()  # where the block raised, all ends with the hosts
    for host, kind, process in at_work:
        process.wait(120)
        found = [
            json.loads(line)
            for line in (host.folder / f"{kind}.log").read_text().splitlines()
            if line[:1] == "{"
        ]
        {"ask": reckoning.asked, "walk": reckoning.walks, "write": reckoning.written}[kind].extend(found)
    reckoning.asked.sort(key=lambda one: float(one["at"]))


def _judged(
    options: argparse.Namespace, reckoning: Reckoning, databases: Databases, service: Service
) -> bool:
    """Print the table and the verdicts; return whether all is well."""
    print("\n".join(reckoning.rows()))
    span = reckoning.asked[-1]["at"] - reckoning.asked[0]["at"]
    good = sum(one["outcome"] == "200" for one in reckoning.asked)
    times = sorted(one["took"] for one in reckoning.asked)
    middle, late = (times[len(times) * share // 100] * 1000 for share in (50, 99))
    print(
        f"\n{len(times) / span:.0f} requests a second over {span:.0f} s, {good / len(times):.3%} answered with 200; "
        f"median {middle:.0f} ms, p99 {late:.0f} ms."
    )
    acknowledged = {one["committed"] for one in reckoning.written if "committed" in one}
    kept = {int(row[0]) for row in databases.query("SELECT n FROM drill")}
    whole = [str(number) for number in reversed(range(NFTS))]
    torn = sum(one["walk"] != whole for one in reckoning.walks)
    retried = sum(one["failed"] for one in reckoning.walks)
    ((checkpoint,),) = databases.query(
        "SELECT next_block - 1 FROM transfers_indexedcontract WHERE address = ''"
    )
    blocks = databases.query(
        "SELECT block_number, count(*) FROM transfers_transfer t JOIN tokens_chain c ON c.id = t.chain_id "
        "WHERE c.slug = 'ethereum' GROUP BY block_number"
    )
    odd = [row for row in blocks if int(row[1]) != LOGS_A_BLOCK]
    absent = int(checkpoint) - len(blocks)
    old = reckoning.too_old(options.lag)
    print(
        f"{len(acknowledged):,} rows acknowledged, {len(acknowledged - kept)} of them lost.\n"
        f"{int(checkpoint):,} blocks indexed ({service.restarts} restarts of the indexer), {absent} missing, "
        f"{len(odd)} with more or fewer than {LOGS_A_BLOCK} transfers.\n"
        f"{len(reckoning.walks)} walks of {NFTS} NFTs over both hosts, {torn} not whole, "
        f"{retried} pages asked for again.\n"
        f"{old} answers older than {options.lag} s."
    )
    is_whole = len(reckoning.faults) == options.times and int(checkpoint) > 0
    return is_whole and not (acknowledged - kept or torn or odd or absent or old)


def tell(text: str) -> None:
    """Say how it goes."""
    print(text, file=sys.stderr, flush=True)
