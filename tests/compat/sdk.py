"""A client of the official alchemy-sdk, compiled against its own types and run against the service."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from tests.npm import find_node, installed
from tests.patience import PATIENCE

PACKAGES = Path(__file__).parent / "npm"
STRICT = {
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "target": "es2022",
    "module": "esnext",
    "moduleResolution": "bundler",
    "skipLibCheck": True,
    "types": ["node"],
}


def run(url: str, contract: str, token_id: str, owner: str, chain: str = "eth-mainnet") -> dict[str, Any]:
    """Run the client; what it found. Addresses are as EIP-55 has them.

    Where there is neither node nor npm the test is skipped.
    """
    folder = _compiled()
    base = f"{url}/alchemy/{chain}/nft/v3/any-key"
    command = [find_node().node, "usage.js", base, contract, token_id, owner]
    found: dict[str, Any] = json.loads(_done(command, folder))
    return found


@cache
def _compiled() -> Path:
    """The folder in which the client has been compiled, which is once; it is gone in the end."""
    node = find_node()
    packages = installed(node, PACKAGES, Path(settings.BASE_DIR) / "var" / "npm-alchemy")
    made = tempfile.TemporaryDirectory()
    atexit.register(made.cleanup)
    folder = Path(made.name)
    (folder / "node_modules").symlink_to(packages / "node_modules")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": STRICT, "files": ["usage.ts"]}))
    shutil.copy(PACKAGES / "usage.ts", folder)
    _done([node.node, str(folder / "node_modules/typescript/bin/tsc"), "--project", str(folder)], folder)
    return folder


def _done(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
