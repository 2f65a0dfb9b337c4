import django.db.models.deletion
from django.db import migrations, models

import nftsite.db.fields


class Migration(migrations.Migration):
    dependencies = [
        ("tokens", "0002_known"),
        ("transfers", "0002_indexing"),
    ]

    operations = [
        migrations.CreateModel(
            name="MarketContract",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", nftsite.db.fields.KeyField(max_length=64)),
                ("protocol", models.CharField(blank=True, default="", max_length=40)),
                (
                    "chain",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="market_contracts",
                        to="tokens.chain",
                    ),
                ),
                (
                    "market",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="contracts",
                        to="tokens.market",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("chain", "address"), name="market_contract_unique")
                ],
            },
        ),
        migrations.CreateModel(
            name="MarketFault",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("block_number", models.PositiveBigIntegerField()),
                ("transaction_hash", nftsite.db.fields.KeyField(max_length=66)),
                ("log_index", models.PositiveIntegerField()),
                ("protocol", models.CharField(max_length=40)),
                ("reason", models.TextField()),
                (
                    "currency",
                    nftsite.db.fields.KeyField(
                        help_text="contract; the zero address is the native currency", max_length=64
                    ),
                ),
                (
                    "price",
                    nftsite.db.fields.Uint256Field(
                        help_text="base units, as the event tells; 0 where it tells none", max_length=101
                    ),
                ),
                (
                    "eth_value",
                    nftsite.db.fields.Decimal18Field(
                        default=0,
                        help_text="of the price in ETH at the rates known when it was judged; 0 where it has none",
                        max_length=101,
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
                "indexes": [
                    models.Index(fields=["chain", "block_number"], name="market_fault_block"),
                    models.Index(
                        fields=["protocol", "eth_value", "price", "id"], name="market_fault_protocol"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("transaction_hash", "log_index", "chain"), name="market_fault_unique"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="OrderFill",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("order_hash", nftsite.db.fields.KeyField(max_length=66)),
                ("transaction_hash", nftsite.db.fields.KeyField(max_length=66)),
                ("log_index", models.PositiveIntegerField()),
                (
                    "units",
                    nftsite.db.fields.Uint256Field(
                        help_text="of the NFT; of a bundle the most of any", max_length=101
                    ),
                ),
                (
                    "taken",
                    nftsite.db.fields.Uint256Field(
                        help_text="units that it took from the order's ask, which may have had fewer",
                        max_length=101,
                    ),
                ),
                ("closed", models.BooleanField(default=False, help_text="an open ask was filled by it")),
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
                "indexes": [models.Index(fields=["order_hash", "chain"], name="order_fill_order")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("transaction_hash", "log_index", "order_hash", "chain"),
                        name="order_fill_unique",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PaidToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", nftsite.db.fields.KeyField(max_length=64)),
                ("name", models.TextField(blank=True, null=True)),
                ("symbol", models.TextField(blank=True, null=True)),
                ("decimals", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "chain",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="tokens.chain"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("address", "chain"), name="paid_token_unique")
                ],
            },
        ),
        migrations.CreateModel(
            name="PunkBid",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("block_number", models.PositiveBigIntegerField()),
                ("log_index", models.PositiveIntegerField()),
                ("contract_address", nftsite.db.fields.KeyField(max_length=64)),
                ("token_key", nftsite.db.fields.KeyField(max_length=80)),
                ("bidder", nftsite.db.fields.KeyField(max_length=64)),
                ("value", nftsite.db.fields.Uint256Field(help_text="wei", max_length=101)),
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
                "constraints": [
                    models.UniqueConstraint(
                        fields=("chain", "block_number", "log_index"), name="punk_bid_unique"
                    )
                ],
            },
        ),
    ]
