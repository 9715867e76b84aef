import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0027_sandbox"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="tablehour",
            name="dealer",
            field=models.ForeignKey(
                help_text="who was signed on at its console then",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RemoveConstraint(model_name="tablehour", name="table_hour_once"),
        migrations.AddConstraint(
            model_name="tablehour",
            constraint=models.UniqueConstraint(
                fields=("gaming_day", "table", "hour", "dealer"),
                name="table_hour_once",
                nulls_distinct=False,
            ),
        ),
    ]
