"""What a table refuses, one class per rule; `casino.errors` gives them their HTTP status."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(eq=False)
class TableError(Exception):
    code: ClassVar[str] = "table_error"


@dataclass(eq=False)
class TableNotFound(TableError):
    code: ClassVar[str] = "table_not_found"
    table_id: int

    def __str__(self) -> str:
        return f"there is no table {self.table_id}"


@dataclass(eq=False)
class TableNotOpen(TableError):
    code: ClassVar[str] = "table_not_open"
    status: str

    def __str__(self) -> str:
        return f"the table is {self.status} and takes no new players"


@dataclass(eq=False)
class SeatHeld(TableError):
    code: ClassVar[str] = "seat_held"
    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} is held for somebody else"


@dataclass(eq=False)
class TooManySeatsHeld(TableError):
    """As many seats are kept for him as for anybody. Source: docs/rules/seating.md 2.2."""

    code: ClassVar[str] = "too_many_seats_held"
    most: int

    def __str__(self) -> str:
        return f"{self.most} seats are held for you already: sit down, or let one go"


@dataclass(eq=False)
class PotStillCarried(TableError):
    """What the hand left is still played for. Source: docs/rules/poker.md 10.4."""

    code: ClassVar[str] = "pot_still_carried"
    hand_id: int

    def __str__(self) -> str:
        return f"the pot of hand {self.hand_id} is still played for: undo it when it is won"


@dataclass(eq=False)
class TooManyFlags(TableError):
    """The floor has not answered his last ones yet. Source: docs/rules/poker.md 7.7."""

    code: ClassVar[str] = "too_many_flags"
    most: int

    def __str__(self) -> str:
        return f"the floor has {self.most} hands that you flagged to look at: wait for its answer"


@dataclass(eq=False)
class InvitationNeeded(TableError):
    code: ClassVar[str] = "invitation_needed"

    def __str__(self) -> str:
        return "the table is private: it takes its invitation's code"


@dataclass(eq=False)
class SeatsFree(TableError):
    code: ClassVar[str] = "seats_free"
    table_id: int

    def __str__(self) -> str:
        return f"nobody has to wait: table {self.table_id} has a free seat"


@dataclass(eq=False)
class NotWaiting(TableError):
    code: ClassVar[str] = "not_waiting"

    def __str__(self) -> str:
        return "you are not on this list"


@dataclass(eq=False)
class NoSeatAnywhere(TableError):
    code: ClassVar[str] = "no_seat_anywhere"

    def __str__(self) -> str:
        return "no table of this kind has a seat you could take"


@dataclass(eq=False)
class OtherCurrency(TableError):
    code: ClassVar[str] = "other_currency"
    currency: str

    def __str__(self) -> str:
        return f"that table is played in {self.currency}"


@dataclass(eq=False)
class NoBombPots(TableError):
    code: ClassVar[str] = "no_bomb_pots"

    def __str__(self) -> str:
        return "this table deals no bomb pots; its options say so"


@dataclass(eq=False)
class TableStopped(TableError):
    code: ClassVar[str] = "table_stopped"

    def __str__(self) -> str:
        return "the table is stopped; the hand goes on when it is opened again"


@dataclass(eq=False)
class Misdealt(TableError):
    """A deck or a deal that is not what the rules say; nothing was dealt."""

    code: ClassVar[str] = "misdealt"
    fault: str

    def __str__(self) -> str:
        return f"the deal was wrong: {self.fault}"


@dataclass(eq=False)
class UnknownFault(TableError):
    code: ClassVar[str] = "unknown_fault"
    fault: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.fault} is none of {', '.join(self.known)}"


@dataclass(eq=False)
class SeatTaken(TableError):
    code: ClassVar[str] = "seat_taken"
    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat} is taken"


@dataclass(eq=False)
class NoSuchSeat(TableError):
    code: ClassVar[str] = "no_such_seat"
    seat: int
    max_seats: int

    def __str__(self) -> str:
        return f"there is no seat {self.seat} at a table of {self.max_seats}"


@dataclass(eq=False)
class TooManySpots(TableError):
    code: ClassVar[str] = "too_many_spots"
    spots: int
    most: int

    def __str__(self) -> str:
        return f"{self.spots} spots were asked for, a player may have {self.most} here"


@dataclass(eq=False)
class NotYourSpot(TableError):
    """An action for a seat in which the player was not dealt in."""

    code: ClassVar[str] = "not_your_spot"
    seats: tuple[int, ...]

    def __str__(self) -> str:
        return f"you were dealt in at {', '.join(map(str, self.seats))}"


@dataclass(eq=False)
class TableFull(TableError):
    code: ClassVar[str] = "table_full"
    max_seats: int

    def __str__(self) -> str:
        return f"all {self.max_seats} seats are taken"


@dataclass(eq=False)
class AlreadySeated(TableError):
    code: ClassVar[str] = "already_seated"
    seat: int

    def __str__(self) -> str:
        return f"you sit at this table already, in seat {self.seat}"


@dataclass(eq=False)
class NotSeated(TableError):
    code: ClassVar[str] = "not_seated"

    def __str__(self) -> str:
        return "you have no seat at this table"


@dataclass(eq=False)
class BuyInOutOfRange(TableError):
    code: ClassVar[str] = "buy_in_out_of_range"
    amount_minor: int
    least_minor: int
    most_minor: int

    def __str__(self) -> str:
        return (
            f"a buy-in of {self.amount_minor} is not between {self.least_minor} "
            f"and {self.most_minor}"
        )


@dataclass(eq=False)
class BuyInSpent(TableError):
    code: ClassVar[str] = "buy_in_spent"

    def __str__(self) -> str:
        return "this request bought chips for a seat that was left since; sit down by a new one"


@dataclass(eq=False)
class NotWholeChips(TableError):
    code: ClassVar[str] = "not_whole_chips"
    amount_minor: int
    chip_minor: int

    def __str__(self) -> str:
        return f"{self.amount_minor} is not a multiple of the chip, {self.chip_minor}"


@dataclass(eq=False)
class NoHandInPlay(TableError):
    code: ClassVar[str] = "no_hand_in_play"
    seq: int

    def __str__(self) -> str:
        return "no hand is in play that waits for a decision"


@dataclass(eq=False)
class NotDealtIn(TableError):
    code: ClassVar[str] = "not_dealt_in"
    seq: int

    def __str__(self) -> str:
        return "you were not dealt in to this hand"


@dataclass(eq=False)
class TurnPassed(TableError):
    """The window the click was meant for is closed; nothing was changed."""

    code: ClassVar[str] = "turn_passed"
    turn_id: int
    current_turn_id: int
    seq: int

    def __str__(self) -> str:
        return f"turn {self.turn_id} is over; the table is at turn {self.current_turn_id}"


@dataclass(eq=False)
class TooLate(TableError):
    code: ClassVar[str] = "too_late"
    turn_id: int
    seq: int

    def __str__(self) -> str:
        return "the time for this decision is over"


@dataclass(eq=False)
class TableBusy(TableError):
    code: ClassVar[str] = "table_busy"

    def __str__(self) -> str:
        return "the table is busy; try again"


@dataclass(eq=False)
class HandNotFound(TableError):
    code: ClassVar[str] = "hand_not_found"
    hand_id: int

    def __str__(self) -> str:
        return f"there is no hand {self.hand_id} that you may see"


@dataclass(eq=False)
class FeederFirst(TableError):
    """A main table is filled from its must-move table, whose players come first."""

    code: ClassVar[str] = "feeder_first"
    table_id: int

    def __str__(self) -> str:
        return f"seats here go to the players of table {self.table_id}: sit down there"


@dataclass(eq=False)
class FeederNotPossible(TableError):
    code: ClassVar[str] = "feeder_not_possible"
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(eq=False)
class JackpotNotPossible(TableError):
    """A jackpot's terms do not fit its table."""

    code: ClassVar[str] = "jackpot_not_possible"
    why: str

    def __str__(self) -> str:
        return self.why


