"""The pages, over HTTP: an address in another spelling leads to the canonical one, and what is not known is a 404."""

from __future__ import annotations

import shlex
import time
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_safe

from core.rest.browsable import public_address
from core.rest.cards import query_url
from core.rest.errors import error_response, wants_json
from core.rest.servers import of_one_server
from media.links import Links
from nftsite import overview
from nftsite.browse import collection, home, nft, places, sales, transfer
from tokens.browse.beside import NOTHING, beside, identity
from tokens.models import Nft
from tokens.records.cards import nft_card
from tokens.records.nft import nft_records

LONGEST = 200
"""Characters of a search."""
MARKED = 20
"""Marked NFTs that a page lists."""


@require_safe
@of_one_server
def start(request: HttpRequest) -> HttpResponse:
    """The start page: collections, then what else there is and where to begin."""
    now = int(time.time())
    sought = _text(request, "q")
    try:
        page = home.listed(request.path, sought, request.GET.get("after", ""), Links.of_request(request), now)
    except ValueError:
        return _refused(request, "The address names no place in the list of collections.")
    shown: dict[str, Any] = {
        "page": page,
        "sought": sought,
        "is_first": "after" not in request.GET,
        "most": 300,
    }
    if shown["is_first"] and not sought:
        shown |= {
            "figures": overview.figures(),
            "freshness": overview.freshness(),
            "examples": overview.examples(page.rows[0] if page.rows else None),
        }
    return render(request, "nftsite/home.html", shown)


@require_safe
@of_one_server
def show_collection(request: HttpRequest, chain: str, address: str) -> HttpResponse:
    """A collection."""
    one = places.collection_of(chain, address)
    if one is None:
        return _unknown(request, "No such collection is known here.")
    if request.path != one.url:
        return _moved(request, one.url)
    shown = collection.context(one, Links.of_request(request), int(time.time()))
    return _page(request, "nftsite/collection.html", shown)


@require_safe
@of_one_server
def show_sales(request: HttpRequest, chain: str, address: str) -> HttpResponse:
    """All sales of a collection, newest first."""
    one = places.collection_of(chain, address)
    if one is None:
        return _unknown(request, "No such collection is known here.")
    here = reverse("collection-sales", args=[one.chain.slug, one.row.address])
    if request.path != here:
        return _moved(request, here)
    text, fault, page = _text(request, "from"), "", sales.Found([], None, None)
    try:
        page = sales.found(one, sales.price_from(text), request.GET.get("after", ""))
    except ValueError as error:
        fault = str(error)
    shown = {
        "one": one,
        "least": text,
        "fault": fault,
        "table": collection.sales_table(page.ids, Links.of_request(request)),
        "looked_back_to": page.looked_back_to,
        "next_url": page.behind and query_url(here, **{"from": text, "after": page.behind}),
        "first_url": query_url(here, **{"from": text}) if "after" in request.GET else None,
        "curl_path": one.query("transfers-by-token"),
    }
    return _page(request, "nftsite/sales.html", shown, HTTPStatus.BAD_REQUEST if fault else HTTPStatus.OK)


@require_safe
@of_one_server
def show_marked(request: HttpRequest, chain: str, address: str) -> HttpResponse:
    """The NFTs of a collection that an operator marked, each with the reason."""
    one = places.collection_of(chain, address)
    if one is None:
        return _unknown(request, "No such collection is known here.")
    here = reverse("collection-marked", args=[one.chain.slug, one.row.address])
    if request.path != here:
        return _moved(request, here)
    rows = Nft.objects.filter(contract_id=one.row.pk, own_marked=True).order_by("token_key")
    behind = _text(request, "after")
    if behind:
        rows = rows.filter(token_key__gt=behind[:80])
    ids = list(rows.values_list("id", "token_key")[: MARKED + 1])
    links = Links.of_request(request)
    page = [row_id for row_id, _ in ids[:MARKED]]
    found = beside(page, links)
    records = nft_records(page, now=int(time.time()), links=links, with_last=False).records
    cards = [nft_card(record, found.get(identity(record), NOTHING)) for record in records]
    shown = {
        "one": one,
        "mark": (one.row.marked_reason or "") if one.row.marked else None,
        "shown": home.Listed(cards, (), None),
        "next_url": query_url(here, after=ids[MARKED - 1][1]) if len(ids) > MARKED else None,
        "first_url": here if behind else None,
        "without_url": one.query("nfts-by-token", excludeMarkedNfts="true"),
    }
    return _page(request, "nftsite/marked.html", shown)


@require_safe
@of_one_server
def show_nft(request: HttpRequest, chain: str, contract: str, token: str) -> HttpResponse:
    """An NFT."""
    one = places.nft_of(chain, contract, token)
    if one is None:
        return _unknown(request, "No such NFT is known here.")
    here = nft.address_of(one)
    if request.path != here:
        return _moved(request, here)
    try:
        shown = nft.context(one, request.GET.get("after", ""), Links.of_request(request), int(time.time()))
    except ValueError:
        return _refused(request, "The address names no place in the history.")
    played = shown["animation"] if "play" in request.GET else None
    response = _page(request, "nftsite/nft.html", {**shown, "played": played, "here": here})
    if played is not None and played.directive:
        response.framed = (played.directive, played.url)  # type: ignore[attr-defined]  # read by nftsite.pages
    return response


@require_safe
@of_one_server
def show_transfer(request: HttpRequest, chain: str, transaction: str, log: int, batch: int) -> HttpResponse:
    """A transfer, and how it was found what it was."""
    one = transfer.transfer_of(chain, transaction, log, batch)
    if not one:
        return _unknown(request, "No such transfer is known here.")
    here = places.transfer_url(one.chain.slug, one.transaction_hash, log, batch)
    if request.path != here:
        return _moved(request, here)
    return _page(request, "nftsite/transfer.html", transfer.context(one, Links.of_request(request)))


def _page(
    request: HttpRequest, template: str, shown: dict[str, Any], status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    """Draw a page, with the request that has the same for programs."""
    if "curl_path" in shown:
        shown = {**shown, "curl": f"curl {shlex.quote(public_address(request, shown['curl_path']))}"}
    return render(request, template, shown, status=status)


def _text(request: HttpRequest, name: str) -> str:
    """Return a text of the query string as the database can take it."""
    return request.GET.get(name, "").replace("\x00", "").strip()[:LONGEST]


def _moved(request: HttpRequest, address: str) -> HttpResponse:
    query = request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"{address}?{query}" if query else address)


def _unknown(request: HttpRequest, detail: str) -> HttpResponse:
    return _failed(request, HTTPStatus.NOT_FOUND, detail)


def _refused(request: HttpRequest, detail: str) -> HttpResponse:
    return _failed(request, HTTPStatus.BAD_REQUEST, detail)


def _failed(request: HttpRequest, status: HTTPStatus, detail: str) -> HttpResponse:
    if wants_json(request):
        return error_response(status, detail)
    page = render_to_string("nftsite/failure.html", {"title": status.phrase, "detail": detail}, request)
    return HttpResponse(page, status=status)
