"""A recording sees every byte that changes; `make drill NAME=recording` makes and compares them."""

from __future__ import annotations

import gzip
from itertools import islice
from pathlib import Path
from typing import cast
from urllib.parse import parse_qsl

import pytest
from django.core.management import get_commands, load_command_class

from core.rest.filters import QueryFilterSet
from tests.recording import worlds
from tests.recording.drill import differences
from tests.recording.questions import NFTS, TRANSFERS, Found, questions
from tests.recording.service import Answer, Service
from tokens.query.filters import NftFilterSet
from transfers.filters import TransferFilterSet


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


@pytest.mark.parametrize(("path", "filters"), [(NFTS, NftFilterSet), (TRANSFERS, TransferFilterSet)])
def test_each_filter_of_an_operation_is_asked_for(path: str, filters: type[QueryFilterSet]) -> None:
    """One that was added and is in no question could answer anything."""
    trait = {"traitType": "Fur", "traitValue": "Red"}
    nft = {"chain": "ethereum", "contractAddress": "0xa1", "tokenId": "1", "metadata": {"traits": [trait]}}
    found = Found({}, {"0xa1": [nft]}, {"ethereum": None})
    asked = {
        name
        for request, _ in islice(questions(1, found, lambda request: answer(404)), 2_000)
        if request["path"] == path
        for name, _ in parse_qsl(request["query"], keep_blank_values=True)
    }
    assert asked >= filters.base_filters.keys()


def test_a_world_is_made_by_commands_as_they_are(tmp_path: Path) -> None:
    """No test has the minutes to run them: one that took another option ended the drill, and nothing else."""
    run = []

    class Reading:
        def run(self, name: str, *words: str) -> None:
            load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args(words)
            run.append(name)
            if name == "dump":
                worlds.write(Path(words[-1]), [])

    reading, file = cast("Service", Reading()), tmp_path / "sample.jsonl.gz"
    worlds.make("sample", file, reading, tmp_path)
    worlds.prepare("sample", file, reading, tmp_path)
    assert run == ["load_sample", "dump", "load", "apply_marks", "compute_rarity", "cache_images"]
