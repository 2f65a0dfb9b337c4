"""Asking for assets by mint: answers are matched by their ids, and one bad asset costs no other."""

from __future__ import annotations

from typing import Any

import pytest

from core.net.rpc.errors import NodeUnavailableError, RpcError
from indexing.das.lookup import Lookup
from tests.das.played_das import PlayedDas
from tests.das.shapes import account, asset
from tests.net.played import error, node_of

MINTS = [account(number) for number in range(7)]


def looked_up(das: PlayedDas, mints: list[str] = MINTS) -> dict[str, Any]:
    found = Lookup(node_of(das.url, has_chain_id=False)).assets(mints)
    return {mint: one if isinstance(one, RpcError) else one["id"] for mint, one in found.items()}


@pytest.fixture(autouse=True)
def seven(das: PlayedDas) -> None:
    """The server knows seven assets."""
    das.assets = [asset(number) for number in range(7)]


def test_many_are_asked_for_at_once(das: PlayedDas) -> None:
    assert looked_up(das) == {mint: mint for mint in MINTS}
    assert das.asked == ["getAssetBatch"]


def test_one_is_asked_for_alone(das: PlayedDas) -> None:
    assert looked_up(das, MINTS[:1]) == {MINTS[0]: MINTS[0]}
    assert das.asked == ["getAsset"]


def test_answers_in_another_order_belong_to_their_ids(das: PlayedDas) -> None:
    """F85: two assets whose answers were swapped."""
    das.methods["getAssetBatch"] = lambda ids: [das.find(mint) for mint in reversed(ids)]
    assert looked_up(das) == {mint: mint for mint in MINTS}


def test_nulls_in_a_batch_are_assets_that_the_server_does_not_know(das: PlayedDas) -> None:
    strangers = [account("x"), account("y")]
    assert looked_up(das, [strangers[0], *MINTS, strangers[1]]) == {mint: mint for mint in MINTS}
    assert looked_up(das, strangers[:1]) == {}


def test_what_was_not_asked_for_is_not_taken(das: PlayedDas) -> None:
    das.methods["getAssetBatch"] = lambda ids: [asset("x"), "junk", None, {}, das.find(ids[0])]
    assert looked_up(das) == {MINTS[0]: MINTS[0]}


def test_a_server_with_the_methods_older_name_is_asked_by_it(das: PlayedDas) -> None:
    das.methods["getAssets"] = das.methods.pop("getAssetBatch")
    lookup = Lookup(node_of(das.url, has_chain_id=False))
    assert len(lookup.assets(MINTS)) == len(lookup.assets(MINTS)) == 7
    assert das.asked == ["getAssetBatch", "getAssets", "getAssets"]


def test_a_server_without_batches_is_asked_one_by_one(das: PlayedDas) -> None:
    del das.methods["getAssetBatch"]
    assert looked_up(das, [*MINTS, account("x")]) == {mint: mint for mint in MINTS}


@pytest.mark.parametrize("words", ["Batch size exceeds the limit of 3", "too many ids"])
def test_a_batch_that_is_too_large_is_parted(das: PlayedDas, words: str) -> None:
    whole = das.methods["getAssetBatch"]
    das.methods["getAssetBatch"] = lambda ids: error(-32602, words) if len(ids) > 3 else whole(ids)
    assert looked_up(das) == {mint: mint for mint in MINTS}


def test_one_asset_that_fails_a_batch_is_told_and_costs_no_other(das: PlayedDas) -> None:
    """F46, F86."""
    whole, one = das.methods["getAssetBatch"], das.methods["getAsset"]
    fault = error(-32000, "corrupt record")
    das.methods["getAssetBatch"] = lambda ids: fault if MINTS[4] in ids else whole(ids)
    das.methods["getAsset"] = lambda id: fault if id == MINTS[4] else one(id)
    found = looked_up(das)
    assert found.keys() == set(MINTS)
    assert found.pop(MINTS[4]).message == "corrupt record"
    assert found == {mint: mint for mint in MINTS if mint != MINTS[4]}


def test_a_server_that_is_down_is_no_word_on_any_asset(das: PlayedDas) -> None:
    das.methods["getAssetBatch"] = lambda ids: {"no": "list"}
    with pytest.raises(NodeUnavailableError):
        looked_up(das)
