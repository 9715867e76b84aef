// What each event of a game against the house does to the public view of the round.

import { playerSeat } from "./spots.js";

const EMPTY_SPOT = { wagers: {}, reserved_minor: 0, decision: null, down: 0, settled: null };

export function bankedView(opened) {
  return {
    family: "banked",
    game: opened.game?.id,
    phase: "betting",
    spots: opened.seats.map(({ seat, stack_minor, player_seat }) => ({ seat, stack_minor, ...EMPTY_SPOT, ...(player_seat ? { player_seat } : {}) })),
    dealer: { down: 0, cards: null },
    waiting: [],
    window: "betting",
    over: false,
  };
}

function spotOf(view, seat) {
  let spot = view.spots.find((one) => one.seat === seat);
  if (!spot) {
    // A player who sat down after the window opened may still bet in it.
    spot = { seat, stack_minor: 0, ...EMPTY_SPOT };
    view.spots.push(spot);
    view.spots.sort((a, b) => a.seat - b.seat);
  }
  return spot;
}

// All spots of a player draw on one stack.
function setStack(view, seat, stack_minor) {
  spotOf(view, seat);
  const of = playerSeat(view, seat);
  for (const spot of view.spots) if (playerSeat(view, spot.seat) === of) spot.stack_minor = stack_minor;
}

export const BANKED_EVENTS = {
  bet_placed(view, { seat, wagers, reserved_minor, stack_minor }) {
    Object.assign(spotOf(view, seat), { wagers, reserved_minor });
    setStack(view, seat, stack_minor);
  },
  bet_cleared(view, { seat, stack_minor }) {
    Object.assign(spotOf(view, seat), { wagers: {}, reserved_minor: 0 });
    setStack(view, seat, stack_minor);
  },
  no_more_bets: (view) => void Object.assign(view, { phase: "closed", window: "closed", waiting: [] }),
  cards_dealt(view, { down, dealer }) {
    Object.assign(view, { phase: "decision", window: "decision" });
    for (const [seat, count] of Object.entries(down)) spotOf(view, Number(seat)).down = count;
    view.dealer.down = dealer;
  },
  decided(view, { seat, name, play_minor, stack_minor, default: late }) {
    const spot = spotOf(view, seat);
    Object.assign(spot, { decision: name, play_minor, reserved_minor: 0, ...(late ? { late } : {}) });
    if (stack_minor !== undefined) setStack(view, seat, stack_minor);
    view.waiting = view.waiting.filter((one) => one !== seat);
  },
  dealer_revealed: (view, { cards, qualifies, words, class: hand }) =>
    void Object.assign(view.dealer, { down: 0, cards, qualifies, words, class: hand }),
  dealer_not_needed: (view) => void (view.dealer.not_needed = true),
  hand_shown: (view, { seat, cards, words, class: hand }) =>
    void Object.assign(spotOf(view, seat), { down: 0, cards, words, class: hand }),
  spot_settled(view, event) {
    view.phase = "settled";
    spotOf(view, event.seat).settled = event;
    setStack(view, event.seat, event.stack_minor);
  },
  hand_over(view, { stacks_minor }) {
    Object.assign(view, { over: true, waiting: [], window: "", phase: "settled" });
    for (const spot of view.spots) spot.stack_minor = stacks_minor[playerSeat(view, spot.seat)] ?? spot.stack_minor;
  },
};
