"""`manage.py fetch_metadata` as an operator runs it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.utils import timezone

from core.db.keys import uint_key
from core.db.writing import writing
from tests.builders import APES, contract, load_lines, transfer
from tests.offchain.gateway import ROOT, LocalGateway
from tests.offchain.played_contracts import TOKEN_URI, PlayedContracts, played_contracts, text
from tokens.management.commands import fetch_metadata
from tokens.metadata.outcomes import State
from tokens.models import Contract, ContractRarity, MetadataFetch, MetadataRefresh, Nft
from tokens.store import fetches

pytestmark = pytest.mark.django_db

OTHERS = "0x" + "2b" * 20
COUNT = 4


def document(number: int) -> dict[str, Any]:
    fur = "Gold" if number == 1 else "Brown"
    return {"name": f"#{number}", "attributes": [{"trait_type": "Fur", "value": fur}]}


@pytest.fixture
def contracts() -> Iterator[PlayedContracts]:
    with played_contracts() as played:
        for address in (APES, OTHERS):
            played.give(address, TOKEN_URI, lambda token_id, gas: text(f"ipfs://{ROOT}/{token_id}"))
        yield played


@pytest.fixture
def gateway(settings: Any, contracts: PlayedContracts) -> Iterator[LocalGateway]:
    """A gateway with the documents of tokens 1 to 4, whatever their contract, and a node, both configured."""
    with LocalGateway({str(number): document(number) for number in range(1, COUNT + 1)}) as local:
        settings.IPFS_GATEWAYS = [local.url]
        settings.RPC_URLS = {"ethereum": [contracts.node.url]}
        yield local


def mint(address: str = APES, count: int = COUNT) -> None:
    first = 100 if address == OTHERS else 0
    lines = [transfer(str(one), address, log=first + one) for one in range(1, count + 1)]
    load_lines([contract(address), *lines])


def run(**options: Any) -> str:
    out = StringIO()
    call_command("fetch_metadata", stdout=out, **options)
    return out.getvalue().strip()


def states() -> dict[tuple[str, str], str]:
    """State by contract and token."""
    rows = MetadataFetch.objects.select_related("nft__contract")
    return {(row.nft.contract.address, row.nft.token_id): row.state for row in rows}


def test_a_run_reads_what_is_due_says_how_it_went_and_ends(gateway: LocalGateway) -> None:
    mint(count=COUNT + 1)
    assert run() == "5 NFTs: 4 ready, 1 unrevealed."
    assert run() == "Nothing was due."
    assert sorted(gateway.asked) == ["1", "2", "3", "4", "5"]


def test_a_run_ends_with_the_rarity_of_what_it_has_changed(gateway: LocalGateway) -> None:
    mint()
    run()
    ranks = Nft.objects.order_by("token_key").values_list("rank", flat=True)
    assert list(ranks) == [1, 2, 2, 2]
    assert ContractRarity.objects.get().due_at is None


def test_rarity_waits_for_what_another_worker_is_at(gateway: LocalGateway) -> None:
    """That one's run ends with it, or when it is killed the next one's."""
    mint()
    later = timezone.now() + timedelta(seconds=60)
    others = MetadataFetch.objects.filter(nft__token_key=uint_key(4))
    others.update(lease="another's", next_attempt_at=later)
    run()
    assert not Nft.objects.filter(rank__isnull=False).exists()
    assert ContractRarity.objects.get().due_at is not None
    others.update(next_attempt_at=timezone.now())
    run()
    assert Nft.objects.filter(rank__isnull=False).count() == COUNT


def test_ranges_that_are_to_be_read_again_are(gateway: LocalGateway) -> None:
    mint()
    run()
    gateway.documents["3"] = {"name": "Changed"}
    with writing():
        keys = uint_key(2), uint_key(3)
        fetches.request_range(Contract.objects.get().pk, *keys, "BatchMetadataUpdate", timezone.now())
    assert run() == "2 NFTs: 2 ready."
    assert '"Changed"' in (Nft.objects.get(token_key=uint_key(3)).metadata or "")
    assert not MetadataRefresh.objects.exists()


def test_a_contract_that_is_named_is_read_again_and_no_other(gateway: LocalGateway) -> None:
    mint()
    run()
    mint(OTHERS)
    assert run(contract=[APES.upper().replace("X", "x")]) == "4 NFTs: 4 ready."
    assert {state for (address, _), state in states().items() if address == OTHERS} == {State.PENDING}
    assert sorted(gateway.asked) == sorted("1234" * 2)


def test_tokens_that_are_named_are_read_again_and_no_others(gateway: LocalGateway) -> None:
    mint()
    run()
    del gateway.asked[:]
    assert run(contract=[APES], token=[uint_key(2), uint_key(3)]) == "2 NFTs: 2 ready."
    assert sorted(gateway.asked) == ["2", "3"]


def test_a_chain_that_is_named_is_read_at_the_node_that_is_named(
    gateway: LocalGateway, contracts: PlayedContracts, settings: Any
) -> None:
    settings.RPC_URLS = {}
    mint()
    load_lines([transfer("1", on="polygon", block=2)])
    assert run(chain="eip155:1", rpc_url=[contracts.node.url]) == "4 NFTs: 4 ready."
    assert MetadataFetch.objects.filter(state=State.PENDING).count() == 1


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"contract": [OTHERS]}, f"The contract '{OTHERS}' is not known."),
        ({"contract": [APES], "chain": "polygon"}, f"The contract '{APES}' is not known on polygon."),
        ({"token": [uint_key(1)]}, "Name the contract of --token by --contract."),
        ({"contract": [APES], "token": [uint_key(99)]}, "No such NFT is known."),
        ({"rpc_url": ["http://127.0.0.1"]}, "Name the chain of --rpc-url by --chain."),
        ({"chain": "ethereum", "rpc_url": ["ftp://key@node"]}, "--rpc-url: a node's URL is http(s)"),
        ({"chain": "atlantis"}, "The chain 'atlantis' is not known; known are"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_read(
    gateway: LocalGateway, options: dict[str, Any], fault: str
) -> None:
    mint()
    with pytest.raises(CommandError) as refused:
        run(**options)
    assert str(refused.value).startswith(fault)
    assert gateway.asked == []


@pytest.mark.parametrize(
    ("option", "value"), [("--token", "x"), ("--token", str(2**256)), ("--lease", "0"), ("--lease", "1e9")]
)
def test_arguments_that_are_none_are_refused(option: str, value: str) -> None:
    with pytest.raises(CommandError, match="invalid"):
        call_command("fetch_metadata", option, value)


@pytest.mark.parametrize("token", ["7", "0x7", "007"])
def test_a_token_may_be_written_in_decimal_or_hexadecimal(gateway: LocalGateway, token: str) -> None:
    load_lines([contract(), transfer("7")])
    assert run_text("--contract", APES, "--token", token) == "1 NFT: 1 unrevealed."


def run_text(*arguments: str) -> str:
    out = StringIO()
    call_command("fetch_metadata", *arguments, stdout=out)
    return out.getvalue().strip()


def test_ctrl_c_ends_a_run_with_what_is_under_way_and_gives_the_rest_back(
    contracts: PlayedContracts, settings: Any
) -> None:
    """The first request brings the signal; whatever had begun is written."""
    settings.RPC_URLS = {"ethereum": [contracts.node.url]}
    numbers = range(1, 61)

    def stops(number: int) -> None:
        if number == 1:
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with LocalGateway({str(one): document(one) for one in numbers}, stops) as gateway:
        settings.IPFS_GATEWAYS = [gateway.url]
        mint(count=len(numbers))
        err = StringIO()
        with pytest.raises(SystemExit) as ended:
            call_command("fetch_metadata", stderr=err, verbosity=0, follow=True)
    assert ended.value.code == 130
    assert err.getvalue().strip() == "Stopped. The next run goes on from here."
    ready = MetadataFetch.objects.filter(state=State.READY).count()
    assert 0 < ready == len(gateway.asked) < len(numbers)
    assert MetadataFetch.objects.filter(state=State.PENDING, lease="", attempts=0).count() == 60 - ready
    assert signal.getsignal(signal.SIGINT) is before


def test_a_database_that_is_busy_for_a_moment_ends_no_run(
    gateway: LocalGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On SQLite a large load may hold the lock for longer than a writer waits."""
    mint()
    expand, faults = fetches.expand, [OperationalError("database is locked")] * 2

    def busy(*args: Any, **options: Any) -> int:
        if faults:
            raise faults.pop()
        return expand(*args, **options)

    monkeypatch.setattr(fetches, "expand", busy)
    monkeypatch.setattr(fetch_metadata, "LONG_PAUSE", 0.0)
    monkeypatch.setattr(connection, "close", lambda: None)  # the test's transaction is in it
    assert run() == "4 NFTs: 4 ready."


def test_a_database_that_stays_away_ends_a_run(
    gateway: LocalGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*args: Any, **options: Any) -> int:
        raise OperationalError("the database is away")

    monkeypatch.setattr(fetches, "expand", away)
    monkeypatch.setattr(fetch_metadata, "LONG_PAUSE", 0.0)
    monkeypatch.setattr(connection, "close", lambda: None)
    with pytest.raises(OperationalError):
        run()
