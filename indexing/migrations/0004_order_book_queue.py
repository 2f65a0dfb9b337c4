"""Order books are read in turn, and remember what their walks have shown."""

import django.db.models.deletion
from django.db import migrations, models

import core.db.fields


class Migration(migrations.Migration):
    dependencies = [
        ("indexing", "0003_order_books"),
        ("tokens", "0004_asks_by_source"),
    ]

    operations = [
        migrations.CreateModel(
            name="BookPage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "place",
                    core.db.fields.KeyField(
                        help_text="digest of the collection and the cursor that it was asked by",
                        max_length=32,
                    ),
                ),
                ("asks", models.BinaryField(help_text="ids, of eight bytes each")),
            ],
        ),
        migrations.CreateModel(
            name="BookSource",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("source", models.CharField(max_length=40)),
                (
                    "beat_at",
                    models.BigIntegerField(
                        blank=True, help_text="when a reader last told of itself", null=True
                    ),
                ),
                ("pages_total", models.PositiveBigIntegerField(default=0, help_text="read over all runs")),
                ("faults_total", models.PositiveBigIntegerField(default=0, help_text="over all runs")),
                (
                    "limit_most",
                    models.PositiveBigIntegerField(
                        blank=True, help_text="requests that it allows", null=True
                    ),
                ),
                (
                    "limit_left",
                    models.PositiveBigIntegerField(
                        blank=True, help_text="of them, when last told", null=True
                    ),
                ),
                (
                    "limit_resets_at",
                    models.BigIntegerField(blank=True, help_text="when it allows as many again", null=True),
                ),
            ],
            options={
                "verbose_name": "source of order books",
                "verbose_name_plural": "sources of order books",
            },
        ),
        migrations.AddField(
            model_name="bookwalk",
            name="attempts",
            field=models.PositiveIntegerField(default=0, help_text="in a row that failed"),
        ),
        migrations.AddField(
            model_name="bookwalk",
            name="changes_at",
            field=models.BigIntegerField(
                blank=True, help_text="up to when it is known what was listed since", null=True
            ),
        ),
        migrations.AddField(
            model_name="bookwalk",
            name="empty_since",
            field=models.BigIntegerField(
                blank=True,
                help_text="when a collection first showed nothing where it had shown orders",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="bookwalk",
            name="last_shown_of",
            field=models.JSONField(blank=True, default=dict, help_text="the same by collection"),
        ),
        migrations.AddField(
            model_name="bookwalk",
            name="next_at",
            field=models.BigIntegerField(default=0, help_text="when it is due"),
        ),
        migrations.AddField(
            model_name="bookwalk",
            name="requested_at",
            field=models.BigIntegerField(
                blank=True, help_text="when an operator asked for it, until it is read", null=True
            ),
        ),
        migrations.AddField(
            model_name="bookwalk",
            name="sales",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="in the last days, among the contract's newest transfers"
            ),
        ),
        migrations.AddField(
            model_name="bookwalk",
            name="shown_of",
            field=models.JSONField(blank=True, default=dict, help_text="the same by collection"),
        ),
        migrations.AddField(
            model_name="bookwalk",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "waits until it is due"),
                    ("walking", "is being read, or goes on with the next run"),
                    ("failed", "something went wrong; it is tried again, later each time"),
                    ("stopped", "an operator does not want it to be read"),
                ],
                default="waiting",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="bookwalk",
            name="source",
            field=models.CharField(help_text="who keeps the book", max_length=40),
        ),
        migrations.AddIndex(
            model_name="bookwalk",
            index=models.Index(fields=["address", "read_at"], name="book_walk_address"),
        ),
        migrations.AddField(
            model_name="bookpage",
            name="walk",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="indexing.bookwalk",
            ),
        ),
        migrations.AddField(
            model_name="booksource",
            name="chain",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tokens.chain"
            ),
        ),
        migrations.AddConstraint(
            model_name="bookpage",
            constraint=models.UniqueConstraint(fields=("walk", "place"), name="book_page_unique"),
        ),
        migrations.AddConstraint(
            model_name="booksource",
            constraint=models.UniqueConstraint(fields=("chain", "source"), name="book_source_unique"),
        ),
    ]
