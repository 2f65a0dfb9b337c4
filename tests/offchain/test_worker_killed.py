"""Of two workers one is killed mid-way: no NFT is lost, none is stuck, none is wrong."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.builders import APES, contract, transfer, write_lines
from tests.offchain.gateway import ROOT as CID
from tests.offchain.gateway import LocalGateway
from tests.offchain.played_contracts import TOKEN_URI, PlayedContracts, played_contracts, text
from tests.patience import PATIENCE, comes
from tests.processes import databases, environment, outcome, run, started

COUNT = 500
KILLED_AT = 150
"""Documents asked for before one of the workers is killed; it is then in the middle of a batch."""

LEASE = 4


def document(number: int) -> dict[str, Any]:
    return {"name": f"#{number}", "attributes": [{"trait_type": "Fur", "value": f"Fur {number % 7}"}]}


def worker(url: str, node: str, gateway: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """A worker that follows, killed afterwards."""
    options = ["--chain", "ethereum", "--rpc-url", node, "--lease", str(LEASE), "--follow"]
    variables = environment(url, IPFS_GATEWAYS=gateway, LOG_LEVEL="WARNING")
    return started(variables, "manage.py", "fetch_metadata", *options)


def standing(url: str) -> dict[str, Any]:
    return outcome(run(url, "-m", "tests.offchain.standing"))


def settled(url: str, process: subprocess.Popen[str]) -> dict[str, Any]:
    """How things stand once nothing is pending any more; the process must live on."""
    found: dict[str, Any] = {}

    def is_settled() -> bool:
        found.update(standing(url))
        return not found["states"].get("pending") and not found["held"]

    if not comes(is_settled, process, every=1):  # a look is half a second's work of its own
        pytest.fail(f"still pending: {found['states']}; the worker has ended with {process.poll()}")
    return found


def wait_for(reached: threading.Event, process: subprocess.Popen[str]) -> None:
    """Return once this is reached; the process must live on."""
    if not comes(reached.is_set, process):
        process.kill()
        pytest.fail(f"the worker does not get there: {process.communicate()}")


@pytest.fixture
def contracts() -> Iterator[PlayedContracts]:
    with played_contracts() as played:
        played.give(APES, TOKEN_URI, lambda token_id, gas: text(f"ipfs://{CID}/{token_id}"))
        yield played


def test_a_worker_that_is_killed_loses_nothing(contracts: PlayedContracts, tmp_path: Path) -> None:
    numbers = range(1, COUNT + 1)
    lines = [contract(), *(transfer(str(number), block=number) for number in numbers)]
    reached = threading.Event()

    def note(number: int) -> None:
        if number == KILLED_AT:
            reached.set()

    with (
        databases(tmp_path, ["killed"]) as (url,),
        LocalGateway({str(number): document(number) for number in numbers}, note) as gateway,
    ):
        loaded = run(url, "manage.py", "load", str(write_lines(tmp_path / "apes.jsonl", lines)))
        assert loaded.returncode == 0, loaded.stderr[-2000:]
        with (
            worker(url, contracts.node.url, gateway.url) as killed,
            worker(url, contracts.node.url, gateway.url) as other,
        ):
            wait_for(reached, killed)
            killed.send_signal(signal.SIGKILL)
            assert killed.wait() == -signal.SIGKILL
            found = settled(url, other)
            other.send_signal(signal.SIGTERM)
            out, err = other.communicate(timeout=PATIENCE)
    assert (other.returncode, err) == (0, "")
    assert "ready" in out
    assert found["states"] == {"ready": COUNT}
    assert found["documents"] == COUNT
    assert found["metadata"] == {
        str(number): {
            "name": f"#{number}",
            "traits": [{"traitType": "Fur", "traitValue": f"Fur {number % 7}"}],
        }
        for number in numbers
    }
    counts = {f"Fur-Fur {one}": sum(number % 7 == one for number in numbers) for one in range(7)}
    assert found["traits"] == found["postings"] == counts
    assert len(gateway.asked) < 2 * COUNT  # what the killed one had written was not read again
