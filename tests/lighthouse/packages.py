"""Lighthouse, of the pinned packages."""

from __future__ import annotations

from pathlib import Path

from tests.npm import find_node, installed

ROOT = Path(__file__).resolve().parents[2]


def lighthouse() -> list[str]:
    """The command, installed under var/ once."""
    node = find_node()
    folder = installed(node, Path(__file__).parent / "npm", ROOT / "var" / "lighthouse")
    return [node.node, str(folder / "node_modules/lighthouse/cli/index.js")]
