"""How many images a second are fetched, vetted, drawn in both sizes, stored and shown, by workers side by side."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from nftsite.bench import beside, gallery, http
from nftsite.bench.loading import load, write_lines
from nftsite.bench.measured import Usage

WORKERS = 2
PORT = 8767
ROOT = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi"
"""The CID below which all pictures are, at the gateway of the measurement."""
ADDRESS = f"0x{0xBE9C:040x}"
_DATABASE = "bench_images"


@dataclass(frozen=True, slots=True)
class Cached:
    """What caching images took, the start of the workers included; ``cpu_ms`` is theirs, for each image.

    ``peak_mib`` is the largest resident memory of any process of theirs.
    """

    images: int
    workers: int
    seconds: float
    per_second: float
    cpu_ms: float
    peak_mib: float
    load_average: float


def measure(folder: Path, images: int) -> Cached:
    """Cache so many images of a megapixel each, in a database of its own beside the world and files in ``folder``.

    Raises ``RuntimeError`` unless all of them are cached.
    """
    gallery.paint(folder / "ipfs" / ROOT, images)
    with beside.database(_DATABASE) as url, _gateway(folder):
        environment = {
            "DATABASE_URL": url,
            "MEDIA_ROOT": str(folder / "files"),
            "IPFS_GATEWAYS": f"http://{http.HOST}:{PORT}",
        }
        beside.manage(environment, "migrate", "-v0")
        lines = folder / "lines.jsonl"
        load("NFTs with images", lines, write_lines(lines, _lines(images)), environment)
        return _cached(environment, images)


def _cached(environment: dict[str, str], images: int) -> Cached:
    started = time.perf_counter()
    workers = [_started(environment) for _ in range(WORKERS)]
    told = [worker.communicate()[0] for worker in workers]
    if any(worker.returncode for worker in workers):
        raise RuntimeError("A worker failed.")
    used: list[Usage] = [json.loads(one) for one in told]
    seconds = time.perf_counter() - started
    files = list(Path(environment["MEDIA_ROOT"]).rglob("*.*"))
    if len(files) != 3 * images:
        raise RuntimeError(f"{len(files)} files of {images} images.")
    return Cached(
        images=images,
        workers=WORKERS,
        seconds=round(seconds, 1),
        per_second=round(images / seconds, 1),
        cpu_ms=round(sum(one["cpu_seconds"] for one in used) / images * 1000, 1),
        peak_mib=round(max(one["peak_bytes"] for one in used) / 2**20),
        load_average=round(os.getloadavg()[0], 1),
    )


def _started(environment: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "nftsite.bench.measured", sys.executable, "manage.py", "cache_images"],
        cwd=settings.BASE_DIR,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _lines(images: int) -> Iterator[bytes]:
    yield _line(record="contract", chain="ethereum", contractAddress=ADDRESS, contractStandard="ERC721")
    for number in range(images):
        metadata = {"imageUrl": f"ipfs://{ROOT}/{number}"}
        yield _line(
            record="nft", chain="ethereum", contractAddress=ADDRESS, tokenId=str(number), metadata=metadata
        )


@contextmanager
def _gateway(folder: Path) -> Iterator[None]:
    """Serve a folder on loopback."""
    server = ["http.server", str(PORT), "--bind", http.HOST, "--directory", str(folder)]
    process = subprocess.Popen([sys.executable, "-m", *server], stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        http.wait_until_it_answers(process, PORT)
        yield
    finally:
        process.kill()
        process.wait()


def _line(**fields: Any) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"
