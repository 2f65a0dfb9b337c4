"""What counts as metadata: it names, shows, describes or lists something; a failure in a good answer does not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies.documents import any_json
from tokens.metadata.documents import metadata_of
from tokens.metadata.judging import Lack, UnusableDocumentError
from tokens.metadata.normalise import normalise

ERRORS: tuple[Any, ...] = (
    {"error": "Rate limit exceeded"},
    {"statusCode": 429, "message": "Too Many Requests"},
    {"statusCode": 502, "title": "Bad Gateway"},
    {
        "name": "NotFoundError",
        "message": "No record found",
        "code": 404,
        "className": "not-found",
        "errors": {},
    },
    {"name": "TypeError", "message": "Cannot read properties of undefined", "stack": "at x"},
    {"name": "CastError", "stack": "CastError: at model.Query"},
    {"type": "https://tools.ietf.org/html/rfc7231#section-6.5.4", "title": "Not Found", "status": 404},
    {"type": "about:blank", "title": "Too Many Requests"},
    {"title": "Error 1015: You are being rate limited", "status": "429 Too Many Requests", "detail": "x"},
    {"ok": False, "error_code": 429, "description": "Too Many Requests: retry after 5"},
    {"success": False, "description": "You have exceeded your quota"},
    {"success": "false", "name": "gateway"},
    {"status": "error", "description": "upstream timed out", "message": "timeout"},
    {"status": "fail", "name": "x", "msg": "no"},
    {"jsonrpc": "2.0", "id": 1, "error": {"code": -32005, "message": "daily request count exceeded"}},
    {"data": None, "error": {"status": 404, "name": "NotFoundError", "message": "Not Found", "details": {}}},
    {"data": {"name": "RateLimitError", "error": "slow down"}},
    {"errors": [{"message": "Internal", "extensions": {"name": "Ape", "image": "https://x.example/1.png"}}]},
    {"message": "Internal server error"},
    {"Message": "Access denied", "Code": "AccessDenied"},
    {"detail": "Request was throttled."},
    {
        "status": 404,
        "error": "Not Found",
        "uri": "https://api.example/1",
        "resource": "https://api.example/1",
    },
    {"fault": {"faultstring": "Rate limit quota violation", "name": "policy"}},
    [{"error": {"message": "Unauthorized"}}],
    {"error": True, "collection": {"name": "Apes", "image": "https://x.example/1.png"}},
    {"error_message": "boom", "name": "gateway"},
    {"errorType": "Error", "errorMessage": "x", "name": "lambda"},
    {"fault": {"faultstring": "quota"}, "name": "policy"},
    {"isError": True, "description": "x"},
    {"failed": True, "description": "x"},
    {"errno": -4058, "code": "ENOENT", "name": "x"},
    {"error_code": 1015, "description": "Ray 7"},
    {"success": 0, "name": "x"},
    {"ok": "no", "description": "x"},
    {"code": "rate_limit_exceeded", "description": "Slow down"},
    {"status": "NOK", "description": "oops"},
    {"type": "error", "title": "Rate limited", "description": "d"},
    {"status": {"code": 429, "message": "x"}, "name": "gateway"},
    {"status": {"error_code": 1008, "error_message": "x"}, "title": "n"},
    {"meta": {"code": 503}, "title": "n"},
    {"name": "gateway", "message": "You are being rate limited.", "retry_after": 30},
    {"name": "AxiosError", "message": "Network down"},
)
SHORT_ERRORS: tuple[Any, ...] = (
    {"description": "Rate limit exceeded"},
    {"title": "404 Not Found"},
    {"name": "Too Many Requests", "description": "Too Many Requests: retry after 5"},
    {"status": "error", "data": {"name": "x", "description": "y"}},
    {"result": {"status": "error", "title": "x"}},
    {"server": {"name": "nginx"}, "message": "slow down"},
    {"debug": {"name": "api", "description": "x"}, "message": "fail"},
    {"context": {"name": "prod"}, "message": "Forbidden"},
)
NOTHING: tuple[Any, ...] = (
    {},
    {"name": "", "image": None},
    {"name": " ", "description": "\n", "image": "", "attributes": []},
    {"name": None, "description": None, "image": None, "attributes": None},
    {"image": "undefined", "animation_url": "null"},
    {"image": {}, "traits": {}, "properties": {}},
    {"attributes": [{"trait_type": "Hat", "value": None}]},
    {"image": "1.png"},
    {"id": 7, "owner": {"name": "bob", "image": "https://x.example/1.png"}},
    {"data": {}},
    {"data": [], "total": 0},
    [{}],
    {"metadata": {"name": "", "image": ""}},
)
UNREVEALED: tuple[Any, ...] = (
    {"message": "not revealed"},
    {"error": "Token has not been revealed yet"},
    {"status": "unrevealed"},
    {"revealed": False},
    {"isRevealed": False, "name": ""},
    {"data": {"message": "Reveal is coming soon!"}},
    {"detail": "Metadata not available yet"},
    "Hidden until the reveal",
    ["not revealed"],
    {"statusCode": 404, "message": "This ape is not yet revealed"},
    {"revealed": "false"},
    {"is_revealed": 0},
    {"data": {"revealed": False}},
    {"isHidden": True},
    {"message": "The sale has not started"},
)
METADATA: tuple[Any, ...] = (
    {"name": "#1"},
    {"description": "An ape."},
    {"image": "https://x.example/1"},
    {"attributes": ["Gold"]},
    {"animation_url": "https://x.example/1.mp4"},
    {"name": "Not Found", "description": "An artwork about HTTP."},
    {"name": "Rate limit exceeded", "image": "https://x.example/429.png"},
    {"name": "Ape", "error": None, "errors": [], "success": True, "status": 200, "message": "OK"},
    {"name": "Ape", "error": False, "status": "ok"},
    {"name": "Ape", "status": "error", "image": "https://x.example/1"},
    {"name": "TypeError", "description": "Art"},
    {"name": "Ape", "code": 404, "attributes": [{"trait_type": "Status", "value": "failed"}]},
    {"statusCode": 500, "name": "Ape", "traits": {"Fur": "Gold"}},
    {"name": "Error #404"},
    {"name": "Error", "description": "A study"},
    {"name": "Fail", "message": "gm"},
    {"name": "Terror", "message": "boo", "description": "scary"},
    {"name": "404 Gallery", "details": "y", "description": "x"},
    {"name": "500 Days of Summer", "description": "x", "message": "love"},
    {"title": "500 Mirrors", "details": "an edition"},
    {"name": "Ape", "status": "400 XP"},
    {"name": "Land", "state": "500 acres", "message": "x"},
    {"name": "Ape", "code": "404-AB", "message": "x"},
    {"name": "Ape", "error": "N/A", "errorCode": 0, "errorMessage": None, "failed": False},
    {"name": "Ape", "description": "It was rate limited, and told everybody."},
    {"name": "Ape", "message": "we filled the quota", "hidden": True},
    {"name": "Gone"},
    {"message": "gm", "attributes": [{"trait_type": "A", "value": "b"}]},
    {"name": "Ape", "kind": "error", "code": 429},
    {"name": "Unrevealed", "description": "Reveal is coming soon.", "image": "https://x.example/hidden.gif"},
)


def lack(document: Any) -> Lack:
    with pytest.raises(UnusableDocumentError) as refused:
        metadata_of(json.dumps(document).encode(), "application/json", "https://x.example/1")
    assert normalise(document) == {}
    return refused.value.lack


@pytest.mark.parametrize("document", ERRORS, ids=json.dumps)
def test_an_error_s_message_is_no_metadata(document: Any) -> None:
    assert lack(document) in (Lack.ERROR, Lack.OTHER, Lack.NOTHING)
    if isinstance(document, dict) and "data" not in document and "fault" not in document:
        assert lack(document) is Lack.ERROR


@pytest.mark.parametrize("document", SHORT_ERRORS, ids=json.dumps)
def test_an_error_is_told_where_its_message_is_called_a_name(document: Any) -> None:
    assert lack(document) in (Lack.ERROR, Lack.NOTHING)


@pytest.mark.parametrize(
    "codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "utf-8-sig"]
)
@pytest.mark.parametrize("before", ["", "\n "])
@pytest.mark.parametrize("claimed", ["application/json", "image/png", "audio/mpeg"])
def test_a_document_is_one_in_every_encoding_whatever_its_server_calls_it(
    codec: str, before: str, claimed: str
) -> None:
    body = f'{before}{{"name": "Café 猿"}}'.encode(codec)
    assert metadata_of(body, claimed, "https://x.example/1") == {"name": "Café 猿"}


@pytest.mark.parametrize("document", NOTHING, ids=json.dumps)
def test_what_names_shows_describes_and_lists_nothing_is_no_metadata(document: Any) -> None:
    assert lack(document) in (Lack.NOTHING, Lack.OTHER)


@pytest.mark.parametrize("document", UNREVEALED, ids=json.dumps)
def test_what_says_that_it_is_not_revealed_is_told_apart(document: Any) -> None:
    assert lack(document) is Lack.UNREVEALED


@pytest.mark.parametrize("document", METADATA, ids=json.dumps)
def test_what_names_shows_describes_or_lists_anything_is_metadata(document: Any) -> None:
    """Also where it is about errors, or has members that an error has too."""
    assert normalise(document)
    assert metadata_of(json.dumps(document).encode(), "", "https://x.example/1") == normalise(document)


@given(
    st.dictionaries(st.sampled_from(["error", "message", "status", "code", "ok", "errors", "type"]), any_json)
)
def test_members_of_an_error_take_no_picture_and_no_trait_away(error: dict[str, Any]) -> None:
    document = {
        **error,
        "image": "https://x.example/1",
        "attributes": [{"trait_type": "Fur", "value": "Gold"}],
    }
    assert normalise(document)["imageUrl"] == "https://x.example/1"
    assert {"traitType": "Fur", "traitValue": "Gold"} in normalise(document)["traits"]


@given(any_json)
def test_whatever_is_metadata_names_shows_describes_or_lists(document: Any) -> None:
    found = normalise(document)
    assert not found or found.keys() & {"name", "description", "imageUrl", "mediaUrl", "traits"}
