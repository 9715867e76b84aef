from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0018_cuts_in_few_steps")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="pit",
            field=models.CharField(
                blank=True,
                default="",
                help_text="staff of other pits do not run it",
                max_length=40,
            ),
        ),
    ]
