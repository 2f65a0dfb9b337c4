"""docs/deploying.md, word by word, on a Debian 12 of its own that is booted with systemd.

    make drill NAME=deploying

The chapter "One machine" is followed from a bare system to a service behind nginx with TLS, then "Updates" while a
client asks on. Two lines are not the document's: in the place of its node and contract stands a made-up chain.
It is root's drill, and needs debootstrap, slirp4netns, Debian's packages and PyPI.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import threading
import time
from collections import Counter

from tests.deploying.booted import Machine, booted, debian, memory_mib
from tests.patience import comes
from tests.processes import ROOT

DOCUMENT = ROOT / "docs" / "deploying.md"
HOST = "nft.example.org"
INSTEAD = {
    "https://node.example.org/v3/key": "http://127.0.0.1:8768",
    "--contract 0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d": "--from-block 1",
}
UNITS = ("nft-web@1", "nft-web@2", "nft-metadata", "nft-images", "nft-index@ethereum")
MANAGE = ("runuser", "-u", "nft", "--", "env", "ENV_FILE=/etc/nft/env", "/srv/nft/.venv/bin/python")


def blocks(chapter: str) -> list[str]:
    """The commands of a chapter: its blocks fenced as `sh`."""
    text = DOCUMENT.read_text(encoding="utf-8").partition(f"\n## {chapter}\n")[2].partition("\n## ")[0]
    found = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found, chapter
    return found


def follow(machine: Machine, chapter: str, **variables: str) -> None:
    """Run a chapter's commands in one shell; each is shown, and the first that fails ends the drill."""
    script = "".join(blocks(chapter))
    for theirs, ours in INSTEAD.items():
        script = script.replace(theirs, ours)
    given = [f"{name}={value}" for name, value in variables.items()]
    command = machine.command("env", *given, "sh", "-eux", "-c", script)
    if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode:
        raise AssertionError(
            machine.run("journalctl", "--no-pager", "-n", "60", "-u", "nft-*", is_checked=False)
        )


def ask(machine: Machine, address: str, *words: str) -> str:
    """What nginx answers over TLS to a client on the machine."""
    known = ["--cacert", "/etc/nft/tls/fullchain.pem", "--resolve", f"{HOST}:443:127.0.0.1"]
    return machine.run("curl", "-s", *known, *words, f"https://{HOST}{address}", is_checked=False)


def status(machine: Machine, address: str, *words: str) -> str:
    """The version of HTTP and the status of such an answer."""
    return ask(machine, address, "-o", "/dev/null", "-w", "%{http_version} %{http_code}", *words)


def metric(machine: Machine, sample: str) -> float:
    """The value of a sample, 0 where there is none."""
    found = re.search(rf"^{re.escape(sample)} (\S+)$", ask(machine, "/metrics"), re.MULTILINE)
    return float(found[1]) if found else 0.0


def checked(machine: Machine) -> None:
    """Hold what runs to what the document promises."""
    for unit in UNITS:
        state = machine.run("systemctl", "is-active", unit, is_checked=False).strip()
        assert state == "active", f"{unit}: {state}\n{machine.run('journalctl', '-u', unit, '-n', '30')}"
    assert status(machine, "/readyz") == "2 200"
    assert status(machine, "/metrics") == status(machine, "/admin/login/") == "2 200"
    assert status(machine, "/metrics", "--interface", "127.0.0.2") == "2 403"
    assert status(machine, "/admin/", "--interface", "127.0.0.2") == "2 403"
    assert comes(
        lambda: metric(machine, 'nft_indexer_checkpoint_block{chain="ethereum",contract="all"}') > 50, every=1
    )
    page = json.loads(ask(machine, "/api/v1/nfts/by-token?chain=ethereum&limit=30"))
    assert len(page["data"]) == 30
    print("systemd runs all units; the chain is indexed, and pages come by HTTP/2 over TLS.", flush=True)


