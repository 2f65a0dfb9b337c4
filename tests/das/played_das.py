"""A DAS server on loopback: a list of assets behind `getAssetsByGroup`, `getAsset` and `getAssetBatch`."""

from __future__ import annotations

from typing import Any

from tests.das.shapes import LADS, Shape, collection_nft
from tests.net.played import PlayedNode, error

NOT_FOUND = error(-32000, "Database Error: RecordNotFound Error: Asset Not Found")


class PlayedDas(PlayedNode):
    """Lists `assets` for LADS alone, `limit` at a time at most; by cursors, or by pages alone without `cursors`.

    `others` are known without being listed. `slot`: what it says up to where it has read the chain.
    """

    def __init__(self, *assets: Shape) -> None:
        super().__init__()
        self.assets: list[Any] = list(assets)
        self.others: list[Any] = [collection_nft("lads")]
        self.most = 1000
        self.cursors = True
        self.slot: int | None = 300_000_000
        self.pages: dict[int, list[Any]] = {}
        """Answers to take the place of pages, by their number from 1; the pages behind are moved on."""
        self.methods = {
            "getAssetsByGroup": self.list_assets,
            "getAsset": self.one,
            "getAssetBatch": lambda ids: [self.find(mint) for mint in ids],
        }

    def list_assets(self, groupKey: str, groupValue: str, limit: int, **more: Any) -> Any:  # noqa: N803
        assert groupKey == "collection"
        number = int(more.get("cursor") or more.get("page") or 1)
        size = min(limit, self.most)
        listed = self.assets if groupValue == LADS else []
        start = (number - 1 - sum(1 for one in self.pages if one < number)) * size
        items = self.pages.get(number, listed[start : start + size])
        answer = {"total": len(items), "limit": limit, "page": number, "items": items}
        if self.slot is not None:
            answer["last_indexed_slot"] = self.slot
        if self.cursors and "page" not in more and (items or number in self.pages):
            answer["cursor"] = str(number + 1)
        return answer

    def find(self, mint: str) -> Any:
        known = {
            one["id"]: one for one in (*self.assets, *self.others) if isinstance(one, dict) and "id" in one
        }
        found = known.get(mint)
        return found if found is None or self.slot is None else {"last_indexed_slot": self.slot, **found}

    def one(self, id: str) -> Any:
        return self.find(id) or NOT_FOUND

    def asked_for(self, method: str) -> list[Any]:
        """The parameters of all calls of a method."""
        return [call["params"] for call in self.seen if call["method"] == method]
