"""Every kind of bad line is told with file, line number and reason, counted, and skipped; the others are loaded."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from interchange import lines as reading
from interchange.load import load_files
from tests.builders import APES, ask, chain, contract, ens, load_lines, nft, rate, transfer, write_lines
from tests.files.lines import COLLECTION, MINT_A, fault_of
from tokens.models import Contract, Nft

pytestmark = pytest.mark.django_db


def without(line: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name not in names}


LINE = {"priceFrom": 5, "priceUntil": 9}
BAD: list[tuple[str, Any, str]] = [
    ("no JSON", "nonsense", "Not valid JSON"),
    ("an unfinished object", '{"record": "nft"', "Not valid JSON"),
    ("two objects", '{"record":"nft"} {}', "Not valid JSON"),
    ("a list", "[]", "Not a JSON object."),
    ("a number", "5", "Not a JSON object."),
    ("NaN", '{"record":"nft","rarity":NaN}', "NaN is not JSON."),
    ("Infinity in third-party JSON", '{"record":"nft","native":[Infinity]}', "Infinity is not JSON."),
    ("an endless integer", '{"record":"nft","x":' + "9" * 5000 + "}", "Holds a number that is out of range."),
    ("an endless exponent", '{"record":"nft","x":1e' + "9" * 30 + "}", "Holds a number that is out of range."),
    ("a bottomless nesting", '{"record":"nft","native":' + "[" * 100_000, "Is nested too deeply."),
    ("no record", {"chain": "ethereum"}, "`record` is missing or unknown"),
    ("an unknown record", {"record": "block"}, "`record` is missing or unknown"),
    ("a record that is a list", {"record": ["nft"]}, "`record` is missing or unknown"),
    ("no chain", without(nft(), "chain"), "`chain` is missing."),
    ("an unknown chain", nft(on="atlantis"), "`chain` is not a known chain"),
    ("a chain that is an object", {**nft(), "chain": {}}, "`chain` is not a known chain"),
    ("no contract", without(nft(), "contractAddress"), "`contractAddress` is missing."),
    ("a blank contract", {**nft(), "contractAddress": ""}, "`contractAddress` is missing."),
    ("no token id", without(nft(), "tokenId"), "`tokenId` is missing."),
    ("a transfer without log index", without(transfer(), "logIndex"), "`logIndex` is missing."),
    ("a transfer without hash", without(transfer(), "transactionHash"), "`transactionHash` is missing."),
    ("a transfer of half an NFT", without(transfer(), "contractAddress"), "`contractAddress` is missing."),
    ("an ask without marketplace", without(ask(), "marketplace"), "`marketplace` is missing."),
    ("an ask without hash", {**ask(), "orderHash": ""}, "`orderHash` is missing."),
    ("a rate without value", without(rate(), "usd"), "`usd` is missing."),
    ("a rate without time", without(rate(), "timestamp"), "`timestamp` is missing."),
    ("a name without address", without(ens("a.eth", None), "address"), "`address` is missing."),
    ("a short address", nft(address="0x12"), "`contractAddress` must be an address"),
    ("base58 on an EVM chain", nft(address=COLLECTION), "`contractAddress` must be an address"),
    ("an address that is a number", {**nft(), "contractAddress": 5}, "`contractAddress` must be"),
    ("an EVM address as a collection", nft(MINT_A, address=APES, on="solana"), "`contractAddress` must be a coll"),
    ("an integer as a mint", nft("5", address=None, on="solana"), "`tokenId` must be a mint"),
    ("a mint of 33 bytes", nft("z" * 44, address=None, on="solana"), "`tokenId` must be a mint"),
    ("a mint on an EVM chain", nft(MINT_A), "`tokenId` must be an integer"),
    ("a negative token id", nft("-1"), "`tokenId` must be an integer"),
    ("a float as token id", {**nft(), "tokenId": 1e21}, "`tokenId` must be an integer"),
    ("a token id of 257 bits", nft(str(2**256)), "`tokenId` is out of range"),
    ("digits of another script", nft("١"), "`tokenId` must be an integer"),
    ("true as token id", {**nft(), "tokenId": True}, "`tokenId` must be an integer"),
    ("an amount of 257 bits", transfer(amount=str(2**256)), "`amount` is out of range"),
    ("a negative amount", transfer(amount=-1), "`amount` is out of range"),
    ("an amount that is a float", transfer(amount=1.5), "`amount` must be an integer"),
    ("no amount", transfer(amount=None), "`amount` cannot be cleared."),
    ("a block that is a string", transfer(blockNumber="5"), "`blockNumber` must be an integer."),
    ("a block beyond all", transfer(blockNumber=2**60), "`blockNumber` is out of range"),
    ("a negative block", transfer(blockNumber=-1), "`blockNumber` is out of range"),
    ("a block that is true", transfer(blockNumber=True), "`blockNumber` must be an integer."),
    ("a time in milliseconds", transfer(timestamp=1_600_000_000_000), "`timestamp` is not in Unix seconds"),
    ("the first time in milliseconds", transfer(timestamp=10**11), "`timestamp` is not in Unix seconds"),
    ("a rate in milliseconds", rate(at=1_600_000_000_000), "`timestamp` is not in Unix seconds"),
    ("an ask in milliseconds", ask(validUntil=1_700_000_000_000), "`validUntil` is not in Unix seconds"),
    ("owners in milliseconds", nft(owner="0x" + "1" * 40, asOf=1_700_000_000_000), "`asOf` is not in Unix seconds"),
    ("a short transaction hash", transfer(transactionHash="0x12"), "`transactionHash` must be a transaction hash"),
    ("an unknown type", transfer(transferType="gift"), "`transferType` must be one of mint,"),
    ("a flag that is a number", transfer(isCommercial=1), "`isCommercial` must be true or false."),
    ("markets that are a text", transfer(markets="opensea"), "`markets` must be a list"),
    ("a market with a comma", transfer(markets=["a,b"]), "`markets` must be the name of a marketplace"),
    ("a swap that is no list", transfer(swaps={}), "`swaps` must be a list."),
    ("a swap leg without parties", transfer(swaps=[{"contractAddress": APES}]), "`swaps` is wrong in entry 1: "),
    ("a price without currency", transfer(nftValue={"amount": "5"}), "`nftValue` has no tokenAddress."),
    ("a price that is a number", transfer(nftValue=5), "`nftValue` must be an object."),
    ("a price of 19 places", ask(price="0.0000000000000000001"), "`price` has more than 18 decimal places."),
    ("a negative price", ask(price="-1"), "`price` must be a decimal string"),
    ("a price with an exponent", ask(price="1e3"), "`price` must be a decimal string"),
    ("a price that is no number", ask(price="cheap"), "`price` must be a decimal string"),
    ("an endless price", ask(price="9" * 61), "`price` is out of range"),
    ("a price of nothing", {**ask(), "price": None}, "`price` cannot be cleared."),
    ("a currency with a comma", ask(currency="E,TH"), "`currency` must be a symbol"),
    ("an over-long currency", ask(currency="X" * 41), "`currency` must be a symbol"),
    ("an over-long order hash", ask(order="x" * 201), "`orderHash` is longer than 200 characters."),
    ("an over-long marketplace", ask(market="m" * 65), "`marketplace` must be the name of a marketplace"),
    ("an unknown status", ask(status="sold"), "`status` must be one of open, filled, cancelled."),
    ("a maker of another chain", ask(maker=MINT_A), "`maker` must be an address"),
    ("a taker of another chain", ask(taker=MINT_A), "`taker` must be an address"),
    ("a holder of another chain", ask(holder=MINT_A), "`holder` must be an address"),
    ("an operator that is a number", ask(operator=5), "`operator` must be an address"),
    ("an exchange that is a name", ask(exchange="seaport"), "`exchange` must be an address"),
    ("a nonce of 257 bits", ask(nonce=str(2**256)), "`nonce` is out of range"),
    ("a nonce that is a hash", ask(nonce="0xab"), "`nonce` must be an integer"),
    ("a waking that is a number", ask(wakes=1), "`wakes` must be true or false."),
    ("an end price of 19 places", ask(endPrice="0.0000000000000000001", **LINE), "`endPrice` has more than 18"),
    ("an end price without a line", ask(endPrice="1"), "`endPrice` needs a `priceFrom` and"),
    ("an end price from nowhere", ask(endPrice="1", priceUntil=9), "`endPrice` needs a `priceFrom` and"),
    ("an end price at once", ask(endPrice="1", priceFrom=9, priceUntil=9), "`endPrice` needs a `priceFrom` and"),
    ("a line that runs backwards", ask(endPrice="1", priceFrom=9, priceUntil=8), "`endPrice` needs a `priceFrom` and"),
    ("a line in milliseconds", ask(priceFrom=1_700_000_000_000), "`priceFrom` is not in Unix seconds"),
    ("an over-long source", ask(source="x" * 41), "`source` is longer than 40 characters."),
    ("metadata that is a text", nft(metadata="{}"), "`metadata` must be an object."),
    ("rarity that is a text", nft(rarity="1"), "`rarity` must be a number."),
    ("rarity beyond a double", json.dumps(nft(rarity="#")).replace('"#"', "1e400"), "`rarity` is out of range."),
    ("a rank that is true", nft(rank=True), "`rank` must be a number."),
    ("owners that are a text", nft(owners="me"), "`owners` must be a list."),
    ("an owner without amount", nft(owners=[{"address": APES}]), "`owners` is wrong in entry 1: has no amount."),
    ("an owner who comes twice", nft(owners=[{"address": APES, "amount": "1"}] * 2), "`owners` has the address"),
    ("an owner of another chain", nft(owner=MINT_A), "`owner` must be an address"),
    ("a mark that is a text", nft(marked="yes"), "`marked` must be true or false."),
    ("a last transfer that is a list", nft(lastTransfer=[]), "`lastTransfer` must be an object."),
    ("a bad last transfer", nft(lastTransfer={"transactionHash": "0x"}), "`lastTransfer`: `transactionHash` must be"),
    ("another NFT's last transfer", nft("1", lastTransfer=transfer("2")), "`lastTransfer`: It is a transfer of"),
    ("an over-long standard", contract(standard="X" * 41), "`contractStandard` is longer than 40 characters."),
    ("a name with an underscore in the middle", contract(ensName="a_b.eth"), "`ensName` is not a valid ENS name"),
    ("a name that is no ENS name", ens("no spaces.eth", APES), "`name` is not a valid ENS name"),
    ("a chain of no kind", without(chain("new"), "kind"), "`kind` is missing, and the chain is not known yet."),
    ("a chain of an unknown kind", chain("new", kind="utxo"), "`kind` must be one of evm, mint."),
    ("a chain that changes its kind", chain("ethereum", kind="mint"), "The kind of a chain cannot change."),
    ("a chain with another's id", chain("new", chainId=1), "`chainId` belongs to the chain ethereum."),
    ("a chain that is a number", chain("1"), "`chain` must be 1 to 40 letters"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "reason"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_a_bad_line_is_skipped_with_its_number_and_reason(line: Any, reason: str) -> None:
    assert fault_of(line, nft("77")).startswith(reason)
    assert list(Nft.objects.values_list("token_key", flat=True)) == ["0277"]


def test_a_transfer_that_is_not_known_needs_its_block_and_time() -> None:
    reason = fault_of(without(transfer("2"), "timestamp"), nft("1"))
    assert "timestamp" in reason
    assert [row.token_id for row in Nft.objects.all()] == ["1"]  # nor is the NFT made that it names


def test_an_ask_that_is_not_known_needs_its_price() -> None:
    assert "price" in fault_of(without(ask("2"), "price"), nft("1"))
    assert [row.token_id for row in Nft.objects.all()] == ["1"]


def test_what_is_known_takes_lines_of_single_keys() -> None:
    known = ask("1", order="0xAB")
    cancelled = {name: known[name] for name in ("record", "chain", "marketplace", "orderHash")} | {
        "status": "cancelled"
    }
    assert load_lines([known, cancelled]).fault_count == 0


def test_a_report_names_the_file_counts_all_and_takes_the_good_lines(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "mixed.jsonl", [nft("1"), "bad", nft("2"), "worse", nft("3")])
    report = load_files([str(path)])
    assert [(fault.file, fault.line) for fault in report.faults] == [(str(path), 2), (str(path), 4)]
    assert str(report.faults[0]).startswith(f"{path}:2: Not valid JSON")
    assert report.counts == {"nft": 3}
    assert Nft.objects.count() == 3


def test_a_line_too_long_is_passed_over_in_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_LINE", 1000)
    lines = [nft("1"), nft("2", uri="x" * 100_000), nft("3")]
    report = load_files([str(write_lines(tmp_path / "long.jsonl", lines))])
    assert [(fault.line, fault.reason[:11]) for fault in report.faults] == [(2, "Longer than")]
    assert Nft.objects.count() == 2


def test_bytes_that_are_no_utf8_are_one_bad_line(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "bytes.jsonl", [nft("1"), nft("2")])
    path.write_bytes(path.read_bytes().replace(b'"1"', b'"\xff"'))
    assert [(fault.line, fault.reason) for fault in load_files([str(path)]).faults] == [
        (1, f"Not valid UTF-8 at byte {path.read_bytes().index(bytes([255])) + 1}.")
    ]


def test_a_byte_order_mark_blank_lines_and_line_ends_of_windows_are_no_faults(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "windows.jsonl", [nft("1"), "", "  \t", nft("2"), "bad"])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n")
    report = load_files([str(path)])
    assert [fault.line for fault in report.faults] == [5]
    assert Nft.objects.count() == 2


def test_a_file_without_a_last_line_end_is_whole(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "open.jsonl", [nft("1"), nft("2")])
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert load_files([str(path)]).counts == {"nft": 2}


def test_an_archive_that_is_cut_off_is_told_after_what_it_held(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "cut.jsonl.gz", [nft(str(number), uri=f"u{number}") for number in range(999)]
    )
    path.write_bytes(path.read_bytes()[:-20])
    report = load_files([str(path)])
    assert report.faults[-1].reason.startswith("The file cannot be read on")
    assert report.counts["nft"] > 0


def test_an_archive_is_known_by_its_bytes_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "packed.jsonl"
    path.write_bytes(gzip.compress(write_lines(tmp_path / "plain.jsonl", [nft("1")]).read_bytes()) * 2)
    assert load_files([str(path)]).counts == {"nft": 2}


def test_of_a_key_that_comes_twice_the_last_counts() -> None:
    line = '{"record":"contract","chain":"ethereum","contractAddress":"' + APES + '","name":"a","name":"b"}'
    assert load_lines([line]).fault_count == 0
    assert Contract.objects.get().name == "b"


@pytest.mark.parametrize("number", [10**30, 0, 7])
def test_an_exact_integer_is_as_good_as_its_digits(number: int) -> None:
    assert load_lines([{**nft(), "tokenId": number}]).fault_count == 0
    assert Nft.objects.get().token_id == str(number)


@pytest.mark.parametrize(
    ("given", "read"), [("007", "7"), ("0x0A", "10"), ("0X" + "f" * 64, str(2**256 - 1))]
)
def test_token_ids_are_taken_in_hexadecimal_and_with_leading_zeros(given: str, read: str) -> None:
    assert load_lines([nft(given)]).fault_count == 0
    assert Nft.objects.get().token_id == read
