"""Furnishing a demo house: staff, a person's account, house players, tables and their displays.

Everything is looked for by its name first, so furnishing twice adds nothing.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from hashlib import sha256
from random import Random
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction

from casino.core.devices import device_enrol, device_token
from casino.core.log import log
from casino.core.models import Device, Role, User
from casino.core.services import tokens_revoke_all
from casino.house.players import CURRENCY
from tables.engine.games import GAMES, named
from tables.engine.games.three_card_poker import STANDARD_PAYTABLES
from tables.engine.poker.vocabulary import FIXED, PokerGame
from tables.models import Table
from tables.services.floor import table_open
from wallets import services as wallets

Timing = Mapping[str, float]

DEMO_PASSWORD = "croupier-demo"  # noqa: S105 - printed at every start; only for 127.0.0.1
PERSON_PURSE_MINOR = 100_000
PLAYER_PURSE_MINOR = 2_000_000
BANK_FLOAT_MINOR = 5_000_000


@dataclass(frozen=True)
class Account:
    username: str
    display_name: str
    role: Role


STAFF = (
    Account("admin", "Administrator", Role.ADMIN),
    Account("floor", "Floor", Role.FLOOR),
    Account("pit", "Pit manager", Role.PIT_MANAGER),
    Account("cage", "Cage", Role.CAGE),
    Account("finance", "Finance", Role.FINANCE),
    Account("compliance", "Compliance", Role.COMPLIANCE),
    Account("maths", "Game maths", Role.GAME_MATHS),
    Account("surveillance", "Surveillance", Role.SURVEILLANCE),
    Account("dealer", "Dealer", Role.DEALER),
)
PERSON = Account("player", "Guest", Role.PLAYER)
HOUSE_PLAYERS = tuple(
    Account(f"house{number:02}", name, Role.PLAYER)
    for number, name in enumerate(
        (
            "Amelia R", "Bruno", "Celia W", "Dario", "Edith M", "Felix K", "Greta", "Hugo P",
            "Irena", "Jasper", "Kasia Z", "Leo B", "Mira", "Nils A", "Olga T", "Piotr",
            "Quentin", "Rosa V", "Stefan", "Tilda", "Ulrich", "Vera N", "Wojtek", "Zofia L",
            "Adam S", "Bela", "Ciara", "Denis O", "Ewa", "Finn T", "Gosia P", "Henryk",
            "Ines M", "Jonas W", "Klara", "Lukas D",
        ),
        start=1,
    )
)  # fmt: skip


@dataclass(frozen=True)
class Furniture:
    """A table of the demo floor. stakes: the options of its game; amounts in minor units."""

    name: str
    game: str
    max_seats: int
    buy_in: tuple[int, int]
    stakes: Mapping[str, Any]
    chip_minor: int = 1
    min_players: int = 2


def blinds(small: int, big: int, **more: Any) -> dict[str, Any]:
    return {"small_blind_minor": small, "big_blind_minor": big, **more}


def wager(least: int, most: int, step: int = 100) -> dict[str, int]:
    return {"least_minor": least, "most_minor": most, "step_minor": step}


def three_card_stakes(least: int, most: int) -> dict[str, Any]:
    """Limits for a table with the house's own paytables, the first of each wager."""
    offered = ("ante_bonus", "pair_plus", "six_card")
    return {
        "spots_per_player": 3,
        "limits": {
            "ante": wager(least, most),
            "pair_plus": wager(100, most // 2),
            "six_card": wager(100, most // 4),
        },
        "paytables": {name: next(iter(STANDARD_PAYTABLES[name].values())) for name in offered},
    }


def every_ring_game(seats: int) -> list[dict[str, str]]:
    """Every poker game that deals to so many, at its first limit, as a mix lists them."""
    return [
        {"game": game.id, "limit": FIXED if FIXED in game.limits else game.limits[0]}
        for game in GAMES.values()
        if isinstance(game, PokerGame) and seats in game.seats
    ]


RAKE = {"basis_points": 500, "caps_minor": {"2": 100, "4": 300}, "no_flop_no_drop": True}
FURNITURE = (
    Furniture(
        "Amber",
        "holdem",
        max_seats=6,
        buy_in=(1_000, 20_000),
        stakes=blinds(50, 100, limit="no_limit"),
        chip_minor=50,
    ),
    Furniture(
        "Birch",
        "holdem",
        max_seats=9,
        buy_in=(2_000, 40_000),
        stakes=blinds(
            100,
            200,
            limit="no_limit",
            rake=RAKE,
            straddle="left",
            runs=2,
            show_window=True,
            rabbit=True,
            bomb_pot={"ante_minor": 400, "boards": 2, "every_hands": 8},
        ),
        chip_minor=100,
    ),
    Furniture(
        "Cedar",
        "holdem",
        max_seats=6,
        buy_in=(2_000, 20_000),
        stakes=blinds(
            100,
            200,
            limit="fixed",
            small_bet_minor=200,
            big_bet_minor=400,
            kill={"size": "full", "after": "two_in_a_row"},
        ),
        chip_minor=100,
    ),
    Furniture(
        "Duel",
        "holdem",
        max_seats=2,
        buy_in=(1_000, 20_000),
        stakes=blinds(50, 100, limit="no_limit"),
        chip_minor=50,
    ),
    Furniture(
        "Elm",
        "omaha",
        max_seats=6,
        buy_in=(1_000, 20_000),
        stakes=blinds(50, 100, limit="pot"),
        chip_minor=50,
    ),
    Furniture(
        "Fern",
        "horse",
        max_seats=6,
        buy_in=(2_000, 20_000),
        stakes={"small_bet_minor": 200, "change": {"every": "orbits", "count": 1}},
        chip_minor=20,
    ),
    Furniture(
        "Gorse",
        "horse",
        max_seats=6,
        buy_in=(2_000, 20_000),
        stakes={
            "small_bet_minor": 200,
            "change": {"every": "hands", "count": 1},
            "games": every_ring_game(6),
        },
        chip_minor=20,
    ),
    Furniture(
        "Choice",
        "dealers_choice",
        max_seats=6,
        buy_in=(2_000, 20_000),
        stakes={
            "small_bet_minor": 200,
            "games": [
                {"game": "holdem", "limit": "no_limit"},
                {"game": "omaha8"},
                {"game": "crazy_pineapple"},
                {"game": "stud"},
                {"game": "razz"},
                {"game": "five_card_draw"},
                {"game": "gardena_jackpots"},
                {"game": "triple_draw_27"},
                {"game": "badugi"},
                {"game": "spit_in_the_ocean"},
                {"game": "anaconda"},
                {"game": "stud+kill_card"},
            ],
        },
        chip_minor=20,
    ),
    Furniture(
        "Hazel",
        "bluff_common",
        max_seats=6,
        buy_in=(1_000, 5_000),
        stakes={"ante_minor": 200},
        chip_minor=100,
    ),
    Furniture(
        "Three Card 1",
        "three_card_poker",
        max_seats=7,
        buy_in=(5_000, 50_000),
        stakes=three_card_stakes(500, 10_000),
        chip_minor=100,
        min_players=1,
    ),
    Furniture(
        "Three Card 2",
        "three_card_poker",
        max_seats=7,
        buy_in=(2_000, 20_000),
        stakes=three_card_stakes(200, 4_000),
        chip_minor=100,
        min_players=1,
    ),
)

# Liar's dice of short hands, which a mix has besides.
SHORT = tuple(
    Furniture(
        name,
        game,
        max_seats=4,
        buy_in=(1_000, 5_000),
        stakes={"ante_minor": 200, **stakes},
        chip_minor=100,
    )
    for name, game, stakes in (
        ("Ivy", "bluff_common", {"loss": "ante"}),
        ("Juniper", "bluff_common", {"loss": "out"}),
        ("Laurel", "bluff_hand", {"lives": 1}),
    )
)

CALM: Timing = {
    "action_s": 20, "betting_s": 15, "decision_s": 15, "name_game_s": 20, "agree_s": 10,
    "time_bank_s": 30, "disconnect_s": 20, "time_outs": 2, "away_s": 900, "away_orbits": 3,
}  # fmt: skip
QUICK: Timing = {
    "action_s": 2, "betting_s": 1, "decision_s": 1, "name_game_s": 2, "agree_s": 2, "pause_s": 0.2,
    "time_bank_s": 2, "time_bank_step_s": 1, "time_outs": 3, "away_orbits": 3,
}  # fmt: skip
RESTLESS: Timing = {
    "action_s": 5, "betting_s": 4, "decision_s": 4, "name_game_s": 4, "agree_s": 3, "pause_s": 0.5,
    "time_bank_s": 4, "time_bank_step_s": 2, "disconnect_s": 4, "connection_grace_s": 3,
    "time_outs": 3, "away_orbits": 3,
}  # fmt: skip
LINGERING: Timing = {**RESTLESS, "pause_s": 2}
TIMING = {"calm": CALM, "quick": QUICK, "restless": RESTLESS, "lingering": LINGERING}


def furniture(count: int, mix: int = 0) -> list[Furniture]:
    """So many tables: the demo floor, and again the same under further numbers.

    mix: if it is not 0, the seed to draw them by instead, as many of each family.
    """
    if mix:
        return mixed(count, Random(mix))  # noqa: S311 - which games are on offer is no secret
    rounds = range(-(-count // len(FURNITURE)))
    every = [
        replace(one, name=f"{one.name} {nth + 1}") if nth else one
        for nth in rounds
        for one in FURNITURE
    ]
    return every[:count]


def mixed(count: int, random: Random) -> list[Furniture]:
    """The families in turn, and of each its tables in a random order."""
    families: dict[str, list[Furniture]] = {}
    for one in random.sample(every := (*FURNITURE, *SHORT), len(every)):
        families.setdefault(named(one.game, one.stakes).family, []).append(one)
    drawn = [
        replace(one, name=f"{one.name} {turn // len(tables) + 1}")
        for turn in range(count)
        for tables in families.values()
        for one in [tables[turn % len(tables)]]
    ]
    return drawn[:count]


def house_accounts(count: int) -> list[Account]:
    """So many house players, the first by name."""
    more = range(len(HOUSE_PLAYERS) + 1, count + 1)
    unnamed = [Account(f"house{n:02}", f"Player {n}", Role.PLAYER) for n in more]
    return [*HOUSE_PLAYERS, *unnamed][:count]


@dataclass
class Seeded:
    """What whoever opened the house has to be told.

    passwords: by user name, of staff and the person; None when it is not the demo's any more.
    displays: (table's name, table's id, the display's signed token).
    """

    passwords: dict[str, str | None] = field(default_factory=dict)
    displays: list[tuple[str, int, str]] = field(default_factory=list)


@transaction.atomic
def seed(
    *,
    timing: Timing,
    is_open: bool,
    tables: int = len(FURNITURE),
    players: int = len(HOUSE_PLAYERS),
    mix: int = 0,
) -> Seeded:
    """Furnish the house, or whatever it lacks.

    is_open: others than this machine can reach it; then no account keeps the printed password.
    """
    seeded = Seeded(passwords=people(is_open))
    by_role = {user.role: user for user in User.objects.filter(username__in=usernames(STAFF))}
    cage = by_role[Role.CAGE]
    fill_purse(User.objects.named(PERSON.username).get(), PERSON_PURSE_MINOR, cage)
    for player in house_players(players):
        fill_purse(player, PLAYER_PURSE_MINOR, cage)
    for wanted in furniture(tables, mix):
        table = table_of(wanted, timing, by_role[Role.PIT_MANAGER], cage)
        key = display_of(table, by_role[Role.FLOOR])
        seeded.displays.append((table.name, table.pk, key))
    return seeded


def usernames(accounts: tuple[Account, ...]) -> list[str]:
    return [account.username for account in accounts]


def people(is_open: bool) -> dict[str, str | None]:
    """Staff and the person, each with its password as far as it is the house's to tell."""
    hashed = make_password(DEMO_PASSWORD)
    is_demos = lru_cache(
        partial(check_password, DEMO_PASSWORD)
    )  # accounts seeded together share it
    passwords: dict[str, str | None] = {}
    for account in (*STAFF, PERSON):
        user = User.objects.named(account.username).first()
        is_demo = user is None or is_demos(user.password)
        user = user or account_make(account, hashed)
        told = DEMO_PASSWORD if is_demo else None
        if is_demo and is_open:
            told = secrets.token_urlsafe(9)
            user.set_password(told)
            user.save(update_fields=["password", "changed_at"])
            tokens_revoke_all(user=user, by=user)
        passwords[account.username] = told
    return passwords


def account_make(account: Account, hashed: str, *, is_house: bool = False) -> User:
    is_staff = account.role != Role.PLAYER
    user = User.objects.create(
        username=account.username,
        display_name=account.display_name,
        role=account.role,
        password=hashed,
        is_staff=is_staff,
        is_superuser=account.role == Role.ADMIN,
        is_house=is_house,
    )
    log("user.seeded", f"user:{user.pk}", None, {"role": account.role, "house": is_house})
    return user


def house_players(count: int = len(HOUSE_PLAYERS)) -> list[User]:
    """The house players, with the one password that their process derives as well."""
    password = house_password()
    found = {user.username: user for user in User.objects.filter(is_house=True)}
    held = next(iter(found.values())).password if found else ""
    if not held or not check_password(password, held):
        held = make_password(password)  # a new house, or a house with another SECRET_KEY
        User.objects.filter(is_house=True).update(password=held)
    return [
        found.get(account.username) or account_make(account, held, is_house=True)
        for account in house_accounts(count)
    ]


def house_password() -> str:
    """Nobody is told it: the seed and the players' process both make it from the house's key."""
    return hmac.new(settings.SECRET_KEY.encode(), b"house players", sha256).hexdigest()


def fill_purse(player: User, amount_minor: int, cage: User) -> None:
    """Pay in what a purse lacks of `amount_minor` once it is down to a quarter."""
    account = wallets.player_account(player_id=player.pk, currency=CURRENCY)
    held = wallets.balances_of(account_ids=[account])[account]
    if held * 4 <= amount_minor:
        wallets.deposit(
            player_id=player.pk,
            amount_minor=amount_minor - held,
            currency=CURRENCY,
            key=f"demo:deposit:{secrets.token_hex(12)}",
            actor_id=cage.pk,
            reason="demo money",
        )


def table_of(furniture: Furniture, timing: Timing, by: User, cage: User) -> Table:
    table = Table.objects.filter(name=furniture.name).first()
    is_banked = named(furniture.game, furniture.stakes).family == "banked"
    if table is None:
        # The paytables of the first tables are the house's own; it brings them approved.
        table = table_open(
            name=furniture.name,
            game=furniture.game,
            options=dict(furniture.stakes),
            timing=dict(timing),
            currency=CURRENCY,
            chip_minor=furniture.chip_minor,
            max_seats=furniture.max_seats,
            min_players=furniture.min_players,
            buy_in_least_minor=furniture.buy_in[0],
            buy_in_most_minor=furniture.buy_in[1],
            is_house=True,
            by=None if is_banked else by,
        )
    if is_banked:
        fill_bank(table, cage)
    return table


def fill_bank(table: Table, cage: User) -> None:
    bank = table.accounts["bank"]
    held = wallets.balances_of(account_ids=[bank])[bank]
    if held * 4 <= BANK_FLOAT_MINOR:
        wallets.table_float(
            bank_account_id=bank,
            amount_minor=BANK_FLOAT_MINOR - held,
            key=f"demo:float:{secrets.token_hex(12)}",
            actor_id=cage.pk,
        )


def display_of(table: Table, by: User) -> str:
    device = Device.objects.filter(table_id=table.pk, revoked_at=None).first()
    if device is not None:
        return device_token(device)
    return device_enrol(name=f"Display of {table.name}", table_id=table.pk, by=by)[1]
