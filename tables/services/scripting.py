"""The deck of a hand that a sandbox's player has scripted.

The script of a table's next hand decides its deck when the players are known. The deck is committed
like any other, but no seed cuts it and its cut is of mode `scripted`, signed so: nothing that is
checked afterwards can call it fair. The database refuses it for any other money than play money.
Source: docs/sandbox.md.
"""

import logging

from django.conf import settings
from django.db.models.functions import Now

from casino.core.rows import row_of
from tables import cuts, entropy, rules
from tables.engine.banked.rounds import BankedRound
from tables.engine.banked.vocabulary import BankedGame
from tables.engine.bluff.hand import BluffHand
from tables.engine.errors import RuleViolation
from tables.engine.games import Game
from tables.engine.history.scripted import banked_deck, dice_rolled, ring_deck
from tables.engine.history.scripts import Script, read_script
from tables.engine.poker.hand import PokerHand
from tables.engine.protocol import Hand as Play
from tables.engine.protocol import SeatIn
from tables.models import Cut, DeckScript, Hand, Table
from tables.services import carrying, cutting, decks
from tables.services.cutting import Step
from wallets.models import PLAY_MONEY

logger = logging.getLogger(__name__)

REPLACED = "replaced"
FAULT_MOST = 200

STATUS = DeckScript.Status


def deck_of(table: Table, hand_id: int, game: Game, play: Play | None) -> Step | None:
    """The deck of a hand for which a script waits; None where none does, or none can be dealt.

    play: the round against the house whose betting is closed. The table's row is locked.
    """
    if table.currency != PLAY_MONEY or not settings.SANDBOX:
        return None
    asked = table.scripts.filter(status=STATUS.WAITING).first()
    if asked is None:
        return None
    try:
        order = _order(table, row_of(Hand, hand_id), game, play, read_script(asked.script))
    except Exception as error:
        # Whatever a script does to us, its table goes on: a deal that raises is tried for ever.
        if not isinstance(error, RuleViolation):
            logger.exception("script %s", asked.pk)
        why = str(error) if isinstance(error, RuleViolation) else "it cannot be dealt"
        asked.status, asked.fault = STATUS.FAILED, why[:FAULT_MOST]
        asked.save(update_fields=["status", "fault"])
        return None
    events = []
    waiting = cuts.locked(table.pk, None)
    if waiting is not None:
        events.append(decks.cut_void(waiting, REPLACED))
    cards, dice = rules.deck_of(game)
    cut = decks.cut_publish(table, Cut.Purpose.DEAL, cards, dice, scripted=order)
    step = cutting.list_closed(table, cut, hand_id)
    DeckScript.objects.filter(pk=asked.pk).update(
        status=STATUS.DEALT, hand_id=hand_id, dealt_at=Now()
    )
    return step._replace(events=[*events, decks.published(cut), *step.events])


def _order(table: Table, hand: Hand, game: Game, play: Play | None, script: Script) -> list[int]:
    """Raises ScriptNotPossible, or what the engine refuses."""
    cards, dice = rules.deck_of(game)
    order, seed = decks.secret_order(cards, dice), entropy.seed()
    if isinstance(game, BankedGame):
        assert isinstance(play, BankedRound)
        spots = [seat for seat in play.seats if play.bets[seat]]
        return banked_deck(game, play.rules.packets, spots, script, seed)
    if script.die is not None and cards and dice:
        order[-1] = script.die - 1
    seats = [SeatIn(int(number), facts["stack_minor"]) for number, facts in hand.seats.items()]
    trial, _ = rules.start(
        hand.definition,
        seats,
        hand.options,
        order,
        button=hand.button,
        posts=(table.positions or {}).get("posts"),
        carry=hand.carry,
        first=carrying.who_begins(table, [seat.seat for seat in seats]),
    )
    if isinstance(trial, PokerHand):
        return ring_deck(trial, script, seed) + order[len(cards) :]
    assert isinstance(trial, BluffHand)
    faces = dice_rolled(trial, [die + 1 for die in order], script)
    return [face - 1 for face in faces]
