"""`manage.py index --follow` as an operator runs it: current within seconds, and nothing lost by a kill."""

import signal
import sqlite3
import subprocess
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest
from django.db import connection

from tests.builders import chain as chain_line
from tests.builders import write_lines
from tests.evm.chain import Chain
from tests.patience import PATIENCE, comes
from tests.processes import environment, run, started

pytestmark = [pytest.mark.evm, pytest.mark.sqlite]

LINE = chain_line("anvil", chainId=31337, nativeCurrency="ETH")
HOLDERS = """
    SELECT substr(nft.token_key, 3), owner.address FROM tokens_owner owner JOIN tokens_nft nft ON nft.id = owner.nft_id
    WHERE owner.amount > '010'
"""  # '010' is the key of 0


class Service:
    """A database of its own, and the commands that work on it."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url = folder, url
        self.path = folder / "db.sqlite3"
        with (
            closing(sqlite3.connect(connection.settings_dict["NAME"])) as migrated,
            closing(sqlite3.connect(self.path)) as copy,
        ):
            migrated.backup(copy)
        self.run("load", str(write_lines(folder / "chain.jsonl", [LINE])))

    @property
    def database(self) -> str:
        return f"sqlite:///{self.path}"

    def run(self, *arguments: str) -> None:
        done = run(self.database, "manage.py", *arguments)
        assert done.returncode == 0, done.stderr

    def following(self) -> AbstractContextManager[subprocess.Popen[str]]:
        """An indexer that follows the chain, killed afterwards."""
        command = ("index", "--chain", "anvil", "--rpc-url", self.url, "--follow")
        return started(environment(self.database), "manage.py", *command)

    def holders(self) -> set[tuple[str, str]]:
        """Token and holder of each holding."""
        with closing(sqlite3.connect(self.path)) as database:
            return set(database.execute(HOLDERS))

    def wait(self, process: subprocess.Popen[str], holders: set[tuple[str, str]]) -> None:
        """Return once these are the holders; the process must live on."""
        if not comes(lambda: self.holders() == holders, process):
            pytest.fail(f"expected {holders}, found {self.holders()}; it has ended with {process.poll()}")


@pytest.mark.django_db
def test_an_indexer_follows_the_chain_through_kills_and_reorganisations(chain: Chain, tmp_path: Path) -> None:
    alice, bob = chain.accounts[:2]
    service = Service(tmp_path, chain.url)
    ones = chain.deploy("Erc721", "Ones", "ONE")
    mint = "mint(address,uint256)"
    ones.send(mint, alice, 1)
    with service.following() as process:
        service.wait(process, {("1", alice)})
        ones.send("transferFrom(address,address,uint256)", alice, bob, 1)
        service.wait(process, {("1", bob)})
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    ones.send(mint, alice, 2)
    with service.following() as process:
        service.wait(process, {("1", bob), ("2", alice)})
        chain.reorg(2, [(ones.transaction(mint, bob, 3), 0)])
        service.wait(process, {("1", alice), ("3", bob)})
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    *log, last = err.splitlines()
    assert last == "Stopped. The next run goes on from here."
    assert ["reorganised" in line for line in log] == [True]
