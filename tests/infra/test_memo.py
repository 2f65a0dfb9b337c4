"""What the service remembers of strangers' texts is bounded in bytes, not only in number."""

from __future__ import annotations

import ast
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.memo import cached_if_short
from core.net.http.cids import cid_of
from nftsite.checks import CODE_FOLDERS
from tokens.store.traits import _keys
from transfers.ledger.derive import _slugs
from transfers.ledger.owners import has_one_owner

ROOT = Path(__file__).resolve().parents[2]

BOUNDED = {
    "compat/chains.py:checksummed": "an address of 42 characters",
    "core/db/bulk.py:_fields": "a model of ours",
    "core/db/bulk.py:_type": "a model of ours and a column of it",
    "core/db/statements.py:_kept": "a query of ours, the names in it and a number of ids",
    "core/net/http/http_get.py:tls_context": "takes nothing",
    "core/net/rpc/values.py:_integer": "a quantity of 64 digits at most; others are not kept",
    "media/drawing/pictures.py:_plain": "two pictures, in the process that draws",
    "media/drawing/properties.py:_short_expanded": "is called for 200 characters at most",
    "media/fonts.py:_files": "takes nothing",
    "media/fonts.py:characters": "takes nothing",
    "media/fonts.py:options": "takes nothing",
    "media/fonts.py:fallback": "three words of ours",
    "core/db/faults.py:_own_places": "folders of the settings, three",
    "nftsite/views.py:_migrations": "takes nothing",
    "nftsite/pages.py:policy": "the settings, one",
    "tokens/ens/node.py:of_node": "the settings, one",
    "tokens/engine/postings.py:_statement": "names of ours, flags and the size of a page",
    "tokens/metadata/places.py:_folded": "is called for names of 40 characters at most",
    "tokens/records/rendered.py:_numbers": "two numbers",
    "tokens/records/rendered.py:_opened": "a gateway of the settings",
    "tokens/records/traits.py:derived": "two numbers",
    "indexing/admin/evidence.py:_unpack": "one row",
    "indexing/judge/markets/seaport_parameters.py:_hash_of": "types of ours, three",
    "indexing/judge/markets/seaport_parameters.py:operator": "a word of 32 bytes and an address",
    "indexing/node/blooms.py:_bits": "addresses and topics, of a fixed length",
}
"""Functions that remember by number alone, and why that is a bound in bytes too."""


def remembering() -> Iterator[str]:
    """The functions of the product that the standard library has remember."""
    for top in sorted({*CODE_FOLDERS} - {"tests"}):
        for path in sorted((ROOT / top).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith("nftsite/bench/"):
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and any(map(_remembers, node.decorator_list)):
                    yield f"{name}:{node.name}"


def _remembers(decorator: ast.expr) -> bool:
    named = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")) in (
        "lru_cache",
        "cache",
    )


def test_what_remembers_by_number_alone_is_known_to_be_small() -> None:
    assert set(remembering()) == set(BOUNDED)


def test_a_short_text_is_worked_out_once_and_a_long_one_each_time() -> None:
    worked_out = []

    @cached_if_short(maxsize=2, longest=4)
    def doubled(one: str, other: str) -> str:
        worked_out.append(one)
        return one * 2 + other

    assert [doubled(one, "b") for one in ("abc", "abc", "abcd", "abcd")] == [
        "abcabcb",
        "abcabcb",
        *["abcdabcdb"] * 2,
    ]
    assert worked_out == ["abc", "abcd", "abcd"]


def _market_list(text: str) -> Any:
    return _slugs(f'["{text}"]')


@pytest.mark.parametrize(
    "function",
    [lambda text: _keys("Hat", text), lambda text: _keys(text, ""), cid_of, has_one_owner, _market_list],
)
def test_hostile_texts_leave_no_memory_behind(function: Callable[[str], Any]) -> None:
    """Each a thousand characters of four bytes: by number alone, twenty megabytes and more would stay."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(5_000):
            function(f"{number:06d}" + "\U0001f600" * 1_000)
        assert tracemalloc.get_traced_memory()[0] - before < 2**20
    finally:
        tracemalloc.stop()
