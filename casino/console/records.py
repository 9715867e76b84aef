"""What records are called: names of models and of their fields, what is said of these and what
they may be, in the reader's language.

They are written once, in English, where the models stand; here they become words of the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.contrib import admin
from django.utils.functional import lazy
from django.utils.translation import gettext as say
from django.utils.translation import gettext_lazy as _

OF_THE_HOUSE = ("core", "tables", "wallets")
MINOR = "_minor"


def names() -> list[str]:
    """Every name that a record's page may show, for who gathers the words."""
    return sorted({str(name) for name in _named()})


def _named() -> Iterator[object]:
    for config in map(apps.get_app_config, OF_THE_HOUSE):
        yield config.verbose_name
        for model in config.get_models():
            if model not in admin.site._registry:
                continue
            yield from (model._meta.verbose_name, model._meta.verbose_name_plural)
            for field in model._meta.fields:
                yield field_name(str(field.verbose_name))
                if field.help_text:
                    yield field.help_text
                yield from (label for _, label in field.choices or () if label)


def field_name(name: str) -> str:
    """Amounts are shown in the currency's units, so their names say nothing of the smallest."""
    return name.removesuffix(MINOR.replace("_", " "))


def _label_of(label: str) -> str:
    """A table that is open is not told as what a button does, which is one word in English."""
    return say("open").capitalize() if label == "Open" else say(label)


label_of = lazy(_label_of, str)


def translated() -> None:
    """From now on each of these names is looked up when it is shown."""
    for config in map(apps.get_app_config, OF_THE_HOUSE):
        config.verbose_name = _(str(config.verbose_name))
        for model in config.get_models():
            meta = model._meta
            meta.verbose_name = _(str(meta.verbose_name))
            meta.verbose_name_plural = _(str(meta.verbose_name_plural))
            for field in meta.local_fields:
                field.verbose_name = _(field_name(str(field.verbose_name)))
                if field.help_text:
                    field.help_text = _(str(field.help_text))
                if field.choices:
                    field.choices = [
                        (value, label_of(str(label))) for value, label in field.choices
                    ]
