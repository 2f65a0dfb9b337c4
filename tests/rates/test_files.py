"""Files of rates: how times, prices and currencies are read, and what is told of lines that cannot be."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from indexing.rates.files import RatesFileError, read

Found = tuple[list[tuple[str, int, Decimal | None]], list[tuple[int, str]]]


def rates(folder: Path, text: str, currency: str | None = "ETH") -> Found:
    """The rates of a file with a text, and the lines that were not taken."""
    path = folder / "rates.csv"
    path.write_bytes(text.encode())
    faults: list[tuple[int, str]] = []
    found = list(read(str(path), currency, lambda line, reason: faults.append((line, reason))))
    return [(one.currency, one.timestamp, one.usd) for one in found], faults


def test_two_columns_without_names_are_unix_seconds_and_dollars(tmp_path: Path) -> None:
    found, faults = rates(tmp_path, "1498089600,320.97\n1498176000, 326.85\n\n")
    assert found == [("ETH", 1498089600, Decimal("320.97")), ("ETH", 1498176000, Decimal("326.85"))]
    assert faults == []


def test_a_column_of_cents_names_its_unit_and_its_currency(tmp_path: Path) -> None:
    assert rates(tmp_path, "day_unix,eth_usd_cents\n1498089600,32097\n", None)[0] == [
        ("ETH", 1498089600, Decimal("320.97"))
    ]


@pytest.mark.parametrize(
    "time", ["1704067200", "2024-01-01", "2024-01-01T00:00:00Z", "2024-01-01 01:00+01:00", "20240101"]
)
def test_a_time_is_unix_seconds_or_a_date_of_utc(tmp_path: Path, time: str) -> None:
    assert rates(tmp_path, f"{time},1.5")[0] == [("ETH", 1704067200, Decimal("1.5"))]


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("Date,Open,Close", "2024-01-01,7,1.5"),
        ("usd,timestamp", "1.5,1704067200"),
        ('"time","pol_usd"', '"1704067200","1.5"'),
        ("\ufeffday,usd_cents", "2024-01-01,150"),
    ],
)
def test_columns_are_found_by_their_names(tmp_path: Path, header: str, line: str) -> None:
    assert rates(tmp_path, f"{header}\r\n{line}\r\n")[0] == [("ETH", 1704067200, Decimal("1.5"))]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1704067200", "The line has too few columns."),
        (
            "soon,1",
            "The line has a time that is neither Unix seconds nor a date (2024-05-31, 2024-05-31T12:00Z).",
        ),
        ("1704067200000,1", "The line has a time that is no Unix time in seconds."),
        ("1704067200,1e3", "The line has a price that is no decimal number."),
        ("1704067200,-1", "The line has a price that is no decimal number."),
        ("1704067200,NaN", "The line has a price that is no decimal number."),
        ("1704067200,１", "The line has a price that is no decimal number."),
        ("1704067200,0.00", "The line has a price that is not above 0."),
        (f"1704067200,{10**30}", "The line is out of range: it must be below 10^30."),
    ],
)
def test_a_line_that_cannot_be_taken_is_told_and_the_rest_is_read(
    tmp_path: Path, line: str, reason: str
) -> None:
    found, faults = rates(tmp_path, f"1704067100,1\n{line}\n1704067300,2\n")
    assert [usd for _, _, usd in found] == [1, 2]
    assert faults == [(2, reason)]


@pytest.mark.parametrize(
    ("text", "currency", "why"),
    [
        ("1704067200,1", None, "Name the currency"),
        ("when,what\n1704067200,1", "ETH", "must name one column of times"),
        ("day,usd,price\n2024-01-01,1,2", "ETH", "must name one column of times"),
        ('1704067200,"1', "ETH", "no file of comma-separated values"),
        ("1704067200," + "1" * 20_000, "ETH", "a line of more than 10,000 characters"),
    ],
)
def test_what_is_no_file_of_rates_is_refused(
    tmp_path: Path, text: str, currency: str | None, why: str
) -> None:
    with pytest.raises(RatesFileError, match=why):
        rates(tmp_path, text, currency)
