"""The form a table is opened and revised with: every field of its kind, errors beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _

from casino.console.forms import AmountField
from casino.console.kinds import fields as kinds
from casino.console.kinds.fields import AMOUNT, CHOICE, FLAG, PERCENT, Field
from casino.console.kinds.reading import facts_read
from casino.console.refused import reason_told, sentence
from tables.engine.errors import BadOptions, RuleViolation
from tables.engine.games import GAMES, WITH_KILL_CARD, Game
from tables.engine.games.mixed import MIXES, MixedGame
from tables.models import Paytable, Table
from tables.services import clocks, floor

MOST_GAMES, MOST_LEVELS = 12, 6
USUAL_TIMING = {"action_s": 20, "betting_s": 15, "decision_s": 15, "name_game_s": 20, "agree_s": 10}
TIMING_WORDS = {
    "action_s": _("Seconds to act"),
    "betting_s": _("Seconds to bet"),
    "decision_s": _("Seconds to play or fold"),
    "name_game_s": _("Seconds to name a game"),
    "agree_s": _("Seconds to agree to it"),
    "pause_s": _("Seconds between hands"),
    "run_s": _("Seconds to agree to run it twice"),
    "show_s": _("Seconds to show or muck"),
    "cycle_s": _("Seconds from deal to deal, at least"),
    "time_bank_s": _("Time bank, seconds"),
    "time_bank_step_s": _("of it at once"),
    "time_bank_refill_s": _("given back each hand"),
    "disconnect_s": _("Lost connection: seconds a turn"),
    "disconnect_hand_s": _("a hand"),
    "disconnect_day_s": _("a day"),
    "connection_grace_s": _("Seconds until a connection counts as lost"),
    "protections_a_day": _("All-in protections a day"),
    "time_outs": _("Time-outs running before a player sits out"),
    "away_s": _("Seconds away before a player is stood up"),
    "away_orbits": _("Big blinds away before that"),
    "rathole_s": _("Seconds in which chips must be brought back"),
}
# Where a field of the form stands for what the rules name otherwise.
STANDS_FOR = {
    "blinds_minor": "big_blind_minor", "bets_minor": "small_bet_minor",
    "least_bet_minor": "min_bet_minor", "spread_minor": "spread_minor.0",
    "rake": "rake.basis_points", "caps_minor": "rake.caps_minor.2", "die_map": "die_map.0",
    "drop": "drop.amount_minor",
    "change": "change.count", "rake_basis_points": "rake.basis_points",
    "games": "games.0.game", "levels": "levels.0.small_bet_minor",
}  # fmt: skip


class Section(NamedTuple):
    """Fields that belong together. is_open: shown without being asked for."""

    title: str
    fields: list[BoundField]
    is_open: bool


def game_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Games by family, as a select shows them."""
    families = {"poker": _("Among players"), "banked": _("Against the house"),
                "bluff": _("Liar’s dice")}  # fmt: skip
    groups = [
        (str(words), [(g.id, g.name) for g in GAMES.values() if g.family == family])
        for family, words in families.items()
    ]
    groups.insert(1, (say("Mixed games"), [(mix.id, mix.name) for mix in MIXES.values()]))
    groups.append((say("With a kill card"), [(g.id, g.name) for g in WITH_KILL_CARD.values()]))
    return groups


