"""What an operator waits for: every list, link, search and row page of the admin, and marking, over the whole stack."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core.backoffice.paging import MOST_PAGES
from core.backoffice.tables import TableAdmin
from media.models import CachedImage
from tokens.models import Ask, EnsName, Nft, NftTrait
from transfers.models import Transfer

REPEATS = 3
OPERATOR = "benchmark"


@dataclass(frozen=True, slots=True)
class AdminPage:
    """A page of the admin: its address, its queries, and milliseconds of its slowest visit and the median one."""

    address: str
    queries: int
    slowest: float
    median: float


def measure() -> list[AdminPage]:
    """Visit every kind of page as an operator of its own; the slowest first.

    Raises ``RuntimeError`` for a page that fails.
    """
    User.objects.filter(username=OPERATOR).delete()
    operator = User.objects.create_superuser(OPERATOR)
    client = Client(headers={"host": "localhost"})
    client.force_login(operator)
    try:
        _get(client, "/admin/")
        pages = [_visit(client, *page) for page in _pages()]
        pages += list(_changes(client))
    finally:
        operator.delete()
    return sorted(pages, key=lambda page: -page.slowest)


def _pages() -> Iterator[tuple[str, dict[str, Any]]]:
    terms, links = _terms(), _links()
    for model, table in admin.site._registry.items():
        name = f"{model._meta.app_label}/{model._meta.model_name}"
        list_address = f"/admin/{name}/"
        queries: list[dict[str, Any]] = [{}]
        if isinstance(table, TableAdmin):
            queries += [{"show": shown} for shown in table.lists]
            queries += [{link: links[link]} for link in table.links if link in links]
        for query in queries:
            yield list_address, query
            yield list_address, {**query, "p": MOST_PAGES}
        for term in terms.get(name, ()):
            yield list_address, {"q": term}
        row = model._default_manager.order_by("pk").last()
        if row is not None:
            yield f"{list_address}{row.pk}/change/", {}


def _terms() -> dict[str, list[str]]:
    """What there is to search for, of rows in the middle of their tables."""
    nft = _middle(Nft.objects.select_related("contract"))
    transfer, ask, image = (_middle(model._default_manager) for model in (Transfer, Ask, CachedImage))
    address, token = nft.contract.address, nft.token_id
    place = f"{address}/{token}"
    trait = NftTrait.objects.filter(nft=nft).select_related("trait")[0].trait
    name = EnsName.objects.order_by("id")[0].name
    return {
        "tokens/nft": [token, place, address, name, image.url],
        "tokens/contract": [address, name],
        "tokens/ask": [ask.order_hash, place],
        "tokens/owner": [place],
        "tokens/traitvalue": [f"{trait.type}-{trait.value}"],
        "tokens/ensname": [name],
        "transfers/transfer": [transfer.transaction_hash, token, place, address],
        "media/cachedimage": [image.url],
    }


def _links() -> dict[str, Any]:
    """Rows to look at what hangs on them: the largest contract, and the NFT with most transfers."""
    nft = Nft.objects.order_by("contract_id", "token_key")[7]
    ask = Ask.objects.order_by("id")[0]
    return {
        "nft": nft.pk,
        "contract": nft.contract_id,
        "chain": nft.chain_id,
        "market": ask.market_id,
        "currency": ask.currency_id,
        "trait": NftTrait.objects.filter(nft=nft)[0].trait_id,
    }


def _middle(rows: Any) -> Any:
    last = rows.order_by("pk").last()
    return rows.filter(pk__gte=last.pk // 2).order_by("pk")[0]


def _visit(client: Client, address: str, query: dict[str, Any]) -> AdminPage:
    with CaptureQueriesContext(connection) as queries:
        _get(client, address, query)
    count = len(queries)  # the next request forgets them
    taken = [_timed(client, address, query) for _ in range(REPEATS)]
    shown = address + ("?" + "&".join(f"{name}={value}" for name, value in query.items()) if query else "")
    return AdminPage(shown, count, max(taken), statistics.median(taken))


def _timed(client: Client, address: str, query: dict[str, Any]) -> float:
    started = time.perf_counter()
    _get(client, address, query)
    return (time.perf_counter() - started) * 1000


def _get(client: Client, address: str, query: dict[str, Any] | None = None) -> None:
    status = client.get(address, query or {}).status_code
    if status not in (200, 302):
        raise RuntimeError(f"{address} {query} answered {status}")


def _changes(client: Client) -> Iterator[AdminPage]:
    """Mark and unmark an NFT, and the largest contract, whose NFTs follow by ``apply_marks``."""
    nft = _middle(Nft.objects)
    for table, row_id in (("nft", nft.pk), ("contract", _links()["contract"])):
        for action, extra in (("mark", {"reason": "measured"}), ("unmark", {})):
            data = {
                "action": action,
                "_selected_action": [row_id],
                "confirmed": "yes",
                "post": "yes",
                **extra,
            }
            with CaptureQueriesContext(connection) as queries:
                started = time.perf_counter()
                status = client.post(f"/admin/tokens/{table}/", data).status_code
                taken = (time.perf_counter() - started) * 1000
            if status != 302:
                raise RuntimeError(f"{action} of a {table} answered {status}")
            yield AdminPage(f"{action} {table}", len(queries), taken, taken)