@dataclass(eq=False)
class HitNotOpen(TableError):
    code: ClassVar[str] = "hit_not_open"
    hit_id: int
    status: str

    def __str__(self) -> str:
        return f"hit {self.hit_id} waits for nobody: {self.status}"


@dataclass(eq=False)
class FormatNotAvailable(TableError):
    """formats: those the hand can be had in."""

    code: ClassVar[str] = "format_not_available"
    format: str
    reason: str
    formats: tuple[str, ...]

    def __str__(self) -> str:
        return f"this hand cannot be had as {self.format}: {self.reason}"


@dataclass(eq=False)
class TimeFeeOwed(TableError):
    """Who owes a time collection pays it before he plays on."""

    code: ClassVar[str] = "time_fee_owed"
    owed_minor: int
    stack_minor: int

    def __str__(self) -> str:
        return f"the time collection of {self.owed_minor} is due before you play on"


@dataclass(eq=False)
class ReplayDiffers(TableError):
    """A stored hand, played again, does not come out as it was told."""

    code: ClassVar[str] = "replay_differs"
    hand_id: int
    seq: int
    what: str

    def __str__(self) -> str:
        return f"hand {self.hand_id} played again differs at {self.seq}: {self.what}"


@dataclass(eq=False)
class ClientTooSlow(TableError):
    """Frames came faster than the socket took them."""

    code: ClassVar[str] = "client_too_slow"

    def __str__(self) -> str:
        return "the connection is too slow for this table"


