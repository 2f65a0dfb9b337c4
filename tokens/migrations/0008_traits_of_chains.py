"""Traits that very many contracts of a chain have get a row of the chain, to which those of contracts are joined."""

import django.db.models.deletion
from django.db import migrations, models

import core.db.fields


class Migration(migrations.Migration):
    dependencies = [
        ("tokens", "0007_renderings"),
    ]

    operations = [
        migrations.AddField(
            model_name="traitvalue",
            name="chain",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="of a row that is no contract's",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="tokens.chain",
            ),
        ),
        migrations.AddField(
            model_name="traitvalue",
            name="joined",
            field=models.BigIntegerField(
                blank=True, help_text="id of the chain's row that has all postings of this one too", null=True
            ),
        ),
        migrations.AlterField(
            model_name="traitvalue",
            name="contract",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="trait_values",
                to="tokens.contract",
            ),
        ),
        migrations.AlterField(
            model_name="traitvalue",
            name="count",
            field=models.PositiveBigIntegerField(default=0, help_text="NFTs that have it"),
        ),
        migrations.AddIndex(
            model_name="traitvalue",
            index=models.Index(
                models.Case(
                    models.When(joined__isnull=True, then="label_key"),
                    output_field=core.db.fields.KeyField(max_length=32),
                ),
                name="trait_value_apart",
            ),
        ),
        migrations.AddConstraint(
            model_name="traitvalue",
            constraint=models.UniqueConstraint(
                condition=models.Q(("chain__isnull", False)),
                fields=("chain", "pair_key"),
                name="trait_value_of_chain",
            ),
        ),
    ]
