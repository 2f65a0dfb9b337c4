from typing import Any

from django.db import migrations

WITH_ID = (
    "ALTER TABLE tokens_nft DROP CONSTRAINT nft_unique, "
    "ADD CONSTRAINT nft_unique UNIQUE (contract_id, token_key) INCLUDE (id)"
)
PLAIN = (
    "ALTER TABLE tokens_nft DROP CONSTRAINT nft_unique, "
    "ADD CONSTRAINT nft_unique UNIQUE (contract_id, token_key)"
)


def write_id_beside(apps: Any, editor: Any) -> None:
    """Have PostgreSQL's index hold the id, so that a walk in the order of token ids reads no rows; SQLite's has it.

    Django declares it for no database that has no such columns of an index.
    """
    if editor.connection.vendor == "postgresql":
        editor.execute(WITH_ID)


def leave_id_out(apps: Any, editor: Any) -> None:
    """Have it as it was."""
    if editor.connection.vendor == "postgresql":
        editor.execute(PLAIN)


class Migration(migrations.Migration):
    dependencies = [
        ("tokens", "0008_unusable_documents"),
    ]

    operations = [migrations.RunPython(write_id_beside, leave_id_out)]
