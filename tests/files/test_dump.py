"""A dump holds what was stated, in a fixed order, and a database that loads it is the same again."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.builders import (
    ALICE,
    APES,
    BOB,
    ZERO,
    ask,
    chain,
    contract,
    ens,
    load_lines,
    nft,
    rate,
    transfer,
    write_lines,
)
from tests.deriving.tables import rolled_back
from tests.files.lines import COLLECTION, MINT_A, MINT_B, derived, dumped, load
from tests.processes import ROOT, databases, environment, run
from tokens.models import Ask, Chain, Contract, Currency, CurrencyToken, EnsName, Market, Nft, Rate
from tokens.models.well_known import write_known
from transfers.models import Transfer

pytestmark = pytest.mark.django_db

SIGNATURE = "5" * 88

EVERYTHING: list[dict[str, Any]] = [
    chain("mynet", chainId=4242, nativeCurrency="MYC"),
    rate("ETH", "2000.123456789012345678"),
    rate("MYC", "0.5"),
    ens("punks.eth", APES),
    ens("nothing.eth", None),
    contract(name='The "Apes"\n\u2028', symbol="🦍", ensName="apes.eth", marked=True, markedReason="because"),
    nft("12", uri="ipfs://x/{id}", native=[1.5, None], rarity=1.8238026932476499, rank=3,
        metadata={"name": "n", "imageUrl": "ipfs://i"}, traits=[("A", 5.0)], minter=ALICE, markets=["zora", "blur"],
        marked=True, markedReason="x",
        owners=[{"address": BOB, "amount": str(2**256 - 1), "enteredAtBlock": 1, "enteredAt": 2, "updatedAtBlock": 3,
                 "updatedAt": 4}], asOfBlock=77, asOf=1_500_000_000),
    nft("3", owner=ZERO),
    nft(MINT_A, COLLECTION, on="solana"),
    nft(MINT_B, None, on="solana", contractStandard="Metaplex", owner=MINT_A),
    transfer("12", block=2, log=5, batch=1, value=str(2**256 - 1), transactionFrom=BOB,
             native={"b": 1.0, "a": "\ud800"},
             nftValue={"tokenAddress": ZERO, "tokenName": "Ether", "amount": "1069000000000000000"},
             swaps=[{"contractAddress": APES, "tokenId": "007", "fromAddress": ALICE, "toAddress": BOB, "amount": "1",
                     "market": "Blur"}], usdValue=12.5, ethValue="0.000000000000000001", isCommercial=False,
             markets=["Blur", "gem"], transferType="swap"),
    transfer("99", block=2, log=4, sender=None, receiver=None),
    transfer(MINT_A, None, on="solana", transactionHash=SIGNATURE, sender=MINT_B, receiver=MINT_A),
    ask("12", price="0.070000000000000001", amount="3", maker=ALICE, validFrom=5, validUntil=9_999_999_999),
    ask("500", price="9" * 59, currency="FUN", market="Magic Eden", order="a b", status="cancelled"),
    ask(MINT_A, None, on="solana", price="1.50", currency="sol", order="x"),
    ask("12", price="3.0", order="falls", maker=ALICE, holder=BOB, operator=APES, approved=False,
        exchange=ZERO, nonce=str(2**256 - 1),
        wakes=False, endPrice="0.000000000000000001", priceFrom=1_500_000_000, priceUntil=1_500_003_600,
        source="opensea"),
    ask("3", order="private", taker=ALICE, endPrice="7", priceFrom=9_000_000_000, priceUntil=9_000_000_001),
    ask(MINT_B, None, on="solana", currency="SOL", order="y", taker=MINT_A, holder=MINT_B, wakes=True, source="load"),
]  # fmt: skip


def forget() -> None:
    """Empty the database but for what every one begins with."""
    for model in (Ask, Transfer, Nft, Contract, Rate, EnsName):
        model.objects.all().delete()
    CurrencyToken.objects.filter(chain__slug="mynet").delete()
    Chain.objects.filter(slug="mynet").delete()
    Currency.objects.filter(symbol__in=["MYC", "FUN"]).delete()
    Market.objects.filter(slug="magic eden").delete()


def test_a_dump_that_is_loaded_gives_the_same_dump_and_the_same_derived_values() -> None:
    load(*EVERYTHING)
    first, values = dumped(), derived()
    forget()
    assert dumped() == ""
    load(*first.split("\n"))
    assert dumped() == first
    for name, rows in derived().items():
        assert rows == values[name], name


def test_a_dump_of_lines_in_any_order_is_loaded_into_the_same_order_of_ties() -> None:
    load(*EVERYTHING[:1], *reversed(EVERYTHING[1:]))
    first = dumped()
    order = [(row.chain_id, row.token_key) for row in Nft.objects.order_by("id")]
    forget()
    load(*first.split("\n"))
    slugs = dict(Chain.objects.values_list("slug", "id"))
    assert "mynet" in slugs
    assert [row.token_key for row in Nft.objects.order_by("id")] == [key for _, key in order]
    assert dumped() == first


def test_a_dump_says_what_was_stated_and_not_what_follows_from_it() -> None:
    load(*EVERYTHING)
    lines = [json.loads(line) for line in dumped().rstrip("\n").split("\n")]
    kinds = [line["record"] for line in lines]
    facts = ["rate", "ens", "contract", "nft", "transfer", "ask"]
    assert list(dict.fromkeys(kinds)) == ["chain", "currency", "market", *facts]
    one = next(line for line in lines if line["record"] == "nft" and line["tokenId"] == "12")
    assert one == {**EVERYTHING[6], "markets": ["blur", "zora"]}
    bare = next(line for line in lines if line["record"] == "nft" and line["tokenId"] == "99")
    assert bare == nft("99")
    moved = next(line for line in lines if line["record"] == "transfer" and line["tokenId"] == "12")
    assert moved["usdValue"] == 12.5
    assert {"rarity", "owner", "minter"}.isdisjoint(bare)
    assert [line["tokenId"] for line in lines if line["record"] == "transfer"] == ["12", "99", MINT_A]
    assert [line["price"] for line in lines if line["record"] == "ask"] == [
        *("0.070000000000000001", "9" * 59, "1.5"),
        *("3", "1", "1"),
    ], "of a price that changes, what it began with"
    falls = next(line for line in lines if line.get("orderHash") == "falls")
    assert falls == {**EVERYTHING[-3], "price": "3", "status": "open"}
    plain = next(line for line in lines if line.get("orderHash") == "y")
    assert {"wakes", "source", "nonce", "endPrice"}.isdisjoint(plain), "what goes without saying"


def test_computed_rarity_is_not_dumped_and_stated_rarity_no_longer_taken() -> None:
    load(nft("1", rarity=2, rank=1))
    Contract.objects.update(rarity_computed=True)
    assert "rarity" not in dumped()
    load(nft("1", rarity=9, rank=9))
    assert Nft.objects.get().rarity == 2


def test_derived_values_of_transfers_are_not_dumped() -> None:
    price = {"tokenAddress": ZERO, "amount": "1000000000000000000"}
    load(rate("ETH", "2000"), transfer("1", nftValue=price))
    assert Transfer.objects.get().usd_value == 2000
    assert "usdValue" not in dumped()


def test_json_with_line_breaks_is_one_line_of_a_dump() -> None:
    load(nft("1"))
    Nft.objects.update(metadata='{\n "a":\n1}')
    assert load_lines(dumped().rstrip("\n").split("\n")).fault_count == 0


def test_the_command_writes_a_file_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(*EVERYTHING)
    plain, packed = tmp_path / "dump.jsonl", tmp_path / "dump.jsonl.gz"
    call_command("dump", "--output", str(plain))
    call_command("dump", "--output", str(packed))
    assert plain.read_text(encoding="utf-8") == dumped() == gzip.decompress(packed.read_bytes()).decode()
    before = packed.read_bytes()

    def fail(out: Any, *_: Any) -> None:
        out.write("half")
        raise RuntimeError

    monkeypatch.setattr("interchange.management.commands.dump.dump", fail)
    with pytest.raises(RuntimeError):
        call_command("dump", "--output", str(packed))
    assert packed.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dump.jsonl", "dump.jsonl.gz"]


def test_the_command_writes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    load(*EVERYTHING)
    call_command("dump")
    assert capsys.readouterr().out == dumped()


@pytest.mark.sqlite  # no database has a part in it: one run is enough
def test_standard_output_is_utf8_whatever_the_locale_and_what_cannot_be_written_is_told(
    tmp_path: Path,
) -> None:
    """Half a dump is never taken for a whole one, and a whole one can be loaded."""
    path = write_lines(tmp_path / "lines.jsonl", [contract(name="🦍")])
    command = [sys.executable, "manage.py", "dump"]
    with databases(tmp_path, ["own"]) as [url]:
        assert run(url, "manage.py", "load", str(path)).returncode == 0
        variables = environment(url, PYTHONIOENCODING="ascii")
        whole = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, check=True)
        with Path("/dev/full").open("wb") as full:
            half = subprocess.run(
                command, cwd=ROOT, env=variables, stdout=full, stderr=subprocess.PIPE, check=False
            )
    assert json.loads(whole.stdout.decode())["name"] == "🦍"
    assert half.returncode == 1
    assert half.stderr == b"CommandError: Cannot write standard output: No space left on device.\n"


def test_a_well_known_chain_that_came_after_an_operators_own_is_dumped_in_the_same_place() -> None:
    with rolled_back():
        Chain.objects.filter(slug="apechain").delete()
        load(chain("mynet", chainId=4242, nativeCurrency="MYC"))
        write_known(Chain, Currency, CurrencyToken, Market)
        load(chain("apechain", nativeCurrency="MYC"))
        for slug in ("mynet", "apechain"):
            market = {
                "record": "marketContract",
                "chain": slug,
                "contractAddress": APES,
                "marketplace": "blur",
            }
            load(market)
        first = dumped()
    load(*first.splitlines())
    assert dumped() == first
