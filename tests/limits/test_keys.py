"""Keys: sent in either of two headers, counted by themselves, refused at once when they are no good, and never told."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.access import keys
from core.access.models import ApiKey
from tests.builders import APES
from tests.conftest import Api
from tests.limits.conftest import MakeKey

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

NFTS, TRANSFERS = "/api/v1/nfts/by-token", "/api/v1/transfers/by-token"
BOTH = pytest.mark.parametrize("address", [NFTS, TRANSFERS])
OF_APES = {"contractAddress": APES}
Limit = Callable[[str], None]


def refusal(answer: Any) -> tuple[int, str, str]:
    """Status, error code and challenge of an answer that refuses."""
    (error,) = answer.json()["errors"]
    return answer.status_code, error["code"], answer["WWW-Authenticate"]


def of_key(api: Api, token: str, address: str = NFTS) -> Any:
    return api.get(address, OF_APES, x_api_key=token)


CHALLENGE = 'Bearer realm="NFT API"'
NOT_GOOD = (401, "authentication_failed", CHALLENGE)


@BOTH
def test_a_key_is_sent_as_bearer_or_by_its_own_header_and_counted_wherever_it_comes_from(
    api: Api, address: str, limit: Limit, make_key: MakeKey
) -> None:
    limit("3/minute")
    token = make_key()
    sent = [
        {"authorization": f"Bearer {token}"},
        {"authorization": f"bearer  {token} "},
        {"x-api-key": token},
    ]
    for number, headers in enumerate(sent):
        answer = api.client.get(address, OF_APES, headers=headers, REMOTE_ADDR=f"192.0.2.{number}")
        assert (answer.status_code, answer["RateLimit-Remaining"]) == (200, str(2 - number))
    assert of_key(api, token, address).status_code == 429
    assert api.get(address, OF_APES).status_code == 200, "whoever has none is counted by his address"


def test_a_key_has_its_own_limit_also_where_nothing_else_is_limited(
    api: Api, limit: Limit, make_key: MakeKey
) -> None:
    own, plain = make_key(quota="2/minute"), make_key("another")
    assert [of_key(api, own).status_code for _ in range(3)] == [200, 200, 429]
    assert "RateLimit-Limit" not in of_key(api, plain)
    limit("5/minute")
    assert of_key(api, plain)["RateLimit-Limit"] == "5"
    assert of_key(api, own)["RateLimit-Limit"] == "2"


@BOTH
@pytest.mark.parametrize(
    "token",
    [
        "x",
        "nft_",
        "nft_" + "a" * 43,
        "nft_" + "é" * 43,
        "nft_" + "a" * 4_000,
        "a b",
        "nft_" + "a" * 42 + "\u0000",
    ],
)
def test_a_key_that_is_none_is_refused_and_takes_of_the_address(
    api: Api, address: str, token: str, limit: Limit, make_key: MakeKey
) -> None:
    make_key()
    limit("2/minute")
    first, second, third = (of_key(api, token, address) for _ in range(3))
    assert (refusal(first), first["RateLimit-Remaining"]) == (NOT_GOOD, "1")
    assert (refusal(second), second["RateLimit-Remaining"]) == (NOT_GOOD, "0")
    assert (third.status_code, int(third["Retry-After"]) > 0) == (429, True)


def test_two_keys_that_differ_are_none(api: Api, make_key: MakeKey) -> None:
    token = make_key()
    both = api.get(NFTS, x_api_key=token, authorization=f"Bearer {make_key('other')}")
    assert refusal(both) == NOT_GOOD
    assert api.get(NFTS, x_api_key=token, authorization=f"Bearer {token}").status_code == 200


def test_other_ways_to_say_who_one_is_are_for_others(api: Api, settings: LazySettings) -> None:
    """A proxy in front may ask for a password."""
    for credentials in ("Basic b2xnYTpwYXNz", "Bearer", "", "Digest username=x"):
        assert api.get(NFTS, authorization=credentials).status_code == 200
    settings.API_KEYS = "off"
    assert api.get(NFTS, authorization="Bearer whatever.a.proxy.wants").status_code == 200


@BOTH
def test_where_keys_are_required_nothing_is_answered_without_one(
    api: Api, address: str, limit: Limit, settings: LazySettings, make_key: MakeKey
) -> None:
    settings.API_KEYS = "required"
    settings.API_MAX_AGE = 60
    limit("9/minute")
    assert refusal(api.get(address, OF_APES)) == (401, "not_authenticated", CHALLENGE)
    for_people = api.get(address, OF_APES, accept="text/html")
    assert (for_people.status_code, b"An API key is needed" in for_people.content) == (401, True)
    good = of_key(api, make_key(), address)
    assert good.status_code == 200
    assert good["Cache-Control"] == "private, max-age=60", "no cache may answer others with it"
    for other in ("/api/v1/schema", "/api/v1/docs", "/healthz", "/"):
        assert api.get(other).status_code == 200, "what says how to ask is open"


def test_revoked_and_expired_keys_are_refused_from_that_moment_on(
    api: Api, make_key: MakeKey, clock: Any
) -> None:
    revoked, expiring = make_key(), make_key("other", expires_at=timezone.now() + timedelta(seconds=60))
    assert [of_key(api, token).status_code for token in (revoked, expiring)] == [200, 200]
    ApiKey.objects.filter(name="client").update(revoked_at=timezone.now())
    assert refusal(of_key(api, revoked)) == NOT_GOOD
    clock.shift(59)
    assert of_key(api, expiring).status_code == 200
    clock.shift(1)
    assert refusal(of_key(api, expiring)) == NOT_GOOD


def test_a_key_is_asked_of_the_database_by_one_query_and_nonsense_by_none(
    api: Api, make_key: MakeKey
) -> None:
    token = make_key()
    for sent, number in ((token, 1), ("nft_" + "a" * 43, 1), ("nonsense", 0)):
        with CaptureQueriesContext(connection) as queries:
            found = keys.key_of(sent)
        assert (len(queries), found is None) == (number, sent != token)


def test_only_a_hash_of_256_random_bits_is_kept(make_key: MakeKey) -> None:
    tokens = {make_key() for _ in range(50)}
    assert len(tokens) == 50
    assert all(len(token.removeprefix("nft_")) == 43 for token in tokens)
    for row in ApiKey.objects.values():
        kept = " ".join(map(str, row.values()))
        assert not any(token[keys.SHOWN :] in kept for token in tokens)
    # 43 letters of 64 are 256 bits and a little; of these, 36 are kept to tell keys apart.
    assert (43 - (keys.SHOWN - 4)) * 6 > 200


def test_no_part_of_a_key_is_in_the_log(
    api: Api, limit: Limit, make_key: MakeKey, caplog: pytest.LogCaptureFixture
) -> None:
    limit("1/minute")
    token = make_key()
    caplog.set_level(logging.DEBUG)
    answers = [of_key(api, token), of_key(api, token), api.get(NFTS, authorization=f"Bearer {token}x")]
    assert [answer.status_code for answer in answers] == [200, 429, 401]
    lines = [vars(record) for record in caplog.records]
    number = ApiKey.objects.get().pk
    assert [line.get("key") for line in lines if line["name"] == "access"] == [number, number, None]
    assert not any(token[4:10] in str(line) for line in lines)


def test_the_last_use_is_written_at_most_once_a_minute(
    api: Api, make_key: MakeKey, uses: list[int], clock: Any
) -> None:
    token = make_key()
    for seconds in (0, 1, 58, 1, 59, 1):
        clock.shift(seconds)
        of_key(api, token)
        keys.write_uses(set(uses))
    key = ApiKey.objects.get()
    assert uses == [key.pk] * 3, "at first, after a minute, and after two"
    assert key.last_used_at == timezone.now()


def test_of_processes_that_use_a_key_at_once_one_writes(make_key: MakeKey) -> None:
    make_key()
    key = ApiKey.objects.get()
    keys.write_uses({key.pk})
    first = ApiKey.objects.get().last_used_at
    assert first is not None
    with CaptureQueriesContext(connection):
        keys.write_uses({key.pk})
    assert ApiKey.objects.get().last_used_at == first


def test_a_use_that_cannot_be_written_is_a_line_in_the_log_and_the_next_is_tried(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    written: list[set[int]] = []

    def write(numbers: set[int]) -> None:
        written.append(numbers)
        if len(written) == 1:
            raise OperationalError("database is locked")

    class AtOnce:
        """A thread that is done before it is begun."""

        def __init__(self, target: Callable[[], None], **_: object) -> None:
            self.start = target

    monkeypatch.setattr(keys, "write_uses", write)
    monkeypatch.setattr("core.access.keys.threading.Thread", AtOnce)
    monkeypatch.setattr(
        "core.access.keys.connections", {"default": type("Kept", (), {"close": lambda _: None})()}
    )
    uses = keys.Uses()
    uses.note(7)
    uses.note(8)
    assert written == [{7}, {8}]
    assert "OperationalError" in caplog.text


def test_scripts_of_other_sites_may_send_keys_and_read_what_is_told(api: Api) -> None:
    preflight = api.client.options(NFTS, headers={"Access-Control-Request-Method": "GET"})
    allowed = preflight["Access-Control-Allow-Headers"].split(", ")
    assert {"Authorization", "X-API-Key"} <= set(allowed)
    told = {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After", "WWW-Authenticate"}
    assert told <= set(api.get(NFTS)["Access-Control-Expose-Headers"].split(", "))


@pytest.mark.parametrize(
    ("setting", "security"),
    [
        ("optional", [{}, {"bearerKey": []}, {"headerKey": []}]),
        ("required", [{"bearerKey": []}, {"headerKey": []}]),
    ],
)
def test_the_description_says_how_keys_are_sent_and_whether_they_must_be(
    api: Api, settings: LazySettings, setting: str, security: list[Any]
) -> None:
    settings.API_KEYS = setting
    document = api.get("/api/v1/schema").json()
    for operation in (document["paths"][address]["get"] for address in (NFTS, TRANSFERS)):
        assert operation["security"] == security
        for status, header in (("401", "WWW-Authenticate"), ("429", "Retry-After")):
            assert header in operation["responses"][status]["headers"]
        for response in operation["responses"].values():
            assert {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} <= set(response["headers"])
    schemes = document["components"]["securitySchemes"]
    assert schemes["bearerKey"]["scheme"] == "bearer"
    assert (schemes["headerKey"]["in"], schemes["headerKey"]["name"]) == ("header", "X-API-Key")
