"""The rooms of the house and what each may know: those that stand above it in the list, and no others.

Read from the source: imports of whole import graphs (those inside functions and of migrations included), and names of
relations, tables and modules of a higher room written as text.
"""

import ast
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db.models import ForeignObjectRel

pytestmark = pytest.mark.xdist_group("architecture")  # what is read of the sources is kept by a process
ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("core", "media", "tokens", "transfers", "indexing", "interchange", "compat", "nftsite")
APPS = ("media", "tokens", "transfers", "indexing", "interchange")
STAGES = ("node", "decode", "contracts", "judge", "write", "follow")
"""The folders on a block's way through ``indexing``: each knows those before it."""
INDEXING = ("models", "freshness", "progress", *STAGES, "orders", "admin", "management")
APART = (STAGES, ("das",), ("rates",))
"""Sources in ``indexing`` that know nothing of each other."""
GROUND = (
    *(
        "logs",
        "memo",
        "stopping",
        "progress",
        "batches",
        "quotas",
        "clients",
        "dotenv_file",
        "variables",
        "environment",
        "secret_file",
        "addresses",
        "spellings",
        "chains",
    ),
    *("db", "values", "net.http", "net.rpc", "rest", "backoffice", "access"),
)
"""The order of all that lies in ``core``."""
FLAT = 8
"""Modules at most that lie flat in an app."""


@cache
def nodes(source: str) -> Sequence[ast.AST]:
    """All nodes of a source, the module itself first: parsed and walked once for all tests."""
    return tuple(ast.walk(ast.parse(source)))


def imports_of(source: str, package: str) -> Iterator[str]:
    """Every module that the source names in an import, wherever it stands; ``package`` resolves relative ones."""
    for node in nodes(source):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            # A name may be a module of its own, as in `from nftsite import settings`.
            yield from (f"{start}.{alias.name}" for alias in node.names)


def migration_dependencies(source: str) -> Iterator[str]:
    """The apps that a migration's ``dependencies`` name, as modules."""
    for node in nodes(source):
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "dependencies" for target in node.targets
        ):
            for pair in ast.walk(node.value):
                if isinstance(pair, ast.Tuple) and isinstance(pair.elts[0], ast.Constant):
                    yield f"{pair.elts[0].value!s}.migrations"


def name_of(file: str) -> str:
    """The module that a file is, by its path below the root."""
    return file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


@cache
def named(file: str, source: str) -> list[str]:
    """What a module's source imports, or depends on as a migration."""
    module = name_of(file)
    package = module if file.endswith("/__init__.py") else module.rpartition(".")[0]
    return [*imports_of(source, package), *(migration_dependencies(source) if "/migrations/" in file else [])]


@cache
def sources() -> Mapping[str, str]:
    """The source of every module of the rooms, by its path below the root."""
    files = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}


@cache
def graph() -> Mapping[str, frozenset[str]]:
    """The modules of the rooms, with those that each imports itself."""
    modules = {name_of(file) for file in sources()}

    def module_in(imported: str) -> str | None:
        parent = imported.rpartition(".")[0]
        return imported if imported in modules else parent if parent in modules else None

    return {
        name_of(file): frozenset(one for one in map(module_in, named(file, source)) if one is not None)
        for file, source in sources().items()
    }


@cache
def reached(module: str) -> frozenset[str]:
    """Every module that an import of this one loads, however far away."""
    found: set[str] = set()
    todo = [module]
    while todo:
        new = graph().get(todo.pop(), frozenset()) - found
        found |= new
        todo += new
    return frozenset(found)


def height(module: str, of: Sequence[str], below: str = "") -> int | None:
    """The place in a list of the room (or folder ``below`` one) that a module lies in; ``None`` for any other."""
    inside = module.removeprefix(f"{below}.") if below else module
    if below and inside == module:
        return None
    fitting = [place for place, room in enumerate(of) if f"{inside}.".startswith(f"{room}.")]
    return fitting[0] if fitting else None


def source_of(module: str) -> int | None:
    """Which of the sources in ``indexing`` a module belongs to, by its place in :data:`APART`."""
    return next(
        (place for place, some in enumerate(APART) if height(module, some, "indexing") is not None), None
    )


def wrong_arrows(module: str, imported: Sequence[str]) -> list[str]:
    """What of these a module may not know."""
    wrong = []
    for order, below in ((ROOMS, ""), (INDEXING, "indexing"), (GROUND, "core")):
        own = height(module, order, below)
        for one in imported if own is not None else ():
            theirs = height(one, order, below)
            if theirs is not None and own is not None and theirs > own:
                wrong.append(f"{module} knows {one}")
    source = source_of(module)
    if source is not None:
        wrong += [f"{module} knows {one}" for one in imported if source_of(one) not in (None, source)]
    if module.partition(".")[0] != "nftsite":
        wrong += [f"{module} knows {one}" for one in imported if one.startswith("nftsite.settings")]
    return wrong


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


