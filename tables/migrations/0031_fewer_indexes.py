from django.db import migrations, models
from django.db.models import PROTECT

# Rows that are written once more soon after: in place, if their page has room and no indexed
# column changes.
ROOM = """
ALTER TABLE tables_deck SET (fillfactor = 60);
ALTER TABLE tables_seedcommitment SET (fillfactor = 60);
"""
NO_ROOM = """
ALTER TABLE tables_deck RESET (fillfactor);
ALTER TABLE tables_seedcommitment RESET (fillfactor);
"""
# Whose first column a constraint's own index begins with.
DOUBLE = (
    ("cut", "table", "tables.table", "cuts"),
    ("deck", "table", "tables.table", "decks"),
    ("event", "table", "tables.table", "+"),
    ("hand", "table", "tables.table", "hands"),
    ("seedcommitment", "cut", "tables.cut", "commitments_given"),
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0030_opened_by")]

    operations = [
        migrations.RemoveIndex(model_name="table", name="table_deadline"),
        migrations.RemoveIndex(model_name="table", name="table_next_deal"),
        *(
            migrations.AlterField(
                model_name=model,
                name=field,
                field=models.ForeignKey(
                    db_index=False, on_delete=PROTECT, related_name=related, to=to
                ),
            )
            for model, field, to, related in DOUBLE
        ),
        migrations.RunSQL(ROOM, NO_ROOM),
    ]
