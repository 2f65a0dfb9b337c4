"""What HTTP adds around the answers: ids, CORS, validators, compression, caching, redirects."""

import gzip
import logging
import re
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.test import override_settings
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.rest.headers import accepts_gzip, cache_control
from nftsite.urls import urlpatterns as real_urls
from tests.conftest import Api

ANSWER: dict[str, Any] = {}
"""What the probe answers; a test changes it."""


class Probe(APIView):
    """Answers ANSWER, with its `max_age_limit` when it has one."""

    def get(self, request: Request) -> Response:
        """The answer, logged under the request's id."""
        logging.getLogger("tests.probe").warning("within")
        response = Response(ANSWER["body"])
        if "limit" in ANSWER:
            response.max_age_limit = ANSWER["limit"]  # type: ignore[attr-defined]
        return response


def elsewhere(request: HttpRequest) -> HttpResponse:
    """A page that is none of the API's."""
    return JsonResponse({})


urlpatterns = [path("api/v1/probe", Probe.as_view()), path("elsewhere", elsewhere), *real_urls]
pytestmark = pytest.mark.urls(__name__)
PROBE = "/api/v1/probe"


@pytest.fixture(autouse=True)
def answer() -> dict[str, Any]:
    """A body that is worth compressing."""
    ANSWER.clear()
    ANSWER["body"] = {"data": ["the same again"] * 100}
    return ANSWER


@pytest.mark.parametrize("given", ["a", "A-b_c.9", "x" * 64])
def test_a_request_id_is_kept(api: Api, given: str) -> None:
    assert api.get(PROBE, x_request_id=given)["X-Request-ID"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "ä", "a\tb", "<script>", "a/b", "１"])
def test_another_request_id_is_replaced(api: Api, given: str) -> None:
    assert re.fullmatch(r"[0-9a-f]{32}", api.get(PROBE, x_request_id=given)["X-Request-ID"])


def test_request_ids_differ(api: Api) -> None:
    assert api.get(PROBE)["X-Request-ID"] != api.get(PROBE)["X-Request-ID"]


def test_strong_etag_and_304(api: Api) -> None:
    first = api.get(PROBE)
    assert re.fullmatch(r'"[0-9a-f]{32}"', first["ETag"])
    second = api.get(PROBE, if_none_match=first["ETag"])
    assert (second.status_code, second.content) == (304, b"")
    for name in ("ETag", "Vary", "Cache-Control", "X-Request-ID", "Access-Control-Allow-Origin"):
        assert name in second
    for name in ("Vary", "Cache-Control", "ETag"):
        assert second[name] == first[name]
    for name in ("Content-Type", "Content-Length", "Content-Encoding"):
        assert name not in second


@pytest.mark.parametrize("form", ["W/{}", '"other", {}', '"other",W/{} , "more"', "*"])
def test_forms_of_if_none_match(api: Api, form: str) -> None:
    tag = api.get(PROBE)["ETag"]
    assert api.get(PROBE, if_none_match=form.format(tag)).status_code == 304


@pytest.mark.parametrize("form", ['"other"', "garbage", "", '"'])
def test_other_validators_get_the_answer(api: Api, form: str) -> None:
    assert api.get(PROBE, if_none_match=form).status_code == 200


def test_the_tag_changes_with_the_body(api: Api, answer: dict[str, Any]) -> None:
    before = api.get(PROBE)["ETag"]
    answer["body"] = {"data": ["another"]}
    assert api.get(PROBE, if_none_match=before).status_code == 200
    assert api.get(PROBE)["ETag"] != before


