"""How far order books have been read from their sources."""

import django.db.models.deletion
from django.db import migrations, models

import core.db.fields


class Migration(migrations.Migration):
    dependencies = [
        ("indexing", "0002_order_history"),
        ("tokens", "0003_order_books"),
    ]

    operations = [
        migrations.CreateModel(
            name="BookWalk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("source", models.CharField(max_length=40)),
                ("address", core.db.fields.KeyField(help_text="of the contract", max_length=64)),
                (
                    "named",
                    models.JSONField(
                        blank=True, default=list, help_text="collections that an operator named for it"
                    ),
                ),
                ("began_at", models.BigIntegerField(blank=True, help_text="of the walk at work", null=True)),
                (
                    "collections",
                    models.JSONField(
                        blank=True, default=list, help_text="left to be walked, as the source names them"
                    ),
                ),
                (
                    "cursor",
                    models.TextField(
                        blank=True, default="", help_text="of the next page in the first of them"
                    ),
                ),
                (
                    "pages",
                    models.PositiveBigIntegerField(default=0, help_text="read in this walk, or the last"),
                ),
                (
                    "shown",
                    models.PositiveBigIntegerField(
                        default=0, help_text="orders of the contract that were taken in it"
                    ),
                ),
                (
                    "refused",
                    models.PositiveBigIntegerField(default=0, help_text="orders that were not, in it"),
                ),
                (
                    "differing",
                    models.PositiveBigIntegerField(
                        default=0, help_text="orders of which the source states another price, in it"
                    ),
                ),
                (
                    "read_at",
                    models.BigIntegerField(blank=True, help_text="when the last whole walk began", null=True),
                ),
                ("completed_at", models.BigIntegerField(blank=True, help_text="when it ended", null=True)),
                (
                    "last_shown",
                    models.PositiveBigIntegerField(default=0, help_text="orders that were taken in it"),
                ),
                (
                    "ended",
                    models.PositiveBigIntegerField(
                        default=0, help_text="asks that were gone from the source after it"
                    ),
                ),
                ("fault", models.TextField(blank=True, default="", help_text="what last went wrong")),
                ("fault_at", models.BigIntegerField(blank=True, null=True)),
                (
                    "chain",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="book_walks",
                        to="tokens.chain",
                    ),
                ),
            ],
            options={
                "verbose_name": "order book",
                "constraints": [
                    models.UniqueConstraint(fields=("chain", "source", "address"), name="book_walk_unique")
                ],
            },
        ),
    ]
