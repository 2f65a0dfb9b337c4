"""What is known of one NFT, as its page tells it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from core.rest.cards import Row, moment, plain_number, query_url, text_of
from core.rest.parameters import join_list
from core.rest.states import Link, shown
from media.links import Links
from nftsite.browse import explorers, places
from nftsite.browse.animation import animation
from nftsite.browse.floors import price_of
from nftsite.browse.places import collection_url, transfer_url
from nftsite.browse.words import found_by
from tokens.browse.beside import NOTHING, beside, identity
from tokens.metadata.trait_texts import label, value_text
from tokens.models import Ask, Nft
from tokens.models.ask import FOREVER
from tokens.records.cards import nft_url
from tokens.records.nft import nft_records
from transfers.models import Transfer
from transfers.records.cards import transfer_row
from transfers.records.transfer import transfer_records

HISTORY = 25
ASKS = 30
"""Asks that are shown, those that are live first."""
LOOKED_AT = 300
"""Asks of an NFT that are looked at, so that one with very many costs no more."""
OWNERS = 10
"""Owners that are shown, those with most units."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An ask: its price, where, by whom, until when, and why it is not live (empty: it is)."""

    price: str
    market: str
    maker: str
    until: str
    why_not: str


@dataclass(frozen=True, slots=True)
class Event:
    """A transfer of the history: a row as on other pages, how it was found, and the page that says it in full."""

    row: Row
    found_by: str
    url: str


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait with the share of NFTs that have it, and the address of these."""

    kind: str
    value: str
    share: str
    url: str


def address_of(nft: Nft) -> str:
    """Return the canonical address of an NFT's page."""
    chain, contract = nft.contract.chain.slug, nft.contract.address
    return nft_url(chain, contract or None, nft.token_id)


def context(nft: Nft, behind: str, links: Links, now: int) -> dict[str, Any]:
    """Return what the page of an NFT shows, from the place ``behind`` of its history on; at most ten statements.

    Raises ``ValueError`` for a place that is none.
    """
    record = nft_records([nft.pk], now=now, links=links, with_last=False).records[0]
    contract, chain = nft.contract, nft.contract.chain.slug
    metadata = record.get("metadata") or {}
    own = beside([nft.pk], links).get(identity(record), NOTHING)
    events, next_place = _history(nft, behind, links)
    subject = {"chain": chain, "contractAddress": contract.address or None, "tokenId": nft.token_id}
    owners = record.get("owners")
    return {
        "title": text_of(metadata, "name") or f"#{shown(nft.token_id)}",
        "nft": nft,
        "collection": own.collection,
        "collection_url": collection_url(chain, contract.address) if contract.address else None,
        "chain": chain,
        "token_id": nft.token_id,
        "mark": own.mark,
        "is_hidden": not metadata.get("imageUrl") and _is_withheld(nft),
        "image": text_of(metadata, "imageCacheUrl") or text_of(metadata, "imageCachePreviewUrl"),
        "size": _size(nft),
        "animation": animation(record),
        "description": text_of(metadata, "description"),
        "facts": _facts(record),
        "traits": _traits(metadata.get("traits") or (), chain, contract.address),
        "owners": [_owner(chain, one) for one in (owners or ())[:OWNERS]],
        "owners_total": record.get("ownersTotal") or len(owners or ()),
        "owners_known": owners is not None,
        "offers": _offers(nft, now),
        "events": events,
        "next_url": next_place and f"{address_of(nft)}?after={next_place}#history",
        "first_url": f"{address_of(nft)}#history" if behind else None,
        "explorers": _explorers(chain, contract.address, nft.token_id),
        "curl_path": query_url(reverse("nfts-by-token"), **subject, includeLastTransfer="true"),
        "transfers_path": query_url(
            reverse("transfers-by-token"), **{**subject, "contractAddress": contract.address or nft.token_id}
        ),
    }


def _is_withheld(nft: Nft) -> bool:
    return (
        nft.media_withheld
        or nft.contract.media_withheld
        or (nft.image is not None and nft.image.state == "withheld")
    )


def _size(nft: Nft) -> tuple[int, int]:
    """Return width and height of the picture as far as they are known, so that its place is kept while it comes."""
    image = nft.image
    if image is None or not image.width or not image.height:
        return 600, 600
    return image.width, image.height