def test_gzip_has_a_strong_tag_of_its_own(api: Api) -> None:
    plain = api.get(PROBE)
    zipped = api.get(PROBE, accept_encoding="gzip, br")
    assert zipped["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.content) == plain.content
    assert len(zipped.content) == int(zipped["Content-Length"]) < len(plain.content)
    assert not zipped["ETag"].startswith("W/")
    assert zipped["ETag"] != plain["ETag"]
    assert api.get(PROBE, accept_encoding="gzip").content == zipped.content, (
        "a strong tag promises equal bytes"
    )
    assert api.get(PROBE, accept_encoding="gzip", if_none_match=zipped["ETag"]).status_code == 304
    assert api.get(PROBE, if_none_match=zipped["ETag"]).status_code == 200


def test_a_short_answer_is_not_compressed(api: Api, answer: dict[str, Any]) -> None:
    answer["body"] = {"data": []}
    assert "Content-Encoding" not in api.get(PROBE, accept_encoding="gzip")


@pytest.mark.parametrize(
    ("header", "taken"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, *", False),
        ("identity", False),
        ("", False),
        ("xgzip", False),
        ("*;q=0", False),
    ],
)
def test_accept_encoding(header: str, taken: bool) -> None:
    assert accepts_gzip(header) == taken


def test_head_is_get_without_body(api: Api) -> None:
    got = api.get(PROBE)
    head = api.client.head(PROBE)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("Content-Length", "Content-Type", "ETag", "Vary", "Cache-Control"):
        assert head[name] == got[name]
    assert api.client.head(PROBE, headers={"If-None-Match": got["ETag"]}).status_code == 304


def test_vary(api: Api) -> None:
    assert {"Accept", "Accept-Encoding"} <= set(api.get(PROBE)["Vary"].split(", "))


@pytest.mark.parametrize(
    ("configured", "limit", "expected"),
    [
        (0, None, "no-cache"),
        (0, 50, "no-cache"),
        (60, None, "public, max-age=60"),
        (60, 50, "public, max-age=50"),
        (60, 500, "public, max-age=60"),
        (60, 0.9, "no-cache"),
        (60, 0, "no-cache"),
        (60, -5, "no-cache"),
    ],
)
def test_cache_control(
    api: Api, answer: dict[str, Any], configured: int, limit: float | None, expected: str
) -> None:
    if limit is not None:
        answer["limit"] = limit
    with override_settings(API_MAX_AGE=configured):
        assert cache_control(limit) == expected
        assert api.get(PROBE)["Cache-Control"] == expected


def test_any_origin_may_read(api: Api) -> None:
    response = api.get(PROBE, origin="https://app.example")
    assert response["Access-Control-Allow-Origin"] == "*"
    exposed = set(response["Access-Control-Expose-Headers"].split(", "))
    assert {
        "ETag",
        "X-Request-ID",
        "X-Result-Limit",
        "X-Indexed-Block",
        "X-Indexed-At",
        "X-Asks-At",
        "Retry-After",
    } <= exposed
    assert {"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} <= exposed
    assert "Access-Control-Allow-Credentials" not in response


def test_errors_may_be_read_too(api: Api) -> None:
    assert api.get("/api/v1/nothing", origin="https://app.example")["Access-Control-Allow-Origin"] == "*"


def test_preflight(api: Api) -> None:
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "GET"}
    response = api.client.options(PROBE, headers=asked | {"Access-Control-Request-Headers": "if-none-match"})
    assert (response.status_code, response.content) == (204, b"")
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "GET" in response["Access-Control-Allow-Methods"]
    assert "POST" not in response["Access-Control-Allow-Methods"]
    assert "if-none-match" in response["Access-Control-Allow-Headers"].lower()


def test_plain_options(api: Api) -> None:
    response = api.client.options(PROBE)
    assert response.status_code == 200
    assert response["Allow"] == "GET, HEAD, OPTIONS"


def test_what_is_not_the_api_is_left_alone(api: Api) -> None:
    response = api.get("/elsewhere", accept_encoding="gzip")
    assert "Access-Control-Allow-Origin" not in response
    assert "ETag" not in response


@pytest.mark.parametrize("query", ["", "a=1&b=%2C%C3%A4&b=2", "tokenId="])
def test_a_trailing_slash_redirects(api: Api, query: str) -> None:
    for name in ("nfts", "transfers"):
        response = api.get(f"/api/v1/{name}/by-token/", query)
        assert response.status_code == 301
        assert response["Location"] == f"/api/v1/{name}/by-token" + (f"?{query}" if query else "")


def test_slashes_redirect_to_no_other_host(api: Api) -> None:
    assert api.get("/api/v1//evil.example/").status_code == 404


def test_the_access_log(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    """One line a request, without the query string; lines in between carry the same id."""
    with caplog.at_level(logging.INFO):
        api.get(PROBE, "secret=hidden", x_request_id="id-7")
    lines = [record for record in caplog.records if record.name == "access"]
    assert [(line.method, line.path, line.status) for line in lines] == [("GET", PROBE, 200)]  # type: ignore[attr-defined]
    assert lines[0].ms >= 0  # type: ignore[attr-defined]
    assert "hidden" not in caplog.text


def test_log_lines_cannot_be_forged(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        api.get("/api/v1/x%0Ainjected")
    assert [record for record in caplog.records if "\n" in record.getMessage()] == []


TAKEN_APART = [
    "accept",
    "accept_encoding",
    "accept_language",
    "cookie",
    "if_none_match",
    "range",
    "x_forwarded_for",
]
LONG = {"commas": ",", "semicolons": ";", "types": "a/b;q=0.5,", "tags": 'W/"a",', "pairs": 'a="\\101"; '}


@pytest.mark.parametrize("name", TAKEN_APART)
@pytest.mark.parametrize("unit", LONG.values(), ids=LONG)
@pytest.mark.parametrize("address", [PROBE, "/", "/admin/", "/healthz", f"{settings.MEDIA_URL}x", "/nowhere"])
def test_a_header_that_is_too_long_is_refused_before_it_is_read(
    api: Api, name: str, unit: str, address: str
) -> None:
    """Some would cost seconds: parsing takes the square of their length. Behind gunicorn several make a long one."""
    response = api.get(address, **{name: (unit * 790_000)[:790_000]})
    assert response.status_code == 431
    body = response.json()
    assert body["type"] == "client_error"
    assert [(error["code"], error["attr"]) for error in body["errors"]] == [("headers_too_large", None)]
    assert response["Cache-Control"] == "no-store"
    assert response["X-Request-ID"]
    assert ("Access-Control-Allow-Origin" in response) == address.startswith(("/api/", settings.MEDIA_URL))


@pytest.mark.parametrize("name", TAKEN_APART)
def test_a_header_as_long_as_gunicorn_takes_it_is_read(api: Api, name: str) -> None:
    assert api.get(PROBE, **{name: "*/*," + " " * (8_190 - 4)}).status_code in {200, 206}


def test_a_long_list_of_tags_is_read_to_its_end(api: Api) -> None:
    tag = api.get(PROBE)["ETag"]
    tags = ", ".join([*[f'"{number:032x}"' for number in range(200)], tag])
    assert api.get(PROBE, if_none_match=tags).status_code == 304


@pytest.mark.django_db
def test_pages_beside_the_api_are_compressed_and_kept_like_its_answers_and_the_admin_is_not(api: Api) -> None:
    for address in ("/", "/?q=nothing"):
        answer = api.client.get(address, headers={"accept": "text/html", "accept-encoding": "gzip"})
        assert answer["Content-Encoding"] == "gzip"
        assert b"<h1>Collections</h1>" in gzip.decompress(answer.content)
        headers = {"accept": "text/html", "accept-encoding": "gzip", "if-none-match": answer["ETag"]}
        assert api.client.get(address, headers=headers).status_code == 304
    login = api.client.get("/admin/login/", headers={"accept": "text/html", "accept-encoding": "gzip"})
    assert "Content-Encoding" not in login, (
        "its forms hold a secret, which sizes of compressed pages could tell"
    )
