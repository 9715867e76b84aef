from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0019_pits")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="time_fee_minor",
            field=models.BigIntegerField(
                default=0, help_text="time collection: what each seat pays; 0 for none"
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="time_fee_every_s",
            field=models.PositiveIntegerField(default=1800),
        ),
        migrations.AddField(
            model_name="table",
            name="time_fee_due",
            field=models.DateTimeField(help_text="before the first deal from then on", null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="owes_time_minor",
            field=models.BigIntegerField(
                default=0, help_text="time collection he could not pay; due before he plays on"
            ),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.CheckConstraint(
                condition=models.Q(("time_fee_every_s__gte", 60), ("time_fee_minor__gte", 0)),
                name="table_time_fee_sensible",
            ),
        ),
    ]
