"""A process full of clients."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection

from tests.patience import PATIENCE
from tests.strangers.clients import Client, Seen


@contextmanager
def crowd(clients: Sequence[Client], port: int) -> Iterator[Seen]:
    """Have clients at work at a port of this machine; what they have seen is there in the end.

    It begins once as many connections were made as there are clients. Raises ``RuntimeError`` when they never are.
    """
    seen = Seen()
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_be_crowd, args=(there, clients, port), daemon=True)
    process.start()
    there.close()
    try:
        if not here.poll(PATIENCE):
            raise RuntimeError("The strangers did not come.")
        here.recv()
        yield seen
        here.send("enough")
        found: Seen = here.recv()
        seen.connections, seen.answers = found.connections, found.answers
    finally:
        process.kill()
        process.join()


def _be_crowd(told: Connection, clients: Sequence[Client], port: int) -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    told.send(asyncio.run(_run(told, clients, port)))


async def _run(told: Connection, clients: Sequence[Client], port: int) -> Seen:
    seen = Seen()
    enough = asyncio.Event()
    asyncio.get_running_loop().add_reader(told.fileno(), enough.set)
    running = [asyncio.ensure_future(client.run(port, seen)) for client in clients]
    while seen.connections < len(clients):
        await asyncio.sleep(0.01)
    told.send("begun")
    await enough.wait()
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    return seen
