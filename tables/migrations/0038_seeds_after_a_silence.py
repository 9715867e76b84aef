"""Whoever lost his line by the house's own silence has the time to come back before his seed counts
as withheld, as he has for a decision."""

from django.db import migrations

HELD = """
CREATE OR REPLACE FUNCTION tables_cuts_held() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_known timestamptz;
BEGIN
    SELECT max(ended) INTO v_known FROM tables_clocksheld
        WHERE ended > NEW.began AND id <> NEW.id;
    UPDATE tables_cut SET due = greatest(NEW.ended + interval '5 seconds', due
            + (NEW.ended - CASE WHEN due >= v_known THEN v_known ELSE NEW.began END))
        WHERE due >= NEW.began;
    RETURN NULL;
END $$;
"""
# Commitments outlast a silence: a list that is closed right after it holds seeds of people who are
# not back yet. One that ended later than now was judged by a clock that has been put right since.
LISTED = """
CREATE FUNCTION tables_cut_after_silence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.due := greatest(NEW.due, (SELECT max(ended) + interval '5 seconds' FROM tables_clocksheld
        WHERE ended <= clock_timestamp()));
    RETURN NEW;
END $$;
CREATE TRIGGER tables_cut_after_silence BEFORE UPDATE OF status ON tables_cut
    FOR EACH ROW WHEN (NEW.status = 'listed' AND OLD.status <> 'listed')
    EXECUTE FUNCTION tables_cut_after_silence();
"""
AS_BEFORE = """
DROP TRIGGER tables_cut_after_silence ON tables_cut;
DROP FUNCTION tables_cut_after_silence;
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0037_cuts_found_at_once")]

    operations = [
        migrations.RunSQL(HELD, migrations.RunSQL.noop),
        migrations.RunSQL(LISTED, AS_BEFORE),
    ]
