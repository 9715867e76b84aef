"""An index for "the hands of this player": who was dealt in stands inside `seats`."""

from django.db import migrations

SQL = (
    "CREATE INDEX hand_players ON tables_hand"
    " USING gin (jsonb_path_query_array(seats, '$.*.player'))"
)


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_runtime")]

    operations = [migrations.RunSQL(SQL, "DROP INDEX hand_players")]
