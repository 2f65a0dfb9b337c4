"""A table of what contracts of markets say of orders."""

import django.db.models.deletion
from django.db import migrations, models

import core.db.fields


class Migration(migrations.Migration):
    dependencies = [
        ("tokens", "0003_order_books"),
        ("transfers", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="OrderEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("block_number", models.BigIntegerField()),
                ("log_index", models.BigIntegerField()),
                ("place", models.IntegerField(default=0, help_text="among those that one log says")),
                ("transaction_hash", core.db.fields.KeyField(max_length=66)),
                ("timestamp", models.BigIntegerField(help_text="of the block, Unix seconds")),
                ("kind", models.CharField(max_length=12)),
                ("market", models.CharField(help_text="slug; empty for an approval", max_length=100)),
                (
                    "exchange",
                    core.db.fields.KeyField(
                        help_text="the contract that keeps the order; empty for an approval", max_length=64
                    ),
                ),
                (
                    "contract",
                    core.db.fields.KeyField(blank=True, help_text="of the NFT", max_length=64, null=True),
                ),
                ("token_key", core.db.fields.KeyField(blank=True, max_length=101, null=True)),
                ("order_hash", core.db.fields.KeyField(blank=True, max_length=200, null=True)),
                ("maker", core.db.fields.KeyField(blank=True, max_length=64, null=True)),
                ("operator", core.db.fields.KeyField(blank=True, max_length=64, null=True)),
                ("nonce", core.db.fields.Uint256Field(blank=True, max_length=101, null=True)),
                ("detail", models.TextField(default="{}", help_text="JSON: the rest of what it says")),
                (
                    "raw",
                    models.TextField(
                        blank=True,
                        default="",
                        help_text="JSON: address, topics and data of the log; empty: a call",
                    ),
                ),
                (
                    "chain",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="tokens.chain",
                    ),
                ),
            ],
            options={
                "verbose_name": "order event",
                "indexes": [
                    models.Index(
                        condition=models.Q(("order_hash__isnull", False)),
                        fields=["order_hash", "chain"],
                        name="order_event_order",
                    ),
                    models.Index(
                        condition=models.Q(("token_key__isnull", False)),
                        fields=["contract", "token_key", "chain"],
                        name="order_event_nft",
                    ),
                    models.Index(
                        condition=models.Q(("maker__isnull", False)),
                        fields=["maker", "exchange", "kind", "nonce", "chain"],
                        name="order_event_maker",
                    ),
                    models.Index(
                        condition=models.Q(("operator__isnull", False)),
                        fields=["maker", "operator", "contract", "kind", "chain"],
                        name="order_event_approval",
                    ),
                    models.Index(
                        condition=models.Q(("kind__in", ["pool", "quoted"])),
                        fields=["exchange", "chain"],
                        name="order_event_pool",
                    ),
                    models.Index(fields=["kind", "timestamp"], name="order_event_kind"),
                    models.Index(
                        condition=models.Q(("kind__in", ["listing", "bid"])),
                        fields=["chain"],
                        name="order_event_listing",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("chain", "block_number", "log_index", "place"), name="order_event_unique"
                    )
                ],
            },
        ),
    ]
