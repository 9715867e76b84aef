from pathlib import Path

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("wallets", "0009_fewer_indexes"),
    ]

    operations = [
        migrations.CreateModel(
            name="BonusWeight",
            fields=[
                (
                    "game",
                    models.CharField(
                        help_text="id in the catalogue of games",
                        max_length=60,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "weight_bp",
                    models.PositiveIntegerField(
                        help_text="Basis points of a stake that count: 10000 is all of it."
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("weight_bp__lte", 10000)),
                        name="bonus_weight_of_a_whole",
                    )
                ],
            },
        ),
        migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text()),
    ]
