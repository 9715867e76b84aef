"""The only code that pushes to the tables' groups, always after commit."""

from tables import hub
from tables.frames import Row, frame


def publish(row: Row) -> None:
    hub.publish(row.table_id, row.seq, frame(row), row.private_seats)
