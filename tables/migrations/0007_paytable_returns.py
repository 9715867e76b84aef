import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0006_paytables"),
    ]

    operations = [
        migrations.CreateModel(
            name="PaytableReturn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("wager", models.CharField(max_length=40)),
                ("spots", models.BigIntegerField(default=0)),
                ("staked_minor", models.BigIntegerField(default=0)),
                ("net_minor", models.BigIntegerField(default=0, help_text="won by players")),
                ("expected_minor", models.DecimalField(decimal_places=6, default=0, max_digits=40)),
                ("variance", models.DecimalField(decimal_places=6, default=0, max_digits=60)),
                (
                    "outside_since",
                    models.DateTimeField(
                        help_text="left the band, and an alert told so", null=True
                    ),
                ),
                (
                    "paytable",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="returns",
                        to="tables.paytable",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="returns",
                        to="tables.table",
                    ),
                ),
            ],
            options={
                "ordering": ["table", "-paytable", "wager"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("table", "paytable", "wager"), name="paytable_return_once"
                    )
                ],
            },
        ),
        migrations.RunSQL(
            "GRANT SELECT, INSERT, UPDATE ON tables_paytablereturn TO app;"
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO app;"
        ),
    ]
