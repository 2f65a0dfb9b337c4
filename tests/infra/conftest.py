"""One running service for all tests that only ask it."""

from collections.abc import Iterator

import pytest

from tests.infra.serving import Server, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service with an empty database, started once: whoever asks for it is in the group ``service``."""
    with serving(tmp_path_factory.mktemp("service")) as running:
        yield running
