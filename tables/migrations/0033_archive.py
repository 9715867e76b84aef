from pathlib import Path

import django.contrib.postgres.fields
from django.conf import settings
from django.db import migrations, models
from django.db.models import PROTECT

# The version before goes on while this is made: it reads events of hands that nobody packs yet.
BACK = """
DROP TRIGGER tables_hand_dealt ON tables_hand;
DROP FUNCTION tables_ids_taken, tables_hand_dealt, tables_hands_unpacked, tables_hands_pack;
DROP TRIGGER tables_event_moved ON tables_event;
CREATE TRIGGER tables_event_stands BEFORE DELETE ON tables_event
    FOR EACH ROW EXECUTE FUNCTION tables_history_stands();
DROP FUNCTION tables_event_moved, tables_events_of, tables_events_packed;
"""


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tables", "0032_tips_and_jackpots_by_hour"),
    ]

    operations = [
        migrations.CreateModel(
            name="HandArchive",
            fields=[
                (
                    "hand",
                    models.OneToOneField(
                        on_delete=PROTECT,
                        primary_key=True,
                        related_name="archive",
                        serialize=False,
                        to="tables.hand",
                    ),
                ),
                ("rows", models.IntegerField()),
                ("first_seq", models.BigIntegerField()),
                ("last_seq", models.BigIntegerField()),
                ("events", models.TextField()),
                (
                    "private",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BinaryField(null=True), size=None
                    ),
                ),
                ("packed_at", models.DateTimeField()),
                (
                    "table",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=PROTECT,
                        related_name="+",
                        to="tables.table",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Dealt",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "player_id",
                        "hand_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "hand",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=PROTECT,
                        related_name="dealt",
                        to="tables.hand",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.RunSQL(Path(__file__).with_suffix(".sql").read_text(), BACK),
    ]
