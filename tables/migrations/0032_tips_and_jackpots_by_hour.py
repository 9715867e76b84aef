from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0031_fewer_indexes")]

    operations = [
        migrations.AddField(
            model_name="tablehour",
            name=name,
            field=models.BigIntegerField(db_default=0, default=0, help_text=words),
        )
        for name, words in (
            ("tips_minor", "given to the dealers"),
            ("jackpot_in_minor", "what hands gave to jackpots"),
            ("jackpot_out_minor", "what jackpots paid to players"),
        )
    ]
