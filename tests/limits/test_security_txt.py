"""`/.well-known/security.txt` says whom to tell of weaknesses (RFC 9116), if the operator names somebody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import LazySettings

from tests.conftest import Api

ADDRESS = "/.well-known/security.txt"


def test_there_is_none_unless_somebody_is_named(api: Api) -> None:
    assert api.get(ADDRESS).status_code == 404


@pytest.mark.parametrize("day", ["2026-01-31T23:59:59Z", "2028-02-29T00:00:00Z"])
def test_it_has_every_contact_and_is_good_for_half_a_year(api: Api, settings: LazySettings, day: str) -> None:
    settings.SECURITY_CONTACT = ["mailto:security@example.org", "https://example.org/security"]
    with time_machine.travel(datetime.fromisoformat(day), tick=False):
        answer = api.get(ADDRESS)
        now = datetime.now(UTC)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    *contacts, expires = answer.content.decode().splitlines()
    assert contacts == ["Contact: mailto:security@example.org", "Contact: https://example.org/security"]
    until = datetime.fromisoformat(expires.removeprefix("Expires: "))
    assert timedelta(days=179) <= until - now <= timedelta(days=180), "less than a year, as the RFC asks"


def test_it_says_where_it_is_where_that_is_known(api: Api, settings: LazySettings) -> None:
    settings.SECURITY_CONTACT = ["mailto:security@example.org"]
    settings.PUBLIC_BASE_URL = "https://api.example.org"
    assert f"Canonical: https://api.example.org{ADDRESS}\n" in api.get(ADDRESS).content.decode()
