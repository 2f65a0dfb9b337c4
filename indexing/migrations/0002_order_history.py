"""How far older order events are read."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("indexing", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="indexedchain",
            name="orders_end",
            field=models.PositiveBigIntegerField(
                blank=True, help_text="block before which order events are older than indexing", null=True
            ),
        ),
        migrations.AddField(
            model_name="indexedchain",
            name="orders_first",
            field=models.PositiveBigIntegerField(
                blank=True, help_text="block from which older order events were asked for", null=True
            ),
        ),
        migrations.AddField(
            model_name="indexedchain",
            name="orders_next",
            field=models.PositiveBigIntegerField(
                blank=True,
                help_text="the first block of which older order events are not yet read",
                null=True,
            ),
        ),
    ]
