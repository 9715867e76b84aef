"""Games of the house's own: written down, tried by random hands, and only then opened.

Source: docs/rules/home.md 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from secrets import token_hex
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from casino.console.access import PAGES
from casino.console.errors import CompositionUntried
from casino.console.models import Composition, Job
from casino.console.working import Outcome, Progress, job_ask
from casino.core.errors import NameTaken
from casino.core.log import log
from casino.core.models import User
from casino.core.services import role_require
from tables.engine.errors import BadDefinition
from tables.engine.games import CUSTOM, named
from tables.engine.games.custom import warnings
from tables.engine.history.simulation import USUAL
from tables.engine.poker.vocabulary import PokerGame
from tables.engine.reasons import Reason
from tables.management.random_play import Run, Task, played

TRIAL = "composition.trial"
TRIAL_HANDS, HANDS_AT_ONCE = 2_000, 50


def game_of(option: Mapping[str, Any]) -> PokerGame:
    """The game that a table's option composes. Raises what makes it impossible to deal."""
    game = named(CUSTOM, {CUSTOM: option})
    assert isinstance(game, PokerGame)
    return game


def composition_save(
    *, name: str, base: str, changes: Mapping[str, Any], by: User, pk: int | None = None
) -> Composition:
    """Write a game down, or its next version, which has to be tried again.

    Raises RoleMissing, BadDefinition, UnknownGame, NameTaken.
    """
    role_require(by, PAGES["games.edit"])
    if not name.strip():
        raise BadDefinition(CUSTOM, Reason("name", most=60))
    made = Composition(name=name.strip(), base=base, changes=dict(changes), author=by)
    game_of(made.option)
    try:
        with transaction.atomic():
            if pk is None:
                made.save()
            else:
                known = Composition.objects.select_for_update().get(pk=pk)
                known.name, known.base, known.changes = made.name, base, made.changes
                known.version, known.trial = known.version + 1, None
                known.changed_at = timezone.now()
                known.save()
                made = known
            log(
                "game.composed", f"composition:{made.pk}", by,
                {"version": made.version, "base": base},
            )  # fmt: skip
    except IntegrityError as error:
        raise NameTaken("name") from error
    return made


def trial_ask(*, composition: Composition, by: User, hands: int = TRIAL_HANDS) -> Job:
    """Have random hands of a game played by a worker. Raises RoleMissing."""
    role_require(by, PAGES["games.edit"])
    asked = {"composition": composition.pk, "version": composition.version, "hands": hands,
             "option": composition.option}  # fmt: skip
    job = job_ask(kind=TRIAL, asked=asked, by=by, of=hands)
    Composition.objects.filter(pk=composition.pk, version=composition.version).update(trial=job)
    return job


def trial_play(job: Job, progress: Progress) -> Outcome:
    """Play random legal hands at any number of seats; every law is checked in each of them."""
    game, hands = game_of(job.asked["option"]), int(job.asked["hands"])
    seed, done, rows = token_hex(4), 0, []
    while done < hands:
        some = min(HANDS_AT_ONCE, hands - done)
        row = played(Task(Run(game, None, None, some), f"{seed}/{done}", USUAL, {}))
        rows.append(row)
        done += some
        progress(done, hands)
        if row["violation"]:
            break
    played_hands = sum(row["hands"] for row in rows)
    shown = sum(row["showdown_share"] * row["hands"] for row in rows)
    classes: dict[str, int] = {}
    for row in rows:
        for name, count in row["classes"].items():
            classes[name] = classes.get(name, 0) + count
    return Outcome(
        {
            "hands": played_hands,
            "showdown_percent": round(100 * shown / max(1, played_hands)),
            "actions": sum(row["actions"] for row in rows),
            "classes": dict(sorted(classes.items(), key=lambda item: -item[1])[:10]),
            "violation": rows[-1]["violation"] if rows else None,
            "seed": rows[-1]["seed"] if rows else "",
            "warnings": warnings(game),
        }
    )


def require_tried(composition: Composition) -> None:
    """Raises CompositionUntried."""
    if not composition.is_tried:
        raise CompositionUntried(composition.name)
