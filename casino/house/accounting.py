"""What a house has done, counted from its database alone."""

from __future__ import annotations

from typing import Any

from django.db import connection

from wallets.proving import ledger_check

OPEN = "status IN ('open', 'finished')"

# A settled hand whose transfer moved other amounts than its result says: accounts by the net of
# their seats, or, in a banked round, by what came back of the stakes.
SETTLED_OTHERWISE = """
    SELECT count(*) FROM (
        SELECT h.id, (seat.facts ->> 'account')::bigint AS account_id,
            (seat.facts ->> 'bonus')::bigint AS bonus_id, sum(coalesce(
                (h.result -> CASE h.definition ->> 'family'
                    WHEN 'banked' THEN 'returned_minor' ELSE 'nets_minor'
                    END ->> seat.number)::bigint,
                0)) AS minor
            FROM tables_hand h CROSS JOIN LATERAL jsonb_each(h.seats) AS seat (number, facts)
            WHERE h.status = 'settled' GROUP BY h.id, account_id, bonus_id
    ) AS told
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(l.amount_minor), 0) AS minor
                FROM wallets_transfer t JOIN wallets_leg l ON l.transfer_id = t.id
                WHERE t.key = 'hand:' || told.id || ':settle'
                    AND l.account_id IN (told.account_id, told.bonus_id)
        ) AS moved
        WHERE moved.minor <> told.minor
"""

COUNTS = {
    "showdowns": """
        SELECT count(*) FROM tables_hand
            WHERE status = 'settled' AND (result ->> 'showdown')::boolean
    """,
    "side_pots": """
        SELECT count(*) FROM tables_hand
            WHERE status = 'settled' AND jsonb_array_length(result -> 'pots') > 1
    """,
    "timeouts": """
        SELECT count(*) FROM tables_event e, jsonb_array_elements(e.events::jsonb) AS one
            WHERE one -> 'public' -> 'default' = 'true'
    """,
    "cut_by_players": """
        SELECT count(*) FROM tables_cut WHERE purpose = 'deal' AND mode = 'players'
    """,
    "cuts_withheld": "SELECT count(*) FROM tables_cut WHERE reason = 'withheld'",
    # How long deals wait for the players' seeds, and how long after the last of them came.
    "deal_waits_ms": """
        SELECT coalesce(
                percentile_cont(0.5) WITHIN GROUP (ORDER BY ended_ms - listed_ms), 0)::bigint
            FROM tables_cut WHERE purpose = 'deal' AND mode = 'players'
    """,
    "deal_waits_after_the_last_seed_ms": """
        SELECT coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY ended_ms - (
                SELECT max(opened::bigint) FROM jsonb_array_elements_text(opened_ms) AS opened
            )), 0)::bigint
            FROM tables_cut WHERE purpose = 'deal' AND mode = 'players'
    """,
    "actions": "SELECT count(*) FROM tables_event WHERE action_id IS NOT NULL",
    "open_hands": f"SELECT count(*) FROM tables_hand WHERE {OPEN}",  # noqa: S608
    "voided": "SELECT count(*) FROM tables_hand WHERE status = 'voided'",
    "settled_twice": """
        SELECT count(*) FROM (
            SELECT hand_id FROM wallets_transfer WHERE kind = 'settle' AND hand_id IS NOT NULL
                GROUP BY hand_id HAVING count(*) > 1
        ) AS twice
    """,
    "settled_otherwise": SETTLED_OTHERWISE,
    "sparse_tables": """
        SELECT count(*) FROM tables_table t
            LEFT JOIN (
                SELECT table_id, sum(rows) AS rows, min(first) AS first, max(last) AS last FROM (
                    SELECT table_id, count(*) AS rows, min(seq) AS first, max(seq) AS last
                        FROM tables_event GROUP BY table_id
                    UNION ALL SELECT table_id, rows, first_seq, last_seq FROM tables_handarchive
                ) AS kept GROUP BY table_id
            ) AS e ON e.table_id = t.id
            WHERE t.seq <> coalesce(e.last, 0) OR e.rows <> e.last OR e.first <> 1
    """,
    # Money in the house less what came in by the cage: by a query over the legs.
    "chips_made": """
        SELECT coalesce(sum(l.amount_minor), 0) FROM wallets_leg l
            JOIN wallets_account a ON a.id = l.account_id
            JOIN wallets_transfer t ON t.id = l.transfer_id
            WHERE a.purpose <> 'cage'
                AND t.kind NOT IN ('deposit', 'withdrawal', 'float', 'tip', 'tips_paid')
    """,
    "stakes_left_in_play": """
        SELECT coalesce(sum(balance_minor), 0) - coalesce((
                SELECT sum((carry ->> 'carry_minor')::bigint) FROM tables_table
                WHERE jsonb_typeof(carry) = 'object'
            ), 0)
            FROM wallets_account WHERE purpose = 'in_play'
    """,
    "seats_held": "SELECT count(*) FROM wallets_account WHERE held_by IS NOT NULL",
}


def settled() -> int:
    return scalar("SELECT count(*) FROM tables_hand WHERE status = 'settled'")


def shown_down() -> int:
    return scalar(COUNTS["showdowns"])


def open_hands() -> int:
    return scalar(COUNTS["open_hands"])


def figures() -> dict[str, Any]:
    """Counts and checks of everything that stands in the books now."""
    counts: dict[str, Any] = {name: scalar(query) for name, query in COUNTS.items()}
    counts["events_dense"] = counts.pop("sparse_tables") == 0
    counts["chips_conserved"] = counts.pop("chips_made") == 0
    return {
        "hands_settled": settled(),
        "hands": hands_by_game(),
        **counts,
        "ledger": ledger_check().as_json(),
    }


def hands_by_game() -> dict[str, int]:
    return dict(
        rows(
            "SELECT game || CASE WHEN options ->> 'limit' IS NULL THEN ''"
            " ELSE ' ' || (options ->> 'limit') END, count(*) FROM tables_hand"
            " WHERE status = 'settled' GROUP BY 1 ORDER BY 1"
        )
    )


def faults(report: dict[str, Any]) -> list[str]:
    """What is wrong with a house that has come to rest; nothing when all is well."""
    wrong = [
        name
        for name in (
            "open_hands",
            "settled_twice",
            "settled_otherwise",
            "stakes_left_in_play",
            "seats_held",
        )
        if report[name]
    ]
    wrong += [name for name in ("events_dense", "chips_conserved", "showdowns") if not report[name]]
    return wrong + ([] if report["ledger"]["ok"] else ["ledger"])


def scalar(query: str) -> int:
    return int(rows(query)[0][0])


def rows(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found
