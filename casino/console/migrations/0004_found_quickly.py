"""Ways to rows that the console looks for among millions: entries by kind and person, hands by size.

What each hand writes to the log of its decks is left out of the index of kinds: nobody looks for it
by kind alone, and no hand should pay for it. A reader leaves it out in the same words to be led
there.
"""

from typing import ClassVar

from django.db import migrations

SQL = """
CREATE INDEX log_kind ON core_logentry (kind varchar_pattern_ops, id)
    WHERE NOT (kind::text LIKE 'cut.%');
CREATE INDEX log_actor ON core_logentry (actor_id, id) WHERE actor_id IS NOT NULL;

-- How many chips changed hands, in minor units: half of what all nets are without their signs.
-- Strict: a hand is written several times before it has a result.
CREATE FUNCTION hand_moved(result jsonb) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN (SELECT sum(abs(net::bigint)) / 2
        FROM jsonb_each_text(result -> 'nets_minor') AS nets (seat, net));
END $$;
REVOKE ALL ON FUNCTION hand_moved(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hand_moved(jsonb) TO app;
CREATE INDEX hand_size ON tables_hand (hand_moved(result), id);
"""
UNDO = """
DROP INDEX hand_size;
DROP FUNCTION hand_moved(jsonb);
DROP INDEX log_actor;
DROP INDEX log_kind;
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("console", "0003_alerts"),
        ("core", "0007_webhooks"),
        ("tables", "0026_specials"),
    ]

    operations: ClassVar = [migrations.RunSQL(SQL, UNDO)]
