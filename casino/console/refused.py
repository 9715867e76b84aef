"""What the house refuses, as a sentence in the reader's language.

A rule's error says its sentence in English, once, where the rule stands. Here that sentence is
read with holes in place of its facts, looked up in the catalogue and filled in again, amounts in
the currency's units: so no rule is worded twice, and none of the layers below speaks Polish. Where
one error has many reasons, the sentence of its reason is a fact that is read in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any, SupportsIndex

from django.utils.translation import gettext as say

from casino.console import errors as of_the_console
from casino.core.errors import CoreError, PitNotYours
from casino.core.money import units
from tables.engine.errors import NotYourTurn, RuleViolation
from tables.engine.reasons import SENTENCES, Reason
from tables.errors import TableError
from wallets.errors import WalletError
from wallets.models import Account
from wallets.selectors import exponents

REFUSALS = (RuleViolation, TableError, CoreError, WalletError)
HOLE = re.compile(r"\{\w+\}")
LEFT_AS_SAID: tuple[Any, ...] = ("", (), {}, None)


class Hole(str):
    """Stands for a fact while a sentence is made: however it is written, it writes its name."""

    def __repr__(self) -> str:
        return str(self)

    def __format__(self, spec: str) -> str:
        return str(self)

    def __iter__(self) -> Iterator[str]:
        return iter((str(self),))

    def isoformat(self) -> str:
        return str(self)

    def items(self) -> list[tuple[str, str]]:
        return [(str(self), "")]

    def replace(self, old: str, new: str, count: SupportsIndex = -1) -> str:
        return str(self)


def pattern_of(kind: type[Exception], left: Mapping[str, Any] | None = None) -> str:
    """The sentence of a kind of error with its facts as holes. left: facts to be said as they are.

    "seat 3 is taken" -> "seat {seat} is taken".
    """
    if not is_dataclass(kind):
        return ""
    holes = {field.name: Hole(f"{{{field.name}}}") for field in fields(kind)}
    return str(kind(**{**holes, **(left or {})}))


def patterns() -> list[str]:
    """Every sentence with which a rule of the house refuses, in words that can be translated."""
    found = [pattern_of(kind) for kind in kinds()]
    found += [pattern_of(NotYourTurn, {"waiting": ()}), pattern_of(PitNotYours, {"pit": ""})]
    found += SENTENCES.values()
    return [each for each in dict.fromkeys(found) if re.search("[a-z]", HOLE.sub("", each))]


def kinds() -> Iterator[type[Exception]]:
    """Every class of error of the rules, the tables, the core, the wallets and the console."""
    assert of_the_console  # read by now, so that its classes are there
    waiting: list[type[Exception]] = list(REFUSALS)
    while waiting:
        for kind in waiting.pop().__subclasses__():
            yield kind
            waiting.append(kind)


def sentence(error: Exception, currency: str = "") -> str:
    """currency: of the amounts in it, where the error does not say so itself."""
    text = _in_words(error, currency).strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def _in_words(error: Exception, currency: str) -> str:
    if not is_dataclass(error):
        return say(str(error)) if str(error) else type(error).__name__
    facts = {field.name: getattr(error, field.name) for field in fields(error)}
    left = {name: fact for name, fact in facts.items() if fact in LEFT_AS_SAID}
    pattern = pattern_of(type(error), left)
    if not pattern:
        return str(error)
    currency = _currency_of(facts) or currency
    told = {name: _told(name, fact, currency) for name, fact in facts.items()}
    return say(pattern).format(**told)


def _currency_of(facts: Mapping[str, Any]) -> str:
    if "currency" in facts:
        return str(facts["currency"])
    account = facts.get("account_id")
    if account is None:
        return ""
    found = Account.objects.filter(pk=account).values_list("currency_id", flat=True).first()
    return found or ""


def reason_told(reason: Reason, currency: str = "") -> str:
    """Why a rule refuses, or what a game should be warned of, in the reader's language.

    A fact in quotation marks is what somebody has typed, and stays that.
    """
    pattern = SENTENCES[reason.code]
    told = {
        name: str(fact) if f"'{{{name}}}'" in pattern else _told(name, fact, currency)
        for name, fact in reason.facts.items()
    }
    return say(pattern).format(**told)


def _told(name: str, fact: Any, currency: str) -> str:
    if isinstance(fact, Reason):
        return reason_told(fact, currency)
    if isinstance(fact, Mapping):
        inner = ((key, _told(f"{key}_minor", each, currency)) for key, each in fact.items())
        return ", ".join(f"{word(key)} {each}" for key, each in inner)
    if isinstance(fact, list | tuple):
        return ", ".join(_told(name, each, currency) for each in fact)
    if isinstance(fact, datetime):
        return f"{fact:%Y-%m-%d %H:%M} UTC"
    if isinstance(fact, int) and not isinstance(fact, bool) and name.endswith("_minor"):
        return _amount(fact, currency)
    return word(fact) if isinstance(fact, str) else str(fact)


def _amount(minor: int, currency: str) -> str:
    if not currency:
        return say("{0} in the smallest unit").format(minor)
    return f"{units(minor, exponents()[currency])} {currency}"


def word(text: str) -> str:
    """A code or a reason, where the catalogue has it."""
    if not text:
        return text
    found = say(text)
    plain = text.replace("_", " ")
    return found if found != text else say(plain)
