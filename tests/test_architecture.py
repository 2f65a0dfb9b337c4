"""The rooms of the house and what each may know: those that stand above it in the list, and no others.

Read from the source: imports of whole import graphs (those inside functions and of migrations included), and names of
relations, tables and modules of a higher room written as text.
"""

import ast
import re
import subprocess
from collections.abc import Mapping

import pytest

from tests.rooms import (
    APPS,
    GROUND,
    ROOT,
    graph,
    height,
    name_of,
    named,
    nodes,
    reached,
    sources,
    wrong_arrows,
)

pytestmark = pytest.mark.xdist_group("architecture")  # what is read of the sources is kept by a process

FLAT = 8
"""Modules at most that lie flat in an app."""


def test_rooms_know_only_rooms_above_them() -> None:
    wrong = [
        arrow
        for file, source in sources().items()
        for arrow in wrong_arrows(name_of(file), named(file, source))
    ]
    assert wrong == []


def test_no_import_reaches_a_room_that_its_own_may_not_know_however_far_away() -> None:
    assert {
        module: wrong for module in graph() if (wrong := wrong_arrows(module, sorted(reached(module))))
    } == {}


def test_all_of_the_ground_floor_has_its_place_in_the_order() -> None:
    inside = [one for one in graph() if one.startswith("core.") and one != "core.net"]
    assert [one for one in inside if height(one, GROUND, "core") is None] == []


def test_no_two_modules_import_each_other() -> None:
    """Imports for types alone (``TYPE_CHECKING``) and inside functions count too; a package and its modules are one."""

    def is_within(one: str, other: str) -> bool:
        return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")

    circles = [
        (module, other)
        for module in graph()
        for other in graph()[module]
        if not is_within(module, other) and module in reached(other)
    ]
    assert circles == []


@pytest.mark.parametrize(
    ("file", "source", "is_wrong"),
    [
        ("media/x.py", "def f():\n    from tokens.models import Nft", True),
        ("media/x.py", "from ..tokens import models", True),
        ("tokens/x.py", "import transfers.models as t", True),
        ("tokens/x.py", "from transfers.records.serializers import TransferSerializer", True),
        (
            "tokens/records/serializers.py",
            "from transfers.records.serializers import TransferSerializer",
            True,
        ),
        ("transfers/x.py", "from tokens.models import Nft", False),
        ("transfers/x.py", "from core.rest import cursors", False),
        ("transfers/x.py", "from nftsite import views", True),
        ("transfers/x.py", "from indexing.models import Block", True),
        ("indexing/x.py", "from interchange.load import load", True),
        ("indexing/decode/x.py", "from indexing.judge.classify import classify", True),
        ("indexing/judge/x.py", "from indexing.decode.moves import Move", False),
        ("indexing/node/x.py", "from indexing.decode.moves import Move", True),
        ("indexing/write/x.py", "from indexing.follow.runner import Runner", True),
        ("indexing/follow/x.py", "from indexing.admin.indexer import section", True),
        ("indexing/write/x.py", "from indexing.rates.points import point", True),
        ("indexing/write/x.py", "from indexing.orders.opensea import listing", True),
        ("indexing/orders/x.py", "from indexing.judge.markets.registry import registry", False),
        ("indexing/das/x.py", "from indexing.write.apply import apply", True),
        ("indexing/management/x.py", "from indexing.rates.points import point", False),
        ("core/rest/x.py", "from media.models import CachedImage", True),
        ("core/db/x.py", "from core.rest import errors", True),
        ("core/net/http/x.py", "from core.net.rpc.errors import NodeError", True),
        ("core/x.py", "from nftsite import settings", True),
        ("interchange/x.py", "from transfers.models import Transfer", False),
        ("tokens/migrations/x.py", 'class M:\n    dependencies = [("transfers", "0001_initial")]', True),
        ("transfers/migrations/x.py", 'class M:\n    dependencies = [("tokens", "0001_initial")]', False),
    ],
)
def test_the_rule_itself(file: str, source: str, is_wrong: bool) -> None:
    assert bool(wrong_arrows(name_of(file), named(file, source))) == is_wrong


def test_no_test_module_is_imported_by_another() -> None:
    """Whoever changes a test must not change another's: what several need lies in a module with a plain name.

    `tests/markets/test_every_market.py` finds the tables of the markets by their files, and is meant to meet them all.
    """
    files = sorted((ROOT / "tests").rglob("*.py"))
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}
    assert borrowings(texts) == []


def borrowings(texts: Mapping[str, str]) -> list[str]:
    """Which of these modules, given by their paths, import which that hold tests."""
    lenders = {name_of(file) for file in texts if file.rpartition("/")[2].startswith("test_")}
    found = {
        (file, lender)
        for file, source in texts.items()
        for one in named(file, source)
        for lender in lenders & {one, one.rpartition(".")[0]}
    }
    return [f"{file} imports {lender}" for file, lender in sorted(found)]


@pytest.mark.parametrize(
    ("source", "is_wrong"),
    [
        ("from tests.a.test_b import C", True),
        ("from tests.a import test_b", True),
        ("import tests.a.test_b as b", True),
        ("from . import test_b", True),
        ("def f():\n    from .test_b import C", True),
        ("from tests.a.b import test_c", False),
    ],
)
def test_the_rule_for_tests_itself(source: str, is_wrong: bool) -> None:
    found = borrowings({"tests/a/other.py": source, "tests/a/test_b.py": ""})
    assert found == ["tests/a/other.py imports tests.a.test_b"] * is_wrong


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Before Python 3.11.5 (Debian 12 has 3.11.2) such a repetition may miss what is there."""
    constants = [
        (file, node.value if isinstance(node.value, str) else node.value.decode("latin-1"))
        for file, source in sources().items()
        for node in nodes(source)
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    ]
    assert [one for one in constants if "(?:" in one[1] and re.search(r"\)[*+?]\+", one[1])] == []


@pytest.mark.parametrize("app", ["tokens", "transfers", "indexing"])
def test_an_app_has_at_most_eight_modules_flat(app: str) -> None:
    flat = [file for file in sources() if re.fullmatch(rf"{app}/(?!__init__)\w+\.py", file)]
    assert len(flat) <= FLAT, flat


def test_packages_hold_no_code_and_say_what_lives_in_them() -> None:
    """An ``__init__.py`` has a docstring, and may re-export its own modules' names."""
    allowed = (ast.ImportFrom, ast.Expr, ast.Assign, ast.AnnAssign)
    for file, source in sources().items():
        if file.endswith("/__init__.py"):
            tree = nodes(source)[0]
            assert isinstance(tree, ast.Module)
            assert all(isinstance(node, allowed) for node in tree.body), file
            if not {"management", "migrations", "commands", "templatetags"} & set(file.split("/")):
                assert ast.get_docstring(tree), file


@pytest.mark.parametrize("app", APPS)
def test_git_ignores_no_app(app: str) -> None:
    """A usual template for .gitignore lists `media/`, and the app would silently never be committed."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git working tree")
    command = ["git", "check-ignore", f"{app}/models.py", f"{app}/anything/new.py"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (1, ""), checked.stderr


def test_git_ignores_what_the_program_writes() -> None:
    """`var/` holds the database, the files and the secret key."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git working tree")
    checked = subprocess.run(["git", "check-ignore", "-q", "var/secret_key"], cwd=ROOT, check=False)
    assert checked.returncode == 0
