"""`manage.py dump`: writes the database in the interchange format."""

import gzip
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.progress import Progress
from interchange.dump import dump, expected


class Command(BaseCommand):
    """Dumps to standard output or to a file, which is there only once it is whole."""

    help = (
        "Write what was stated, primary facts and what operators decided (marks, takedowns, currencies, markets and "
        "their contracts) as JSON Lines, which `load` reads. Left out: accounts, API keys and the audit trail; cached "
        "images (fetched again); computed rarity (`compute_rarity`); work that is to be done; metadata documents as "
        "they came; how far a chain is indexed and what a node told beside transfers; when and by whom takedowns were "
        "made. "
        "docs/interchange.md says more."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--output", metavar="FILE", help="write to a file; compressed when it ends in .gz"
        )

    def handle(self, *args: Any, output: str | None, **options: Any) -> None:
        try:
            with (
                self._standard() if output is None else _whole(Path(output)) as out,
                Progress("dump", "lines", expected(), quiet=options["verbosity"] == 0) as progress,
            ):
                dump(out, progress.add)
        except OSError as error:
            raise CommandError(f"Cannot write {output or 'standard output'}: {error.strerror}.") from error

    @contextmanager
    def _standard(self) -> Iterator[TextIO]:
        """Give standard output, in UTF-8 whatever the locale, since `load` reads nothing else."""
        stream: Any = self.stdout
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", newline="\n")
        try:
            yield stream
            stream.flush()
        except OSError:
            # What is left in the buffer would fail once more, and be told without a sentence, when Python ends.
            with Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())
            raise


@contextmanager
def _whole(path: Path) -> Iterator[TextIO]:
    """Open a file under another name, and give it its own once all is written."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as raw:
            # No name and no time in the archive: the same content gives the same bytes.
            packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if path.suffix == ".gz" else raw
            with packed, io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as text:
                yield text
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
