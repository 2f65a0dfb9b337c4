"""What a deployment finds outside: a gateway with metadata and pictures, a market with asks, a disk that may fill."""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

from tests.offchain.gateway import ROOT as CID
from tests.offchain.gateway import LocalGateway
from tests.orders.made_up import APES, standing
from tests.orders.vendor import Vendor

PICTURES = 400
LISTED = 1000
DISK = 48 * 2**20


class Gateway(LocalGateway):
    """Has metadata for each token (`contract/token`), and a few hundred pictures."""

    def __init__(self) -> None:
        super().__init__(self)  # type: ignore[arg-type]

    def __contains__(self, path: object) -> bool:
        return True

    def get(self, path: str) -> Any:
        """What is at a path."""
        first, _, last = path.partition("/")
        if first == "picture":
            number = int(last)
            drawn = io.BytesIO()
            Image.effect_mandelbrot((320, 320), (-2 + number / 999, -1.5, 1, 1.5), 60).convert("RGB").save(
                drawn, "PNG"
            )
            return drawn.getvalue()
        token = int(last)
        traits = [{"trait_type": "Hue", "value": str(token % 8)}, {"trait_type": "Size", "value": token % 3}]
        picture = f"ipfs://{CID}/picture/{token % PICTURES}"
        return {"name": f"Token {token} of {first}", "image": picture, "attributes": traits}


@contextmanager
def market() -> Iterator[Vendor]:
    """A market with a thousand asks; each time that they are read, a new one has come and the oldest has gone."""
    with Vendor({APES: "apes"}) as vendor:
        vendor.put("apes", *(standing(token, price=token * 10**15) for token in range(1, LISTED + 1)))
        token = iter(range(LISTED + 1, 10**6))

        def turn() -> None:
            new = next(token)
            vendor.put("apes", standing(new, price=new * 10**15))
            vendor.withdraw(standing(new - LISTED, price=(new - LISTED) * 10**15)["order_hash"])

        vendor.turn = turn
        yield vendor


@contextmanager
def disk(place: Path) -> Iterator[None]:
    """A small disk of its own, for files that may fill it."""
    place.mkdir(parents=True)
    if os.geteuid() != 0:
        raise SystemExit("The full disk is a tmpfs: this needs root.")
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(place)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)