class KindForm(forms.Form):
    """What a table of one game and currency is opened or revised with.

    stands: a table's or template's facts the form begins with. composed: the option that composes
    a game of the house's own. opening: whether a table is opened, or one that stands is revised.
    """

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        game_id: str,
        game: Game | MixedGame,
        currency: str,
        stands: Mapping[str, Any] | None = None,
        composed: Mapping[str, Any] | None = None,
        opening: bool = True,
        composition: Any = None,
    ) -> None:
        super().__init__(data, label_suffix="")
        self.game_id, self.game, self.currency = game_id, game, currency
        self.stands, self.composed, self.opening = dict(stands or {}), composed, opening
        self.composition = composition
        self.options = kinds.fields_of(game)
        self.facts: dict[str, Any] = {}
        self._base()
        for field in self.options:
            self.fields[f"o.{field.name}"] = self._made(field)
        if game.family == "mixed":
            self._rows_of_a_mix()
        self._timing()

    def _base(self) -> None:
        stands, seats, money = self.stands, self.game.seats, self._amount
        if self.opening:
            self.fields["name"] = forms.CharField(max_length=60, label=_("Name of the table"))
        chip = money(_("Smallest chip"), stands.get("chip_minor", 1))
        if not self.opening:
            chip.disabled = True
        self.fields["chip_minor"] = chip
        self.fields["max_seats"] = forms.IntegerField(
            label=_("Seats"), min_value=1, max_value=seats[-1],
            initial=stands.get("max_seats", min(seats[-1], 6 if seats[-1] < 9 else 9)),
        )  # fmt: skip
        self.fields["min_players"] = forms.IntegerField(
            label=_("Players to deal to"), min_value=seats[0], max_value=seats[-1],
            initial=max(seats[0], stands.get("min_players", 1 if seats[0] == 1 else 2)),
        )  # fmt: skip
        self.fields["buy_in_least_minor"] = money(
            _("Buy-in from"), stands.get("buy_in_least_minor")
        )
        self.fields["buy_in_most_minor"] = money(_("Buy-in to"), stands.get("buy_in_most_minor"))
        if self.game.family == "banked":
            self.fields["paytable"] = forms.ModelChoiceField(
                Paytable.objects.filter(game=self.game_id, status=Paytable.Status.APPROVED),
                label=_("Paytables, an approved version"), empty_label=None,
                initial=stands.get("options", {}).get("version"),
            )  # fmt: skip
            if self.opening:
                self.fields["float_minor"] = money(
                    _("Chips from the cage to the bank"), None, required=False, least_minor=0
                )
        self.fields["pit"] = forms.CharField(
            max_length=40, required=False, label=_("Pit"), initial=stands.get("pit", ""),
            help_text=_("Staff who are limited to pits see their own alone."),
            widget=forms.TextInput(attrs={"list": "pits"}),
        )  # fmt: skip
        if self.opening:
            self.fields["is_private"] = forms.BooleanField(
                required=False, label=_("Private: only for who brings its code")
            )
        self.fields["decks_per_hand"] = forms.IntegerField(
            label=_("Decks committed for each hand"), min_value=1,
            max_value=floor.DECKS_PER_HAND[-1], initial=stands.get("decks_per_hand", 4),
        )  # fmt: skip
        self.fields["reveal_ms"] = forms.IntegerField(
            label=_("Milliseconds players’ seeds are awaited"), min_value=floor.REVEAL_MS[0],
            max_value=floor.REVEAL_MS[-1], initial=stands.get("reveal_ms", 1_000),
        )  # fmt: skip
        self.fields["certified"] = forms.BooleanField(
            required=False, label=_("No player gives seeds (certified market)"),
            initial=stands.get("certified", False),
        )  # fmt: skip

    def _amount(self, label: Any, initial: int | None, **more: Any) -> AmountField:
        return AmountField(currency=self.currency, label=label, initial=initial, **more)

    def _made(self, field: Field) -> forms.Field:
        held = kinds.flat(self.stands.get("options", {}), field.name)
        initial = field.initial if held is None else held
        said: dict[str, Any] = {"label": field.words, "required": False}
        if field.kind == FLAG:
            if field.name == "winner_min" and self.stands:
                initial = held == "trips"
            if field.name.startswith("limits."):
                wager = field.name.split(".")[1]
                initial = wager in self.stands.get("options", {}).get("limits", {})
            return forms.BooleanField(initial=bool(initial), **said)
        if field.kind == CHOICE:
            return forms.ChoiceField(
                choices=field.choices, initial="" if initial is None else str(initial), **said
            )
        if field.kind == AMOUNT:
            made: forms.Field = AmountField(
                currency=self.currency, initial=initial, least_minor=0, **said
            )
        elif field.kind == PERCENT:
            made = forms.DecimalField(
                min_value=0, max_value=100, max_digits=5, decimal_places=2,
                initial=None if initial is None else Decimal(initial) / 100, **said,
            )  # fmt: skip
        else:
            made = forms.IntegerField(min_value=1, max_value=10_000, initial=initial, **said)
        if field.help:
            made.widget.attrs["placeholder"] = str(field.help)
        return made

    def _rows_of_a_mix(self) -> None:
        """A table's own list of games, and levels of its bets; empty rows are left out."""
        options = self.stands.get("options", {})
        every = [("", "–"), *((g.id, g.name) for g in GAMES.values() if g.family == "poker")]
        limits = [("", say("fixed limit")), *kinds.limit_choices(tuple(kinds.LIMITS))]
        for nth in range(MOST_GAMES):
            row = (options.get("games") or [])[nth : nth + 1]
            game, limit = (row[0]["game"], row[0].get("limit")) if row else ("", "")
            self.fields[f"games.{nth}.game"] = forms.ChoiceField(
                choices=every, required=False, initial=game, label=say("Game {0}").format(nth + 1)
            )
            self.fields[f"games.{nth}.limit"] = forms.ChoiceField(
                choices=limits, required=False, initial=limit,
                label=say("Limit of game {0}").format(nth + 1),
            )  # fmt: skip
        for nth in range(MOST_LEVELS):
            for name, words in (("small_bet_minor", _("Level {0}, small bet")),
                                ("big_blind_minor", _("Level {0}, big blind"))):  # fmt: skip
                self.fields[f"levels.{nth}.{name}"] = self._amount(
                    str(words).format(nth + 1), kinds.flat(options, f"levels.{nth}.{name}"),
                    required=False,
                )  # fmt: skip

    def _timing(self) -> None:
        timing = self.stands.get("timing", {})
        for name, (least, most) in floor.TIMING.items():
            usual = USUAL_TIMING.get(name, clocks.OPTIONS.get(name, (0, 0, 0))[2])
            self.fields[f"timing.{name}"] = forms.DecimalField(
                label=TIMING_WORDS.get(name, name.replace("_", " ")), required=False,
                min_value=least, max_value=most, initial=timing.get(name),
                widget=forms.NumberInput(attrs={"placeholder": f"{usual:g}", "step": "any"}),
            )  # fmt: skip

    def sections(self) -> Iterator[Section]:
        """The form as it is laid out."""
        shown = [n for n in ("name", "max_seats", "min_players", "chip_minor",
                 "buy_in_least_minor", "buy_in_most_minor", "pit", "is_private")
                 if n in self.fields]  # fmt: skip
        yield self._section(say("Table"), shown, True)
        bank = [name for name in ("paytable", "float_minor") if name in self.fields]
        if bank:
            yield self._section(say("Bank"), bank, True)
        for group, words in kinds.GROUPS.items():
            names = [f"o.{field.name}" for field in self.options if field.group == group]
            if names:
                is_open = group in (kinds.BETS, kinds.FORCED) or len(names) < 4
                yield self._section(str(words), names, is_open)
        rows = [name for name in self.fields if name.startswith(("games.", "levels."))]
        if rows:
            yield self._section(say("Games and levels of the table’s own"), rows, False)
        timing = [name for name in self.fields if name.startswith("timing.")]
        yield self._section(say("Clock"), timing, False)
        fair = ["decks_per_hand", "reveal_ms", "certified"]
        yield self._section(say("Fairness"), fair, False)

    def _section(self, title: str, names: Sequence[str], is_open: bool) -> Section:
        bound = [self[name] for name in names]
        limits = {f"o.{field.name}": " ".join(field.limits) for field in self.options}
        for each in bound:
            each.of_limits = limits.get(each.name, "")  # type: ignore[attr-defined]
            each.is_flag = isinstance(each.field, forms.BooleanField)  # type: ignore[attr-defined]
        return Section(title, bound, is_open or any(each.errors for each in bound))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        facts = facts_read(self, cleaned)
        try:
            options = floor.options_complete(self.game, facts["options"], facts["chip_minor"])
            floor.timing_checked(facts["timing"])
            name = cleaned.get("name", "–")
            tried = Table(**{**facts, "options": options, "name": name})
            floor.table_check(tried, cleaned.get("float_minor") or 0)
        except RuleViolation as error:
            self.refused(error)
        else:
            self.facts = {**facts, "options": options}
        return cleaned

    def refused(self, error: RuleViolation) -> None:
        """Put what the rules refuse beside the field it is about."""
        if not isinstance(error, BadOptions):
            self.add_error(None, sentence(error, self.currency))
            return
        field = self._field_of(error.option)
        said = (
            sentence(error, self.currency)
            if field is None
            else reason_told(error.reason, self.currency)
        )
        self.add_error(field, said)

    def _field_of(self, option: str) -> str | None:
        named = STANDS_FOR.get(option, option)
        names = (named, f"o.{named}", f"o.{named}.least_minor", f"o.{named}.on")
        return next((name for name in names if name in self.fields), None)