def images(machine: Machine) -> None:
    """Have the sample's images cached by the unit, whose decoders give up their rights within its own walls."""
    machine.run(*MANAGE, "/srv/nft/manage.py", "load", "/srv/nft/nftsite/sample/sample.jsonl")
    assert comes(lambda: metric(machine, 'nft_cached_images{state="ready"}') > 100, every=1)
    found = re.search(
        r"/files/[0-9a-f/]+\.\w+",
        ask(machine, "/api/v1/nfts/by-token?contractAddress=paper-lanterns.nft-sample.eth"),
    )
    assert found is not None
    said = ask(machine, found[0], "-D", "-", "-o", "/dev/null")
    assert " 200" in said.splitlines()[0]
    assert "immutable" in said
    print(f"Images are cached by nft-images and sent by nginx: {found[0]}", flush=True)


def timers(machine: Machine) -> None:
    """Run what timers start, and the reader of asks without a market that answers."""
    machine.run("systemctl", "start", "nft-prune.service")
    machine.run(
        "sh", "-c", "echo 'RATES_URL=http://127.0.0.1:8768/{currency}?from={from}&to={to}' >>/etc/nft/env"
    )
    machine.run("systemctl", "start", "nft-rates.service", is_checked=False)
    machine.run(
        "sh", "-c", "printf 'OPENSEA_API_KEY=key\\nOPENSEA_API_URL=http://127.0.0.1:8768\\n' >>/etc/nft/env"
    )
    machine.run(
        "sh",
        "-c",
        "echo 'ORDERS_ARGS=--contract 0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d' >/etc/nft/orders-ethereum",
    )
    machine.run("systemctl", "start", "nft-orders@ethereum")
    time.sleep(5)
    for unit in ("nft-rates", "nft-orders@ethereum"):
        print(
            f"{unit}: {machine.run('journalctl', '-o', 'cat', '-u', unit).strip().splitlines()[-2:]}",
            flush=True,
        )
    machine.run("systemctl", "stop", "nft-orders@ethereum")
    for word in ("Read-only file system", "Permission denied", "Operation not permitted", "Traceback"):
        told = machine.run("journalctl", "-o", "short", "-u", "nft-*", "-g", word, is_checked=False)
        assert word not in told, told[-3000:]


def updated(machine: Machine) -> Counter[str]:
    """Update while a client asks; what it was answered."""
    seen: Counter[str] = Counter()
    stop = threading.Event()

    def ask_on() -> None:
        while not stop.wait(0.02):
            seen[status(machine, "/api/v1/nfts/by-token?limit=3")] += 1

    asker = threading.Thread(target=ask_on)
    asker.start()
    try:
        follow(machine, "Updates", VERSION="HEAD")
    finally:
        stop.set()
        asker.join()
    return seen


def main() -> None:
    """Run the drill."""
    argparse.ArgumentParser(
        prog="python -m tests.deploying",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args()
    base = debian("systemd", "dbus", "ca-certificates", "git", "procps", "iproute2")
    with booted(base) as machine:
        place = machine.root / "srv" / "nft"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(place)], check=True)
        machine.run("git", "config", "--global", "--add", "safe.directory", "*")
        machine.run("git", "-C", "/srv/nft", "remote", "set-url", "origin", "/srv/nft")
        begun = time.monotonic()
        follow(machine, "One machine")
        print(f"From bare Debian to an answer over TLS: {time.monotonic() - begun:.0f} s.", flush=True)
        node = ["systemd-run", "--unit=made-up-node", "--working-directory=/srv/nft"]
        machine.run(*node, "/srv/nft/.venv/bin/python", "-m", "nftsite.bench.made_up_node", "8768", "60")
        checked(machine)
        images(machine)
        timers(machine)
        seen = updated(machine)
        print(f"An update, while a client asked: {dict(seen)}", flush=True)
        assert seen.keys() == {"2 200"}, seen
        checked(machine)
        words = ("gunicorn", "index --chain", "fetch_metadata", "cache_images", "postgres", "nginx")
        for word, mib in memory_mib(machine, words).items():
            print(f"{word}: {mib:.0f} MiB", flush=True)
        score = machine.run("systemd-analyze", "security", "--no-pager", "nft-web@1").strip().splitlines()[-1]
        print(score, flush=True)
