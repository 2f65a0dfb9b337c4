"""Anvil, an Ethereum node for tests, and our contracts as solc compiles them: both pinned in npm/, kept in var/evm."""

import contextlib
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.npm import Node, alone, find_node, installed, unavailable
from tests.patience import comes

HERE = Path(__file__).parent
CACHE = HERE.parent.parent / "var" / "evm"
GENESIS_TIME = 1_700_000_000
"""Time of block 0, in seconds."""

BLOCK_GAS = 300_000_000
"""So much that many transactions fit a block, and so little that a view which burns all of it ends within a second."""

SETTINGS = {
    "evmVersion": "cancun",
    "outputSelection": {"*": {"*": ["abi", "evm.bytecode.object", "evm.methodIdentifiers"]}},
}

# The kernel kills the node when this process goes, even by a signal that nobody can handle (Linux only). By a program
# of its own, since Popen's preexec_fn warns of the threads that a pytest-xdist worker has.
DIE_WITH_PARENT = (
    "import ctypes, os, sys\n"
    "sys.platform == 'linux' and ctypes.CDLL(None).prctl(1, 9)\n"  # PR_SET_PDEATHSIG, SIGKILL
    "os.execv(sys.argv[1], sys.argv[1:])\n"
)


@dataclass(frozen=True)
class Function:
    """A function of a contract: its selector as hex without 0x, and the ABI types that go in and come out."""

    selector: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Contract:
    """A compiled contract: the code that creates it, its constructor's types, functions by signature."""

    name: str
    bytecode: str
    constructor: tuple[str, ...]
    functions: dict[str, Function]


@dataclass(frozen=True)
class Toolchain:
    """The node's program, and the contracts of contracts/*.sol by name."""

    anvil: Path
    contracts: dict[str, Contract]


def find_toolchain() -> Toolchain:
    """Install and compile what is not there yet; without node, npm or their packages they are `unavailable`."""
    node = find_node()
    packages = installed(node, HERE / "npm", CACHE / "npm")
    # Of the packages for each system npm installs this machine's.
    programs = list(packages.glob("node_modules/@foundry-rs/anvil-*/bin/anvil*"))
    if not programs:
        unavailable("npm has no anvil for this machine")
    return Toolchain(programs[0], compiled(node, packages))


def compiled(node: Node, packages: Path) -> dict[str, Contract]:
    """Every contract of contracts/, compiled once for each state of the sources and of the compiler's pin."""
    sources = {path.name: {"content": path.read_text()} for path in sorted(HERE.glob("contracts/*.sol"))}
    asked = json.dumps({"language": "Solidity", "sources": sources, "settings": SETTINGS}, sort_keys=True)
    state = hashlib.sha256(asked.encode() + (packages / "package-lock.json").read_bytes()).hexdigest()
    cache = CACHE / f"contracts-{state[:16]}.json"
    with alone(CACHE / "contracts.lock"):
        if not cache.exists():
            answer = run_solc(node, packages, asked)
            for old in CACHE.glob("contracts-*.json"):
                old.unlink()
            whole = cache.with_suffix(".part")
            whole.write_text(json.dumps(answer))
            whole.rename(cache)
    answer = json.loads(cache.read_text())
    return {
        name: contract_of(name, output)
        for file in answer["contracts"].values()
        for name, output in file.items()
    }


def run_solc(node: Node, packages: Path, asked: str) -> dict[str, Any]:
    """The compiler's answer to a standard JSON input; warnings are errors."""
    command = [node.node, str(packages / "node_modules" / "solc" / "solc.js"), "--standard-json"]
    # Into a file: it exits while a pipe still holds the end of what it says.
    with tempfile.TemporaryFile("w+") as said:
        subprocess.run(command, check=True, input=asked, stdout=said, text=True)
        said.seek(0)
        text = said.read()
    answer: dict[str, Any] = json.loads(text[text.index("{") :])  # before it: a remark on SMT solvers
    faults = [fault["formattedMessage"] for fault in answer.get("errors", [])]
    assert not faults, "\n".join(faults)
    return answer


def contract_of(name: str, output: dict[str, Any]) -> Contract:
    """What the driver needs of a contract in the compiler's output."""

    def types(parameters: list[dict[str, Any]]) -> tuple[str, ...]:
        return tuple(parameter["type"] for parameter in parameters)

    constructor: tuple[str, ...] = ()
    functions = {}
    for part in output["abi"]:
        if part["type"] == "constructor":
            constructor = types(part["inputs"])
        if part["type"] == "function":
            inputs = types(part["inputs"])
            signature = f"{part['name']}({','.join(inputs)})"
            selector = output["evm"]["methodIdentifiers"][signature]
            functions[signature] = Function(selector, inputs, types(part["outputs"]))
    return Contract(name, output["evm"]["bytecode"]["object"], constructor, functions)


@contextlib.contextmanager
def running(anvil: Path, folder: Path, *, chain_id: int = 31337) -> Iterator[str]:
    """The URL of a new chain on a free port of this machine; the node keeps its files in `folder`."""
    log = folder / "anvil.log"
    options = ["--no-mining", "--order=fifo", f"--timestamp={GENESIS_TIME}", f"--gas-limit={BLOCK_GAS}"]
    options.append(f"--chain-id={chain_id}")
    quiet = ["--port=0", "--host=127.0.0.1", "--color=never", f"--cache-path={folder}"]
    with log.open("wb") as output:
        program = [sys.executable, "-I", "-S", "-c", DIE_WITH_PARENT, str(anvil), *options, *quiet]
        node = subprocess.Popen(program, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=folder)
    try:
        yield f"http://{listening(node, log)}"
    finally:
        node.kill()
        node.wait()


def listening(node: subprocess.Popen[bytes], log: Path) -> str:
    """Host and port, once the node says that it listens."""

    def listens() -> re.Match[str] | None:
        return re.search(r"Listening on (\S+:\d+)\n", log.read_text(errors="replace"))

    comes(listens, node, every=0.005)
    found = listens()
    if found is None:
        raise RuntimeError(f"anvil did not start:\n{log.read_text(errors='replace')}")
    return found[1]
