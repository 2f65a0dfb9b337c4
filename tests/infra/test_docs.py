"""The documents keep up: every command an operator may give is in the README, and every link leads somewhere."""

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BY_MAKE = {"bench", "load_sample"}
"""Commands that are given by `make` alone."""

LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(document: Path) -> set[str]:
    """What GitHub calls the headings of a document in links."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def test_the_readme_lists_every_command() -> None:
    commands = {path.stem for path in ROOT.glob("*/management/commands/*.py")} - {"__init__"} - BY_MAKE
    listed = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## Commands\n")[2]
    rows = [line.split("|")[1] for line in listed.partition("\n## ")[0].splitlines() if line.startswith("|")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == commands


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_between_documents_leads_somewhere(document: Path) -> None:
    lost = []
    for target in LINK.findall(document.read_text(encoding="utf-8")):
        name, _, anchor = target.partition("#")
        if ":" in name:
            continue
        file = document.parent / name if name else document
        if not file.exists() or (anchor and anchor not in anchors(file)):
            lost.append(target)
    assert lost == []
