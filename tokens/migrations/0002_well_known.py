"""Write the well-known chains, currencies and marketplaces."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from tokens.models.well_known import write_known


def write(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Write the rows through the historical models."""
    names = ("Chain", "Currency", "CurrencyToken", "Market")
    write_known(*(apps.get_model("tokens", name) for name in names))


class Migration(migrations.Migration):
    """Rows only; nothing to undo, since what refers to them may stay."""

    dependencies = [("tokens", "0001_initial")]
    operations = [migrations.RunPython(write, migrations.RunPython.noop)]
