"""What the database holds: the sample, and real data indexed from a node. Each is a file once, read by every code."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from tests.recording.service import CLOCK, Service

Line = dict[str, Any]

PUNKS = "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb"
LOOT = "0xff9c1b15b16263c61d017ee9f65c50e4ae0113d7"
NAMES = {"punks.eth": PUNKS, "loot.eth": LOOT, "nothing.eth": None}
CURRENCIES = ["ETH", "ETH", "WETH", "USDC", "APE"]  # of the last no rate is known
IMAGES = 8
"""One in so many images of the sample is kept: drawing them takes longest."""


def make(world: str, file: Path, fresh: Service, shared: Path) -> None:
    """Write the file of a world; the sample is what `fresh`, a service with an empty database, brings along."""
    if world == "real":
        write(file, real_lines(shared / "data"))
        return
    dumped = file.with_name("dumped.jsonl.gz")
    fresh.run("load_sample")
    fresh.run("dump", "--output", str(dumped))
    write(file, sample_lines(read(dumped)))
    dumped.unlink()


def prepare(world: str, file: Path, service: Service, shared: Path) -> None:
    """Bring a world into an empty database by the service's own commands."""
    if world == "real":
        with recorded_node(shared) as url:
            service.run("index", "--chain", "ethereum", "--rpc-url", url)
    service.run("load", str(file))
    service.run("apply_marks")
    if world == "real":
        service.run("compute_rarity", "--contract", PUNKS)  # of Loot the stated ranks hold
        service.run("classify")
    else:
        service.run("compute_rarity")
        service.run("cache_images")


def sample_lines(lines: Iterable[Line]) -> Iterator[Line]:
    """The sample's, with few of its images, asks that end soon, and marked NFTs."""
    for number, line in enumerate(lines):
        if line["record"] == "nft" and number % IMAGES:
            line["metadata"].pop("imageUrl", None)
        if line["record"] == "nft" and number % 50 == 7:
            line |= {"marked": True, "markedReason": "stolen"}
        if line["record"] == "ask" and number % 5 == 0 and line.get("status") == "open":
            line["validUntil"] = CLOCK + number % 5000
        yield line


def real_lines(data: Path) -> Iterator[Line]:
    """All that is not indexed: collections with their traits, rates, asks opened again, documents, names and marks."""
    random = Random("asks")
    for number, line in enumerate(read(data / "real.jsonl.gz")):
        if line["record"] == "ask":
            yield line
            yield _opened(random, line, line["currency"], line["price"])
        elif line["record"] != "transfer":
            if line["record"] == "nft" and number % 50 == 7:
                line |= {"marked": True, "markedReason": "stolen"}
            yield line
            if line["record"] == "nft" and random.random() < 0.1:
                for _ in range(random.choice([1, 1, 2, 5])):
                    price = f"{random.lognormvariate(3, 1):.4f}"
                    yield _opened(random, line, random.choice(CURRENCIES), price)
    for odd in read(data / "metadata_documents.jsonl.gz"):
        yield {
            "record": "nft",
            "chain": "ethereum",
            "contractAddress": odd["contractAddress"],
            "tokenId": odd["tokenId"],
            "document": odd["metadata"],
        }
    for name, address in NAMES.items():
        yield {"record": "ens", "name": name, "address": address}


def _opened(random: Random, line: Line, currency: str, price: str) -> Line:
    """An open ask for the NFT of a line; few end within the next hour."""
    ask = {
        "record": "ask",
        "chain": line["chain"],
        "contractAddress": line["contractAddress"],
        "tokenId": line["tokenId"],
        "marketplace": line.get("marketplace") or random.choice(["opensea", "blur", "x2y2", "cryptopunks"]),
        "orderHash": f"0x{random.getrandbits(256):064x}",
        "currency": currency,
        "price": price,
        "status": "open",
    }
    if random.random() < 0.2:
        ask["validUntil"] = CLOCK + random.randrange(-5, 5000)
    return ask


@contextmanager
def recorded_node(shared: Path) -> Iterator[str]:
    """The URL of a node with 1,830 transactions of Ethereum."""
    script, file = shared / "tools" / "recorded_node.py", shared / "data" / "transactions.jsonl.gz"
    command = [sys.executable, str(script), "--port", "0", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield (server.stdout.readline() if server.stdout else "").split(" on ")[1].strip()
        finally:
            server.terminate()


def names(file: Path) -> dict[str | None, str]:
    """Names of ENS in the file of a world by the addresses they stand for."""
    found = {}
    for line in read(file):
        if line["record"] == "ens":
            found[line["address"]] = line["name"]
        elif "ensName" in line:
            found[line["contractAddress"]] = line["ensName"]
    return found


def read(file: Path) -> Iterator[Any]:
    """The objects of a file, one a line."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def write(file: Path, objects: Iterable[Any], told: Callable[[bytes], object] = len) -> None:
    """Write objects, one a line; the same ones make the same file. `told` is given each line's bytes.

    The file is there once it is whole.
    """
    part = file.with_suffix(".part")
    with part.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0, compresslevel=6) as out:
        for one in objects:
            line = json.dumps(one).encode() + b"\n"
            told(line)
            out.write(line)
    part.rename(file)
