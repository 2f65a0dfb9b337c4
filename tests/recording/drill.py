"""Holds the answers of one code to those that another one gave: `python -m tests.recording --help`."""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from urllib.parse import parse_qsl

from tests.recording import worlds
from tests.recording.questions import NFTS, SCHEMA, TRANSFERS, Asked, get, look_around, questions
from tests.recording.service import Answer, Service, service
from tests.shared import SHARED

ROOT = Path(__file__).resolve().parents[2]
SHOWN = 30
"""Differing answers that are shown; all are counted."""
AROUND = 100
"""Characters shown of two bodies on either side of where they part."""


def main() -> None:
    """Ask a code 2,000 questions a database, and keep questions and answers in a folder, by engine and world.

    What the folder has already is asked again as it was, and the answers must be the same, byte for byte: the exit
    code is 1 when one differs.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.recording", description=main.__doc__)
    add = parser.add_argument
    add("folder", nargs="?", type=Path, default=ROOT / "var" / "recordings", help="(var/recordings)")
    add("--code", type=Path, default=ROOT, help="the checkout whose code answers (this one)")
    add("--engines", nargs="+", default=["sqlite", "postgresql"], help="sqlite, postgresql (both)")
    add("--worlds", nargs="+", default=["sample", "real"], help="sample, real (both)")
    add("--shared", type=Path, default=SHARED, help="where the real data is (../shared)")
    add("--count", type=int, default=2000, help="questions a new recording has (2,000)")
    add("--seed", type=int, default=1, help="what they are made of (1)")
    asked = parser.parse_args()
    code, folder = asked.code.resolve(), asked.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    differing = 0
    for engine in asked.engines:
        url = os.environ["TEST_DATABASE_URL"] if engine == "postgresql" else ""
        for world in asked.worlds:
            if world == "real" and not asked.shared.exists():
                print(f"The real data is not here: {asked.shared}", file=sys.stderr)
                continue
            lines, file = folder / f"{world}.jsonl.gz", folder / f"{engine}-{world}.jsonl.gz"
            if not lines.exists():
                with service(code, url) as fresh:
                    worlds.make(world, lines, fresh, asked.shared)
            with service(code, url) as answering:
                worlds.prepare(world, lines, answering, asked.shared)
                if file.exists():
                    differing += compared(file, answering)
                else:
                    record(file, answering, worlds.names(lines), asked.seed, asked.count)
    sys.exit(1 if differing else 0)


def record(file: Path, answering: Service, names: dict[str | None, str], seed: int, count: int) -> None:
    """Make up so many questions and keep them with their answers, each as a line ``[request, answer]``.

    Ends the drill when a documented parameter was never asked for.
    """
    document = json.loads(answering.answer(get(SCHEMA, "format=json"))["body"])
    unasked = {
        (path, one["name"])
        for path in (NFTS, TRANSFERS)
        for one in document["paths"][path]["get"]["parameters"]
        if one["in"] == "query"
    }
    digest, statuses = hashlib.sha256(), Counter[int]()

    def counted() -> Iterator[Asked]:
        found = look_around(answering.answer, names)
        for request, answer in islice(questions(seed, found, answering.answer), count):
            statuses[answer["status"]] += 1
            if answer["status"] == HTTPStatus.OK:
                unasked.difference_update(
                    (request["path"], name) for name, _ in parse_qsl(request["query"], True)
                )
            yield request, answer

    worlds.write(file, counted(), digest.update)
    print(f"{file.name}: recorded {dict(sorted(statuses.items()))}, sha256 {digest.hexdigest()}", flush=True)
    if unasked:
        sys.exit(f"Never asked for, or never answered: {sorted(unasked)}")


def compared(file: Path, answering: Service) -> int:
    """Ask what was asked for a recording, tell of answers that differ, and return how many do."""
    count = differing = 0
    for request, kept in worlds.read(file):
        count += 1
        found = differences(kept, answering.answer(request))
        if found:
            differing += 1
            if differing <= SHOWN:
                sent = {name: value for name, value in request["headers"].items() if name != "X-Request-ID"}
                print(
                    f"{file.name} {count}: {request['method']} {request['path']}?{request['query']} {sent or ''}"
                )
                print("".join(f"    {line}\n" for line in found), end="", flush=True)
    print(f"{file.name}: {count} answers, {differing} differ", flush=True)
    return differing


def differences(kept: Answer, given: Answer) -> list[str]:
    """What differs between two answers, in a line or two each: status, headers, body."""
    found = []
    if kept["status"] != given["status"]:
        found.append(f"status {kept['status']} -> {given['status']}")
    before, after = dict(kept["headers"]), dict(given["headers"])
    for name in sorted(before | after):
        if before.get(name) != after.get(name):
            found.append(f"{name}: {before.get(name)} -> {after.get(name)}")
    if kept["body"] != given["body"]:
        one, other = readable(kept), readable(given)
        pairs = enumerate(zip(one, other, strict=False))
        at = next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
        part = slice(max(0, at - AROUND), at + AROUND)
        found += [f"body, at {at}: {one[part]!r}", f"{'->':>{len(f'body, at {at}:')}} {other[part]!r}"]
    return found


def readable(answer: Answer) -> bytes:
    """The body, unpacked."""
    body = answer["body"].encode("latin-1")
    return gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
