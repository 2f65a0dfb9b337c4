"""The rooms of the house and what each may import: a room knows only rooms below it.

Read from the source, imports inside functions and the dependencies of migrations included.
"""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ["media", "tokens", "transfers"]
ROOMS = {
    "nftsite.logs": 0,
    "nftsite.memo": 0,
    "nftsite.stopping": 0,
    "nftsite.batches": 0,
    "nftsite.dotenv_file": 0,
    "nftsite.environment": 0,
    "nftsite.chains": 0,
    "nftsite.db": 0,
    "nftsite.net": 0,
    "nftsite.rest": 0,
    "nftsite.backoffice": 0,
    "media": 1,
    "tokens": 2,
    "transfers": 3,
    "nftsite": 4,
}
"""Room by name, with its height; the longest name that fits a module counts, so `nftsite` is the roof."""

GROUND_FLOOR = {
    "nftsite.logs": set[str](),
    "nftsite.memo": set[str](),
    "nftsite.stopping": set[str](),
    "nftsite.batches": set[str](),
    "nftsite.dotenv_file": set[str](),
    "nftsite.environment": {"nftsite.dotenv_file"},
    "nftsite.net": {"nftsite.memo"},
    "nftsite.chains": {"nftsite.net"},
    "nftsite.db": {"nftsite.chains", "nftsite.net"},
    "nftsite.rest": {"nftsite.chains", "nftsite.net", "nftsite.db", "nftsite.logs"},
    "nftsite.backoffice": {"nftsite.db"},
}
"""What the rooms of height 0 may import of each other."""

MEANT = {
    # An NFT record embeds its last transfer; the transfer's record imports nothing of tokens.
    ("tokens/serializers.py", "transfers.serializers"),
}
"""Arrows that look wrong and are meant: (importing file, imported module)."""


def room_of(module: str) -> str | None:
    """The room that a module belongs to; None for everything that is not ours."""
    fitting = [room for room in ROOMS if module == room or module.startswith(f"{room}.")]
    return max(fitting, key=len, default=None)


def may_import(importer: str, imported: str) -> bool:
    """Whether the one room may know the other."""
    if importer == imported:
        return True
    if ROOMS[importer] == ROOMS[imported] == 0:
        return imported in GROUND_FLOOR[importer]
    return ROOMS[importer] > ROOMS[imported]


def imports_of(tree: ast.AST, package: str) -> Iterator[str]:
    """Every module that the source names in an import, wherever it stands; `package` resolves relative ones."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            # A name may be a module of its own, as in `from nftsite import settings`.
            yield from (f"{start}.{alias.name}" for alias in node.names)


def migration_dependencies(tree: ast.AST) -> Iterator[str]:
    """The apps that a migration's `dependencies` name, as modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "dependencies" for target in node.targets
        ):
            for pair in ast.walk(node.value):
                if isinstance(pair, ast.Tuple) and isinstance(pair.elts[0], ast.Constant):
                    yield f"{pair.elts[0].value!s}.migrations"


def sources() -> list[Path]:
    """Every module of the rooms."""
    return sorted(path for top in ["nftsite", *APPS] for path in (ROOT / top).rglob("*.py"))


def wrong_arrows(path: Path) -> list[str]:
    """What the module imports although its room may not."""
    name = path.relative_to(ROOT).as_posix()
    module = name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = [*imports_of(tree, package), *(migration_dependencies(tree) if "/migrations/" in name else [])]
    room = room_of(module)
    assert room is not None
    wrong = []
    for imported in named:
        target = room_of(imported)
        meant = any(name == file and f"{imported}.".startswith(f"{into}.") for file, into in MEANT)
        if target is not None and not meant and not may_import(room, target):
            wrong.append(f"{name} ({room}) imports {imported} ({target})")
        if target == "nftsite" and imported.startswith("nftsite.settings"):
            wrong.append(f"{name} imports the settings module instead of django.conf.settings")
    return wrong


def test_rooms_import_only_rooms_below() -> None:
    assert [arrow for path in sources() for arrow in wrong_arrows(path)] == []


def test_the_transfer_record_knows_no_tokens() -> None:
    record = ROOT / "transfers" / "serializers.py"
    tree = ast.parse(record.read_text(encoding="utf-8"))
    assert [name for name in imports_of(tree, "transfers") if room_of(name) == "tokens"] == []


@pytest.mark.parametrize(
    ("file", "source", "is_wrong"),
    [
        ("media/x.py", "def f():\n    from tokens.models import Nft", True),
        ("media/x.py", "from ..tokens import models", True),
        ("tokens/x.py", "import transfers.models as t", True),
        ("tokens/x.py", "from transfers.serializers import TransferSerializer", True),
        ("tokens/serializers.py", "from transfers.serializers import TransferSerializer", False),
        ("transfers/x.py", "from tokens.models import Nft", False),
        ("transfers/x.py", "from nftsite.rest import cursors", False),
        ("transfers/x.py", "from nftsite import views", True),
        ("nftsite/rest/x.py", "from media.models import CachedImage", True),
        ("nftsite/db/x.py", "from nftsite.rest import errors", True),
        ("nftsite/interchange/x.py", "from transfers.models import Transfer", False),
        ("tokens/migrations/x.py", 'class M:\n    dependencies = [("transfers", "0001_initial")]', True),
        ("transfers/migrations/x.py", 'class M:\n    dependencies = [("tokens", "0001_initial")]', False),
    ],
)
def test_the_rule_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, source: str, is_wrong: bool
) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(source)
    assert bool(wrong_arrows(path)) == is_wrong


def test_packages_hold_no_code() -> None:
    """`__init__.py` of a room is empty or re-exports its own modules' names."""
    allowed = (ast.ImportFrom, ast.Expr, ast.Assign, ast.AnnAssign)
    for path in sources():
        if path.name == "__init__.py":
            body = ast.parse(path.read_text(encoding="utf-8")).body
            assert all(isinstance(node, allowed) for node in body), path


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
