"""The rooms of the house in their order, and what of others their sources name in imports."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

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
