"""Fields as people fill them in: amounts in the currency's own units, days of the calendar."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as say

from casino.core.money import minor_of, units_plain
from wallets.models import MOST_MINOR
from wallets.selectors import exponents

FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2999, 12, 31)


class DayField(forms.DateField):
    """A day that has others before and after it."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
        edges = [MinValueValidator(FIRST_DAY), MaxValueValidator(LAST_DAY)]
        super().__init__(widget=widget, validators=edges, **kwargs)


class AmountField(forms.CharField):
    """An amount of a currency that is known when the form is made; its value is minor units."""

    def __init__(
        self, *, currency: str, least_minor: int = 1, most_minor: int = MOST_MINOR, **kwargs: Any
    ) -> None:
        self.currency, self.least_minor, self.most_minor = currency, least_minor, most_minor
        self.exponent = exponents()[currency]
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(widget=widget, **{"label": say("Amount, {0}").format(currency), **kwargs})

    def clean(self, value: Any) -> int | None:
        if self.disabled and isinstance(value, int):  # nobody typed it
            return value
        typed = super().clean(value)
        if not typed:
            return None
        try:
            minor = minor_of(typed, self.exponent)
        except ValueError as error:
            words = say("That is no amount with at most {0} decimal places")
            raise forms.ValidationError(words.format(self.exponent)) from error
        if not self.least_minor <= minor <= self.most_minor:
            least, most = (
                units_plain(edge, self.exponent) for edge in (self.least_minor, self.most_minor)
            )
            raise forms.ValidationError(
                say("between {0} and {1} {2}").format(least, most, self.currency)
            )
        return minor

    def prepare_value(self, value: Any) -> Any:
        return units_plain(value, self.exponent) if isinstance(value, int) else value
