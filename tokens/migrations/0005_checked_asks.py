"""What contracts say of asks: when they are asked again, and the units that an order sells in all and together."""

from django.db import migrations, models

import core.db.fields


class Migration(migrations.Migration):
    dependencies = [
        ("tokens", "0004_asks_by_source"),
    ]

    operations = [
        migrations.AddField(
            model_name="ask",
            name="check_at",
            field=models.BigIntegerField(
                default=0,
                help_text="when contracts are to be asked about it again, Unix seconds; 0: they were not yet",
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="lot",
            field=core.db.fields.Uint256Field(
                blank=True, help_text="units that are only sold together", max_length=101, null=True
            ),
        ),
        migrations.AddField(
            model_name="ask",
            name="offered",
            field=core.db.fields.Uint256Field(
                blank=True,
                help_text="units that the order sells in all, those sold already included",
                max_length=101,
                null=True,
            ),
        ),
        migrations.AlterField(
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
                    ("transfer-refused", "the NFT's contract refuses to let the market move it"),
                    ("private", "it is for one buyer alone"),
                    ("gone-from-source", "its source shows it no more"),
                ],
                default="",
                max_length=20,
            ),
        ),
        migrations.AddIndex(
            model_name="ask",
            index=models.Index(
                condition=models.Q(
                    ("active", True), ("reason__in", ["no-approval", "transfer-refused"]), _connector="OR"
                ),
                fields=["chain", "check_at"],
                name="ask_check",
            ),
        ),
    ]
