"""Every page of the console as a picture: wide and narrow, in both languages, light and dark.

The pictures lie in var/console-gallery for a person to look at. What needs no eyes is tested: no
page is wider than its screen, complains, or refuses.
"""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from casino.console import watching
from casino.core.models import Device, Role, User
from casino.core.seal import seal_new
from tests.cast import deal, holdem_table, person, three_card_table
from tests.console.cast import console_of, staff
from tests.console.test_access import READ, address, house  # noqa: F401 - the fixture
from tests.console.test_in_browser import beside_playwright  # noqa: F401 - the fixture
from tests.console.test_reports import round_played
from tests.tables.dealing_cast import played_out
from tests.web.conftest import browser  # noqa: F401 - the fixture
from wallets.gaming_day import gaming_day
from wallets.reconciling import reconcile

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser, pytest.mark.slow]
WHERE = Path(__file__).parents[2] / "var" / "console-gallery"
TALLEST = 2_400
# A part of a page, and figures for a program.
NO_PAGES = {"pit-tiles", "job"}


@pytest.fixture
def lived_in(house: dict[str, Any]) -> dict[str, Any]:  # noqa: F811
    """Tables in every state, rounds and hands played, somebody excluded, books counted."""
    cards = three_card_table("Opal", pit="West")
    players = [person(name) for name in ("Anna Zielińska", "Bartłomiej Kowalczyk", "Chris")]
    players[0].sits(cards)
    for wagers in ({"ante": 1_000, "pair_plus": 500}, {"ante": 2_000}, {"ante": 500}):
        round_played(cards, players[0], **wagers)
    deal(cards)
    ring = holdem_table("A table with quite a long name for its tile", pit="West")
    for player in players[1:]:
        player.sits(ring)
    for _ in range(2):
        hand = deal(ring)
        played_out(ring)
    settled = hand.pk
    deal(ring)
    Device.objects.create(
        name="Desk 2", table_id=ring.pk, enrolled_by=User.objects.get(display_name="Fay"),
        last_seen_at=timezone.now() - timedelta(seconds=60),
    )  # fmt: skip
    watching.watch()
    reconcile(day=gaming_day(timezone.now()))
    seal_new()
    return {
        **house,
        "settled": settled,
        "player": players[1].user.pk,
        "paytable": cards.paytable_id,
    }


def pages(lived_in: dict[str, Any]) -> dict[str, str]:
    found = {name: address(name, args, lived_in) for name, (args, _) in READ.items()}
    player, today = found["player"], gaming_day(timezone.now())
    found |= {f"player-{tab}": f"{player}?tab={tab}"
              for tab in ("statement", "hands", "devices", "log")}  # fmt: skip
    found |= {f"picture-{name}": f"/admin/pictures/?name={name}"
              for name in ("return", "hold", "flow", "seats", "displays")}  # fmt: skip
    found |= {f"new-{game}": f"/admin/tables/new/?game={game}"
              for game in ("holdem", "horse", "three_card_poker")}  # fmt: skip
    found |= {
        "reports": f"/admin/reports/?begins={today}&ends={today}&by=table&demo=on",
        "players": "/admin/players/?q=a", "cage": "/admin/cage/?q=a",
        "record-users": "/admin/core/user/", "record-transfers": "/admin/wallets/transfer/",
        "record-hand": f"/admin/tables/hand/{lived_in['settled']}/change/",
        "record-limits": "/admin/wallets/playerlimits/", "login": "/admin/login/?next=/admin/",
    }  # fmt: skip
    return {name: where for name, where in found.items() if name not in NO_PAGES}


@pytest.fixture
def looks(live_server: LiveServer, browser: Browser) -> Iterator[Any]:  # noqa: F811
    contexts = []

    def looked(people: dict[str, Any], width: int, language: str, theme: str) -> dict[str, Page]:
        found = {}
        for name, user in people.items():
            context = browser.new_context(
                base_url=live_server.url, viewport={"width": width, "height": 900},
                color_scheme=theme,
            )  # fmt: skip
            contexts.append(context)
            cookies = {settings.LANGUAGE_COOKIE_NAME: language}
            if user is not None:
                session = console_of(user).cookies[settings.SESSION_COOKIE_NAME].value
                cookies[settings.SESSION_COOKIE_NAME] = session
            context.add_cookies(
                [{"name": key, "value": value, "url": live_server.url}
                 for key, value in cookies.items()]
            )  # fmt: skip
            context.add_init_script(f"localStorage.setItem('_x_adminTheme', '\"{theme}\"')")
            found[name] = context.new_page()
        return found

    yield looked
    for context in contexts:
        context.close()


@pytest.mark.parametrize("width", [1440, 390])
def test_every_page_fits_every_screen_in_both_languages_and_lights(
    looks: Any, lived_in: dict[str, Any], width: int
) -> None:
    WHERE.mkdir(parents=True, exist_ok=True)
    people = {"all": staff(Role.ADMIN, "Adela"), "watcher": staff(Role.SURVEILLANCE, "Sonia"),
              "nobody": None}  # fmt: skip
    faults: list[str] = []
    for language in ("en", "pl"):
        for theme in ("light", "dark"):
            by = looks(people, width, language, theme)
            for page in by.values():
                page.on("pageerror", lambda error: faults.append(str(error)))
            for name, where in pages(lived_in).items():
                _, roles = READ.get(name, ((), {Role.ADMIN}))
                who = "all" if Role.ADMIN in roles else "watcher"
                page = by["nobody" if name == "login" else who]
                answer = page.goto(where, wait_until="load")
                look = f"{name}.{width}.{language}.{theme}"
                if answer is None or answer.status != 200:
                    faults.append(f"{look}: {answer and answer.status}")
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                if wide > 0:
                    faults.append(f"{look}: {wide} px wider than the screen")
                tall = page.evaluate("document.documentElement.scrollHeight")
                page.screenshot(
                    path=WHERE / f"{look}.png", full_page=True,
                    clip={"x": 0, "y": 0, "width": width, "height": min(tall, TALLEST)},
                )  # fmt: skip
    assert faults == []
