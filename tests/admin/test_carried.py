"""Whatever the admin allows an operator to decide, a dump carries: loaded into an empty database it is so again."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.management.color import no_style
from django.db import connection

from interchange.load import load_files
from interchange.management.commands.dump import Command
from media.models import CachedImage
from tests.admin.conftest import Operator
from tests.admin.everything import OTHER, a_world, do_everything
from tests.admin.pictures import ALONE, cache
from tests.builders import APES, load_lines
from tests.conftest import Api
from tests.files.lines import COLLECTION, MINT_B, derived, dumped
from tokens.models import Chain, Contract, Currency, CurrencyToken, Market, Nft
from tokens.models.well_known import write_known

pytestmark = pytest.mark.django_db

CARRIED = {
    "tokens.Chain": "chain",
    "tokens.Currency": "currency",
    "tokens.CurrencyToken": "currencyToken",
    "tokens.Market": "market",
    "transfers.MarketContract": "marketContract",
    "tokens.Rate": "rate",
    "tokens.EnsName": "ens",
    "tokens.Contract": "contract and takedown: marks, and media that are withheld",
    "tokens.Nft": "nft and takedown: marks, and media that are withheld",
    "tokens.StatedOwnership": "nft",
    "transfers.Transfer": "transfer",
    "tokens.Ask": "ask",
    "media.WithheldContent": "takedown",
    "media.CachedImage": "takedown of its URL; what is cached is fetched again",
}
LEFT_OUT = {
    "auth.User": "accounts are those of one installation",
    "auth.Group": "likewise",
    "admin.LogEntry": "the audit trail names accounts",
    "axes.AccessAttempt": "failed logins are those of one installation",
    "media.DoomedFile": "files of one installation",
    "tokens.Owner": "follows from transfers and stated owners",
    "tokens.TraitValue": "follows from metadata",
    "tokens.ContractRarity": "computed rarity is computed again",
    "transfers.CollectionFigures": "counted again",
    "tokens.MetadataDocument": "what was made of it is the NFT's metadata",
    "tokens.MetadataFetch": "a queue of work",
    "tokens.MetadataRefresh": "a queue of work",
    "access.ApiKey": "a hash, of a key that its holder has: new ones are made",
    "tokens.WideHolder": "follows from who holds what",
    "indexing.IndexedChain": "how far indexing is",
    "indexing.IndexedContract": "how far indexing is",
    "indexing.BookWalk": "how far reading is",
    "indexing.BookSource": "likewise",
    "indexing.BookPage": "likewise",
    "indexing.Block": "how far indexing is",
    "indexing.Evidence": "read from a node again",
    "transfers.Opening": "owners that follow from it are stated",
    "indexing.UndecodedLog": "read from a node again",
    "indexing.DoubtfulContract": "read from a node again",
    "indexing.MarketFault": "judged again",
    "transfers.OrderFill": "its asks are filled",
    "transfers.OrderEvent": "read from a node again",
    "transfers.PaidToken": "prices have its name",
    "indexing.PunkBid": "read from a node again",
    "transfers.TransferStatement": "what stands of it is in the transfer",
}
ACTIONS = {
    "access.ApiKey": {"revoke"},
    "tokens.Contract": {"mark", "unmark", "withhold", "release", "request_metadata", "request_rarity"},
    "tokens.Nft": {"mark", "unmark", "withhold", "release", "request_metadata", "request_image"},
    "tokens.MetadataFetch": {"request_again"},
    "tokens.MetadataRefresh": {"forget"},
    "media.CachedImage": {"request_again", "withhold", "release"},
    "indexing.BookWalk": {"walk_again", "stop"},
}
"""All that :func:`do_everything` uses, beside adding to, changing and deleting from the editable tables."""
EDITABLE = {
    "access.ApiKey",
    "tokens.Chain",
    "tokens.Currency",
    "tokens.CurrencyToken",
    "tokens.Market",
    "transfers.MarketContract",
    "indexing.BookWalk",
}


def test_every_table_of_the_admin_is_carried_by_a_dump_or_named_as_left_out(
    operator: Operator, rf: Any
) -> None:
    request = rf.get("/admin/")
    request.user = operator.user
    tables = {model._meta.label: table for model, table in admin.site._registry.items()}
    assert tables.keys() == CARRIED.keys() | LEFT_OUT.keys()
    assert not CARRIED.keys() & LEFT_OUT.keys()
    ours = {label: table for label, table in tables.items() if not label.startswith(("auth.", "axes."))}
    used = {label: set(table.get_actions(request)) - {"delete_selected"} for label, table in ours.items()}
    assert {label: names for label, names in used.items() if names} == ACTIONS
    allowed = {
        label
        for label, table in ours.items()
        if table.has_add_permission(request)
        or table.has_change_permission(request)
        or table.has_delete_permission(request)
    }
    assert allowed == EDITABLE


def test_help_and_docs_say_what_a_dump_leaves_out() -> None:
    told = Command.help + Path("docs/interchange.md").read_text(encoding="utf-8").partition("leaves out")[2]
    for words in (
        "ccounts",
        "audit trail",
        "ached images",
        "omputed rarity",
        "etadata documents",
        "is indexed",
    ):
        assert told.count(words) >= 2, words


@pytest.fixture(autouse=True)
def own_files(settings: Any, tmp_path: Path) -> None:
    """A folder of each test's own."""
    settings.MEDIA_ROOT = str(tmp_path / "files")


