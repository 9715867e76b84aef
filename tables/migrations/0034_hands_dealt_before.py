"""Who was dealt in to the hands of before; the index that found them is needed no more."""

from django.db import migrations

FILLED = """
INSERT INTO tables_dealt (player_id, hand_id)
    SELECT DISTINCT (seat.facts ->> 'player')::bigint, h.id
    FROM tables_hand h CROSS JOIN LATERAL jsonb_each(h.seats) AS seat (number, facts)
    ON CONFLICT DO NOTHING
"""
INDEX = (
    "CREATE INDEX CONCURRENTLY hand_players ON tables_hand"
    " USING gin (jsonb_path_query_array(seats, '$.*.player'))"
)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tables", "0033_archive")]

    operations = [
        migrations.RunSQL(FILLED, migrations.RunSQL.noop),
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS hand_players", INDEX),
    ]
