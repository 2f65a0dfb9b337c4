"""Guesses of passwords are few for an address and cheap for the machine; operators see and lift locks."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
import time_machine
from axes.models import AccessAttempt
from django.conf import settings as project
from django.contrib.auth.models import User
from django.core.handlers.base import BaseHandler
from django.http import HttpResponseBase
from django.test import Client, RequestFactory
from django.utils import timezone

from core.backoffice import logins
from core.clients import client_address
from tests.admin.conftest import PASSWORD, Operator

pytestmark = pytest.mark.django_db
HTML = {"accept": "text/html"}


@pytest.fixture(autouse=True)
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were checked: each costs half a second of a core."""
    checked: list[str] = []

    def hashed(user: User, password: str) -> bool:
        checked.append(password)
        return password == PASSWORD

    monkeypatch.setattr(User, "check_password", hashed)
    monkeypatch.setattr(User, "set_password", hashed)
    monkeypatch.setattr("core.backoffice.logins.time.sleep", lambda seconds: None)
    return checked


def log_in(password: str, name: str = "olga", **headers: str) -> HttpResponseBase:
    """What a client with no cookies is answered."""
    sent = {"username": name, "password": password}
    client = Client(REMOTE_ADDR=headers.pop("remote_addr", "192.0.2.7"))
    answer: HttpResponseBase = client.post("/admin/login/", sent, headers=HTML | headers)
    return answer


def test_an_address_that_guesses_is_locked_out_before_its_password_is_checked(
    operator: Operator, checks: list[str]
) -> None:
    statuses = [log_in(f"guess {n}", name=f"name{n % 3}").status_code for n in range(60)]
    assert statuses == [200] * 9 + [429] * 51  # the tenth is checked, and told
    checks.clear()
    refused = log_in(PASSWORD)
    assert (refused.status_code, refused["Retry-After"]) == (429, "900")
    assert b"15 minutes" in refused.content  # type: ignore[attr-defined]
    assert checks == []
    assert log_in(PASSWORD, remote_addr="192.0.2.8").status_code == HTTPStatus.FOUND
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        assert log_in(PASSWORD).status_code == HTTPStatus.FOUND


def test_what_is_refused_unseen_prolongs_no_lock_and_writes_nothing(
    operator: Operator, django_assert_num_queries: Any
) -> None:
    for _ in range(10):
        log_in("wrong")
    (before,) = AccessAttempt.objects.values_list("failures_since_start", "attempt_time")
    with django_assert_num_queries(1):
        log_in("wrong")
    assert AccessAttempt.objects.values_list("failures_since_start", "attempt_time").get() == before


def test_a_login_forgets_the_failures_before_it(operator: Operator) -> None:
    for _ in range(3):
        for _ in range(9):
            assert log_in("wrong").status_code == HTTPStatus.OK
        assert log_in(PASSWORD).status_code == HTTPStatus.FOUND


def test_operators_see_and_lift_a_lock(operator: Operator) -> None:
    for n in range(10):
        log_in("wrong", name=f"name{n}")
    assert log_in(PASSWORD).status_code == HTTPStatus.TOO_MANY_REQUESTS
    ids = operator.ids("axes/accessattempt")
    assert len(ids) == 10
    assert "Forgot 10 entries" in operator.act("axes/accessattempt", "lift", ids[0])
    assert log_in(PASSWORD).status_code == HTTPStatus.FOUND
    assert "password" not in operator.page("axes/accessattempt/").lower().replace(
        "change password", ""
    ).replace("password_change", "")


def test_whoever_may_only_view_lifts_nothing(operator: Operator) -> None:
    log_in("wrong")
    (attempt,) = AccessAttempt.objects.all()
    User.objects.create_user("vera", password=PASSWORD, is_staff=True)
    viewer = Client()
    viewer.force_login(User.objects.get(username="vera"))
    sent = {"action": "lift", "_selected_action": attempt.pk}
    assert viewer.post("/admin/axes/accessattempt/", sent).status_code == HTTPStatus.FORBIDDEN
    assert AccessAttempt.objects.exists()


def test_one_password_is_checked_at_a_time_on_the_machine(operator: Operator, checks: list[str]) -> None:
    with logins.slot(Path(project.VAR_DIR)):
        busy = log_in(PASSWORD)
        assert (busy.status_code, busy["Retry-After"]) == (503, "1")
        assert checks == []
        assert not AccessAttempt.objects.exists()
    assert log_in(PASSWORD).status_code == HTTPStatus.FOUND


def test_threads_share_the_one_place(tmp_path: Path) -> None:
    refused: list[bool] = []

    def other() -> None:
        try:
            with logins.slot(tmp_path):
                refused.append(False)
        except logins.BusyError:
            refused.append(True)

    with logins.slot(tmp_path):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    other()
    assert refused == [True, False]