@cache
def texts_of(source: str) -> list[str]:
    """Every text of a module that is no docstring, and the name of every argument, which may be one of a query."""
    said = {id(node.value) for node in nodes(source) if isinstance(node, ast.Expr)}
    found = []
    for node in nodes(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            found.append(node.value)
        elif isinstance(node, ast.keyword) and node.arg is not None and "__" in node.arg:
            found.append(node.arg)
    return found


def models_of(rooms: Sequence[str]) -> list[Any]:
    """The models of some rooms."""
    return [model for room in rooms if room in APPS for model in apps.get_app_config(room).get_models()]


def names_of_fields(rooms: Sequence[str]) -> set[str]:
    """What models of some rooms call their columns."""
    fields = [field for model in models_of(rooms) for field in model._meta.get_fields()]
    return {field.name for field in fields if not isinstance(field, ForeignObjectRel)}


@cache
def names_of_values(rooms: Sequence[str]) -> set[str]:
    """What plain values that some rooms declare call their attributes."""
    own = [source for file, source in sources().items() if file.partition("/")[0] in rooms]
    declared = [node for source in own for node in nodes(source) if isinstance(node, ast.AnnAssign)]
    return {node.target.id for node in declared if isinstance(node.target, ast.Name)}


def relations_from(rooms: Sequence[str], into: Sequence[str]) -> set[str]:
    """By what names models of some rooms are reached from those of others that they refer to."""
    relations = [
        field
        for model in models_of(into)
        for field in model._meta.get_fields()
        if isinstance(field, ForeignObjectRel)
    ]
    return {one.name for one in relations if one.related_model in models_of(rooms)}


@dataclass(frozen=True)
class Higher:
    """What of higher rooms a room's texts may not name."""

    rooms: Sequence[str]
    tables: set[str]
    dotted: set[str]
    """Modules and models."""
    names: set[str]
    """Relations and columns."""

    def is_named_in(self, text: str) -> bool:
        """Whether a text is a lookup, module, model or page of the admin of theirs, or has one of their tables."""
        if re.fullmatch(r"-?\w+", text) and not self.names.isdisjoint(text.removeprefix("-").split("__")):
            return True
        if text.startswith(tuple(f"admin:{room}_" for room in self.rooms)):
            return True
        parts = text.split(".")
        if any(".".join(parts[:number]) in self.dotted for number in range(2, len(parts) + 1)):
            return True
        return not self.tables.isdisjoint(re.findall(r"\w+", text))


@cache
def higher(room: str) -> Higher:
    """What stands below a room: relations, columns, tables, modules and pages of the admin."""
    place = ROOMS.index(room)
    here, above = ROOMS[: place + 1], ROOMS[place + 1 :]
    # The ground floor has no tables: columns that it names (of leases) are a convention for those above.
    columns = {name for name in names_of_fields(above) if "_" in name} if room in APPS else set()
    own = names_of_fields(here) | relations_from(here, here) | names_of_values(here)
    modules = {name for name in graph() if "." in name and name.partition(".")[0] in above}
    return Higher(
        rooms=above,
        tables={model._meta.db_table for model in models_of(above)},
        dotted=modules | {model._meta.label for model in models_of(above)},
        names=(columns | relations_from(above, here)) - own,
    )


@pytest.mark.parametrize("room", ROOMS[:-1])
def test_no_room_names_what_stands_below_it_as_text(room: str) -> None:
    """``get_field("nfts")`` in ``media`` would be an arrow that no import shows."""
    forbidden = higher(room)
    found = [
        (file, text)
        for file, source in sources().items()
        if file.startswith(f"{room}/") and "/migrations/" not in file
        for text in texts_of(source)
        if forbidden.is_named_in(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("room", "text"),
    [
        ("media", "nfts"),
        ("media", "nfts__isnull"),
        ("media", "contract__media_withheld"),
        ("media", "tokens.store.withholding"),
        ("media", "SELECT 1 FROM tokens_nft"),
        ("tokens", "transfers"),
        ("tokens", "nft__transfers__timestamp"),
        ("tokens", "transaction_from"),
        ("tokens", "admin:transfers_transfer_changelist"),
        ("transfers", "indexing.Evidence"),
    ],
)
def test_such_a_text_would_be_seen(room: str, text: str) -> None:
    assert higher(room).is_named_in(text)


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
