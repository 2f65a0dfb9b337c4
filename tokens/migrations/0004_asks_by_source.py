"""The asks of a contract that one source tells of are found by an index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tokens", "0003_order_books"),
    ]

    operations = [
        migrations.AlterField(
            model_name="ask",
            name="seen_at",
            field=models.BigIntegerField(
                blank=True, help_text="when its source last told something new of it, Unix seconds", null=True
            ),
        ),
        migrations.AddIndex(
            model_name="ask",
            index=models.Index(
                condition=models.Q(("seen_at__isnull", False)),
                fields=["contract", "source", "id"],
                include=("reason", "active", "valid_until"),
                name="ask_source",
            ),
        ),
    ]
