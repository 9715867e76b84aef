from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0032_overlapping_silences")]

    operations = [
        migrations.AlterField(
            model_name="hand",
            name="deck_id",
            field=models.BigIntegerField(help_text="null until the cut has chosen it", null=True),
        ),
    ]
