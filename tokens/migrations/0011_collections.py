"""Collections are found by words of their names, and tell which of their NFTs are marked."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

_NAMES = "tokens_contract_names"
_MAKE = f"""
CREATE INDEX {_NAMES} ON tokens_contract USING gin
    (to_tsvector('simple', translate(coalesce(name, ''), '-_./:@&', '       ')))
"""


def make(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Have PostgreSQL find names by the beginnings of their words; SQLite reads them all."""
    if editor.connection.vendor == "postgresql":
        editor.execute(_MAKE)


def drop(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Take it back."""
    if editor.connection.vendor == "postgresql":
        editor.execute(f"DROP INDEX {_NAMES}")


class Migration(migrations.Migration):
    dependencies = [
        ("tokens", "0010_facets"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="nft",
            index=models.Index(
                condition=models.Q(("own_marked", True)),
                fields=["contract", "token_key"],
                name="nft_contract_own_marked",
            ),
        ),
        migrations.RunPython(make, drop),
    ]
