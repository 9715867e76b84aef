"""What a wallet that stands in for ours must do, checked from outside by its answers alone.

Every check uses transactions of its own and gives back what it has taken. Source:
docs/operator_wallet.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from uuid import uuid4

from wallets.operators import OK, REFUSED, Answer, Asked, Port

CHECKED_MINOR = 100


@dataclass(frozen=True, slots=True)
class Checked:
    """fault: what was wrong, "" if nothing was."""

    rule: str
    fault: str = ""


class Contract:
    """The rules, each a method, against one wallet and a player who has CHECKED_MINOR there."""

    def __init__(self, port: Port, unsigned: Port, player: str, currency: str) -> None:
        self.port = port
        self.unsigned = unsigned
        self.player = player
        self.currency = currency

    def rules(self) -> list[Callable[[], str]]:
        return [
            self.a_balance_is_told,
            self.a_debit_takes_once_however_often_it_is_asked,
            self.an_id_stands_for_one_amount,
            self.nobody_spends_what_he_has_not_got,
            self.a_rollback_gives_back_once,
            self.a_rollback_comes_before_its_debit,
            self.a_credit_gives_once_however_often_it_is_asked,
            self.a_stranger_moves_nothing,
            self.an_unknown_player_is_refused,
        ]

    def asked(self, minor: int = CHECKED_MINOR) -> Asked:
        return Asked(uuid4(), self.player, self.currency, minor)

    def held(self) -> int:
        told = self.port.balance(self.player, self.currency).balance_minor
        return -1 if told is None else told

    def a_balance_is_told(self) -> str:
        told = self.port.balance(self.player, self.currency)
        enough = (told.balance_minor or 0) >= CHECKED_MINOR
        return "" if told.status == OK and enough else f"{told}, {CHECKED_MINOR} are needed"

    def a_debit_takes_once_however_often_it_is_asked(self) -> str:
        before, asked = self.held(), self.asked()
        answers = [self.port.debit(asked) for _ in range(3)]
        after = self.held()
        self.port.rollback(asked)
        return _all_ok(answers) or _same(after, before - CHECKED_MINOR)

    def an_id_stands_for_one_amount(self) -> str:
        before, asked = self.held(), self.asked()
        self.port.debit(asked)
        other = self.port.debit(replace(asked, amount_minor=CHECKED_MINOR - 1))
        after = self.held()
        self.port.rollback(asked)
        return _refused(other) or _same(after, before - CHECKED_MINOR)

    def nobody_spends_what_he_has_not_got(self) -> str:
        before = self.held()
        told = self.port.debit(self.asked(before + 1))
        return _refused(told) or _same(self.held(), before)

    def a_rollback_gives_back_once(self) -> str:
        before, asked = self.held(), self.asked()
        self.port.debit(asked)
        answers = [self.port.rollback(asked) for _ in range(3)]
        return _all_ok(answers) or _same(self.held(), before)

    def a_rollback_comes_before_its_debit(self) -> str:
        before, asked = self.held(), self.asked()
        answers = [self.port.rollback(asked)]
        late = self.port.debit(asked)
        return _all_ok(answers) or _refused(late) or _same(self.held(), before)

    def a_credit_gives_once_however_often_it_is_asked(self) -> str:
        before, taken, given = self.held(), self.asked(), self.asked()
        self.port.debit(taken)
        answers = [self.port.credit(given) for _ in range(3)]
        return _all_ok(answers) or _same(self.held(), before)

    def a_stranger_moves_nothing(self) -> str:
        before, asked = self.held(), self.asked()
        answers = [self.unsigned.debit(asked), self.unsigned.credit(asked)]
        taken = [answer for answer in answers if answer.status == OK]
        return f"{taken}" if taken else _same(self.held(), before)

    def an_unknown_player_is_refused(self) -> str:
        return _refused(self.port.debit(replace(self.asked(), player=f"nobody-{uuid4()}")))

    def checked(self) -> Iterator[Checked]:
        for rule in self.rules():
            yield Checked(rule.__name__.replace("_", " "), rule())


def _all_ok(answers: list[Answer]) -> str:
    return next((f"{answer}" for answer in answers if answer.status != OK), "")


def _refused(answer: Answer) -> str:
    return "" if answer.status == REFUSED else f"{answer} in place of a refusal"


def _same(found: int, due: int) -> str:
    return "" if found == due else f"the balance is {found} in place of {due}"
