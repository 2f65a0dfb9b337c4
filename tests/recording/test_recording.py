"""A recording sees every byte that changes; `make drill NAME=recording` makes and compares them."""

from __future__ import annotations

import gzip

from tests.recording.drill import differences
from tests.recording.service import Answer


def answer(status: int = 200, body: bytes = b'{"data": []}', **headers: str) -> Answer:
    return {"status": status, "headers": [*headers.items()], "body": body.decode("latin-1")}


def test_equal_answers_do_not_differ() -> None:
    assert differences(answer(ETag='"a"'), answer(ETag='"a"')) == []


def test_a_changed_byte_a_status_and_a_header_each_are_told() -> None:
    assert differences(answer(), answer(body=b'{"data": [ ]}')) == [
        "body, at 10: b'{\"data\": []}'",
        "          -> b'{\"data\": [ ]}'",
    ]
    assert differences(answer(), answer(404)) == ["status 200 -> 404"]
    assert differences(answer(ETag='"a"'), answer(Vary="Accept")) == [
        'ETag: "a" -> None',
        "Vary: None -> Accept",
    ]


def test_what_was_packed_otherwise_differs_though_it_unpacks_to_the_same() -> None:
    packed = [gzip.compress(b"[]" * 999, level, mtime=0) for level in (1, 9)]
    assert differences(*(answer(body=body) for body in packed)) != []
