"""Forms of the console: each field has a label of its own, which the catalogue translates."""

from django import forms
from django.utils.functional import Promise

from casino.console import urls


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
