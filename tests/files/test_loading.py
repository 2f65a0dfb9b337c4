"""Files as a whole: strict loads, lines that the database refuses, the commands, reading ahead."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import DataError

from core.db.ahead import Gate, ahead
from interchange import batch as batches
from interchange import load as loading
from interchange.batch import Batch
from interchange.load import load_files
from tests.builders import ALICE, contract, load_lines, nft, transfer, write_lines
from tests.files.lines import dumped
from tokens.models import Contract, Nft, NftRecent, StatedOwnership

pytestmark = pytest.mark.django_db


def test_a_strict_load_stops_at_the_first_bad_line_and_takes_its_file_back(tmp_path: Path) -> None:
    good = write_lines(tmp_path / "good.jsonl", [nft("1")])
    bad = write_lines(tmp_path / "bad.jsonl", [nft("2"), nft("3"), "bad", "bad", nft("4")])
    last = write_lines(tmp_path / "last.jsonl", [nft("5")])
    report = load_files([str(good), str(bad), str(last)], strict=True, batch_lines=1)
    assert report.fault_count == 1
    assert [row.token_id for row in Nft.objects.all()] == ["1"]


def test_a_strict_load_of_good_lines_writes_what_any_other_does() -> None:
    lines = [contract(marked=True), nft("1", owner=ALICE, traits=[("A", "x")]), transfer("1")]
    load_lines(lines, strict=True)
    strict = dumped()
    assert Nft.objects.filter(marked=True).count() == 1
    assert not StatedOwnership.objects.filter(pending=True).exists()
    for model in (Nft, Contract):
        model.objects.all().delete()
    load_lines(lines)
    assert dumped() == strict


def test_only_the_line_that_the_database_refuses_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    write = batches.write

    def refuse_some(batch: Batch) -> None:
        write(batch)
        if any('"uri": "poison"' in line.text for line in batch.lines):
            raise DataError("value too strange\nDETAIL: secret")

    monkeypatch.setattr(loading, "write", refuse_some)
    lines = [nft(str(number), uri="poison" if number in (3, 7) else None) for number in range(10)]
    report = load_lines(lines)
    assert [(fault.line, fault.reason) for fault in report.faults] == [
        (4, "The database refuses it: value too strange."),
        (8, "The database refuses it: value too strange."),
    ]
    assert Nft.objects.count() == 8


def test_the_command_tells_of_bad_lines_sums_up_and_exits_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_lines(tmp_path / "mixed.jsonl.gz", [nft("1"), "bad", transfer("2")])
    out, errors = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as exit_of:
        call_command("load", str(path), stdout=out, stderr=errors)
    assert exit_of.value.code == 1
    assert errors.getvalue().startswith(f"{path}:2: Not valid JSON")
    assert out.getvalue() == "Read 1 nft, 1 transfer lines; 1 bad.\n"


def test_the_command_refuses_a_file_that_it_cannot_open(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"Cannot read .*none.jsonl: No such file"):
        call_command("load", str(tmp_path / "none.jsonl"))


def test_a_dash_is_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_lines(tmp_path / "in.jsonl.gz", [nft("1"), nft("2")])
    with path.open("rb") as file, monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", SimpleNamespace(buffer=file))
        assert load_files(["-"]).counts == {"nft": 2}


def test_many_faults_are_counted_but_not_all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "KEPT_FAULTS", 3)
    report = load_lines(["bad"] * 10, batch_lines=4)
    assert (report.fault_count, len(report.faults)) == (10, 3)


def test_stated_owners_are_as_of_the_newest_transfer_once_the_file_is_loaded() -> None:
    load_lines([nft("1", owner=ALICE), transfer("1", block=1), transfer("1", block=9), nft("2", owner=ALICE)])
    stated = dict(StatedOwnership.objects.values_list("nft__token_key", "as_of_block"))
    assert stated == {"011": 9, "012": 0}
    assert not StatedOwnership.objects.filter(pending=True).exists()
    load_lines([transfer("1", block=10, sender=ALICE, receiver="0x" + "9" * 40)])
    assert NftRecent.objects.get(nft__token_key="011").nft.owners.get(amount__gt=0).address == "0x" + "9" * 40


def test_reading_ahead_yields_all_in_order_then_raises_what_was_raised() -> None:
    def items() -> Iterator[int]:
        yield from range(10)
        raise ValueError("end")

    stream = ahead(items(), Gate())
    assert [next(stream) for _ in range(10)] == list(range(10))
    with pytest.raises(ValueError, match="end"):
        next(stream)


def test_who_reads_ahead_works_while_a_statement_is_executed_and_not_while_the_loader_computes() -> None:
    gate = Gate()
    order: list[str] = []

    def read() -> None:
        gate()
        order.append("read")

    gate.around_statement(read)
    reader = threading.Thread(target=read)
    reader.start()
    order.append("computed")
    gate.open()
    reader.join()
    assert order == ["read", "computed", "read"]


def test_reading_ahead_stays_few_items_ahead_and_ends_when_it_is_left() -> None:
    made = []

    def items() -> Iterator[int]:
        for number in range(1000):
            made.append(number)
            yield number

    stream = ahead(items(), Gate(), depth=2)
    next(stream)
    stream.close()
    assert len(made) < 6
    assert "ahead" not in {thread.name for thread in threading.enumerate()}
