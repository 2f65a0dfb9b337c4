"""`manage.py load FILE…`: loads files of the interchange format."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.progress import say
from interchange.load import Fault, load_files
from interchange.unknown import told
from transfers.figures.counting import sweep


class Command(BaseCommand):
    """Loads JSON Lines, plain or gzip; exits with 1 when a line was bad."""

    help = "Load files of the interchange format: JSON Lines, plain or .gz; - is standard input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument(
            "--strict",
            action="store_true",
            help="stop at the first bad line, key that is not known or document that is no metadata, and take back "
            "what its file has written",
        )

    def handle(self, *args: Any, files: list[str], strict: bool, **options: Any) -> None:
        """Load, tell of each bad line on standard error, and sum up."""
        try:
            report = load_files(files, strict=strict, on_fault=self._tell, progress=options["verbosity"] > 0)
        except OSError as error:
            raise CommandError(f"Cannot read {error.filename}: {error.strerror}.") from error
        sweep(at_once=True)
        for name, count in sorted(report.unknown.items()):
            lines = "1 line" if count == 1 else f"{count:,} lines"
            self.stderr.write(f"Not known, and not taken: {told(name)} in {lines}.")
        if options["verbosity"] > 0:
            taken = ", ".join(f"{count} {kind}" for kind, count in sorted(report.counts.items())) or "no"
            useless = f"; {report.useless:,} with a document that is no metadata" if report.useless else ""
            self.stdout.write(f"Read {taken} lines; {report.fault_count} bad{useless}.")
        if report.fault_count:
            sys.exit(1)

    def _tell(self, fault: Fault) -> None:
        say(str(fault), self.stderr)
