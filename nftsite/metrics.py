"""Figures for Prometheus: how indexing and fetching stand, read from the database when they are asked for, and what
the web processes answered (`core/rest/numbers.py`).

Whichever process answers tells the same. Names and units follow Prometheus' rules of naming: base units, and `_total`
for what only grows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from django.db.models import Count, Model, TextChoices
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from core.db import bulk
from core.db.states import COUNTED as COUNTED_STATES
from core.db.states import capped_counts, estimated, state_counts
from core.rest.numbers import WebCollector
from indexing.models import BookSource, BookWalk
from indexing.progress import COUNTED, ChainStatus, Checkpoint, statuses
from media.models import CachedImage
from tokens.models import Ask, Chain, Contract, Market, MetadataFetch
from transfers.ledger.order_facts import OrderKind
from transfers.models import OrderEvent

EVERY_CONTRACT = "all"
"""Label of the checkpoint of a chain that is indexed as a whole."""

_Figure = tuple[str, str, Callable[[ChainStatus], float | None]]

GAUGES: tuple[_Figure, ...] = (
    ("nft_indexer_head_block", "Newest block of the node, as last seen.", lambda one: one.head),
    (
        "nft_indexer_lag_blocks",
        "Blocks from the least far checkpoint to that head; it stands still while no indexer is at work.",
        lambda one: one.lag_blocks,
    ),
    (
        "nft_indexer_lag_seconds",
        "Age of the last indexed block of the least far checkpoint; it grows while no indexer is at work.",
        lambda one: one.lag_seconds,
    ),
    (
        "nft_indexer_blocks_per_second",
        "Blocks indexed a second over the last minute; 0 while no indexer is at work.",
        lambda one: one.blocks_per_second,
    ),
    (
        "nft_indexer_logs_per_second",
        "Logs taken in a second over the last minute; 0 while no indexer is at work.",
        lambda one: one.logs_per_second,
    ),
    (
        "nft_indexer_last_beat_timestamp_seconds",
        "When an indexer last told of itself.",
        lambda one: one.beat_at,
    ),
    ("nft_indexer_fault_timestamp_seconds", "When something last went wrong.", lambda one: one.fault_at),
    (
        "nft_undecoded_logs",
        f"Logs kept that could not be decoded; counted up to {COUNTED}, above which it stands still.",
        lambda one: min(one.undecoded, COUNTED),
    ),
    (
        "nft_unexplained_market_events",
        f"Market events that nothing explains; counted up to {COUNTED}, above which it stands still.",
        lambda one: min(one.unexplained, COUNTED),
    ),
)
COUNTERS: tuple[_Figure, ...] = (
    ("nft_indexer_logs", "Logs taken in, over all runs.", lambda one: one.logs_total),
    ("nft_indexer_rewinds", "Reorganisations that were followed, over all runs.", lambda one: one.rewinds),
)


class IndexerCollector(Collector):
    """The figures of every indexed chain; a figure that is not known yet has no sample."""

    def collect(self) -> Iterator[Metric]:
        """Read the database and give each figure with its samples."""
        found = statuses()
        yield _checkpoints(found)
        for figures, family in ((GAUGES, GaugeMetricFamily), (COUNTERS, CounterMetricFamily)):
            for name, text, read in figures:
                metric = family(name, text, labels=["chain"])
                for one in found:
                    value = read(one)
                    if value is not None:
                        metric.add_metric([one.chain], value)
                yield metric


WORK: tuple[tuple[str, str, type[Model], type[TextChoices]], ...] = (
    ("nft_metadata_fetches", "NFTs by the state of their metadata", MetadataFetch, MetadataFetch.State),
    ("nft_cached_images", "Images by the state of their cache", CachedImage, CachedImage.State),
)


class WorkCollector(Collector):
    """How many rows of work are in each state, once there has been anything to do."""

    def collect(self) -> Iterator[Metric]:
        """Read the database and give each figure with its samples."""
        for name, text, model, states in WORK:
            note = f"{text}; of more than {COUNTED_STATES:,} in a state PostgreSQL's estimate."
            metric = GaugeMetricFamily(name, note, labels=["state"])
            found = state_counts(model, states)
            if any(one.number for one in found):
                for one in found:
                    metric.add_metric([one.state.value], one.number)
            yield metric


class OrderCollector(Collector):
    """How many asks may be live on which market, and what the chain said of orders."""

    def collect(self) -> Iterator[Metric]:
        """Read the database and give each figure with its samples."""
        yield _active_asks()
        told = {kind.value: OrderEvent.objects.filter(kind=kind.value) for kind in OrderKind}
        note = f"What the chain said of orders, by kind; {_CAPPED}."
        metric = GaugeMetricFamily("nft_order_events", note, labels=["kind"])
        for (kind, rows), number in zip(told.items(), capped_counts(list(told.values())), strict=True):
            if number:
                metric.add_metric([kind], estimated(number, rows))
        yield metric
        metric = GaugeMetricFamily(
            "nft_order_event_newest_timestamp_seconds",
            "Time of the block of the newest event of a kind.",
            labels=["kind"],
        )
        of_kind = f"(SELECT max(timestamp) FROM {OrderEvent._meta.db_table} WHERE kind = %s)"  # noqa: S608
        ((*newest,),) = bulk.fetch("SELECT " + ", ".join([of_kind] * len(told)), list(told))
        for kind, at in zip(told, newest, strict=True):
            if at is not None:
                metric.add_metric([kind], at)
        yield metric


_CAPPED = f"of more than {COUNTED_STATES:,} PostgreSQL's estimate"


def _active_asks() -> Metric:
    """Return how many asks are live within their time, on each market of each chain that has any."""
    note = f"Asks that are live within their time; {_CAPPED}."
    metric = GaugeMetricFamily("nft_active_asks", note, labels=["chain", "market"])
    asks, chains, markets, contracts = (one._meta.db_table for one in (Ask, Chain, Market, Contract))
    there = f"SELECT 1 FROM {asks} WHERE active AND chain_id = chain.id AND market_id = market.id"  # noqa: S608
    counted = f"(SELECT count(*) FROM ({there} LIMIT {COUNTED_STATES + 1}) found)"  # noqa: S608
    rows = bulk.fetch(
        f"SELECT chain.slug, market.slug, {counted} FROM {chains} chain CROSS JOIN {markets} market "  # noqa: S608
        f"WHERE EXISTS (SELECT 1 FROM {contracts} WHERE chain_id = chain.id) ORDER BY chain.slug, market.slug",
        [],
    )
    for chain, market, number in rows:
        if number:
            part = Ask.objects.filter(active=True, chain__slug=chain, market__slug=market)
            metric.add_metric([chain, market], estimated(number, part))
    return metric


class BookCollector(Collector):
    """How the order books stand that are read from outside, and how far the limits of who keeps them are used."""

    def collect(self) -> Iterator[Metric]:
        """Read the database and give each figure with its samples."""
        rows = list(BookSource.objects.select_related("chain").order_by("chain__slug", "source"))
        for figures, family in ((BOOK_GAUGES, GaugeMetricFamily), (BOOK_COUNTERS, CounterMetricFamily)):
            for name, text, read in figures:
                metric = family(name, text, labels=["chain", "source"])
                for row in rows:
                    value = read(row)
                    if value is not None:
                        metric.add_metric([row.chain.slug, row.source], value)
                yield metric
        labels = ["chain", "source"]
        metric = GaugeMetricFamily("nft_order_books", "Order books by state.", labels=[*labels, "state"])
        counts = BookWalk.objects.values_list("chain__slug", "source", "state").annotate(Count("pk"))
        for *place, count in counts.order_by("chain__slug", "source", "state"):
            metric.add_metric(place, count)
        yield metric
        note = f"Seconds since the last whole reading of a book began, for the {MOST_BOOKS} read longest ago."
        metric = GaugeMetricFamily("nft_order_book_age_seconds", note, labels=[*labels, "contract"])
        read_books = BookWalk.objects.filter(read_at__isnull=False).exclude(state=BookWalk.State.STOPPED)
        now = int(time.time())
        columns = read_books.order_by("read_at", "id").values_list(
            "chain__slug", "source", "address", "read_at"
        )
        for *place, read_at in columns[:MOST_BOOKS]:
            metric.add_metric(place, max(now - (read_at or 0), 0))
        yield metric


MOST_BOOKS = 200
"""Order books whose ages are told, each a series."""
_BookFigure = tuple[str, str, Callable[[BookSource], float | None]]
BOOK_GAUGES: tuple[_BookFigure, ...] = (
    (
        "nft_order_book_reader_last_beat_timestamp_seconds",
        "When a reader of order books last told of itself.",
        lambda one: one.beat_at,
    ),
    (
        "nft_order_book_limit_used_ratio",
        "Share of the source's limit that was used when it last told of it.",
        lambda one: (
            None if not one.limit_most or one.limit_left is None else 1 - one.limit_left / one.limit_most
        ),
    ),
)
BOOK_COUNTERS: tuple[_BookFigure, ...] = (
    (
        "nft_order_book_pages",
        "Pages of order books that were read, over all runs.",
        lambda one: one.pages_total,
    ),
    (
        "nft_order_book_faults",
        "Readings of order books that failed, over all runs.",
        lambda one: one.faults_total,
    ),
)


def exposition() -> bytes:
    """Return the figures in Prometheus' text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(IndexerCollector())
    registry.register(WorkCollector())
    registry.register(OrderCollector())
    registry.register(BookCollector())
    registry.register(WebCollector())
    return generate_latest(registry)


def _checkpoints(found: list[ChainStatus]) -> Metric:
    """Return the last indexed block of each checkpoint."""
    text = f"Last indexed block, by contract; {EVERY_CONTRACT}: every contract of the chain."
    metric = GaugeMetricFamily("nft_indexer_checkpoint_block", text, labels=["chain", "contract"])
    pairs: list[tuple[str, Checkpoint]] = [(one.chain, point) for one in found for point in one.checkpoints]
    for chain, point in pairs:
        if point.last_block is not None:
            metric.add_metric([chain, point.address or EVERY_CONTRACT], point.last_block)
    return metric