@dataclass(eq=False)
class MalformedMessage(TableError):
    code: ClassVar[str] = "malformed_message"
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(eq=False)
class HandInPlay(TableError):
    code: ClassVar[str] = "hand_in_play"
    hand_id: int

    def __str__(self) -> str:
        return f"hand {self.hand_id} is in play; wait until it is settled"


@dataclass(eq=False)
class StatusNotPossible(TableError):
    code: ClassVar[str] = "status_not_possible"
    status: str
    wanted: str

    def __str__(self) -> str:
        return f"a table that is {self.status} cannot become {self.wanted}"


@dataclass(eq=False)
class OptionsFixed(TableError):
    """The stakes that a table's players sat down for are not changed under them."""

    code: ClassVar[str] = "options_fixed"
    hands: int

    def __str__(self) -> str:
        return f"{self.hands} hands were dealt by these options; open another table"


@dataclass(eq=False)
class PaytableNotFound(TableError):
    code: ClassVar[str] = "paytable_not_found"
    paytable_id: int

    def __str__(self) -> str:
        return f"there is no version {self.paytable_id} of the paytables"


@dataclass(eq=False)
class PaytableNotPossible(TableError):
    """A step that this version of the paytables is not ready for, or is past."""

    code: ClassVar[str] = "paytable_not_possible"
    paytable_id: int
    status: str
    step: str

    def __str__(self) -> str:
        return f"version {self.paytable_id} is {self.status}: it cannot be {self.step} now"


@dataclass(eq=False)
class ReturnOutOfBounds(TableError):
    """A wager returns less than the operator's floor, or more than his ceiling."""

    code: ClassVar[str] = "return_out_of_bounds"
    wager: str
    return_percent: str
    least_percent: str
    most_percent: str

    def __str__(self) -> str:
        return (
            f"{self.wager} returns {self.return_percent} % of what is staked;"
            f" allowed are {self.least_percent} % to {self.most_percent} %"
        )


@dataclass(eq=False)
class PaytableNotApproved(TableError):
    """A table is opened by rules that no approved version holds."""

    code: ClassVar[str] = "paytable_not_approved"
    content_hash: str

    def __str__(self) -> str:
        return "no approved version of the paytables holds these rules; have them approved first"


@dataclass(eq=False)
class NoOdds(TableError):
    code: ClassVar[str] = "no_odds"
    table_id: int

    def __str__(self) -> str:
        return f"table {self.table_id} is between players: the house has no odds there"


@dataclass(eq=False)
class WrongGame(TableError):
    code: ClassVar[str] = "wrong_game"
    table_id: int
    game: str

    def __str__(self) -> str:
        return f"table {self.table_id} does not play {self.game}"


@dataclass(eq=False)
class BankTooShort(TableError):
    """With this bet the round could cost more than stands in the table's bank.

    possible: by wager, the most of it that the bank would cover beside the others of the bet.
    """

    code: ClassVar[str] = "bank_too_short"
    worst_case_minor: int
    bank_minor: int
    possible: dict[str, int]

    def __str__(self) -> str:
        most = ", ".join(f"{wager} {amount}" for wager, amount in self.possible.items())
        return (
            f"the round could cost {self.worst_case_minor} and the bank holds {self.bank_minor};"
            f" possible beside the rest of the bet: {most}"
        )


@dataclass(eq=False)
class HandNotInPlay(TableError):
    code: ClassVar[str] = "hand_not_in_play"
    hand_id: int

    def __str__(self) -> str:
        return f"hand {self.hand_id} is not in play at this table"


@dataclass(eq=False)
class ReasonMissing(TableError):
    """Money that moves by somebody's word needs that word."""

    code: ClassVar[str] = "reason_missing"

    def __str__(self) -> str:
        return "say why"


