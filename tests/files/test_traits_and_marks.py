"""Numbers of traits, texts that a database refuses, marks of contracts, images."""

from __future__ import annotations

import json
from typing import Any

import pytest

from media.models import CachedImage
from tests.builders import APES, BOB, contract, nft, transfer
from tests.files.lines import dumped, load
from tokens.models import Contract, Nft, NftRecent, NftTrait, NftTraitRecent, TraitValue
from tokens.models.trait import label_key
from tokens.store import marks

pytestmark = pytest.mark.django_db


def counts() -> dict[tuple[str, str], int]:
    return {
        (kind, value): count
        for kind, value, count in TraitValue.objects.values_list("type", "value", "count")
    }


def test_an_nft_that_has_a_pair_twice_counts_once_f32() -> None:
    load(nft("1", traits=[("A", "x"), ("A", "x"), ("A", "y")]), nft("2", traits=[("A", "x")]))
    assert counts() == {("A", "x"): 2, ("A", "y"): 1}
    assert NftTrait.objects.count() == NftTraitRecent.objects.count() == 3


def test_numbers_follow_when_traits_change_or_go() -> None:
    load(nft("1", traits=[("A", "x")]), nft("2", traits=[("A", "x")]))
    load(nft("1", traits=[("A", "y")]))
    assert counts() == {("A", "x"): 1, ("A", "y"): 1}
    load(nft("1", metadata=None), nft("2", metadata={"name": "bare"}))
    assert counts() == {}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Gold", "Gold"), (5, "5"), (5.0, "5"), (0.5, "0.5"), (1.4, "1.4"), (True, "true"), (False, "false"),
        ([1, {"b": 1, "a": None}], '[1,{"a":null,"b":1}]'), ("", ""), (" x ", " x "), ("2022,Ford", "2022,Ford"),
    ],
)  # fmt: skip
def test_the_text_of_a_value_is_jsons_own_f36(value: Any, text: str) -> None:
    load(nft(traits=[("A-B", value)]))
    row = TraitValue.objects.get()
    assert (row.type, row.value, row.label_key) == ("A-B", text, label_key(f"A-B-{text}"))


@pytest.mark.parametrize(
    "traits",
    [None, {}, "x", 5, [[{"traitType": "a", "traitValue": "b"}]], [None, 5, {}], [{"traitType": "a"}],
     [{"traitType": "a", "traitValue": None}]],
    ids=repr,
)  # fmt: skip
def test_what_is_no_trait_is_passed_over_f37_f38(traits: Any) -> None:
    load(nft(metadata={"name": "n", "traits": traits}))
    assert counts() == {}
    assert json.loads(Nft.objects.get().metadata or "") == {"name": "n", "traits": traits}


def test_an_untyped_trait_has_the_empty_type() -> None:
    load(nft(metadata={"traits": [{"traitValue": "Gold"}, {"traitType": None, "traitValue": "Blue"}]}))
    assert counts() == {("", "Gold"): 1, ("", "Blue"): 1}


def test_the_first_500_traits_count() -> None:
    load(nft(traits=[("N", number) for number in range(600)]))
    assert TraitValue.objects.count() == 500
    assert not TraitValue.objects.filter(value="500").exists()


def test_over_long_values_are_found_too() -> None:
    load(nft("1", traits=[("A", "x" * 100_000)]), nft("2", traits=[("A", "x" * 99_999)]))
    assert TraitValue.objects.count() == 2


def test_postings_carry_the_keys_of_their_nft() -> None:
    load(nft("7", traits=[("A", "x")], rarity=1.5), transfer("7"))
    load(nft("7", rarity=2))
    recent = NftRecent.objects.get()
    assert list(NftTrait.objects.values_list("token_key", "rarity_key")) == [("017", -2.0)]
    assert list(NftTraitRecent.objects.values_list("recent_key", flat=True)) == [recent.recent_key]
    load(nft("7", traits=[("A", "y")]))
    assert list(NftTraitRecent.objects.values_list("recent_key", flat=True)) == [recent.recent_key]


def test_third_party_json_is_kept_byte_for_byte() -> None:
    metadata = '{"b" : 1.50, "a":"\\u0000\\ud800 \\/", "b":{"z":[ ],"traits" :1e400}}'
    native = '[1.0,  "\\u0000" ]'
    load(
        f'{{"record":"nft","chain":"ethereum","contractAddress":"{APES}","tokenId":"1", "metadata" : {metadata} ,'
        f'"native":{native} }}'
    )
    row = Nft.objects.get()
    assert (row.metadata, row.native) == (metadata, native)
    assert f'"metadata":{metadata}' in dumped()


def test_texts_that_a_database_refuses_are_stored_with_a_substitute() -> None:
    load(
        nft("1", uri="a\0b\ud800", traits=[("\0", "\udfff")], markedReason="x\0"),
        contract(name="\0\ud83d", symbol="\U0001f600"),
    )
    row, home = Nft.objects.get(), Contract.objects.get()
    assert (row.uri, row.marked_reason) == ("a\ufffdb\ufffd", "x\ufffd")
    assert (home.name, home.symbol) == ("\ufffd\ufffd", "\U0001f600")
    assert counts() == {("\ufffd", "\ufffd"): 1}


@pytest.mark.parametrize(
    ("url", "is_image"),
    [("https://a/b.png", True), ("ipfs://Qm", True), ("ar://x", True), ("data:image/png;base64,AA==", True),
     ("HTTP://A", True), ("file:///etc/passwd", False), ("", False), (5, False), ("b.png", False)],
)  # fmt: skip
def test_an_image_address_that_can_be_fetched_is_registered_once(url: Any, is_image: bool) -> None:
    load(nft("1", metadata={"imageUrl": url}), nft("2", metadata={"imageUrl": url}))
    assert CachedImage.objects.filter(state="pending").count() == is_image
    assert {row.image is not None for row in Nft.objects.all()} == {is_image}


def test_an_nft_is_marked_itself_or_through_its_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "BATCH", 2)
    load(*(nft(str(number), marked=number == 3) for number in range(7)))
    load(contract(marked=True, markedReason="spam"))
    assert set(Nft.objects.values_list("marked", "recent__marked")) == {(True, True)}
    load(nft("8"), nft("3", marked=False))
    assert Nft.objects.filter(marked=True, recent__marked=True).count() == 8
    load(contract(marked=None), nft("5", marked=True))
    assert [row.token_id for row in Nft.objects.filter(marked=True, recent__marked=True)] == ["5"]
    assert list(Contract.objects.values_list("marked", "marks_pending", "marked_reason")) == [
        (False, False, "spam")
    ]


def test_marking_that_was_cut_short_is_finished_by_the_next_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "BATCH", 2)
    load(*(nft(str(number)) for number in range(7)))
    with monkeypatch.context() as broken:
        broken.setattr(marks, "apply_pending", lambda: None)
        load(contract(marked=True))
    assert Contract.objects.get().marks_pending
    Nft.objects.filter(token_key__lt="013").update(marked=True)
    NftRecent.objects.filter(nft__token_key__lt="013").update(marked=True)
    load(nft("100", owner=BOB))
    assert not Contract.objects.get().marks_pending
    assert not Nft.objects.filter(marked=False).exists()
    assert not NftRecent.objects.filter(marked=False).exists()
