"""A ticket names the token it was asked for with: its socket ends with that token."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("core", "0002_framework_grants")]

    operations = [
        migrations.AddField(
            model_name="ticket", name="token_id", field=models.BigIntegerField(null=True)
        ),
    ]