@dataclass(eq=False)
class StacksMoved(TableError):
    """Chips changed while a hand was being dealt on them; nothing of it was kept."""

    code: ClassVar[str] = "stacks_moved"
    seats: tuple[int, ...]

    def __str__(self) -> str:
        return f"the chips of seats {', '.join(map(str, self.seats))} moved; deal again"


@dataclass(eq=False)
class EntropyFailed(TableError):
    """Without randomness that can be trusted nothing is dealt."""

    code: ClassVar[str] = "entropy_failed"
    reason: str

    def __str__(self) -> str:
        return f"the source of randomness failed: {self.reason}"


@dataclass(eq=False)
class CutNotFound(TableError):
    code: ClassVar[str] = "cut_not_found"
    cut: int

    def __str__(self) -> str:
        return f"this table has no cut {self.cut}"


@dataclass(eq=False)
class SeedsNotTaken(TableError):
    """The market forbids players' input, or this cut asks only those who gave a seed before."""

    code: ClassVar[str] = "seeds_not_taken"
    cut: int

    def __str__(self) -> str:
        return f"cut {self.cut} takes no seed of yours"


@dataclass(eq=False)
class SeedsClosed(TableError):
    """status: where the cut stands; a seed is committed while it is open, opened while listed."""

    code: ClassVar[str] = "seeds_closed"
    cut: int
    status: str

    def __str__(self) -> str:
        return f"cut {self.cut} is {self.status}"


@dataclass(eq=False)
class SeedCommitted(TableError):
    """One seed a player and cut."""

    code: ClassVar[str] = "seed_committed"
    cut: int
    commitment: str

    def __str__(self) -> str:
        return "you have committed to another seed already"


@dataclass(eq=False)
class CommitmentTaken(TableError):
    code: ClassVar[str] = "commitment_taken"
    cut: int

    def __str__(self) -> str:
        return "somebody else has committed to that; take a seed of your own"


@dataclass(eq=False)
class SeedBarred(TableError):
    """Who left a listed seed unopened gives none for a while."""

    code: ClassVar[str] = "seed_barred"
    until: str

    def __str__(self) -> str:
        return f"you left a seed unopened; seeds of yours are taken again from {self.until}"


@dataclass(eq=False)
class SeedNotListed(TableError):
    code: ClassVar[str] = "seed_not_listed"
    cut: int

    def __str__(self) -> str:
        return f"the list of cut {self.cut} has no commitment to that seed"


@dataclass(eq=False)
class NotADealersConsole(TableError):
    """What a dealer does, he does at a console that is assigned to his table."""

    code: ClassVar[str] = "not_a_dealers_console"
    device_id: int

    def __str__(self) -> str:
        return "this screen is no dealer's console, or is assigned to no table"


@dataclass(eq=False)
class NobodySignedOn(TableError):
    code: ClassVar[str] = "nobody_signed_on"
    table_id: int

    def __str__(self) -> str:
        return "no dealer is signed on here, or he is on a break"


@dataclass(eq=False)
class DealerElsewhere(TableError):
    code: ClassVar[str] = "dealer_elsewhere"
    table: str

    def __str__(self) -> str:
        return f"the dealer is still signed on at {self.table}"


@dataclass(eq=False)
class BetsNotOpen(TableError):
    """Only the betting window in play can be closed early."""

    code: ClassVar[str] = "bets_not_open"
    table_id: int

    def __str__(self) -> str:
        return "no betting window is open, or it is another one by now"


@dataclass(eq=False)
class NothingToPay(TableError):
    """Only the last hand that was settled can be confirmed as paid, once."""

    code: ClassVar[str] = "nothing_to_pay"
    hand_id: int

    def __str__(self) -> str:
        return f"hand {self.hand_id} is not the last one settled at this table, or is confirmed"


@dataclass(eq=False)
class CallUnknown(TableError):
    code: ClassVar[str] = "call_unknown"
    why: str

    def __str__(self) -> str:
        return f"there is no call of the floor for {self.why!r}"


@dataclass(eq=False)
class NotPlayMoney(TableError):
    code: ClassVar[str] = "not_play_money"
    currency: str

    def __str__(self) -> str:
        return f"the table is played in {self.currency}: only play money is dealt by a script"


@dataclass(eq=False)
class NoTurnToTime(TableError):
    code: ClassVar[str] = "no_turn_to_time"

    def __str__(self) -> str:
        return "nobody is asked for a decision that has a time limit"


@dataclass(eq=False)
class SandboxFull(TableError):
    code: ClassVar[str] = "sandbox_full"
    most: int

    def __str__(self) -> str:
        return f"there are {self.most} tables of play money already: close one"
