import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("core", "0003_ticket_token")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="pits",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=40),
                blank=True,
                default=list,
                help_text="The pits whose tables this person sees and runs; empty: every pit.",
                size=None,
            ),
        ),
    ]
