"""The documents keep up: commands are listed, links lead somewhere, and what is named in the project is there."""

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
BY_MAKE = {"bench", "load_sample"}
"""Commands that are given by `make` alone."""

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"`([\w.-]+/(?:[\w.-]+/?)*)`")
FOLDERS = (
    "compat",
    "core",
    "media",
    "tokens",
    "transfers",
    "indexing",
    "interchange",
    "nftsite",
    "templates",
    "tests",
    "docs",
    "deploy",
)


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


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_module_and_folder_that_a_document_names_is_there(document: Path) -> None:
    """Paths in backticks that begin in a folder of the project or end as a module does; not within fenced code."""
    named = PATH.findall(FENCED.sub("", document.read_text(encoding="utf-8")))
    places = [one for one in named if one.endswith(".py") or one.partition("/")[0] in FOLDERS]
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_the_readme_leads_to_every_document() -> None:
    linked = LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    others = {path.relative_to(ROOT).as_posix() for path in DOCUMENTS} - {"README.md"}
    assert others <= {target.partition("#")[0] for target in linked}


def test_the_hooks_for_git_run_what_make_check_runs_before_the_checks_of_a_deployment() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ncheck: ")[2].partition("\n\n")[0]
    commands = [line.strip().replace("$(BIN)", ".venv/bin") for line in recipe.splitlines()[1:]]
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"^ +entry: (?:env )?(.+)$", hooks, re.MULTILINE) == commands[:4]
