"""Columns of asks that say what decides them, each stated thing apart from what follows from it."""

import json
from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import core.db.fields
from core.db.keys import uint_from_key
from tokens.models.well_known import write_known


def carry(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give what was stated of each ask columns of its own; those that fills have changed kept it as JSON."""
    asks: Any = apps.get_model("tokens", "Ask")._default_manager
    asks.update(stated_amount=models.F("amount"), stated_status=models.F("status"), reflects="[]")
    for ask in asks.exclude(stated=None).iterator():
        amount, status, reflects = json.loads(ask.stated)
        ask.stated_amount = None if amount is None else uint_from_key(amount)
        ask.stated_status, ask.reflects = status, json.dumps(reflects or [])
        ask.save(update_fields=["stated_amount", "stated_status", "reflects"])
    names = ("Chain", "Currency", "CurrencyToken", "Market")
    write_known(*(apps.get_model("tokens", name) for name in names))


class Migration(migrations.Migration):
    dependencies = [
        ("tokens", "0002_well_known"),
    ]

    operations = [
        migrations.AddField(
            model_name="ask",
            name="end_price",
            field=core.db.fields.Decimal18Field(
                blank=True, help_text="of a price that changes, from its end on", max_length=101, null=True
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="exchange",
            field=core.db.fields.KeyField(
                blank=True, help_text="the contract that would fill it", max_length=64, null=True
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="gone_at",
            field=models.BigIntegerField(
                blank=True, help_text="when its source was found to show it no more, Unix seconds", null=True
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="holder",
            field=core.db.fields.KeyField(
                blank=True,
                help_text="who must hold the NFT, where that is not the maker",
                max_length=64,
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="nonce",
            field=core.db.fields.Uint256Field(
                blank=True,
                help_text="counter or nonce, by which a maker ends many at once",
                max_length=101,
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="opened_block",
            field=models.BigIntegerField(blank=True, help_text="of the log that opened it", null=True),
        ),
        migrations.AddField(
            model_name="ask",
            name="opened_log",
            field=models.BigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="ask",
            name="approved",
            field=models.BooleanField(
                blank=True,
                help_text="whether that one is, as was stated; what the chain says of it counts more",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="operator",
            field=core.db.fields.KeyField(
                blank=True, help_text="who must be approved to move the NFT", max_length=64, null=True
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="price_from",
            field=models.BigIntegerField(blank=True, help_text="Unix seconds", null=True),
        ),
        migrations.AddField(
            model_name="ask",
            name="price_until",
            field=models.BigIntegerField(blank=True, help_text="Unix seconds", null=True),
        ),
        migrations.AddField(
            model_name="ask",
            name="reason",
            field=models.CharField(
                blank=True,
                choices=[
                    ("filled", "it was filled"),
                    ("cancelled", "it was cancelled"),
                    ("counter", "its maker ended it with others, by a counter or nonce"),
                    ("not-owner", "who must hold the NFT does not"),
                    ("no-approval", "the market is not approved to move the NFT"),
                    ("private", "it is for one buyer alone"),
                    ("gone-from-source", "its source shows it no more"),
                ],
                default="",
                max_length=20,
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="reflects",
            field=models.TextField(
                blank=True,
                default="",
                help_text="JSON: the transactions whose fills the stated amount is less already; empty: not worked out yet",
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="seen_at",
            field=models.BigIntegerField(
                blank=True, help_text="when its source last showed it, Unix seconds", null=True
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="source",
            field=models.CharField(default="load", help_text="who told of it", max_length=40),
        ),
        migrations.AddField(
            model_name="ask",
            name="start_price",
            field=core.db.fields.Decimal18Field(
                blank=True, help_text="of a price that changes, at its beginning", max_length=101, null=True
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="stated_amount",
            field=core.db.fields.Uint256Field(
                blank=True, help_text="units left, as stated", max_length=101, null=True
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="stated_status",
            field=models.CharField(
                choices=[("open", "Open"), ("filled", "Filled"), ("cancelled", "Cancelled")],
                default="open",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="taker",
            field=core.db.fields.KeyField(
                blank=True, help_text="the only one who may buy", max_length=64, null=True
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="wakes",
            field=models.BooleanField(
                default=True,
                help_text="it comes back once the NFT or the approval does, as its exchange would fill it",
            ),
        ),
        migrations.AddIndex(
            model_name="ask",
            index=models.Index(
                condition=models.Q(("opened_block__isnull", False)),
                fields=["chain", "opened_block"],
                name="ask_opened",
            ),
        ),
        migrations.RunPython(carry, migrations.RunPython.noop),
        migrations.RemoveField(
            model_name="ask",
            name="stated",
        ),
        migrations.AlterField(
            model_name="ask",
            name="price",
            field=core.db.fields.Decimal18Field(
                help_text="whole units of the currency, for one unit of the token; of a price that changes, as of the last tick",
                max_length=101,
            ),
        ),
        migrations.AddIndex(
            model_name="ask",
            index=models.Index(
                condition=models.Q(("exchange__isnull", False)),
                fields=["maker", "exchange", "nonce"],
                name="ask_maker_exchange",
            ),
        ),
        migrations.AddIndex(
            model_name="ask",
            index=models.Index(
                condition=models.Q(("operator__isnull", False)),
                fields=["maker", "operator", "contract"],
                name="ask_maker_operator",
            ),
        ),
        migrations.AddIndex(
            model_name="ask",
            index=models.Index(
                condition=models.Q(
                    ("active", True),
                    models.Q(
                        ("price__lt", models.F("end_price")),
                        ("price__gt", models.F("end_price")),
                        _connector="OR",
                    ),
                ),
                fields=["contract", "price_from"],
                include=("chain",),
                name="ask_changing",
            ),
        ),
        migrations.AddIndex(
            model_name="ask",
            index=models.Index(condition=models.Q(("active", False)), fields=["reason"], name="ask_reason"),
        ),
        migrations.RemoveIndex(
            model_name="ask",
            name="ask_nft_price",
        ),
        migrations.AddIndex(
            model_name="ask",
            index=models.Index(
                condition=models.Q(("active", True)),
                fields=["nft", "price_key", "id"],
                include=(
                    "sole",
                    "currency",
                    "price",
                    "valid_from",
                    "valid_until",
                    "market",
                    "start_price",
                    "end_price",
                    "price_from",
                    "price_until",
                ),
                name="ask_nft_price",
            ),
        ),
    ]
