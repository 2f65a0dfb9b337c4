"""What every test may use: the engine marks and the `api` client."""

import gc
import re
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from hypothesis import HealthCheck
from pytest_django.plugin import DjangoDbBlocker, blocking_manager_key

from tests.guard.sitecustomize import refused
from tokens.models import Chain, Currency, CurrencyToken, Market
from tokens.models.well_known import write_known

pytest.register_assert_rewrite("tests.walks.checking", "tests.admin.every_table")
pytest_plugins = ["tests.preparations", "tests.shared"]
made = pytest.StashKey[bool]()
"""Whether the test database has been made: a run of tests that are all skipped makes none."""

# Neither an example that takes long nor making them up slowly is a fault: machines are busy.
hypothesis.settings.register_profile(
    "unhurried", hypothesis.settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis.settings.load_profile("unhurried")


SLOW = re.compile(
    r"""
    addresses/ | browser/ | evm/ | machines/test_(pooled|serving|watching) | openapi/ | plans/ | recording/ | sample/ |
    server/ | strangers/ | trouble/ | walks/ | compat/test_(oracle|sdk|payloads) | deploying/test_(elsewhere|proxy) |
    restore/ |
    admin/test_(any_form|apart|asks|carried|cost|logins|search|tables|takedowns) |
    das/test_list | deriving/test_(batches|minters|openings) | engine/test_postings |
    files/test_(documents|relations|twice) |
    images/test_(documents_within|endings|places|sniff_kinds|svg|vet|worker\.) |
    infra/test_(dotenv|machine|memo|prefix|refusals|server|settings|var_dir) |
    ingestion/test_(dumps|histories|history_behind|indexing\.|moods|order_histories|stated_histories) |
    ingestion/test_(two_kinds|unreadable) |
    limits/test_(answers|served) | markets/test_(every_market|properties|traces) |
    net/test_(batches|bounded|fetch_hostile|fetch_tls|gateways|logs|retries) |
    orders/test_(following|vendor|walks) | operations/test_rendered |
    offchain/test_(any_document|limits|queue_workers|rarity_|trait_counts|worker_texts) |
    operations/test_(expensive_pages|filters_refusals|query_counts) |
    pages/test_(collection_addresses|policy) | rates/test_sync_rates |
    test_(preparations|shared)
    """,
    re.VERBOSE,
)
"""How the paths of slow tests begin: files that take seconds of a processor, as measured, and what starts browsers."""

WITHOUT_TABLES = re.compile(
    r"markets/test_(?!declarations) | net/test_ | openapi/test_schemathesis", re.VERBOSE
)
"""How the paths of the largest files begin of which no test is for PostgreSQL."""
ENGINE = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave slow files unread where slow tests are not wanted, and on PostgreSQL those without tests for it.

    Importing them takes seconds too.
    """
    path = within_tests(collection_path) if collection_path.suffix == ".py" else ""
    is_unwanted = config.getoption("markexpr") == "not slow" and SLOW.match(path)
    return True if is_unwanted or (ENGINE == "postgresql" and WITHOUT_TABLES.match(path)) else None


def within_tests(path: Path) -> str:
    """Return a path below the folder of the tests; empty for any other."""
    here = Path(__file__).parent
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else ""


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None]:
    """Skip the tests that are marked for the other engine, and run on PostgreSQL only those that touch a database.

    Files with slow tests come first: behind all others, the last of them would be waited for by idle workers.
    """
    for item in items:
        if is_slow(item):
            item.add_marker("slow")
    other = {"sqlite3": "postgresql", "postgresql": "sqlite"}[ENGINE]
    for item in items:
        if item.get_closest_marker(other):
            item.add_marker(pytest.mark.skip(reason=f"needs {other}"))
        of_one = item.get_closest_marker("sqlite") or not touches_tables(item)
        if WITHOUT_TABLES.match(within_tests(item.path)) and not of_one:
            raise pytest.UsageError(f"{item.nodeid} is for PostgreSQL too: WITHOUT_TABLES names its file.")
    yield
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
    if ENGINE == "postgresql":
        without = [item for item in items if not touches_tables(item)]
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if touches_tables(item)]


def pytest_collection_finish() -> None:
    """Leave what is imported and collected to itself: the collector of garbage would walk over it again and again.

    A tenth of the processor's time was its, in tests that write rows (195 of tests/ingestion and tests/operations).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def touches_tables(item: pytest.Item) -> bool:
    """Tell whether a test asks for a database, is meant for one engine, or starts processes with databases."""
    marked = any(item.get_closest_marker(name) for name in ("django_db", "postgresql", "sqlite"))
    asks = not {"db", "transactional_db", "live_server"}.isdisjoint(getattr(item, "fixturenames", ()))
    return marked or asks or starts_processes(item)


def is_slow(item: pytest.Item) -> bool:
    """Tell whether a test is slow: by its path, by reading the real data, or by starting processes."""
    from tests.shared import reads_it  # a part of pytest, which pytest imports itself first

    return SLOW.match(within_tests(item.path)) is not None or reads_it(item) or starts_processes(item)


def starts_processes(item: pytest.Item) -> bool:
    """Tell whether a test's module has the means to start processes with databases of their own."""
    names = vars(getattr(item, "module", None) or object).values()
    return any(getattr(one, "__module__", "") == "tests.processes" for one in names)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Fail a test that reached for another host, also where its code took the refusal for a host that is down."""
    refused.clear()
    yield
    if refused:
        pytest.fail(f"reached for other hosts, and was refused: {', '.join(refused)}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """Write the well-known chains, currencies and marketplaces again once a test has emptied the tables.

    Not by `serialized_rollback`, which a test would have to ask for before the emptying one runs, and which knows no
    connection that playwright's own contexts make.
    """
    yield
    marker = item.get_closest_marker("django_db")
    emptied = marker and marker.kwargs.get("transaction") and item.config.stash.get(made, False)
    if emptied and nextitem is not None:  # behind the last there is no database
        with item.config.stash[blocking_manager_key].unblock():
            if not Chain.objects.exists():
                write_known(Chain, Currency, CurrencyToken, Market)


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, pytestconfig: pytest.Config
) -> Generator[None]:
    """The test database; before it is dropped, the sessions end that other contexts and threads have left in it."""
    pytestconfig.stash[made] = True
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )


class Api:
    """The two operations as a client sees them: paths and query strings in, parsed JSON out."""

    base = "/api/v1"

    def __init__(self) -> None:
        self.client = Client(raise_request_exception=False)

    def get(self, path: str, query: str | Mapping[str, Any] | None = None, **headers: str) -> Any:
        """GET `path` with a query string as it stands or with parameters; a list repeats its parameter.

        Headers by their names with underscores: `api.get(path, accept="text/html", if_none_match=tag)`.
        """
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if isinstance(query, str):
            return self.client.get(f"{path}?{query}", headers=sent)
        return self.client.get(path, dict(query or {}), headers=sent)

    def nfts(self, query: str | None = None, /, **parameters: Any) -> dict[str, Any]:
        """The body of NFTs by Token, which must answer 200."""
        return self._page(f"{self.base}/nfts/by-token", query, parameters)

    def transfers(self, query: str | None = None, /, **parameters: Any) -> dict[str, Any]:
        """The body of Transfers by Token, which must answer 200."""
        return self._page(f"{self.base}/transfers/by-token", query, parameters)

    def _page(self, path: str, query: str | None, parameters: dict[str, Any]) -> dict[str, Any]:
        response = self.get(path, query if query is not None else parameters)
        assert response.status_code == 200, response.content
        body: dict[str, Any] = response.json()
        return body


@pytest.fixture
def api() -> Api:
    """A client of the API; the test itself asks for the database (`pytest.mark.django_db`)."""
    return Api()


@pytest.fixture
def on_postgresql(db: None) -> bool:
    """Whether this run is on PostgreSQL."""
    return connection.vendor == "postgresql"
