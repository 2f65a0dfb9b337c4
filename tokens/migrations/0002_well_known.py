"""Write the well-known chains, currencies and marketplaces; and, on PostgreSQL, have an index hold one column more, and
another one the words of collections' names."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from tokens.models.well_known import write_known


def write(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Write the rows through the historical models."""
    names = ("Chain", "Currency", "CurrencyToken", "Market")
    write_known(*(apps.get_model("tokens", name) for name in names))


COVERING = (
    "ALTER TABLE tokens_nft DROP CONSTRAINT nft_unique, "
    "ADD CONSTRAINT nft_unique UNIQUE (contract_id, token_key) INCLUDE (id)"
)


def cover_ids(apps: Any, editor: Any) -> None:
    """Have PostgreSQL's index hold the id, so that a walk in the order of token ids reads no rows; SQLite's has it.

    Django declares it for no database that has no such columns of an index.
    """
    if editor.connection.vendor == "postgresql":
        editor.execute(COVERING)


NAMES = """
CREATE INDEX tokens_contract_names ON tokens_contract USING gin
    (to_tsvector('simple', translate(coalesce(name, ''), '-_./:@&', '       ')))
"""


def index_names(apps: Any, editor: Any) -> None:
    """Have PostgreSQL find names by the beginnings of their words; SQLite reads them all."""
    if editor.connection.vendor == "postgresql":
        editor.execute(NAMES)


class Migration(migrations.Migration):
    """Nothing to undo, since what refers to the rows may stay."""

    dependencies = [("tokens", "0001_initial")]
    operations = [
        migrations.RunPython(write, migrations.RunPython.noop),
        migrations.RunPython(cover_ids, migrations.RunPython.noop),
        migrations.RunPython(index_names, migrations.RunPython.noop),
    ]