def _facts(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = [("Standard", record.get("contractStandard")), ("Minter", record.get("minter"))]
    rank, rarity = record.get("rank"), record.get("rarity")
    if rank is not None:
        found.append(("Rarity rank", plain_number(rank)))
    if rarity is not None:
        found.append(("Rarity score", f"{rarity:.4g}"))
    found.append(("Traded on", ", ".join(record.get("markets") or ())))
    return [(name, str(text)) for name, text in found if text]


def _traits(traits: Iterable[Mapping[str, Any]], chain: str, contract: str) -> list[Trait]:
    found = []
    for trait in traits:
        kind, value = trait.get("traitType") or "", value_text(trait.get("traitValue"))
        share, count = trait.get("traitPercentFrequency"), trait.get("traitFrequency")
        entry = join_list([label(kind, value)])
        with_it = query_url(
            reverse("nfts-by-token"), chain=chain, contractAddress=contract or None, traits=entry
        )
        text = "" if share is None or count is None else f"{share:.1f} % ({count:,})"
        found.append(Trait(shown(kind) or "–", shown(value, 120), text, with_it if len(entry) <= 300 else ""))
    return found


def _owner(chain: str, owner: Mapping[str, Any]) -> dict[str, Any]:
    since = owner.get("enteredAt")
    return {
        "address": owner["address"],
        "amount": owner["amount"],
        "since": None if since is None else moment(since),
        "link": explorers.of_address(chain, owner["address"]),
    }


def _offers(nft: Nft, now: int) -> list[Offer]:
    """Return asks, the live ones first and cheapest first, then the newest of the others; two statements."""
    ids = list(Ask.objects.filter(nft_id=nft.pk).order_by().values_list("id", flat=True)[:LOOKED_AT])
    asks = list(Ask.objects.filter(pk__in=ids).select_related("currency", "market"))
    reasons = {ask.pk: _why_not(ask, now) for ask in asks}
    asks.sort(
        key=lambda ask: (bool(reasons[ask.pk]), -ask.pk if reasons[ask.pk] else 0, ask.price_key, ask.pk)
    )
    return [
        Offer(
            f"{price_of(ask, now)} {ask.currency}",
            str(ask.market),
            ask.maker or "",
            "" if ask.valid_until >= FOREVER else moment(ask.valid_until),
            reasons[ask.pk],
        )
        for ask in asks[:ASKS]
    ]


def _why_not(ask: Ask, now: int) -> str:
    """Return why an ask is not live, in words; empty where it is."""
    if not ask.active:
        return str(Ask.Reason(ask.reason).label) if ask.reason else f"it is {ask.status}"
    if ask.valid_from > now:
        return f"it begins at {moment(ask.valid_from)}"
    return f"it ended at {moment(ask.valid_until)}" if ask.valid_until <= now else ""


def _history(nft: Nft, behind: str, links: Links) -> tuple[list[Event], str | None]:
    """Return transfers, the newest first, and the place behind the last one where there are more; three statements."""
    rows = Transfer.objects.filter(nft_id=nft.pk).order_by("recent_key", "id")
    if behind:
        rows = places.transfers_behind(rows, behind, "in the history")
    columns = rows.values_list("id", "recent_key", "judged", "log_index", "batch_index")
    found = list(columns[: HISTORY + 1])
    page = found[:HISTORY]
    records = transfer_records([row[0] for row in page], links=links)
    chain = nft.contract.chain.slug
    events = [
        Event(
            transfer_row(record, NOTHING),
            found_by(record, judged),
            transfer_url(chain, record["transactionHash"], log_index, batch_index),
        )
        for record, (_, _, judged, log_index, batch_index) in zip(records, page, strict=True)
    ]
    last: Sequence[Any] = page[-1] if len(found) > HISTORY else ()
    return events, f"{last[1]}{last[0]}" if last else None


def _explorers(chain: str, contract: str, token_id: str) -> list[Link]:
    named = {"Contract": contract or None}
    if not token_id.isdigit():
        named["Token"] = token_id
    found = []
    for what, address in named.items():
        link = explorers.of_address(chain, address) if address else None
        if link is not None:
            found.append(Link(f"{what} at {link.text}", link.url))
    return found