def test_after_a_wrong_password_the_next_waits_as_long_again(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    clock = iter([10.0, 10.5, 20.0])
    monkeypatch.setattr("core.backoffice.logins.time.sleep", waits.append)
    monkeypatch.setattr("core.backoffice.logins.time.monotonic", lambda: next(clock))
    log_in("wrong")
    log_in(PASSWORD)
    assert waits == [0.5]


@pytest.mark.parametrize(
    ("trusted", "peer", "forwarded", "client"),
    [
        (["127.0.0.1"], "192.0.2.7", None, "192.0.2.7"),
        (["127.0.0.1"], "192.0.2.7", "10.0.0.1", "192.0.2.7"),  # a stranger's invention
        (["127.0.0.1"], "127.0.0.1", "192.0.2.9", "192.0.2.9"),
        (["127.0.0.1"], "127.0.0.1", "1.1.1.1, 192.0.2.9", "192.0.2.9"),
        (["127.0.0.1", "10.0.0.0/8"], "127.0.0.1", "1.1.1.1, 192.0.2.9, 10.1.2.3", "192.0.2.9"),
        (["127.0.0.1"], "127.0.0.1", None, "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", "nonsense", "127.0.0.1"),
        (["127.0.0.1"], "127.0.0.1", "192.0.2.9:4711", "192.0.2.9"),
        (["127.0.0.1"], "", "192.0.2.9", "192.0.2.9"),  # a Unix socket
        (["127.0.0.1"], "", None, None),
        (["*"], "10.0.0.1", "1.1.1.1, 192.0.2.9", "192.0.2.9"),
        (["127.0.0.1"], "::ffff:192.0.2.7", None, "192.0.2.7"),
        (["127.0.0.1"], "2001:db8:1:2:3:4:5:6", None, "2001:db8:1:2::"),
        (["::1"], "::1", "[2001:db8:1:2::9]:80", "2001:db8:1:2::"),
    ],
)
def test_where_a_client_came_from(
    settings: Any, trusted: list[str], peer: str, forwarded: str | None, client: str | None
) -> None:
    settings.FORWARDED_ALLOW_IPS = trusted
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    request = RequestFactory(REMOTE_ADDR=peer).get("/", headers=headers)
    assert client_address(request) == client


def test_clients_behind_one_proxy_are_told_apart(operator: Operator) -> None:
    for _ in range(10):
        log_in("wrong", remote_addr="127.0.0.1", **{"X-Forwarded-For": "192.0.2.1"})
    for client, status in (("192.0.2.1", 429), ("192.0.2.2", 302)):
        answer = log_in(PASSWORD, remote_addr="127.0.0.1", **{"X-Forwarded-For": client})
        assert answer.status_code == status


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "", "\x00"]
)
def test_a_login_with_an_unsafe_target_ends_at_the_index(operator: Operator, target: str) -> None:
    client = Client()
    sent = {"username": "olga", "password": PASSWORD, "next": target}
    response = client.post("/admin/login/", sent)
    assert response.status_code in ({302} if target != "\x00" else {302, 400})
    if response.status_code == HTTPStatus.FOUND:
        assert response["Location"] == "/admin/"


@pytest.mark.sqlite  # what differs between engines is held above
def test_ten_thousand_guesses_cost_the_attacker_and_nobody_else(
    operator: Operator, checks: list[str]
) -> None:
    """Ten are checked, the others refused by one query each; meanwhile others log in, and are answered as ever."""
    sent = {"username": "olga", "password": PASSWORD}
    rightful, attacker = Client(REMOTE_ADDR="198.51.100.4"), RequestFactory(REMOTE_ADDR="192.0.2.7")
    service = BaseHandler()
    service.load_middleware()

    def guessed(password: str, name: str) -> int:
        request = attacker.post("/admin/login/", {"username": name, "password": password})
        request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]  # as of a client of tests
        return service.get_response(request).status_code

    statuses: Counter[int] = Counter()
    for number in range(10_000):
        statuses[guessed(f"guess {number}", f"name{number % 50}")] += 1
        if number % 1_000 == 999:
            assert rightful.get("/api/v1/nfts/by-token").status_code == HTTPStatus.OK
            assert rightful.post("/admin/login/", sent).status_code == HTTPStatus.FOUND
    assert statuses == {HTTPStatus.OK: 9, HTTPStatus.TOO_MANY_REQUESTS: 9_991}
    assert [password for password in checks if password != PASSWORD] == [f"guess {n}" for n in range(10)]
    assert AccessAttempt.objects.count() == 10, "nothing is written of what is refused unseen"
    assert guessed(PASSWORD, "olga") == HTTPStatus.TOO_MANY_REQUESTS
