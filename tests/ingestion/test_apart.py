"""Reading knows nothing of indexing: no module of it is imported, and no node has to be there."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.conf import settings

from core.net.rpc.errors import NodeUnavailableError
from tests.conftest import Api
from tests.ingestion.chain import Chain, FakeNode, nft, tx
from tests.ingestion.encoding import ALICE, APES, ZERO
from tests.ingestion.indexing import index

READ_PATH = """
import sys
import django
django.setup()
import tokens.viewsets, transfers.viewsets, tokens.urls, transfers.urls
shown = ("indexing.apps", "indexing.models", "indexing.admin", "indexing.progress", "indexing.freshness")
queue = ("indexing.orders", "indexing.orders.queue")  # the admin has books read again
found = [name for name in sys.modules if name.startswith("indexing.") and not name.startswith(shown)]
print([name for name in found if name not in queue])
"""


def test_what_serves_the_two_operations_imports_nothing_of_the_indexer() -> None:
    """In a process of its own, since the tests have imported it all; the admin's pages may read what indexing keeps."""
    done = subprocess.run(
        [sys.executable, "-c", READ_PATH], cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr[-2_000:]


@pytest.mark.django_db
def test_with_the_node_down_both_operations_go_on_answering(api: Api) -> None:
    chain = Chain()
    chain.mine(tx(nft(1, ZERO, ALICE)))
    index(FakeNode(chain))

    def fail(method: str, params: list[object]) -> None:
        raise NodeUnavailableError("no node answers")

    with pytest.raises(NodeUnavailableError):
        index(FakeNode(chain, interfere=fail))
    assert [record["owner"].lower() for record in api.nfts(contractAddress=APES)["data"]] == [ALICE]
    assert len(api.transfers(contractAddress=APES)["data"]) == 1
