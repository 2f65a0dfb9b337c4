"""Figures of collections, which are counted for people, and an index of sales."""

import django.db.models.deletion
from django.db import migrations, models

import core.db.fields


class Migration(migrations.Migration):
    dependencies = [
        ("tokens", "0011_collections"),
        ("transfers", "0005_sales_by_block"),
    ]

    operations = [
        migrations.CreateModel(
            name="CollectionFigures",
            fields=[
                (
                    "contract",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="figures",
                        serialize=False,
                        to="tokens.contract",
                    ),
                ),
                ("counted_at", models.BigIntegerField(help_text="Unix seconds")),
                (
                    "signature",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="of what the count saw; another one now: it is counted again. Empty: it is to be, in any case",
                        max_length=200,
                    ),
                ),
                ("took_ms", models.PositiveBigIntegerField(default=0, help_text="milliseconds of the count")),
                ("known", models.PositiveBigIntegerField(default=0, help_text="NFTs that were counted")),
                ("described", models.PositiveBigIntegerField(default=0, help_text="NFTs with metadata")),
                (
                    "owners",
                    models.PositiveBigIntegerField(default=0, help_text="different addresses that hold one"),
                ),
                (
                    "about",
                    models.BooleanField(
                        default=False, help_text="there are so many owners that they are estimated"
                    ),
                ),
                ("sales", models.PositiveBigIntegerField(default=0)),
                (
                    "recent_sales",
                    models.PositiveBigIntegerField(default=0, help_text="of the 30 days before the count"),
                ),
                (
                    "recent_value",
                    core.db.fields.Decimal18Field(
                        default=0, help_text="what those were worth together, in ETH", max_length=101
                    ),
                ),
                (
                    "cover_id",
                    models.BigIntegerField(
                        blank=True, help_text="the NFT whose picture stands for it", null=True
                    ),
                ),
                (
                    "details",
                    models.TextField(
                        default="{}",
                        help_text="JSON: sales by time, distribution of rarity",
                    ),
                ),
            ],
            options={
                "verbose_name": "figures of a collection",
                "verbose_name_plural": "figures of collections",
            },
        ),
        migrations.AddIndex(
            model_name="transfer",
            index=models.Index(
                condition=models.Q(("transfer_type", "sale")),
                fields=["contract", "recent_key", "id"],
                include=["eth_value", "stated_eth_value"],
                name="transfer_contract_sales",
            ),
        ),
    ]
