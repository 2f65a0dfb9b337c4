"""Strangers against the service: who asks for something cheap meanwhile is answered, and so is who asks for its health.

    make drill NAME=strangers ARGS="--nfts 200000 --seconds 10"

The service is started anew for each attack, by gunicorn alone and, where there is an nginx, behind it as
docs/operating.md recommends. The exit code is 1 where /healthz or /readyz was not answered with 200, or the slowest
hundredth of these answers took longer than --limit, or a cheap page was answered with anything but 200 and 503.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.processes import ROOT, databases
from tests.strangers.attacks import ATTACKS, NFTS, Sizes
from tests.strangers.clients import Seen
from tests.strangers.crowd import crowd
from tests.strangers.measure import Row, measured
from tests.strangers.setups import NGINX, gunicorn, nginx, silent_node, warm, world

ALONE, BEHIND = "gunicorn alone", "behind nginx"
PAGE, HEALTH = "cheap page", ("/healthz", "/readyz")
LIMIT_MS = 100.0
"""The slowest hundredth of the answers of /healthz and /readyz may take so long."""

Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Drill:
    """The service of ``root`` on a database, and how long each measurement takes.

    ``settle`` seconds pass between the beginning of an attack and the first measurement.
    """

    url: str
    root: Path
    folder: Path
    names: dict[str, str]
    seconds: float = 10.0
    wait: float = 10.0
    settle: float = 1.0
    sizes: Sizes = field(default_factory=Sizes)

    def run(self, setups: Iterable[str], attacks: Sequence[str]) -> Iterator[tuple[Seen, list[Row]]]:
        """Yield what strangers saw in each attack, and what others got meanwhile."""
        for setup in setups:
            for attack in attacks:
                with self.served(setup) as port:
                    yield self.attacked(setup, attack, port)

    @contextmanager
    def served(self, setup: str) -> Iterator[int]:
        """The service in a set-up; yields the port of it."""
        with ExitStack() as stack:
            node = stack.enter_context(silent_node())
            port = stack.enter_context(gunicorn(self.url, self.root, node, self.folder / "gunicorn.log"))
            if setup == BEHIND:
                port = stack.enter_context(nginx(self.folder / f"nginx-{port}", port))
            warm(port, list(self._targets.values()))
            yield port

    def attacked(self, setup: str, attack: str, port: int) -> tuple[Seen, list[Row]]:
        """Attack a service that runs; return what strangers saw, and what others got meanwhile."""
        with crowd(ATTACKS[attack](self.names, self.sizes), port) as seen:
            time.sleep(self.settle)
            rows = [
                measured(setup, attack, target, port, address, self.seconds, self.wait)
                for target, address in self._targets.items()
            ]
        return seen, rows

    @property
    def _targets(self) -> dict[str, str]:
        page = f"{NFTS}?contractAddress={self.names['largest']}"
        return {PAGE: page} | {path: path for path in HEALTH}


def faults(rows: Iterable[Row], limit: float = LIMIT_MS) -> Iterator[str]:
    """Yield what must not be, a line each."""
    for row in rows:
        place = f"{row.setup}, {row.attack}, {row.target}:"
        bad = {error: count for error, count in row.errors.items() if row.target != PAGE or error != "503"}
        if bad:
            yield f"{place} {_counted(bad)}"
        elif row.target != PAGE and row.p99 > limit:
            yield f"{place} p99 of {row.p99:g} ms is over {limit:g} ms"


def table(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    yield "| Set-up | Attack | Target | Requests/s | p50 ms | p99 ms | Errors |"
    yield "|---|---|---|---:|---:|---:|---|"
    for row in rows:
        figures = f"{row.per_second:,.1f} | {row.p50:,.1f} | {row.p99:,.1f}"
        yield f"| {row.setup} | {row.attack} | {row.target} | {figures} | {_counted(row.errors)} |"


def told(seen: Seen) -> str:
    """Return what an attack saw, in words."""
    answers = _counted({str(status): count for status, count in sorted(seen.answers.items())})
    return f"{seen.connections:,} connections of strangers, answered {answers or 'nothing'}"


def _counted(errors: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} × {error}" for error, count in errors.items())


def main() -> None:
    """Run the drill from the command line."""
    options = _options()
    tell: Told = lambda text: print(text, flush=True)  # noqa: E731
    setups = [ALONE, BEHIND] if NGINX else [ALONE]
    if not NGINX:
        tell("There is no nginx on this machine: what is behind one is left out.")
    if not os.environ.get("TEST_DATABASE_URL"):
        sys.exit("This needs a PostgreSQL: make drill NAME=strangers, or python -m tests.postgres before it.")
    rows: list[Row] = []
    attacked = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        root = options.service_root
        (url,) = stack.enter_context(databases(folder, ["strangers"], root))
        names = world(url, root, options.nfts)
        sizes = Sizes(options.busy, options.slow, options.silent)
        drill = Drill(url, root, folder, names, options.seconds, options.wait, sizes=sizes)
        for seen, found in drill.run(setups, options.attacks):
            rows += found
            attacked.append(
                {"setup": found[0].setup, "attack": found[0].attack, "connections": seen.connections}
                | {"answers": dict(seen.answers), "load": os.getloadavg()[0]}
            )
            tell(f"{found[0].setup}, {found[0].attack}: {told(seen)}; load average {os.getloadavg()[0]:.1f}")
    for line in table(rows):
        tell(line)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    figures = {"nfts": options.nfts, "rows": [asdict(row) for row in rows], "strangers": attacked}
    options.json.write_text(json.dumps(figures, indent=1) + "\n")
    tell(f"All figures are in {options.json}.")
    found_faults = list(faults(rows, options.limit))
    for line in found_faults:
        tell(f"Not as it must be: {line}")
    sys.exit(bool(found_faults))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.strangers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--nfts", type=int, default=200_000, help="size of the benchmark's world (200,000)")
    add("--seconds", type=float, default=10, help="for which each target is asked (10)")
    add("--wait", type=float, default=10, help="seconds after which an answer is not waited for (10)")
    add(
        "--limit",
        type=float,
        default=LIMIT_MS,
        help="ms of the slowest hundredth of /healthz and /readyz (100)",
    )
    add("--busy", type=int, default=4, help="clients that repeat dear queries (4)")
    add("--slow", type=int, default=32, help="clients that never finish (32)")
    add("--silent", type=int, default=1000, help="sockets that say nothing (1,000)")
    add(
        "--attacks",
        nargs="+",
        choices=list(ATTACKS),
        default=list(ATTACKS),
        metavar="NAME",
        help="only these",
    )
    add("--service-root", type=Path, default=ROOT, help="another checkout, whose service is attacked instead")
    add("--json", type=Path, default=ROOT / "var" / "strangers.json", help="where all figures go")
    return parser.parse_args()
