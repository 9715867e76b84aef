from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0024_feeders")]

    operations = [
        migrations.AlterField(
            model_name="floorcall",
            name="device_id",
            field=models.BigIntegerField(help_text="empty: a player flags the hand", null=True),
        ),
    ]
