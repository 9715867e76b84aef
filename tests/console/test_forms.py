"""Forms of the console: each field has a label of its own, which the catalogue translates."""

import pytest
from django import forms
from django.utils.functional import Promise

from casino.console import urls
from casino.console.forms import DayField


def classes(of: type[forms.BaseForm]) -> list[type[forms.BaseForm]]:
    found = [of]
    for each in of.__subclasses__():
        found += classes(each)
    return found


def test_every_field_of_a_form_has_a_label_in_the_readers_language() -> None:
    assert urls.urlpatterns  # all pages are read by now
    own = [each for each in classes(forms.Form) if each.__module__.startswith("casino.console")]
    assert len(own) > 20
    bare = [
        f"{each.__qualname__}.{name}"
        for each in own
        for name, field in each.base_fields.items()
        if not field.widget.is_hidden and not isinstance(field.label, (Promise, str))
    ]
    assert bare == []


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_day_at_an_end_of_the_calendar_is_none(day: str) -> None:
    with pytest.raises(forms.ValidationError):
        DayField().clean(day)


def test_no_form_takes_days_in_another_way() -> None:
    assert urls.urlpatterns
    days = [
        field
        for each in classes(forms.Form)
        if each.__module__.startswith("casino.console")
        for field in each.base_fields.values()
        if isinstance(field, forms.DateField)
    ]
    assert len(days) >= 7
    assert all(isinstance(field, DayField) for field in days)
