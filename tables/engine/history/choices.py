"""What a legal choice allows and what lies just outside it, for every shape of choice there is.

A choice is an entry of `Hand.legal`: a name, and the ranges its action must keep to.
"""

from __future__ import annotations

from typing import NamedTuple

from tables.engine.history.stakes import Chance
from tables.engine.protocol import Action, Json

FOLD_SHARE = 0.12
SMALLEST_SHARE, LARGEST_SHARE = 0.55, 0.1


class Edges(NamedTuple):
    """within: must be accepted. perhaps: either, such as a side wager alone. beyond: refused."""

    within: list[Action]
    perhaps: list[Action]
    beyond: list[Action]


def edges(choice: Json, chip_minor: int) -> Edges:
    """The actions at both ends of a choice's ranges, and those just outside."""
    name = choice["name"]
    if "wagers" in choice:
        return _wager_edges(name, choice["wagers"])
    if "least_to_minor" in choice:
        return _bet_edges(choice, chip_minor)
    if "least_cards" in choice:
        return _card_edges(choice)
    if "most_quantity" in choice:
        return _bid_edges(choice)
    if "calls" in choice:
        calls = [_call(name, call) for call in (choice["calls"][0], choice["calls"][-1])]
        return Edges(calls, [], [{"name": name, "class": "royal"}, {"name": name}])
    if "options" in choice:
        said: list[Action] = [{"name": name, "choice": side} for side in choice["options"]]
        return Edges(said, [], [{"name": name, "choice": "neither"}, {"name": name}])
    if "least" in choice:
        return _roll_edges(choice)
    return Edges([{"name": name}], [], [])


def any_action(choices: list[Json], random: Chance, chip_minor: int = 1) -> Action:
    """Something legal: seldom a fold, mostly small bets."""
    if choices[0]["name"] == "fold" and len(choices) > 1 and random.random() > FOLD_SHARE:
        choices = choices[1:]
    choice = random.choice(choices)
    name = choice["name"]
    if "wagers" in choice:
        return {"name": name, "wagers": _any_wagers(choice["wagers"], random)}
    if "least_to_minor" in choice:
        least, most = choice["least_to_minor"], choice["most_to_minor"]
        to = _any_amount(least, most, random)
        if to < most:
            to = max(least, to - to % chip_minor)
        return {"name": name, "to_minor": to}
    if "least_cards" in choice:
        count = random.randint(choice["least_cards"], choice["most_cards"])
        return {"name": name, "cards": random.sample(range(choice["of"]), count)}
    if "most_quantity" in choice:
        return _any_bid(choice, random)
    if "calls" in choice:
        calls = choice["calls"]
        return _call(name, calls[min(random.randint(0, len(calls) - 1) for _ in range(4))])
    if "options" in choice:
        return {"name": name, "choice": random.choice(choice["options"])}
    if "least" in choice:
        count = random.randint(choice["least"], choice["most"])
        return {"name": name, "dice": random.sample(range(choice["most"]), count)}
    return {"name": name}


def _any_amount(least: int, most: int, random: Chance) -> int:
    taste = random.random()
    if taste < SMALLEST_SHARE:
        return least
    return most if taste > 1 - LARGEST_SHARE else random.randint(least, most)


def _bet_edges(choice: Json, chip_minor: int) -> Edges:
    name, least, most = choice["name"], choice["least_to_minor"], choice["most_to_minor"]
    beyond = [least - 1, most + 1, most + chip_minor, -least]
    if chip_minor > 1 and least + 1 < most and not least % chip_minor:
        beyond.append(least + 1)
    within = sorted({least, most})
    refused: list[Action] = [{"name": name, "to_minor": to} for to in beyond]
    refused += [{"name": name, "to_minor": str(least)}, {"name": name, "to_minor": True}]
    return Edges([{"name": name, "to_minor": to} for to in within], [], refused)


def _card_edges(choice: Json) -> Edges:
    name, held = choice["name"], choice["of"]
    least, most = choice["least_cards"], choice["most_cards"]
    within: list[Action] = [{"name": name, "cards": list(range(least))}]
    within.append({"name": name, "cards": list(range(held))[held - most :]})
    wrong: list[list[object]] = [[held], [-1], [0, 0], ["0"], [True]]
    if least:
        wrong.append(list(range(least - 1)))
    if most < held:
        wrong.append(list(range(most + 1)))
    beyond: list[Action] = [{"name": name, "cards": cards} for cards in wrong]
    return Edges(within, [], [*beyond, {"name": name}])


def _wager_edges(name: str, wagers: Json) -> Edges:
    found = Edges([], [], [{"name": name, "wagers": {}}, {"name": name, "wagers": {"moon": 100}}])
    for nth, (wager, limits) in enumerate(wagers.items()):
        least, most, step = limits["least_minor"], limits["most_minor"], limits["step_minor"]
        alone = found.within if not nth else found.perhaps
        alone += [{"name": name, "wagers": {wager: stake}} for stake in (least, most)]
        wrong = [most + step, least - step or -step, -least]
        if step > 1:
            wrong.append(least + 1)
        found.beyond.extend({"name": name, "wagers": {wager: stake}} for stake in wrong)
    return found


def _any_wagers(wagers: Json, random: Chance) -> dict[str, int]:
    """The first wager nearly always, the others at times."""
    found: dict[str, int] = {}
    for nth, (wager, limits) in enumerate(wagers.items()):
        if random.random() < (0.1 if not nth else 0.5):
            continue
        least, step = limits["least_minor"], limits["step_minor"]
        steps = (limits["most_minor"] - least) // step
        found[wager] = least + step * min(random.randint(0, steps), random.randint(0, steps))
    return found


def _bid_edges(choice: Json) -> Edges:
    name, most = choice["name"], choice["most_quantity"]
    quantity, face = choice["least"]["quantity"], choice["least"]["face"]

    def bid(quantity: object, face: object) -> Action:
        return {"name": name, "quantity": quantity, "face": face}

    lower = (quantity, face - 1) if face > 1 else (quantity - 1, 6)
    wrong = [lower, (most + 1, 6), (quantity, 7), (quantity, 0), ("1", face), (True, face)]
    return Edges([bid(quantity, face), bid(most, 6)], [], [bid(*figures) for figures in wrong])


def _any_bid(choice: Json, random: Chance) -> Action:
    quantity, face = choice["least"]["quantity"], choice["least"]["face"]
    if random.random() < 0.5:
        more = min(choice["most_quantity"], quantity + random.randint(0, 2))
        if more > quantity:
            quantity, face = more, random.randint(1, 6)
    return {"name": choice["name"], "quantity": quantity, "face": face}


def _call(name: str, call: Json) -> Action:
    return {"name": name, "class": call["class"], "faces": call["faces"]}


def _roll_edges(choice: Json) -> Edges:
    name, most = choice["name"], choice["most"]
    within: list[Action] = [{"name": name, "dice": []}, {"name": name, "dice": list(range(most))}]
    wrong: list[list[object]] = [[most], [-1], [0, 0], ["0"], [True]]
    return Edges(within, [], [*({"name": name, "dice": dice} for dice in wrong), {"name": name}])
