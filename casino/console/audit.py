"""The sealed log as people read it: who did what to what, from where, why, and what it was before.

Source: standards LOG-01 to LOG-04.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _

from casino.core.models import Approval, LogEntry, LogOrigin, LogSeal, User
from tables.models import Hand, Table
from wallets.models import LimitChange

# The significant events of LOG-01, by what they are about; each is a beginning of a kind.
SIGNIFICANT: dict[str, tuple[Any, tuple[str, ...]]] = {
    "sign_in": (_("Sign-ins that failed, second factors"),
                ("sign_in.refused", "second_factor.", "dealer.pin_", "device.claimed")),
    "errors": (_("Errors and outages"),
               ("reconciliation.difference", "payments.difference", "log.altered", "entropy.",
                "schedule.refused", "house.", "files.", "alert.")),
    "large": (_("Large wins, wagers and cash"),
              ("cash.", "cage.", "alert.large_", "jackpot.")),
    "overrides": (_("Overrides, corrections, voids"),
                  ("hand.voided", "hand.reversed", "approval.", "wallet.", "limits.", "bonus.",
                   "bets.closed_early", "hand.flagged")),
    "changes": (_("Changes of games, paytables, stakes"),
                ("table.", "paytable.", "game.", "template.", "policy.", "jackpot.", "band.",
                 "house.", "device.", "webhook.", "exchange.")),
    "people": (_("Personal data and roles"), ("user.", "player.", "token.", "watching.")),
    "floor": (_("Dealers and the floor"),
              ("shift.", "floor.", "payouts.", "pairs.", "hand.reported")),
    "cards": (_("Hidden cards seen"), ("hand.cards_seen",)),
    "reports": (_("Reports, exports, day close"), ("report.", "day.", "job.")),
}  # fmt: skip
OF_DECKS = "cut."
TOLD_APART = ("before", "after", "reason", "fields")


@dataclass(frozen=True)
class Query:
    """What entries are looked for by; what is empty does not count."""

    area: str = ""
    kind: str = ""
    subject: str = ""
    actor: str = ""
    begins: datetime | None = None
    ends: datetime | None = None


@dataclass(frozen=True)
class Change:
    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Line:
    """One entry with what stands beside it. seal: the number of its seal, None while it waits."""

    entry: LogEntry
    who: str
    role: str
    address: str
    about: str
    link: str
    reason: str
    changes: list[Change]
    facts: dict[str, Any]
    seal: int | None


def entries_like(query: Query) -> QuerySet[LogEntry]:
    """Entries, newest first by id."""
    wanted = Q()
    if query.area in SIGNIFICANT:
        beginnings = SIGNIFICANT[query.area][1]
        wanted &= Q(*(("kind__startswith", one) for one in beginnings), _connector=Q.OR)
    if query.kind:
        wanted &= Q(kind__startswith=query.kind)
    if query.subject:
        wanted &= Q(subject=query.subject)
    if query.actor:
        wanted &= Q(actor_id__in=_people_like(query.actor))
    if query.begins is not None:
        wanted &= Q(at__gte=query.begins)
    if query.ends is not None:
        wanted &= Q(at__lt=query.ends)
    if query.area in SIGNIFICANT or (query.kind and not query.kind.startswith(OF_DECKS)):
        wanted &= ~Q(kind__startswith=OF_DECKS)  # in the words of the index `log_kind`
    return LogEntry.objects.filter(wanted)


def _people_like(words: str) -> list[int]:
    wanted = Q(display_name__icontains=words) | Q(username__icontains=words)
    if words.isdecimal() and len(words) < 19:
        wanted |= Q(pk=int(words))
    return list(User.objects.filter(wanted).values_list("pk", flat=True)[:200])


def lines_of(entries: Iterable[LogEntry]) -> list[Line]:
    """Entries with names, places and seals; the same few queries however many they are."""
    found = list(entries)
    people = User.objects.in_bulk({each.actor_id for each in found if each.actor_id})
    origins = LogOrigin.objects.in_bulk([each.pk for each in found])
    asked = Approval.objects.in_bulk({*_numbers(found, "approval"), *_given(found, "approval")})
    tables = Table.objects.in_bulk(set(_numbers(found, "table")))
    hands = (
        Hand.objects.select_related("table")
        .only("number", "table__name")
        .in_bulk(set(_numbers(found, "hand")))
    )
    players = User.objects.in_bulk(set(_numbers(found, "user")))
    seals = list(
        LogSeal.objects.filter(to_id__gte=min((each.pk for each in found), default=0),
                               from_id__lte=max((each.pk for each in found), default=0))
        .values_list("from_id", "to_id", "id")
    )  # fmt: skip
    limits = LimitChange.objects.in_bulk(set(_given(found, "change")))
    named: dict[str, Mapping[int, Any]] = {"table": tables, "hand": hands, "user": players,
                                           "approval": asked, "change": limits}  # fmt: skip
    return [_line(each, people, origins, named, seals) for each in found]


def _numbers(entries: Iterable[LogEntry], thing: str) -> Iterable[int]:
    for entry in entries:
        kind, _, number = entry.subject.partition(":")
        if kind == thing and number.isdecimal() and len(number) < 19:
            yield int(number)


def _given(entries: Iterable[LogEntry], name: str) -> Iterable[int]:
    """The rows that facts name: the request by which a deed was done, a change of a limit."""
    for entry in entries:
        number = entry.facts.get(name) if isinstance(entry.facts, dict) else None
        if isinstance(number, int):
            yield number


def _line(
    entry: LogEntry,
    people: Mapping[int, User],
    origins: Mapping[int, LogOrigin],
    named: Mapping[str, Mapping[int, Any]],
    seals: list[tuple[int, int, int]],
) -> Line:
    who, origin = people.get(entry.actor_id or 0), origins.get(entry.pk)
    thing, _, number = entry.subject.partition(":")
    found = named.get(thing, {}).get(int(number)) if number.isdecimal() else None
    facts = entry.facts if isinstance(entry.facts, dict) else {}
    reason = str(facts.get("reason", ""))
    if not reason:
        told = (
            found if thing == "approval" else None,
            *(named[name].get(facts.get(name) or 0) for name in ("approval", "change")),
        )
        reason = next((each.reason for each in told if each is not None), "")
    return Line(
        entry=entry,
        who=str(who) if who else (say("the house") if entry.actor_id is None else "–"),
        role=origin.role if origin else (who.role if who else ""),
        address=origin.address if origin else "",
        about=_about(thing, number, found),
        link=LINKS[thing].format(number) if thing in LINKS and number.isdecimal() else "",
        reason=reason,
        changes=changes_of(facts),
        facts={name: value for name, value in facts.items() if name not in TOLD_APART},
        seal=next((nth for first, last, nth in seals if first <= entry.pk <= last), None),
    )


LINKS = {
    "table": "/admin/tables/{0}/", "hand": "/admin/hands/{0}/", "approval": "/admin/approvals/{0}/",
    "paytable": "/admin/paytables/{0}/", "composition": "/admin/games/{0}/",
}  # fmt: skip


def _about(thing: str, number: str, found: Any) -> str:
    if found is None:
        return f"{say(thing)} {number}".strip()
    if isinstance(found, Hand):
        return say("hand {0:,} at {1}").format(found.number, found.table)
    if isinstance(found, Approval):
        return say("request {0}").format(number)
    return f"{say(thing)} {found}"


def changes_of(facts: Mapping[str, Any]) -> list[Change]:
    """What a deed changed, field by field; of nested values only the fields that differ."""
    before, after = facts.get("before"), facts.get("after")
    if isinstance(before, str) and isinstance(after, str) and "what" in facts:
        return [Change(say(str(facts["what"]).replace("_", " ")), before or "–", after or "–")]
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return []
    return list(_differing("", before, after))


def _differing(path: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[Change]:
    for name in dict.fromkeys([*before, *after]):
        was, now = before.get(name), after.get(name)
        if was == now:
            continue
        where = f"{path}{name}".replace("_minor", "").replace("_", " ")
        if isinstance(was, Mapping) and isinstance(now, Mapping):
            yield from _differing(f"{path}{name}, ", was, now)
        else:
            yield Change(where, _plain(was), _plain(now))


def _plain(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(_plain(each) for each in value) or "–"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_plain(held)}" for name, held in value.items()) or "–"
    return "–" if value in (None, "") else str(value)


def state() -> dict[str, Any]:
    """How far the log is sealed."""
    last = LogSeal.objects.order_by("-id").first()
    newest = LogEntry.objects.aggregate(last=Max("id"))["last"] or 0
    sealed_to = last.to_id if last else 0
    return {"seal": last, "newest": newest, "waiting": max(0, newest - sealed_to)}


COLUMNS = ("id", "at", "actor", "name", "role", "address", "kind", "subject", "reason", "changes",
           "facts", "seal", "content sha256")  # fmt: skip


def cells(line: Line) -> list[Any]:
    """A line as COLUMNS name it."""
    entry = line.entry
    changes = "; ".join(f"{each.name}: {each.before} -> {each.after}" for each in line.changes)
    return [
        entry.pk, entry.at.isoformat(), entry.actor_id, line.who, line.role, line.address,
        entry.kind, entry.subject, line.reason, changes, _plain(line.facts), line.seal,
        bytes(entry.content_hash).hex(),
    ]  # fmt: skip
