from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("transfers", "0004_stated"),
    ]

    operations = [
        migrations.AlterField(
            model_name="opening",
            name="block_number",
            field=models.PositiveBigIntegerField(help_text="at whose start it was so"),
        ),
    ]
