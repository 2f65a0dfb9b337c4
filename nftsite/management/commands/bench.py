"""Measure loading, queries and pages on a generated world."""

from __future__ import annotations

import json
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from core.db.planning import tune_for_pages
from nftsite.bench import (
    admin,
    embedded,
    http,
    images,
    indexing,
    lines,
    loading,
    methods,
    parts,
    people,
    probe,
    report,
)
from nftsite.bench.shapes import PATHS, shapes
from nftsite.bench.world.build import World, standing
from tokens.models import Contract

SERVICE, FLOOR = 8765, 8766
"""Ports on loopback."""

SINGLE, TOGETHER, MIXED = 250, 400, 1_000
"""Requests one by one, by several connections, and mixed over all shapes."""

EMBEDDED = 100_000
"""NFTs at most whose pages are measured on SQLite, too."""

ROUNDS = 5
"""Turns in which service and floor are asked one by one."""

CONNECTIONS = 4
IS_TRANSFER = b'{"record":"transfer"'


class Command(BaseCommand):
    """Fill an empty PostgreSQL database with a world, or take the one that stands, and measure it."""

    help = (
        "Fill DATABASE_URL (PostgreSQL, empty, a superuser's) with a generated world and measure it: every order with "
        "every filter, full pages beside a hand-written floor, requests while a load writes, the admin, loads and "
        "indexing. A "
        "world that stands is taken as it is. The part 'embedded' copies it into an SQLite file and measures the "
        "queries there. With --load, measure loading into an empty database instead."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the size, the parts, and where the figures go."""
        add = parser.add_argument
        add(
            "--nfts",
            type=int,
            default=20_000,
            help="size of the world (20,000), with five times the transfers",
        )
        add(
            "--parts",
            default="queries,methods,pages,people,admin,loads,indexing,images",
            help="what is measured, of these (all)",
        )
        add("--repeats", type=int, default=9, help="times that a query is timed (9)")
        add("--lines", type=int, default=100_000, help="transfers of each load into the world (100,000)")
        add("--logs", type=int, default=100_000, help="logs that are indexed, one a transaction (100,000)")
        add("--images", type=int, default=300, help="images that are cached (300)")
        add("--json", type=Path, default=settings.VAR_DIR / "bench.json", help="where all figures go")
        add("--load", type=int, default=0, help="only load so many transfers into an empty database")

    def handle(self, *args: Any, **options: Any) -> None:
        self.sections: dict[str, Any] = {"machine": report.machine()}
        if connection.vendor != "postgresql":
            if options["parts"] != "queries":
                raise CommandError(
                    "Name a PostgreSQL database in DATABASE_URL; of SQLite only the queries are measured."
                )
            self._queries(options)
        elif options["load"]:
            self._load_into_nothing(options["load"])
        else:
            tune_for_pages(settings.DATABASES, 0)
            self._stand(options["nfts"])
            for part in options["parts"].split(","):
                self._parts[part](self, options)
        options["json"].parent.mkdir(parents=True, exist_ok=True)
        report.write_json(options["json"], self.sections)
        self.stdout.write(f"All figures are in {options['json']}.")

    def _stand(self, nfts: int) -> None:
        found = standing()
        if found is None:
            if Contract.objects.exists():
                raise CommandError("The database is not empty, and holds no world of the benchmark's.")
            started = time.perf_counter()
            World(nfts, self.stdout.write).build()
            self.stdout.write(f"A world of {nfts:,} NFTs in {time.perf_counter() - started:,.0f} s.")
        elif found != nfts:
            raise CommandError(
                f"A world of {found:,} NFTs stands in this database: measure that, or name another."
            )
        self.sections["nfts"] = nfts

    def _queries(self, options: dict[str, Any]) -> None:
        names, now = probe.names(), int(time.time())
        costs = []
        for number, shape in enumerate(shapes()):
            costs += (found := list(probe.costs(shape, names, now, options["repeats"])))
            if not found:
                self.stdout.write(report.refused_line(shape))
            for line in list(report.cost_lines(found))[bool(number) :]:
                self.stdout.write(line)
        self.sections["queries"] = [asdict(cost) for cost in costs]
        self.stdout.write(report.summary(costs))

    def _methods(self, options: dict[str, Any]) -> None:
        found = []
        for cost in methods.costs(options["repeats"], int(time.time())):
            self.stdout.write(methods.line(cost))
            found.append(asdict(cost))
        self.sections["methods"] = found

    def _pages(self, options: dict[str, Any]) -> None:
        names = probe.names()
        page = f"{PATHS['nfts']}?contractAddress={names['largest']}&includeLastTransfer=true"
        found: dict[str, http.Load] = {}
        with http.server("nftsite.wsgi:application", SERVICE) as service:
            with http.server("nftsite.bench.floor:application", FLOOR) as floor:
                _compare(page)
                turns = {
                    "service, one by one": (service, SERVICE, "identity"),
                    "service, one by one, gzipped": (service, SERVICE, "gzip"),
                    "floor, one by one": (floor, FLOOR, "identity"),
                }
                loads = http.in_turn(list(turns.values()), [page] * SINGLE, ROUNDS)
                found |= zip(turns, loads, strict=True)
                found["service, together"] = http.ask(service, SERVICE, [page] * TOGETHER, CONNECTIONS)
                found["floor, together"] = http.ask(floor, FLOOR, [page] * TOGETHER, CONNECTIONS)
            asked = [shape.address(names) for shape in shapes()]
            mixed = Random(1).choices(asked, k=MIXED)  # noqa: S311 - a benchmark's order
            found["mixed queries"] = http.ask(service, SERVICE, mixed, CONNECTIONS)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "beside.jsonl"
                loading.write_lines(path, loading.more_transfers(options["lines"], range(1, 40), 1))
                load = loading.start(path)
                found["mixed queries while a load writes"] = http.ask(service, SERVICE, mixed, CONNECTIONS)
                self.sections["load_ended_first"] = load.poll() is not None
                load.wait()
        with tempfile.TemporaryDirectory(dir=settings.VAR_DIR) as folder:
            nfts = min(options["nfts"], EMBEDDED)
            found[f"SQLite of {nfts:,} NFTs"] = embedded.page(Path(folder), nfts, SERVICE, SINGLE)
        for name, load_ in found.items():
            self.stdout.write(report.load_line(name, load_))
        alone, floor_alone = found["service, one by one"], found["floor, one by one"]
        rate, floor_rate = found["service, together"].per_second, found["floor, together"].per_second
        self.stdout.write(
            f"service : floor  wall time {alone.median / floor_alone.median:.2f}, "
            f"CPU {alone.cpu_ms / max(floor_alone.cpu_ms, 0.01):.1f}, requests a second {rate / floor_rate:.2f}, "
            f"gzipped : plain {found['service, one by one, gzipped'].median / alone.median:.2f}"
        )
        self.sections["parts"] = parts.measure(page, names["largest"])
        self.stdout.write(parts.line(self.sections["parts"]))
        self.sections["pages"] = {name: asdict(load_) for name, load_ in found.items()}

    def _admin(self, options: dict[str, Any]) -> None:
        pages = admin.measure()
        for line in report.admin_lines(pages):
            self.stdout.write(line)
        self.sections["admin"] = {"pages": len(pages), "slowest_ms": pages[0].slowest}

    def _people(self, options: dict[str, Any]) -> None:
        took, pages = people.measure(options["repeats"])
        for line in people.lines(took, pages):
            self.stdout.write(line)
        self.sections["people"] = {"count_s": took, "pages": [asdict(page) for page in pages]}

    def _loads(self, options: dict[str, Any]) -> None:
        parts = {
            "transfers of the largest contract": range(1, 2),
            "transfers of small contracts": range(50, 2_000),
        }
        self.sections["loads"] = []
        for number, (name, numbers) in enumerate(parts.items(), 2):
            self._load(name, loading.more_transfers(options["lines"], numbers, number))

    def _indexing(self, options: dict[str, Any]) -> None:
        self.sections["indexing"] = []
        for run in indexing.measure(options["logs"]):
            self.stdout.write(report.indexing_line(run))
            self.sections["indexing"].append(asdict(run))

    def _embedded(self, options: dict[str, Any]) -> None:
        with tempfile.TemporaryDirectory(dir=settings.VAR_DIR) as folder:
            loaded, self.sections["embedded"] = embedded.measure(Path(folder), options["repeats"])
        self.stdout.write(report.loaded_line(loaded))
        costs = [probe.Cost(**cost) for cost in self.sections["embedded"]]
        for line in (*report.cost_lines(costs), report.summary(costs)):
            self.stdout.write(line)

    def _images(self, options: dict[str, Any]) -> None:
        with tempfile.TemporaryDirectory(dir=settings.VAR_DIR) as folder:
            cached = images.measure(Path(folder), options["images"])
        self.stdout.write(report.cached_line(cached))
        self.sections["images"] = asdict(cached)

    def _load_into_nothing(self, transfers: int) -> None:
        if Contract.objects.exists():
            raise CommandError("The database is not empty; name an empty one in DATABASE_URL.")
        self.sections["loads"] = []
        for name, wanted in (("NFTs into nothing", False), ("transfers into nothing", True)):
            made = lines.world(transfers)
            self._load(name, (line for line in made if line.startswith(IS_TRANSFER) is wanted))

    def _load(self, name: str, made: Iterable[bytes]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "lines.jsonl"
            loaded = loading.load(name, path, loading.write_lines(path, made))
        self.stdout.write(report.loaded_line(loaded))
        self.sections["loads"].append(asdict(loaded))

    _parts = {
        "queries": _queries,
        "methods": _methods,
        "pages": _pages,
        "people": _people,
        "admin": _admin,
        "loads": _loads,
        "indexing": _indexing,
        "images": _images,
        "embedded": _embedded,
    }


def _compare(page: str) -> None:
    """Hold the floor to the service: it must answer the same."""
    service, floor = (json.loads(http.body(port, page))["data"] for port in (SERVICE, FLOOR))
    if service != floor:
        raise CommandError("The floor does not answer what the service answers.")