def emptied() -> None:
    """Leave nothing in the database but what every one begins with."""
    models = [
        model
        for app in ("media", "tokens", "transfers", "indexing")
        for model in apps.get_app_config(app).get_models()
    ]
    tables = [model._meta.db_table for model in models]
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for statement in connection.ops.sql_flush(no_style(), tables, reset_sequences=True):
            cursor.execute(statement)
    write_known(Chain, Currency, CurrencyToken, Market)
    assert dumped() == ""


def answers(api: Api) -> dict[str, Any]:
    """The answers to many queries, all pages of each."""
    nowhere = ("chain=solana", "chain=4242", "chain=99", "chain=zora")
    scopes = ("", "chain=ethereum", f"contractAddress={APES}", *nowhere)
    flags = (
        "",
        "excludeMarkedNfts=true",
        "traits=Hat-red",
        "marketplaces=opensea,blur",
        "marketplaces=bazaar",
    )
    orders = ("sortBy=rarity", "sortBy=tokenId", "sortBy=lowestAsk", "sortBy=highestAsk")
    symbols = "eth,weth,gld,aux,pol,matic,wpol,wmatic,bars,wbars,idle,usd,myc"
    prices = [f"priceFilter={one},," for one in symbols.split(",")]
    prices += ["priceFilter=usd,3000,", "priceFilter=gld,0,2", "contractAddress=apes.eth", "tokenId=1"]
    scoped = ["&".join(one) for one in itertools.product(scopes, flags)]
    nfts = [f"/nfts/by-token?limit=3&includeLastTransfer=true&{one}" for one in (*scoped, *orders, *prices)]
    transfers = [
        f"/transfers/by-token?limit=1&contractAddress={address}&{one}"
        for address in (APES, OTHER, "apes.eth", COLLECTION, MINT_B)
        for one in ("", "tokenId=1", "sortBy=tokenId", "sortBy=lowestAsk")
    ]
    return {query: walked(api, query) for query in (*nfts, *transfers)}


def walked(api: Api, query: str) -> list[Any]:
    """All pages of a query: status and records of each."""
    pages: list[Any] = []
    cursor = None
    while len(pages) < 50:
        response = api.get(f"/api/v1{query}" + (f"&cursor={cursor}" if cursor else ""))
        body = response.json()
        pages.append((response.status_code, body.get("data", body)))
        cursor = body.get("nextCursor")
        if cursor is None:
            return pages
    raise AssertionError("It does not end.")


def test_a_dump_carries_all_that_an_operator_has_decided(
    operator: Operator, api: Api, tmp_path: Path
) -> None:
    a_world()
    plain = answers(api)
    do_everything(operator)
    cache()
    first, said, values = dumped(), answers(api), derived()
    assert sum(said[query] != plain[query] for query in said) > 30
    path = tmp_path / "dump.jsonl"
    path.write_text(first, encoding="utf-8", newline="\n")
    emptied()
    for _ in range(2):
        assert load_files([str(path)], strict=True).fault_count == 0
        assert dumped() == first
        cache()
        assert dumped() == first
        assert derived() == values
        for query, pages in answers(api).items():
            assert pages == said[query], query


def test_what_a_dump_carries_can_be_decided_otherwise_again(
    operator: Operator, api: Api, tmp_path: Path
) -> None:
    """Takedowns are lifted as if they had been made here."""
    a_world()
    plain = pictures_of(api)
    assert len(plain) == 7
    rows = [Nft.objects.order_by("id").first(), Contract.objects.get(address=OTHER)]
    operator.act("tokens/nft", "withhold", rows[0].pk, confirmed="1", reason="a")  # type: ignore[union-attr]
    operator.act("tokens/contract", "withhold", rows[1].pk, confirmed="1", reason="b")  # type: ignore[union-attr]
    image = CachedImage.objects.get(url=ALONE)
    operator.act("media/cachedimage", "withhold", image.pk, confirmed="1", reason="c")
    held, first = pictures_of(api), dumped()
    assert len(held) == 2
    path = tmp_path / "dump.jsonl"
    path.write_text(first, encoding="utf-8", newline="\n")
    emptied()
    load_files([str(path)], strict=True)
    cache()
    assert pictures_of(api) == held
    lifted = [line for line in map(read, first.splitlines()) if line["record"] == "takedown"]
    assert sorted(line["reason"] for line in lifted) == ["a", "b", *["c"] * (len(lifted) - 2)]
    assert load_lines([{**line, "reason": None} for line in lifted]).faults == []
    cache()
    assert pictures_of(api) == plain
    assert '"takedown"' not in dumped()


def pictures_of(api: Api) -> set[tuple[str, str]]:
    """Which NFTs show a cached picture, of those whose picture had been fetched."""
    records = [one for page in walked(api, "/nfts/by-token?limit=30") for one in page[1]]
    return {
        (one.get("contractAddress", ""), one["tokenId"])
        for one in records
        if "imageCacheUrl" in one.get("metadata", {}) and one["tokenId"] != "4"
    }


def read(text: str) -> dict[str, Any]:

    line: dict[str, Any] = json.loads(text)
    return line
